"""The entries of a scenario set while they are read: what is collected from every kind of source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from grice.files.document import MAX_SIZE, FileError, WholeFileError
from grice.files.locate import JsonPath, JsonValue
from grice.files.scenario_schema import near_names, record_problems
from grice.text import shorten, visible
from grice.typed import Problem

MAX_ERRORS = 200
MAX_SCENARIOS = 1_000_000


class Enough(Exception):
    """There are so many errors that reading on would not help anybody."""


class Entry(msgspec.Struct, frozen=True):
    """One record that was read: its place from 0 in its source, and its line, from 1.

    `key` and `file` are given where a scenario that had them already is taken over.
    """

    data: dict[str, JsonValue]
    index: int
    line: int = 1
    key: str = ""
    file: str = ""


class Source:
    """Where scenarios come from: `label` is what errors call it.

    It collects entries, errors and notes; this one has no lines to point to.
    """

    def __init__(self, label: str) -> None:
        self.label = label
        self.entries: list[Entry] = []
        self.errors: list[FileError] = []
        self._near: dict[str, tuple[str, str, int]] = {}

    @property
    def file(self) -> str:
        """The file of the scenarios, "" when they are in none."""
        return ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What may be a mistake, and is none for certain: fields with nearly the name of a known one."""
        return tuple(
            f"{where}: the field '{_shown(name)}' is kept as data (did you mean '{known}'?)"
            + (f"; {times} scenarios have it" if times > 1 else "")
            for name, (known, where, times) in self._near.items()
        )

    def add(self, value: JsonValue, index: int, line: int = 1, *, key: str = "", file: str = "") -> None:
        """Take one record, or what is wrong with it."""
        problems = record_problems(value)
        for problem in problems:
            self.refuse(index, line, problem)
        if problems and not _has_id(value, problems):
            return  # with an id it stays, so that another use of the id is told too
        self.entries.append(Entry(value, index, line, key, file))
        if len(self.entries) > MAX_SCENARIOS:
            self.errors.append(WholeFileError(self.label, f"more than {MAX_SCENARIOS:,} scenarios"))
            raise Enough
        for name, known in near_names(value):
            first = self._near.get(name, (known, self.place(index, line), 0))
            self._near[name] = (*first[:2], first[2] + 1)

    def refuse(self, index: int, line: int, problem: Problem) -> None:
        """Keep an error about a record. Raises Enough when there are very many."""
        self.errors.append(self.error(index, line, problem))
        if len(self.errors) >= MAX_ERRORS:
            message = f"these are {MAX_ERRORS} errors; there may be more"
            self.errors.append(WholeFileError(self.label, message))
            raise Enough

    def error(self, index: int, line: int, problem: Problem) -> FileError:  # noqa: ARG002 - there are no lines
        """The error about a record, at its place."""
        return WholeFileError(self.label, f"{written((index, *problem.path))}: {problem.message}")

    def place(self, index: int, line: int) -> str:  # noqa: ARG002 - there are no lines
        """What another error or a note calls the place of a record."""
        return f"{self.label}[{index}]"


class FileSource(Source):
    """Scenarios in a file; an error stands at the line of its record."""

    @property
    def file(self) -> str:
        """The file."""
        return self.label

    def error(self, index: int, line: int, problem: Problem) -> FileError:  # noqa: ARG002 - the line says it
        """The error about a record."""
        where = written(problem.path)
        return FileError(self.label, line, 1, f"{where}: {problem.message}" if where else problem.message)

    def place(self, index: int, line: int) -> str:  # noqa: ARG002 - the line says it
        """The file and line of a record."""
        return f"{self.label}:{line}"


def lines_of(stream: BinaryIO, source: Source) -> Iterator[tuple[int, str]]:
    """Each line with its number, its line end included; bad ones become errors of the source."""
    number = 0
    while raw := stream.readline(MAX_SIZE + 1):
        number += 1
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if len(raw) > MAX_SIZE:
            while raw and not raw.endswith(b"\n"):
                raw = stream.readline(1_000_000)
            source.refuse(number, number, Problem((), f"a line longer than {MAX_SIZE // 1_000_000} MB"))
            continue
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            utf_16 = number == 1 and raw[:2] in (b"\xff\xfe", b"\xfe\xff")
            hint = "; it looks like UTF-16" if utf_16 else ""
            problem = Problem((), f"not UTF-8: byte 0x{raw[error.start]:02x}{hint}")
            source.refuse(number, number, problem)
            source.errors[-1].column = len(raw[: error.start].decode("utf-8", "replace")) + 1
            if utf_16:
                raise Enough from None
            continue
        yield number, text


def _has_id(value: JsonValue, problems: list[Problem]) -> bool:
    """Whether a record with problems has an id that is none of them."""
    has = isinstance(value, dict) and value.get("id") is not None
    return has and all(problem.path[:1] != ("id",) for problem in problems)


def written(path: JsonPath) -> str:
    """A path in a record as a reader writes it: `[3].context[0]`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{_shown(step)}" for step in path)
    return "".join(steps).removeprefix(".")


def _shown(name: str) -> str:
    return shorten(visible(name, newlines=False), 60)
