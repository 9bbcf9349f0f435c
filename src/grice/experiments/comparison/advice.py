"""What would settle a difference that is not shown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from grice.experiments.comparison.deciding import ALPHA, doubt_of, is_exact
from grice.experiments.comparison.records import Measure
from grice.stats.differences import Difference, PairedSums
from grice.stats.planning import repeats_needed, scenarios_needed, why_no_repeats

SMALLEST_SOUGHT = 0.05
"""Advice is for a true difference as large as the one seen, but for one of five points at least."""

_FEWEST = 72
"""Fewer scenarios never rule out that one in twenty changed, even where none did: 0.95 ** 72 is 0.025."""

_TO_CHANGE = 7.906
"""How many changes are expected where there are six at least four times in five, as of Poisson's numbers."""

_POWER = 0.8
_REACH = 1.959964, 0.841621
"""The normal distribution's quantiles of 0.975 and of the power."""


def advise(measure: Measure, sums: Sequence[PairedSums]) -> Iterator[str]:
    """What would show a true difference of that rate four times in five; nothing where one is shown.

    A difference is seen with its error, so the numbers are rough, and more so the fewer scenarios there are.
    """
    found = measure.difference
    if found is None or is_exact(found) or measure.decision not in ("not shown", "not decided"):
        return
    start, size = f"{measure.name}: ", max(abs(found.value), SMALLEST_SOUGHT)
    needed = _scenarios(found, sums, size)
    if found.p is not None and found.p <= ALPHA:
        if not doubt_of(measure):
            yield f"{start}asked alone it would be shown; beside the others it takes more scenarios"
    elif _is_ruled_out(found):
        yield f"{start}nothing is open, a difference of {_points(SMALLEST_SOUGHT)} either way is ruled out"
    elif needed is None:
        yield f"{start}it takes more scenarios: {len(sums)} cannot tell how much they differ"
    elif needed <= len(sums):
        yield f"{start}a true difference of {_points(size)} would have been shown four times in five"
    else:
        ways = _ways(sums, size, needed, measure.family == "completion")
        yield f"{start}to show a true difference of {_points(size)}, four times in five, {ways}"


def _is_ruled_out(found: Difference) -> bool:
    if found.low is None or found.high is None or found.n < _FEWEST:
        return False
    return found.low > -SMALLEST_SOUGHT and found.high < SMALLEST_SOUGHT


def _scenarios(found: Difference, sums: Sequence[PairedSums], size: float) -> int | None:
    """How many it takes, by how they vary, by the interval, and by how many have to change at all.

    Few scenarios that are all alike seem not to vary. Fewer than six that changed never show a difference.
    """
    planned = scenarios_needed(sums, size, power=_POWER)
    if planned is None or found.low is None or found.high is None:
        return None
    error = (found.high - found.low) / 2 / _REACH[0]
    by_interval = math.ceil(len(sums) * (error * sum(_REACH) / size) ** 2)
    return max(planned, by_interval, math.ceil(_TO_CHANGE / (size * _present(sums))))


def _present(sums: Sequence[PairedSums]) -> float:
    """How often a scenario was tried on a side, on average."""
    return sum(one.baseline_n + one.current_n for one in sums) / (2 * len(sums))


def _ways(sums: Sequence[PairedSums], size: float, scenarios: int, can_repeat: bool) -> str:
    """What it takes; repeats are attempts where the sums are of these, and not of checks."""
    more = f"it takes about {scenarios} scenarios like these, repeated as now"
    if not can_repeat:
        return more
    repeats = repeats_needed(sums, size, power=_POWER)
    if repeats is None:
        return f"{more}; more attempts do not do it: {why_no_repeats(sums, size, power=_POWER)}"
    if repeats <= _present(sums):
        return more
    least = "" if _is_repeated(sums) else "at least "
    return f"{more}, or {least}{repeats} attempts of each of these {len(sums)}"


def _is_repeated(sums: Sequence[PairedSums]) -> bool:
    """Whether any scenario shows how its attempts differ by chance; else more may be needed than planned."""
    return any(one.baseline_n > 1 or one.current_n > 1 for one in sums)


def _points(size: float) -> str:
    return f"{size * 100:.1f} points"
