"""Read the rows of a data file: JSON Lines, JSON or CSV, each with the place of what is wrong in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from grice.files.document import Document, FileError, WholeFileError, load_file, missing_file, parse_document
from grice.files.locate import JsonPath
from grice.formats.lines import Unreadable, long_line, open_log, read_lines
from grice.formats.tables import Table, holds_json
from grice.records import JsonValue, clean_json
from grice.typed import problems_in

MAX_ROWS = 100_000
"""The rows of the longest file that is read."""

MAX_ERRORS = 100
"""How many errors are told at once."""

_NESTED = ("messages", "earlier", "tool_calls", "labels", "conversation", "turns", "data")


class Row(msgspec.Struct, frozen=True):
    """One object of a file. `fields` are its values; `csv` says that every value was text in a table.

    `line` counts from 1. `document` and `place` say where the values stand, in a file that has columns.
    """

    file: str
    line: int
    fields: dict[str, Any]
    document: Document | None = None
    place: JsonPath = ()
    before: int = 0
    csv: bool = False

    def error(self, where: JsonPath, message: str, *, key: bool = False) -> FileError:
        """An error at a place inside the row."""
        if self.document is None:
            return FileError(self.file, self.line, 1, message)
        line, column = self.document.position((*self.place, *where), key=key)
        return FileError(self.file, line + self.before, column, message)

    def problems(self, type_: Any) -> list[FileError]:
        """The errors that keep the fields from being of the type."""
        return [
            self.error((*one.path, one.key) if one.key else one.path, str(one), key=bool(one.key))
            for one in problems_in(self.fields, type_)
        ]


def read_rows(file: Path, errors: list[FileError], *, clean: bool = True) -> Iterator[Row]:
    """The rows of a file: `.csv`, `.json` (one object or a list of them), else JSON Lines, gzip too.

    What is wrong is added to `errors`, and the rest is read. With `clean`, texts are such as can be written
    down; without, they are as they stand, halves of surrogate pairs too.
    """
    before = len(errors)
    read = {".csv": _csv_rows, ".json": _json_rows}.get(file.suffix.lower(), _jsonl_rows)
    count = 0
    try:
        for row in read(file, errors):
            count += 1
            if count > MAX_ROWS:
                raise WholeFileError(file, f"holds more than {MAX_ROWS:,} rows")
            yield msgspec.structs.replace(row, fields=clean_json(row.fields)) if clean else row
    except FileError as error:
        errors.append(error)
    if not count and len(errors) == before:
        errors.append(WholeFileError(file, "is empty: it holds no rows"))


def _json_rows(file: Path, errors: list[FileError]) -> Iterator[Row]:
    document = load_file(file)
    several = document.value
    if not isinstance(several, list):
        yield from _row(document, (), 0, several, errors)
        return
    for place, value in enumerate(several):
        yield from _row(document, (place,), 0, value, errors)


def _jsonl_rows(file: Path, errors: list[FileError]) -> Iterator[Row]:
    if not file.exists():
        raise missing_file(file)
    try:
        with open_log(file, stdin=False) as stream:
            for number, line in read_lines(stream):
                document = _document(file, number, line)
                if isinstance(document, FileError):
                    errors.append(document)
                else:
                    yield from _row(document, (), number - 1, document.value, errors)
    except Unreadable as problem:
        raise WholeFileError(file, str(problem)) from None


def _document(file: Path, number: int, line: bytes | None) -> Document | FileError:
    """The line as a document of its own, or what is wrong with it."""
    if line is None:
        return FileError(str(file), number, 1, long_line())
    try:
        return parse_document(line.decode().rstrip("\r\n"), path=file)
    except UnicodeDecodeError as error:
        return FileError(str(file), number, 1, f"not UTF-8: byte 0x{line[error.start]:02x}")
    except FileError as error:
        return FileError(str(file), number, error.column, error.message)


def _row(
    document: Document, place: JsonPath, before: int, value: JsonValue, errors: list[FileError]
) -> Iterator[Row]:
    row = Row(document.path, before + 1, {}, document, place, before)
    if wrong := problems_in(value, dict):
        errors += [row.error((), str(one)) for one in wrong]
        return
    line = row.error((), "").line if place else before + 1
    yield msgspec.structs.replace(row, line=line, fields=value)


# -- tables


def _csv_rows(file: Path, errors: list[FileError]) -> Iterator[Row]:
    if not file.exists():
        raise missing_file(file)
    try:
        with open_log(file, "CSV", stdin=False) as stream:
            yield from _of_table(str(file), Table(stream), errors)
    except Unreadable as problem:
        raise WholeFileError(file, str(problem)) from None


def _of_table(file: str, table: Table, errors: list[FileError]) -> Iterator[Row]:
    errors += [FileError(file, one.at, one.column, one.problem) for one in table.problems]
    for row in table:
        if row.problem:
            errors.append(FileError(file, row.at, row.column, row.problem))
            continue
        try:
            yield Row(file, row.line, _fields(table.names, row.cells), csv=True)
        except FileError as error:
            errors.append(FileError(file, row.line, 1, error.message))


def _fields(names: Sequence[str], cells: Sequence[str]) -> dict[str, JsonValue]:
    """The values of a row. A blank cell is no value, but as a label it says that somebody could not tell."""
    pairs = zip(names, cells, strict=True)
    return {name: _value(name, cell) for name, cell in pairs if cell.strip() or name in ("label", "value")}


def _value(name: str, cell: str) -> JsonValue:
    """What a cell says. Raises FileError when it looks like JSON where that may stand, and is none."""
    if name in _NESTED and holds_json(cell):
        bare = cell.strip()
        try:
            return parse_document(bare, path="").value
        except FileError as error:
            raise FileError(
                "", 1, 1, f"{name}: begins with {bare[0]} as JSON does: {error.message}"
            ) from None
    return cell
