"""What a reply gets wrong by itself: one date with two weekdays, one amount in two units."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from grice.checks.contradiction.facts.segments import Page
from grice.checks.contradiction.facts.stated_reading import Statement, Value

__all__ = ["Weekdays", "mismatches"]

_UNITS = frozenset(["mass", "length", "volume", "speed", "area"])
SLACK = Decimal("0.15")
"""How far an amount may be from what it is converted to: people round."""


class Weekdays:
    """The weekday that each date was given."""

    def __init__(self) -> None:
        self._known: dict[tuple[int | None, int, int], tuple[int, Statement]] = {}

    def take(self, page: Page, turn: int) -> Iterator[tuple[Statement, Statement]]:
        """Dates of a reply that have another weekday now."""
        for before, after in pairwise(page.moments):
            if before.kind != "weekday" or after.kind != "date" or before.weekday is None:
                continue
            if after.month is None or after.day is None or after.ambiguous:
                continue
            if page.text[before.end : after.start].strip(" ,") not in ("", "the"):
                continue
            shown = page.text[before.start : after.end]
            one = _statement("date", "weekday", shown, before, page, turn, (before.start, after.end))
            key = (after.year, after.month, after.day)
            known = self._known.get(key)
            if known is not None and known[0] != before.weekday:
                yield known[1], one
            else:
                self._known[key] = before.weekday, one


def mismatches(page: Page, turn: int) -> Iterator[tuple[Statement, Statement]]:
    """Amounts with a conversion behind them, in brackets, that is not the same: 12 kg (40 lb)."""
    for one, other in pairwise(page.amounts):
        if one.dimension != other.dimension or one.dimension not in _UNITS or one.unit == other.unit:
            continue
        between = page.text[one.end : other.start]
        if "(" not in between or len(between) > 24 or one.number is None or other.number is None:
            continue
        if _near(one.number, other.number):
            continue
        made = [
            _statement(
                f"quantity {each.dimension}",
                "conversion",
                page.text[each.start : each.end],
                each,
                page,
                turn,
                (each.start, each.end),
            )
            for each in (one, other)
        ]
        yield made[0], made[1]


def _near(one: Decimal | None, other: Decimal | None) -> bool:
    return one is None or other is None or abs(one - other) <= SLACK * max(abs(one), abs(other))


def _statement(
    kind: str, attribute: str, shown: str, value: Value, page: Page, turn: int, place: tuple[int, int]
) -> Statement:
    start, end = page.normal.span(*place)
    nothing: frozenset[str] = frozenset()
    quote = page.normal.original[start:end]
    return Statement(kind, attribute, nothing, nothing, nothing, value, shown, turn, start, end, quote)
