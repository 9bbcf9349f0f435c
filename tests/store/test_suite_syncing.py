"""The tables follow the suite files of a project: once, whatever else is known of the cases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Engine

from grice.files.suite_files import load_suite
from grice.running.journal.writing import Journal
from grice.running.suite import run_scenario
from grice.store.database import locked, open_database, read_only
from grice.store.suite_editing import change_case, make_suite
from grice.store.suite_syncing import SyncedSuite, sync_suites
from grice.store.suites import cases_of_suite, suites_of_project
from grice.store.syncing import sync_folder
from journals import head, rows

ROOMS = """\
agent: app:agent
criteria: {kind: The reply is kind.}
scenarios:
  - id: first
    say: I need a room
    expect:
      - {matcher: toContain, expected: room}
      - {on: tool_calls, path: $, pathMatch: ALL, matcher: toEqual, expected: []}
    evaluate: [{matcher: toStartWith, expected: You}]
  - {say: Lunch, expected_output: [1], output_type: json, run_mode: SKIP, description: food}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "suites").mkdir(parents=True)
    write(folder, "rooms", ROOMS)
    return folder


def write(project: Path, name: str, text: str) -> Path:
    file = project / "suites" / f"{name}.grice.yaml"
    file.write_text(text, "utf-8")
    return file


def sync(engine: Engine, project: Path, *, anew: bool = False) -> list[SyncedSuite]:
    return sync_suites(engine, project, "bot", load_suite, anew=anew)


def run(engine: Engine, project: Path, id_: str, name: str = "suites/rooms.grice.yaml") -> None:
    """Run the suite in a folder where it is called so, and read its journal."""
    scenarios = load_suite(project / "suites" / "rooms.grice.yaml")
    runs = project / ".grice" / "runs"
    with Journal.create(runs / id_, head(id_, planned=len(scenarios))) as journal:
        for one in scenarios:
            result = run_scenario(one, lambda messages: f"You asked: {messages[-1]['content']}")
            journal.append(
                type(result)(**{**{f: getattr(result, f) for f in result.__struct_fields__}, "file": name})
            )
    assert not [one.problem for one in sync_folder(engine, runs, "bot") if one.problem]


def test_a_file_as_rows(engine: Engine, project: Path) -> None:
    assert sync(engine, project) == [SyncedSuite("suites/rooms.grice.yaml", "read")]
    with read_only(engine) as connection:
        (suite,) = suites_of_project(connection, "bot")
        first, second = cases_of_suite(connection, suite.id)
    assert (suite.name, suite.prompt, suite.source_file) == ("rooms", None, "suites/rooms.grice.yaml")
    assert suite.head == {"agent": "app:agent", "criteria": {"kind": "The reply is kind."}}
    assert (first.key, first.source_line, first.position, first.run_mode) == ("first", 4, 0, "DEFAULT")
    assert first.assertions == [
        {
            "id": first.assertions[0]["id"],
            "path": "$",
            "pathMatch": "ANY",
            "matcher": "toContain",
            "expected": "room",
        },
        {
            "id": first.assertions[1]["id"],
            "on": "tool_calls",
            "path": "$",
            "pathMatch": "ALL",
            "matcher": "toEqual",
            "expected": [],
        },
    ]
    assert (second.run_mode, second.output_type, second.expected_output) == ("SKIP", "json", "[1]")
    assert (second.assertions, second.source_line) == ([], 10)
    assert second.scenario["description"] == "food"


def test_a_second_sync_reads_nothing_and_rebuilding_gives_the_same(engine: Engine, project: Path) -> None:
    sync(engine, project)
    before = rows(engine)
    assert sync(engine, project) == [SyncedSuite("suites/rooms.grice.yaml", "as before")]
    assert sync(engine, project, anew=True) == [SyncedSuite("suites/rooms.grice.yaml", "read")]
    assert rows(engine) == before


@pytest.mark.parametrize("files_first", [True, False])
@pytest.mark.parametrize("called", ["suites/rooms.grice.yaml", "rooms.grice.yaml"])
def test_a_case_is_one_row_whatever_was_read_first(
    engine: Engine, project: Path, files_first: bool, called: str
) -> None:
    if files_first:
        sync(engine, project)
    run(engine, project, "exp_1", called)
    sync(engine, project)
    found = rows(engine)
    assert {one["id"] for one in found["test_suites"]} == {"bot/*", "bot/suites/rooms.grice.yaml"}
    assert [one["test_suite_id"] for one in found["test_cases"]] == ["bot/suites/rooms.grice.yaml"] * 2
    assert {one["test_case_id"] for one in found["test_results"]} == {
        one["id"] for one in found["test_cases"]
    }
    assert [one["test_suite_id"] for one in found["test_suite_runs"]] == ["bot/suites/rooms.grice.yaml"]
    assert all(one["content"] for one in found["test_cases"])
    with read_only(engine) as connection:
        first = cases_of_suite(connection, "bot/suites/rooms.grice.yaml")[0]
    (details,) = (one["details"] for one in found["test_results"] if one["test_case_id"] == first.id)
    assert all(one["id"] in details for one in first.assertions)  # so that each is told from the others


