"""Read new lines of journals and labels into the database before each request is answered."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from grice.files.document import FileErrors
from grice.running.journal.folders import runs_in
from grice.running.journal.form import JournalError
from grice.store.run_states import RunState
from grice.store.syncing import forget_lost, sync_run
from grice.validation.labelling.stored import sync_labels

if TYPE_CHECKING:
    from sqlalchemy import Engine


_WAIT = 2.0
"""Seconds for which a request waits while another one reads journals; then it takes what there is."""

_Sizes = frozenset[tuple[str, int, int]]


class JournalReader:
    """Remembers how far each journal and the file `labels` were read, and opens only what changed."""

    def __init__(self, engine: Engine, root: Path, project: str, labels: Path) -> None:
        self._engine = engine
        self._root = root
        self._project = project
        self._labels = labels
        self._labels_read: tuple[int, int] | None = None
        self._lock = threading.Lock()
        self._read: dict[Path, _Sizes] = {}
        self.problems: dict[str, str] = {}

    def read_new(self) -> None:
        """Read what is new. What cannot be read is in `problems`, by folder."""
        if not self._lock.acquire(timeout=_WAIT):
            return
        try:
            sizes = {folder: _sizes(folder) for folder in _folders(self._root)}
            changed = {folder for folder, found in sizes.items() if self._read.get(folder) != found}
            if changed:
                self._read_changed(changed, sizes)
            self._read_labels()
        finally:
            self._lock.release()

    def _read_labels(self) -> None:
        """Read the file of labels where it changed; one with mistakes is read when they are gone."""
        try:
            told = self._labels.stat()
            if (told.st_size, told.st_mtime_ns) != self._labels_read:
                sync_labels(self._engine, self._labels, self._project)
                self._labels_read = (told.st_size, told.st_mtime_ns)
            self.problems.pop(self._labels.name, None)
        except FileNotFoundError:
            return  # nobody labelled anything yet
        except (OSError, FileErrors) as error:
            self.problems[self._labels.name] = str(error)

    def _read_changed(self, changed: set[Path], sizes: dict[Path, _Sizes]) -> None:
        try:
            kept = [folder for folder, _ in reversed(runs_in(self._root).runs)]
        except JournalError as error:
            self.problems = {str(self._root): str(error)}
            return
        for folder in kept:
            if folder in changed:
                found = sync_run(self._engine, folder, self._project)
                self.problems.pop(folder.name, None)
                if found.problem:
                    self.problems[folder.name] = found.problem
                if found.state == RunState.RUNNING.value:
                    self._read.pop(folder, None)  # it ends without a word in its journal where it is killed
                    changed.discard(folder)
        self._read |= {folder: sizes[folder] for folder in changed}
        forget_lost(self._engine)


def _folders(root: Path) -> list[Path]:
    try:
        with os.scandir(root) as entries:
            return [root / one.name for one in entries if one.is_dir()]
    except OSError:
        return []  # nothing was run yet


def _sizes(folder: Path) -> _Sizes:
    """The files of a run with size and time: of journals, and of the locks of those who write them."""
    found: set[tuple[str, int, int]] = set()
    try:
        with os.scandir(folder) as entries:
            for one in entries:
                if one.name.endswith((".jsonl", ".lock")):
                    status = one.stat()
                    found.add((one.name, status.st_size, status.st_mtime_ns))
    except OSError:
        return frozenset()  # it was taken away meanwhile
    return frozenset(found)
