"""The editor of a case: its assertions are written with an output in sight, and saved into its file."""

import json
import sys

import pytest
from axe_playwright_python.sync_playwright import Axe
from editor_project import REPLIES, REPLY, write_editor_project
from live import serve
from page_documents import PAYLOADS
from playwright.sync_api import expect

from conftest import _WATCH
from grice.matching.matcher import REGISTRY
from grice.store.suite_rows import case_id
from grice.web.site import make_site


class Editor:
    """The page of a case, as somebody who writes there sees it."""

    def __init__(self, page, live):
        self.page = page
        self.live = live
        self.file = live.folder / "plugins.grice.yaml"

    def open(self, case, output=None):
        """Open a case; the output is pasted."""
        if self.page.url != "about:blank":
            self.page.evaluate("sessionStorage.clear()")  # what another test pasted
        self.page.goto(f"{self.live.server.url}/cases/{self.id_of(case)}")
        expect(self.page.locator("#editor")).to_have_attribute("data-ready", "yes")
        self.page.scene = ""
        if output is not None:
            self.paste(output)
        return self

    def id_of(self, case):
        return case_id(self.live.service.project, "plugins", case)

    def saved(self, case):
        return self.live.get(f"/api/test-cases/{self.id_of(case)}")

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def rows(self):
        return self.page.locator(".assertion")

    def row(self, number):
        return self.rows().nth(number - 1)

    def chip(self, number):
        return self.row(number).locator(".standing")

    def part(self, number, name):
        return self.row(number).locator(f"[id$='-{name}']").first

    def choose(self, number, matcher):
        self.part(number, "matcher").select_option(matcher)

    def paste(self, output):
        self.page.locator("input[value=pasted]").check(force=True)
        self.page.locator("#pasted").fill(output)

    def add(self, matcher, path=None):
        """Add an assertion; its number."""
        self.button("Add").click()
        number = self.rows().count()
        if path:
            self.part(number, "path").fill(path)
        self.choose(number, matcher)
        return number

    def clear(self):
        """Take all assertions away."""
        while self.rows().count():
            self.row(1).get_by_role("button", name="Remove assertion").click()

    def save(self):
        self.button("Save").click()
        expect(self.page.locator("#dirty")).to_have_text("saved")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("edited")
    write_editor_project(folder)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "path", list(sys.path))
        with serve(folder, make=make_site) as live:
            yield live
    REGISTRY.pop("toNameAPlugin", None)
    sys.modules.pop("plugin_matchers", None)


@pytest.fixture(scope="module")
def context(chromium, project):
    made = chromium.new_context(viewport={"width": 1440, "height": 900})
    made.add_init_script(_WATCH)
    made.set_default_timeout(5_000)
    page = made.new_page()
    page.goto(project.server.link(project.token))
    page.close()
    yield made
    made.close()


@pytest.fixture(scope="module")
def only_page(context):
    page = context.new_page()
    page.scene = ""
    page.on("dialog", lambda dialog: dialog.accept())  # what was not saved is left
    return page


@pytest.fixture
def editor(only_page, project):
    """The editor; nothing goes wrong on its page but what a test says it refuses."""
    problems = []

    def tell(error):
        problems.append(str(error))

    only_page.on("pageerror", tell)
    yield Editor(only_page, project)
    only_page.remove_listener("pageerror", tell)
    assert problems == []
    assert only_page.evaluate("hits") == []


# -- what issue 30 asks for


def test_a_case_is_made_of_an_imported_output(editor):
    editor.open("imported", REPLY).clear()
    editor.button("Import from the output").click()
    ticked = editor.page.locator(".proposals li", has=editor.page.locator("input:checked"))
    expect(editor.page.locator(".proposals li")).to_have_count(6)
    assert "$.items[*].status ALL toBeOneOf" in " ".join(ticked.all_text_contents())
    assert "created_at" not in " ".join(ticked.all_text_contents())
    number = ticked.count()
    editor.button(f"Add {number} assertions").click()
    expect(editor.page.locator(".assertion .badge.pass")).to_have_count(number)
    editor.save()
    kept = editor.saved("imported")["assertions"]
    assert {"path": "$.items[*].status", "pathMatch": "ALL", "matcher": "toBeOneOf"}.items() <= next(
        one for one in kept if one["path"] == "$.items[*].status"
    ).items()


def test_a_chip_turns_red_while_one_types(editor):
    editor.open("typing", REPLY)
    expect(editor.chip(1)).to_contain_text("pass")
    editor.part(1, "expected").press_sequentially("x")
    expect(editor.chip(1)).to_contain_text("fail")
    expect(editor.chip(1)).to_contain_text("itemsx")
    editor.part(1, "expected").press("Backspace")
    expect(editor.chip(1)).to_contain_text("pass")


def test_typing_waits_for_no_answer_and_the_last_one_counts(editor):
    editor.open("typing", REPLY)
    slow = []

    def answer(route):
        slow.append(route)  # the first answers come when all was typed, and late

    editor.page.route("**/api/evaluate/preview", answer)
    editor.part(1, "expected").fill("nowhere")
    editor.page.wait_for_timeout(300)
    editor.part(1, "expected").fill("Jetpack")
    editor.page.wait_for_timeout(300)
    assert len(slow) == 2
    for route in reversed(slow):
        try:
            route.continue_()
        except Exception:  # the page asked no more
            continue
    expect(editor.chip(1)).to_contain_text('toContain "Jetpack" passed')
    editor.page.unroute("**/api/evaluate/preview")


KINDS = {
    "none": "",
    "text": ".value select",
    "number": "input[inputmode=decimal]",
    "boolean": "select",
    "choice": "select",
    "list": "[id$='-expected-add']",
    "pattern": ".flags",
    "schema": "textarea.mono",
    "matcher": ".value select",
    "object": "[id$='-expected-add']",
    "json": ".value select",
}


