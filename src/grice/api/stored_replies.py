"""The replies of the agent in recorded runs."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Literal, NamedTuple

from grice.matching.values import MISSING, NoData
from grice.running.journal.reading import index_run

On = Literal["reply", "reply.data"]
"""The text of a reply, or its structured payload."""

_MOST_RUNS = 4
_MOST_BYTES = 100_000_000
"""Of the journals whose replies stay in memory."""

_Files = tuple[tuple[str, int, int, int], ...]


class _Replies(NamedTuple):
    """The replies of a run while its journals are these."""

    files: _Files
    replies: list[tuple[str, object]]

    @property
    def size(self) -> int:
        return sum(size for _, _, size, _ in self.files)


class StoredReplies:
    """Reads the replies of runs, and keeps those of the last few while their journals do not change."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[Path, On], _Replies] = OrderedDict()

    def of_run(self, folder: Path, on: On, *, most: int) -> list[tuple[str, object]]:
        """The replies of the results that count, with the names of their scenarios and their turns.

        There are at most `most` and one more, which tells that there are others. A reply without a payload
        is judged as a run judges it. Raises JournalError.
        """
        files = _journals(folder)
        with self._lock:
            found = self._kept.get((folder, on))
            if found is not None and found.files == files:
                self._kept.move_to_end((folder, on))
                return found.replies
        replies = _read(folder, on, most)
        with self._lock:
            self._kept[folder, on] = _Replies(files, replies)
            self._kept.move_to_end((folder, on))
            while len(self._kept) > _MOST_RUNS or sum(one.size for one in self._kept.values()) > _MOST_BYTES:
                self._kept.popitem(last=False)
        return replies


def _read(folder: Path, on: On, most: int) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for result in index_run(folder).results():
        repeat = f" (repeat {result.repeat})" if result.repeat > 1 else ""
        for turn in result.conversation.turns:
            data = NoData(MISSING) if turn.data is None else turn.data
            found.append((f"{result.key}{repeat}, turn {turn.number}", turn.text if on == "reply" else data))
            if len(found) > most:
                return found
    return found


def _journals(folder: Path) -> _Files:
    """The journals of a run, each with its place on the disk, size and time."""
    try:
        with os.scandir(folder) as entries:
            known = [(one.name, one.stat()) for one in entries if one.name.endswith(".jsonl")]
    except OSError:
        return ()  # it was taken away meanwhile
    return tuple(sorted((name, one.st_ino, one.st_size, one.st_mtime_ns) for name, one in known))
