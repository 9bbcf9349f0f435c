"""Runs, results, conversations and comparisons, as they are given."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from live import Live, serve

from grice.api.pages import cursor_of
from grice.cli import main
from grice.store.database import locked, open_database
from grice.store.owners import add_project
from grice.store.syncing import sync_folder
from journals import write_run

RUNS = {
    "exp_1": {"marks": "+++-s", "day": 1, "tags": ("nightly", "a")},
    "exp_2": {"marks": "+-+?s", "day": 2, "git_branch": "topic", "name": "other"},
    "exp_3": {"marks": "-+!-+", "day": 3, "planned": 9},
}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A project with three runs, which nobody read into the database."""
    folder = tmp_path_factory.mktemp("bot")
    for id_, given in RUNS.items():
        write_run(folder / ".grice" / "runs", id_, **given)
    with serve(folder) as live:
        yield live


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        ({}, ["exp_3", "exp_2", "exp_1"]),
        ({"branch": "main"}, ["exp_3", "exp_1"]),
        ({"name": "other"}, ["exp_2"]),
        ({"tag": "nightly"}, ["exp_1"]),
        ({"state": "CANCELLED"}, ["exp_3"]),
        ({"outcome": "fail"}, ["exp_2", "exp_1"]),
        ({"outcome": "pass"}, []),
        ({"since": "2026-11-02T00:00:00Z"}, ["exp_3", "exp_2"]),
        ({"since": "2026-11-02T12:00:00"}, ["exp_3"]),
        ({"branch": "main", "outcome": "fail"}, ["exp_1"]),
    ],
)
def test_runs_are_filtered(live: Live, given: dict[str, Any], ids: list[str]) -> None:
    found = live.get("/api/test-suite-runs", **given)
    assert ([one["id"] for one in found["runs"]], found["nextCursor"]) == (ids, None)


def test_runs_come_in_pages(live: Live) -> None:
    first = live.get("/api/test-suite-runs", limit=2)
    second = live.get("/api/test-suite-runs", limit=2, cursor=first["nextCursor"])
    assert [[one["id"] for one in page["runs"]] for page in (first, second)] == [
        ["exp_3", "exp_2"],
        ["exp_1"],
    ]
    assert second["nextCursor"] is None


def test_a_run_is_given_with_its_results(live: Live) -> None:
    run = live.get("/api/test-suite-runs/exp_1")
    assert (run["state"], run["status"], run["outcome"], run["passPercentage"]) == (
        "FINISHED",
        "COMPLETED",
        "fail",
        75.0,
    )
    assert (run["tags"], run["pruned"], run["nextCursor"]) == (["a", "nightly"], False, None)
    assert run["promptHistoryId"]
    assert [one["status"] for one in run["results"]] == ["PASS", "PASS", "PASS", "FAIL"]
    (one, *_) = run["results"]
    assert (one["output"], one["outcome"]) == ("It is 90.", "pass")
    assert [check["matcher"] for check in one["details"]] == ["toContain", "toSatisfy"]


def test_results_come_in_pages_and_by_outcome(live: Live) -> None:
    path = "/api/test-suite-runs/exp_2/results"
    whole = live.get("/api/test-suite-runs/exp_2")["results"]
    found: list[Any] = []
    cursor = ""
    while cursor is not None:
        page = live.get(path, limit=3, cursor=cursor)
        found += page["results"]
        cursor = page["nextCursor"]
    assert found == whole
    assert [one["outcome"] for one in live.get(path, outcome="inconclusive")["results"]] == ["inconclusive"]


def test_a_conversation_is_given_with_its_record(live: Live) -> None:
    result = live.get("/api/test-suite-runs/exp_1")["results"][3]
    found = live.get(f"/api/test-suite-runs/exp_1/conversations/{result['id']}")
    assert (found["runId"], found["key"], found["outcome"], found["turns"]) == ("exp_1", "s3", "fail", 1)
    assert found["record"]["turns"][0]["messages"][1]["content"] == "It is 90."
    assert found["details"] == result["details"]
    assert found["findings"] == [{"label": "toContain", "turn": 1, "reason": "so it is", "quote": ""}]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/api/test-suite-runs/exp_9", "there is no run 'exp_9'"),
        ("/api/test-suite-runs/exp_9/results", "there is no run 'exp_9'"),
        (
            "/api/test-suite-runs/exp_1/conversations/exp_2/main/000000002",
            "the run exp_1 has no conversation",
        ),
        ("/api/compare?a=exp_1&b=exp_9", "there is no run 'exp_9'"),
        ("/api/nowhere", "there is no such route"),
        ("/api/test-suite-runs/..%2F..%2Fetc%2Fpasswd", "there is no such route"),
        ("/api/test-suite-runs/%00", "there is no run"),
    ],
)
def test_what_is_not_there_is_said(live: Live, path: str, said: str) -> None:
    assert live.get(path, 404)["error"].startswith(said)


