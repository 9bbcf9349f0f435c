"""Cases of PromptKitchen's server are judged by its rule, and get assertions that judge the same."""

from __future__ import annotations

from typing import Any

import pytest
from baseline import make_baseline
from grice.store.cases import judge_output, migrate_case, set_assertions
from sqlalchemy import Engine, select, text

from grice.store.columns import json_value
from grice.store.errors import StoreError
from grice.store.migrating import upgrade
from grice.store.tables import test_cases as cases


@pytest.fixture
def old(empty: Engine) -> Engine:
    make_baseline(empty)
    upgrade(empty)
    return empty


def case(engine: Engine, id_: str) -> Any:
    with engine.connect() as connection:
        return connection.execute(select(cases).where(cases.c.id == id_)).one()


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
    assert judge_output(case(old, id_), output).passed is passes


@pytest.mark.parametrize(("id_", "output", "passes"), OUTPUTS)
def test_the_assertion_that_it_gets_judges_the_same(old: Engine, id_: str, output: str, passes: bool) -> None:
    migrate_case(old, id_)
    assert judge_output(case(old, id_), output).passed is passes


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


def test_white_space_is_left_out_where_the_case_says_so(old: Engine) -> None:
    with old.begin() as connection:
        connection.execute(text("UPDATE test_cases SET should_trim_whitespace = true WHERE id = 'text'"))
    assert judge_output(case(old, "text"), "  Hello, Ada\n").passed
    with pytest.raises(StoreError, match="it leaves out white space, which toEqual does not"):
        migrate_case(old, "text")


def test_assertions_are_preferred_and_kept_as_they_were(old: Engine) -> None:
    given = [{"id": "a", "path": "$.a", "matcher": "toEqual", "expected": "half \ud800 and \0"}]
    set_assertions(old, "text", given)
    assert json_value(case(old, "text").assertions) == given
    assert not judge_output(case(old, "text"), "Hello, Ada").passed
    with pytest.raises(StoreError, match="no such case"):
        set_assertions(old, "nobody", given)
