"""Scenarios of a suite that are made of data: `each: customers.csv`, and `{{name}}` for what a row has.

A scenario with `each` stands for one scenario a row. In texts a placeholder is filled with the text of the
row's value; where it is all of an expected value (`expected: "{{age}}"`), it is the value itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from grice.files.document import FileError, missing_file, parse_document
from grice.files.locate import JsonPath
from grice.files.prompt_files import prompt_place
from grice.identity import canonical_json
from grice.matching.json_text import json_text
from grice.records import JsonValue
from grice.text import did_you_mean, value_text
from grice.typed import Problem, within
from grice.user_files import open_file

if TYPE_CHECKING:
    from grice.files.scenario_entries import FileSource

SUFFIXES = (".csv", ".jsonl")

_TYPED = frozenset({"expected", "options", "expected_output", "tools", "model", "inputs"})
"""The fields in which a placeholder that stands alone is the value; everything else is text."""
_KEY = "id"
"""The column that names a row, which no text has to use."""
_PLACEHOLDER = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]+)?")
_MOST = 20
"""The problems of one file of data that are told."""


class Row(NamedTuple):
    """A row of data: its line, and what it has by name. `texts` are the cells of a table."""

    line: int
    values: Mapping[str, JsonValue]
    texts: Mapping[str, str] = {}

    @property
    def key(self) -> str:
        """What names it: its `id`, else hex digits of its content, the same at another place."""
        if own := self.text(_KEY).strip():
            return own
        return hashlib.sha256(canonical_json(dict(self.values))).hexdigest()[:8]

    def text(self, name: str) -> str:
        """The value in a text; an empty one for what is null or not there."""
        value = self.values.get(name)
        if name in self.texts or value is None:
            return self.texts.get(name, "")
        return value if isinstance(value, str) else json_text(value)


class Made(NamedTuple):
    """A scenario of the file, or one made of a row: its place in the list, and what it says."""

    place: int
    raw: JsonValue


def scenarios_of_rows(raws: Sequence[JsonValue], suite: str) -> tuple[list[Made], list[Problem]]:
    """The scenarios of a suite file, with one for each row in place of those that say `each`.

    Beside them stands what is wrong with the data, with the place from the list of scenarios on.
    """
    made: list[Made] = []
    problems: list[Problem] = []
    files: dict[str, list[Row]] = {}
    for place, raw in enumerate(raws):
        said = raw.get("each") if isinstance(raw, dict) else None
        if not isinstance(raw, dict) or not isinstance(said, str) or not said.strip():
            made.append(Made(place, raw))  # one of another type is told as wrong
            continue
        if said not in files:
            files[said], wrong = _read(said, suite)
            problems += [Problem((place, "each"), one) for one in wrong]
        rows = files[said]
        if not rows:
            continue
        template = {name: one for name, one in raw.items() if name != "each"}
        unknown = list(within((place,), _unknown_names(template, said, rows)))
        problems += unknown
        if not unknown:
            whole = [(row, _filled(_with_id(template, row), row)) for row in rows]
            again = list(_alike(whole, said))
            problems += within((place,), again)
            made += [Made(place, one) for _, one in whole[: 1 if again else None]]
    return made, problems


def unused_columns(raws: Sequence[JsonValue], suite: str) -> list[str]:
    """What to say of the columns that no text uses, of files in which nothing is wrong."""
    used: dict[str, set[str]] = {}
    for raw in raws:
        if isinstance(raw, dict) and isinstance(said := raw.get("each"), str):
            used.setdefault(said, {_KEY}).update(name for _, name in _placeholders(raw, ()))
    return [
        f"{said} has {', '.join(map(repr, unused))}, which no text uses"
        for said, names in used.items()
        if (unused := [name for name in _names(_read(said, suite)[0]) if name not in names])
    ]


def _alike(made: Sequence[tuple[Row, dict[str, Any]]], said: str) -> Iterator[Problem]:
    """The rows that make a scenario with an id, or without one with a content, of an earlier row."""
    first: dict[object, Row] = {}
    named = any(_KEY in row.values for row, _ in made)
    for row, one in made:
        known = first.setdefault(one.get("id") or canonical_json(one), row)
        if known is row:
            continue
        place = f"{said}:{row.line}: "
        if named and "id" in one:
            yield Problem(("id",), f"{place}the id {one['id']!r} is used already, at {said}:{known.line}")
        else:
            same = f"{place}the row makes the same scenario as {said}:{known.line}"
            yield Problem(("each",), f"{same}: a column {_KEY!r} names each row")
            return


# -- the data


def _read(said: str, suite: str) -> tuple[list[Row], list[str]]:
    """The rows of a file, or what is wrong with it."""
    if not suite:
        return [], ["the suite stands in no file, so no file of data is beside it"]
    if not said.lower().endswith(SUFFIXES):
        return [], [f"expected a file of {' or '.join(SUFFIXES)}, found {value_text(said)}"]
    from grice.files.scenario_entries import FileSource  # with CSV, which few suites need

    source = FileSource(said)
    try:
        path = prompt_place(suite, said)
        if not path.exists():
            return [], [str(missing_file(path))]
        with open_file(path) as stream:
            rows = _table(stream, source) if said.lower().endswith(".csv") else _lines(stream, source)
    except FileError as error:
        return [], [str(error)]
    except OSError as error:
        return [], [f"{said}: cannot be read: {error.strerror or error}"]
    if source.errors:
        return [], [str(one) for one in source.errors[:_MOST]]
    return rows, [] if rows else [f"{said}: it has no rows"]


def _table(stream: Any, source: FileSource) -> list[Row]:
    from grice.formats.tables import Table

    table = Table(stream)
    for bad in table.problems:
        source.refuse(0, bad.at, Problem((), bad.problem))
    rows: list[Row] = []
    for row in table:
        if row.problem:
            source.refuse(row.number, row.at, Problem((), row.problem))
            continue
        texts = {name: cell.strip() for name, cell in zip(table.names, row.cells, strict=True)}
        try:
            values = {name: _value(cell) for name, cell in texts.items()}
        except FileError as error:
            source.refuse(row.number, row.line, Problem((), f"a cell begins as JSON does: {error.message}"))
        else:
            rows.append(Row(row.line, values, texts))
    return rows


def _value(cell: str) -> JsonValue:
    """What a cell is where it stands alone: a number, true or false, JSON in brackets, null, or its text."""
    from grice.formats.tables import holds_json

    if not cell:
        return None
    if cell in ("true", "false") or _NUMBER.fullmatch(cell) or holds_json(cell):
        return parse_document(cell, path="").value
    return cell


def _lines(stream: Any, source: FileSource) -> list[Row]:
    from grice.files.scenario_entries import Enough, lines_of

    rows: list[Row] = []
    try:
        for number, text in lines_of(stream, source):
            if not text.strip():
                continue
            try:
                value = parse_document(text, path="").value
            except FileError as error:
                source.refuse(number, number, Problem((), error.message))
                continue
            if isinstance(value, dict):
                rows.append(Row(number, value))
            else:
                source.refuse(number, number, Problem((), f"expected an object, found {value_text(value)}"))
    except Enough:
        pass
    return rows


def _names(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row.values))


# -- filling


def _unknown_names(template: Mapping[str, Any], said: str, rows: Sequence[Row]) -> Iterator[Problem]:
    """The names in the template that a row does not have."""
    known = _names(rows)
    for place, name in _placeholders(template, ()):
        without = next((row for row in rows if name not in row.values), None)
        if name not in known:
            hint = did_you_mean(name, known) or f"; it has {', '.join(known)}"
            yield Problem(place, f"{said} has no {name!r}{hint}")
        elif without is not None:
            yield Problem(place, f"{said}:{without.line}: the row has no {name!r}")


def _placeholders(value: JsonValue, place: JsonPath) -> Iterator[tuple[JsonPath, str]]:
    if isinstance(value, str):
        for found in _PLACEHOLDER.finditer(value):
            yield place, found[1]
    elif isinstance(value, dict | list):
        for step, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _placeholders(one, (*place, step))


def _with_id(template: Mapping[str, Any], row: Row) -> dict[str, Any]:
    """The template, whose id is that of the row too unless it says so itself."""
    own = template.get("id")
    if isinstance(own, str | int) and not isinstance(own, bool) and not _PLACEHOLDER.search(str(own)):
        return {**template, "id": f"{own}-{row.key}"}
    return dict(template)


def _filled(value: Any, row: Row, *, typed: bool = False) -> Any:
    if isinstance(value, str):
        whole = _PLACEHOLDER.fullmatch(value.strip()) if typed else None
        return row.values[whole[1]] if whole else _PLACEHOLDER.sub(lambda found: row.text(found[1]), value)
    if isinstance(value, dict):
        return {name: _filled(one, row, typed=typed or name in _TYPED) for name, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, row, typed=typed) for one in value]
    return value
