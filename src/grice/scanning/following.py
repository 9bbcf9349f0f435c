"""Logs that grow: what is written behind the end of files, and files that come into folders."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec.structs import replace

from grice.formats import lines
from grice.formats.lines import Unreadable, name_of, open_log
from grice.formats.logs import Entry
from grice.formats.mapping import LogMapping
from grice.scanning import log_parts
from grice.scanning.batch import (
    MessageJudging,
    Part,
    ScanChecks,
    entries_in_line,
    scan_batch,
    scan_entries,
)

FOLLOWED = (".jsonl", ".ndjson")
"""The names of the files of a folder that are followed."""
_PAUSE = 0.5
"""The seconds between two looks when nothing was written."""


class GrowingLog(msgspec.Struct):
    """A file of JSON Lines: the bytes and lines of it that were read, and its conversations that go on."""

    path: str
    messages: MessageJudging
    mapping: LogMapping | None = None
    at: int = 0
    lines: int = 0


class GrowingLogs:
    """The files that are named, and those in folders that are. A file that is renamed stays the same one.

    `mappings` says by the name of a file or folder how what is no known shape is read.
    """

    def __init__(
        self, paths: Iterable[Path | str], checks: ScanChecks, mappings: Mapping[str, LogMapping]
    ) -> None:
        self._paths = list(paths)
        self._checks = checks
        self._mappings = mappings
        self._known: dict[tuple[int, int], GrowingLog] = {}

    @property
    def known(self) -> list[GrowingLog]:
        """The logs of which something was read."""
        return list(self._known.values())

    def written(self) -> Iterator[tuple[GrowingLog, bytes]]:
        """Whole lines as they are written, for ever. Raises Unreadable for a named file that cannot be."""
        for path in self._paths:
            if not os.path.isdir(path):
                with _opened(path):
                    pass
        while True:
            found = list(self._news())
            yield from found
            if not found:
                time.sleep(_PAUSE)

    def _news(self) -> Iterator[tuple[GrowingLog, bytes]]:
        for path, mapping in self._files():
            try:
                with _opened(path) as stream:
                    told = os.fstat(stream.fileno())
                    log = self._log(told.st_dev, told.st_ino, path, mapping)
                    if told.st_size < log.at:  # it was emptied, and begins again
                        log.at = log.lines = 0
                    stream.seek(log.at)
                    data = stream.read(log_parts.PART)
                    while data and b"\n" not in data and len(data) <= lines.MAX_LINE:
                        more = stream.read(log_parts.PART)
                        if not more:
                            break
                        data += more
                    if len(data) > lines.MAX_LINE and b"\n" not in data:
                        data = data[:-1] + b"\n"  # whoever reads it says that the line is too long
            except (Unreadable, OSError):  # it was removed meanwhile, or is packed
                continue
            end = data.rfind(b"\n") + 1
            if end:
                log.at += end
                yield log, data[:end].removeprefix(lines.UTF8_MARK) if log.at == end else data[:end]

    def _files(self) -> Iterator[tuple[Path | str, LogMapping | None]]:
        for path in self._paths:
            mapping = self._mappings.get(str(path))
            if os.path.isdir(path):
                found = (one for one in Path(path).rglob("*") if one.name.endswith(FOLLOWED))
                logs = sorted(one for one in found if not one.name.startswith(".") and one.is_file())
                yield from ((one, mapping) for one in logs)
            else:
                yield path, mapping

    def _log(self, device: int, inode: int, path: Path | str, mapping: LogMapping | None) -> GrowingLog:
        found = self._known.get((device, inode))
        if found is None:
            found = GrowingLog(str(path), MessageJudging(name_of(path), self._checks), mapping)
            self._known[device, inode] = found
        return found


def scan_growth(log: GrowingLog, data: bytes, checks: ScanChecks, *, most: int | None = None) -> Part:
    """What the checks find in the next lines of a log."""
    if log.mapping is None:
        return scan_batch(data, checks, file=log.path, first=log.lines + 1, most=most)
    lines = enumerate(data.split(b"\n"), log.lines + 1)
    entries = (one for number, line in lines if line.strip() for one in _mapped(line, number, log))
    part = scan_entries(entries, checks, file=log.path, most=most)
    part.ends = data.count(b"\n")
    return part


def _mapped(line: bytes, number: int, log: GrowingLog) -> Iterator[Entry]:
    """What a line holds by the mapping: conversations, or messages of such that go on in other lines."""
    for entry in entries_in_line(line, number, log.mapping, Path(log.path).name.partition(".")[0]):
        if entry.group and entry.row_of is not None and entry.row_of.message_id:
            yield replace(entry, kind="message")  # or a piece of one: these are put together at the end
        elif entry.group and entry.row_of is not None:
            for place, message in enumerate(entry.messages):
                units = 0 if place else entry.units
                yield replace(
                    entry, kind="message", id=entry.group, messages=[message], group="", units=units
                )
        else:
            yield entry


@contextmanager
def _opened(path: Path | str) -> Iterator[BinaryIO]:
    """The bytes of a log that can grow. Raises Unreadable, also for a packed one, which is whole."""
    with open_log(path, stdin=False) as stream:
        if not isinstance(getattr(stream, "raw", None), FileIO):
            raise Unreadable(
                "is packed or an object: --follow reads files that grow; scan it without --follow"
            )
        yield stream
