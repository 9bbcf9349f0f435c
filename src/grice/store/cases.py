"""Cases as the database has them: judging an output by one, and bringing an old one to assertions."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Engine, select, update

from grice.matching.assertions.evaluation import Evaluation, evaluate_assertions, legacy_assertion
from grice.records import JsonValue
from grice.store.columns import json_value
from grice.store.database import locked
from grice.store.details import assertions_text
from grice.store.errors import StoreError
from grice.store.tables import test_cases

__all__ = ["judge_output", "migrate_case", "set_assertions"]


def judge_output(case: Any, output: str) -> Evaluation:
    """Judge an output by a row of `test_cases`: by its assertions, else by its expected output.

    That is compared as text, or as JSON where the row says so; white space around both is left out where it
    says that.
    """
    parse: Any = "json" if case.output_type == "json" else "auto"
    assertions: list[Any] = json_value(case.assertions) if case.assertions else []
    if assertions:
        return evaluate_assertions(output, assertions, parse=parse)
    expected = case.expected_output
    if case.should_trim_whitespace:
        output, expected = output.strip(), expected.strip()
    return evaluate_assertions(output, expected_output=expected, output_type=case.output_type)


def migrate_case(engine: Engine, id_: str) -> list[JsonValue]:
    """Give the case one assertion, `toEqual` at `$`, of its expected output; the assertions it has now.

    Raises StoreError where there is no such case, it has assertions already, or one would judge differently.
    """
    cases = test_cases.c
    with locked(engine) as connection:
        row = connection.execute(select(test_cases).where(cases.id == id_)).first()
        if row is None:
            raise StoreError(f"{id_}: there is no such case")
        if row.assertions and json_value(row.assertions):
            raise StoreError(f"{id_}: it has assertions already")
        if row.should_trim_whitespace:
            raise StoreError(f"{id_}: it leaves out white space, which toEqual does not")
        assertion = legacy_assertion(row.expected_output, row.output_type)
        made: list[JsonValue] = [{**msgspec.to_builtins(assertion), "path": "$", "pathMatch": "ANY"}]
        text = assertions_text(made)
        connection.execute(update(test_cases).where(cases.id == id_).values(assertions=text))
    return made


def set_assertions(engine: Engine, id_: str, assertions: list[JsonValue]) -> None:
    """Write the assertions of a case. Raises StoreError where they are too large, and for no such case."""
    text = assertions_text(assertions)
    with locked(engine) as connection:
        changed = connection.execute(update(test_cases).where(test_cases.c.id == id_).values(assertions=text))
        if not changed.rowcount:
            raise StoreError(f"{id_}: there is no such case")
