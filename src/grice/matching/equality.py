"""Equality as JSON sees it."""

from __future__ import annotations

import math
from collections.abc import Mapping

__all__ = ["TooDeep", "json_equal"]

MAX_DEPTH = 500


class TooDeep(ValueError):
    """Values nested deeper than Grice compares, or a cycle."""


def json_equal(actual: object, expected: object, depth: int = 0) -> bool:
    """Whether two values are the same JSON value.

    Booleans are not numbers, 1 equals 1.0, 0 equals -0, NaN equals NaN, tuples equal lists, key order does not count. An
    expected object of any other type, nested too, is asked by its own `==`, so `dirty-equals` and
    `pytest.approx` work. Raises TooDeep past 500 levels.
    """
    if depth > MAX_DEPTH:
        raise TooDeep(f"nested deeper than {MAX_DEPTH} levels")
    kind = type(expected)
    if expected is None or kind is bool:
        return actual is expected
    if kind is str:
        return isinstance(actual, str) and actual == expected
    if kind is int or kind is float:
        return _same_number(actual, expected)
    if kind is dict:
        return _same_object(actual, expected, depth)  # type: ignore[arg-type]
    if kind is list or kind is tuple:
        return (
            isinstance(actual, list | tuple)
            and len(actual) == len(expected)  # type: ignore[arg-type]
            and all(json_equal(a, e, depth + 1) for a, e in zip(actual, expected, strict=True))  # type: ignore[call-overload]
        )
    return bool(expected == actual)


def _same_number(actual: object, expected: object) -> bool:
    if isinstance(actual, bool) or not isinstance(actual, int | float):
        return False
    return actual == expected or (_is_nan(actual) and _is_nan(expected))


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _same_object(actual: object, expected: Mapping[str, object], depth: int) -> bool:
    if not isinstance(actual, Mapping) or actual.keys() != expected.keys():
        return False
    return all(json_equal(actual[key], value, depth + 1) for key, value in expected.items())