def test_each_matcher_has_the_editor_that_its_schema_asks_for(editor):
    editor.open("kinds")
    registry = editor.live.get("/api/registry")
    wrong = []
    for one in registry:
        editor.choose(1, one["name"])
        shown = editor.row(1).locator(".expected")
        wanted = KINDS[one["editor"]]
        if (shown.locator(wanted).count() == 0) if wanted else (shown.locator("input, textarea").count() > 0):
            wrong.append((one["name"], one["editor"]))
    assert wrong == []
    assert {one["editor"] for one in registry} <= set(KINDS)


def test_what_is_typed_into_each_editor_is_what_is_saved(editor):
    output = '{"price": 41.5, "name": "Blue Room", "tags": ["a", 1], "gone": null}'
    editor.open("kinds", output).clear()
    page = editor.page
    editor.add("toBeNull", "$.gone")
    number = editor.add("toBeGreaterThan", "$.price")
    editor.part(number, "expected").fill("41")
    number = editor.add("toMatch", "$.name")
    editor.part(number, "expected").fill("^blue")
    editor.row(number).get_by_label("i any case").check()
    editor.row(number).get_by_label("a text to try it on").fill("Blue")
    expect(editor.row(number).locator(".try")).to_contain_text("pass")
    number = editor.add("toBeOneOf", "$.tags[0]")
    for place, text in enumerate(("a", "2")):
        editor.row(number).get_by_role("button", name="Add a value").click()
        page.keyboard.type(text)
        assert editor.part(number, f"expected-{place}").input_value() == text
    editor.row(number).get_by_role("button", name="Take it as JSON").click()
    number = editor.add("toEqual", "$.tags")
    editor.part(number, "expected").fill('["a", 1]')
    editor.row(number).get_by_role("button", name="Take it as JSON").click()
    number = editor.add("toEqual", "$.name")
    editor.part(number, "expected-kind").select_option("JSON")
    editor.part(number, "expected").fill("Blue Room")
    expect(page.locator("#problems")).to_contain_text("Blue Room is no JSON")
    editor.row(number).get_by_role("button", name="Take it as a string").click()
    number = editor.add("toMatchObject")
    editor.row(number).get_by_role("button", name="More").click()
    editor.part(number, "parse").select_option("json")
    editor.part(number, "expected").fill('{"price": 41.50, "n": 12345678901234567890}')
    number = editor.add("toMatchSchema", "$.tags")
    editor.part(number, "expected").fill('{"type": "array", "minItems": 1.0}')
    expect(page.locator(".standing .badge.pass")).to_have_count(7)
    editor.save()
    kept = editor.saved("kinds")["assertions"]
    assert [one.get("expected") for one in kept] == [
        None,
        41,
        {"source": "^blue", "flags": "i"},
        ["a", 2],
        ["a", 1],
        "Blue Room",
        {"price": 41.5, "n": 12345678901234567890},
        {"type": "array", "minItems": 1.0},
    ]
    assert "12345678901234567890" in editor.file.read_text()


def test_what_is_not_whole_yet_is_never_lost(editor):
    editor.open("kinds", REPLY).clear()
    editor.add("toBeGreaterThan")
    editor.part(1, "expected").fill("a lot")
    editor.add("toMatchObject")
    editor.part(2, "expected").fill('{"a": ')
    editor.add("toBeOneOf")
    for place, text in enumerate(("[1", "[2")):
        editor.row(3).get_by_role("button", name="Add a value").click()
        editor.part(3, f"expected-{place}-kind").select_option("JSON")
        editor.part(3, f"expected-{place}").fill(text)
    editor.row(3).get_by_role("button", name="Remove value 1").click()
    editor.row(1).get_by_role("button", name="Down").click()
    assert editor.part(2, "expected").input_value() == "a lot"
    assert editor.part(1, "expected").input_value() == '{"a": '
    assert editor.part(3, "expected-0").input_value() == "[2"
    expect(editor.page.locator("#problems")).to_contain_text("assertion 2, expected: a lot is no number")
    before = editor.file.read_text()
    editor.button("Save").click()
    expect(editor.page.locator("#summary")).to_contain_text("something is not whole yet")
    assert editor.file.read_text() == before
    editor.choose(2, "toContain")
    assert editor.part(2, "expected").input_value() == "a lot"


@pytest.mark.parametrize(
    ("match", "negated", "status", "words", "state"),
    [
        ("ANY", False, "READY", "at least one value fits", "pass"),
        ("ALL", False, "READY", "every value fits", "fail"),
        ("ANY", True, "READY", "no value fits", "fail"),
        ("ALL", True, "READY", "not every value fits", "pass"),
    ],
)
def test_any_and_all_say_what_they_mean_also_under_not(editor, match, negated, status, words, state):
    if editor.page.scene != "negated":
        editor.open("negated", REPLY)
        editor.page.scene = "negated"
        editor.clear()
        editor.add("toEqual", "$.items[*].status")
        editor.part(1, "expected").fill(status)
    editor.part(1, "pathMatch").select_option(match)
    editor.row(1).get_by_label("Not").set_checked(negated)
    expect(editor.row(1).locator(".meaning")).to_contain_text(words)
    expect(editor.chip(1).locator(".badge")).to_contain_text(state)


def test_more_than_64_kb_is_said_and_not_saved(editor):
    editor.open("large", REPLY)
    before = editor.file.read_text()
    expect(editor.page.locator("#size")).to_contain_text("of 65,536 bytes")
    editor.part(1, "expected").fill("x" * 66_000)
    expect(editor.page.locator("#problems")).to_contain_text("at most 65,536 are allowed")
    expect(editor.chip(1)).to_contain_text("error")
    editor.button("Save").click()
    expect(editor.page.locator("#summary")).to_contain_text("Nothing was saved")
    assert editor.file.read_text() == before


