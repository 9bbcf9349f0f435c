"""Reading experiments: from the journal of a run, or from a named baseline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from grice.experiments.attempts import attempt_of
from grice.experiments.baselines import (
    SUFFIX,
    baselines_folder,
    folder_problem,
    known_baselines,
    load_baseline,
    means_a_run,
)
from grice.experiments.results import ExperimentResults
from grice.running.journal.folders import find_run
from grice.running.journal.form import JournalError
from grice.running.journal.reading import collect_run
from grice.running.runs_folder import runs_folder
from grice.text import did_you_mean


def read_experiment(
    wanted: str | Path = "latest",
    *,
    runs: Path | str | None = None,
    baselines: Path | str | None = None,
    named: bool = True,
    other_than: str = "",
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> ExperimentResults:
    """The experiment that is meant: a named baseline, or a run as `find_run` takes it.

    A baseline is a name in the folder `baselines` (without it that of the settings), or the path of a file
    `*.baseline.json`; with `named` false only the path, so that no file is taken for a later run that has its
    name. A run is a folder, an id or its beginning, a name, a tag, a branch, `latest`,
    `latest~1`, a date or an age; that of the id `other_than` is not meant by a word that may mean others too.
    A Path is the folder of a run, or the file of a baseline.
    `clock` says when ages are counted from, `runs` where runs are kept: without it in the folder `store` of
    the settings, else in the `.grice/runs` of the project. Transcripts are not kept, so that one of any size
    can be read. Raises JournalError when there is none or several are meant,
    and for a file that cannot be read; SettingsError for wrong settings; TypeError for what is no text and no
    path.
    """
    wanted = _as_text(wanted)
    if wanted.endswith(SUFFIX):
        return load_baseline(Path(wanted))
    kept = baselines_folder() if baselines is None else Path(baselines)
    known = known_baselines(kept)
    if named and wanted in known and not means_a_run(wanted):
        return load_baseline(known[wanted])
    try:
        folder = find_run(wanted, runs_folder(runs), other_than=other_than, clock=clock)
    except JournalError as error:
        hint = _or_baseline(wanted, known, named) or (folder_problem(kept) if named else "")
        if not hint:
            raise
        raise JournalError(f"{error}; {hint}") from error
    return results_in(folder)


def _as_text(wanted: object) -> str:
    if isinstance(wanted, (str, Path)):
        return str(wanted)
    raise TypeError(
        "an experiment is meant by a text (an id, a name, a tag, latest) or a pathlib.Path, "
        f"found {type(wanted).__name__}"
    )


def _or_baseline(wanted: str, known: Mapping[str, Path], named: bool) -> str:
    """What else may be meant, "" for nothing."""
    if wanted in known:
        return f"a baseline is called so: give its file, {known[wanted]}"
    hint = did_you_mean(wanted, known) if named else ""
    return f"or a named baseline{hint}" if hint else ""


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
