"""What a reader does next with a run that is kept: the one place for these words."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from grice.files.settings_files import SettingsError
from grice.running.journal.folders import find_run
from grice.running.journal.form import JournalError
from grice.running.journal.passes import passes_in
from grice.running.runs_folder import runs_folder
from grice.text import visible

__all__ = [
    "NO_EARLIER",
    "Earlier",
    "comparing_lines",
    "earlier_run",
    "how_to_compare",
    "how_to_see",
    "run_before",
]

_LOOKED_AT = 10
"""How many runs before a run are read for one to compare it with."""


class Earlier(NamedTuple):
    """The run before a run: its id, "" for none, and whether each attempt of what counts there passed."""

    id: str = ""
    passes: Mapping[str, Sequence[bool]] = {}

    def passed(self, id_: str) -> bool:
        """Whether every attempt of it passed; not so of what was not in that run."""
        return id_ in self.passes and all(self.passes[id_])

    def failed(self, id_: str) -> bool:
        """Whether no attempt of it passed; not so of what was not in that run."""
        return id_ in self.passes and not any(self.passes[id_])


NO_EARLIER = Earlier()


def how_to_see(folder: Path) -> str:
    """The command that shows the run in the folder: by its id, or by the folder where that is not usual."""
    return f"grice report {_shown(folder.name if _is_usual(folder.parent) else str(folder))}"


def how_to_compare(id_: str, baseline: str, runs: Path | None = None) -> str:
    """The command that compares the run with another.

    `runs` is where both are kept, named where that is not the usual folder.
    """
    where = "" if runs is None or _is_usual(runs) else f" --runs {_shown(str(runs))}"
    return f"grice compare {_shown(id_)} --baseline {_shown(baseline)}{where}"


def comparing_lines(id_: str, baseline: str = "", runs: Path | None = None) -> tuple[str, str]:
    """The end of a report: how to compare the run with the one before it, "" where there is none yet."""
    if baseline:
        return "To compare with a baseline:", how_to_compare(id_, baseline, runs)
    later = how_to_compare("latest", id_, runs)
    return "To compare with a baseline, once there is a later run:", later


def run_before(folder: Path) -> str:
    """The id of the last run before the one in the folder that it can be compared with; "" for none."""
    return earlier_run(folder).id


def earlier_run(folder: Path) -> Earlier:
    """The last run before the one in the folder that it can be compared with.

    In both something counts, and a scenario of one is also in the other. Only the last few runs that are kept
    beside it are looked at.
    """
    try:
        own = passes_in(folder)
        for back in range(1, _LOOKED_AT + 1) if own else ():
            before = find_run(f"{folder}~{back}", folder.parent)
            passes = passes_in(before)
            if not own.keys().isdisjoint(passes):
                return Earlier(before.name, passes)
    except (JournalError, OSError):  # there are no more, or they cannot be read
        pass
    return NO_EARLIER


def _is_usual(runs: Path) -> bool:
    """Whether the commands look into that folder by themselves."""
    try:
        return runs.resolve() == runs_folder().resolve()
    except SettingsError:  # told by who needs them
        return False


def _shown(text: str) -> str:
    """As a word of a command line, which can be pasted."""
    return visible(shlex.quote(text), newlines=False)