def test_everything_wrong_is_listed_at_once_and_shown_where_it_is(editor):
    editor.open("wrong", REPLY).clear()
    editor.add("toHaveLength", "$.items[")
    editor.part(1, "expected").fill("2")
    editor.add("toMatch", "$.user.name")
    editor.part(2, "expected").fill("(")
    editor.add("toMatchSchema", "$.items")
    editor.part(3, "expected").fill('{"type": "lst"}')
    editor.add("toBeOneOf", "$.user.name")
    for number, words in enumerate(("is not closed", "is not a pattern", "JSON Schema", "say what"), 1):
        expect(editor.chip(number)).to_contain_text(words)
    expect(editor.page.locator("#problems li")).to_have_count(3)  # the last is only begun
    expect(editor.row(1).locator(".mistake mark")).to_have_text("[")
    expect(editor.part(1, "path")).to_have_attribute("aria-invalid", "true")
    expect(editor.part(2, "expected")).to_have_attribute("aria-invalid", "true")
    editor.page.locator("#problems button").first.click()
    assert editor.page.evaluate(
        "[document.activeElement.id.split('-')[1], document.activeElement.selectionStart]"
    ) == ["path", 7]
    editor.part(1, "path").fill("$.itms")
    expect(editor.chip(1)).to_contain_text("nothing found")
    expect(editor.chip(1)).to_contain_text("did you mean")


def test_saving_keeps_comments_and_order_and_shows_before_what_it_changes(editor):
    editor.open("commented", REPLY)
    before = editor.file.read_text()
    editor.part(2, "expected").fill("ada")
    editor.button("Difference").click()
    difference = editor.page.locator("#difference")
    expect(difference.locator(".plus", has_text="ada")).to_have_count(1)
    assert editor.file.read_text() == before
    editor.save()
    after = editor.file.read_text()
    assert after == before.replace("expected: bob}   # who", "expected: ada}   # who")
    expect(difference).to_contain_text("Nothing differs")
    editor.button("Difference").click()


def test_two_editors_lose_nothing(editor, context):
    editor.open("contested", REPLY)
    other = Editor(context.new_page(), editor.live).open("contested", REPLY)
    editor.page.bring_to_front()
    editor.part(1, "expected").fill("user")
    editor.add("toBeNull", "$.mine")
    other.page.bring_to_front()
    other.part(1, "expected").fill("Akismet")
    other.add("toBeDefined", "$.theirs")
    other.save()
    editor.page.bring_to_front()  # what is behind draws once a second
    editor.button("Save").click()
    dialog = editor.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Somebody saved this case meanwhile")
    for words in ("You both changed 1 thing", '"user"', '"Akismet"', "$.mine", "$.theirs"):
        expect(dialog).to_contain_text(words)
    dialog.get_by_label("theirs:").check()
    editor.button("Put together").click()
    expect(editor.rows()).to_have_count(3)
    editor.save()
    kept = editor.saved("contested")["assertions"]
    assert [one.get("expected") for one in kept if one["matcher"] == "toContain"] == ["Akismet"]
    assert {one["path"] for one in kept if "path" in one} == {"$.mine", "$.theirs"}
    other.page.bring_to_front()
    other.part(1, "expected").fill("Jetpack")
    other.button("Save").click()
    expect(other.page.get_by_role("dialog")).to_contain_text("You changed different things")
    other.button("Put together").click()
    other.save()
    kept = editor.saved("contested")["assertions"]
    assert [one["expected"] for one in kept if one["matcher"] == "toContain"] == ["Jetpack"]
    assert len(kept) == 3
    other.page.close()


def test_a_legacy_case_stays_as_it_is_until_it_is_turned_into_an_assertion(editor):
    editor.open("legacy", "Paris")
    page = editor.page
    page.locator("#expected > summary").click()
    page.locator("#case-expectedOutput").fill("Rome")
    editor.save()
    written = editor.file.read_text()
    assert "expected_output: Rome   # in one word" in written[written.index("- id: legacy") :][:120]
    page.locator("#case-expectedOutput").fill("Paris")
    editor.button("Turn into an assertion").click()
    expect(editor.chip(1)).to_contain_text("pass")
    editor.save()
    saved = editor.saved("legacy")
    assert (saved["expectedOutput"], saved["outputType"]) == (None, "string")
    assert saved["assertions"] == [{"path": "$", "matcher": "toEqual", "expected": "Paris"}]


def test_what_is_typed_as_soon_as_the_expected_output_is_open_stays(editor):
    editor.open("lines", REPLY)
    text = editor.page.locator("#case-expectedOutput").element_handle()
    editor.page.locator("#expected > summary").click()
    later = (
        "(one) => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(one.isConnected))))"
    )
    assert text.evaluate(later), "the text area in which somebody types was drawn anew"
    note = editor.page.locator("#expected b")
    expect(note).to_have_text("Beside assertions it is not looked at.")
    editor.clear()
    expect(note).to_be_hidden()


def test_a_matcher_of_the_project_is_used(editor):
    editor.open("own", REPLY).clear()
    editor.add("toNameAPlugin")
    expect(editor.row(1).locator("optgroup[label='Of this project']")).to_contain_text("toNameAPlugin")
    expect(editor.chip(1)).to_contain_text("pass")
    expect(editor.chip(1)).to_contain_text("a run shows it the conversation too")
    editor.row(1).get_by_role("button", name="More").click()
    expect(editor.row(1).locator(".more")).to_contain_text(
        "The text names a plugin. It is this project's own."
    )
    editor.save()
    assert editor.saved("own")["assertions"][0]["matcher"] == "toNameAPlugin"


