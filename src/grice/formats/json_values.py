"""The JSON values of a file: one a line, or the file as one document."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from grice.formats.errors import FormatError
from grice.formats.lines import MAX_LINE, Unreadable, parse_line, read_lines
from grice.records import JsonValue

__all__ = ["json_values"]

_MAX_DOCUMENT = 500_000_000


def json_values(stream: BinaryIO) -> Iterator[tuple[int, JsonValue | FormatError]]:
    """The JSON values, each with its line: one a line, or the file as one document (line 0) when its first
    line is none. What cannot be parsed is a FormatError in its place. Raises Unreadable.
    """
    lines = read_lines(stream)
    first = next(lines, None)
    if first is None:
        return
    number, line = first
    value = _parsed(line)
    if line is None or not isinstance(value, FormatError):
        yield number, value
    else:
        whole = line + _rest(stream)
        document = _parsed(whole)
        if not isinstance(document, FormatError) or line.rstrip().endswith((b"{", b"[", b",")):
            yield 0, document  # one document over several lines, or one that was cut off
            return
        lines = ((number + n - 1, text) for n, text in read_lines(io.BytesIO(whole)))
    for later, text in lines:
        yield later, _parsed(text)


def _rest(stream: BinaryIO) -> bytes:
    try:
        rest = stream.read(_MAX_DOCUMENT + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable(f"cannot be read: {error}") from None
    if len(rest) > _MAX_DOCUMENT:
        raise Unreadable(f"is one document of over {_MAX_DOCUMENT:,} bytes; expected JSON Lines")
    return rest


def _parsed(line: bytes | None) -> JsonValue | FormatError:
    if line is None:
        return FormatError(f"longer than {MAX_LINE:,} bytes")
    try:
        return parse_line(line)
    except FormatError as error:
        return error
