"""Four questions of somebody who never saw the pages, each answered in a few actions from the first page."""

import msgspec
import pytest
from live import serve
from page_documents import refund
from playwright.sync_api import expect
from web_project import write

from grice.records import Outcome, Verdict
from grice.records.conversation import Simulation
from grice.web.site import make_site

PERSONAS = ("polite", "hurried", "confused")


def results(later: bool):
    """Twelve tests with three personas: later `refund` fails, `hurried` users fail more, replies are curt."""
    for number in range(12):
        persona = PERSONAS[number % 3]
        key = "refund" if number == 0 else f"order_{number}"
        fails = (later and key == "refund") or (persona == "hurried" and number > 3)
        curt = later and number > 1
        result = refund(Outcome.FAIL if fails else Outcome.PASS, key)
        friendly = Verdict(
            Outcome.FAIL if curt else Outcome.PASS,
            matcher="toSatisfy",
            criterion="friendly",
            mode="soft",
            turn=2,
        )
        played = Simulation(1, 3, "goal_reached", persona=persona)
        held = msgspec.structs.replace(result.conversation, simulations=(played,))
        yield msgspec.structs.replace(result, conversation=held, verdicts=(*result.verdicts, friendly))


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """A server of a project with two runs."""
    folder = tmp_path_factory.mktemp("shop")
    write(folder, "exp_before", 1, results(later=False), name="Prompt v1")
    write(folder, "exp_later", 2, results(later=True), name="Prompt v2")
    with serve(folder, make=make_site) as live:
        yield live


@pytest.fixture
def first_page(new_page, shop):
    """The page that the printed link opens."""
    page = new_page(width=1280, height=800)
    page.goto(shop.server.link(shop.token))
    return page


def scroll_to(page, text, most):
    """Turn the wheel until the text is on the screen, at most so often."""
    place = page.get_by_text(text, exact=True)
    page.mouse.move(640, 400)
    for _ in range(most):
        page.mouse.wheel(0, 700)
        page.wait_for_timeout(50)
        box = place.bounding_box()
        if box is not None and box["y"] + box["height"] < 800:
            return
    raise AssertionError(f"{text} is not reached by {most} turns of the wheel")


def test_which_test_newly_fails_and_why(first_page):
    expect(first_page.locator("h1")).to_have_text("1 test newly fails in the last run, Prompt v2")
    first_page.get_by_role("link", name="refund").click()
    expect(first_page.locator("h1")).to_contain_text("refund_order was not called")
    expect(first_page.locator("mark.fail")).to_be_in_viewport()
    first_page.get_by_role("link", name="Compare with the run before").click()
    expect(first_page.locator("h1")).to_have_text("refund passed before, and now fails")


def test_what_the_model_was_told_in_that_turn(first_page):
    first_page.get_by_role("link", name="refund").click()
    first_page.get_by_text("what the model was told (2 requests)").click()
    expect(first_page.locator("details.told")).to_contain_text("Be kind.")
    expect(first_page.locator("details.told")).to_contain_text("lint: ")


def test_which_criterion_got_worse_between_two_runs(first_page):
    first_page.get_by_role("link", name="Prompt v2").click()
    first_page.get_by_role("link", name="Compare with the run before").click()
    expect(first_page.locator("header")).to_contain_text("friendly (-83.3 points)")


def test_which_persona_fails_most(first_page):
    first_page.get_by_role("link", name="Prompt v2").click()
    scroll_to(first_page, "Persona", 3)
    rows = first_page.get_by_role("table").filter(has_text="Persona").get_by_role("row")
    assert rows.nth(1).locator("td").all_text_contents()[:4] == ["hurried", "4", "1", "25.0%"]


def test_every_page_says_the_same_of_what_newly_fails(new_page, tmp_path):
    now_and_then = [refund(Outcome.PASS, "refund", repeat=one) for one in (1, 2, 3)]
    write(tmp_path, "exp_before", 1, now_and_then, name="v1")
    write(tmp_path, "exp_later", 2, [*now_and_then[:2], refund(repeat=3)], name="v2")
    with serve(tmp_path, make=make_site) as live:
        page = new_page()
        page.goto(live.server.link(live.token))
        expect(page.locator("h1")).to_have_text("1 of 3 conversations did not pass in the last run, v2")
        page.get_by_role("link", name="v2").click()
        expect(page.locator("h1")).to_contain_text("1 of 3 conversations failed")
        assert "newly fails" not in page.locator("#list").text_content()
