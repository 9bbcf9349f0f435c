"""Whether the ranges of two groups of runs overlap: by both deviations, whichever is the larger."""

import pytest
from comparisons import SEED
from msgspec.structs import replace

from grice.experiments.comparison.records import RunSpread
from grice.reporting.comparison.variance import variance_lines


def spread(mean: float, deviation: float | None) -> RunSpread:
    values = (mean,) if deviation is None else (mean - deviation, mean + deviation)
    return RunSpread("completion rate", values, mean, deviation)


def said(before: RunSpread, after: RunSpread) -> str:
    """What is said of the ranges, "" where it is nothing."""
    lines = variance_lines(replace(SEED, baseline_runs=(before,), current_runs=(after,)))
    starts = [one.partition(":")[0] for one in lines]
    return "".join(one for one in starts if "overlap" in one)


OVERLAP, APART = "Completion rate ranges overlap", "Completion rate ranges do not overlap"


@pytest.mark.parametrize(
    ("gap", "one", "other", "words"),
    [
        (0.04, 0.02, 0.03, OVERLAP),  # more than the one and than the other, not than both
        (0.06, 0.02, 0.03, APART),
        (0.04, 0.0, 0.05, OVERLAP),
        (0.06, 0.0, 0.05, APART),
        (0.25, 0.125, 0.125, OVERLAP),  # they touch
        (0.0, 0.0, 0.0, OVERLAP),
        (0.25, 0.0, 0.0, APART),
    ],
)
def test_ranges_overlap_by_both_deviations(gap: float, one: float, other: float, words: str) -> None:
    for first, second in ((one, other), (other, one)):
        lower, higher = spread(0.5, first), spread(0.5 + gap, second)
        assert said(lower, higher) == said(higher, lower) == words


def test_a_single_run_has_no_range() -> None:
    assert said(spread(0.5, None), spread(0.9, 0.01)) == ""
    assert said(spread(0.5, 0.01), spread(0.9, None)) == ""
