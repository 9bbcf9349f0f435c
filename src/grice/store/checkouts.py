"""The checkout that a file was read from, and when its text was last changed.

A team has many checkouts of one project. Of two that say something else the newer text counts, and how new
it is says the commit that it is from: a checkout that is made today may be of last year.
"""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from grice.running.journal.experiment import ask_git

_TIMEOUT = 20.0
_COMMIT = "commit "


def checkout_name(root: Path) -> str:
    """The name of a checkout among those of other machines: `host:folder`."""
    return f"{socket.gethostname()}:{root.resolve()}"


def changed_at(root: Path, files: Sequence[str]) -> dict[str, datetime]:
    """The time at which each of the files, by path in the folder, got its text.

    That is the time of its last commit, and the time of the file where git does not know it as it is. A file
    that is gone meanwhile is left out.
    """
    committed = _committed(root, files)
    found: dict[str, datetime] = {}
    for file in files:
        try:
            seconds = committed.get(file) or int((root / file).stat().st_mtime)
        except OSError:
            continue
        found[file] = datetime.fromtimestamp(seconds, UTC)
    return found


def _committed(root: Path, files: Sequence[str]) -> dict[str, int]:
    """The times of the last commits of files that say what was committed; {} without git."""
    try:
        found = _last_commits(
            _git(root, "log", f"--format={_COMMIT}%ct", "--name-only", "--relative", "--", *files)
        )
        changed = _git(root, "diff", "HEAD", "--name-only", "--relative", "--", *found) if found else []
    except (OSError, subprocess.SubprocessError):
        return {}
    return {file: seconds for file, seconds in found.items() if file not in changed}


def _last_commits(lines: Sequence[str]) -> dict[str, int]:
    """The first time that stands above each file: the log begins with the last commit."""
    found: dict[str, int] = {}
    seconds = 0
    for line in lines:
        if line.startswith(_COMMIT):
            seconds = int(line.removeprefix(_COMMIT))
        elif line:
            found.setdefault(line, seconds)
    return found


def _git(folder: Path, *command: str) -> list[str]:
    """The lines that git answers. Raises OSError and SubprocessError."""
    said = ask_git(folder, _TIMEOUT, "-c", "core.quotePath=false", *command)
    return said.decode("utf-8", "surrogateescape").split("\n")
