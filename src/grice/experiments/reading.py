"""Reading experiments: from the journal of a run."""

from __future__ import annotations

from pathlib import Path

from grice.experiments.attempts import attempt_of
from grice.experiments.results import ExperimentResults
from grice.running.journal.folders import RUNS, find_run
from grice.running.journal.reading import collect_run

__all__ = ["read_experiment", "results_in"]


def read_experiment(wanted: str = "latest", *, runs: Path | str = RUNS) -> ExperimentResults:
    """The experiment that is meant: a folder, an id or its beginning, a name, a tag, a branch, `latest`.

    Transcripts are not kept, so that one of any size can be read. Raises JournalError when there is none or
    several are meant, and where its journal cannot be read.
    """
    return results_in(find_run(wanted, Path(runs)))


def results_in(folder: Path) -> ExperimentResults:
    """What the journal in that folder comes to. Raises JournalError."""
    found = collect_run(folder, attempt_of)
    return ExperimentResults(
        found.heads,
        found.results,
        notes=found.notes,
        damaged=found.damaged,
        done=found.done,
        unfinished=found.unfinished,
        source=str(folder),
    )
