"""A log in parts: each is the lines that begin in so many bytes of it, whoever reads them."""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from grice.formats import lines
from grice.formats.lines import Unreadable, open_log

PART = 1 << 18
"""The bytes of a part of a log: small, so that a stop loses little."""
_REST = 1 << 16


class LogPart(msgspec.Struct, frozen=True):
    """The lines of a file that begin at a byte from `start` on and before `end`."""

    path: str
    start: int
    end: int


def plain_size(stream: BinaryIO) -> int | None:
    """The size of the file, None of what cannot be read from the middle: compressed, or standard input."""
    raw = getattr(stream, "raw", None)
    return os.fstat(raw.fileno()).st_size if isinstance(raw, io.FileIO) and raw.seekable() else None


def read_part(part: LogPart) -> bytes:
    """The lines of a part. Raises Unreadable."""
    with open_log(part.path) as stream:
        at = _line_after(stream, part.start)
        data = _lines_until(stream, at, part.end)[0] if at < part.end else b""
    return data if part.start else data.removeprefix(lines.UTF8_MARK)


def read_parts(stream: BinaryIO, start: int = 0) -> Iterator[bytes]:
    """The lines of all parts, from the one that begins at `start` on. Raises Unreadable."""
    at, end = _line_after(stream, start), start + PART
    while True:
        data = b""
        if at < end:
            data, read = _lines_until(stream, at, end)
            if not read:
                return
            data = data if at else data.removeprefix(lines.UTF8_MARK)
            at += read
        yield data
        end += PART


def file_parts(path: Path | str, size: int, start: int = 0) -> Iterator[LogPart]:
    """The parts of a file of that size, from `start` on."""
    return (LogPart(str(path), at, at + PART) for at in range(start, size, PART))


def _lines_until(stream: BinaryIO, at: int, end: int) -> tuple[bytes, int]:
    """The lines from here on that begin before `end`, and how many bytes they have in the file.

    Of a line over the limit only so much is handed out that this shows.
    """
    data = b""
    try:
        while (wanted := end - at - len(data)) > 0 and (piece := stream.read1(min(wanted, _REST))):  # type: ignore[attr-defined]
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
