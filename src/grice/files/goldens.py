"""Reading golden files: the fixture schema of goldens, in JSON and YAML.

A file may hold a list of goldens, and a golden several `turns`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path

import msgspec

from grice.files.document import Document, FileError, FileErrors, load_file
from grice.files.folders import files_named
from grice.files.golden_records import Golden, ManyTurns, OneTurn
from grice.files.locate import JsonPath
from grice.files.typed import errors_in, named
from grice.identity import stable_path
from grice.records import JsonValue
from grice.typed import Problem

SUFFIXES = (".golden.json", ".golden.yaml", ".golden.yml")


class GoldenErrors(FileErrors):
    """Everything wrong with the golden files that were read, one FileError each."""

    __module__ = "grice"


def is_golden_file(name: str) -> bool:
    """Whether a file of that name is a golden file: `*.golden.json`, `*.golden.yaml` or `*.golden.yml`."""
    return name.endswith(SUFFIXES)


def find_goldens(paths: Iterable[str | PathLike[str]]) -> list[Path]:
    """The golden files that the paths name: a file as it is, of a folder all golden files in it, sorted.

    Hidden folders, environments and builds in a folder are left out. Raises GoldenErrors for a path that is
    not there and a folder without golden files, with whatever is wrong in the files that are.
    """
    found, errors = files_named(
        paths, is_golden_file, "no golden files in this folder; they are named *.golden.json or *.golden.yaml"
    )
    if errors:
        try:
            load_all(found)
        except GoldenErrors as others:
            errors += others.errors
        raise GoldenErrors(errors)
    return found


def load_all(files: Iterable[Path]) -> list[Golden]:
    """The goldens of all files. Raises GoldenErrors with every error, an id used in two files included."""
    goldens: list[Golden] = []
    errors: list[FileError] = []
    for file in files:
        try:
            goldens += load_goldens(file)
        except GoldenErrors as error:
            errors += error.errors
    errors += _duplicates(goldens)
    if errors:
        raise GoldenErrors(errors)
    return goldens


def load_goldens(path: str | PathLike[str]) -> list[Golden]:
    """The goldens of one file, in order. Raises GoldenErrors with everything wrong in it."""
    document = load_file(path, errors=GoldenErrors)
    listed = isinstance(document.value, list)
    values = document.value if listed else [document.value]
    errors: list[FileError] = []
    if not values:
        errors.append(FileError(document.path, 1, 1, "the file holds no golden: it is an empty list"))
    lines = _Lines(document.text)
    places: list[JsonPath] = [(index,) for index in range(len(values))] if listed else [()]
    goldens = [_read(document, *one, lines, errors) for one in zip(places, values, strict=True)]
    errors += _duplicates([golden for golden in goldens if golden.id])
    if errors:
        raise GoldenErrors(sorted(errors, key=lambda error: (error.line, error.column)))
    return goldens


class _Lines:
    """The lines on which ids are written; they are asked for in the order of the file.

    Looking for the text is much cheaper than its position, and all that a wrong hit costs is a wrong line.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._seen = 0
        self._line = 1

    def of(self, id_: str) -> int:
        found = self._text.find(id_, self._seen)
        if found >= 0:
            self._line += self._text.count("\n", self._seen, found)
            self._seen = found
        return self._line


def _read(
    document: Document, place: JsonPath, value: JsonValue, lines: _Lines, errors: list[FileError]
) -> Golden:
    """The golden at the place; of a wrong one only its id counts, which no other may have."""
    kind: type[OneTurn | ManyTurns] = ManyTurns if isinstance(value, dict) and "turns" in value else OneTurn
    wrong = errors_in(document, value, kind, place)
    errors += wrong
    id_ = value.get("id") if isinstance(value, dict) else None
    line = lines.of(id_) if place and isinstance(id_, str) else 1
    if wrong:
        return Golden(id_ if isinstance(id_, str) else "", (), file=document.path, line=line)
    found = msgspec.convert(value, kind)
    if all(turn.assertions.empty and turn.pending.empty for turn in found.turns):
        nothing = f"golden {found.id!r} asserts nothing; add 'assertions'"
        errors.append(named(document, place, Problem((), nothing)))
    return Golden(
        id=found.id,
        turns=found.turns,
        description=found.description,
        history=found.history or (),
        agent=found.agent or None,
        file=document.path,
        line=line,
        content=value,
        place=place,
    )


def _duplicates(goldens: Sequence[Golden]) -> list[FileError]:
    first: dict[str, Golden] = {}
    errors = []
    for golden in goldens:
        known = first.setdefault(stable_path("golden", golden.id), golden)
        if known is not golden:
            message = f"the id {golden.id!r} is used already, at {known.file}:{known.line}"
            errors.append(FileError(golden.file, golden.line, 1, message))
    return errors
