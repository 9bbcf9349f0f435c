"""Where the running pytest sessions of this process keep their results."""

from __future__ import annotations

import threading
from pathlib import Path

__all__ = ["running_session", "session_began", "session_ended"]

_folders: list[Path] = []
_lock = threading.Lock()


def session_began(folder: Path) -> None:
    """A session keeps its results in that folder from now on; one may run within another."""
    with _lock:
        _folders.append(folder)


def session_ended(folder: Path) -> None:
    """The session that kept its results in that folder is over; nothing where there is none."""
    with _lock:
        if folder in _folders:
            _folders.remove(folder)


def running_session() -> Path | None:
    """The folder of the innermost session; None where none keeps anything."""
    with _lock:
        return _folders[-1] if _folders else None
