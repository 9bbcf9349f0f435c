"""The text of a data file with another value in it: what did not change stays as it is written.

Comments, quotes, blank lines and the order of fields stay in YAML. A comment directly above an item of a
list, or above a field, goes with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from grice.files.document import Document, FileError, parse_document
from grice.files.locate import JsonPath, Node
from grice.files.yaml_nodes import yaml_nodes
from grice.files.yaml_writing import NotYaml, easy_flow_text, field_lines, item_lines
from grice.records import JsonValue


def edited_text(document: Document, new_value: JsonValue) -> str:
    """The text of the document that says the new value, and is read as it.

    Raises FileError where that cannot be written: half a character in YAML, a value that an alias shares.
    """
    if document.syntax == "json":
        text = _edited_json(document, new_value)
    else:
        text = _edited_yaml(document, new_value)
    try:
        found = parse_document(text, path=document.path, syntax=document.syntax).value
    except FileError:
        found = None
    if not _same(found, new_value):
        message = "this cannot be changed here: aliases or an unusual layout tie it to others; edit the file"
        raise FileError(document.path, 1, 1, message)
    return text


def _same(one: JsonValue, other: JsonValue) -> bool:
    return _written(one) == _written(other)


def _written(value: JsonValue) -> str:
    return json.dumps(value, sort_keys=True)


# -- JSON


def _edited_json(document: Document, new_value: JsonValue) -> str:
    """Each smallest part that changed is written anew, indented as the file is."""
    for place, value in list(_changed_parts(document.value, new_value, ())):
        text = document.with_value(place, value)
        document = parse_document(text, path=document.path, syntax=document.syntax)
    return document.text


def _changed_parts(old: JsonValue, new: JsonValue, place: JsonPath) -> Iterator[tuple[JsonPath, JsonValue]]:
    if _same(old, new):
        return
    if (names := _same_parts(old, new)) is None:
        yield place, new
        return
    for name in names:
        yield from _changed_parts(old[name], new[name], (*place, name))


# -- YAML


class _Edit(NamedTuple):
    """What stands from `start` to before `end` becomes `text`."""

    start: int
    end: int
    text: str


class _Shared(Exception):
    """A layout in which parts cannot be told apart: the whole around them is written anew."""


def _edited_yaml(document: Document, new_value: JsonValue) -> str:
    text = document.text
    newline = "\r\n" if "\r\n" in text else "\n"
    text = text.replace("\r\n", "\n")
    try:
        root = yaml_nodes(text)
        edits = list(_Editor(text).changes(root, document.value, new_value, ()))
    except NotYaml as error:
        raise FileError(document.path, 1, 1, f"{error}: only JSON can hold it") from error
    except _Shared:
        return document.text  # it is told as what cannot be changed
    return _applied(text, edits).replace("\n", newline)


def _applied(text: str, edits: Sequence[_Edit], start: int = 0, end: int | None = None) -> str:
    """The text from `start` to `end` with the edits, each of which is within."""
    done, at = [], start
    for one in sorted(edits):
        done += [text[at : one.start], one.text]
        at = one.end
    return "".join([*done, text[at : len(text) if end is None else end]])


class _Item(NamedTuple):
    """An item of a list in the text: the empty lines before it, comments that stand apart, and itself."""

    blank: str
    apart: str
    start: int
    end: int


class _Editor:
    """Finds what is to be changed in a text of YAML."""

    def __init__(self, text: str) -> None:
        self._text = text

    def changes(self, node: Node, old: JsonValue, new: JsonValue, place: JsonPath) -> Iterator[_Edit]:
        """The edits that make the value at the node a new one. Raises _Shared, and NotYaml."""
        if _same(old, new):
            return
        is_block = node.block and old and new
        if is_block and isinstance(old, dict) and isinstance(new, dict):
            yield from self._fields(node, old, new, place)
        elif is_block and isinstance(old, list) and isinstance(new, list):
            yield self._items(node, old, new, place)
        elif node.block or node.start == node.end:
            raise _Shared
        elif (names := _same_parts(old, new)) is not None:
            for name in names:
                yield from self.changes(node.children[name], old[name], new[name], (*place, name))
        else:
            yield from self._replacing(node, node.start, node.end, easy_flow_text(new))

    # -- the fields of an object

    def _fields(
        self, node: Node, old: dict[str, Any], new: dict[str, Any], place: JsonPath
    ) -> Iterator[_Edit]:
        names = list(old)
        kept = [name for name in names if name in new]
        if not kept:
            raise _Shared
        for name in names:
            if name not in new:
                yield self._without_field(node, names, name)
            elif not _same(old[name], new[name]):
                yield from self._changed_field(node, name, old[name], new[name], place)
        for behind, added in _groups(new, kept):
            yield self._with_fields(node, behind, {name: new[name] for name in added}, place)

    def _changed_field(
        self, node: Node, name: str, old: JsonValue, new: JsonValue, place: JsonPath
    ) -> Iterator[_Edit]:
        child = node.children[name]
        is_open = isinstance(old, dict | list) and type(old) is type(new) and old and new
        try:
            if is_open or (not child.block and child.start != child.end and _is_short(new)):
                yield from list(self.changes(child, old, new, (*place, name)))
                return
        except _Shared:
            pass
        start, end = self._key(node, name), self._end(child)
        lines = field_lines(name, new, self._column(start), len(place))
        behind = self._text[end : self._line_end(end)]
        text = self._indented([lines[0] + behind, *lines[1:]], self._column(start))
        yield from self._replacing(child, start, self._line_end(end), text)

    def _replacing(self, node: Node, start: int, end: int, text: str) -> Iterator[_Edit]:
        """The edits that keep the comments within the value, on lines above it."""
        line = self._line_start(start)
        margin = " " * (len(self._text[line:start]) - len(self._text[line:start].lstrip(" ")))
        if lost := "".join(f"{margin}{one}\n" for one in self._comments(node)):
            yield _Edit(line, line, lost)
        yield _Edit(start, end, text)

    def _comments(self, node: Node) -> list[str]:
        texts = list(_scalars(node))
        found = re.finditer(r"(?<=\s)#[^\n]*", self._text[: node.end])
        return [
            one[0]
            for one in found
            if one.start() > node.start and not any(start <= one.start() < end for start, end in texts)
        ]

    def _without_field(self, node: Node, names: Sequence[str], name: str) -> _Edit:
        start = self._key(node, name)
        line = self._line_start(start)
        if not self._text[line:start].strip():
            end = self._line_end(self._end(node.children[name]))
            return _Edit(self._with_comments(line, node.start), min(end + 1, len(self._text)), "")
        index = names.index(name)  # it stands behind the dash of an item
        if index + 1 == len(names):
            raise _Shared
        return _Edit(start, self._key(node, names[index + 1]), "")

    def _with_fields(self, node: Node, behind: str, added: Mapping[str, JsonValue], place: JsonPath) -> _Edit:
        column = self._column(self._key(node, behind))
        lines = [line for name, one in added.items() for line in field_lines(name, one, column, len(place))]
        end = self._line_end(self._end(node.children[behind]))
        return _Edit(end, end, f"\n{' ' * column}{self._indented(lines, column)}")

    def _key(self, node: Node, name: str) -> int:
        """Where a field begins. Raises _Shared for a name behind a question mark."""
        start = node.keys[name]
        if self._text[self._line_start(start) : start].rstrip().endswith("?"):
            raise _Shared
        return start

    # -- the items of a list

    def _items(self, node: Node, old: list[Any], new: list[Any], place: JsonPath) -> _Edit:
        column = self._column(node.start)
        items = self._parts(node, column, len(old))
        pairs = _paired(old, new)
        between = next((one.blank for one in items[1:] if one.blank), "")
        written: list[str] = []
        used = {index for index in pairs if index is not None}
        before: int | None = None
        for index, value in zip(pairs, new, strict=True):
            if index is None:
                part = f"{' ' * column}{self._indented(item_lines(value, column, len(place)), column)}\n"
                blank = between
            else:
                child = node.children[index]
                part = self._changed_item(child, items[index], old[index], value, column, (*place, index))
                part = items[index].apart + part
                blank = items[index].blank if before is not None and index == before + 1 else between
            written.append(
                (blank if written else "") + self._apart_of_gone(items, used, before, index) + part
            )
            before = index if index is not None else before
        rest = self._apart_of_gone(items, used, before, len(items))
        start, end = self._line_start(items[0].start - len(items[0].apart)), items[-1].end
        text = "".join([*written, rest])
        return _Edit(start, end, text if self._text[end - 1 : end] == "\n" else text.removesuffix("\n"))

    @staticmethod
    def _apart_of_gone(items: Sequence[_Item], used: set[int], before: int | None, index: int | None) -> str:
        """Comments that stand apart before items that are gone, which stood between these two."""
        if index is None:
            return ""
        first = 0 if before is None else before + 1
        return "".join(items[one].apart for one in range(first, index) if one not in used)

    def _changed_item(
        self, child: Node, item: _Item, old: JsonValue, new: JsonValue, column: int, place: JsonPath
    ) -> str:
        try:
            text = _applied(
                self._text, list(self._item_changes(child, old, new, place)), item.start, item.end
            )
        except _Shared:
            lines = item_lines(new, column, len(place) - 1)
            comments = "".join(f"{' ' * column}{one}\n" for one in self._comments(child))
            dash = self._dash(child, column)
            above = self._text[item.start : self._line_start(dash)]
            text = f"{above}{comments}{' ' * column}{self._indented(lines, column)}"
        return text if text.endswith("\n") else f"{text}\n"

    def _item_changes(self, child: Node, old: JsonValue, new: JsonValue, place: JsonPath) -> Iterator[_Edit]:
        is_open = isinstance(old, dict | list) and type(old) is type(new) and old and new
        if not is_open and (child.block or not _is_short(new)) and not _same(old, new):
            raise _Shared
        if isinstance(old, dict) and isinstance(new, dict) and not child.block and old.keys() != new.keys():
            raise _Shared
        yield from self.changes(child, old, new, place)

    def _parts(self, node: Node, column: int, number: int) -> list[_Item]:
        """Where the items stand. Raises _Shared where one does not begin on a line of its own."""
        found: list[_Item] = []
        at = self._line_start(node.start)
        for index in range(number):
            child = node.children[index]
            dash = node.start if index == 0 else self._dash(child, column)
            line = self._line_start(dash)
            if self._text[line:dash].strip(" ") or self._text[dash : dash + 1] != "-" or line < at:
                raise _Shared
            start = self._with_comments(line, at if index else 0)
            between = self._text[at:start] if index else ""
            blank = re.match(r"(?:[ \t]*\n)*", between)
            assert blank is not None
            end = min(self._line_end(max(self._end(child), dash + 1)) + 1, len(self._text))
            found.append(_Item(blank[0], between[blank.end() :], start, end))
            at = end
        return found

    def _dash(self, child: Node, column: int) -> int:
        sign = f"\n{' ' * column}-"
        found = self._text.rfind(sign, 0, child.start + 1)
        if found < 0:
            if self._text.startswith(sign[1:]):
                return column
            raise _Shared
        return found + len(sign) - 1

    # -- places

    def _with_comments(self, line: int, first: int) -> int:
        """Where the comments directly above a line begin; the line where there are none."""
        while line > first:
            above = self._line_start(line - 1)
            if not self._text[above:line].lstrip().startswith("#") or above < first:
                break
            line = above
        return line

    def _end(self, node: Node) -> int:
        """Where a value ends; of one that is not written behind the sign before it."""
        return node.end if node.start != node.end else len(self._text[: node.start].rstrip())

    def _line_start(self, offset: int) -> int:
        return self._text.rfind("\n", 0, offset) + 1

    def _line_end(self, offset: int) -> int:
        found = self._text.find("\n", offset)
        return len(self._text) if found < 0 else found

    def _column(self, offset: int) -> int:
        return offset - self._line_start(offset)

    @staticmethod
    def _indented(lines: Sequence[str], column: int) -> str:
        """The lines as one text, all but the first indented."""
        margin = " " * column
        return "\n".join([lines[0], *(f"{margin}{one}" if one else "" for one in lines[1:])])


def _same_parts(old: JsonValue, new: JsonValue) -> Iterable[Any] | None:
    """The names or places of the parts, where both have the same; else None."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        return old
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return range(len(old))
    return None


