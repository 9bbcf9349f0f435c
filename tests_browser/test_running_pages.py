"""Starting runs on pages, watching them, ending them, and running again what did not pass."""

import pytest
from live import serve
from playwright.sync_api import expect

from grice.web.site import make_site

BOTS = """
import pathlib
import time

def agent(messages):
    said = messages[-1]["content"]
    while "wait" in said and not pathlib.Path("go.txt").exists():
        time.sleep(0.01)
    return f"Booked: {said}"
"""
SUITE = """
scenarios:
  - {id: blue, say: blue, expect: [{matcher: toContain, expected: blue}]}
  - {id: red, say: red, expect: [{matcher: toContain, expected: green}]}
  - {id: last, say: please wait, expect: [{matcher: toContain, expected: wait}]}
"""
SECONDS = 60_000


@pytest.fixture
def running(new_page, tmp_path):
    """A page of a server whose project has one suite, which waits until `go.txt` is there."""
    tmp_path.joinpath("bots.py").write_text(BOTS)
    tmp_path.joinpath("rooms.grice.yaml").write_text(SUITE)
    with serve(tmp_path, make=make_site) as live:
        page = new_page()
        page.goto(live.server.link(live.token))
        page.go = tmp_path.joinpath("go.txt").touch
        yield page
        page.go()


def test_a_suite_is_run_watched_and_what_failed_is_run_again(running):
    page = running
    expect(page.locator("h1")).to_have_text("Nothing was run here yet")
    page.get_by_text("Run a suite").click()
    page.get_by_role("button", name="Run rooms.grice.yaml").click()
    page.wait_for_url("**/runs/exp_*")
    expect(page.locator("h1")).to_have_text(
        "Running: 2 of 3 finished. 1 did not pass so far.", timeout=SECONDS
    )
    assert page.locator("[data-open]").all_text_contents() == ["red", "blue"]
    page.go()
    expect(page.locator("h1")).to_have_text("1 of 3 conversations failed (66.7% passed)", timeout=SECONDS)
    page.get_by_role("button", name="Run only what did not pass").click()
    expect(page.locator("h1")).to_contain_text("The conversation failed", timeout=SECONDS)
    assert page.locator("[data-open]").all_text_contents() == ["red"]
    page.goto(page.url.partition("/runs/")[0])
    expect(page.locator(".run")).to_have_count(2)
    assert page.problems == []


def test_a_run_is_cancelled_and_gone_on_with(running):
    page = running
    page.get_by_text("Run a suite").click()
    page.get_by_role("button", name="Run rooms.grice.yaml").click()
    expect(page.locator("h1")).to_contain_text("2 of 3 finished", timeout=SECONDS)
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Go on with it").wait_for(timeout=SECONDS)
    page.go()
    page.get_by_role("button", name="Go on with it").click()
    expect(page.locator("h1")).to_have_text("1 of 3 conversations failed (66.7% passed)", timeout=SECONDS)
    assert page.problems == []


def test_the_first_page_of_an_empty_folder_runs_the_example(new_page, tmp_path):
    with serve(tmp_path, make=make_site) as live:
        page = new_page()
        page.goto(live.server.link(live.token))
        page.get_by_role("button", name="Run the example").click()
        page.wait_for_url("**/runs/exp_*")
        expect(page.locator("h1")).to_have_text("All 6 conversations passed", timeout=SECONDS)
        expect(page.get_by_role("button", name="Run again")).to_have_attribute("data-post", "/example")
        assert page.problems == []
