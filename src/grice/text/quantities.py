"""Numbers with their units: counts, lengths, weights, durations, percentages, amounts of money."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import msgspec

from grice.text.packs.pack import LanguagePack

Comparison = Literal["", "<", "<=", ">", ">="]


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
        """The bound that the quantity names: the only one, or the lower of two; in the base unit."""
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