def _is_short(value: JsonValue) -> bool:
    """Whether the value goes in the place of another one on its line."""
    return not isinstance(value, dict | list) and not (isinstance(value, str) and "\n" in value)


def _scalars(node: Node) -> Iterator[tuple[int, int]]:
    for name, start in node.keys.items():
        yield start, start + len(name)
    if node.kind == "scalar":
        yield node.start, node.end
    for child in node.children.values():
        yield from _scalars(child)


def _groups(new: Mapping[str, JsonValue], kept: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The fields that are added, by the field that is there behind which they come."""
    found: dict[str, list[str]] = {}
    behind = kept[0]
    for name in new:
        if name in kept:
            behind = name
        else:
            found.setdefault(behind, []).append(name)
    yield from found.items()


def _paired(old: Sequence[JsonValue], new: Sequence[JsonValue]) -> list[int | None]:
    """Which item was before what each of the new ones is now, None for one that is added.

    An item is the same by what it says, then by its `id`, and then by its place.
    """
    left = dict(enumerate(old))
    pairs: list[int | None] = [None] * len(new)

    def pair(place: int, found: Iterator[int]) -> None:
        index = next(found, None)
        if pairs[place] is None and index is not None:
            pairs[place] = index
            del left[index]

    for place, value in enumerate(new):
        said = _written(value)
        pair(place, (index for index, one in left.items() if _written(one) == said))
    for place, value in enumerate(new):
        id_ = _id_of(value)
        if id_ is not None and pairs[place] is None:
            pair(place, (index for index, one in left.items() if _id_of(one) == id_))
    if len(old) == len(new):
        for place in range(len(new)):
            if place in left and pairs[place] is None:
                pair(place, iter([place]))
    return pairs


def _id_of(value: JsonValue) -> JsonValue:
    return value.get("id") if isinstance(value, dict) else None
