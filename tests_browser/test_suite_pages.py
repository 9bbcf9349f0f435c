"""The tree of suites and cases, used with a mouse and by keys alone."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from live import serve
from playwright.sync_api import expect

from grice.api.sessions import Sessions
from grice.web.site import make_site

BOTS = "def agent(messages):\n    return 'Booked: ' + messages[-1]['content']\n"
ROOMS = """\
# our rooms
scenarios:
  # the blue one
  - id: blue
    say: blue   # in one word
    expect: [{matcher: toContain, expected: blue}]

  - id: red
    say: red
    expect: [{matcher: toContain, expected: red}]
"""
FILE = "rooms.grice.yaml"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("edited")
    folder.joinpath("bots.py").write_text(BOTS)
    with serve(folder, make=make_site) as live:
        yield live


@pytest.fixture
def page(server, new_page):
    """The page of the suites of a project with one file, which is new for each test."""
    for each in server.folder.rglob("*.grice.yaml"):
        each.unlink()
    server.folder.joinpath(FILE).write_text(ROOMS)
    page = new_page()
    page.goto(server.server.link(server.token))
    page.where = server.server.url
    page.goto(f"{page.where}/suites")
    page.text = server.folder.joinpath(FILE).read_text
    page.folder = server.folder
    yield page
    refused = "Failed to load resource: the server responded with a status of 4"
    assert [one for one in page.problems if not one.startswith(refused)] == []


def opened(page):
    page.get_by_role("link", name="rooms", exact=True).click()
    expect(page.locator("h1")).to_have_text("rooms: 2 cases")


def more(page, name):
    """Opens what can be done with a suite or case; the piece with it."""
    summary = page.locator(f"summary[aria-label='More for {name}']")
    summary.click()
    return summary.locator("..").locator("[data-into]")


def summary(page, words):
    """Opens what stands above the list."""
    page.locator("main summary", has_text=words).click()


def names(page):
    return page.locator("#list .name").all_text_contents()


def test_a_case_is_skipped_copied_renamed_moved_deleted_and_had_back(page):
    opened(page)
    page.get_by_label("Run mode of red").select_option("SKIP")
    expect(page.locator("#said")).to_have_text("Run mode of red: SKIP")
    assert "run_mode: SKIP" in page.text()
    page.get_by_label("Run mode of red").select_option("DEFAULT")
    expect(page.locator("#said")).to_have_text("Run mode of red: DEFAULT")
    more(page, "the case blue")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator("h1")).to_have_text("rooms: 3 cases")
    assert names(page) == ["blue", "blue-2", "red"]
    piece = more(page, "the case blue-2")
    piece.get_by_label("Name", exact=True).fill("navy")
    piece.get_by_role("button", name="Rename").click()
    expect(page.locator("#list .name").nth(1)).to_have_text("navy")
    piece = more(page, "the case navy")
    piece.get_by_label("Place").select_option("3")
    piece.get_by_role("button", name="Move", exact=True).click()
    expect(page.locator("#list .name").nth(2)).to_have_text("navy")
    before = page.text()
    more(page, "the case blue")
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("#undo")).to_contain_text("Deleted the case blue.")
    assert names(page) == ["red", "navy"]
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("h1")).to_have_text("rooms: 3 cases")
    expect(page.locator("#undo")).to_be_hidden()
    assert page.text() == before
    assert "# the blue one" in before


def test_who_is_late_is_told_and_nothing_is_lost(page):
    opened(page)
    theirs = ROOMS.replace("say: red", "say: rouge")
    page.folder.joinpath(FILE).write_text(theirs)
    page.get_by_label("Run mode of red").select_option("ONLY")
    expect(page.locator("#said")).to_contain_text("was changed meanwhile")
    expect(page.get_by_label("Run mode of red")).to_have_value("DEFAULT")
    assert page.text() == theirs


def test_a_run_mode_that_is_refused_is_the_last_one_that_was_kept(page):
    opened(page)
    mode = page.get_by_label("Run mode of red")
    mode.select_option("SKIP")
    expect(page.locator("#said")).to_have_text("Run mode of red: SKIP")
    page.folder.joinpath(FILE).write_text(page.text().replace("say: red", "say: rouge"))
    mode.select_option("ONLY")
    expect(page.locator("#said")).to_contain_text("was changed meanwhile")
    expect(mode).to_have_value("SKIP")


def test_who_is_not_let_in_any_more_is_told_in_words(page, server):
    opened(page)
    server.service.sessions = Sessions()  # those of another day
    page.get_by_role("searchbox").press_sequentially("blue")
    expect(page.locator("#said")).to_contain_text("open the link of grice serve again")
    page.problems[:] = [one for one in page.problems if "Error Code 401" not in one]
    page.reload()
    expect(page.locator("h1")).to_have_text("Open the link again")


def test_a_server_that_is_gone_is_told_in_words(page):
    opened(page)
    page.route("**/api/**", lambda route: route.abort())
    page.get_by_label("Run mode of red").select_option("SKIP")
    expect(page.locator("#said")).to_contain_text("Is grice serve still there?")
    page.problems[:] = [one for one in page.problems if "ERR_FAILED" not in one]


def test_a_suite_is_made_in_a_file_copied_and_deleted_with_undo(page):
    summary(page, "New suite")
    page.get_by_label("Name", exact=True).first.fill("lunch")
    page.get_by_label("File", exact=True).first.fill("rooms.yaml")
    page.get_by_role("button", name="Make the suite").click()
    expect(page.locator("#said")).to_contain_text("expected a name such as rooms.grice.yaml")
    page.get_by_label("File", exact=True).first.fill("menu/lunch.grice.yaml")
    page.get_by_role("button", name="Make the suite").click()
    expect(page.locator("h1")).to_have_text("first")  # what one goes on with
    page.wait_for_load_state()  # keys are listened to when the page is whole
    page.keyboard.press("u")
    expect(page.locator("h1")).to_have_text("lunch: 1 case")
    file = page.folder / "menu" / "lunch.grice.yaml"
    made = file.read_bytes()
    summary(page, "The suite: export, rename, copy, delete")
    page.get_by_role("button", name="Delete with its file").click()
    expect(page.locator("#undo")).to_contain_text("Deleted the suite lunch.")
    assert not file.exists()
    page.keyboard.press("z")
    expect(page.locator("h1")).to_contain_text("2 suites with 3 cases")
    assert file.read_bytes() == made


def test_yaml_is_imported_into_a_suite_and_what_is_wrong_is_told(page):
    opened(page)
    summary(page, "The suite: export, rename, copy, delete")
    summary(page, "Import: replace it by other YAML")
    text = page.get_by_role("textbox", name="Text", exact=True)
    expect(text).to_have_value(ROOMS)
    text.fill(ROOMS.replace("say: red", "sai: red"))
    page.get_by_role("button", name="Save the text").click()
    expect(page.locator("#said")).to_contain_text("unknown field 'sai'")
    text.fill(ROOMS.replace("our rooms", "rooms of ours"))
    page.get_by_role("button", name="Save the text").click()
    expect(page.locator(".more[open]")).to_have_count(0)
    assert page.text().startswith("# rooms of ours")


def test_everything_by_keys(page):
    keys = page.keyboard
    keys.press("/")
    keys.type("red")
    expect(page.locator("h1")).to_have_text("1 case in 1 suite found")
    page.until("location.search === '?q=red'")
    keys.press("Escape")
    keys.press("j")
    keys.press("Enter")
    page.wait_for_url(re.compile(r"/suites/.*rooms"))
    keys.press("a")
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    keys.type("green")
    keys.press("Tab")
    keys.type("Green, please")
    keys.press("Enter")
    page.wait_for_url("**/cases/**")
    assert "id: green\n    say: Green, please" in page.text()
    page.problems.clear()
    page.goto(f"{page.where}/suites")
    keys.press("j")
    assert page.evaluate("document.activeElement.textContent") == "rooms"


def axe(page):
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1440, "dark")])
def test_axe_finds_nothing_and_nothing_overflows(page, server, new_page, width, scheme):
    other = new_page(width=width, scheme=scheme, bypass=True)
    other.goto(server.server.link(server.token))
    other.goto(f"{page.where}/suites")
    summary(other, "New suite")
    more(other, "the suite rooms")
    expect(other.get_by_role("button", name="Rename")).to_be_visible()
    if width == 360:
        axe(other)
        return
    other.goto(f"{page.where}/suites")
    opened(other)
    more(other, "the case blue")
    expect(other.get_by_label("Place")).to_be_visible()
    axe(other)
