"""The tree of suites and cases, and the page of one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from live import Live, client_of, serve
from suite_editor import BOTS, ROOMS, Editor, in_tables
from test_pages import answer_of, text_of

from grice.api.service import Service
from grice.store.database import locked
from grice.store.tokens import Role, add_token
from grice.web.site import make_site

MARKUP = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """A server with pages, whose project has a suite in a file, one in none, and a file with mistakes."""
    folder = tmp_path_factory.mktemp("edited")
    folder.joinpath("bots.py").write_text(BOTS)
    folder.joinpath("rooms.grice.yaml").write_text(ROOMS)
    folder.joinpath("bad.grice.yaml").write_text("scenarios: [{id: a, sai: b}]\n")
    with serve(folder, make=make_site) as live:
        editor = Editor(live)
        in_tables(editor)
        case = {"name": MARKUP, "say": "x", "assertions": [{"matcher": "toContain", "expected": "x"}]}
        editor.table_suite(name=MARKUP, testCases=[{**case, "runMode": "ONLY", "description": MARKUP}])
        yield editor


def names_in(page: str) -> list[str]:
    return re.findall(r'class="name"[^>]*>([^<]*)<', page)


def test_the_tree_has_suites_in_files_and_in_none_with_their_cases(edited: Editor) -> None:
    page = text_of(edited.live, "/suites")
    assert answer_of(page) == "4 suites with 5 cases; 1 cannot be read"
    assert names_in(page)[:4] == ["bad.grice.yaml", "rooms", "blue", "red"]
    assert "unknown field &#39;sai&#39;" in page
    assert f'href="/cases/{edited.blue}"' in page.replace("%3A", ":")
    assert MARKUP not in page


@pytest.mark.parametrize(
    ("query", "answer", "names"),
    [
        ("q=BLUE", "2 cases in 2 suites found", ["rooms", "blue", "own", "blue"]),
        ("q=rooms", "2 cases in 1 suite found", ["rooms", "blue", "red"]),
        ("q=rooms+red", "0 cases in 0 suites found", []),
        ("mode=SKIP", "0 cases in 0 suites found", []),
        ("mode=ONLY", "1 case in 1 suite found", ["&lt;img src=x onerror=alert(1)&gt;"] * 2),
    ],
)
def test_a_filter_is_in_the_address(edited: Editor, query: str, answer: str, names: list[str]) -> None:
    page = text_of(edited.live, f"/suites?{query}")
    assert (answer_of(page), names_in(page)) == (answer, names)


def test_a_suite_has_its_cases_in_order_with_their_run_modes(edited: Editor) -> None:
    page = text_of(edited.live, f"/suites/{edited.rooms}")
    assert (answer_of(page), names_in(page)) == ("rooms: 2 cases", ["blue", "red"])
    assert page.count("<option selected>DEFAULT</option>") == 2
    assert names_in(text_of(edited.live, f"/suites/{edited.rooms}?q=red")) == ["red"]
    text_of(edited.live, "/suites/none", 404)


def test_what_can_be_done_names_the_version_that_was_read(edited: Editor) -> None:
    suite = edited.ask("GET", f"/test-suites/{edited.rooms}")
    piece = text_of(edited.live, f"/suite-actions/{edited.rooms}")
    assert piece.count(f'data-match="{suite["fingerprint"]}"') == 3
    assert "# the blue one" in piece
    case = edited.ask("GET", f"/test-cases/{edited.red}")
    piece = text_of(edited.live, f"/case-actions/{edited.red}")
    assert f'data-match="{case["fingerprint"]}"' in piece
    assert re.findall(r'<option value="(\d)" selected', piece) == ["1"]


def test_who_may_not_edit_is_offered_nothing_to_edit(edited: Editor) -> None:
    service: Service = edited.live.service
    with locked(service.engine) as connection:
        token = add_token(connection, service.project, "reader", Role.READ)
    with client_of(edited.live.server, token) as reader:
        addresses = [f"/{one}/{edited.rooms}" for one in ("suites", "suite-actions")]
        addresses += ["/suites", f"/case-actions/{edited.blue}"]
        for address in addresses:
            answer = reader.get(address)
            assert answer.status_code == 200
            assert not re.search(r"data-(send|change|delete|post)=", answer.text), address


def test_a_project_without_suites_says_how_to_begin(empty_site: Live) -> None:
    page = text_of(empty_site, "/suites")
    assert answer_of(page) == "No suite is here yet"
    assert "New suite" in page


def test_a_large_suite_comes_in_pages(empty_site: Live, tmp_path: Path) -> None:
    cases = "\n".join(f"  - {{id: c{one}, say: x, expected_output: x}}" for one in range(250))
    (tmp_path / "large.grice.yaml").write_text(f"scenarios:\n{cases}\n")
    editor = Editor(empty_site)
    tree = text_of(empty_site, "/suites")
    assert (len(names_in(tree)), "all 250 cases" in tree) == (13, True)
    (suite,) = editor.ask("GET", f"/projects/{editor.project}/test-suites")
    page = text_of(empty_site, f"/suites/{suite['id']}")
    assert (len(names_in(page)), "from=200" in page) == (200, True)
    assert names_in(text_of(empty_site, f"/suites/{suite['id']}?from=200"))[-1] == "c249"
