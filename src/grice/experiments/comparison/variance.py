"""How far the runs of one experiment lie apart: each repeat of all scenarios is taken for a run.

It describes, and is no test: runs of the same scenarios are alike in what scenarios they have, so their
spread says nothing of how another choice of scenarios would have come out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.measuring import Figure, total
from grice.experiments.comparison.pairing import Pair
from grice.experiments.comparison.records import RunSpread
from grice.stats.spread import mean_and_deviation

__all__ = ["run_spreads"]


def run_spreads(
    pairs: Iterable[Pair], side: Literal["baseline", "current"], figures: Iterable[Figure]
) -> tuple[RunSpread, ...]:
    """The spread of each figure over the repeats of that side; nothing where there is only one."""
    runs: dict[int, list[Attempt]] = {}
    for pair in pairs:
        for attempt in pair.baseline if side == "baseline" else pair.current:
            runs.setdefault(attempt.repeat, []).append(attempt)
    if len(runs) < 2:
        return ()
    ordered = [runs[number] for number in sorted(runs)]
    return tuple(_spreads(ordered, figures))


def _spreads(runs: list[list[Attempt]], figures: Iterable[Figure]) -> Iterator[RunSpread]:
    for figure in figures:
        values = [value for run in runs if (value := _value(run, figure)) is not None]
        if values:
            yield RunSpread(figure.name, tuple(values), *mean_and_deviation(values))


def _value(run: Iterable[Attempt], figure: Figure) -> float | None:
    value, count = total(one for attempt in run for one in figure.take(attempt).values())
    return value / count if count else None
