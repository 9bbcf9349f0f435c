"""Paths into JSON values: JSONPath as RFC 9535 has it, with a shorter way to write the beginning.

A plain path, of names, indices and `*` only, needs no parser. A JSON value is a dict with texts as keys, a
list or tuple, a text, an int, a float, a bool or None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from grice.matching.limits import Deadline
from grice.matching.paths.hints import NAME, InvalidPath, quoted_name, read_path
from grice.matching.paths.search import (
    NOTHING,
    Node,
    Part,
    Search,
    SearchStopped,
    Segments,
    Selector,
    item_at,
    members,
    segments_of,
    select_nodes,
    singular_parts,
    walk,
)
from grice.records import JsonValue
from grice.text import shorten, value_text

MAX_SOURCE = 1_024
MAX_FOUND = 100_000
MAX_LOOKED_AT = 20
"""Values that are looked at for a name that is like the one that a path asks for."""

_STEP = (
    r"""\.(%s)|\[(0|-?[1-9][0-9]{0,14})\]|\['([^'\\\x00-\x1f]*)'\]|\["([^"\\\x00-\x1f]*)"\]|(\.\*|\[\*\])"""
)
_ASCII_NAME = "[A-Za-z_][0-9A-Za-z_]*"


class PathError(ValueError):
    """A path that cannot be used, or not on this value.

    `position` is the place of what is wrong: characters from 0 in the path as it was written, None when
    the path is well formed.
    """

    __module__ = "grice"

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message, position)  # all of them: an exception is pickled by its arguments
        self.message = message
        self.position = position

    def __str__(self) -> str:
        return self.message


class Place:
    """A value that a path found, and where."""

    __slots__ = ("_location", "_node")

    def __init__(self, node: Node) -> None:
        self._node = node
        self._location = ""

    @property
    def value(self) -> JsonValue:
        """What stands there."""
        return self._node[0]

    @property
    def names(self) -> Iterator[str]:
        """The names on its path, the last one first."""
        node = self._node
        while node[2] is not None:
            if type(node[1]) is str:
                yield node[1]
            node = node[2]

    @property
    def location(self) -> str:
        """The path to this place and no other, such as `$.items[1].status` or `$['a b'][0]`."""
        if not self._location:
            parts = []
            node = self._node
            while node[2] is not None:
                part = node[1]
                parts.append(f"[{part}]" if type(part) is int else step_text(part))
                node = node[2]
            self._location = "$" + "".join(reversed(parts))
        return self._location

    def __repr__(self) -> str:
        return f"Place({self.location!r}, {value_text(self.value)})"


class NearMiss(NamedTuple):
    """A name that a path asks for, and the values that do not have it."""

    name: str
    values: tuple[JsonValue, ...]


@dataclass(frozen=True)
class CompiledPath:
    """A path ready for use: as it was written, and as RFC 9535 writes it, with its `$`."""

    source: str
    normalized: str
    _parts: tuple[Part, ...] | None = field(repr=False, compare=False)
    _segments: Segments = field(repr=False, compare=False)

    @property
    def is_singular(self) -> bool:
        """Whether the path is made of names and indices only, so that it finds one value at most."""
        return self._parts is not None

    def find(self, value: JsonValue) -> list[JsonValue]:
        """Everything that the path finds in the value, in order. Raises PathError when that is too much."""
        if self._parts is not None:
            found = walk(self._parts, value)
            return [] if found is NOTHING else [found]
        return [node[0] for node in self._nodes(value)]

    def find_places(self, value: JsonValue, deadline: Deadline | None = None) -> list[Place]:
        """The same, with where each value stands. Raises PathError when that is too much, or too slow."""
        return [Place(node) for node in self._nodes(value, deadline)]

    def near_miss(self, value: JsonValue) -> NearMiss | None:
        """The first name in the path that stands nowhere, when the path finds nothing for want of a name.

        None where an index or a filter found nothing, behind `..`, and where looking takes too much.
        """
        values, search = [value], Search(value, None)
        for segment in self._segments:
            descends, selectors = segment
            if descends:
                return None
            try:
                found = [node[0] for one in values for node in select_nodes((segment,), one, search)]
            except (SearchStopped, RecursionError):
                return None
            name = selectors[0]
            if not found:
                is_name = len(selectors) == 1 and isinstance(name, str)
                return NearMiss(str(name), tuple(values)) if is_name else None
            values = found[:MAX_LOOKED_AT]
        return None

    @cached_property
    def location(self) -> str:
        """Where the value stands that a path of names and of indices from 0 finds; "" for any other path."""
        parts = self._parts
        if parts is None or any(isinstance(one, int) and one < 0 for one in parts):
            return ""
        return "$" + "".join(map(step_text, parts))

    @cached_property
    def steps(self) -> tuple[str | None, ...] | None:
        """The steps of a path of names and `[*]` only: the names, and None for `[*]`; None for others."""
        steps: list[str | None] = []
        for descends, selectors in self._segments:
            selector = selectors[0]
            if descends or len(selectors) > 1 or not (isinstance(selector, str) or selector is members):
                return None
            steps.append(selector if isinstance(selector, str) else None)
        return tuple(steps)

    def at_once(self, value: object) -> Any:
        """What such a path finds in a dict or list as JSON has it; NOTHING where a closer look is needed."""
        found: Any = value
        for part in self._parts or ():
            kind = type(found)
            if kind is dict and type(part) is str:
                if part not in found:
                    return NOTHING
            elif kind is not list or type(part) is not int or part >= len(found):
                return NOTHING
            found = found[part]
        return found

    def _nodes(self, value: JsonValue, deadline: Deadline | None = None) -> list[Node]:
        try:
            nodes = select_nodes(self._segments, value, Search(value, deadline))
        except SearchStopped as stopped:
            raise PathError(f"{_shown(self.source)} {stopped}") from None
        except RecursionError:
            raise PathError(f"{_shown(self.source)} goes too deep into the value") from None
        if len(nodes) > MAX_FOUND:
            raise PathError(f"{_shown(self.source)} finds more than {MAX_FOUND:,} values")
        return nodes