def test_a_value_is_clicked_for_its_path_and_for_matchers_that_pass(editor):
    editor.open("lines", REPLY).clear()
    page = editor.page
    value = page.locator(".tree button", has_text="status").first
    value.click()
    offers = page.locator(".offers")
    expect(offers.locator(".tree-path")).to_have_text(["$.items[0].status", "$.items[*].status"])
    assert offers.locator("li").count() >= 3
    offers.get_by_role("button", name="(ALL)").click()
    expect(editor.chip(1)).to_contain_text("$.items[*].status ALL toBeOneOf")
    expect(editor.chip(1)).to_contain_text("pass")
    editor.row(1).get_by_role("button", name="Pick").click()
    page.locator(".tree button", has_text="bob").click()
    offers.locator(".tree-path").first.click()
    assert editor.part(1, "path").input_value() == "$.user.name"
    expect(editor.chip(1)).to_contain_text("fail")


def test_assertions_are_tried_on_all_replies_of_a_run(editor):
    editor.open("many").clear()
    editor.add("toEqual", "$.user.name")
    editor.part(1, "expected").fill("bob")
    editor.add("toBeNull", "$[")
    editor.page.locator("input[value=all]").check(force=True)
    editor.page.locator("#output-run").select_option(label="replies, 2026-11-05T10:00".replace("T", " "))
    expect(editor.chip(1)).to_contain_text(f"{REPLIES - REPLIES // 10}/{REPLIES} pass")
    expect(editor.chip(2)).to_contain_text("error")
    expect(editor.page.locator("#values li")).to_have_count(REPLIES // 10)
    expect(editor.page.locator("#values")).to_contain_text("reply-9, turn 1")
    editor.part(1, "expected").fill("ada")
    expect(editor.chip(1)).to_contain_text(f"0/{REPLIES} pass")
    editor.part(1, "path").fill("$.user.nmae")
    editor.row(1).get_by_label("Not").check()
    expect(editor.chip(1)).to_contain_text(f"in {REPLIES} the path finds nothing")
    expect(editor.chip(1).locator(".badge.pass")).to_have_count(0)
    editor.row(1).get_by_label("Not").uncheck()
    editor.part(1, "path").fill("$.user.name")
    editor.page.locator("input[value=one]").check(force=True)
    expect(editor.page.locator("#output-reply option")).to_have_count(REPLIES)
    expect(editor.chip(1)).to_contain_text('got "bob"')


def test_the_case_is_run_and_its_output_shown(editor):
    editor.open("run")
    editor.button("Run this case").click()
    expect(editor.page.locator(".tree")).to_contain_text("Akismet", timeout=30_000)
    expect(editor.chip(1)).to_contain_text("pass")
    editor.page.get_by_role("link", name="its last run").click()
    expect(editor.page.locator("h1")).to_have_text("run passed")
    expect(editor.page.locator(".margin")).to_contain_text("items")
    editor.page.keyboard.press("e")
    editor.page.wait_for_url("**/cases/**")
    expect(editor.page.locator(".tree")).to_contain_text("Akismet")


def test_a_turn_has_its_own_script_and_assertions(editor):
    editor.open("turns")
    page = editor.page
    page.locator("#messages > summary").click()
    editor.button("Add a message").click()
    page.keyboard.type("Bye")
    editor.button("Give each turn its own script and assertions").click()
    editor.add("toContain")
    editor.part(2, "expected").fill("first")
    editor.row(2).get_by_role("button", name="More").click()
    editor.part(2, "turn").select_option(label="after turn 1")
    editor.part(2, "counts").select_option("soft")
    editor.part(2, "description").fill("says so")
    page.locator("#run-mode").select_option("SKIP")
    editor.save()
    saved = editor.saved("turns")
    check = {"matcher": "toContain", "expected": "first", "description": "says so"}
    assert saved["turns"] == [{"say": "Hi", "evaluate": [check]}, {"say": "Bye"}]
    assert (saved["say"], saved["runMode"], len(saved["assertions"])) == (None, "SKIP", 1)
    editor.open("turns")
    editor.row(2).get_by_role("button", name="Remove assertion 2").click()
    expect(editor.rows()).to_have_count(1)
    editor.button("Undo").click()
    expect(editor.rows()).to_have_count(2)
    expect(editor.page.locator("#dirty")).to_have_text("saved")


def test_everything_by_keyboard(editor):
    editor.open("keys")
    page, keys = editor.page, editor.page.keyboard
    page.locator("input[value=last]").focus()
    keys.press("ArrowRight")
    page.locator("#pasted").focus()
    keys.insert_text(REPLY)
    keys.press("Escape")
    keys.press("a")
    keys.press("Control+a")
    keys.type("$.items[*].status")
    keys.press("Tab")
    keys.type("ALL")
    keys.press("Tab")
    keys.type("toBeOneOf")
    for _ in range(2):
        keys.press("Tab")
    keys.press("Enter")
    keys.type("READY")
    expect(editor.chip(2)).to_contain_text("fail")
    page.locator("[id$='-expected-add']").focus()
    keys.press("Enter")
    keys.type("PENDING")
    expect(editor.chip(2)).to_contain_text("pass")
    keys.press("Alt+ArrowUp")
    expect(editor.chip(1)).to_contain_text("toBeOneOf")
    assert page.evaluate("document.activeElement.value") == "PENDING"
    keys.press("Escape")
    keys.press("d")
    expect(page.locator("#difference")).to_be_visible()
    keys.press("i")
    expect(page.get_by_role("dialog")).to_be_visible()
    keys.press("Escape")
    page.locator("[id$='-path']").first.focus()
    keys.press("Control+s")
    expect(page.locator("#dirty")).to_have_text("saved")
    assert editor.saved("keys")["assertions"][0] == {
        "path": "$.items[*].status",
        "pathMatch": "ALL",
        "matcher": "toBeOneOf",
        "expected": ["READY", "PENDING"],
    }
    keys.press("Escape")
    page.get_by_role("button", name="Pick assertion 1").focus()
    keys.press("Enter")
    keys.press("ArrowDown")
    keys.press("Enter")
    expect(page.locator(".offers")).to_contain_text("$.id")
    keys.press("Escape")
    expect(page.locator(".offers")).to_have_count(0)
    keys.press("Escape")
    keys.press("j")
    assert page.evaluate("document.activeElement.dataset.open") == ""


# -- seed 002, line by line: what its editor has, and what it promises


def _has_both_sections(editor):
    expect(editor.page.locator("#expected h2")).to_have_text("Expected output")
    expect(editor.page.locator("#assertions-title")).to_contain_text("Assertions")


def _is_reached_from_its_suite(editor):
    assert editor.page.locator(".kind a").nth(1).get_attribute("href").startswith("/suites/")


def _has_a_path_with_a_hint_and_the_keys_of_the_output(editor):
    path = editor.part(1, "path")
    assert path.get_attribute("placeholder").startswith("$.")
    assert path.get_attribute("list") == "paths"
    expect(editor.page.locator("#paths option[value='$.user.name']")).to_have_count(1)


def _toggles_any_and_all(editor):
    match = editor.part(1, "pathMatch")
    assert match.input_value() == "ANY"
    assert match.locator("option").all_text_contents() == ["ANY", "ALL"]


def _offers_the_five_matchers_first(editor):
    used = editor.row(1).locator("optgroup").first.locator("option").all_text_contents()
    assert sorted(used) == ["toBeNull", "toBeOneOf", "toContain", "toEqual", "toMatch"]


def _adapts_expected(editor):
    shown = editor.row(1).locator(".expected")
    for matcher, there in (
        ("toBeNull", ""),
        ("toMatch", ".flags"),
        ("toEqual", "[id$='-expected-kind']"),
        ("toContain", "[id$='-expected-kind']"),
        ("toBeOneOf", "[id$='-expected-add']"),
    ):
        editor.choose(1, matcher)
        expect(shown.locator(there or "*")).to_have_count(1 if there else 0)
    editor.choose(1, "toContain")
    assert editor.part(1, "expected").input_value() == "items"


def _negates(editor):
    editor.row(1).get_by_label("Not").check()
    expect(editor.chip(1).locator(".badge")).to_contain_text("fail")
    editor.row(1).get_by_label("Not").uncheck()
    expect(editor.chip(1).locator(".badge")).to_contain_text("pass")


def _describes(editor):
    editor.row(1).get_by_role("button", name="More").click()
    editor.part(1, "description").fill("it is about plugins")
    expect(editor.chip(1)).to_contain_text("it is about plugins")
    editor.part(1, "description").fill("")
    editor.row(1).get_by_role("button", name="More").click()


def _adds_edits_copies_and_removes(editor):
    editor.button("Add").click()
    number = editor.rows().count()
    expect(editor.chip(number)).to_contain_text("choose a matcher")
    editor.choose(number, "toContain")
    editor.part(number, "expected").fill("Akismet")
    editor.row(number).get_by_role("button", name="Copy").click()
    expect(editor.rows()).to_have_count(number + 1)
    for one in (number + 1, number):
        editor.row(one).get_by_role("button", name="Remove").click()
    expect(editor.rows()).to_have_count(number - 1)


def _imports(editor):
    editor.button("Import from the output").click()
    expect(editor.page.locator(".proposals li").first).to_be_visible()
    editor.page.keyboard.press("Escape")


def _previews_with_chip_message_and_samples(editor):
    number = editor.add("toBeOneOf", "$.items[*].status")
    editor.part(number, "pathMatch").select_option("ALL")
    editor.row(number).get_by_role("button", name="Add a value").click()
    editor.page.keyboard.type("READY")
    expect(editor.chip(number)).to_contain_text("$.items[*].status ALL toBeOneOf")
    expect(editor.chip(number)).to_contain_text('"PENDING"')
    editor.row(number).locator(".samples").locator("xpath=..").locator("summary").click()
    expect(editor.row(number).locator(".samples li")).to_have_text(['"READY"', '"PENDING"'])
    editor.row(number).get_by_role("button", name="Remove assertion").click()


def _marks_what_is_truncated(editor):
    editor.paste("items " + "x" * 600_000)
    expect(editor.chip(1).locator(".tag")).to_contain_text("truncated")
    assert editor.chip(1).locator(".tag").first.get_attribute("title")
    editor.paste(REPLY)


def _refuses(matcher, expected, path, words):
    def refuse(editor):
        number = editor.add(matcher, path)
        if expected is not None:
            editor.part(number, "expected").fill(expected)
        expect(editor.chip(number)).to_contain_text(words)
        editor.row(number).get_by_role("button", name="Remove assertion").click()

    return refuse


def _allows_four_flags(editor):
    number = editor.add("toMatch")
    names = editor.row(number).locator(".flags input").evaluate_all("all => all.map(one => one.id.at(-1))")
    assert names == ["i", "m", "s", "u"]
    editor.row(number).get_by_role("button", name="Remove assertion").click()


SEED = {
    "location: the editor of a test case, within its suite": _is_reached_from_its_suite,
    "sections: Expected Output (unchanged), Assertions": _has_both_sections,
    "path input with JSONPath hint and quick-pick of the last run's keys": (
        _has_a_path_with_a_hint_and_the_keys_of_the_output
    ),
    "toggle between ANY and ALL, default ANY": _toggles_any_and_all,
    "matcher select: the five": _offers_the_five_matchers_first,
    "expected adapts: hidden, string with flags, string/JSON, list": _adapts_expected,
    "Not toggle": _negates,
    "description (optional)": _describes,
    "users can add, edit, and remove assertions": _adds_edits_copies_and_removes,
    "import from last actual output": _imports,
    "preview; chips with path, matcher, mode, message; samples when a path finds several": (
        _previews_with_chip_message_and_samples
    ),
    "large payloads are truncated, with a badge and a hash": _marks_what_is_truncated,
    "path must be non-empty": _refuses("toBeNull", None, " ", "it is empty"),
    "path must be valid JSONPath": _refuses("toBeNull", None, "$.a[?", "path"),
    "pattern must compile": _refuses("toMatch", "[", "$", "is not a pattern"),
    "pattern length is capped": _refuses("toMatch", "x" * 1025, "$", "1,024"),
    "allowed flags are i, m, s, u": _allows_four_flags,
    "toBeOneOf requires a non-empty array": _refuses("toBeOneOf", None, "$", "expected"),
}


@pytest.mark.parametrize("line", SEED)
def test_seed_002(editor, line):
    if editor.page.scene != "seed":
        editor.open("lines", REPLY)
        editor.page.scene = "seed"
    while editor.rows().count() > 1:
        editor.row(2).get_by_role("button", name="Remove assertion").click()
    editor.choose(1, "toContain")
    editor.part(1, "path").fill("$")
    editor.part(1, "expected").fill("items")
    expect(editor.chip(1)).to_contain_text("pass")
    SEED[line](editor)


# -- what holds of the page as a whole


def test_three_examples_are_offered_and_each_passes(editor):
    editor.open("lines")
    editor.clear()
    assert editor.page.locator("[data-example]").count() == 3
    for place in range(3):
        editor.page.locator("[data-example]").nth(place).click()
        expect(editor.page.locator(".standing .badge.pass")).to_have_count(2)
        editor.clear()
    editor.add("toHaveLength")
    editor.row(1).get_by_role("button", name="More").click()
    for name, state in (("passes", "pass"), ("fails", "fail")):
        editor.row(1).get_by_role("button", name=f"Take over the row that {name}").click()
        expect(editor.chip(1).locator(".badge")).to_contain_text(state)


def test_what_is_shown_is_text_and_never_markup(editor):
    texts = [one for one in PAYLOADS if "\x00" not in one][:40]
    editor.open("hostile", json.dumps({one: [one] for one in texts}))
    editor.part(1, "expected").fill("".join(texts)[:5000])
    editor.part(1, "path").fill(texts[0])
    editor.page.locator(".tree button").nth(2).click()
    expect(editor.page.locator(".offers")).to_be_visible()
    editor.button("Import from the output").click()
    expect(editor.page.locator(".proposals li").first).to_be_visible()
    editor.page.keyboard.press("Escape")
    made = editor.page.evaluate(
        "[...document.querySelectorAll('main *')].map(one => one.localName)"
        ".filter(one => ['script', 'img', 'svg', 'iframe', 'style', 'object', 'marquee'].includes(one))"
    )
    assert made == []


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1024, "light"), (1600, "dark")])
def test_the_page_is_accessible_and_fits(editor, width, scheme):
    page = editor.page
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    editor.open("commented", REPLY)
    for part in ("messages", "expected"):
        page.locator(f"#{part} > summary").click()
    editor.row(2).get_by_role("button", name="More").click()
    editor.part(1, "path").fill("$.items[")
    expect(editor.row(1).locator(".mistake")).to_be_visible()
    page.locator(".tree button", has_text="status").first.click()
    expect(page.locator(".offers")).to_be_visible()
    told = [
        (one["id"], [node["html"][:200] for node in one["nodes"][:3]])
        for one in Axe().run(page).response["violations"]
    ]
    assert told == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    editor.button("Import from the output").click()
    expect(page.locator(".proposals")).to_be_visible()
    assert [one["id"] for one in Axe().run(page).response["violations"]] == []
    page.keyboard.press("Escape")


