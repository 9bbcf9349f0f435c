"""What people do when they look through a project: compare, judge findings, label, go back to a prompt."""

import re
import sys
from pathlib import Path

import pytest
from axe_findings import violations
from live import serve
from page_documents import PAYLOADS
from playwright.sync_api import expect
from web_project import BEFORE, HOSTILE, LATER, write_hostile, write_project

from grice.web.site import make_site

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests" / "web"))

from review_project import (
    INTRODUCTIONS,
    PROMPT,
    SCAN,
    keep_scan,
    write_items,
    write_log,
    write_prompt,
    write_review,
)

COMPARE = f"/compare?a={BEFORE}&b={LATER}"
LABEL = "tool-flow"
FINDINGS = f"/scans/{SCAN}?label={LABEL}"
HOSTILE_SCAN = "scan_ffffffffffff"
SECONDS = 20_000


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory):
    """A server of a project with runs, a scan, replies and a prompt, and markup in everything."""
    folder = tmp_path_factory.mktemp("reviewed")
    for write in (write_project, write_hostile, write_review):
        write(folder)
    texts = [f"I am an AI. {one}" for one in PAYLOADS]
    write_log(folder / "hostile.jsonl", texts, user=PAYLOADS[0])
    keep_scan(folder, folder / "hostile.jsonl", HOSTILE_SCAN)
    write_items(folder / "hostile_replies.jsonl", texts)
    with serve(folder, make=make_site) as live:
        yield live


@pytest.fixture(scope="module")
def cookies(let_in, reviewed):
    """The cookies of this server."""
    return let_in(reviewed)


@pytest.fixture
def visited(new_page, reviewed, cookies):
    """Opens an address of the server, as somebody who followed the printed link before."""

    def open_(address="/", **how):
        page = new_page(state=cookies, **how)
        page.set_default_timeout(SECONDS)
        page.where = reviewed.server.url
        page.goto(page.where + address)
        return page

    return open_


def quiet(page) -> bool:
    """Whether nothing went wrong, and nobody but the server was asked."""
    assert page.evaluate("hits") == []
    assert page.problems == []
    assert not [one for one in page.asked if not one.startswith((page.where, "data:,"))], page.asked
    return True


def press(page, key) -> None:
    """Press a key that leads to another page."""
    with page.expect_navigation():
        page.keyboard.press(key)


def test_what_newly_fails_stands_beside_what_passed(visited):
    page = visited("/compare")
    page.get_by_label("before").select_option(BEFORE)
    page.get_by_label("now").select_option(LATER)
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("h1")).to_contain_text("refund")
    pair = page.locator(".pair").first
    expect(pair.locator(".cell.transcript")).to_have_count(6)
    expect(pair.locator(".heads")).to_contain_text("before: Prompt v1")
    page.locator(".pair details.told > summary").first.click()
    expect(page.locator(".pair details.told").first).to_contain_text("lint: ")
    page.locator(".margin li.fail").first.click()
    assert quiet(page)


def test_a_comparison_by_keyboard(visited):
    page = visited(COMPARE)
    page.keyboard.press("j")
    press(page, "Enter")
    expect(page.locator("h1")).to_have_text("refund passed before, and now fails")
    press(page, "u")
    assert page.url.endswith(COMPARE)
    press(page, "x")
    assert page.url.endswith(f"a={LATER}&b={BEFORE}")
    assert quiet(page)


def test_large_runs_are_compared_behind_their_page(visited, monkeypatch):
    monkeypatch.setattr("grice.web.comparisons.AT_ONCE", 8)
    page = visited("/compare")
    with page.expect_request("**/compare?*wait=true"):
        page.goto(f"{page.where}/compare?a={BEFORE}&b={BEFORE}")
    expect(page.locator("#head .note")).to_have_text("The run is compared with itself.")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    assert quiet(page)


def test_findings_are_judged_by_keys_and_the_precision_grows(visited):
    page = visited(FINDINGS)
    expect(page.locator(".replies li")).to_have_count(3)
    with page.expect_navigation():
        page.get_by_role("link", name="Is it right?").first.click()
    for key, told in (("y", "1/1 right"), ("n", "1/2 right")):
        press(page, key)
        expect(page.locator(".figures")).to_contain_text(told)
    press(page, "0")
    assert page.url.endswith(FINDINGS)
    expect(page.locator("table.labels")).to_contain_text("1 unsure")
    expect(page.locator("table.labels")).to_contain_text("all looked at")
    page.keyboard.press("j")
    press(page, "Enter")
    press(page, "u")
    assert page.url.endswith(FINDINGS)
    assert quiet(page)


def test_fifty_replies_are_labelled_with_a_key_each_beside_another_rater(visited, reviewed):
    for number in range(47):
        answer = {"items": "replies.jsonl", "rater": "ben", "item": f"r{number + 1}", "label": number != 7}
        reviewed.client.post("/api/labelling", json=answer).raise_for_status()
    page = visited("/labels")
    for rater, left in (("anna", 50), ("ben", 3)):
        page.goto(f"{page.where}/labels")
        page.get_by_label("replies or conversations").select_option("replies.jsonl")
        page.get_by_label("who labels").fill(rater)
        page.get_by_role("button", name="Begin").click()
        keys = 0
        while not page.locator("h1", has_text="50 of 50 done").count():
            press(page, "y")
            keys += 1
        assert keys == left
    expect(page.locator("main")).to_contain_text("anna and ben: same label on 49 of 50")
    press(page, "u")
    expect(page.locator("header")).to_contain_text("49 of 50 done")
    page.keyboard.press("m")
    page.keyboard.type("not sure why")
    page.keyboard.press("Escape")
    press(page, "y")
    expect(page.locator("h1")).to_have_text("50 of 50 done")
    assert quiet(page)


