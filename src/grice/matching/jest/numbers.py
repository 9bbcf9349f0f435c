"""Matchers on numbers: comparisons and nearness. Their names are Jest's."""

from __future__ import annotations

import math
from typing import Annotated, TypeGuard

from msgspec import Meta

from grice.matching.context import Context
from grice.matching.matcher import Unsuitable, matcher
from grice.records import Verdict, failed, passed
from grice.text import value_text

Digits = Annotated[int, Meta(ge=-300, le=300)]


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(subject: object) -> float:
    if not _is_number(subject):
        raise Unsuitable(f"a number, found {value_text(subject)}")
    return subject


@matcher("toBeGreaterThan", layer=1, wants=("a greater number", "no greater number"))
def be_greater_than(subject: float, ctx: Context, expected: float) -> bool:
    """The number is greater than `expected`; anything but a number is an `error`."""
    return _number(subject) > expected


@matcher(
    "toBeGreaterThanOrEqual",
    layer=1,
    describe="be at least {expected}",
    wants=("that number or a greater one", "a smaller number"),
)
def be_greater_than_or_equal(subject: float, ctx: Context, expected: float) -> bool:
    """The number is `expected` or greater; anything but a number is an `error`."""
    return _number(subject) >= expected


@matcher("toBeLessThan", layer=1, wants=("a smaller number", "no smaller number"))
def be_less_than(subject: float, ctx: Context, expected: float) -> bool:
    """The number is less than `expected`; anything but a number is an `error`."""
    return _number(subject) < expected


@matcher(
    "toBeLessThanOrEqual",
    layer=1,
    describe="be at most {expected}",
    wants=("that number or a smaller one", "a greater number"),
)
def be_less_than_or_equal(subject: float, ctx: Context, expected: float) -> bool:
    """The number is `expected` or less; anything but a number is an `error`."""
    return _number(subject) <= expected


@matcher(
    "toBeCloseTo",
    layer=1,
    describe="be close to {value} ({digits:digit})",
    wants=("a number close to it", "no number close to it"),
)
def be_close_to(subject: float, ctx: Context, value: float, digits: Digits = 2) -> Verdict:
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
