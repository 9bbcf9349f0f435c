"""The number of repeats, or of scenarios, that shows a difference of rates.

Attempts of one scenario vary by chance, which repeats even out. Scenarios differ in how much they change,
which only more scenarios even out. Both variances are estimated from pairs that were seen. The numbers are
good to about a tenth: how well they hold is simulated in benchmarks/comparison_statistics.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from grice.stats.paired import LEAST_CHANGES, PairedSums, unseen_variance
from grice.stats.student import t_quantile


def repeats_needed(pairs: Sequence[PairedSums], difference: float, *, power: float = 0.8) -> int | None:
    """The number of repeats of each of these scenarios, on both sides, that shows a true difference of rates.

    To show is p at most 0.05, two-sided, with the probability `power`. `pairs` hold passes and attempts,
    `difference` is one of rates, 0.1 for ten points, up or down. None where no number of repeats is enough,
    for which `why_no_repeats` has the reason. Where no scenario was repeated, chance and real differences
    cannot be told apart: all is taken for chance then, and the number is the least that can be. Raises
    ValueError for a difference of 0 or beyond 1, a power outside 0.5 to 1, and sums that are no passes.
    """
    _check(pairs, difference, power)
    n = len(pairs)
    if n < LEAST_CHANGES:
        return None
    within, between = _variances(pairs)
    room = n * _largest_variance(n, difference, power) - between
    return max(math.ceil(2 * within / room), 1) if room > 0 else None


def why_no_repeats(pairs: Sequence[PairedSums], difference: float, *, power: float = 0.8) -> str | None:
    """The reason why no number of repeats shows the difference; None where one does."""
    if repeats_needed(pairs, difference, power=power) is not None:
        return None
    if len(pairs) < LEAST_CHANGES:
        return f"fewer than {LEAST_CHANGES} scenarios never show a difference at 5 %, found {len(pairs)}"
    return "scenarios differ too much in how they change, which only more scenarios even out"


def scenarios_needed(pairs: Sequence[PairedSums], difference: float, *, power: float = 0.8) -> int | None:
    """The number of scenarios like these, repeated as often, that shows a true difference of rates.

    See `repeats_needed`, which has the words and the errors. None for fewer than two pairs, which do not show
    how scenarios differ.
    """
    _check(pairs, difference, power)
    if len(pairs) < 2:
        return None
    within, between = _variances(pairs)
    variance = within * _chance(pairs) + between

    def enough(n: int) -> bool:
        return variance <= n * _largest_variance(n, difference, power)

    low, high = LEAST_CHANGES - 1, LEAST_CHANGES
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _check(pairs: Sequence[PairedSums], difference: float, power: float) -> None:
    if not 0 < abs(difference) <= 1:
        raise ValueError(f"a difference of rates is not 0 and at most 1, found {difference}")
    if not 0.5 <= power < 1:
        raise ValueError(f"power is from 0.5 to less than 1, found {power}")
    for one in pairs:
        if not (0 <= one.baseline <= one.baseline_n >= 1 and 0 <= one.current <= one.current_n >= 1):
            raise ValueError(f"passes are from 0 to the number of attempts, which is at least 1, found {one}")


def _largest_variance(n: int, difference: float, power: float) -> float:
    """How large the variance of the estimated difference may be to show the true one over n scenarios."""
    return (difference / (t_quantile(0.975, n - 1) + t_quantile(power, n - 1))) ** 2


def _chance(pairs: Sequence[PairedSums]) -> float:
    """How much of the variance of an attempt is left in the difference of a scenario, on average."""
    return math.fsum(1 / one.baseline_n + 1 / one.current_n for one in pairs) / len(pairs)


def _variances(pairs: Sequence[PairedSums]) -> tuple[float, float]:
    """That of an attempt within its scenario, and that of the true differences between scenarios.

    By moments: what the scenarios' differences vary more than chance does is between them.
    """
    n, chance = len(pairs), _chance(pairs)
    gaps = [one.current / one.current_n - one.baseline / one.baseline_n for one in pairs]
    middle = math.fsum(gaps) / n
    mean = math.fsum(one.baseline / one.baseline_n + one.current / one.current_n for one in pairs) / (2 * n)
    unseen = unseen_variance(pairs, mean, (0, 1)) / n
    seen = math.fsum((one - middle) ** 2 for one in gaps) / (n - 1) + unseen * chance
    sides = [side for one in pairs for side in ((one.baseline, one.baseline_n), (one.current, one.current_n))]
    freedom = sum(count - 1 for _, count in sides)
    if freedom == 0:
        return seen / chance, 0.0
    within = math.fsum(passed * (1 - passed / count) for passed, count in sides) / freedom + unseen
    return within, max(seen - within * chance, 0.0)
