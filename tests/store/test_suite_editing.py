"""Suites and cases that stand in no file are made, changed, copied, moved and deleted as right ones only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine

from grice.files.suite_files import load_suite, read_suite
from grice.matching.limits import DEFAULT_LIMITS
from grice.running.journal.writing import Journal
from grice.running.suite import run_scenario
from grice.store.database import locked
from grice.store.errors import NoSuchRow, StandsInFile, StoreError, SuiteProblems
from grice.store.suite_editing import (
    change_case,
    change_suite,
    copy_case,
    copy_suite,
    delete_case,
    delete_suite,
    make_case,
    make_suite,
    migrate_case,
    move_case,
)
from grice.store.suite_syncing import sync_suites
from grice.store.suites import (
    Suite,
    cases_of_suite,
    document_of,
    find_case,
    find_suite,
    suite_file_text,
    suite_named,
    suites_of_project,
    suites_of_prompt,
)
from grice.store.syncing import sync_folder
from journals import head, rows


def scenario(id_: str | None = None, say: str = "Hi") -> dict[str, Any]:
    said = {"say": say, "expect": [{"matcher": "toContain", "expected": "Hi"}]}
    return said if id_ is None else {"id": id_, **said}


@pytest.fixture
def connection(engine: Engine) -> Iterator[Connection]:
    with locked(engine) as connection:
        yield connection


@pytest.fixture
def suite(connection: Connection) -> Suite:
    return make_suite(connection, "bot", {"name": "greetings", "scenarios": [scenario("a"), scenario("b")]})


def keys(connection: Connection, suite: str) -> list[str]:
    return [one.key for one in cases_of_suite(connection, suite)]


def test_a_suite_is_made_and_found(connection: Connection, suite: Suite) -> None:
    assert (suite.name, suite.project, suite.prompt, suite.source_file) == ("greetings", "bot", None, None)
    assert suites_of_project(connection, "bot") == [suite]
    assert suite_named(connection, "bot", "greetings") == find_suite(connection, suite.id) == suite
    with pytest.raises(NoSuchRow, match=r"greeting: bot has no such suite in the database \(did you mean"):
        suite_named(connection, "bot", "greeting")
    with pytest.raises(NoSuchRow, match="nobody: there is no such suite"):
        find_suite(connection, "nobody")
    with pytest.raises(NoSuchRow, match="nobody: there is no such case"):
        find_case(connection, "nobody")


def test_a_suite_of_a_prompt(connection: Connection, suite: Suite) -> None:
    made = make_suite(connection, "bot", {"name": "of a prompt"}, prompt="bot/agent")
    assert made.prompt is None  # that which stands for the agent is none
    assert suites_of_prompt(connection, "bot/agent") == []


def test_a_suite_may_have_no_scenario_so_far(connection: Connection) -> None:
    made = make_suite(connection, "bot", {"name": "empty", "agent": "app:agent"})
    assert cases_of_suite(connection, made.id) == []
    with pytest.raises(SuiteProblems, match="scenarios: it has none, and a suite file has at least one"):
        suite_file_text(connection, made)
    case = make_case(connection, made.id, scenario())
    assert case.key == case.scenario["id"]
    assert case.key.startswith("scenario_")
    assert find_suite(connection, made.id).fingerprint != made.fingerprint


def test_everything_wrong_is_told_at_once_with_its_place(connection: Connection, suite: Suite) -> None:
    wrong = {
        "nam": "x",
        "agent": "",
        "scenarios": [{"id": "a", "sya": "Hi", "expect": [{"matcher": "toContan", "expected": 1}]}],
    }
    with pytest.raises(SuiteProblems) as told:
        make_suite(connection, "bot", wrong)
    places = {str(one).partition(":")[0] for one in told.value.problems}
    assert places >= {"agent", "scenarios[0]", "scenarios[0].expect[0].matcher", "name"}
    with pytest.raises(SuiteProblems) as told:
        make_case(connection, suite.id, {"say": "", "expect": [{"matcher": "toContan", "on": "replay"}]})
    assert {one.path for one in told.value.problems} == {
        ("say",),
        ("expect", 0, "matcher"),
        ("expect", 0, "on"),
    }
    assert keys(connection, suite.id) == ["a", "b"]


@pytest.mark.parametrize("given", [None, [], "x", {"name": " "}, {"name": "x" * 251}, {"name": 5}])
def test_what_is_no_suite(connection: Connection, given: object) -> None:
    with pytest.raises(SuiteProblems):
        make_suite(connection, "bot", given)


@pytest.mark.parametrize("given", [None, [], "x", {}, {"say": float("nan")}, {"say": "Hi", "expect": [{1}]}])
def test_what_is_no_case(connection: Connection, suite: Suite, given: object) -> None:
    with pytest.raises(SuiteProblems):
        make_case(connection, suite.id, given)


def test_modules_that_a_suite_names_are_not_imported(connection: Connection) -> None:
    checks = [{"matcher": "toQuoteNothing"}]
    given = {"name": "x", "matchers": ["os"], "scenarios": [{"say": "Hi", "expect": checks}]}
    with pytest.raises(SuiteProblems, match="unknown matcher 'toQuoteNothing'"):
        make_suite(connection, "bot", given)


def test_a_case_keeps_its_id_when_it_changes(connection: Connection, suite: Suite) -> None:
    case = cases_of_suite(connection, suite.id)[0]
    changed = change_case(
        connection, case.id, {"say": "Bye", "evaluate": [{"matcher": "toHaveLength", "expected": 1}]}
    )
    assert (changed.id, changed.key, changed.position) == (case.id, "a", 0)
    assert changed.scenario["say"] == "Bye"
    assert (changed.assertions, changed.fingerprint == case.fingerprint) == ([], False)
    renamed = change_case(connection, case.id, scenario("c"))
    assert renamed.id != case.id
    assert keys(connection, suite.id) == ["c", "b"]
    with pytest.raises(SuiteProblems, match="id: the id 'b' is used already in this suite"):
        change_case(connection, renamed.id, scenario("b"))


def test_a_suite_is_renamed_and_keeps_its_cases(connection: Connection, suite: Suite) -> None:
    renamed = change_suite(connection, suite.id, {"name": "others", "agent": "app:agent"})
    assert (renamed.id, renamed.name, renamed.head) == (suite.id, "others", {"agent": "app:agent"})
    assert keys(connection, suite.id) == ["a", "b"]
    whole = {"name": "others", "scenarios": [scenario("b", "Bye"), scenario("c")]}
    change_suite(connection, suite.id, whole)
    assert keys(connection, suite.id) == ["b", "c"]
    assert document_of(connection, find_suite(connection, suite.id)) == whole


def test_copies_and_moves(connection: Connection, suite: Suite) -> None:
    other = copy_suite(connection, suite.id, "others")
    assert keys(connection, other.id) == ["a", "b"]
    first, second = cases_of_suite(connection, suite.id)
    assert copy_case(connection, first.id).key == "a-2"
    assert copy_case(connection, first.id, other.id).key == "a-2"
    move_case(connection, second.id, position=0)
    assert keys(connection, suite.id) == ["b", "a", "a-2"]
    with pytest.raises(SuiteProblems, match="the id 'b' is used already in this suite"):
        move_case(connection, second.id, other.id)
    empty = make_suite(connection, "bot", {"name": "empty"})
    assert move_case(connection, second.id, empty.id).key == "b"
    assert keys(connection, suite.id) == ["a", "a-2"]
    delete_case(connection, first.id)
    assert keys(connection, suite.id) == ["a-2"]
    assert keys(connection, other.id) == ["a", "b", "a-2"]


def test_two_suites_of_one_name_do_not_share_an_id(connection: Connection, suite: Suite) -> None:
    with pytest.raises(SuiteProblems, match=f"name: another suite 'greetings' stands as {suite.id} and has"):
        make_suite(connection, "bot", {"name": "greetings", "scenarios": [scenario("b")]})
    with pytest.raises(SuiteProblems, match="choose another name"):
        copy_suite(connection, suite.id, "greetings")
    make_suite(connection, "bot", {"name": "greetings", "scenarios": [scenario("c")]})
    with pytest.raises(StoreError, match="greetings: several suites are called so"):
        suite_named(connection, "bot", "greetings")


def test_results_outlive_their_cases(engine: Engine, tmp_path: Path) -> None:
    with locked(engine) as connection:
        made = make_suite(
            connection, "bot", {"name": "greetings", "scenarios": [scenario("a"), scenario("b")]}
        )
        scenarios, problems = read_suite(document_of(connection, made), made.name)
    assert problems == []
    with Journal.create(tmp_path / "exp_1", head("exp_1", planned=1)) as journal:
        journal.append(run_scenario(scenarios[0], lambda _: "Hi there"))
    assert [one.problem for one in sync_folder(engine, tmp_path, "bot")] == [""]
    with locked(engine) as connection:
        first = cases_of_suite(connection, made.id)[0]
        assert [one["test_case_id"] for one in rows_of(connection, "test_results")] == [first.id]
        delete_suite(connection, made.id)
    found = rows(engine)
    assert [one["id"] for one in found["test_cases"]] == [first.id]
    assert len(found["test_results"]) == len(found["test_suite_runs"]) == 1
    with locked(engine) as connection:
        assert suites_of_project(connection, "bot") == []
        with pytest.raises(NoSuchRow):
            find_case(connection, first.id)


def rows_of(connection: Connection, table: str) -> list[dict[str, Any]]:
    return [dict(one) for one in connection.exec_driver_sql(f"SELECT * FROM {table}").mappings()]


def test_what_stands_in_a_file_is_changed_there(engine: Engine, tmp_path: Path) -> None:
    text = "scenarios: [{id: a, say: Hi, expect: [{matcher: toContain, expected: a}]}]"
    (tmp_path / "rooms.grice.yaml").write_text(text)
    sync_suites(engine, tmp_path, "bot", load_suite)
    with locked(engine) as connection:
        suite = suite_named(connection, "bot", "rooms.grice.yaml")
        (case,) = cases_of_suite(connection, suite.id)
        told = "rooms: it stands in rooms.grice.yaml: change it there"
        for change in (
            lambda: change_suite(connection, suite.id, {"name": "x"}),
            lambda: delete_suite(connection, suite.id),
            lambda: make_case(connection, suite.id, scenario()),
            lambda: change_case(connection, case.id, scenario()),
            lambda: move_case(connection, case.id, position=0),
            lambda: delete_case(connection, case.id),
            lambda: migrate_case(connection, case.id),
        ):
            with pytest.raises(StandsInFile, match=told):
                change()
        assert keys(connection, copy_suite(connection, suite.id, "mine").id) == ["a"]


def test_the_limit_on_assertions(connection: Connection, suite: Suite) -> None:
    def sized(length: int) -> dict[str, Any]:
        return {"id": "c", "say": "Hi", "expect": [{"matcher": "toContain", "expected": "x" * length}]}

    most = DEFAULT_LIMITS.max_assertion_json_bytes
    written = len(
        '[{"expected":"","id":"assertion_12345678","matcher":"toContain","path":"$","pathMatch":"ANY"}]'
    )
    case = make_case(connection, suite.id, sized(most - written))
    with pytest.raises(StoreError, match="assertions: 65537 bytes of JSON, more than the 65536"):
        change_case(connection, case.id, sized(most - written + 1))
    with pytest.raises(SuiteProblems, match="the checks take 65,600 bytes as JSON, at most 65,536"):
        change_case(connection, case.id, sized(65_600 - len('[{"matcher":"toContain","expected":""}]')))


def test_an_expected_output_becomes_an_assertion(connection: Connection, suite: Suite) -> None:
    given = {"id": "c", "say": "Hi", "expected_output": '{"a": 1}', "output_type": "json"}
    case = make_case(connection, suite.id, given)
    made = migrate_case(connection, case.id)
    changed = find_case(connection, case.id)
    assert changed.assertions == made
    assert changed.scenario == {"id": "c", "say": "Hi", "expect": [{**made[0], "parse": "json"}]}
    assert read_suite([changed.scenario], "x")[1] == []
    with pytest.raises(StoreError, match="it has assertions already"):
        migrate_case(connection, case.id)
