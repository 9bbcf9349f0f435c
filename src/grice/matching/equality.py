"""Equality as JSON sees it, and where two values differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from grice.matching.values import MISSING

MAX_DEPTH = 200
MAX_DIFFERENCES = 10

Compared = dict[tuple[int, int], tuple[object, object]]
"""Pairs of containers that were found equal or are being compared, by identity; it keeps them alive."""


class TooDeep(ValueError):
    """Values nested deeper than Grice compares."""


def json_equal(actual: object, expected: object) -> bool:
    """Whether two values are the same JSON value.

    Booleans are not numbers, 1 equals 1.0, 0 equals -0, NaN equals NaN, tuples equal lists, key order does
    not count, MISSING equals itself only. An expected object of any other type, nested too, is asked by its
    own `==`, so `dirty-equals` and `pytest.approx` work. Containers inside themselves are equal when they
    look the same however far one goes in. Raises TooDeep past 200 levels.
    """
    return _equal(actual, expected, {}, 0)


def _equal(actual: object, expected: object, compared: Compared, depth: int) -> bool:
    if expected is None or expected is MISSING or isinstance(expected, bool):
        return actual is expected
    if isinstance(expected, str):
        return isinstance(actual, str) and actual == expected
    if isinstance(expected, (int, float)):
        return _same_number(actual, expected)
    if not isinstance(expected, (dict, list, tuple, Mapping)):
        return bool(expected == actual)
    if depth > MAX_DEPTH:
        raise TooDeep(f"nested deeper than {MAX_DEPTH} levels")
    pair = (id(actual), id(expected))
    if pair in compared:  # shared parts are compared once, so that no value takes exponential time
        return True
    compared[pair] = (actual, expected)
    if isinstance(expected, (list, tuple)):
        return _same_array(actual, expected, compared, depth + 1)
    return _same_object(actual, expected, compared, depth + 1)


def _same_number(actual: object, expected: float) -> bool:
    if isinstance(actual, bool) or not isinstance(actual, (int, float)):
        return False
    return actual == expected or (_is_nan(actual) and _is_nan(expected))


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _same_object(actual: object, expected: Mapping[Any, object], compared: Compared, depth: int) -> bool:
    if not isinstance(actual, Mapping) or actual.keys() != expected.keys():
        return False
    for key, value in expected.items():  # noqa: SIM110 - a generator would double the depth of the stack
        if not _equal(actual[key], value, compared, depth):
            return False
    return True


def _same_array(actual: object, expected: Sequence[object], compared: Compared, depth: int) -> bool:
    if not isinstance(actual, (list, tuple)) or len(actual) != len(expected):
        return False
    for one, other in zip(actual, expected, strict=True):  # noqa: SIM110 - as above
        if not _equal(one, other, compared, depth):
            return False
    return True


class Difference(msgspec.Struct, frozen=True):
    """A place where two values differ. `path` is a JSON path; a side that is not there is MISSING."""

    path: str
    actual: object
    expected: object


def first_difference(actual: object, expected: object) -> Difference:
    """The innermost first place where two values that are not equal differ."""
    return differences(actual, expected, most=1)[0]


def differences(actual: object, expected: object, *, most: int = MAX_DIFFERENCES) -> list[Difference]:
    """The innermost places where two values that are not equal differ, in order, at most `most` of them.

    At least one. Lists are compared element by element, objects in the order of the expected keys.
    """
    found: list[Difference] = []
    _collect("$", (actual, expected), found, most, MAX_DEPTH)
    return found


def _collect(path: str, sides: tuple[object, object], found: list[Difference], most: int, room: int) -> None:
    steps = [step for step in _steps(*sides) if not json_equal(step[1], step[2])]
    if not steps or not room:  # a container inside itself has no innermost place
        found.append(Difference(path, *sides))
        return
    for step, one, other in steps:
        if len(found) < most:
            _collect(path + step, (one, other), found, most, room - 1)


def _steps(actual: object, expected: object) -> list[tuple[str, object, object]]:
    """The members of two containers of one kind, side by side; empty for anything else."""
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        keys = [*expected, *(key for key in actual if key not in expected)]
        return [(member(key), actual.get(key, MISSING), expected.get(key, MISSING)) for key in keys]
    if isinstance(actual, (list, tuple)) and isinstance(expected, (list, tuple)):
        size = max(len(actual), len(expected))
        sides = ([*side, *[MISSING] * (size - len(side))] for side in (actual, expected))
        return [(f"[{index}]", *pair) for index, pair in enumerate(zip(*sides, strict=True))]
    return []


def member(key: object) -> str:
    """The step of a JSON path to a member: `.name`, or `['my name']`."""
    return f".{key}" if isinstance(key, str) and key.isidentifier() else f"[{key!r}]"
