"""Scenarios in a table: comma-separated values with a header. Streams, so a file may have any size."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from grice.files.document import FileError, WholeFileError, parse_document
from grice.files.locate import JsonValue
from grice.files.scenario_entries import Enough, FileSource, Source
from grice.files.scenario_schema import Problem
from grice.formats.tables import Table, TableRow, holds_json
from grice.user_files import open_file

__all__ = ["read_csv"]

_TEXT = ("id", "name", "goal", "role")
_DEEPEST = 20


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
            _read_rows(source, Table(stream))
    except Enough:
        pass
    except OSError as error:
        source.errors.append(WholeFileError(label, f"cannot be read: {error.strerror or error}"))
    return source


def _read_rows(source: FileSource, table: Table) -> None:
    columns = [_Column(tuple(name.split("."))) for name in table.names]
    for bad in table.problems:
        _refuse(source, bad)
    problems = [] if table.problems else _path_problems(columns)
    for problem in problems:
        source.refuse(0, table.line, Problem((), problem))
    if table.problems or problems:
        return
    for row in table:
        if row.problem:
            _refuse(source, row)
        else:
            _add_row(source, columns, row)


def _refuse(source: FileSource, row: TableRow) -> None:
    source.refuse(row.number, row.at, Problem((), row.problem))
    source.errors[-1].column = row.column


def _path_problems(columns: list[_Column]) -> list[str]:
    """What is wrong with the names as paths."""
    problems: list[str] = []
    inner: dict[tuple[str, ...], str] = {}
    for number, column in enumerate(columns, start=1):
        if "" in column.path or len(column.path) > _DEEPEST:
            problems.append(f"column {number}: expected names with a dot between them, found {column.name!r}")
        for depth in range(1, len(column.path)):
            inner.setdefault(column.path[:depth], column.name)
    return problems + [
        f"the columns {'.'.join(path)!r} and {inner[path]!r} are one field twice"
        for path in sorted({column.path for column in columns} & inner.keys())
    ]


def _add_row(source: FileSource, columns: list[_Column], row: TableRow) -> None:
    record: dict[str, JsonValue] = {}
    right = True
    for column, cell in zip(columns, row.cells, strict=True):
        if not cell or cell.isspace():
            continue
        try:
            value = _value(column, cell)
        except FileError as error:
            message = f"begins with {cell.lstrip()[0]} as JSON does: {error.message}"
            source.refuse(row.number, row.line, Problem(column.path, message))
            right = False
            continue
        place: dict[str, Any] = record
        for name in column.path[:-1]:
            place = place.setdefault(name, {})
        place[column.path[-1]] = value
    if right:
        source.add(record, row.number, row.line)


def _value(column: _Column, cell: str) -> JsonValue:
    """What a cell says. Raises FileError when it looks like JSON and is none."""
    name = column.name
    if name in _TEXT:
        return cell
    bare = cell.strip()
    if name == "max_turns" and bare.isascii() and bare.isdigit() and len(bare) < 10:
        return int(bare)
    if holds_json(cell):
        return parse_document(bare, path="").value
    return cell
