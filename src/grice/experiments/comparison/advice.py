"""What would settle a difference that is not shown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from grice.experiments.comparison.records import Measure
from grice.stats.differences import Difference, PairedSums
from grice.stats.planning import repeats_needed, scenarios_needed, why_no_repeats

__all__ = ["SMALLEST_SOUGHT", "advise"]

SMALLEST_SOUGHT = 0.05
"""Advice is for a true difference as large as the one seen, but for one of five points at least."""

_FEWEST = 72
"""Fewer scenarios never rule out that one in twenty changed, even where none did: 0.95 ** 72 is 0.025."""

_POWER = 0.8
_REACH = 1.959964, 0.841621
"""The normal distribution's quantiles of 0.975 and of the power."""


def advise(measure: Measure, sums: Sequence[PairedSums]) -> Iterator[str]:
    """What would show a true difference of that rate four times in five; nothing where one is shown.

    A difference is seen with its error, so the numbers are rough, and more so the fewer scenarios there are.
    """
    found = measure.difference
    if found is None or measure.decision not in ("not shown", "not decided"):
        return
    if _is_ruled_out(found):
        points = _points(SMALLEST_SOUGHT)
        yield f"{measure.name}: nothing is open, a difference of {points} either way is ruled out"
        return
    size = max(abs(found.value), SMALLEST_SOUGHT)
    needed = _scenarios(found, sums, size)
    if needed is None:
        yield f"{measure.name}: more scenarios: {len(sums)} do not show how much they differ"
    elif needed <= len(sums):
        yield (
            f"{measure.name}: {len(sums)} scenarios show a true difference of {_points(size)} four times "
            "in five if nothing else were asked; it takes more of them, or fewer measures"
        )
    else:
        yield f"{measure.name}: to show a true difference of {_points(size)}, {_ways(sums, size, needed)}"


def _is_ruled_out(found: Difference) -> bool:
    if found.low is None or found.high is None or found.n < _FEWEST:
        return False
    return found.low > -SMALLEST_SOUGHT and found.high < SMALLEST_SOUGHT


def _scenarios(found: Difference, sums: Sequence[PairedSums], size: float) -> int | None:
    """How many it takes, by how they vary and by the interval: few that are all alike vary by chance only."""
    planned = scenarios_needed(sums, size, power=_POWER)
    if planned is None or found.low is None or found.high is None:
        return None
    error = (found.high - found.low) / 2 / _REACH[0]
    return max(planned, math.ceil(len(sums) * (error * sum(_REACH) / size) ** 2))


def _ways(sums: Sequence[PairedSums], size: float, scenarios: int) -> str:
    more = f"{scenarios} scenarios like these, repeated as now"
    repeats = repeats_needed(sums, size, power=_POWER)
    if repeats is None:
        why = why_no_repeats(sums, size, power=_POWER)
        return f"four times in five, it takes about {more}; more attempts do not do it: {why}"
    present = sum(one.baseline_n + one.current_n for one in sums) / (2 * len(sums))
    if repeats <= present:
        return f"four times in five, it takes about {more}"
    attempts = f"{repeats} attempts of each of these {len(sums)} scenarios"
    return f"four times in five, it takes about {attempts}, or {more}"


def _points(size: float) -> str:
    return f"{size * 100:.1f} points"
