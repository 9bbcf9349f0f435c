"""Percentiles by nearest rank: always a value that was measured."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["percentile"]


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest of the values that at least `percent` of a hundred of them do not exceed.

    It is the value of rank ceil(percent / 100 * n) in order, the first for percent 0. Raises ValueError for
    no values, for NaN among them, and for a percentage outside 0 to 100.
    """
    if not 0 <= percent <= 100:
        raise ValueError(f"percent is from 0 to 100, found {percent!r}")
    ordered = sorted(values)
    if not ordered:
        raise ValueError("there is no percentile of no values")
    if any(math.isnan(one) for one in ordered):
        raise ValueError("there is no percentile of values with NaN among them")
    rank = math.ceil(_exact(percent, len(ordered)))
    return ordered[max(rank, 1) - 1]


def _exact(percent: float, count: int) -> float:
    """The rank before it is rounded up, without the tail that floats add to 0.07 * 100."""
    return round(percent * count / 100, 9)
