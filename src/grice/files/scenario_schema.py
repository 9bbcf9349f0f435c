"""What a record of a scenario set may hold: the fields with a meaning, and what is wrong with a record."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Any

import msgspec

from grice.files.locate import JsonValue
from grice.files.suite_records import id_problem
from grice.text.suggest import nearest
from grice.typed import Problem, problems_in, says

MAX_TURNS = 1_000_000

Said = Annotated[str, says("a text that is not blank", pattern=r"\S")]
"""A text that says something: one that is left blank is forgotten, not meant."""


class ScenarioRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The fields with a meaning; null there is as good as no field. Others are the test's own data."""

    id: Annotated[str, says(check=id_problem)] | int | None = None
    name: Said | None = None
    goal: Said | None = None
    role: str | None = None
    personality: str | list[str] | None = None
    context: str | list[str] | None = None
    rules: list[Any] | None = None
    persona: str | dict[str, Any] | None = None
    verification: dict[str, Any] | None = None
    max_turns: Annotated[int, says(f"an integer from 0 to {MAX_TURNS:,}", ge=0, le=MAX_TURNS)] | None = None
    tags: list[str] | None = None


KNOWN = ScenarioRecord.__struct_fields__
"""The fields with a meaning of their own."""


def record_problems(record: JsonValue) -> list[Problem]:
    """Everything wrong with one record, which is an object."""
    return problems_in(record, ScenarioRecord)


def near_names(record: dict[str, JsonValue]) -> Iterator[tuple[str, str]]:
    """The fields of a record that look like a misspelt known one that it does not have, with that one."""
    for name in record:
        if name not in KNOWN:
            known = _near(name)
            if known and known not in record:
                yield name, known


@lru_cache(maxsize=1024)
def _near(name: str) -> str:
    """The known field that is meant, looked for once for all records of a set."""
    return nearest(name, KNOWN) if len(name) <= 40 else ""
