"""Cases of PromptKitchen's server are read as scenarios that judge as before, and get assertions."""

from __future__ import annotations

from typing import Any

import pytest
from baseline import make_baseline
from sqlalchemy import Engine, select, text

from grice.matching.assertions.evaluation import evaluate_assertions
from grice.records import JsonValue
from grice.store.columns import json_text, json_value
from grice.store.database import locked
from grice.store.errors import StoreError
from grice.store.migrating import upgrade
from grice.store.suite_editing import copy_suite, delete_suite
from grice.store.suite_editing import migrate_case as migrate_case_in
from grice.store.suites import cases_of_suite, find_case, find_suite, suite_file_text, suites_of_prompt
from grice.store.tables import test_cases as cases


@pytest.fixture
def old(empty: Engine) -> Engine:
    make_baseline(empty)
    upgrade(empty)
    return empty


def case(engine: Engine, id_: str) -> Any:
    with engine.connect() as connection:
        return connection.execute(select(cases).where(cases.c.id == id_)).one()


def migrate_case(engine: Engine, id_: str) -> list[JsonValue]:
    with locked(engine) as connection:
        return migrate_case_in(connection, id_)


def passes_in(engine: Engine, id_: str, output: str) -> bool:
    """Whether the output passes by what a suite file says of the case."""
    with engine.connect() as connection:
        said: dict[str, Any] = find_case(connection, id_).scenario
    checks = [
        {name: one for name, one in check.items() if name != "parse"} for check in said.get("expect", [])
    ]
    parse: Any = next((check["parse"] for check in said.get("expect", []) if "parse" in check), "auto")
    return evaluate_assertions(
        output,
        checks,
        parse=parse,
        expected_output=said.get("expected_output", ""),
        output_type=said.get("output_type", "string"),
    ).passed


OUTPUTS = [
    ("text", "Hello, Ada", True),
    ("text", "Hello, Ada ", False),
    ("text", '"Hello, Ada"', False),
    ("json", '{"b": [true], "a": 1}', True),
    ("json", '{"b": [true], "a": 1.0}', True),
    ("json", '{"b": [true]}', False),
    ("json", "no JSON", False),
]


@pytest.mark.parametrize(("id_", "output", "passes"), OUTPUTS)
def test_a_case_without_assertions_is_judged_by_its_expected_output(
    old: Engine, id_: str, output: str, passes: bool
) -> None:
    assert passes_in(old, id_, output) is passes


@pytest.mark.parametrize(("id_", "output", "passes"), OUTPUTS)
def test_the_assertion_that_it_gets_judges_the_same(old: Engine, id_: str, output: str, passes: bool) -> None:
    migrate_case(old, id_)
    assert passes_in(old, id_, output) is passes


def test_what_a_case_gets(old: Engine) -> None:
    made = migrate_case(old, "json")
    assert made == [
        {
            "id": "expected_output",
            "path": "$",
            "pathMatch": "ANY",
            "matcher": "toEqual",
            "expected": {"a": 1, "b": [True]},
        }
    ]
    row = case(old, "json")
    assert json_value(row.assertions) == made
    assert row.expected_output == '{"a": 1, "b": [true]}'
    with pytest.raises(StoreError, match="json: it has assertions already"):
        migrate_case(old, "json")
    with pytest.raises(StoreError, match="nobody: there is no such case"):
        migrate_case(old, "nobody")


def test_white_space_around_a_text_is_left_out_in_a_suite_file_too(old: Engine) -> None:
    with old.begin() as connection:
        connection.execute(text("UPDATE test_cases SET should_trim_whitespace = true"))
    with pytest.raises(StoreError, match="it leaves out white space, which toEqual does not"):
        migrate_case(old, "text")
    with old.connect() as connection:
        said = suite_file_text(connection, find_suite(connection, "s1"))
    assert (
        said.count("should_trim_whitespace: true\n    expected_output: Hello, Ada") == said.count("trim") == 1
    )


def test_its_suites_and_cases_are_read(old: Engine) -> None:
    with old.connect() as connection:
        (suite,) = suites_of_prompt(connection, "pr1")
        json_case, text_case = cases_of_suite(connection, suite.id)
    assert (suite.id, suite.project, suite.prompt, suite.name) == ("s1", "p1", "pr1", "Greetings")
    assert (suite.source_file, suite.fingerprint, suite.head) == (None, None, {})
    assert text_case.scenario == {"id": "text", "inputs": {"name": "Ada"}, "expected_output": "Hello, Ada"}
    assert (json_case.run_mode, json_case.output_type) == ("ONLY", "json")
    assert json_case.scenario["run_mode"] == "ONLY"


def test_assertions_are_preferred_and_kept_as_they_were(old: Engine) -> None:
    given = [{"id": "a", "path": "$.a", "matcher": "toEqual", "expected": "half \ud800 and \0"}]
    with old.begin() as connection:
        connection.execute(cases.update().where(cases.c.id == "text").values(assertions=json_text(given)))
    with old.connect() as connection:
        assert find_case(connection, "text").scenario["expect"] == given
    assert not passes_in(old, "text", "Hello, Ada")


def test_its_suites_are_copied_and_deleted_with_their_results_kept(old: Engine) -> None:
    with locked(old) as connection:
        copied = copy_suite(connection, "s1", "Others")
        assert (copied.prompt, copied.project) == ("pr1", "p1")
        assert [one.key for one in cases_of_suite(connection, copied.id)] == ["json", "text"]
        delete_suite(connection, "s1")
        assert [one.id for one in suites_of_prompt(connection, "pr1")] == [copied.id]
        assert connection.execute(text("SELECT count(*) FROM test_results")).scalar() == 2
