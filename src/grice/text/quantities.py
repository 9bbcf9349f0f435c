"""Numbers with their units: counts, lengths, weights, durations, percentages, amounts of money."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import msgspec

from grice.text.packs.pack import LanguagePack

__all__ = ["Comparison", "Quantity", "quantities", "same_quantity"]

Comparison = Literal["", "<", "<=", ">", ">="]


class Quantity(msgspec.Struct, frozen=True, gc=False):
    """A number in a text with its unit.

    `low` and `high` are its bounds in the base unit of its `dimension`, equal where it is one number; None
    where a side is open ("from $50"). `dimension` is what is measured: "money", "time", "length", "mass",
    "volume", "temperature", "data", "percent", "power", "energy", "speed", "area", "" for a plain number, or
    the singular noun that is counted ("day" counts as time, "review" as itself). `unit` is the unit
    as canonical name ("day", "cm", "USD", "%"), "" without one. `comparison` is what a word before it says (under: "<", at most:
    "<=", over: ">", at least: ">="), `approximate` whether one says about. `period` is that of a rate ("month" for "per month"), "". `start`, `end`
    are its place in the text, the words of comparison included.
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


def quantities(text: str, pack: LanguagePack | None = None) -> list[Quantity]:
    """The quantities of a text in order, money too; numbers in words as far as the pack knows them.

    Numbers inside names (iPhone 15, A4, 4.13.5, URLs, ids) have no unit and dimension "name". Dates and times of
    day are not quantities, see `grice.text.times`.
    """
    raise NotImplementedError


def same_quantity(one: Quantity, other: Quantity, *, tolerance: Decimal = Decimal(0)) -> bool | None:
    """Whether two quantities agree; None when they do not measure the same thing in the same currency.

    Units of one dimension are converted. A quantity with a comparison agrees with all that satisfy it. `tolerance` is a share
    of the other; an approximate quantity has 0.1 at least.
    """
    raise NotImplementedError
