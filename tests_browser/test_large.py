"""Pages of the sizes at which others freeze. The seconds are those of a wall clock, on two cores."""

import time

from html_page import airline_results, large_result
from playwright.sync_api import expect

from grice.reporting.documents.results import results_document

_LONGEST_PAUSE = """
globalThis.longest = 0;
new PerformanceObserver((list) => { for (const one of list.getEntries()) longest = Math.max(longest, one.duration); })
  .observe({ entryTypes: ["longtask"], buffered: true });
"""
SECONDS = 2
PAUSE = 500
"""The milliseconds for which a page may not answer."""


def test_a_conversation_with_120_mb_of_tool_results_opens(opened):
    page = opened(results_document([large_result()]))
    page.evaluate(_LONGEST_PAUSE)
    began = time.monotonic()
    page.goto("about:blank")
    page.goto(page.where + "#c-large.280")
    expect(page.locator("[id='c-large.280'] mark")).to_be_visible()
    assert time.monotonic() - began < SECONDS
    page.evaluate(_LONGEST_PAUSE)
    began = time.monotonic()
    page.keyboard.press("[")
    page.until("location.hash === '#c-large.279'")
    page.locator("[id='c-large.279'] .json > summary").click()
    expect(page.locator("[id='c-large.279'] pre").last).to_be_visible()
    assert time.monotonic() - began < SECONDS
    assert page.evaluate("longest") < PAUSE
    expect(page.locator("#c-large .body > .cut")).to_contain_text("characters are not shown")


def test_a_thousand_conversations_open_and_are_searched(opened):
    page = opened(results_document(list(airline_results(1000))))
    began = time.monotonic()
    page.reload()
    expect(page.locator("details.conversation").first).to_be_visible()
    assert time.monotonic() - began < SECONDS
    page.evaluate(_LONGEST_PAUSE)
    page.locator("details.conversation.pass > summary").first.click()
    expect(page.locator("details.conversation.pass .turn").first).to_be_visible()
    began = time.monotonic()
    page.locator("input[type=search]").fill("scenario_77")  # by role, Playwright looks at every element
    expect(page.locator("output")).to_have_text("11 of 1,000", timeout=10_000)
    assert time.monotonic() - began < 2 * SECONDS
    assert page.evaluate("longest") < PAUSE
