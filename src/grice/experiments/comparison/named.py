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

    Either is the results of an experiment, or what `read_experiment` takes: an id or its beginning, a name, a
    tag, a branch, `latest~1`, a folder, the file of a baseline; only `baseline` may be the name of one.
    `runs` is where they are kept, as there. A branch, a tag, a name or a date of the baseline never means the
    current experiment itself, unless it is what `current` says too. Raises as `read_experiment` does. Two
    that cannot be compared are no error: see `comparability` and `conclusion`.
    """
    now = _results(current, runs, named=False)
    itself = isinstance(baseline, str | Path) and str(baseline) == str(current)
    return comparing.compare(_results(baseline, runs, other_than="" if itself else now.id), now)


def _results(
    wanted: ExperimentResults | str | Path,
    runs: Path | str | None,
    *,
    named: bool = True,
    other_than: str = "",
) -> ExperimentResults:
    if isinstance(wanted, ExperimentResults):
        return wanted
    return read_experiment(str(wanted), runs=runs, named=named, other_than=other_than)
