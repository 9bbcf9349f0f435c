"""Files of scenarios: a JSON or YAML list, JSON Lines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from grice.files.document import (
    Document,
    FileError,
    WholeFileError,
    load_file,
    missing_file,
    parse_document,
)
from grice.files.scenario_entries import Enough, FileSource, Source, lines_of, written
from grice.files.scenario_schema import Problem
from grice.text import did_you_mean, value_text
from grice.user_files import open_file

__all__ = ["read_file", "shown_path"]

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
        from grice.files.scenario_csv import read_csv

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
