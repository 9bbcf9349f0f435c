"""What would settle a difference that is not shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grice.experiments.comparison.records import Measure
from grice.stats.differences import PairedSums
from grice.stats.planning import repeats_needed, scenarios_needed, why_no_repeats

__all__ = ["SMALLEST_SOUGHT", "advise"]

SMALLEST_SOUGHT = 0.05
"""Advice is for a true difference as large as the one seen, but for one of five points at least."""

_POWER = 0.8


def advise(measure: Measure, sums: Sequence[PairedSums]) -> Iterator[str]:
    """What would show a true difference of that rate four times in five; nothing where one is shown.

    A difference is seen with its error, so the numbers are rough, and more so the fewer scenarios there are.
    """
    found = measure.difference
    if found is None or measure.decision not in ("not shown", "not decided"):
        return
    size = max(abs(found.value), SMALLEST_SOUGHT)
    scenarios = scenarios_needed(sums, size, power=_POWER)
    repeats = repeats_needed(sums, size, power=_POWER)
    start = f"{measure.name}: to show a true difference of {size * 100:.1f} points, four times in five"
    ways: list[str] = []
    if repeats is not None:
        ways.append(f"about {repeats} {_plural('attempt', repeats)} of each of these {len(sums)} scenarios")
    if scenarios is not None:
        ways.append(f"about {scenarios} {_plural('scenario', scenarios)} like these, repeated as now")
    if ways:
        yield f"{start}, it takes {', or '.join(ways)}"
    if repeats is None and (why := why_no_repeats(sums, size, power=_POWER)) is not None:
        yield f"{start}, no number of repeats of these scenarios is enough: {why}"


def _plural(what: str, count: int) -> str:
    return what if count == 1 else f"{what}s"
