"""How much the figures of both experiments vary over their repeats (seed 003, 9.2), in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grice.experiments.comparison.records import Comparison, RunSpread
from grice.reporting.comparison.words import line
from grice.reporting.experiment.scenario import percent

__all__ = ["MOST_RUNS", "variance_lines", "variance_rows"]

MOST_RUNS = 10
"""Of more runs the range stands for the figure of each, which JSON has."""


def variance_rows(comparison: Comparison) -> list[tuple[str, str, str, str]]:
    """For each figure its name, `78.5% ± 1.9pp (3 runs)` of both, and the difference of the means.

    The deviation is that of the sample. Empty without repeats.
    """
    return [
        (name, _spread(one), _spread(other), _change(one, other)) for name, one, other in _pairs(comparison)
    ]


def variance_lines(comparison: Comparison) -> list[str]:
    """The figure of every run, or from which to which, and whether the ranges overlap, which is no test."""
    lines: list[str] = []
    for name, one, other in _pairs(comparison):
        for side, found in (("baseline", one), ("current", other)):
            if found is not None and len(found.values) > 1:
                lines.append(f"{name}, runs of the {side}: {_runs(found.values)}")
        overlap = _overlap(one, other)
        lines += [f"{name} {overlap}"] if overlap else []
    return lines


def _runs(values: Sequence[float]) -> str:
    if len(values) <= MOST_RUNS:
        return ", ".join(map(percent, values))
    return f"{len(values)}, from {percent(min(values))} to {percent(max(values))}"


def _pairs(comparison: Comparison) -> Iterator[tuple[str, RunSpread | None, RunSpread | None]]:
    before = {one.name: one for one in comparison.baseline_runs}
    after = {one.name: one for one in comparison.current_runs}
    for name in dict.fromkeys((*before, *after)):
        shown = line(name)
        yield shown[:1].upper() + shown[1:], before.get(name), after.get(name)


def _change(before: RunSpread | None, after: RunSpread | None) -> str:
    return "-" if before is None or after is None else f"{(after.mean - before.mean) * 100:+z.1f}pp"


def _spread(one: RunSpread | None) -> str:
    if one is None:
        return "-"
    if one.deviation is None:
        return f"{percent(one.mean)} (1 run)"
    return f"{percent(one.mean)} ± {one.deviation * 100:.1f}pp ({len(one.values)} runs)"


def _overlap(before: RunSpread | None, after: RunSpread | None) -> str:
    """Whether the ranges overlap, "" where one of them has none."""
    if before is None or after is None or before.deviation is None or after.deviation is None:
        return ""
    apart = abs(before.mean - after.mean) > before.deviation + after.deviation
    return f"ranges {'do not overlap' if apart else 'overlap'}: it describes the runs and is no test"
