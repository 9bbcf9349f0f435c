"""A log in parts: each is the lines that begin in so many bytes of it, whoever reads them."""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from grice.formats import lines
from grice.formats.buckets import ObjectBytes
from grice.formats.lines import Unreadable
from grice.formats.mapping import LogMapping

PART = 1 << 18
"""The bytes of a part of a log: small, so that a stop loses little."""
OBJECT_PART = 1 << 23
"""The bytes of a part of an object, each of which is a request."""
_REST = 1 << 16


class LogPart(msgspec.Struct, frozen=True):
    """The lines of a file that begin at a byte from `start` on and before `end`; the whole file without one.

    `mapping` says how a whole file of a home-made shape is read.
    """

    path: str
    start: int = 0
    end: int | None = None
    mapping: LogMapping | None = None


def plain_size(stream: BinaryIO) -> int | None:
    """The size of the file, None of what cannot be read from the middle: compressed, or standard input."""
    raw = getattr(stream, "raw", None)
    if isinstance(raw, ObjectBytes):
        return raw.size
    return os.fstat(raw.fileno()).st_size if isinstance(raw, io.FileIO) and raw.seekable() else None


def read_parts(stream: BinaryIO, start: int = 0, last: int | None = None) -> Iterator[bytes]:
    """The lines of all parts, from the one that begins at `start` on, to the one that ends at `last`.

    Raises Unreadable.
    """
    at, end = _line_after(stream, start), start + PART
    while last is None or end - PART < last:
        data = b""
        if at < end:
            data, read = _lines_until(stream, at, end)
            if not read:
                return
            data = data if at else data.removeprefix(lines.UTF8_MARK)
            at += read
        yield data
        end += PART


class FileParts(msgspec.Struct, frozen=True):
    """The parts of a file from `start` on; one has `length` bytes, but no fewer than `PART`."""

    path: str
    start: int
    size: int
    length: int = 1

    def __iter__(self) -> Iterator[LogPart]:
        step = max(self.length // PART, 1) * PART
        return (LogPart(self.path, at, at + step) for at in range(self.start, self.size, step))


def _lines_until(stream: BinaryIO, at: int, end: int) -> tuple[bytes, int]:
    """The lines from here on that begin before `end`, and how many bytes they have in the file.

    Of a line over the limit only so much is handed out that this shows.
    """
    data = b""
    try:
        while (wanted := end - at - len(data)) > 0 and (piece := stream.read1(wanted)):  # type: ignore[attr-defined]
            data += piece
        read = len(data)
        if data and not data.endswith(b"\n"):
            rest = stream.readline(lines.MAX_LINE + 1)
            data += rest
            read += len(rest)
            if rest and not rest.endswith(b"\n"):
                read += _skip_line(stream)
                data += b"\n"
    except (OSError, EOFError, zlib.error) as error:
        whole = data[: data.rfind(b"\n") + 1]
        if whole:
            return whole, len(whole)  # the next lines raise it again
        raise Unreadable(f"cannot be read after byte {at:,}: {error}") from None
    return data, read


def _line_after(stream: BinaryIO, start: int) -> int:
    """Go to the first line that begins at `start` or later; the byte at which it begins."""
    if not start:
        return 0
    stream.seek(start - 1)
    return start - 1 + _skip_line(stream)


def _skip_line(stream: BinaryIO) -> int:
    """Go behind the end of this line; how many bytes that is."""
    skipped = 0
    while piece := stream.readline(_REST):
        skipped += len(piece)
        if piece.endswith(b"\n"):
            break
    return skipped
