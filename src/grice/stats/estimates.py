"""An estimate with its interval."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

import msgspec


class Estimate(msgspec.Struct, frozen=True):
    """A value with its 95 % interval, from `low` to `high`. `n` is the number of items it rests on."""

    value: float
    low: float
    high: float
    n: int = 0


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float | None]:
    """The mean and the sample standard deviation (n - 1), in the unit of the values.

    The deviation of one value is None: one says nothing about others. Both are rounded once only, so that
    equal values have themselves as their mean, and 0. Raises ValueError for no values, and for values that
    are not finite.
    """
    if not values:
        raise ValueError("there is no mean of no values")
    if not all(math.isfinite(one) for one in values):
        raise ValueError("there is no mean of values that are not finite")
    mean = float(statistics.mean(values))
    return mean, statistics.stdev(values) if len(values) > 1 else None
