"""Matchers on numbers: comparisons and nearness. Their names are Jest's."""

from __future__ import annotations

import math
from typing import TypeGuard

from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, Unsuitable, matcher
from grice.records import Verdict, failed, passed
from grice.text import value_text

__all__ = [
    "be_close_to",
    "be_greater_than",
    "be_greater_than_or_equal",
    "be_less_than",
    "be_less_than_or_equal",
]

MAX_DIGITS = 300


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check_bound(expected: object) -> None:
    if not _is_number(expected):
        raise ArgumentError(f"expected a number, found {value_text(expected)}")


def _number(subject: object) -> float:
    if not _is_number(subject):
        raise Unsuitable(f"a number, found {value_text(subject)}")
    return subject


@matcher(
    "toBeGreaterThan",
    layer=1,
    describe=lambda expected: f"be greater than {value_text(expected)}",
    check=_check_bound,
    wants=("a greater number", "no greater number"),
)
def be_greater_than(subject: float, ctx: Context, expected: float) -> bool:
    """The number is greater than `expected`; anything but a number is an `error`."""
    return _number(subject) > expected


@matcher(
    "toBeGreaterThanOrEqual",
    layer=1,
    describe=lambda expected: f"be at least {value_text(expected)}",
    check=_check_bound,
    wants=("that number or a greater one", "a smaller number"),
)
def be_greater_than_or_equal(subject: float, ctx: Context, expected: float) -> bool:
    """The number is `expected` or greater; anything but a number is an `error`."""
    return _number(subject) >= expected


@matcher(
    "toBeLessThan",
    layer=1,
    describe=lambda expected: f"be less than {value_text(expected)}",
    check=_check_bound,
    wants=("a smaller number", "no smaller number"),
)
def be_less_than(subject: float, ctx: Context, expected: float) -> bool:
    """The number is less than `expected`; anything but a number is an `error`."""
    return _number(subject) < expected


@matcher(
    "toBeLessThanOrEqual",
    layer=1,
    describe=lambda expected: f"be at most {value_text(expected)}",
    check=_check_bound,
    wants=("that number or a smaller one", "a greater number"),
)
def be_less_than_or_equal(subject: float, ctx: Context, expected: float) -> bool:
    """The number is `expected` or less; anything but a number is an `error`."""
    return _number(subject) <= expected


def _check_close(value: object, digits: object = 2) -> None:
    _check_bound(value)
    if isinstance(digits, bool) or not isinstance(digits, int) or abs(digits) > MAX_DIGITS:
        raise ArgumentError(f"digits: expected a whole number up to {MAX_DIGITS}, found {value_text(digits)}")


@matcher(
    "toBeCloseTo",
    layer=1,
    describe=lambda value, digits=2: (
        f"be close to {value_text(value)} ({digits} digit{'' if digits == 1 else 's'})"
    ),
    check=_check_close,
    wants=("a number close to it", "no number close to it"),
)
def be_close_to(subject: float, ctx: Context, value: float, digits: int = 2) -> Verdict:
    """The number differs from `value` by less than half of the last of `digits` decimal places.

    With 2 digits by less than 0.005. Anything but a number is an `error`. Source: Jest's toBeCloseTo.
    """
    found = _number(subject)
    if found == value:  # equal infinities differ by NaN
        return passed(f"it is {value_text(found)}")
    difference = _difference(found, value)
    if difference < 10.0**-digits / 2:
        return passed(f"it is {value_text(found)}")
    return failed(f"it is {value_text(found)}, which differs by {difference:.6g}")


def _difference(one: float, other: float) -> float:
    """How far two numbers are apart; infinity when they are too large for a float."""
    try:
        difference = abs(float(one - other))
    except OverflowError:
        return math.inf
    return math.inf if math.isnan(difference) else difference