def test_who_may_only_read_is_told_so_and_tries_all_the_same(editor, chromium):
    live = editor.live
    with live.client_with("read") as client:
        token = client.headers["Authorization"].removeprefix("Bearer ")
    context = chromium.new_context()
    page = context.new_page()
    page.goto(live.server.link(token))
    reader = Editor(page, live).open("commented", REPLY)
    expect(page.locator("header")).to_contain_text("has the role read, and saving needs the role edit")
    expect(reader.button("Save")).to_be_disabled()
    expect(reader.button("Run this case")).to_be_disabled()
    expect(reader.chip(1)).to_contain_text("pass")
    context.close()


def test_code_is_refused_by_its_field(editor):
    editor.open("hostile", REPLY)
    page = editor.page
    page.locator("#messages > summary").click()
    page.get_by_text("History and agent").click()
    page.locator("#case-agent").fill("os:system")
    expect(page.locator("#problems")).to_contain_text("agent")
    before = editor.file.read_text()
    editor.button("Save").click()
    expect(page.locator("#summary")).to_contain_text("grice serve --allow-code")
    assert editor.file.read_text() == before


def test_assertions_are_pasted_as_json(editor):
    editor.open("hostile", REPLY).clear()
    editor.button("Paste JSON").click()
    dialog = editor.page.get_by_role("dialog")
    dialog.get_by_label("Assertions as JSON").fill("toContain")
    editor.button("Add them").click()
    expect(dialog).to_contain_text("This is no JSON.")
    dialog.get_by_label("Assertions as JSON").fill('[{"matcher": "toContain", "expected": "Akismet"}]')
    editor.button("Add them").click()
    expect(editor.chip(1)).to_contain_text("pass")


