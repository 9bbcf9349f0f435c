"""What a reader does next with a run that is kept: the one place for these words."""

from __future__ import annotations

import shlex
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from grice.files.settings_files import SettingsError
from grice.records import Result
from grice.reporting.changed_outcomes import newly_text
from grice.running.journal.folders import runs_in
from grice.running.journal.form import JournalError
from grice.running.journal.reading import passes_in
from grice.running.runs_folder import runs_folder
from grice.text import visible

_LOOKED_AT = 10
"""How many runs before a run are read for one to compare it with."""

_LARGEST = 50_000_000
"""Bytes of a journal that are read for a line at the end of a run: a twentieth of a second."""


class Earlier(NamedTuple):
    """The run before a run: its id, "" for none, and whether each attempt of what counts there passed.

    `uncounted` are the ids of what it has besides.
    """

    id: str = ""
    passes: Mapping[str, Sequence[bool]] = {}
    uncounted: Container[str] = ()

    def passed(self, id_: str) -> bool:
        """Whether every attempt of it passed; not so of what was not in that run."""
        return id_ in self.passes and all(self.passes[id_])

    def lacks(self, id_: str) -> bool:
        """Whether it was not in that run; not so where there is no such run."""
        return bool(self.passes) and id_ not in self.passes and id_ not in self.uncounted

    def failed(self, id_: str) -> bool:
        """Whether no attempt of it passed; not so of what was not in that run."""
        return id_ in self.passes and not any(self.passes[id_])


NO_EARLIER = Earlier()


def how_to_see(folder: Path) -> str:
    """The command that shows the run in the folder: by its id, or by the folder where that is not usual."""
    return f"grice report {_shown(folder.name if _is_usual(folder.parent) else str(folder))}"


def how_to_show(id_: str, result: Result, runs: Path | None = None, *, is_key: bool = True) -> str:
    """The command that shows a conversation of the run whole: by its key where `is_key` says it is the only
    one of that key, and that can be written as it is, else by its id."""
    key = result.key if is_key and _shown(result.key) == result.key else result.id
    repeat = f"#{result.repeat}" if result.repeat > 1 else ""
    return f"grice show {id_}@{key}{repeat}{_where(runs)}"


def how_to_extract(place: str, turn: int = 0, label: str = "", options: Sequence[str] = ()) -> str:
    """The command that writes a test of what was found at `FILE:LINE` or `RUN@KEY`, or on one turn of it.

    `options` are those by which it was found.
    """
    chosen = (f" --turn {turn}" if turn else "") + (f" --label {shlex.quote(label)}" if label else "")
    return " ".join((f"grice extract {shlex.quote(place)}{chosen}", *map(shlex.quote, options)))


def how_to_compare(id_: str, baseline: str, runs: Path | None = None) -> str:
    """The command that compares the run with another.

    `runs` is where both are kept, named where that is not the usual folder.
    """
    return f"grice compare {_shown(id_)} --baseline {_shown(baseline)}{_where(runs)}"


def _where(runs: Path | None) -> str:
    return "" if runs is None or _is_usual(runs) else f" --runs {_shown(str(runs))}"


def comparing_lines(id_: str, baseline: str = "", runs: Path | None = None) -> tuple[str, str]:
    """The end of a report: how to compare the run with the one before it, "" where there is none yet."""
    if baseline:
        return "To compare with a baseline:", how_to_compare(id_, baseline, runs)
    later = how_to_compare("latest", id_, runs)
    return "To compare with a baseline, once there is a later run:", later


def earlier_run(folder: Path) -> Earlier:
    """The last run before the one in the folder that it can be compared with.

    In both something counts, and a scenario of one is also in the other. Only the last few runs that are kept
    beside it are looked at.
    """
    try:
        return _before(folder, passes_in(folder).of)
    except (JournalError, OSError):  # they cannot be read
        return NO_EARLIER


def since_earlier(folder: Path) -> tuple[str, str]:
    """What newly fails and passes, and what added fails, in the run since the one before, and its id.

    The line is "" where nothing does; both are "" where there is none, and where a journal is so large that
    reading it takes a while.
    """
    try:
        if _is_large(folder) or not _runs_before(folder):
            return "", ""
        own = passes_in(folder)
        earlier = _before(folder, own.of, small=True)
    except (JournalError, OSError):
        return "", ""
    failing = [own.keys[id_] for id_, one in own.of.items() if not any(one) and earlier.passed(id_)]
    passing = [own.keys[id_] for id_, one in own.of.items() if all(one) and earlier.failed(id_)]
    added = [own.keys[id_] for id_, one in own.of.items() if not any(one) and earlier.lacks(id_)]
    told = newly_text(failing, passing, added)
    return (f"{told} (since {earlier.id})" if told else ""), earlier.id


def _runs_before(folder: Path) -> list[Path]:
    """The last few runs before it that are kept beside it, the latest first."""
    folder = folder.resolve()
    runs = [run for run, _ in runs_in(folder.parent).runs]
    place = runs.index(folder) + 1 if folder in runs else len(runs)
    return runs[place : place + _LOOKED_AT]


def _before(folder: Path, own: Mapping[str, Sequence[bool]], *, small: bool = False) -> Earlier:
    """The last run before it that shares a scenario with it, of those whose journals are `small` if asked."""
    for run in _runs_before(folder) if own else ():
        if small and _is_large(run):
            break
        found = passes_in(run)
        if not own.keys().isdisjoint(found.of):
            return Earlier(run.name, found.of, found.keys.keys() - found.of.keys())
    return NO_EARLIER


def _is_large(folder: Path) -> bool:
    return sum(file.stat().st_size for file in folder.glob("*.jsonl")) > _LARGEST


def _is_usual(runs: Path) -> bool:
    """Whether the commands look into that folder by themselves."""
    try:
        return runs.resolve() == runs_folder().resolve()
    except SettingsError:  # told by who needs them
        return False


def _shown(text: str) -> str:
    """As a word of a command line, which can be pasted."""
    return visible(shlex.quote(text), newlines=False)