@pytest.mark.parametrize(
    ("given", "fields"),
    [
        ({"limit": "0"}, ["limit"]),
        ({"limit": "9" * 400}, ["limit"]),
        ({"limit": "many", "outcome": "good", "since": "yesterday"}, ["since", "outcome", "limit"]),
        ({"since": "0001-01-01T00:00:00+10:00"}, ["since"]),
        ({"cursor": "x"}, ["cursor"]),
        ({"cursor": "WzEsMl0"}, ["cursor"]),
        ({"cursor": "é"}, ["cursor"]),
        ({"cursor": cursor_of((datetime.fromisoformat("0001-01-01T00:00:00+14:00"), "x"))}, ["cursor"]),
    ],
)
def test_wrong_parameters_are_said_all_at_once(live: Live, given: dict[str, str], fields: list[str]) -> None:
    found = live.get("/api/test-suite-runs", 400, **given)
    assert [one["field"] for one in found["details"]] == fields


def test_a_wrong_parameter_is_told_with_the_right_one(live: Live) -> None:
    given = {"outcome": "failed", "limit": "0", "since": "yesterday"}
    found = live.get("/api/test-suite-runs", 400, **given)["details"]
    assert {one["field"]: one["message"] for one in found} == {
        "outcome": "expected one of pass, fail, inconclusive, error, skipped, found 'failed' (did you mean "
        "'fail'?)",
        "limit": "expected 1 or more, found '0'",
        "since": "expected a date and time such as 2026-11-20T10:00:00Z, found 'yesterday'",
    }


def test_a_comparison_is_that_of_the_command(live: Live, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["compare", "exp_1", "exp_2", "--runs", str(live.runs), "--json", "-"])
    told = json.loads(capsys.readouterr().out)
    found = live.get("/api/compare", a="exp_1", b="exp_2")
    for one in (told, found):
        del one["baseline"]["source"], one["current"]["source"]
    assert found == told
    assert [one["key"] for one in found["newly_failing"]] == ["s1"]


def test_matchers_are_counted(live: Live) -> None:
    found = {one["matcher"]: one for one in live.get("/api/matcher-usage")}
    assert found["toContain"] == {
        "matcher": "toContain",
        "uses": 13,
        "runs": 3,
        "outcomes": {"pass": 7, "fail": 4, "inconclusive": 1, "error": 1},
    }
    assert {one["runs"] for one in live.get("/api/matcher-usage", runs=1)} == {1}


def test_a_run_is_there_as_soon_as_its_journal_is(served: Live) -> None:
    assert served.get("/api/test-suite-runs")["runs"] == []
    write_run(served.runs, "exp_1", "++")
    assert [one["id"] for one in served.get("/api/test-suite-runs")["runs"]] == ["exp_1"]
    write_run(served.runs, "exp_1", "-", worker="other", planned=3)
    assert served.get("/api/test-suite-runs/exp_1")["passPercentage"] < 100


def test_a_damaged_journal_spoils_no_other_run(served: Live) -> None:
    write_run(served.runs, "exp_1", "++")
    (served.runs / "exp_2").mkdir()
    (served.runs / "exp_2" / "main.jsonl").write_bytes(b"{\x00 no journal")
    assert [one["id"] for one in served.get("/api/test-suite-runs")["runs"]] == ["exp_1"]


def test_the_runs_of_another_project_are_not_given(served: Live, tmp_path: Path) -> None:
    other = tmp_path / "others"
    write_run(other, "exp_7", "+")
    with locked(served.service.engine) as connection:
        add_project(connection, "another")
    assert [one.problem for one in sync_folder(served.service.engine, other, "another")] == [""]
    assert served.get("/api/test-suite-runs")["runs"] == []
    served.get("/api/test-suite-runs/exp_7", 404)
    served.get("/api/compare", 404, a="exp_7", b="exp_7")


def test_a_database_that_cannot_be_used_is_said(served: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        served.service, "engine", open_database(f"sqlite:///{served.folder}/grice.toml/none.db")
    )
    found = served.get("/api/test-suite-runs", 503)
    assert found == {"error": "the database cannot be used: unable to open database file", "details": []}


def test_half_a_character_is_sent_as_what_utf_8_has(served: Live) -> None:
    write_run(served.runs, "exp_1", "+", said="half \ud83d of it")
    (result,) = served.get("/api/test-suite-runs/exp_1")["results"]
    assert result["output"] == "half \ufffd of it"
    assert served.get(f"/api/test-suite-runs/exp_1/conversations/{result['id']}")["outcome"] == "pass"
