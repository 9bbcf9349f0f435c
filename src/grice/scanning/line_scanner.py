"""Reading a log line by line: what a scan for labels and a scan with checks do alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from grice.formats import FormatError
from grice.formats.lines import Unreadable
from grice.formats.logs import Entry, read_log
from grice.formats.mapping import LogMapping
from grice.identity import redact_text
from grice.scanning.report import FileProblem, LogTally, MalformedLine, OrphanResults

C = TypeVar("C")
C_co = TypeVar("C_co", covariant=True)


class _Open(Protocol[C_co]):
    def rest(self) -> Iterable[C_co]: ...


class LineScanner(ABC, Generic[C]):
    """Scans one file: its lines to entries, these to conversations of type C, each ended once."""

    def __init__(self, file: str, counts: LogTally, unended: _Open[C]) -> None:
        self._file = file
        self._counts = counts
        self._unended = unended
        self._orphans = 0

    def scan(self, path: Path | str, mapping: LogMapping | None = None) -> None:
        """Read the file to its end. What cannot be read is counted."""
        try:
            entries = read_log(path, mapping)
            first = next(entries, None)
            self._counts.files.append(self._file)
            for entry in chain([] if first is None else [first], entries):
                self._counts.lines += entry.units
                self._read(entry)
        except Unreadable as problem:
            self._counts.unreadable.append(FileProblem(self._file, str(problem)))
        for conversation in self._unended.rest():
            self._end(conversation)
        if self._orphans:
            self._counts.orphan_results.append(OrphanResults(self._file, self._orphans))

    def _read(self, entry: Entry) -> None:
        if entry.kind in ("conversation", "record") and (entry.messages or not entry.problem):
            self._read_whole(entry)
        elif entry.kind == "message":
            try:
                self._read_part(entry)
            except FormatError as error:
                self._malformed(entry.line, f"the message {error.detail}")
        else:
            self._malformed(entry.line, entry.problem)

    @abstractmethod
    def _read_whole(self, entry: Entry) -> None: ...

    @abstractmethod
    def _read_part(self, entry: Entry) -> None:
        """Raises FormatError for a message that cannot be read."""

    @abstractmethod
    def _end(self, conversation: C) -> None: ...

    def _malformed(self, line: int, reason: str, *, whole: bool = True) -> None:
        self._counts.malformed(MalformedLine(self._file, line, redact_text(reason)), whole=whole)
