"""Following a journal while it is written: every line once, from any place on, whoever asks again."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from grice.records import Result
from grice.running.journal.experiment import Experiment
from grice.running.journal.form import Begun, decode_line
from grice.user_files import open_file

_PLACE = re.compile(r"([A-Za-z0-9][A-Za-z0-9_.-]{0,99}):(\d{1,15})")
_MOST_AT_ONCE = 1 << 20
"""Bytes that are read of a file before the others have their turn."""


class BadPlace(ValueError):
    """A text is no place in this journal."""


class JournalLine(NamedTuple):
    """What a line holds, and the place behind it, from which a reader may go on."""

    place: str
    holds: Experiment | Begun | Result


class JournalTail:
    """The lines of all workers' files in the folder of a run, from a place on.

    A place is a text, `main:1834`, with the end of what was read of each file; "" is the beginning. Files are
    appended to and never rewritten but for a torn last line, which is not read, so a place holds for ever.
    Raises BadPlace for a text that is no place, and for a place within a line.
    """

    def __init__(self, folder: Path, place: str = "") -> None:
        self._folder = folder
        self._ends = _ends(place)
        for file in self._files():
            if not _is_line_end(file, self._ends.get(file.stem, 0)):
                raise BadPlace(f"{place!r} is no place of this run: there is no end of a line")

    @property
    def place(self) -> str:
        """The place behind everything that was read."""
        return ",".join(f"{name}:{end}" for name, end in sorted(self._ends.items()) if end)

    def new_lines(self) -> Iterator[JournalLine]:
        """The whole lines that nobody had of this object yet; what cannot be read is left out."""
        for file in self._files():
            for line in self._lines(file):
                self._ends[file.stem] = self._ends.get(file.stem, 0) + len(line)
                with suppress(ValueError):
                    yield JournalLine(self.place, decode_line(line))

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("*.jsonl"))

    def _lines(self, file: Path) -> list[bytes]:
        try:
            with open_file(file) as stream:
                stream.seek(self._ends.get(file.stem, 0))
                read = stream.read(_MOST_AT_ONCE)
                if len(read) == _MOST_AT_ONCE:
                    read += stream.readline()
        except OSError:  # it was taken away
            return []
        return read[: read.rfind(b"\n") + 1].splitlines(keepends=True)


def _ends(place: str) -> dict[str, int]:
    """How much of each file was read."""
    ends: dict[str, int] = {}
    for part in place.split(",") if place else ():
        found = _PLACE.fullmatch(part)
        if found is None:
            raise BadPlace(f"{place[:100]!r} is no place in a journal, such as 'main:1834'")
        ends[found[1]] = int(found[2])
    return ends


def _is_line_end(file: Path, end: int) -> bool:
    if not end:
        return True
    try:
        with open_file(file) as stream:
            stream.seek(end - 1, os.SEEK_SET)
            return stream.read(1) == b"\n"
    except OSError:
        return False