def compile_path(path: str | None) -> CompiledPath:
    """The path, ready for use; it is compiled once. None is the whole value, `$`.

    `user.name`, `.user.name` and `[0].x` are taken for `$.user.name` and `$[0].x`. White space before or
    after a path is refused. Raises PathError that says what is wrong, where, and what to write instead.
    """
    if path is None:
        path = "$"
    if not isinstance(path, str):
        raise PathError(f"a JSON path is a text, found {value_text(path)}")
    if len(path) > MAX_SOURCE:
        raise PathError(f"the path has {len(path):,} characters, at most {MAX_SOURCE:,} are allowed")
    return _compile(path)


def plain_names(path: str) -> tuple[str, ...]:
    """The names of a path that is made of names only; () of any other. Raises PathError."""
    parts = compile_path(path)._parts
    return () if parts is None or any(type(one) is not str for one in parts) else tuple(map(str, parts))


def find(path: str | None, value: JsonValue) -> list[JsonValue]:
    """Everything that the path finds in the value, in order; [] when it resolves nothing.

    Raises PathError for a path that is none, that finds too much, visits too much, or goes too deep.
    """
    return compile_path(path).find(value)


def find_places(path: str | None, value: JsonValue) -> list[Place]:
    """As `find`, with where each value stands."""
    return compile_path(path).find_places(value)


@lru_cache(maxsize=512)
def _compile(path: str) -> CompiledPath:
    added = "" if path.startswith("$") else "$" if path.startswith((".", "[")) else "$."
    normalized = added + path
    try:
        if not path.strip():
            raise InvalidPath("it is empty; write $ for the whole value", 0)
        if path[0].isspace():
            raise InvalidPath("white space stands before it; leave it out", 0)
        if path[-1].isspace():
            raise InvalidPath("white space stands after it; leave it out", len(normalized.rstrip()))
        whole, step = _plain_patterns(ascii_only=normalized.isascii())
        if whole.fullmatch(normalized):
            parts = [_plain_part(found) for found in step.finditer(normalized)]
            segments = tuple((False, (_selector(part),)) for part in parts)
            named = tuple(part for part in parts if part is not None)
            return CompiledPath(path, normalized, named if len(named) == len(parts) else None, segments)
        query = read_path(normalized)
        return CompiledPath(path, normalized, singular_parts(query), segments_of(query))
    except RecursionError:
        raise PathError(
            f"{_shown(path)} is not a JSON path: it is nested too deep (at character 0)", 0
        ) from None
    except InvalidPath as invalid:
        place = max(invalid.position - len(added), 0)
        message = f"{_shown(path)} is not a JSON path: {invalid} (at character {place})"
        raise PathError(message, place) from None


@lru_cache(maxsize=2)
def _plain_patterns(*, ascii_only: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What a plain path is, and what each of its steps; all letters there are take long to compile."""
    step = _STEP % (_ASCII_NAME if ascii_only else NAME)
    return re.compile(rf"\$(?:{step})*"), re.compile(step)


def _plain_part(step: re.Match[str]) -> Part | None:
    """The name or index of a step, None for `*`."""
    name, index, single, double, _ = step.groups()
    if index is not None:
        return int(index)
    return next((text for text in (name, single, double) if text is not None), None)


def _selector(part: Part | None) -> Selector:
    return members if part is None else part if isinstance(part, str) else item_at(part)


def _shown(path: str) -> str:
    return shorten(repr(path), 200)


@lru_cache(maxsize=512)
def step_text(part: object) -> str:
    """The step of a path to the value of a name or index: `.name`, `['a b']`, `[0]`."""
    if isinstance(part, int):
        return f"[{part}]"
    name = str(part)
    return f".{name}" if name.isidentifier() else quoted_name(name)
