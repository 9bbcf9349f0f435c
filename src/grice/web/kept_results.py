"""Results with every verdict, read from their journals; the last few are kept in memory."""

from __future__ import annotations

import mmap
import threading
from array import array
from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

from grice.records import Result
from grice.running.journal.form import JournalError, decode_line
from grice.user_files import open_file

_KEPT_BYTES = 300_000_000
"""Of journals, whose results are kept; at least the last one is."""
_KEPT_FILES = 64


class _KeptResult(NamedTuple):
    result: Result
    size: int


class KeptResults:
    """Reads results by their place in a journal; pieces of one conversation are asked for one by one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._results: OrderedDict[tuple[str, int, int], _KeptResult] = OrderedDict()
        self._lines: OrderedDict[Path, array[int]] = OrderedDict()

    def at(self, file: Path, line: int) -> Result | None:
        """The result in that line, the first being 1; None where none stands there. Raises JournalError."""
        with self._lock:
            try:
                return self._at(file, line)
            except FileNotFoundError:
                return None
            except (OSError, ValueError) as error:
                raise JournalError(f"{file}:{line}: cannot be read: {error}") from error

    def _at(self, file: Path, line: int) -> Result | None:
        known = file.stat()
        key = (str(file), known.st_ino, line)
        found = self._results.get(key)
        if found is not None:
            self._results.move_to_end(key)
            return found.result
        with open_file(file) as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
            begins = self._begins(file, content, line)
            if len(begins) <= line:
                return None
            text = content[begins[line - 1] : begins[line]]
        result = decode_line(text)
        if not isinstance(result, Result):
            return None
        self._results[key] = _KeptResult(result, len(text))
        while len(self._results) > 1 and sum(one.size for one in self._results.values()) > _KEPT_BYTES:
            self._results.popitem(last=False)
        return result

    def _begins(self, file: Path, content: mmap.mmap, line: int) -> array[int]:
        """Where lines begin, as far as that one and the one behind it."""
        begins = self._lines.setdefault(file, array("Q", [0]))
        self._lines.move_to_end(file)
        if begins[-1] > len(content):
            begins = self._lines[file] = array("Q", [0])  # it is another file by now
        while len(begins) <= line:
            at = content.find(b"\n", begins[-1])
            if at < 0:
                break
            begins.append(at + 1)
        if len(self._lines) > _KEPT_FILES:
            self._lines.popitem(last=False)
        return begins
