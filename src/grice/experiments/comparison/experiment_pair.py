"""Comparing experiments that are named instead of given, as `grice.compare` does."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from grice.experiments.baselines import SUFFIX
from grice.experiments.comparison import comparing
from grice.experiments.comparison.records import Comparison
from grice.experiments.loading import read_experiment
from grice.experiments.results import ExperimentResults
from grice.running.journal.folders import find_run
from grice.running.runs_folder import runs_folder

ExperimentPair = tuple[ExperimentResults, ExperimentResults, str]
"""The baseline, the current experiment, and which run was taken for the baseline where that is not plain."""


def find_pair(
    baseline: ExperimentResults | str | Path,
    current: ExperimentResults | str | Path,
    *,
    runs: Path | str | None = None,
) -> ExperimentPair:
    """The two that are meant, as `compare` takes them. Raises as `read_experiment` does."""
    now = _results(current, runs, named=False)
    if isinstance(baseline, ExperimentResults) or str(baseline) == str(current):
        return _results(baseline, runs), now, ""
    before = read_experiment(baseline, runs=runs, other_than=now.id)
    return before, now, _passed_over(str(baseline), before, now, runs)


def compare_pair(both: ExperimentPair) -> Comparison:
    """What `find_pair` gave, compared; which run was taken is the first of the notes."""
    baseline, current, note = both
    found = comparing.compare(baseline, current)
    return replace(found, notes=(note, *found.notes)) if note else found


def _passed_over(
    wanted: str, before: ExperimentResults, now: ExperimentResults, runs: Path | str | None
) -> str:
    """That the current experiment is meant first, and which was taken instead; "" where it is not."""
    if before.id == now.id or before.source.endswith(SUFFIX):
        return ""
    if find_run(wanted, runs_folder(runs)).resolve() != Path(now.source).resolve():
        return ""
    return f"{wanted} means {now.id} itself: {before.id}, the one before it, was taken for the baseline"


def _results(
    wanted: ExperimentResults | str | Path, runs: Path | str | None, *, named: bool = True
) -> ExperimentResults:
    if isinstance(wanted, ExperimentResults):
        return wanted
    return read_experiment(wanted, runs=runs, named=named)
