"""What a reader does on a page: open, follow links, filter, search, use keys, listen, print."""

import pytest
from axe_findings import violations
from page_documents import document, refund, results_document
from playwright.sync_api import expect

from grice.records import Outcome


def hash_of(page) -> str:
    return page.evaluate("location.hash")


def shown(page) -> list[str]:
    return page.eval_on_selector_all("details.conversation:not([hidden])", "all => all.map(one => one.id)")


def focused(page) -> str:
    return page.evaluate(
        "document.activeElement.closest('details.conversation')?.id || document.activeElement.tagName"
    )


def test_a_link_to_a_failure_opens_it_at_its_turn(opened):
    page = opened(document())
    page.get_by_role("navigation").get_by_role("link", name="refund_abroad").click()
    expect(page.locator("#c-refund-abroad")).to_have_attribute("open", "")
    expect(page.locator("[id='c-refund-abroad.2']")).to_be_in_viewport()
    assert hash_of(page) == "#c-refund-abroad.2"
    page.go_back()
    expect(page.locator("#c-refund-abroad")).not_to_have_attribute("open", "")
    assert not page.problems


def test_an_address_opens_what_passed_too(opened):
    page = opened(document(), "#c-passing-1.3")
    expect(page.locator("[id='c-passing-1.3']")).to_be_in_viewport()
    expect(page.locator("#c-passing-1")).to_contain_text("It is on its way.")


def test_opening_and_closing_is_in_the_address(opened):
    page = opened(document())
    row = page.locator("#c-passing-0 > summary")
    row.click()
    expect(page.locator("#c-passing-0 .turn")).to_have_count(3)
    assert hash_of(page) == "#c-passing-0"
    row.click()
    page.until("location.hash === ''")


def test_filters_and_search_are_in_the_address_and_come_back(opened):
    page = opened(document())
    page.get_by_role("button", name="fail 2", exact=False).first.click()
    page.get_by_role("button", name="error").click()
    assert shown(page) == ["c-refund", "c-refund-abroad", "c-error"]
    page.get_by_role("searchbox").fill("abroad")
    expect(page.locator("output")).to_have_text("1 of 9")
    address = hash_of(page)
    again = opened(document(), address)
    expect(again.locator("output")).to_have_text("1 of 9")
    assert shown(again) == ["c-refund-abroad"]
    assert again.get_by_role("searchbox").input_value() == "abroad"


def test_search_finds_words_of_packed_conversations(opened):
    results = [refund(Outcome.PASS, f"passing_{number}") for number in range(3)]
    page = opened(results_document(results))
    page.get_by_role("searchbox").fill("49.90 refunded")
    expect(page.locator("output")).to_have_text("")
    page.get_by_role("searchbox").fill("nobody says this")
    expect(page.locator("output")).to_have_text("0 of 3")


def test_a_page_is_walked_with_keys(opened):
    page = opened(document())
    press = page.keyboard.press
    press("j")
    assert focused(page) == "c-refund"
    press("j")
    press("k")
    assert focused(page) == "c-refund"
    press("Enter")
    expect(page.locator("#c-refund")).to_have_attribute("open", "")
    press("]")
    press("]")
    page.until("location.hash === '#c-refund.2'")
    press("[")
    page.until("location.hash === '#c-refund.1'")
    press("n")
    page.until("location.hash === '#c-refund-abroad.2'")
    expect(page.locator("#c-refund")).not_to_have_attribute("open", "")
    press("n")
    page.until("location.hash === '#c-error.2'")
    press("p")
    page.until("location.hash === '#c-refund-abroad.2'")
    press("/")
    assert page.evaluate("document.activeElement.type") == "search"
    page.keyboard.type("j?")
    assert page.get_by_role("searchbox").input_value() == "j?"
    page.get_by_role("searchbox").fill("")
    press("Escape")
    press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert not page.problems


def test_a_verdict_lights_the_words_that_it_is_about(opened):
    page = opened(document(), "#c-refund.2")
    page.locator("#c-refund .margin li", has_text="refund_order was not called").hover()
    expect(page.locator("#c-refund mark")).to_have_class("fail lit")


def test_a_call_is_one_line_until_it_is_opened(opened):
    page = opened(document(), "#c-refund.3")
    call = page.locator("#c-refund .json")
    assert call.bounding_box()["height"] < 30
    call.locator("summary").click()
    expect(call.locator("pre").last).to_have_text('result{\n  "status": "open"\n}', use_inner_text=False)


def test_what_the_model_was_told_is_in_a_drawer(opened):
    page = opened(document(), "#c-refund.2")
    drawer = page.locator("#c-refund .told")
    drawer.locator("> summary").click()
    expect(drawer).to_contain_text("request 1")
    expect(drawer.get_by_text("1 message as before")).to_be_visible()


def test_without_javascript_failures_open_and_read(opened):
    page = opened(document(), "#c-refund.2", javascript=False)
    expect(page.locator("[id='c-refund.2'] .words").first).to_be_visible()
    page.locator("#c-refund-abroad > summary").click()
    expect(page.locator("#c-refund-abroad mark")).to_be_visible()
    expect(page.locator(".filter")).to_be_hidden()
    assert len(page.asked) == 1


def test_on_paper_what_did_not_pass_is_open(opened):
    page = opened(document())
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    expect(page.locator("#c-refund mark")).to_be_visible()
    expect(page.locator("nav")).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator("#c-refund")).not_to_have_attribute("open", "")


@pytest.mark.parametrize("width", [360, 720, 1000, 1440])
def test_nothing_is_wider_than_the_window(opened, width):
    page = opened(document(), "#c-refund.2", width=width)
    for details in page.locator("details.section > summary").all():
        details.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_axe_finds_no_violation(opened):
    page = opened(document(), "#c-refund.2", bypass=True)
    for summary in page.locator("details.section > summary, #c-refund .body summary").all():
        summary.click()
    for row in ("c-friendly", "c-passing-0", "c-error"):
        page.locator(f"#{row} > summary").click()
    assert violations(page) == []
    page.keyboard.press("?")
    assert violations(page) == []


def test_a_page_asks_for_nothing_and_its_policy_holds(opened):
    page = opened(document(), "#c-refund.2")
    page.locator("#c-passing-0 > summary").click()
    page.get_by_role("searchbox").fill("refund")
    expect(page.locator("output")).to_have_text("8 of 9")
    assert page.asked == [page.where + "#c-refund.2"] or page.asked == [page.where]
    assert page.evaluate("hits") == []
    assert not page.problems
    refused = page.evaluate(
        """() => new Promise((done) => {
          const one = document.createElement("img");
          one.onerror = () => done("refused");
          one.onload = () => done("loaded");
          one.src = "https://example.org/a.png";
        })"""
    )
    assert refused == "refused"
    assert page.evaluate("hits")
