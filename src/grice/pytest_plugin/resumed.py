"""Going on with a run that was kept: what it has finished, which all workers of xdist are told alike."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from grice.pytest_plugin.projects import store_folder
from grice.records import Outcome
from grice.running.journal.experiment import Experiment
from grice.running.journal.folders import find_run
from grice.running.journal.form import JournalError
from grice.running.journal.reading import Finished, collect_run
from grice.running.outcomes import judged_together
from grice.running.planned_conversations import outline_of

FINISHED = "grice_finished"
"""Under which name workers are told the folder of the run that goes on, and what it has finished."""


class Resumed(NamedTuple):
    """The run that goes on: its first head, what it has finished, and the name of one of these."""

    folder: Path
    experiment: Experiment
    finished: frozenset[Finished]
    first: str = ""


def resumed_run(config: pytest.Config) -> Resumed:
    """The run. Raises JournalError."""
    told = getattr(config, "workerinput", {}).get(FINISHED)
    folder = Path(told[0]) if told is not None else _folder(config)
    found = collect_run(folder, lambda result: (result.id, result.repeat, result.fingerprint, result.key))
    if found.heads[0].recorded:
        raise JournalError(f"{folder}: a runner of one's own recorded this run: it cannot be gone on with")
    finished = [one[:3] for one in found.results] if told is None else [tuple(one) for one in told[1]]
    return Resumed(folder, found.heads[0], frozenset(finished), found.results[0][3] if found.results else "")


_FOLDER = pytest.StashKey[Path]()


def finish_resumed(session: pytest.Session) -> None:
    """Judge a session that went on with a run, and had nothing to object, with what was finished before."""
    folder = session.config.stash.get(_FOLDER, None)
    if folder is None or session.exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return
    kept = collect_run(folder, outline_of).results
    outcomes = {result.outcome for result in judged_together(kept)}
    if not outcomes <= {Outcome.PASS, Outcome.SKIPPED}:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    elif Outcome.PASS in outcomes:
        session.exitstatus = pytest.ExitCode.OK


def tell_door(config: pytest.Config, folder: Path) -> None:
    """Remember where the run is kept, and tell `grice run`, also where nothing is left to run."""
    config.stash[_FOLDER] = folder
    door: Any = config.pluginmanager.get_plugin("grice-door")
    if door is not None:
        door.kept[str(folder)] = None


def finished_for_workers(config: pytest.Config) -> tuple[str, list[tuple[str, int, str]]] | None:
    """What workers are told: one that begins later must not leave out what others have finished by then."""
    try:
        folder = _folder(config)
        found = collect_run(folder, lambda result: (result.id, result.repeat, result.fingerprint))
    except JournalError:
        return None  # said by the workers
    tell_door(config, folder)
    terminal: Any = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None:  # workers have no terminal
        planned = found.heads[0].planned or len(found.results)
        terminal.write_line(f"{len(found.results)} of {planned} were finished before")
    return str(folder), list(found.results)


def _folder(config: pytest.Config) -> Path:
    """The folder of the run. Raises JournalError."""
    root = store_folder(config)
    assert root is not None  # as the options were checked
    return find_run(config.option.grice_resume, root)


def refuse_other_tests(resumed: Resumed, ids: Collection[str]) -> None:
    """Raise JournalError when nothing that the run has finished is among the tests with these stable ids."""
    if resumed.finished and not any(id_ in ids for id_, _, _ in resumed.finished):
        raise JournalError(
            f"{resumed.folder}: it is a run of other conversations, such as {resumed.first!r}: give the "
            "command that it began with, and the run to resume"
        )
