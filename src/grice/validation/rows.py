"""The rows of a data file: JSON Lines, JSON or CSV, each with the place of what is wrong in it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from grice.files.document import (
    Document,
    FieldType,
    FileError,
    WholeFileError,
    check_fields,
    load_file,
    missing_file,
    parse_document,
)
from grice.files.locate import JsonPath
from grice.formats.lines import UTF8_MARK, Unreadable, open_log, read_lines
from grice.records import JsonValue, clean_json
from grice.text import shorten, visible

__all__ = ["MAX_ERRORS", "MAX_ROWS", "Row", "read_rows"]

MAX_ROWS = 100_000
"""The rows of the longest file that is read."""

MAX_ERRORS = 100
"""How many errors are told at once."""

_NESTED = ("messages", "earlier", "tool_calls", "labels", "conversation", "turns", "data")
_BRACKETS = {"[": "]", "{": "}"}
_LONGEST = 10_000_000  # bytes of a line


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
        """What is wrong at a place inside the row."""
        if self.document is None:
            return FileError(self.file, self.line, 1, message)
        line, column = self.document.position((*self.place, *where), key=key)
        return FileError(self.file, line + self.before, column, message)

    def problems(
        self,
        where: JsonPath,
        value: JsonValue,
        optional: Mapping[str, FieldType],
        required: Mapping[str, FieldType] | None = None,
    ) -> list[FileError]:
        """What is wrong with the fields of an object inside the row."""
        if self.document is None:  # positions do not matter: all of a row of a table is at its line
            document, at = Document(self.file, "{}", "json", {}), where
        else:
            document, at = self.document, (*self.place, *where)
        found = check_fields(document, at, value, required=required or {}, optional=optional)
        before = self.line - 1 if self.document is None else self.before
        return [
            FileError(self.file, one.line + before, one.column, one.message.removeprefix("the file: "))
            for one in found
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
        return FileError(str(file), number, 1, "the line is too long")
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
    if not isinstance(value, dict):
        errors += row.problems((), value, {})
        return
    line = row.error((), "").line if place else before + 1
    yield msgspec.structs.replace(row, line=line, fields=value)


# -- tables


def _csv_rows(file: Path, errors: list[FileError]) -> Iterator[Row]:
    if not file.exists():
        raise missing_file(file)
    try:
        with open_log(file, documents=True, stdin=False) as stream:
            yield from _table(file, _texts(file, stream), errors)
    except Unreadable as problem:
        raise WholeFileError(file, str(problem).replace("JSON", "CSV")) from None
    except OSError as error:
        raise WholeFileError(file, f"cannot be read: {error.strerror or error}") from None


def _texts(file: Path, stream: BinaryIO) -> Iterator[str]:
    """The lines with their ends, which are part of a value in quotes."""
    for number, line in enumerate(iter(lambda: stream.readline(_LONGEST + 1), b""), 1):
        raw = line.removeprefix(UTF8_MARK) if number == 1 else line
        if len(raw) > _LONGEST:
            raise FileError(str(file), number, 1, "the line is too long")
        try:
            yield raw.decode()
        except UnicodeDecodeError as error:
            raise FileError(str(file), number, 1, f"not UTF-8: byte 0x{raw[error.start]:02x}") from None


def _table(file: Path, texts: Iterable[str], errors: list[FileError]) -> Iterator[Row]:
    names: list[str] = []
    for line, cells in _cells(file, texts):
        if not names:
            names = [cell.strip() for cell in cells]
            wrong = _wrong_header(names)
            if wrong:
                raise FileError(str(file), line, 1, wrong)
        elif len(cells) != len(names):
            message = f"a row of {len(cells)} cells, expected {len(names)} as in the header"
            errors.append(FileError(str(file), line, 1, message))
        else:
            try:
                yield Row(str(file), line, _fields(names, cells), csv=True)
            except FileError as error:
                errors.append(FileError(str(file), line, 1, error.message))


def _fields(names: list[str], cells: list[str]) -> dict[str, JsonValue]:
    """The values of a row. A blank cell is no value, but as a label it says that somebody could not tell."""
    pairs = zip(names, cells, strict=True)
    return {name: _value(name, cell) for name, cell in pairs if cell.strip() or name in ("label", "value")}


def _cells(file: Path, texts: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not empty, with the line on which it begins."""
    reader = csv.reader(texts, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            what = f"not valid CSV: {error}; is a quote open that begins in this row?"
            raise FileError(str(file), line, 1, what) from None
        if any(cell.strip() for cell in cells):
            yield line, cells


def _wrong_header(names: list[str]) -> str:
    if len(names) == 1 and any(mark in names[0] for mark in ";\t|"):
        return f"the header is one column {names[0]!r}: expected commas between the columns"
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if "" in names:
        return f"column {names.index('') + 1} has no name: the first row names the columns"
    return f"the column {shorten(visible(twice[0]), 60)!r} is there twice" if twice else ""


def _value(name: str, cell: str) -> JsonValue:
    """What a cell says. Raises FileError when it looks like JSON where that may stand, and is none."""
    bare = cell.strip()
    if name in _NESTED and bare and bare[-1] == _BRACKETS.get(bare[0]):
        try:
            return parse_document(bare, path="").value
        except FileError as error:
            raise FileError(
                "", 1, 1, f"{name}: begins with {bare[0]} as JSON does: {error.message}"
            ) from None
    return cell
