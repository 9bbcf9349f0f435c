"""The values of a log, whatever holds them: lines, a document, a table, Parquet or an archive."""

from __future__ import annotations

import importlib
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from io import BufferedReader, BytesIO, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import yaml

from grice.formats.buckets import is_address, logs_at, open_bytes, without_secret
from grice.formats.errors import FormatError
from grice.formats.lines import (
    MAX_LINE,
    STDIN,
    UTF8_MARK,
    Transcoded,
    Unreadable,
    long_line,
    open_log,
    parse_line,
    read_lines,
)
from grice.formats.mapping import python_value
from grice.formats.tables import Table, delimiter_of, holds_json
from grice.formats.text_logs import sql_tables, text_kind, text_rows, xml_tree
from grice.records import JsonValue, clean_json

MAX_DOCUMENT = 500_000_000
"""The bytes of the longest document that is read, after decompression."""

Values = Iterator[tuple[int, JsonValue | FormatError]]
"""Values with the line of each, 0 for a document; a FormatError in place of what cannot be read."""

_HEAD = 50_000
"""The bytes that tell what a file holds."""
_PACKED = (".gz", ".zst")
_TABLES = (".csv", ".tsv")
_LOGS = (".jsonl", ".ndjson", ".json", *_TABLES, ".parquet", ".eval", ".sql", ".log", ".xml", ".yaml", ".yml")
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

    Raises Unreadable for a folder without any, and for a bucket that cannot be read.
    """
    for path in paths:
        if is_address(path):
            try:
                yield from logs_at(path, is_log_name)
            except OSError as error:
                raise Unreadable(f"{without_secret(path)}: {error}") from None
            continue
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
    speeches in a text, lines of an application's log, or one document, of which the line is 0.

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
            if _bare_name(path).endswith((".yaml", ".yml")):
                yield from _yaml_of(stream)
            else:
                yield from values_of(stream, table=table)


def _magic(path: Path | str) -> bytes:
    if str(path) == STDIN or os.path.isdir(path):
        return b""
    try:
        with open_bytes(path) as stream:
            return stream.read(4)
    except (OSError, ValueError):
        return b""  # who opens it says why


def values_of(stream: BinaryIO, *, table: bool = False) -> Values:
    """The values in these bytes, each with its line; `table` says that they are one, else it is seen.

    What is no UTF-8 is read as Windows-1252 where nothing in its beginning is UTF-8.
    """
    head = stream.read(_HEAD)
    if stream.seekable():
        stream.seek(0)
        whole = stream
    else:
        whole = BufferedReader(Rejoined(head, stream.read))
    if _is_windows(head):
        head, whole = head.decode("cp1252", "replace").encode(), BufferedReader(Transcoded(whole, "cp1252"))
    if b"\n" not in head and b"\r" in head.strip():  # as old spreadsheets end their lines
        head, whole = head.replace(b"\r", b"\n"), BytesIO(_rest(whole).replace(b"\r", b"\n"))
    kind = "" if table else text_kind(head.removeprefix(UTF8_MARK))
    if table or head.removeprefix(UTF8_MARK)[:4].lower() == b"sep=":
        yield from read_table(whole)
    elif head.removeprefix(UTF8_MARK).lstrip()[:5].lower() == b"<?xml":
        yield 0, xml_tree(_rest(whole).decode("utf-8", "replace").removeprefix("\ufeff").lstrip())
    elif kind == "sql":
        yield 0, sql_tables(_rest(whole).decode("utf-8", "replace"))
    elif kind == "text":
        yield from text_rows(
            [(n, line or b"") for n, line in enumerate(_rest(whole).removeprefix(UTF8_MARK).split(b"\n"), 1)]
        )
    else:
        yield from _json_of(whole)


def _is_windows(head: bytes) -> bool:
    """Whether a text has letters of Windows-1252 and none of UTF-8."""
    high = re.findall(rb"[\x80-\xff]+", head[: max(len(head) - 4, 0)])
    strange = re.compile(rb"[\x81\x8d\x8f\x90\x9d\xfe\xff]")
    return bool(high) and not any(_is_utf_8(one) or strange.search(one) for one in high)


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _json_of(stream: BinaryIO) -> Values:
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
    elif (
        delimiter_of(line)
        and not _goes_on_as_json(stream)
        and not line.lstrip().startswith((b"{", b"[", b'"{'))
    ):
        yield from read_table(BufferedReader(Rejoined(line, stream.read)))
        return
    else:
        whole = line + _rest(stream)
        document = _parsed(whole)
        if isinstance(document, FormatError) and (several := _documents(whole)):
            yield from several
            return
        if isinstance(document, FormatError) and (listed := _listed(whole)):
            yield from listed
            return
        goes_on = line.rstrip().endswith((b"{", b"[", b",")) and not _is_record_below(whole)
        if not isinstance(document, FormatError) or goes_on:
            yield 0, document  # one document over several lines, or one that was cut off
            return
        lines = ((number + n - 1, text) for n, text in read_lines(BytesIO(whole)))
    for later, text in lines:
        yield later, _parsed(text)


def _goes_on_as_json(stream: BinaryIO) -> bool:
    """Whether what stands behind the first line is JSON, which is then no table."""
    return isinstance(stream, BufferedReader) and stream.peek(2).lstrip()[:2] in (b'{"', b"[{", b'["')


def _is_record_below(whole: bytes) -> bool:
    """Whether the line behind the first is an object of its own, so that only the first is broken."""
    return isinstance(_parsed(whole.partition(b"\n")[2].partition(b"\n")[0]), dict)


def _listed(whole: bytes) -> list[tuple[int, JsonValue | FormatError]]:
    """The items of a list with one on each line, of which one is broken."""
    lines = [(number, line.strip().rstrip(b",")) for number, line in enumerate(whole.split(b"\n"), start=1)]
    found = [(number, _parsed(line)) for number, line in lines if line and line not in (b"[", b"]")]
    good = sum(not isinstance(one, FormatError) for _, one in found)
    return found if good > 1 and 2 * good > len(found) and lines[0][1] in (b"[", b"") else []


def _yaml_of(stream: BinaryIO) -> Values:
    """The documents in a file of YAML."""
    text = _rest(stream)
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if (b"&" in text or b"*" in text) and any(
            getattr(one, "anchor", None) for one in yaml.parse(text, Loader=loader)
        ):
            yield 1, FormatError("YAML with anchors, which are not read")
            return
        documents = [
            clean_json(msgspec.to_builtins(one, str_keys=True)) for one in yaml.load_all(text, Loader=loader)
        ]
    except (yaml.YAMLError, UnicodeError, ValueError, TypeError, RecursionError) as error:
        yield 1, FormatError(f"not valid YAML: {error}")
        return
    for number, one in enumerate(documents, start=1):
        yield 0 if len(documents) == 1 else number, one


def _documents(whole: bytes) -> list[tuple[int, JsonValue | FormatError]]:
    """The documents in a file that has several, each over several lines that end where one begins."""
    ends = [one.end() for one in re.finditer(rb"(?m)^[}\]],?[ \t\r]*$", whole)]
    found: list[tuple[int, JsonValue | FormatError]] = []
    begin = above = 0
    for end in ends:
        part = whole[begin:end].strip().rstrip(b",")
        found.append((above + 1 + bool(found), _parsed(part)))
        above += whole.count(b"\n", begin, end)
        begin = end
    good = sum(not isinstance(one, FormatError) for _, one in found)
    rest = whole[begin:].strip()
    if good < 2 or 2 * good < len(found):
        return []
    return found + ([(above + 2, _parsed(rest))] if rest else [])


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
        value = python_value(line.decode("utf-8", "replace"))
        return error if value is None else value


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
        if list(row.cells) == list(table.names):
            yield row.line, FormatError("the header of the table once more")
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
        with open_bytes(path) as stream, parquet.ParquetFile(stream) as opened:
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
        with open_bytes(path) as stream, zipfile.ZipFile(stream) as archive:
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
