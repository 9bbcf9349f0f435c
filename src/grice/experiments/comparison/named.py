"""Comparing experiments that are named instead of given: `grice.compare`."""

from __future__ import annotations

from pathlib import Path

from grice.experiments.comparison import comparing
from grice.experiments.comparison.records import Comparison
from grice.experiments.reading import read_experiment
from grice.experiments.results import ExperimentResults

__all__ = ["compare"]


def compare(
    baseline: ExperimentResults | str | Path,
    current: ExperimentResults | str | Path = "latest",
    *,
    runs: Path | str | None = None,
) -> Comparison:
    """The current experiment held against the baseline: comparability, differences, changed scenarios.

    Either is the results of an experiment, or what `read_experiment` takes: a named baseline, an id or its
    beginning, a name, a tag, a branch, `latest~1`, a folder; `runs` is where they are
    kept, as there. A branch, a tag, a
    name or a date of the baseline never means the current experiment itself. Raises as `read_experiment`
    does. Two that cannot be compared are no error: see `comparability` and `conclusion`.
    """
    now = _results(current, runs)
    if isinstance(baseline, str | Path) and str(baseline) == str(current):
        return comparing.compare(now, now)
    return comparing.compare(_results(baseline, runs, other_than=now.id), now)


def _results(
    wanted: ExperimentResults | str | Path, runs: Path | str | None, other_than: str = ""
) -> ExperimentResults:
    if isinstance(wanted, ExperimentResults):
        return wanted
    return read_experiment(str(wanted), runs=runs, other_than=other_than)
