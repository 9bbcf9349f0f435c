"""Which statements cannot both hold, and what explains the later one."""

from __future__ import annotations

from decimal import Decimal

from grice.checks.contradiction.facts.stated_reading import Statement
from grice.text.quantities import Quantity, same_quantity
from grice.text.times import Moment

__all__ = ["clash", "same_subject"]

ROUNDING = Decimal("0.03")
"""How far two amounts may be apart that are given in different units."""

_EVENTS = frozenset(
    [
        "depart",
        "arrive",
        "appointment",
        "meeting",
        "reservation",
        "boarding",
        "pickup",
        "dropoff",
        "ship",
        "checkin",
        "checkout",
        "start",
        "end",
        "due",
    ]
)
"""What happens once: its time is the same whether the day is said or not."""


_REACHED = frozenset(
    ["active", "shipped", "delivered", "confirm", "paid", "approve", "cancelled", "process", "receive"]
)
"""What comes true in time: what was not so then may be so now."""


def clash(one: Statement, other: Statement) -> bool | None:
    """Whether two values of one attribute of one thing exclude one another; None where nobody can tell."""
    mine, theirs = one.value, other.value
    if isinstance(mine, bool) and isinstance(theirs, bool):
        if mine is False and theirs and one.attribute in _REACHED and one.turn != other.turn:
            return None
        return mine != theirs
    if isinstance(mine, Quantity) and isinstance(theirs, Quantity):
        return _apart(mine, theirs)
    if isinstance(mine, Moment) and isinstance(theirs, Moment):
        agrees = mine.agrees_with(theirs)
        if agrees is None or mine.kind != theirs.kind:
            return None if agrees is None else not agrees
        if mine.kind == "date" and None in (mine.day, theirs.day) and (mine.year or theirs.year) is None:
            return None
        return not agrees
    if isinstance(mine, frozenset) and isinstance(theirs, frozenset):
        return not (mine <= theirs or theirs <= mine)
    return None


def _apart(one: Quantity, other: Quantity) -> bool | None:
    if one.comparison != other.comparison:
        return None
    if (one.low is None) != (other.low is None) or (one.high is None) != (other.high is None):
        return None
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return _unlike(one.number, other.number, one, other)
    if one.dimension == "money" and one.unit and other.unit and one.unit != other.unit:
        return None
    if (one.low <= other.low and other.high <= one.high) or (other.low <= one.low and one.high <= other.high):
        return False
    tolerance = ROUNDING if one.unit != other.unit else Decimal(0)
    if (
        same_quantity(one, other, tolerance=tolerance) is False
        and same_quantity(other, one, tolerance=tolerance) is False
    ):
        return not _rounded(one, other)
    return False


def _unlike(one: Decimal | None, other: Decimal | None, mine: Quantity, theirs: Quantity) -> bool | None:
    if one is None or other is None or mine.approximate or theirs.approximate:
        return None
    return one != other


def _rounded(one: Quantity, other: Quantity) -> bool:
    """Whether one is the other without its cents."""
    if one.low is None or other.low is None or one.low != one.high or other.low != other.high:
        return False
    whole = [each.low == each.low.to_integral_value() for each in (one, other) if each.low is not None]
    return whole[0] != whole[1] and abs(one.low - other.low) < 1


def same_bounds(one: Statement, other: Statement) -> bool:
    """Whether what bounds two values is the same; for what happens once a day may be left out."""
    if one.qualifiers == other.qualifiers:
        return True
    if any(_is_nothing(each) for each in (one, other)):
        return all(word.startswith("per ") for word in one.qualifiers ^ other.qualifiers)
    if one.kind == "availability" and one.attribute == "open":
        closed, opened = (one, other) if other.value else (other, one)
        return closed.qualifiers < opened.qualifiers and all(
            word.startswith(("time ", "@")) or word.endswith(" ")
            for word in opened.qualifiers - closed.qualifiers
        )
    if one.kind not in ("time", "date", "choice") or (
        one.kind != "choice" and not _EVENTS.intersection(one.attribute.split("+"))
    ):
        return False
    mine, theirs = one.qualifiers - other.qualifiers, other.qualifiers - one.qualifiers
    if all(any(word.startswith("time ") for word in each) for each in (mine, theirs)):
        return False
    told = [word for word in (*mine, *theirs) if word.startswith(("@", "per ")) or word == "if"]
    days = [{word for word in found if word.startswith(("date ", "weekday "))} for found in (mine, theirs)]
    return not told and not (days[0] and days[1])


def _is_nothing(one: Statement) -> bool:
    return one.kind == "money" and isinstance(one.value, Quantity) and one.value.low == one.value.high == 0


def same_subject(one: Statement, other: Statement) -> bool:
    """Whether two statements of one attribute are of the same thing, as far as their words say.

    What tells a thing from others must be the same. A thing that "the" or "your" speaks of may leave its
    names out.
    """
    if one.topic == other.topic:
        return True
    for short, full in ((one, other), (other, one)):
        if short.topic < full.topic and short.definite and not (short.listed or short.names):
            return full.topic - short.topic <= full.titles
    return False
