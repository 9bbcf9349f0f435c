"""The values of a log, whatever holds them: lines, a document, a table, Parquet or an archive."""

from __future__ import annotations

import importlib
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from io import BufferedReader, BytesIO, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO

from grice.formats.errors import FormatError
from grice.formats.lines import (
    MAX_LINE,
    STDIN,
    UTF8_MARK,
    Unreadable,
    long_line,
    open_log,
    parse_line,
    read_lines,
)
from grice.formats.mapping import STAMPED
from grice.formats.tables import Table, delimiter_of, holds_json
from grice.records import JsonValue, clean_json
from grice.user_files import open_file

MAX_DOCUMENT = 500_000_000
"""The bytes of the longest document that is read, after decompression."""

Values = Iterator[tuple[int, JsonValue | FormatError]]
"""Values with the line of each, 0 for a document; a FormatError in place of what cannot be read."""

_PACKED = (".gz", ".zst")
_TABLES = (".csv", ".tsv")
_LOGS = (".jsonl", ".ndjson", ".json", *_TABLES, ".parquet", ".eval")
_TEXTS = frozenset({"reply", "response", "choices", "output", "text"})
"""The fields of a table that may be JSON, and are text where they are not."""
_NESTED = frozenset(
    {
        *_TEXTS,
        "body",
        "conversation",
        "conversations",
        "data",
        "events",
        "input",
        "messages",
        "observations",
        "params",
        "request",
        "tool_calls",
        "turns",
    }
)
"""The fields of which a cell may be JSON."""


def files_in(paths: Iterable[Path | str]) -> Iterator[Path | str]:
    """The files that the paths name: of a folder the logs below it, in order of their names.

    Raises Unreadable for a folder without any.
    """
    for path in paths:
        if str(path) == STDIN or not os.path.isdir(path):
            yield path
            continue
        found = sorted(one for one in Path(path).rglob("*") if is_log_name(one) and one.is_file())
        if not found:
            raise Unreadable(
                f"{path} is a directory without logs; expected {', '.join(_LOGS)}, packed or not"
            )
        yield from found


def is_log_name(path: Path) -> bool:
    """Whether the name of a file says that it is a log."""
    return not path.name.startswith(".") and _bare_name(path).endswith(_LOGS)


def _bare_name(path: Path | str) -> str:
    name = str(path).lower()
    return next((name.removesuffix(one) for one in _PACKED if name.endswith(one)), name)


def is_table(path: Path | str) -> bool:
    """Whether the name of a log says that it is a table of text."""
    return _bare_name(path).endswith(_TABLES)


def values_in(path: Path | str) -> Values:
    """The values of a file: rows of a table or of Parquet, lines of JSON, samples of an archive of Inspect,
    conversations in a text (.txt), or one document, of which the line is 0.

    What cannot be parsed is a FormatError in its place. Raises Unreadable.
    """
    magic = _magic(path)
    if magic == b"PAR1":
        yield from _read_parquet(path)
    elif magic == b"PK\x03\x04":
        yield from _read_archive(path)
    else:
        table = is_table(path)
        with open_log(path, "CSV" if table else "JSON") as stream:
            if table:
                yield from read_table(stream)
            else:
                yield from _transcripts_of(stream) if _bare_name(path).endswith(".txt") else values_of(stream)


def _magic(path: Path | str) -> bytes:
    if str(path) == STDIN or os.path.isdir(path):
        return b""
    try:
        with open_file(path) as stream:
            return stream.read(4)
    except (OSError, ValueError):
        return b""  # who opens it says why


def values_of(stream: BinaryIO) -> Values:
    """The JSON values, each with its line: one a line, or the file as one document (line 0) when its first
    line is none. A text whose first line is the header of a table is one.
    """
    lines = read_lines(stream)
    first = next(lines, None)
    if first is None:
        return
    number, line = first
    value = _parsed(line)
    if line is None or not isinstance(value, FormatError):
        yield number, value
    elif delimiter_of(line) and not line.lstrip().startswith((b"{", b"[", b'"{')):
        yield from read_table(BufferedReader(Rejoined(line, stream.read)))
        return
    else:
        whole = line + _rest(stream)
        document = _parsed(whole)
        if not isinstance(document, FormatError) or line.rstrip().endswith((b"{", b"[", b",")):
            yield 0, document  # one document over several lines, or one that was cut off
            return
        lines = ((number + n - 1, text) for n, text in read_lines(BytesIO(whole)))
    for later, text in lines:
        yield later, _parsed(text)


