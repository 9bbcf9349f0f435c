"""Values of documents as what their types say, with the position of every error."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from grice.files.document import Document, FileError
from grice.files.locate import JsonPath, JsonValue
from grice.typed import Problem, problems_in, written

T = TypeVar("T")


def errors_in(document: Document, value: JsonValue, type_: Any, at: JsonPath = ()) -> list[FileError]:
    """Everything that keeps the value at a place of a document from being of the type, by position."""
    found = problems_in(value, type_)
    return sorted((named(document, at, one) for one in found), key=lambda one: (one.line, one.column))


def named(document: Document, at: JsonPath, problem: Problem) -> FileError:
    """The problem of a value at a place of a document, with its position and path."""
    path = (*at, *problem.path)
    point = (*path, problem.key) if problem.key else path
    where = written(path) or ("the file" if problem.message.startswith("expected ") else "")
    position = document.position(point, key=bool(problem.key))
    if document.syntax == "yaml":
        problem = problem._replace(message=problem.message + _yaml_hint(document, position, problem.message))
    return FileError(document.path, *position, f"{where}: {problem.message}" if where else problem.message)


def _yaml_hint(document: Document, position: tuple[int, int], said: str) -> str:
    """What to write where YAML made something else of it than its writer meant."""
    if not said.startswith("expected "):
        return ""
    wanted, _, found = said.rpartition(", found ")
    line = document.text.split("\n")[position[0] - 1][position[1] - 1 :]
    if found == "an object" and wanted.endswith(" list"):
        return ": put it into [ ]" if line.startswith("{") else ": begin each item with '- '"
    if found == "a list" and wanted.endswith(" object") and line.startswith("-"):
        return ": leave the dash out, or one of two"
    if found == "null" and line.lstrip().startswith("#"):
        return ": # begins a comment, a text with it needs quotes"
    return ""


def read(document: Document, type_: type[T], value: JsonValue, at: JsonPath = ()) -> T | list[FileError]:
    """The value at a place of a document as the type, or everything that is wrong with it."""
    return errors_in(document, value, type_, at) or msgspec.convert(value, type_)