def test_an_earlier_version_of_a_prompt_comes_back(visited, reviewed):
    page = visited("/prompts")
    page.keyboard.press("j")
    press(page, "Enter")
    expect(page.locator("pre.diff .plus")).to_contain_text("please")
    with page.expect_navigation():
        page.get_by_role("button", name="Restore version 1").click()
    expect(page.locator("h1")).to_have_text(f"{PROMPT}: version 3 is the latest")
    assert "please" not in (reviewed.folder / PROMPT).read_text()
    assert quiet(page)


ASK = "/labels/ask?items=replies.jsonl&rater=somebody"


@pytest.mark.parametrize(
    "address",
    [
        "/compare",
        COMPARE,
        "/scans",
        FINDINGS,
        "finding",
        "/labels",
        ASK,
        f"{ASK}&criterion=naturalness",
        "/prompts",
        "prompt",
    ],
)
def test_axe_finds_no_violation_and_nothing_is_wider_than_the_screen(visited, address):
    start = {"finding": FINDINGS, "prompt": "/prompts"}.get(address, address)
    page = visited(start, bypass=True)
    if start != address:
        page.locator("[data-open]").first.click()
        page.wait_for_load_state()
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.wait_for_timeout(500)
    assert violations(page) == []


def test_no_payload_in_any_field_is_run(visited, reviewed):
    page = visited("/")
    scan = f"/scans/{HOSTILE_SCAN}"
    addresses = [f"/compare?a={HOSTILE}&b={HOSTILE}", f"/compare?a={BEFORE}&b={HOSTILE}", "/scans"]
    addresses += [scan, f"{scan}?label={LABEL}", "/labels"]
    page.goto(f"{page.where}{scan}?label={LABEL}")
    found = page.locator(".replies a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert len(found) > 90
    tests = [f"example:{number}" for number in range(3)]
    addresses += [*found, *(f"/compare/pair?a={HOSTILE}&b={HOSTILE}&test={one}" for one in tests)]
    ask = "/labels/ask?items=hostile_replies.jsonl&rater=somebody"
    addresses += [f"{ask}&item=r{number}" for number in range(1, len(PAYLOADS) + 1, 4)]
    for address in addresses:
        page.goto(page.where + address)
        assert page.evaluate("hits") == [], address
    assert len(re.findall("AI", page.content())) >= 1
    assert page.evaluate("hits") == []
    assert not [one for one in page.asked if not one.startswith((page.where, "data:,"))]


def test_no_payload_that_people_write_is_run(visited, tmp_path, new_page):
    folder = tmp_path / "hostile"
    folder.mkdir()
    write_items(folder / "replies.jsonl", ["One.", "Two."])
    write_log(folder / "chats.jsonl", INTRODUCTIONS)
    keep_scan(folder, folder / "chats.jsonl")
    write_prompt(folder, *(f"{one.replace('{{', '')}\n{{{{country}}}}" for one in PAYLOADS[:20]))
    with serve(folder, make=make_site) as live:
        page = new_page()
        page.where = live.server.url
        page.goto(live.server.link(live.token))
        for one in PAYLOADS[::6]:
            said = {"question": one, "rater": one, "note": one, "label": True}
            body = {"items": "replies.jsonl", **said, "item": "r1"}
            live.client.post("/api/labelling", json=body)
            live.client.post("/api/labelling", json={**body, "item": "r2"})
            given = "&".join(
                f"{name}={''.join(f'%{byte:02x}' for byte in one.encode('utf-8', 'replace'))}"
                for name in ("question", "rater", "choices")
            )
            for address in (f"/labels/ask?items=replies.jsonl&{given}", f"/compare?a=x&b=y&{given}"):
                page.goto(page.where + address)
                assert page.evaluate("hits") == [], one
        page.goto(f"{page.where}/prompts")
        with page.expect_navigation():
            page.locator("[data-open]").first.click()
        for number in range(1, 20):
            page.goto(f"{page.url.partition('?')[0]}?a={number}&b={number + 1}")
            assert page.evaluate("hits") == []
        assert not [one for one in page.asked if not one.startswith((page.where, "data:,"))]


@pytest.mark.parametrize("address", [COMPARE, FINDINGS, ASK, "/prompts"])
def test_nothing_without_a_token_or_from_elsewhere(reviewed, address):
    import httpx

    with httpx.Client(base_url=reviewed.server.url, trust_env=False) as client:
        assert client.get(address).status_code == 401
        token = {"Authorization": f"Bearer {reviewed.token}"}
        assert client.get(address, headers={**token, "Host": "evil.example"}).status_code == 403
        assert client.get(address, headers={**token, "Origin": "http://evil.example"}).status_code == 403
        assert client.get(address, headers=token).status_code == 200
