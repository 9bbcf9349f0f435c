"""A rate with its interval, and alarms counted against the truth."""

from __future__ import annotations

from math import hypot
from typing import NamedTuple

import msgspec

from grice.stats.intervals import wilson


class Rate(msgspec.Struct, frozen=True):
    """`successes` of `n`, as a share with its 95 % Wilson interval, all from 0 to 1."""

    successes: int
    n: int
    value: float
    low: float
    high: float


def rate(successes: int, n: int) -> Rate | None:
    """The rate of `successes` in `n` trials; None where there were none, for which no rate is defined."""
    if n == 0:
        return None
    low, high = wilson(successes, n)
    return Rate(successes, n, successes / n, low, high)


def difference_bounds(later: Rate, before: Rate) -> tuple[float, float]:
    """The 95 % interval of the difference of two independent rates, `later` minus `before`.

    Source: Newcombe 1998, method 10, from the Wilson intervals of both.
    """
    change = later.value - before.value
    down = hypot(later.value - later.low, before.high - before.value)
    up = hypot(later.high - later.value, before.value - before.low)
    return max(-1.0, change - down), min(1.0, change + up)


class Confusion(msgspec.Struct, frozen=True):
    """Alarms against the truth, in numbers: `true_alarms` were right, `missed` should have been alarms."""

    true_alarms: int = 0
    false_alarms: int = 0
    missed: int = 0
    true_quiet: int = 0

    @property
    def precision(self) -> Rate | None:
        """Of the alarms, the share that is right; None without alarms."""
        return rate(self.true_alarms, self.true_alarms + self.false_alarms)

    @property
    def recall(self) -> Rate | None:
        """Of what should be an alarm, the share that is; None where nothing should."""
        return rate(self.true_alarms, self.true_alarms + self.missed)


class Share(NamedTuple):
    """A part and its whole, as numbers."""

    passed: int = 0
    total: int = 0

    @property
    def rate(self) -> float | None:
        """The share; None of nothing."""
        return share(self.passed, self.total)

    @property
    def wavers(self) -> bool:
        """Whether some passed and some did not."""
        return 0 < self.passed < self.total


def share(part: int, whole: int) -> float | None:
    """The part as a share of the whole, None of nothing."""
    return part / whole if whole else None
