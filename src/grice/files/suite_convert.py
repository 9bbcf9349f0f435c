"""Writing the expected outputs of a suite file as checks, and leaving the rest of the file as it is."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from os import PathLike
from typing import Any, NamedTuple, cast

import msgspec

from grice.files.document import Document, FileError, load_file, parse_document
from grice.files.locate import JsonPath
from grice.files.matcher_modules import MatcherModules
from grice.files.suite_files import load_suite
from grice.files.suite_types import has_hard_checks, is_empty_output
from grice.matching.json_parsing import NotJson, parse_json
from grice.records import JsonValue

_COMMENT = re.compile(r"(?m)(?:^|\s)#")
_REMOVED = ("output_type", "should_trim_whitespace", "expect")
_REPLACED = ("expected_output", *_REMOVED)


class Conversion(msgspec.Struct, frozen=True):
    """The new text of a suite file, how many expected outputs became checks, and what there is to say."""

    text: str
    converted: int
    notes: tuple[str, ...] = ()


class _Edit(NamedTuple):
    """What comes instead of the characters from `start` to before `end`."""

    start: int
    end: int
    text: str = ""


class _Unusual(Exception):
    """The layout is one that cannot be kept."""


def converted_suite(path: str | PathLike[str], modules: MatcherModules | None = None) -> Conversion:
    """The file with each expected output as one `toEqual` at `$` in `expect`; the rest stays as it is.

    One beside `expect` is not looked at, and one without the white space around it has no check that says the
    same: they stay, and a note says so. `modules` is that of `load_suite`.
    Raises SuiteErrors when the file is no suite.
    """
    load_suite(path, modules=modules)
    document = load_file(path)
    places, notes = [], []
    for place, fields in _places(document.value):
        if "expected_output" not in fields:
            continue
        if fields.get("should_trim_whitespace") and not has_hard_checks(fields):
            said = "expected_output stays: no check leaves out the white space around a reply"
            notes.append(_note(document, place, said))
        elif not has_hard_checks(fields):
            places.append(place)
        elif not is_empty_output(fields):
            said = "expected_output stays: it is not looked at beside 'expect'"
            notes.append(_note(document, place, said))
    notes += _new_ids(document, places)
    starts = _line_starts(document.text)
    groups = _shared(document, places)
    kept = _kept(document, [group for group in groups if _is_usual(document, starts, group[0])])
    lost = [_note(document, place, "a comment in it is lost") for place in _losing(document, kept)]
    text = _all_at_once(document, kept)
    left = [place for place in places if place not in set(kept)]
    if not left:
        return Conversion(text, len(places), tuple(dict.fromkeys(notes + lost)))
    return _one_by_one(document, text, left, [*notes, *lost], len(kept))


def _places(value: JsonValue) -> Iterator[tuple[JsonPath, dict[str, Any]]]:
    """The scenarios and their turns, with where they stand."""
    start: JsonPath = () if isinstance(value, list) else ("scenarios",)
    scenarios = value if isinstance(value, list) else value["scenarios"]
    for index, scenario in enumerate(scenarios):
        yield (*start, index), scenario
        for number, turn in enumerate(scenario.get("turns", [])):
            yield (*start, index, "turns", number), turn


def _new_ids(document: Document, places: Sequence[JsonPath]) -> list[str]:
    """A note on the scenarios that are called after their content, which is another now."""
    start = 1 if isinstance(document.value, list) else 2
    scenarios = {place[:start] for place in places}
    number = sum("id" not in _at(document.value, place) for place in scenarios)
    if not number:
        return []
    has = "1 scenario has" if number == 1 else f"{number:,} scenarios have"
    return [f"{document.path}: {has} no id: the one derived from the content is another one now"]


def _note(document: Document, place: JsonPath, said: str) -> str:
    line, column = document.position((*place, "expected_output"), key=True)
    return f"{document.path}:{line}:{column}: {said}"


def _all_at_once(document: Document, places: Sequence[JsonPath]) -> str:
    """The text with the objects at all places converted. Raises _Unusual when it would say something else."""
    text = document.text
    starts = _line_starts(text)
    edits = _merged({edit for place in places for edit in _Place(document, starts, place).edits()})
    for edit in reversed(edits):
        text = text[: edit.start] + edit.text + text[edit.end :]
    intended = document.value
    for place in places:
        intended = _with_check(intended, place)
    return _verified(document, text, intended)


def _merged(edits: Iterable[_Edit]) -> list[_Edit]:
    """The edits in the order of the text; parts that several remove are removed once."""
    merged: list[_Edit] = []
    for edit in sorted(edits):
        if merged and edit.start < merged[-1].end:
            if edit.text or merged[-1].text:
                raise _Unusual
            merged[-1] = merged[-1]._replace(end=max(edit.end, merged[-1].end))
        else:
            merged.append(edit)
    return merged


def _shared(document: Document, places: Sequence[JsonPath]) -> list[list[JsonPath]]:
    """The places in groups: those in one are the same text, by an alias, and change together."""
    groups: dict[tuple[int, int], list[JsonPath]] = {}
    for place in places:
        groups.setdefault(document.span((*place, "expected_output")), []).append(place)
    return list(groups.values())


def _is_usual(document: Document, line_starts: Sequence[int], place: JsonPath) -> bool:
    """Whether the name of the expected output stands right before its value; `? name` does not."""
    start, _ = document.span((*place, "expected_output"))
    line, column = document.position((*place, "expected_output"), key=True)
    key = line_starts[line - 1] + column - 1
    written = document.text[key:start]
    return document.syntax == "json" or re.match(r"([\"']?)expected_output\1[ \t]*:", written) is not None


def _kept(document: Document, groups: Sequence[Sequence[JsonPath]]) -> list[JsonPath]:
    """The places whose layout can be kept, by halves: most often that is all of them, in one go."""
    places = [place for group in groups for place in group]
    try:
        _all_at_once(document, places)
    except _Unusual:
        if len(groups) <= 1:
            return []
    else:
        return places
    half = len(groups) // 2
    kept = _kept(document, groups[:half]) + _kept(document, groups[half:])
    try:
        _all_at_once(document, kept)
    except _Unusual:  # each half alone would do, both do not
        return []
    return kept


def _losing(document: Document, places: Sequence[JsonPath]) -> Iterator[JsonPath]:
    """The places in which a comment goes with what is removed."""
    if document.syntax == "json" or "#" not in document.text:
        return
    starts = _line_starts(document.text)
    for place in places:
        if _Place(document, starts, place).loses_comment:
            yield place


def _one_by_one(
    document: Document, text: str, places: Sequence[JsonPath], notes: Sequence[str], converted: int
) -> Conversion:
    """The text, with the places that are left converted each on its own; notes say what was lost."""
    said = list(notes)
    now = parse_document(text, path=document.path, syntax=document.syntax)
    for place in reversed(places):
        try:
            text = _on_one_line(now, place)
        except FileError:
            said.append(_note(document, place, "expected_output stays: an alias ties it to others"))
            continue
        except _Unusual:
            said.append(_note(document, place, "expected_output stays: a check cannot say the same"))
            continue
        fewer = len(_COMMENT.findall(text)) < len(_COMMENT.findall(now.text))
        lost = ", without its comments" if fewer and document.syntax == "yaml" else ""
        said.append(_note(document, place, f"its layout could not be kept: it is on one line now{lost}"))
        converted += 1
        now = parse_document(text, path=document.path, syntax=document.syntax)
    return Conversion(now.text, converted, tuple(sorted(dict.fromkeys(said))))


def _on_one_line(document: Document, place: JsonPath) -> str:
    """The text with the expected output on one line, or else the whole object.

    Raises FileError when an alias is in the way, _Unusual when the text would say something else.
    """
    fields = _at(document.value, place)
    expected = _expected(fields)
    intended = _with_check(document.value, place)
    if expected != fields["expected_output"] and not isinstance(expected, str):
        text = document.with_value((*place, "expected_output"), expected)
        with suppress(_Unusual):
            text = _all_at_once(parse_document(text, path=document.path, syntax=document.syntax), [place])
            return _verified(document, text, intended)
    return _verified(document, document.with_value(place, _at(intended, place)), intended)


def _verified(document: Document, text: str, intended: JsonValue) -> str:
    """The text. Raises _Unusual when it does not say what is intended."""
    try:
        found = parse_document(text, path=document.path, syntax=document.syntax).value
    except FileError:
        raise _Unusual from None
    if _written(found) != _written(intended):
        raise _Unusual
    return text


def _at(value: JsonValue, place: JsonPath) -> JsonValue:
    for step in place:
        value = value[step]
    return value


def _with_check(value: JsonValue, place: JsonPath) -> JsonValue:
    """The value with the object at the place converted."""
    if place:
        copy = value.copy()
        copy[place[0]] = _with_check(copy[place[0]], place[1:])
        return copy
    fields = cast("dict[str, Any]", value)
    check = {"matcher": "toEqual", **_parse(fields), "expected": _expected(fields)}
    new: dict[str, Any] = {}
    for name, item in fields.items():
        if name == "expected_output":
            new["expect"] = [check]
        elif name not in _REPLACED:
            new[name] = item
    return new


def _parse(fields: Mapping[str, Any]) -> dict[str, str]:
    """The `parse` that the check needs; at `$` a text is the text anyway."""
    return {"parse": "json"} if fields.get("output_type") == "json" else {}


def _expected(fields: Mapping[str, Any]) -> JsonValue:
    expected = fields["expected_output"]
    if _parse(fields) and isinstance(expected, str):
        with suppress(NotJson):
            return parse_json(expected)
    return expected


def _written(value: JsonValue) -> str:
    return json.dumps(value, sort_keys=True)


class _Place:
    """One scenario or turn in the text of its document, whose expected output becomes a check."""

    def __init__(self, document: Document, line_starts: Sequence[int], place: JsonPath) -> None:
        self._document = document
        self._text = document.text
        self._line_starts = line_starts
        self._place = place
        self._fields: dict[str, Any] = _at(document.value, place)
        self._flow = self._text[document.span(place)[0]] == "{"
        self._margin = document.position((*place, "expected_output"), key=True)[1] - 1

    def edits(self) -> list[_Edit]:
        """What to change in the text."""
        removed = [name for name in _REMOVED if name in self._fields]
        remove = self._without_in_flow if self._flow else self._without_in_block
        return [self._check(), *map(remove, removed)]

    @property
    def loses_comment(self) -> bool:
        """Whether a comment stands in what is removed; in block style it gets a line of its own."""
        removed = [name for name in _REMOVED if name in self._fields]
        gone = (self._without_in_flow(name) for name in removed if self._flow)
        return any(_COMMENT.search(self._text, one.start, one.end) for one in gone)

    def _key(self, name: str) -> int:
        """The offset of the field's name."""
        line, column = self._document.position((*self._place, name), key=True)
        return self._line_starts[line - 1] + column - 1

    def _span(self, name: str) -> tuple[int, int]:
        return self._document.span((*self._place, name))

    def _check(self) -> _Edit:
        """The check instead of the expected output; the value is written as it was."""
        key, (start, end) = self._key("expected_output"), self._span("expected_output")
        quote = self._text[key] if self._text[key] in "\"'" else ""
        behind_key = key + len("expected_output") + 2 * len(quote)
        text = self._text[behind_key:end]
        expected = self._fields["expected_output"]
        if _parse(self._fields) and isinstance(expected, str) and _expected(self._fields) != expected:
            between = self._text[behind_key:start]
            text = self._json(between, expected.strip())
        parse = self._parse_field(quote)
        if self._flow:
            named = [f"{quote}{name}{quote}" for name in ("expect", "matcher", "toEqual", "expected")]
            check = f"{named[0]}: [{{{named[1]}: {named[2]}{parse}, {named[3]}{text}}}]"
            return _Edit(key, end, check)
        newline, indent = self._newline, " " * self._margin
        parse = parse and f"{newline}{indent}    {parse.removeprefix(', ')}"
        lines = f"expect:{newline}{indent}  - matcher: toEqual{parse}{newline}{indent}    expected"
        return _Edit(key, end, lines + _deeper(text))

    @property
    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self._text else "\n"

    def _parse_field(self, quote: str) -> str:
        return f", {quote}parse{quote}: {quote}json{quote}" if _parse(self._fields) else ""

    def _json(self, before: str, text: str) -> str:
        """JSON that stood in a text, as the value itself; over several lines where it was."""
        if self._flow or "\n" not in text:
            return before + text
        margin = self._newline + " " * (self._margin + 2)
        return before.rstrip() + margin + margin.join(text.splitlines())

    @property
    def _kept(self) -> list[str]:
        """The names of the fields that stay, the one that becomes the check among them."""
        return [name for name in self._fields if name == "expected_output" or name not in _REPLACED]

    def _without_in_flow(self, name: str) -> _Edit:
        """Without the field and the comma that belongs to it."""
        names = list(self._fields)
        before = [other for other in names[: names.index(name)] if other in self._kept]
        if before:
            return _Edit(self._span(before[-1])[1], self._span(name)[1])
        return _Edit(self._key(name), self._key(self._kept[0]))

    def _without_in_block(self, name: str) -> _Edit:
        """Without the field's lines; a comment behind the field gets a line of its own."""
        key, end = self._key(name), self._span(name)[1]
        line = self._line_starts[bisect_right(self._line_starts, key) - 1]
        newline = self._text.find("\n", end)
        line_end = len(self._text) if newline < 0 else newline + 1
        behind = self._text[end:line_end]
        if not self._text[line:key].strip():
            return (
                _Edit(line, line_end) if not behind.strip() else _Edit(key, line_end - len(behind.lstrip()))
            )
        following = self._key(self._kept[0])  # it is the first of a list's item, behind the hyphen
        if "#" in self._text[end:following]:
            raise _Unusual
        return _Edit(key, following)


def _deeper(text: str) -> str:
    """The text with the lines after the first one indented by four more."""
    first, *others = text.split("\n")
    return "\n".join([first, *(f"    {line}" if line.strip("\r") else line for line in others)])


def _line_starts(text: str) -> list[int]:
    """The offsets at which the lines begin."""
    return [0, *(found.end() for found in re.finditer("\n", text))]
