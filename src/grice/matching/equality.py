"""Equality as JSON sees it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

__all__ = ["Difference", "TooDeep", "first_difference", "json_equal"]

MAX_DEPTH = 200


class TooDeep(ValueError):
    """Values nested deeper than Grice compares, or a cycle."""


def json_equal(actual: object, expected: object, depth: int = 0) -> bool:
    """Whether two values are the same JSON value.

    Booleans are not numbers, 1 equals 1.0, 0 equals -0, NaN equals NaN, tuples equal lists, key order does
    not count. An expected object of any other type, nested too, is asked by its own `==`, so `dirty-equals`
    and `pytest.approx` work. Raises TooDeep past 200 levels.
    """
    if expected is None or isinstance(expected, bool):
        return actual is expected
    if isinstance(expected, str):
        return isinstance(actual, str) and actual == expected
    if isinstance(expected, int | float):
        return _same_number(actual, expected)
    if depth > MAX_DEPTH:
        raise TooDeep(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(expected, dict):
        return _same_object(actual, expected, depth)
    if isinstance(expected, list | tuple):
        return _same_array(actual, expected, depth)
    return bool(expected == actual)


def _same_number(actual: object, expected: float) -> bool:
    if isinstance(actual, bool) or not isinstance(actual, int | float):
        return False
    return actual == expected or (_is_nan(actual) and _is_nan(expected))


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _same_object(actual: object, expected: Mapping[Any, object], depth: int) -> bool:
    if not isinstance(actual, Mapping) or actual.keys() != expected.keys():
        return False
    for key, value in expected.items():  # noqa: SIM110 - a generator would double the depth of the stack
        if not json_equal(actual[key], value, depth + 1):
            return False
    return True


def _same_array(actual: object, expected: Sequence[object], depth: int) -> bool:
    if not isinstance(actual, list | tuple) or len(actual) != len(expected):
        return False
    for one, other in zip(actual, expected, strict=True):  # noqa: SIM110 - as above
        if not json_equal(one, other, depth + 1):
            return False
    return True


class Difference(msgspec.Struct, frozen=True):
    """The first place where two values differ. `path` is a JSON path; a side that is not there is MISSING."""

    path: str
    actual: object
    expected: object


class _Missing:
    def __repr__(self) -> str:
        return "nothing"


MISSING = _Missing()


def first_difference(actual: object, expected: object) -> Difference:
    """The innermost first place where two values that are not equal differ."""
    path = "$"
    while True:
        steps = _steps(actual, expected)
        step = next((s for s in steps if MISSING in s[1:] or not json_equal(s[1], s[2])), None)
        if step is None:
            return Difference(path, actual, expected)
        path += step[0]
        actual, expected = step[1], step[2]


def _steps(actual: object, expected: object) -> list[tuple[str, object, object]]:
    """The members of two containers of one kind, side by side; empty for anything else."""
    if isinstance(actual, Mapping) and isinstance(expected, dict):
        keys = [*expected, *(key for key in actual if key not in expected)]
        return [(_member(key), actual.get(key, MISSING), expected.get(key, MISSING)) for key in keys]
    if isinstance(actual, list | tuple) and isinstance(expected, list | tuple):
        size = max(len(actual), len(expected))
        sides = ([*side, *[MISSING] * (size - len(side))] for side in (actual, expected))
        return [(f"[{index}]", *pair) for index, pair in enumerate(zip(*sides, strict=True))]
    return []


def _member(key: object) -> str:
    return f".{key}" if isinstance(key, str) and key.isidentifier() else f"[{key!r}]"
