"""What a record of a scenario set may hold: the fields with a meaning, and what is wrong with a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple, cast

from grice.files.ids import id_problem
from grice.files.locate import JsonPath, JsonValue
from grice.text import value_text

__all__ = ["KNOWN", "Problem", "near_names", "record_problems"]

MAX_TURNS = 1_000_000
_NEAR = 0.8


class Problem(NamedTuple):
    """Something wrong in a record: where in it, and what."""

    path: JsonPath
    message: str


def record_problems(record: JsonValue) -> list[Problem]:
    """Everything wrong with one record.

    A record is an object. Fields with a meaning have a type, and null there is as good as no field; other
    fields are the test's own data and hold what they like.
    """
    if not isinstance(record, dict):
        return [Problem((), f"expected an object, found {value_text(record)}")]
    fields = cast("dict[str, JsonValue]", record)
    problems: list[Problem] = []
    for name, check in _CHECKS.items():
        value = fields.get(name)
        if value is not None:
            problems += check((name,), value)
    return problems


def near_names(record: dict[str, JsonValue]) -> Iterator[tuple[str, str]]:
    """The fields of a record that look like a misspelt known one that it does not have, with that one."""
    for name in record:
        if name not in _CHECKS:
            known = _near(name)
            if known and known not in record:
                yield name, known


@lru_cache(maxsize=1024)
def _near(name: str) -> str:
    if len(name) > 40:
        return ""
    from difflib import get_close_matches

    lowered = name.lower()
    if lowered == "id":
        return lowered
    nearest = get_close_matches(lowered, [known for known in _CHECKS if known != "id"], n=1, cutoff=_NEAR)
    return nearest[0] if nearest else ""


Check = Callable[[JsonPath, JsonValue], list[Problem]]


def _wrong(path: JsonPath, expected: str, value: JsonValue) -> list[Problem]:
    return [Problem(path, f"expected {expected}, found {value_text(value)}")]


def _id(path: JsonPath, value: JsonValue) -> list[Problem]:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return _wrong(path, "a string or an integer", value)
    problem = id_problem(value) if isinstance(value, str) else ""
    return [Problem(path, problem)] if problem else []


def _text(path: JsonPath, value: JsonValue) -> list[Problem]:
    return [] if isinstance(value, str) else _wrong(path, "a string", value)


def _said(path: JsonPath, value: JsonValue) -> list[Problem]:
    """A text that says something: one that is left blank is forgotten, not meant."""
    if isinstance(value, str) and not value.strip():
        return _wrong(path, "a text that is not blank", value)
    return _text(path, value)


def _texts(path: JsonPath, value: JsonValue, expected: str = "a list of strings") -> list[Problem]:
    if not isinstance(value, list):
        return _wrong(path, expected, value)
    return [
        Problem((*path, index), f"expected a string, found {value_text(one)}")
        for index, one in enumerate(value)
        if not isinstance(one, str)
    ]


def _text_or_texts(path: JsonPath, value: JsonValue) -> list[Problem]:
    return [] if isinstance(value, str) else _texts(path, value, "a string or a list of strings")


def _list(path: JsonPath, value: JsonValue) -> list[Problem]:
    return [] if isinstance(value, list) else _wrong(path, "a list", value)


def _text_or_object(path: JsonPath, value: JsonValue) -> list[Problem]:
    return [] if isinstance(value, str | dict) else _wrong(path, "a string or an object", value)


def _object(path: JsonPath, value: JsonValue) -> list[Problem]:
    return [] if isinstance(value, dict) else _wrong(path, "an object", value)


def _count(path: JsonPath, value: JsonValue) -> list[Problem]:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if whole and 0 <= value <= MAX_TURNS:
        return []
    return _wrong(path, f"an integer from 0 to {MAX_TURNS:,}", value)


_CHECKS: dict[str, Check] = {
    "id": _id,
    "name": _said,
    "goal": _said,
    "role": _text,
    "personality": _text_or_texts,
    "context": _text_or_texts,
    "rules": _list,
    "persona": _text_or_object,
    "verification": _object,
    "max_turns": _count,
    "tags": _texts,
}

KNOWN = tuple(_CHECKS)
"""The fields with a meaning of their own."""
