"""An estimate with how sure it is."""

from __future__ import annotations

import msgspec

__all__ = ["Estimate"]


class Estimate(msgspec.Struct, frozen=True):
    """A value with its 95 % interval, from `low` to `high`. `n` is the number of items it rests on."""

    value: float
    low: float
    high: float
    n: int = 0