def test_a_file_with_mistakes_is_told_and_its_rows_stay(engine: Engine, project: Path) -> None:
    sync(engine, project)
    before = rows(engine)
    write(project, "rooms", ROOMS.replace("toContain", "toContan"))
    write(project, "second", "scenarios: [{say: Hi, expect: [{matcher: toContain, expected: a}]}]")
    wrong, right = sync(engine, project)
    assert (wrong.file, wrong.state, right.state) == ("suites/rooms.grice.yaml", "left out", "read")
    told = "rooms.grice.yaml:7:19: scenarios[0].expect[0].matcher: unknown matcher 'toContan'"
    assert any(told in one for one in wrong.problems)
    now = rows(engine)
    assert [one for one in now["test_cases"] if "rooms" in one["source_file"]] == before["test_cases"]


def test_a_file_that_is_gone_leaves_what_results_need(engine: Engine, project: Path) -> None:
    write(project, "second", "scenarios: [{say: Hi, expect: [{matcher: toContain, expected: a}]}]")
    sync(engine, project)
    run(engine, project, "exp_1")
    for name in ("rooms", "second"):
        (project / "suites" / f"{name}.grice.yaml").unlink()
    assert [one.state for one in sync(engine, project)] == ["gone", "gone"]
    found = rows(engine)
    assert len(found["test_results"]) == 2
    assert [(one["content"], one["inputs"]) for one in found["test_cases"]] == [(None, "{}")] * 2
    assert {one["id"] for one in found["test_suites"]} == {"bot/*", "bot/suites/rooms.grice.yaml"}
    with read_only(engine) as connection:
        assert suites_of_project(connection, "bot") == []
    assert sync(engine, project) == []
    write(project, "rooms", ROOMS)
    assert [one.state for one in sync(engine, project)] == ["read"]
    assert all(one["content"] for one in rows(engine)["test_cases"])


def test_a_scenario_goes_from_one_file_to_another(engine: Engine, project: Path) -> None:
    write(project, "z", ROOMS.replace("agent", "name: rooms\nagent", 1))
    (project / "suites" / "rooms.grice.yaml").unlink()
    sync(engine, project)
    moved = "{say: Lunch, expected_output: [1], output_type: json, run_mode: SKIP, description: food}"
    write(project, "a", f"name: rooms\nscenarios:\n  - {moved}\n")
    problem = sync(engine, project)[0].problems[0]
    assert "a.grice.yaml:3: the id 'scenario_" in problem
    assert problem.endswith("is used already, at suites/z.grice.yaml")
    write(project, "z", ROOMS.replace("agent", "name: rooms\nagent", 1).replace(f"  - {moved}\n", ""))
    assert [one.state for one in sync(engine, project)] == ["read", "read"]
    with read_only(engine) as connection:
        assert [len(cases_of_suite(connection, f"bot/suites/{name}.grice.yaml")) for name in "az"] == [1, 1]


def test_a_renamed_file_takes_its_cases_with_their_results(engine: Engine, project: Path) -> None:
    file = write(project, "rooms", ROOMS.replace("agent", "name: rooms\nagent", 1))
    sync(engine, project)
    run(engine, project, "exp_1")
    file.rename(project / "suites" / "other.grice.yaml")
    assert [one.state for one in sync(engine, project)] == ["read", "gone"]
    found = rows(engine)
    assert {one["id"] for one in found["test_suites"]} == {"bot/*", "bot/suites/other.grice.yaml"}
    assert [one["test_suite_id"] for one in found["test_suite_runs"]] == ["bot/suites/other.grice.yaml"]
    assert all(one["content"] for one in found["test_cases"])
    assert len(found["test_results"]) == 2


def test_a_file_takes_the_place_of_a_suite_that_says_the_same(engine: Engine, project: Path) -> None:
    value = {
        "name": "rooms",
        "scenarios": [{"id": "a", "say": "Hi", "expect": [{"matcher": "toContain", "expected": "a"}]}],
    }
    with locked(engine) as connection:
        made = make_suite(connection, "bot", value)
        (case,) = cases_of_suite(connection, made.id)
        change_case(
            connection, case.id, {"say": "Bye", "expect": [{"matcher": "toContain", "expected": "a"}]}
        )
    said = "scenarios: [{id: a, say: Hi, expect: [{matcher: toContain, expected: a}]}]"
    write(project, "rooms", said)
    problem = sync(engine, project)[0].problems[0]
    assert "rooms.grice.yaml:1: the id 'a' is used already, in the database by the suite 'rooms'" in problem
    assert "export it to this file, or give this file another name" in problem
    write(project, "rooms", said.replace("Hi", "Bye"))
    assert [one.state for one in sync(engine, project)] == ["read"]
    with read_only(engine) as connection:
        assert [one.id for one in suites_of_project(connection, "bot")] == ["bot/suites/rooms.grice.yaml"]


def test_many_at_once(url: str, engine: Engine, project: Path) -> None:
    for number in range(4):
        write(project, f"suite_{number}", ROOMS)

    def one(_: int) -> list[SyncedSuite]:
        mine = open_database(url)
        try:
            return sync(mine, project, anew=True)
        finally:
            mine.dispose()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(one, range(4)))
    assert {one.state for each in found for one in each} == {"read"}
    before = rows(engine)
    assert len(before["test_cases"]) == 10
    sync(engine, project, anew=True)
    assert rows(engine) == before


def test_what_a_database_does_not_take_is_told(engine: Engine, project: Path) -> None:
    write(project, "rooms", f"name: {'x' * 300}\n{ROOMS}")
    (found,) = sync(engine, project)
    assert found.problems[0].endswith("name: expected at most 250 characters, found 300")
    assert rows(engine)["test_cases"] == []
