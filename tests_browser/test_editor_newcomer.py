"""Somebody who has never seen Grice makes a case in an empty folder, with an output in sight."""

import pytest
from live import serve
from playwright.sync_api import expect

from grice.web.site import make_site

OUTPUT = (
    '{"user": {"name": "bob"}, "items": [{"id": 1, "status": "READY"}, {"id": 2, "status": "PENDING"}], '
    '"total": 19.5, "note": null}'
)
MOST = 40


class Newcomer:
    """A hand at the mouse and the keys: it knows what it sees, and its actions are counted."""

    def __init__(self, page):
        self.page = page
        self.actions = 0

    def click(self, what, **how):
        self.actions += 1
        what.click(**how)

    def push(self, role, name):
        self.click(self.page.get_by_role(role, name=name, exact=True))

    def value(self, words):
        """Click a value of the output."""
        self.click(self.page.get_by_label("Values of the output").get_by_text(words, exact=True))

    def choose(self, matcher):
        self.actions += 1
        self.page.get_by_label("matcher").last.select_option(matcher)

    def key(self, name):
        self.actions += 1
        self.page.keyboard.press(name)

    def type(self, text):
        self.actions += 1
        self.page.keyboard.type(text)


@pytest.fixture
def newcomer(new_page, tmp_path):
    with serve(tmp_path, make=make_site) as live:
        page = new_page()
        page.goto(live.server.link(live.token))
        yield Newcomer(page)


def chips(page):
    return page.locator(".standing")


def no_alarm(page):
    """Nothing is called wrong, and the list of what is wrong does not move the rows."""
    expect(page.locator(".badge.error")).to_have_count(0)
    expect(page.locator("#problems")).to_be_hidden()


def test_a_newcomer_makes_a_case_and_sees_why_an_assertion_fails(newcomer):
    page, suggestion = newcomer.page, newcomer.page.get_by_label("What to ask about").get_by_role("button")
    newcomer.push("link", "Write or run a suite")
    newcomer.click(page.locator("summary", has_text="New suite"))
    expect(page.locator("input:focus")).to_be_visible()
    newcomer.type("orders")  # the caret is in the first field
    newcomer.key("Enter")
    expect(page.locator("h1")).to_have_text("first")  # its case is open
    page.locator("[data-ready=yes]").wait_for()
    newcomer.click(page.get_by_label("pasted", exact=True))
    expect(page.locator("#pasted")).to_be_focused()
    newcomer.type(OUTPUT)  # and here in the field for it

    newcomer.value('status: "READY"')
    newcomer.click(suggestion.get_by_text('toBeOneOf ["READY","PENDING"] (ALL)'))
    expect(chips(page).last).to_contain_text("all 2 values")

    newcomer.value('name: "bob"')
    newcomer.click(suggestion.get_by_text("$.user.name", exact=True))
    expect(chips(page).last).to_contain_text("choose a matcher")
    newcomer.choose("toMatch")
    expect(chips(page).last).to_contain_text("say what is expected")
    expect(chips(page).last).to_be_in_viewport(ratio=1)
    no_alarm(page)
    newcomer.click(page.get_by_label("expected", exact=True).last)
    newcomer.type("^[A-Z]+$")
    newcomer.click(page.get_by_label("i any case").last)
    expect(chips(page).last).to_contain_text('/^[A-Z]+$/i passed: got "bob"')

    newcomer.value("total: 19.5")
    newcomer.click(suggestion.get_by_text("toEqual 19.5"))
    newcomer.click(page.get_by_label("expected", exact=True).last, click_count=3)
    newcomer.type("0")
    newcomer.click(page.get_by_label("Not").last)
    expect(chips(page).last).to_contain_text("not toEqual 0 passed: got 19.5")
    newcomer.push("button", "Remove assertion 1")
    newcomer.push("button", "Save")
    expect(page.locator("#summary")).to_have_text("Saved.")

    newcomer.push("button", "Add")
    newcomer.type(".user.name")
    newcomer.choose("toEqual")
    expect(chips(page).last).to_contain_text("say what is expected")
    no_alarm(page)
    newcomer.push("button", "Save")  # too early
    expect(page.locator("#problems li")).to_have_text(["assertion 4: say what is expected"])
    newcomer.click(page.locator("#problems button"))
    newcomer.type("Ann")
    expect(chips(page).last).to_contain_text('$.user.name toEqual "Ann" expected an equal value, got "bob"')
    newcomer.push("button", "Go to assertion 4")
    expect(page.get_by_label("path").last).to_be_focused()
    newcomer.push("button", "Save")
    expect(page.locator("#dirty")).to_have_text("saved")

    page.reload()  # what was pasted is there again, and so are the verdicts
    expect(chips(page).locator(".badge")).to_have_text(["✓ pass", "✓ pass", "✓ pass", "✗ fail"])
    assert newcomer.actions <= MOST
