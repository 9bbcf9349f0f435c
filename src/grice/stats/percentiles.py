"""Percentiles by nearest rank: always a value that was measured."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

_SORTED = 1_000
"""How many values are sorted at most where they come as an array."""


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest of the values that at least `percent` of a hundred of them do not exceed.

    It is the value of rank ceil(percent / 100 * n) in order, the first for percent 0. Raises ValueError for
    no values, for NaN among them, and for a percentage outside 0 to 100.
    """
    if not 0 <= percent <= 100:
        raise ValueError(f"percent is from 0 to 100, found {percent!r}")
    if not values:
        raise ValueError("there is no percentile of no values")
    if any(map(math.isnan, values)):
        raise ValueError("there is no percentile of values with NaN among them")
    rank = math.ceil(_exact(percent, len(values)))
    return _in_order(values, max(rank, 1) - 1)


def _in_order(values: Sequence[float], place: int) -> float:
    """The value at that place in order, from 0. Of an array no list is made, which would be four times it."""
    while isinstance(values, array) and len(values) > _SORTED:
        sample = sorted(values[:: len(values) // _SORTED + 1])
        pivot: float = sample[place * len(sample) // len(values)]
        below = array(values.typecode, (one for one in values if one < pivot))
        up_to = len(below) + values.count(pivot)
        if len(below) <= place < up_to:
            return pivot
        if place < len(below):
            values = below
        else:
            values = array(values.typecode, (one for one in values if one > pivot))
            place -= up_to
    return sorted(values)[place]


def _exact(percent: float, count: int) -> float:
    """The rank before it is rounded up, without the tail that floats add to 0.07 * 100."""
    return round(percent * count / 100, 9)