# -- nothing that is typed is lost, and no chip says more than is known


@pytest.fixture
def held(editor):
    """Holds back what the page asks at an address, until it is let go."""
    addresses = []

    def hold(address):
        waiting = []
        addresses.append(address)
        editor.page.route(address, lambda route: waiting.append(route))
        return waiting

    yield hold
    for address in addresses:
        editor.page.unroute(address)


def let_go(routes):
    for route in routes:
        try:
            route.continue_()
        except Exception:  # the page asks no more
            continue


def test_a_late_answer_tells_nothing_of_a_row_that_is_not_whole(editor, held):
    editor.open("held", REPLY)
    expect(editor.chip(1)).to_contain_text("pass")
    waiting = held("**/api/evaluate/preview")
    editor.part(1, "expected").fill("Jetpack")
    editor.page.wait_for_timeout(300)
    assert len(waiting) == 1
    editor.page.locator("#pasted").fill("")
    expect(editor.chip(1)).to_contain_text("there is no output to try it on")
    let_go(waiting)
    editor.page.wait_for_timeout(300)
    expect(editor.chip(1)).to_contain_text("not tried")


def test_a_chip_is_not_told_when_the_server_does_not_answer(editor):
    editor.open("held", REPLY)
    expect(editor.chip(1)).to_contain_text("pass")
    editor.page.route("**/api/evaluate/preview", lambda route: route.abort())
    editor.part(1, "expected").fill("nowhere")
    expect(editor.chip(1)).to_contain_text("not triedthe server does not answer")
    expect(editor.page.locator("#summary")).to_contain_text("Is grice serve still there?")
    editor.page.unroute("**/api/evaluate/preview")


