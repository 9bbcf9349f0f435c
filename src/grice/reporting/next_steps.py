"""What a reader does next with a run that is kept: the one place for these words."""

from __future__ import annotations

import shlex
from pathlib import Path

from grice.files.settings_files import SettingsError
from grice.running.counted_ids import counted_ids
from grice.running.journal.folders import find_run
from grice.running.journal.form import JournalError
from grice.running.runs_folder import runs_folder
from grice.text import visible

__all__ = ["comparing_lines", "how_to_compare", "how_to_see", "run_before"]

_LOOKED_AT = 10
"""How many runs before a run are read for one to compare it with."""


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
    """The id of the last run before the one in the folder that it can be compared with; "" for none.

    In both something counts, and a scenario of one is also in the other. Only the last few runs that are kept
    beside it are looked at.
    """
    try:
        own = frozenset(counted_ids(folder))
        for back in range(1, _LOOKED_AT + 1) if own else ():
            before = find_run(f"{folder}~{back}", folder.parent)
            if any(one in own for one in counted_ids(before)):
                return before.name
    except (JournalError, OSError):  # there are no more, or they cannot be read
        return ""
    return ""


def _is_usual(runs: Path) -> bool:
    """Whether the commands look into that folder by themselves."""
    try:
        return runs.resolve() == runs_folder().resolve()
    except SettingsError:  # told by who needs them
        return False


def _shown(text: str) -> str:
    """As a word of a command line, which can be pasted."""
    return visible(shlex.quote(text), newlines=False)
