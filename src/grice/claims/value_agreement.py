"""Decide whether two values agree: nothing else in Grice does."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal

from msgspec.structs import replace

from grice.claims.passage import Atom, Value
from grice.text.quantities import Quantity
from grice.text.times import Moment

Agreement = Literal["same", "different", "not comparable"]

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?", re.ASCII)
APPROXIMATELY = Decimal("0.1")
_DEGREES = {"angle", "temperature"}
"""What is 20 degrees of something."""

BINARY = Decimal("0.05")
"""How far a terabyte of 1000 gigabytes is from one of 1024, and a gigabyte in megabytes, at most."""


def agree(claimed: Atom | Value, known: Atom | Value, *, limit: bool = False) -> Agreement:
    """Whether what is claimed is what is known, both atoms or their values.

    Units of one dimension are converted; amounts of two currencies, rates of two periods, and what measures
    two things are not comparable. A claimed range has a number inside it; a claimed number is not a range
    around it, but the end of one where words say so ("within 5 days" of 3 to 5). "About" allows a tenth, a
    number with few digits what it is rounded from, money nothing. A bound ("under $300") has all that it
    allows; `limit` says that what is known is the bound itself (`free_over: 50`). What a date or time leaves
    open is not compared. Texts and states are the same or not.
    """
    mine, theirs = (one.value if isinstance(one, Atom) else one for one in (claimed, known))
    if isinstance(mine, Quantity) and isinstance(theirs, Quantity):
        return _agreement_of(
            _same_quantity(mine, theirs, claimed if isinstance(claimed, Atom) else None, limit=limit)
        )
    if isinstance(mine, Moment) and isinstance(theirs, Moment):
        return _agreement_of(mine.agrees_with(theirs))
    if isinstance(mine, bool | str) and type(mine) is type(theirs):
        same = mine == theirs if isinstance(mine, bool) else mine.casefold() == str(theirs).casefold()
        return "same" if same else "different"
    return "not comparable"


def _agreement_of(same: bool | None) -> Agreement:
    return "not comparable" if same is None else "same" if same else "different"


def _is_one(one: Quantity) -> bool:
    """Whether a quantity is one number and no range or bound."""
    return one.low is not None and one.low == one.high and not one.comparison


def named(one: Quantity) -> Quantity:
    """Read a bound as the number it names: what a shop means by "up to 14 hours" and "from $99"."""
    return replace(one, low=one.number, high=one.number, comparison="") if one.comparison else one


def shown_number(said: str) -> Decimal | None:
    """The first number that is written in a text."""
    found = _NUMBER.search(said)
    return Decimal(found[0].replace(",", "")) if found else None


def holds(claimed: Quantity, number: Decimal) -> bool:
    """Whether a number without a unit satisfies a quantity."""
    low = claimed.low is None or (
        number > claimed.low if claimed.comparison == ">" else number >= claimed.low
    )
    high = claimed.high is None or (
        number < claimed.high if claimed.comparison == "<" else number <= claimed.high
    )
    return low and high


def _same_quantity(one: Quantity, other: Quantity, said: Atom | None, *, limit: bool) -> bool | None:
    if not _comparable(one, other):
        return None
    if said is not None and said.ends and _is_one(one) and one.low in (other.low, other.high):
        return True
    if one.comparison or other.comparison:
        return _by_bound(one, other, limit=limit)
    if limit and one.low != one.high and other.low == other.high:
        return True if other.low in (one.low, one.high) else None  # 2 to 4 days: days_min is 2, days_max is 4
    return _closed(one, other) or (said is not None and _rounds_to(one, other, said.said))


def _comparable(one: Quantity, other: Quantity) -> bool:
    same = one.dimension == other.dimension or {one.dimension, other.dimension} == _DEGREES
    if not same or one.dimension == "name" or one.ordinal != other.ordinal:
        return False
    if one.dimension in ("money", "rating") and one.unit and other.unit and one.unit != other.unit:
        return False
    return not (one.period and other.period and one.period != other.period)


def _closed(one: Quantity, other: Quantity) -> bool:
    """Whether two numbers or ranges are the same."""
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return False
    slack = APPROXIMATELY if one.approximate or other.approximate else Decimal(0)
    if one.dimension == "data" and one.unit != other.unit:
        slack = max(slack, BINARY)
    low, high = abs(other.low) * slack, abs(other.high) * slack
    if other.low == other.high:
        return one.low - low <= other.low <= one.high + high
    return abs(one.low - other.low) <= low and abs(one.high - other.high) <= high


def _rounds_to(one: Quantity, other: Quantity, said: str) -> bool:
    """Whether a number is another one, rounded to the digits that it shows (2.5 kg for 2460 g)."""
    if one.dimension == "money" or not _is_one(one) or not one.low or other.low is None:
        return False
    digits = "".join(filter(str.isdigit, said))[:9]
    return len(digits) > 1 and abs(one.low - other.low) <= abs(one.low) * Decimal("0.5") / max(int(digits), 1)


def _by_bound(one: Quantity, other: Quantity, *, limit: bool) -> bool | None:
    """Whether two quantities agree of which one at least is a bound."""
    bounds = [{side for side in (each.low, each.high) if side is not None} for each in (one, other)]
    if bounds[0] == bounds[1]:
        if limit or other.comparison or one.comparison in ("<=", ">="):
            return True
    elif other.comparison and not one.comparison:
        return _allows(other, one)
    elif other.comparison:
        return _follows(one, other)
    elif limit:
        return False
    return _allows(one, other)


def _allows(opened: Quantity, closed: Quantity) -> bool:
    """Whether all of one quantity lies on the open side of another."""
    slack = APPROXIMATELY if opened.approximate or closed.approximate else Decimal(0)
    wide = replace(
        opened,
        low=None if opened.low is None else opened.low - abs(opened.low) * slack,
        high=None if opened.high is None else opened.high + abs(opened.high) * slack,
    )
    return all(holds(wide, side) for side in (closed.low, closed.high) if side is not None)


def _follows(one: Quantity, other: Quantity) -> bool | None:
    """Whether a bound that is claimed follows from the one that is known; False where none satisfies both."""
    if one.low is not None and other.low is not None:
        return other.low == one.low
    if one.high is not None and other.high is not None:
        return other.high == one.high
    low, high = (
        one.low if one.low is not None else other.low,
        one.high if one.high is not None else other.high,
    )
    return False if low is not None and high is not None and low > high else None
