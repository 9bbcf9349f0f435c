"""What a reader does next with a run that is kept: the one place for these words."""

from __future__ import annotations

from pathlib import Path

from grice.running.journal.folders import find_run
from grice.running.journal.form import JournalError
from grice.running.runs_folder import runs_folder
from grice.text import visible

__all__ = ["comparing_lines", "how_to_compare", "how_to_see", "run_before"]

_BEFORE = "latest~1"


def how_to_see(id_: str) -> str:
    """The command that shows the run."""
    return f"grice report {_shown(id_)}"


def how_to_compare(id_: str, baseline: str = _BEFORE, runs: Path | None = None) -> str:
    """The command that compares the run with another, without one with the run before the latest.

    `runs` is where both are kept, named where that is not the usual folder.
    """
    unusual = runs is not None and runs.resolve() != runs_folder().resolve()
    where = f" --runs {_shown(str(runs))}" if unusual else ""
    return f"grice compare {_shown(id_)} --baseline {_shown(baseline)}{where}"


def comparing_lines(id_: str, baseline: str = "", runs: Path | None = None) -> tuple[str, str]:
    """The end of a report: how to compare the run with the one before it, "" where there is none yet."""
    if baseline:
        return "To compare with a baseline:", how_to_compare(id_, baseline, runs)
    later = how_to_compare("latest", id_, runs)
    return "To compare with a baseline, once there is a later run:", later


def run_before(folder: Path) -> str:
    """The id of the run that began before the one in the folder, of those kept beside it; "" for none."""
    try:
        return find_run(f"{folder}~1", folder.parent).name
    except JournalError:
        return ""


def _shown(text: str) -> str:
    return visible(text, newlines=False)