def test_what_is_typed_while_it_is_saved_is_not_called_saved(editor, held):
    editor.open("held", REPLY)
    waiting = held("**/api/test-cases/**")
    editor.part(1, "expected").fill("Jetpack")
    editor.button("Save").click()
    editor.button("Save").click()  # once more changes nothing
    editor.part(1, "expected").fill("Jetpack and more")
    while not waiting:
        editor.page.wait_for_timeout(20)
    with editor.page.expect_response(lambda answer: answer.request.method == "PUT"):
        let_go(waiting)
    expect(editor.page.locator("#dirty")).to_have_text("not saved")
    expect(editor.page.get_by_role("dialog")).to_have_count(0)
    editor.page.unroute("**/api/test-cases/**")
    editor.part(1, "expected").fill("items")
    editor.save()
    assert editor.saved("held")["assertions"][0]["expected"] == "items"


def test_an_expected_output_in_json_is_a_text_when_it_is_called_one(editor):
    fields = {"name": "as_json", "say": "Hi", "expectedOutput": {"a": 1.0}, "outputType": "json"}
    address = f"/api/test-cases/{editor.id_of('as_json')}"
    editor.live.client.put(address, json=fields, headers={"If-Match": "*"}).raise_for_status()
    editor.open("as_json")
    editor.page.locator("#expected > summary").click()
    editor.page.locator("#case-outputType").select_option("string")
    assert editor.page.locator("#case-expectedOutput").input_value() == '{"a":1.0}'


def test_what_was_deleted_before_is_not_offered_within_a_button(editor):
    editor.open("held", REPLY)
    editor.page.evaluate("""sessionStorage.setItem("undo", '{"undo": "x", "words": "the case a"}')""")
    editor.page.reload()
    expect(editor.page.locator("#editor")).to_have_attribute("data-ready", "yes")
    editor.row(1).get_by_role("button", name="Remove assertion").click()
    undo = editor.page.locator(".editor-case .actions button", has_text="Undo")
    expect(undo).to_have_text("Undo")
    undo.click()
    expect(editor.rows()).to_have_count(1)


def test_what_is_taken_over_replaces_a_draft_and_options(editor):
    editor.open("kinds", REPLY).clear()
    editor.add("toBeCloseTo", "$.user.name")
    editor.part(1, "expected").fill("a lot")
    editor.row(1).get_by_role("button", name="More").click()
    editor.row(1).get_by_role("button", name="Add to options").click()
    editor.row(1).get_by_role("button", name="Pick").click()
    editor.page.locator(".tree button", has_text="bob").click()
    editor.page.locator(".offers").get_by_role("button", name='toEqual "bob"', exact=True).click()
    expect(editor.chip(1)).to_contain_text('$.user.name toEqual "bob" passed')
    assert editor.part(1, "expected").input_value() == "bob"


def test_the_options_of_a_matcher_are_there_again_with_it(editor):
    editor.open("kinds", '{"price": 41.5}').clear()
    editor.add("toBeCloseTo", "$.price")
    editor.part(1, "expected").fill("41.9")
    editor.row(1).get_by_role("button", name="More").click()
    editor.row(1).get_by_role("button", name="Add to options").click()
    editor.part(1, "options-0-name").fill("digits")
    editor.part(1, "options-0").fill("0")
    editor.row(1).get_by_role("button", name="Take it as JSON").click()
    expect(editor.chip(1)).to_contain_text("pass")
    editor.choose(1, "toBeGreaterThan")
    editor.choose(1, "toBeCloseTo")
    assert editor.part(1, "options-0").input_value() == "0"


def test_a_value_that_is_taken_out_of_a_list_is_asked_for(editor):
    editor.open("kinds", "[1, 2]").clear()
    number = editor.add("toContain", "$[*]")
    editor.choose(number, "toBeOneOf")
    editor.row(number).get_by_role("button", name="Add a value").click()
    editor.part(number, "expected-0-kind").select_option("JSON")
    editor.part(number, "expected-0").fill("1")
    expect(editor.chip(number)).to_contain_text("pass")
    editor.part(number, "expected-0").fill("")
    expect(editor.chip(number)).to_contain_text("not whole yet")
    expect(editor.page.locator("#problems")).to_contain_text("expected, value 1: it is empty")


def test_two_names_alike_take_nothing_away(editor):
    editor.open("kinds", REPLY)
    page = editor.page
    page.locator("#messages > summary").click()
    for place, value in enumerate(("one", "two")):
        page.get_by_role("button", name="Add to tools").click()
        page.locator(f"#case-tools-{place}-name").fill("order")
        page.locator(f"#case-tools-{place}").fill(value)
    expect(page.locator("#problems")).to_contain_text("'order' stands there twice")
    page.locator("#add-message").click()  # draws all of it anew
    assert page.locator("#case-tools-0").input_value() == "one"


def test_the_description_of_a_case_keeps_its_lines(editor):
    editor.open("held")
    editor.page.locator("#messages > summary").click()
    editor.page.locator("#case-description").fill("one\ntwo")
    editor.save()
    editor.page.reload()
    editor.page.locator("#messages > summary").click()
    assert editor.page.locator("#case-description").input_value() == "one\ntwo"


