"""Files of scenarios: a JSON or YAML list, JSON Lines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from grice.files.document import Document, FileError, WholeFileError, load_file, missing_file, parse_document
from grice.files.locate import JsonValue
from grice.files.scenario_entries import Enough, FileSource, Source, lines_of, written
from grice.formats.tables import Table, TableRow, holds_json
from grice.text import did_you_mean, value_text
from grice.typed import Problem
from grice.user_files import open_file

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


SUFFIXES = (".json", ".jsonl", ".yaml", ".yml", ".csv")

_CHECKED_FILES = (".grice.json", ".grice.yaml", ".grice.yml", ".golden.json", ".golden.yaml", ".golden.yml")


class FileText(FileSource):
    """Scenarios in a document that was read as a whole; an error stands at its very value."""

    def __init__(self, document: Document) -> None:
        super().__init__(document.path)
        self._document = document

    def error(self, index: int, line: int, problem: Problem) -> FileError:  # noqa: ARG002 - found anew
        """The error about a record, or a part of it."""
        path = (index, *problem.path)
        message = f"{written(path)}: {problem.message}"
        return FileError(self.label, *self._document.position(path), message)


class LineText(FileSource):
    """Scenarios of which each is a line of JSON."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self._current: tuple[int, Document] | None = None

    def read_line(self, text: str, number: int, index: int) -> None:
        """Take the record on a line."""
        self._current = None
        try:
            document = parse_document(text, path=self.label)
        except FileError as error:
            self.refuse(index, number, Problem((), error.message))
            self.errors[-1].column = error.column
            return
        self._current = number, document
        self.add(document.value, index, number)
        self._current = None

    def error(self, index: int, line: int, problem: Problem) -> FileError:
        """The error about a record, at the value when that line is being read."""
        found = super().error(index, line, problem)
        if self._current is not None and self._current[0] == line:
            found.column = self._current[1].position(problem.path)[1]
        return found


def read_file(path: Path) -> Source:
    """The entries of a file of scenarios, by its extension in upper or lower case.

    Nothing is raised: what is wrong is in the source's `errors`.
    """
    label = shown_path(path)
    suffix = path.suffix.lower()
    problem = _unusable(path)
    if problem is not None:
        source = FileSource(label)
        source.errors.append(problem)
        return source
    if suffix == ".csv":
        return read_csv(path, label)
    return _read_lines(path, label) if suffix == ".jsonl" else _read_document(path, label)


def shown_path(path: Path) -> str:
    """How errors and records call a file: from the current folder when it is in that, else in full."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _unusable(path: Path) -> FileError | None:
    """What is wrong with the path, before anything is read."""
    name = path.name.lower()
    if path.is_dir():
        return WholeFileError(path, f"is a folder, expected a file: {', '.join(SUFFIXES)}")
    if not path.suffix or path.suffix.lower() not in SUFFIXES:
        hint = did_you_mean(path.suffix, SUFFIXES) if path.suffix else ""
        return WholeFileError(path, f"expected a file of scenarios: {', '.join(SUFFIXES)}{hint}")
    if name.endswith(_CHECKED_FILES):
        kind = "goldens" if ".golden." in name else "a suite"
        return WholeFileError(path, f"is a file of {kind} with checks of its own: pytest runs it as it is")
    if not os.path.lexists(path):
        return missing_file(path)
    return None


def _read_document(path: Path, label: str) -> Source:
    try:
        read = load_file(path)
    except FileError as error:
        source: Source = FileSource(label)
        source.errors.append(_explained(error, label))
        return source
    document = Document(label, read.text, read.syntax, read.value)
    source = FileText(document)
    if not isinstance(document.value, list):
        message = f"expected a list of scenarios, found {value_text(document.value)}"
        source.errors.append(FileError(label, *document.position(), message))
        return source
    try:
        for index, (value, line) in enumerate(zip(document.value, _lines(document), strict=True)):
            source.add(value, index, line)
    except Enough:
        pass
    return source


def _explained(error: FileError, label: str) -> FileError:
    """The error of the reader of files, with what to do in a file of scenarios."""
    if error.message.startswith("larger than"):
        return WholeFileError(label, f"{error.message}: JSON Lines (.jsonl) and CSV may have any size")
    if isinstance(error, WholeFileError):
        return WholeFileError(label, error.message)
    hint = ""
    if "not valid JSON: a second document" in error.message and error.line > 1:
        hint = "; when every line is a record of its own, name the file .jsonl"
    return FileError(label, error.line, error.column, error.message + hint)


def _lines(document: Document) -> Iterator[int]:
    """The line of each record of a list."""
    text = document.text
    seen, line = 0, 1
    starts = _json_starts(text, len(document.value)) if document.syntax == "json" else _yaml_starts(document)
    for start in starts:
        line += text.count("\n", seen, start)
        seen = start
        yield line


def _yaml_starts(document: Document) -> Iterator[int]:
    return (document.span((index,))[0] for index in range(len(document.value)))


def _json_starts(text: str, count: int) -> Iterator[int]:
    """Where each item of a JSON list begins that has been read already."""
    decode = json.JSONDecoder().raw_decode
    at = text.index("[") + 1
    for _ in range(count):
        at = _end(text, at, " \t\r\n,")
        yield at
        at = decode(text, at)[1]


def _end(text: str, at: int, skipped: str) -> int:
    while text[at] in skipped:
        at += 1
    return at


def _read_lines(path: Path, label: str) -> Source:
    source = LineText(label)
    index = 0
    try:
        with open_file(path) as stream:
            for number, text in lines_of(stream, source):
                if not text.strip():
                    continue
                if index == 0 and _is_document(text):
                    message = "JSON Lines have one object a line; name the file .json if it is one document"
                    source.errors.append(FileError(label, number, 1, message))
                    break
                source.read_line(text.rstrip("\r\n"), number, index)
                index += 1
    except Enough:
        pass
    except OSError as error:
        source.errors.append(WholeFileError(label, f"cannot be read: {error.strerror or error}"))
    return source


def _is_document(line: str) -> bool:
    """Whether a first line begins a document that goes over lines, or is a list."""
    return line.lstrip().startswith("[") or line.strip() == "{"
