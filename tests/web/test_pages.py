"""Pages as a client gets them: who is let in, what each says, what its pieces are."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from fastapi.routing import APIRoute
from live import Live, client_of, serve
from msgspec.structs import replace
from page_documents import PAYLOADS, refund
from sqlalchemy import update
from web_project import (
    BEFORE,
    HOSTILE,
    LATER,
    LONG,
    conversation_id,
    write,
    write_hostile,
    write_long,
    write_project,
)

from grice.api.service import Needs
from grice.files.goldens import load_goldens
from grice.files.suite_files import load_suite
from grice.store.database import locked
from grice.store.tables import test_cases as cases
from grice.web import assets
from grice.web.routes import run
from grice.web.site import ROUTERS, make_site

FAILED = f"/runs/{LATER}/conversations/{conversation_id(LATER, 1)}"
ADDRESSES = ("/", "/trends", f"/runs/{LATER}", f"/runs/{LATER}/report", FAILED, "/static/web.js", "/nowhere")


def text_of(live: Live, address: str, status: int = 200) -> str:
    """The page at the address."""
    answer = live.client.get(address)
    assert answer.status_code == status, answer.text
    return answer.text


def answer_of(page: str) -> str:
    found = re.search(r'<h1 id="answer"[^>]*>(.*?)</h1>', page, re.DOTALL)
    assert found is not None
    return found[1]


class Tags(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}


# -- who is let in


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Host": "grice.example"}, 403),
        ({"Origin": "http://evil.example"}, 403),
    ],
)
def test_a_stranger_gets_nothing(site: Live, address: str, headers: dict[str, str], status: int) -> None:
    with httpx.Client(base_url=site.server.url, headers=headers, trust_env=False) as stranger:
        answer = stranger.get(address)
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/json")
    assert "Prompt" not in answer.text


def test_every_route_names_the_role_that_it_needs() -> None:
    routes = [one for router in ROUTERS for one in router.routes if isinstance(one, APIRoute)]
    needs = {
        one.path: [each for each in one.dependencies if isinstance(each.dependency, Needs)] for one in routes
    }
    assert "/trends" in needs
    assert [path for path, found in needs.items() if len(found) != 1] == []


def test_the_printed_link_leads_to_the_runs(site: Live) -> None:
    with client_of(site.server, "") as browser:
        answer = browser.get(site.server.link(site.token), follow_redirects=True)
    assert (answer.url.path, answer.status_code) == ("/", 200)


def test_a_page_lets_in_no_other_script_or_style(site: Live) -> None:
    answer = site.client.get(FAILED)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert "unsafe" not in policy
    tags = Tags(answer.text)
    assert "style" not in tags.attributes
    assert not {one for one in tags.attributes if one.startswith("on")}
    assert not re.search(r"<script(?![^>]* src=)|<style", answer.text)


def test_scripts_and_styles_are_small(site: Live) -> None:
    page = text_of(site, "/")
    addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    sizes = {one: len(site.client.get(one).content) for one in addresses}
    assert len(sizes) == 4
    assert sum(sizes.values()) <= 300_000, sizes


def test_without_htmx_it_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(assets, "_STATIC", tmp_path)
    monkeypatch.setattr(assets, "_HTMX", "nowhere/htmx.js")
    with pytest.raises(assets.NoHtmx, match="pip install --no-deps 'django-htmx"):
        assets._htmx()


# -- runs


def test_the_first_page_of_an_empty_project_offers_the_example(empty_site: Live) -> None:
    page = text_of(empty_site, "/")
    assert answer_of(page) == "Nothing was run here yet"
    command = re.search(r"grice run (\S+/goldens) --agent wordpress_assistant.app:agent", page)
    assert command is not None
    assert Path(command[1]).is_dir()
    assert 'data-post="/example"' in page


def test_runs_say_first_what_newly_fails(site: Live) -> None:
    page = text_of(site, "/")
    assert answer_of(page) == "1 test newly fails in the last run, Prompt v2"
    assert page.index("Prompt v2") < page.index("Prompt v1")
    assert f'1 newly fails: <a href="/runs/{LATER}/conversations/{conversation_id(LATER, 1)}">refund' in page
    assert re.search(r"66\.7%</span> <span class=\"faint\">6/9", page)
    assert "95 % interval" in page


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("branch=main", {"Prompt v1"}),
        ("tag=nightly", {"Prompt v1"}),
        ("outcome=fail", {"Prompt v2"}),
        ("name=Prompt+v2&state=FINISHED", {"Prompt v2"}),
        ("since=2026-11-02", {"Prompt v2"}),
        ("name=nobody", set()),
    ],
)
def test_runs_are_filtered_by_their_address(site: Live, query: str, names: set[str]) -> None:
    page = text_of(site, f"/?{query}")
    assert set(re.findall(r'data-open href="[^"]+">([^<]+)<', page)) == names


def test_trends_have_a_figure_for_what_two_runs_have(site: Live) -> None:
    page = text_of(site, "/trends")
    assert answer_of(page) == "The last 2 finished runs"
    assert "Prompt v1 abc1234: 100%; Prompt v2: 66.7%" in page
    assert "Criterion friendly" in page
    assert answer_of(text_of(site, "/trends?branch=main")) == "The last 1 finished run"


# -- a run


def test_a_run_says_first_what_newly_fails_and_then_its_results(site: Live) -> None:
    page = text_of(site, f"/runs/{LATER}")
    assert answer_of(page) == "1 test newly fails: refund"
    assert page.index('href="/runs/exp_later/conversations') < page.index("Completion (hard expectations)")
    assert "Criteria Performance" in page
    assert f"/compare?a={BEFORE}&amp;b={LATER}" in page


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ("", {"refund", "delay", "brief"}),
        ("outcome=fail", {"refund"}),
        ("outcome=pass&criterion=friendly", {"delay"}),
        ("matcher=claimedWithoutAction", {"refund"}),
        ("q=money+back", {"refund", "delay", "brief"}),
        ("q=refund_order", {"refund"}),
        ("q=nobody+says+this", set()),
        ("slower=100", set()),
    ],
)
def test_results_are_filtered_by_their_address(site: Live, query: str, keys: set[str]) -> None:
    page = text_of(site, f"/runs/{LATER}?{query}")
    names = re.findall(r'class="name" data-open href="[^"]+">([^<]+)<', page)
    assert {one.partition(" (")[0] for one in names} == keys


def test_a_search_that_found_nothing_yet_goes_on_by_itself(
    site: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_SEARCH_SECONDS", 0)
    at, searched = f"/runs/{LATER}?q=nobody+says+this", 0
    while going_on := re.search(
        r'<p class="cut" hx-get="([^"]+)" hx-trigger="load"', page := text_of(site, at)
    ):
        searched += 1
        assert f"Searched {searched} conversations so far." in page
        at = unescape(going_on[1])
    assert searched > 1
    assert "No result is like that." in page


def test_a_wrong_filter_and_an_unknown_run_are_told_as_pages(site: Live) -> None:
    assert answer_of(text_of(site, f"/runs/{LATER}?outcome=bad", 400)) == "the request is wrong"
    assert answer_of(text_of(site, f"/runs/{LATER}?cursor=bad", 400)) == "the request is wrong"
    assert "exp_none" in answer_of(text_of(site, "/runs/exp_none", 404))
    assert "no conversation" in answer_of(text_of(site, f"/runs/{LATER}/conversations/none", 404))


def test_chips_say_what_came_of_each_check(site: Live) -> None:
    chips = text_of(site, f"/runs/{LATER}/chips/{conversation_id(LATER, 1)}")
    assert chips.count("<li class=") == 2
    assert "claimedWithoutAction" in chips
    assert "refund_order was not called" in chips


def test_a_case_with_an_expected_output_shows_the_difference(tmp_path: Path) -> None:
    write_project(tmp_path)
    with serve(tmp_path, make=make_site) as live:
        at = f"/runs/{LATER}/chips/{conversation_id(LATER, 4)}"
        assert "<pre" not in text_of(live, at)
        with locked(live.service.engine) as connection:
            connection.execute(update(cases).values(expected_output="It is here.\nSoon."))
        assert re.findall(r'<span class="(minus|plus)">(.*?)</span>', text_of(live, at)) == [
            ("minus", "- It is here."),
            ("minus", "- Soon."),
            ("plus", "+ It is on its way."),
        ]


# -- running


def test_suites_have_a_button_and_a_project_without_says_so(tmp_path: Path, site: Live) -> None:
    assert answer_of(text_of(site, "/suites")) == "No suite is here yet"
    tmp_path.joinpath("rooms.grice.yaml").write_text("scenarios: [{id: a, say: b, expected_output: c}]")
    with serve(tmp_path, make=make_site) as live:
        assert re.search(r'data-post="/api/test-suites/[^"]+/rooms.grice.yaml/run"', text_of(live, "/suites"))


def test_a_run_of_a_terminal_cannot_be_repeated_without_its_suite(site: Live) -> None:
    assert "<button" not in text_of(site, f"/runs/{LATER}/actions")
    text_of(site, "/runs/exp_none/actions", 404)


# -- a conversation


def test_a_conversation_has_its_verdicts_beside_their_words(site: Live) -> None:
    page = text_of(site, FAILED)
    assert answer_of(page).startswith("refund failed: claim nothing that no tool did")
    assert re.search(r'<mark class="fail" data-of="0">refunded 49\.90 EUR</mark>', page)
    assert 'href="/runs/exp_later/conversations/exp_later/main/000000003" data-next' in page


def test_what_the_model_was_told_is_a_piece_with_the_lint(site: Live) -> None:
    piece = text_of(site, f"{FAILED}?part=told&turn=2")
    assert "request 2" in piece
    assert "1 message as before" in piece
    assert "lint: current-user-message-missing at messages[0]" in piece


def test_turns_of_a_long_conversation_come_in_pieces(tmp_path: Path) -> None:
    write_long(tmp_path)
    with serve(tmp_path, make=make_site) as live:
        at = f"/runs/{LONG}/conversations/{conversation_id(LONG, 1)}"
        whole = text_of(live, at)
        assert re.findall(r'id="t\.(\d+)"', whole) == [str(one) for one in range(61, 81)]  # where it failed
        assert re.findall(r"\?part=turns&amp;turn=(\d+)", whole) == ["1", "21", "41", "81"]
        piece = text_of(live, f"{at}?part=turns&turn=81")
        assert re.findall(r'id="t\.(\d+)"', piece) == [str(one) for one in range(81, 91)]
        assert "reply 85" in piece
        told = text_of(live, f"{at}?part=told&turn=81")
        assert "161 messages" not in told
        assert "159 messages as before" in told
        assert text_of(live, f"{at}?turn=5").count('id="t.5"') == 1


@pytest.mark.parametrize("number", [1, 4])
def test_a_conversation_is_copied_as_a_golden_and_as_a_suite(site: Live, tmp_path: Path, number: int) -> None:
    at = f"/runs/{LATER}/conversations/{conversation_id(LATER, number)}"
    golden, suite = tmp_path / "a.golden.json", tmp_path / "a.grice.yaml"
    golden.write_text(text_of(site, f"{at}?part=golden"), "utf-8")
    suite.write_text(text_of(site, f"{at}?part=suite"), "utf-8")
    (read,) = load_goldens(golden)
    assert [one.user for one in read.turns][2] == "When will it arrive?"
    assert len(load_suite(suite)) == 1


def test_markup_in_any_field_is_text(tmp_path: Path) -> None:
    write_hostile(tmp_path)
    write_project(tmp_path)
    with serve(tmp_path, make=make_site) as live:
        usual = set(Tags(text_of(live, f"/runs/{LATER}")).tags) | set(Tags(text_of(live, FAILED)).tags)
        usual |= set(Tags(text_of(live, "/")).tags) | {
            "rect",
            "text",
            "h3",
            "h4",
            "pre",
            "g",
            "defs",
            "marker",
            "desc",
        }
        addresses = ["/", f"/runs/{HOSTILE}"]
        addresses += [
            f"/runs/{HOSTILE}/conversations/{conversation_id(HOSTILE, number)}{part}"
            for number in range(1, len(PAYLOADS) + 1, 5)
            for part in ("", "?part=told&turn=1")
        ]
        for address in addresses:
            tags = Tags(text_of(live, address))
            assert set(tags.tags) <= usual, address
            assert not {one for one in tags.attributes if one.startswith("on")}, address


@pytest.mark.parametrize(
    ("editor", "link"),
    [
        ("vscode", "vscode://file/{path}/tests/test_rooms.py:3"),
        ("zed", "zed://file/{path}/tests/test_rooms.py:3"),
        ("pycharm", "pycharm://open?file=%2F{quoted}%2Ftests%2Ftest_rooms.py&amp;line=3"),
        ("none", ""),
    ],
)
def test_the_test_is_opened_in_the_editor_of_the_settings(tmp_path: Path, editor: str, link: str) -> None:
    (tmp_path / "grice.toml").write_text(f'editor = "{editor}"\n')
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_rooms.py").write_text("import grice\n\ndef refund(): ...\n")
    write(tmp_path, LATER, 1, [replace(refund(), file="tests/test_rooms.py")])
    with serve(tmp_path, make=make_site) as live:
        page = text_of(live, f"/runs/{LATER}/conversations/{conversation_id(LATER, 1)}")
    path = tmp_path.resolve().as_posix().lstrip("/")
    if link:
        assert f'href="{link.format(path=path, quoted=quote(path, safe=""))}" data-key="e"' in page
    else:
        assert "in an editor" not in page