def _transcripts_of(stream: BinaryIO) -> Values:
    """The conversations in a text, each with its first line: blank lines stand between them, but for an
    export of a messenger, which is one. A text that is JSON or a table is read as such.
    """
    head = stream.readline(MAX_LINE)
    whole = BufferedReader(Rejoined(head, stream.read))
    is_table = delimiter_of(head) and b":" not in head
    if is_table or not isinstance(_parsed(head.removeprefix(UTF8_MARK)), FormatError):
        yield from values_of(whole)
        return
    is_export = STAMPED.match(head.decode("utf-8", "replace"))
    begin, held, size, last = 0, list[bytes](), 0, 0
    for number, line in read_lines(whole):
        if held and number > last + 1 and not is_export:
            yield begin, _text_of(held, size)
            held, size = [], 0
        begin = begin if held else number
        size += MAX_LINE + 1 if line is None else len(line)
        blank = b"\n" * (number - last - 1) if held else b""
        held.append(blank + line if line is not None and size <= MAX_LINE else b"")
        last = number
    if held:
        yield begin, _text_of(held, size)


def _text_of(lines: list[bytes], size: int) -> str | FormatError:
    if size > MAX_LINE:
        return FormatError(long_line())
    try:
        return b"".join(lines).decode().strip()
    except UnicodeDecodeError as error:
        return FormatError(f"not UTF-8: byte 0x{error.object[error.start]:02x}")


class Rejoined(RawIOBase):
    """Bytes that were read already, and what is read behind them."""

    def __init__(self, head: bytes, read: Callable[[int], bytes]) -> None:
        self._head = BytesIO(head)
        self._read = read

    def readable(self) -> bool:
        """Whether it can be read: it can."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with what comes next; how many bytes."""
        data = self._head.read(len(buffer)) or self._read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _rest(stream: BinaryIO) -> bytes:
    try:
        rest = stream.read(MAX_DOCUMENT + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable(f"cannot be read: {error}") from None
    if len(rest) > MAX_DOCUMENT:
        raise Unreadable(f"is one document of over {MAX_DOCUMENT:,} bytes; expected JSON Lines")
    return rest


def _parsed(line: bytes | None) -> JsonValue | FormatError:
    if line is None:
        return FormatError(long_line())
    try:
        return parse_line(line)
    except FormatError as error:
        return error


# -- tables


def read_table(stream: BinaryIO) -> Values:
    """The rows of a table as objects, each with its line.

    The header has the names of the fields. A blank cell is no field; one of a field that holds messages, and
    a reply that is JSON, is read as JSON.
    """
    table = Table(stream, of_log=True)
    for row in [*table.problems, *table]:
        if row.problem:
            yield row.at, FormatError(row.problem)
            continue
        try:
            cells = zip(table.names, row.cells, strict=True)
            yield row.line, {name: _of_cell(name, cell) for name, cell in cells if cell.strip()}
        except FormatError as error:
            yield row.line, error


def _of_cell(name: str, cell: str) -> JsonValue:
    if name not in _NESTED or not holds_json(cell):
        return cell
    try:
        return parse_line(cell.encode())
    except FormatError as error:
        if name in _TEXTS:
            return cell
        raise FormatError(f"{name}: begins with {cell.lstrip()[0]} as JSON does: {error}") from None


def _read_parquet(path: Path | str) -> Values:
    """The rows of a Parquet file as objects, numbered from 1, without the fields that are null."""
    try:
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise Unreadable("is Parquet, which needs a package: pip install 'grice[parquet]'") from None
    number = 0
    try:
        with parquet.ParquetFile(path) as opened:
            for batch in opened.iter_batches(batch_size=1000):
                for row in batch.to_pylist():
                    number += 1
                    yield number, _of_row(row)
    except (OSError, ValueError) as error:  # of which those of Arrow are
        raise Unreadable(f"cannot be read after row {number}: {error}") from None


def _of_row(row: dict[str, Any]) -> JsonValue | FormatError:
    held = {name: value for name, value in row.items() if value is not None}
    try:
        return {
            name: _of_cell(name, value) if isinstance(value, str) else clean_json(value)
            for name, value in held.items()
        }
    except FormatError as error:
        return error


# -- archives


def _read_archive(path: Path | str) -> Values:
    """The samples in a log of Inspect (.eval), numbered from 1."""
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            names = [
                one for one in archive.namelist() if one.startswith("samples/") and one.endswith(".json")
            ]
            if not names:
                raise Unreadable("is an archive without samples; expected a log of Inspect, or unpack it")
            for number, name in enumerate(names, start=1):
                with archive.open(name) as member:
                    data = member.read(MAX_LINE + 1)
                yield number, _parsed(data if len(data) <= MAX_LINE else None)
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError) as error:
        raise Unreadable(f"cannot be read: {error}") from None