def test_assertions_of_wrong_types_are_listed_and_stop_nothing(editor):
    editor.open("wrong", REPLY).clear()
    editor.button("Paste JSON").click()
    dialog = editor.page.get_by_role("dialog")
    dialog.get_by_label("Assertions as JSON").fill('{"assertions": 5}')
    editor.button("Add them").click()
    expect(dialog).to_contain_text("Expected a list of assertions.")
    dialog.get_by_label("Assertions as JSON").fill(
        '[{"path": 5, "matcher": "toBeNull"}, {"matcher": "toContain", "expected": "Akismet"}]'
    )
    editor.button("Add them").click()
    expect(editor.chip(1)).to_contain_text("error")
    expect(editor.chip(2)).to_contain_text("pass")
    expect(editor.page.locator("#problems")).to_contain_text("assertion 1, path")


def test_values_in_a_fence_among_words_can_be_clicked(editor):
    editor.open("lines", f"Here you are:\n\n```json\n{REPLY}\n```\nAnything else?").clear()
    editor.page.locator(".tree button", has_text="bob").click()
    offered = editor.page.locator(".offers").get_by_role("button", name='toEqual "bob"', exact=True)
    offered.click()
    expect(editor.chip(1)).to_contain_text("pass")


def test_all_replies_that_do_not_pass_are_shown_however_they_are_read(editor):
    editor.open("many").clear()
    editor.add("toContain")
    editor.part(1, "expected").fill("Akismet")
    editor.add("toBeDefined")
    editor.row(2).get_by_role("button", name="More").click()
    editor.part(2, "parse").select_option("text")
    editor.page.locator("input[value=all]").check(force=True)
    editor.page.locator("#output-run").select_option(label="replies, 2026-11-05 10:00")
    expect(editor.chip(1)).to_contain_text(f"{REPLIES - REPLIES // 10}/{REPLIES} pass")
    expect(editor.chip(2)).to_contain_text(f"{REPLIES}/{REPLIES} pass")
    expect(editor.page.locator("#values")).to_contain_text("reply-9, turn 1")
    expect(editor.page.locator("#values")).not_to_contain_text("All pass")
    editor.button("Add").click()
    editor.row(1).get_by_role("button", name="Remove assertion").click()
    editor.row(1).get_by_role("button", name="Remove assertion").click()
    editor.part(1, "path").fill("$[")
    editor.choose(1, "toBeNull")
    expect(editor.chip(1)).to_contain_text("error")
    expect(editor.page.locator("#values")).not_to_contain_text("All pass")
    editor.part(1, "path").fill("$")
    editor.page.locator("#output-on").select_option("tool_calls")
    editor.row(1).get_by_role("button", name="More").click()
    editor.part(1, "on").select_option("tool_calls")
    expect(editor.chip(1)).to_contain_text("not triedhere is only the text and the data")


def test_a_source_that_comes_late_does_not_stand_under_another_one(editor, held):
    editor.open("many", REPLY)
    waiting = held("**/api/test-suite-runs**")
    editor.page.locator("input[value=one]").check(force=True)
    editor.page.locator("input[value=pasted]").check(force=True)
    expect(editor.page.locator("#pasted")).to_be_visible()
    editor.page.wait_for_timeout(100)
    let_go(waiting)
    editor.page.wait_for_timeout(500)
    let_go(waiting[1:])
    editor.page.wait_for_timeout(300)
    expect(editor.page.locator("#pasted")).to_be_visible()


def test_a_row_of_a_removed_turn_is_had_back_at_the_end(editor):
    editor.open("split", REPLY).clear()
    page = editor.page
    page.locator("#messages > summary").click()
    if page.locator("#split").count():
        page.locator("#split").click()
    page.locator("#add-message").click()
    page.locator(".exchange textarea").last.fill("And more?")
    number = editor.add("toContain")
    editor.part(number, "expected").fill("Akismet")
    editor.row(number).get_by_role("button", name="More").click()
    editor.part(number, "turn").select_option(label=f"after turn {page.locator('.exchange').count()}")
    editor.row(number).get_by_role("button", name="Remove assertion").click()
    page.get_by_role("button", name="Remove turn").last.click()
    page.locator(".editor-case .actions button", has_text="Undo").click()
    editor.save()
    assert editor.saved("split")["assertions"][0]["expected"] == "Akismet"


def test_the_text_of_a_reply_is_not_taken_for_something_else(editor):
    editor.open("data").clear()
    number = editor.add("toBeNull")
    editor.button("Run this case").click()
    expect(editor.page.locator(".tree")).to_contain_text("Akismet", timeout=30_000)
    editor.row(number).get_by_role("button", name="More").click()
    for on, words in (("reply.data", "the last reply has no data"), ("tool_calls", "paste what it looks at")):
        editor.part(number, "on").select_option(on)
        editor.page.locator("#output-on").select_option(on)
        expect(editor.chip(number)).to_contain_text("not tried")
        expect(editor.chip(number)).to_contain_text(words)
    editor.page.locator("#output-on").select_option("reply")


def test_the_pasted_output_outlives_an_example_and_another_name(editor):
    editor.open("data", REPLY).clear()
    page = editor.page
    page.locator("[data-example]").first.click()
    page.locator("[data-example]").first.evaluate("(one) => one.click()")  # a second one is no own output
    assert page.locator("#pasted").input_value() != REPLY
    editor.button("Back to the output that was pasted before").click()
    assert page.locator("#pasted").input_value() == REPLY
    expect(editor.button("Back to the output that was pasted before")).to_have_count(0)
    page.locator("#messages > summary").click()
    page.locator("#case-name").fill("renamed")
    editor.save()
    page.reload()
    expect(page.locator("#editor")).to_have_attribute("data-ready", "yes")
    expect(page.locator("h1")).to_have_text("renamed")
    assert page.locator("#pasted").input_value() == REPLY
    page.locator("#messages > summary").click()
    page.locator("#case-name").fill("data")
    editor.save()
