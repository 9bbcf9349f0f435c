"""Numbers with their units: counts, lengths, weights, durations, percentages, amounts of money."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import msgspec

from grice.text.packs.pack import LanguagePack

__all__ = ["Comparison", "Quantity", "quantities", "same_quantity"]

Comparison = Literal["", "<", "<=", ">", ">="]

_APPROXIMATELY = Decimal("0.1")


class Quantity(msgspec.Struct, frozen=True, gc=False):
    """A number in a text with its unit.

    `low` and `high` are its bounds in the base unit of its `dimension`, equal where it is one number; None
    where a side is open ("from $50", and "under $300", whose `comparison` is "<" and `low` None).
    `dimension` is what is measured: "money", "time", "length", "mass", "volume", "temperature", "data",
    "percent", "power", "energy", "speed", "area", "rating" (stars), "size", "" for a plain number, or the
    singular noun that is counted ("day" counts as time, "business day" and "review" as themselves). `unit`
    is the unit as canonical name ("day", "cm", "USD", "%"), "" without one. `comparison` is what a word
    before or after it says (under: "<", at most: "<=", over: ">", at least: ">="), `approximate` whether
    one says about. `period` is that of a rate ("month" for "per month"), "". `start`, `end` are its place
    in the text, the words of comparison included.

    Base units are second, metre, gram, litre, byte, watt, joule, degree Celsius, metre per second; money,
    percent and counts have none.
    """

    low: Decimal | None
    high: Decimal | None
    unit: str
    dimension: str
    start: int
    end: int
    comparison: Comparison = ""
    approximate: bool = False
    period: str = ""
    ordinal: bool = False

    @property
    def number(self) -> Decimal | None:
        """The bound it names: the only one, or the lower one of two; in the base unit."""
        return self.low if self.low is not None else self.high


def quantities(text: str, pack: LanguagePack | None = None) -> list[Quantity]:
    """The quantities of a text in order, money too; numbers in words as far as the pack knows them.

    Numbers inside names (iPhone 15, A4, 4.13.5, URLs, ids, 24/7) have no unit and dimension "name". Dates
    and times of day are not quantities, see `grice.text.times`. Without a pack it is that of the text, else
    English.
    """
    from grice.text.measuring import measured
    from grice.text.packs import pack_of

    if pack is None:
        from grice.text.languages import pack_for

        found = pack_for(text)
        pack = pack_of("en") if isinstance(found, str) else found
    return [] if pack is None else list(measured(text, pack))


def same_quantity(one: Quantity, other: Quantity, *, tolerance: Decimal = Decimal(0)) -> bool | None:
    """Whether two quantities agree; None when they do not measure the same thing in the same currency and
    period.

    `one` is what is claimed, `other` what holds: a claimed range agrees with a number inside it, a claimed
    number does not agree with a range around it. Units of one dimension are converted. A quantity with a
    comparison agrees with all that satisfy it. `tolerance` is a share of the other; an approximate quantity
    has 0.1 at least.
    """
    if not _comparable(one, other):
        return None
    if one.approximate or other.approximate:
        tolerance = max(tolerance, _APPROXIMATELY)
    if one.low is None or one.high is None:
        return (
            _both_open(one, other)
            if other.low is None or other.high is None
            else _satisfies(other, one, tolerance)
        )
    if other.low is None or other.high is None:
        return _satisfies(one, other, tolerance)
    slack_low, slack_high = abs(other.low) * tolerance, abs(other.high) * tolerance
    if other.low == other.high:
        return one.low - slack_low <= other.low <= one.high + slack_high
    return abs(one.low - other.low) <= slack_low and abs(one.high - other.high) <= slack_high


def _comparable(one: Quantity, other: Quantity) -> bool:
    if one.dimension != other.dimension or one.dimension == "name" or one.ordinal != other.ordinal:
        return False
    if one.dimension in ("money", "rating") and one.unit and other.unit and one.unit != other.unit:
        return False
    return not (one.period and other.period and one.period != other.period)


def _satisfies(closed: Quantity, opened: Quantity, tolerance: Decimal) -> bool:
    """Whether all of a closed quantity lies on the open side of another."""
    if opened.low is None and opened.high is None:
        return True
    if opened.low is not None:
        low = closed.low or Decimal(0)
        bound = opened.low - abs(opened.low) * tolerance
        return low > bound if opened.comparison == ">" else low >= bound
    high, limit = closed.high or Decimal(0), opened.high or Decimal(0)
    bound = limit + abs(limit) * tolerance
    return high < bound if opened.comparison == "<" else high <= bound


def _both_open(one: Quantity, other: Quantity) -> bool | None:
    """Whether the bound that is claimed follows from the one that holds; False where none satisfies both."""
    if one.low is not None and other.low is not None:
        return True if other.low >= one.low else None
    if one.high is not None and other.high is not None:
        return True if other.high <= one.high else None
    low, high = (
        one.low if one.low is not None else other.low,
        one.high if one.high is not None else other.high,
    )
    return False if low is not None and high is not None and low > high else None
