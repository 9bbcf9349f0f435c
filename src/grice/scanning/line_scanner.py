"""Reading a log line by line: what a scan for labels and a scan with checks do alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from grice.formats import FormatError
from grice.formats.lines import MAX_LINE, Unreadable, open_log, read_lines
from grice.scanning.entries import BadLine, Entry, read_entry
from grice.scanning.report import FileProblem

__all__ = ["LineScanner"]

C = TypeVar("C")
C_co = TypeVar("C_co", covariant=True)


class _Counts(Protocol):
    files: list[str]
    lines: int
    unreadable: list[FileProblem]


class _Open(Protocol[C_co]):
    def rest(self) -> Iterable[C_co]: ...


class LineScanner(ABC, Generic[C]):
    """Scans one file: its lines to entries, these to conversations of type C, each ended once."""

    def __init__(self, file: str, counts: _Counts, unended: _Open[C]) -> None:
        self._file = file
        self._counts = counts
        self._unended = unended

    def scan(self, path: Path | str) -> None:
        """Read the file to its end. What cannot be read is counted."""
        try:
            with open_log(path) as stream:
                self._counts.files.append(self._file)
                for number, line in read_lines(stream):
                    self._counts.lines += 1
                    self._read(number, line)
        except Unreadable as problem:
            self._counts.unreadable.append(FileProblem(self._file, str(problem)))
        for conversation in self._unended.rest():
            self._end(conversation)

    def _read(self, number: int, line: bytes | None) -> None:
        try:
            if line is None:
                raise BadLine(f"longer than {MAX_LINE:,} bytes")
            entry = read_entry(line)
            if entry.whole:
                self._read_whole(entry, number)
            else:
                self._read_part(entry, number)
        except (BadLine, FormatError) as error:
            self._malformed(number, str(error))

    @abstractmethod
    def _read_whole(self, entry: Entry, line: int) -> None: ...

    @abstractmethod
    def _read_part(self, entry: Entry, line: int) -> None: ...

    @abstractmethod
    def _end(self, conversation: C) -> None: ...

    @abstractmethod
    def _malformed(self, line: int, reason: str) -> None: ...
