"""Scenarios in a table: comma-separated values with a header. Streams, so a file may have any size."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from grice.files.document import FileError, WholeFileError, parse_document
from grice.files.locate import JsonValue
from grice.files.scenario_entries import Enough, FileSource, Source, lines_of
from grice.files.scenario_schema import Problem
from grice.user_files import open_file

__all__ = ["read_csv"]

_TEXT = ("id", "name", "goal", "role")
_DEEPEST = 20
_BRACKETS = {"[": "]", "{": "}"}


class _Column(NamedTuple):
    """A column: the names that its header nests, outermost first."""

    path: tuple[str, ...]

    @property
    def name(self) -> str:
        return ".".join(self.path)


def read_csv(path: Path, label: str) -> Source:
    """The entries of a CSV file: a row is a record, its header names the fields, `a.b` is `b` in `a`.

    A blank cell is no field. A cell is text, but one that begins with `[` or `{` and ends with its
    counterpart is JSON (never in id, name, goal and role), and `max_turns` is an integer.
    """
    source = FileSource(label)
    try:
        with open_file(path) as stream:
            _read_rows(source, lines_of(stream, source))
    except Enough:
        pass
    except OSError as error:
        source.errors.append(WholeFileError(label, f"cannot be read: {error.strerror or error}"))
    return source


def _read_rows(source: FileSource, lines: Iterator[tuple[int, str]]) -> None:
    rows = _rows(source, (text for _, text in lines))
    header = next(rows, None)
    if header is None:
        return
    line, names = header
    columns = [_Column(tuple(name.strip().split("."))) for name in names]
    problems = _header_problems(columns, names)
    for problem in problems:
        source.refuse(0, line, Problem((), problem))
    if problems:
        return
    for index, (line, cells) in enumerate(rows):
        if len(cells) != len(columns):
            hint = "; a cell with a comma in it needs double quotes" if len(cells) > len(columns) else ""
            message = f"a row of {len(cells)} cells, expected {len(columns)} as in the header{hint}"
            source.refuse(index, line, Problem((), message))
        else:
            _add_row(source, columns, cells, index, line)


def _rows(source: FileSource, texts: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not empty, with the line on which it begins."""
    reader = csv.reader(texts, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            source.refuse(0, line, Problem((), _explained(str(error))))
            return
        if any(cell.strip() for cell in cells):
            yield line, cells


def _explained(said: str) -> str:
    """What is wrong with a row, for what the reader of CSV says."""
    if "field limit" in said:
        limit = f"{csv.field_size_limit():,}"
        return f"a cell is longer than {limit} characters; is a quote open that begins in this row?"
    if "new-line character" in said:
        return "its lines end with a carriage return alone: save it with line feeds"
    if "end of data" in said:
        return 'not valid CSV: a quote that opens in this row is not closed: end the cell with "'
    if "expected after" in said:
        return 'not valid CSV: a cell ends at a quote within it: write a quote in a cell twice, ""'
    return f"not valid CSV: {said}; is a quote open that begins in this row?"


def _header_problems(columns: list[_Column], names: list[str]) -> list[str]:
    problems: list[str] = []
    if len(names) == 1 and any(mark in names[0] for mark in ";\t|"):
        problems.append(f"the header is one column {names[0]!r}: expected commas between the columns")
    seen: set[tuple[str, ...]] = set()
    inner: dict[tuple[str, ...], str] = {}
    for number, column in enumerate(columns, start=1):
        if not column.name:
            problems.append(f"column {number} has no name")
        elif "" in column.path or len(column.path) > _DEEPEST:
            problems.append(f"column {number}: expected names with a dot between them, found {column.name!r}")
        elif column.path in seen:
            problems.append(f"column {number}: the column {column.name!r} is there twice")
        seen.add(column.path)
        for depth in range(1, len(column.path)):
            inner.setdefault(column.path[:depth], column.name)
    return problems + [
        f"the columns {'.'.join(path)!r} and {inner[path]!r} are one field twice"
        for path in sorted(seen & inner.keys())
    ]


def _add_row(source: FileSource, columns: list[_Column], cells: list[str], index: int, line: int) -> None:
    record: dict[str, JsonValue] = {}
    right = True
    for column, cell in zip(columns, cells, strict=True):
        if not cell or cell.isspace():
            continue
        try:
            value = _value(column, cell)
        except FileError as error:
            message = f"begins with {cell.lstrip()[0]} as JSON does: {error.message}"
            source.refuse(index, line, Problem(column.path, message))
            right = False
            continue
        place: dict[str, Any] = record
        for name in column.path[:-1]:
            place = place.setdefault(name, {})
        place[column.path[-1]] = value
    if right:
        source.add(record, index, line)


def _value(column: _Column, cell: str) -> JsonValue:
    """What a cell says. Raises FileError when it looks like JSON and is none."""
    name = column.name
    if name in _TEXT:
        return cell
    bare = cell.strip()
    if name == "max_turns" and bare.isascii() and bare.isdigit() and len(bare) < 10:
        return int(bare)
    if bare[-1] == _BRACKETS.get(bare[0]):
        return parse_document(bare, path="").value
    return cell
