"""What people do on the pages of `grice serve`: look, filter, open, follow, use keys only."""

import re

import pytest
from axe_findings import violations
from page_documents import PAYLOADS
from playwright.sync_api import expect
from web_project import HOSTILE, LATER, LONG, conversation_id

RUN = f"/runs/{LATER}"
FAILED = f"{RUN}/conversations/{conversation_id(LATER, 1)}"
LONGEST = f"/runs/{LONG}/conversations/{conversation_id(LONG, 1)}"


_LOADED = (
    """![...document.querySelectorAll("details[open] > [data-into]")].some(one => !one.childElementCount)"""
)
"""Whether everything that was opened is there."""
_OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true"


def focused(page) -> str:
    return page.evaluate("document.activeElement.textContent.trim()")


def names(page) -> list[str]:
    return page.locator("[data-open]").all_text_contents()


def quiet(page) -> bool:
    """Whether nothing went wrong, and nobody but the server was asked."""
    assert page.problems == []
    assert not [one for one in page.asked if not one.startswith((page.where, "data:,"))], page.asked
    return True


def test_from_the_runs_to_the_words_that_failed(visited):
    page = visited("/?name=Prompt+v2")
    page.get_by_role("link", name="Prompt v2").click()
    expect(page.locator("h1")).to_have_text("1 test newly fails: refund")
    page.locator("details.checks > summary").first.click()
    expect(page.locator(".chips").first).to_contain_text("claimedWithoutAction")
    page.get_by_role("link", name="refund", exact=True).click()
    verdict = page.locator(".margin li.fail")
    verdict.click()
    expect(page.locator("mark.fail")).to_have_class(re.compile("lit"))
    page.locator("details.told > summary").click()
    expect(page.locator("details.told")).to_contain_text("lint: ")
    expect(page.locator("details.told")).to_contain_text("1 message as before")
    page.get_by_role("link", name="Next fail").click()
    expect(page.locator("header")).to_contain_text("refund (repeat 2)")
    assert quiet(page)


def test_filters_and_search_are_in_the_address_and_back_works(visited):
    page = visited(RUN)
    page.get_by_role("radio", name="fail").check(force=True)
    expect(page.locator("[data-open]")).to_have_count(3)
    assert page.url == f"{page.where}{RUN}?outcome=fail"
    page.get_by_role("searchbox").fill("not said by anybody")
    expect(page.locator("#list")).to_contain_text("No result is like that.")
    page.go_back()
    expect(page.locator("[data-open]")).to_have_count(3)
    page.go_back()
    expect(page.locator("[data-open]")).to_have_count(9)
    again = visited(f"{RUN}?criterion=friendly&outcome=pass")
    assert {one.partition(" (")[0] for one in names(again)} == {"delay"}
    assert again.get_by_label("criterion not passed").input_value() == "friendly"
    assert quiet(page)


def test_everything_by_keyboard(visited):
    page = visited()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "name"
    page.keyboard.type("Prompt v2")
    page.keyboard.press("Enter")
    expect(page.locator("[data-open]")).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    assert focused(page) == "Prompt v2"
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{RUN}")
    for key, name in (
        ("j", "refund"),
        ("j", "refund (repeat 2)"),
        ("n", "refund (repeat 3)"),
        ("k", "refund (repeat 2)"),
    ):
        page.keyboard.press(key)
        assert focused(page) == name
    page.keyboard.press("Enter")
    page.wait_for_url("**/conversations/**")
    page.keyboard.press("]")
    page.keyboard.press("]")
    expect(page.locator("[id='t.2']")).to_have_class(re.compile(r"\bat\b"))
    assert page.url.endswith("?turn=2#t.2")
    page.keyboard.press("[")
    expect(page.locator("[id='t.1']")).to_be_focused()
    page.keyboard.press("n")
    expect(page.locator("header")).to_contain_text("refund (repeat 3)")
    page.keyboard.press("u")
    page.wait_for_url(f"**{RUN}")
    assert quiet(page)


def test_a_long_conversation_opens_where_it_failed_and_any_turn_is_reached(visited):
    page = visited(LONGEST)
    expect(page.locator("[id='t.70']")).to_be_in_viewport()
    assert page.locator("[id='t.5']").count() == 0
    page.goto(f"{page.where}{LONGEST}?turn=5#t.5")
    expect(page.locator("[id='t.5']")).to_be_in_viewport()
    page.locator("svg.timeline a[data-turn='88']").click()
    expect(page.locator("[id='t.88']")).to_be_in_viewport()
    expect(page.locator("[id='t.88']")).to_contain_text("reply 88")
    for _ in range(3):
        page.keyboard.press("[")
        page.wait_for_timeout(100)
    expect(page.locator("[id='t.85']")).to_have_class(re.compile(r"\bat\b"))
    assert quiet(page)


def test_a_conversation_is_copied(visited):
    page = visited(FAILED)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy as suite").click()
    expect(page.locator("#said")).to_have_text("Copy as suite: it is in the clipboard.")
    assert page.evaluate("navigator.clipboard.readText()").startswith("scenarios:\n- id: refund")
    page.keyboard.press("t")
    expect(page.locator("#said")).to_contain_text("Copy the command that makes tests of findings")
    assert page.evaluate("navigator.clipboard.readText()").startswith("grice extract exp_")
    assert quiet(page)


@pytest.mark.parametrize("address", ["/", "/trends", RUN, FAILED, LONGEST, "/nowhere"])
def test_axe_finds_no_violation_and_nothing_is_wider_than_the_screen(visited, address):
    page = visited(address, bypass=True)
    page.evaluate(_OPEN_ALL)
    page.until(_LOADED, 30)
    assert violations(page) == []


def test_no_payload_in_any_field_is_run(visited):
    page = visited("/")
    addresses = ["/", "/trends", f"/runs/{HOSTILE}"]
    addresses += [
        f"/runs/{HOSTILE}/conversations/{conversation_id(HOSTILE, one + 1)}" for one in range(len(PAYLOADS))
    ]
    for address in addresses:
        page.goto(page.where + address)
        page.evaluate(_OPEN_ALL)
        page.until(_LOADED, 30)
        assert page.evaluate("hits") == [], address
    assert quiet(page)


def test_no_payload_in_an_address_is_run(visited):
    page = visited("/")
    for one in PAYLOADS[::4]:
        given = "".join(f"%{byte:02x}" for byte in one.encode())
        for address in (f"/?name={given}&tag={given}", f"{RUN}?q={given}&persona={given}"):
            page.goto(page.where + address)
            assert page.evaluate("hits") == []
    assert quiet(page)


def test_without_javascript_pages_read_and_filter(visited):
    page = visited(f"{RUN}?outcome=fail", javascript=False)
    assert len(names(page)) == 3
    page.get_by_role("link", name="refund", exact=True).click()
    expect(page.locator("[id='t.2']")).to_contain_text("refunded 49.90 EUR")
