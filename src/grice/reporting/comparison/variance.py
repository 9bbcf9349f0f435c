"""How much the figures of both experiments vary over their repeats, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grice.experiments.comparison.records import Comparison, RunSpread
from grice.reporting.comparison.measure_words import enough_decimals, line
from grice.reporting.figures_text import percent, span

VARIANCE = "Variance (mean ± standard deviation over the repeats)"
"""The heading of the view on repeats."""

_MOST_RUNS = 10  # of more the range stands for the figure of each, which JSON has


def variance_rows(comparison: Comparison) -> list[tuple[str, str, str, str]]:
    """For each figure its name, `78.5% ± 1.9pp (3 runs)` of both, and the difference of the means.

    The deviation is that of the sample. Empty without repeats.
    """
    return [_row(name, one, other) for name, one, other in _pairs(comparison)]


def _row(name: str, before: RunSpread | None, after: RunSpread | None) -> tuple[str, str, str, str]:
    first, second = (None if one is None else one.mean for one in (before, after))
    change = None if first is None or second is None else second - first
    decimals = enough_decimals(first, second, change)
    said = "-" if change is None else f"{change * 100:+z.{decimals}f}pp"
    return name, _spread(before, decimals), _spread(after, decimals), said


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
    if len(values) <= _MOST_RUNS:
        return ", ".join(map(percent, values))
    return f"{len(values)}, from {span(min(values), max(values))}"


def _pairs(comparison: Comparison) -> Iterator[tuple[str, RunSpread | None, RunSpread | None]]:
    before = {one.name: one for one in comparison.baseline_runs}
    after = {one.name: one for one in comparison.current_runs}
    for name in dict.fromkeys((*before, *after)):
        shown = line(name)
        yield shown[:1].upper() + shown[1:], before.get(name), after.get(name)


def _spread(one: RunSpread | None, decimals: int) -> str:
    if one is None:
        return "-"
    mean = percent(one.mean, decimals)
    if one.deviation is None:
        return f"{mean} (1 run)"
    enough = enough_decimals(None, None, one.deviation, least=decimals)
    return f"{mean} ± {one.deviation * 100:.{enough}f}pp ({len(one.values)} runs)"


def _overlap(before: RunSpread | None, after: RunSpread | None) -> str:
    """Whether the ranges overlap, "" where one of them has none."""
    if before is None or after is None or before.deviation is None or after.deviation is None:
        return ""
    apart = abs(before.mean - after.mean) > before.deviation + after.deviation
    return f"ranges {'do not overlap' if apart else 'overlap'}: that describes the runs, and is no test"
