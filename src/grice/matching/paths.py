"""Paths into JSON values: JSONPath as RFC 9535 has it, with a shorter way to write the beginning.

`jsonpath_rfc9535` reads a path. The search is done here: it counts what it visits, since a path such as
`$..*..*..*` would keep anybody waiting, and equality in filters is that of JSON. A plain path, of names and
indices only, needs no parser. A JSON value is a dict with texts as keys, a list or tuple, a text, an int, a
float, a bool or None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from grice.matching.path_hints import (
    NAME,
    InvalidPath,
    compile_pattern,
    explain_pattern,
    quoted_name,
    read_path,
)
from grice.records import JsonValue, clean_text
from grice.text import shorten, value_text

if TYPE_CHECKING:
    from jsonpath_rfc9535 import JSONPathQuery
    from jsonpath_rfc9535.filter_expressions import Expression, FilterQuery, FunctionExtension
    from jsonpath_rfc9535.selectors import JSONPathSelector

__all__ = ["CompiledPath", "PathError", "Place", "compile_path", "find", "find_places"]

MAX_SOURCE = 1_024
MAX_FOUND = 100_000
MAX_DEPTH = 250
MAX_VISITS = 1_000_000

_STEP = rf"""\.({NAME})|\[(0|-?[1-9][0-9]{{0,14}})\]|\['([^'\\\x00-\x1f]*)'\]|\["([^"\\\x00-\x1f]*)"\]"""
_PLAIN_STEP = re.compile(_STEP)
_PLAIN_PATH = re.compile(rf"\$(?:{_STEP})*")
_ARRAYS = (list, tuple)
_CONTAINERS = (dict, *_ARRAYS)
_NOTHING: Any = object()  # what a path in a filter gives that finds nothing

Part: TypeAlias = str | int
Node: TypeAlias = tuple[Any, "Part | None", Any]
"""A place in a value: what stands there, its name or index, and the node it is in (None for the root)."""
Members: TypeAlias = Iterable[tuple[Part, Any]]
Selector: TypeAlias = "str | Callable[[Any, _Search], Members]"
Segments: TypeAlias = "tuple[tuple[bool, tuple[Selector, ...]], ...]"
"""The steps of a path: whether each goes to everything below, and what it selects there."""
Term: TypeAlias = "Callable[[Any, _Search], Any]"
Test: TypeAlias = "Callable[[Any, _Search], bool]"


class PathError(ValueError):
    """A path that cannot be used, or not on this value.

    `position` is the place of what is wrong: characters from 0 in the path as it was written, None when
    the path is well formed.
    """

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.position = position


class Place:
    """A value that a path found, and where."""

    __slots__ = ("_node",)

    def __init__(self, node: Node) -> None:
        self._node = node

    @property
    def value(self) -> JsonValue:
        """What stands there."""
        return self._node[0]

    @property
    def location(self) -> str:
        """The path to this place and no other, such as `$.items[1].status` or `$['a b'][0]`."""
        parts = []
        node = self._node
        while node[2] is not None:
            parts.append(_part_text(node[1]))
            node = node[2]
        return "$" + "".join(reversed(parts))

    def __repr__(self) -> str:
        return f"Place({self.location!r}, {value_text(self.value)})"


@dataclass(frozen=True, slots=True)
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
            found = _walk(self._parts, value)
            return [] if found is _NOTHING else [found]
        return [node[0] for node in self._nodes(value)]

    def find_places(self, value: JsonValue) -> list[Place]:
        """The same, with where each value stands. Raises PathError when that is too much."""
        return [Place(node) for node in self._nodes(value)]

    def _nodes(self, value: JsonValue) -> list[Node]:
        try:
            nodes = _select(self._segments, value, _Search(value))
        except _Stopped as stopped:
            raise PathError(f"{_shown(self.source)} {stopped}") from None
        except RecursionError:
            raise PathError(f"{_shown(self.source)} goes too deep into the value") from None
        if len(nodes) > MAX_FOUND:
            raise PathError(f"{_shown(self.source)} finds more than {MAX_FOUND:,} values")
        return nodes


def compile_path(path: str | None) -> CompiledPath:
    """The path, ready for use; it is compiled once. None is the whole value, `$`.

    `user.name`, `.user.name` and `[0].x` are taken for `$.user.name` and `$[0].x`; white space around a path
    does not count. Raises PathError that says what is wrong, where, and what to write instead.
    """
    if path is None:
        path = "$"
    if not isinstance(path, str):
        raise PathError(f"a JSON path is a text, found {value_text(path)}")
    if len(path) > MAX_SOURCE:
        raise PathError(f"the path has {len(path):,} characters, at most {MAX_SOURCE:,} are allowed")
    return _compile(path)


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
    text = path.strip()
    added = "" if text.startswith("$") else "$" if text.startswith((".", "[")) else "$."
    normalized = added + text
    try:
        if not text:
            raise InvalidPath("it is empty; write $ for the whole value", 0)
        if _PLAIN_PATH.fullmatch(normalized):
            parts = tuple(_plain_part(step) for step in _PLAIN_STEP.finditer(normalized))
            segments = tuple((False, (part if isinstance(part, str) else _item(part),)) for part in parts)
            return CompiledPath(path, normalized, parts, segments)
        query = read_path(normalized)
        return CompiledPath(path, normalized, _singular_parts(query), _segments(query))
    except InvalidPath as invalid:
        place = len(path) - len(path.lstrip()) + max(invalid.position - len(added), 0) if text else 0
        message = f"{_shown(path)} is not a JSON path: {invalid} (at character {place})"
        raise PathError(message, place) from None


def _plain_part(step: re.Match[str]) -> Part:
    name, index, single, double = step.groups()
    if index is not None:
        return int(index)
    return next(text for text in (name, single, double) if text is not None)


def _shown(path: str) -> str:
    return shorten(repr(path), 200)


def _part_text(part: object) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    name = str(part)
    return f".{name}" if name.isidentifier() else quoted_name(name)


# The search.


class _Stopped(Exception):
    """Why a search was given up, as the rest of a sentence about the path."""


class _Search:
    """One search of one value, and how many places it may still visit."""

    __slots__ = ("left", "patterns", "root")

    def __init__(self, root: JsonValue) -> None:
        self.root = root
        self.left = MAX_VISITS
        self.patterns: dict[str, Any] = {}

    def visit(self, places: int) -> None:
        """Raises _Stopped when that is more than may still be visited."""
        self.left -= places
        if self.left < 0:
            raise _Stopped(f"visits more than {MAX_VISITS:,} places in the value")

    def pattern(self, source: str) -> Any:
        """The I-Regexp, None when it is none. Raises _Stopped for one that cannot be used."""
        if source not in self.patterns:
            self.visit(500)  # a value may bring a new pattern in each of its items
            try:
                self.patterns[source] = compile_pattern(source)
            except ValueError as error:
                raise _Stopped(str(error)) from None
        return self.patterns[source]


def _walk(parts: tuple[Part, ...], value: JsonValue) -> JsonValue:
    for part in parts:
        if isinstance(part, str):
            if not isinstance(value, dict) or part not in value:
                return _NOTHING
        elif not isinstance(value, _ARRAYS) or not -len(value) <= part < len(value):
            return _NOTHING
        value = value[part]
    return value


def _select(segments: Segments, value: JsonValue, search: _Search) -> list[Node]:
    nodes: list[Node] = [(value, None, None)]
    for descends, selectors in segments:
        found: list[Node] = []
        search.visit(len(nodes) * len(selectors))
        for node in _with_all_below(nodes, len(selectors), search) if descends else nodes:
            value = node[0]
            for select in selectors:
                if not isinstance(select, str):
                    found += [(child, part, node) for part, child in select(value, search)]
                elif isinstance(value, dict) and select in value:
                    found.append((value[select], select, node))
        nodes = found
    return nodes


def _with_all_below(nodes: list[Node], times: int, search: _Search) -> Iterator[Node]:
    """Each node, then all objects and arrays below it, in the order of the text."""
    for start in nodes:
        waiting = [(start, 1)]
        while waiting:
            node, depth = waiting.pop()
            yield node
            if isinstance(node[0], _CONTAINERS):
                if depth > MAX_DEPTH:
                    raise _Stopped("goes too deep into the value")
                below = [
                    ((child, part, node), depth + 1)
                    for part, child in _members(node[0], search)
                    if isinstance(child, _CONTAINERS)
                ]
                search.visit(len(below) * times)
                waiting += reversed(below)


def _members(value: Any, search: _Search) -> Members:
    if isinstance(value, dict):
        search.visit(len(value))
        return value.items()
    if isinstance(value, _ARRAYS):
        search.visit(len(value))
        return enumerate(value)
    return ()


def _item(index: int) -> Selector:
    def select(value: Any, search: _Search) -> Members:
        if not isinstance(value, _ARRAYS) or not -len(value) <= index < len(value):
            return ()
        return ((index % len(value), value[index]),)

    return select


def _items(chosen: slice) -> Selector:
    def select(value: Any, search: _Search) -> Members:
        if not isinstance(value, _ARRAYS) or chosen.step == 0:
            return ()
        indices = range(*chosen.indices(len(value)))
        search.visit(len(indices))
        return ((index, value[index]) for index in indices)

    return select


# From what the parser read to what the search does.


def _singular_parts(query: JSONPathQuery) -> tuple[Part, ...] | None:
    if not query.singular_query():
        return None
    selectors: list[Any] = [segment.selectors[0] for segment in query.segments]
    return tuple(one.name if hasattr(one, "name") else one.index for one in selectors)


def _segments(query: JSONPathQuery) -> Segments:
    from jsonpath_rfc9535.segments import JSONPathRecursiveDescentSegment

    return tuple(
        (isinstance(segment, JSONPathRecursiveDescentSegment), tuple(map(_selector, segment.selectors)))
        for segment in query.segments
    )


def _selector(selector: JSONPathSelector) -> Selector:
    from jsonpath_rfc9535 import selectors as kinds

    if isinstance(selector, kinds.NameSelector):
        return selector.name
    if isinstance(selector, kinds.IndexSelector):
        return _item(selector.index)
    if isinstance(selector, kinds.SliceSelector):
        return _items(selector.slice)
    if isinstance(selector, kinds.FilterSelector):
        test = _test(selector.expression.expression)
        return lambda value, search: [one for one in _members(value, search) if test(one[1], search)]
    return _members


def _test(expression: Expression) -> Test:
    """What a filter asks of an item. Raises InvalidPath for a value that stands alone."""
    from jsonpath_rfc9535 import filter_expressions as kinds

    if isinstance(expression, kinds.PrefixExpression):
        negated = _test(expression.right)
        return lambda item, search: not negated(item, search)
    if isinstance(expression, kinds.LogicalExpression):
        left, right = _test(expression.left), _test(expression.right)
        if expression.operator == "&&":
            return lambda item, search: left(item, search) and right(item, search)
        return lambda item, search: left(item, search) or right(item, search)
    if isinstance(expression, kinds.ComparisonExpression):
        compare = _COMPARISONS[expression.operator]
        one, other = _term(expression.left), _term(expression.right)
        return lambda item, search: compare(one(item, search), other(item, search), search)
    if isinstance(expression, kinds.FilterQuery):
        if expression.query.singular_query():
            value = _term(expression)
            return lambda item, search: value(item, search) is not _NOTHING
        nodes = _nodes_of(expression)
        return lambda item, search: bool(nodes(item, search))
    if isinstance(expression, kinds.FunctionExtension) and expression.name in ("match", "search"):
        return _pattern_test(expression)
    raise InvalidPath("a value alone is no test; compare it, as in [?@.n == 1]", expression.token.index)


def _term(expression: Expression) -> Term:
    """One side of a comparison, or what a function takes. Raises InvalidPath for what has no value."""
    from jsonpath_rfc9535 import filter_expressions as kinds

    if isinstance(expression, kinds.FilterExpressionLiteral):
        literal = expression.value
        return lambda _, __: literal
    if isinstance(expression, kinds.FilterQuery):
        parts = _singular_parts(expression.query) or ()
        from_root = isinstance(expression, kinds.RootFilterQuery)

        def value_of(item: Any, search: _Search) -> Any:
            search.visit(1 + len(parts))
            return _walk(parts, search.root if from_root else item)

        return value_of
    if isinstance(expression, kinds.FunctionExtension) and isinstance(expression.args[0], kinds.FilterQuery):
        nodes = _nodes_of(expression.args[0])
        if expression.name == "count":
            return lambda item, search: len(nodes(item, search))
        if expression.name == "value":
            return lambda item, search: found[0][0] if len(found := nodes(item, search)) == 1 else _NOTHING
    if isinstance(expression, kinds.FunctionExtension) and expression.name == "length":
        measured = _term(expression.args[0])
        return lambda item, search: _length(measured(item, search))
    raise InvalidPath(
        "only values can be compared; put a test in brackets to negate it, as in [?!(@.n == 1)]",
        expression.token.index,
    )


def _nodes_of(expression: FilterQuery) -> Callable[[Any, _Search], list[Node]]:
    from jsonpath_rfc9535.filter_expressions import RootFilterQuery

    segments, from_root = _segments(expression.query), isinstance(expression, RootFilterQuery)
    return lambda item, search: _select(segments, search.root if from_root else item, search)


def _length(value: Any) -> Any:
    return len(value) if isinstance(value, (str, *_CONTAINERS)) else _NOTHING


def _equal(left: Any, right: Any, search: _Search, depth: int = 0) -> bool:
    """Equality as JSON has it: true is not 1, here and inside arrays and objects."""
    search.visit(1 + len(left) // 1_000 if isinstance(left, str) else 1)
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if not isinstance(left, _CONTAINERS) or not isinstance(right, _CONTAINERS):
        return bool(left == right)
    if depth > MAX_DEPTH:
        raise _Stopped("goes too deep into the value")
    if len(left) != len(right) or isinstance(left, dict) != isinstance(right, dict):
        return False
    if isinstance(left, dict):
        return all(key in right and _equal(left[key], right[key], search, depth + 1) for key in left)
    return all(_equal(one, other, search, depth + 1) for one, other in zip(left, right, strict=True))


def _less(left: Any, right: Any, search: _Search) -> bool:
    search.visit(1 + len(left) // 1_000 if isinstance(left, str) else 1)
    if isinstance(left, str) or isinstance(right, str):
        return isinstance(left, str) and isinstance(right, str) and left < right
    numbers = isinstance(left, int | float) and isinstance(right, int | float)
    return numbers and not isinstance(left, bool) and not isinstance(right, bool) and bool(left < right)


_COMPARISONS: dict[str, Callable[[Any, Any, _Search], bool]] = {
    "==": _equal,
    "!=": lambda left, right, search: not _equal(left, right, search),
    "<": _less,
    ">": lambda left, right, search: _less(right, left, search),
    "<=": lambda left, right, search: _less(left, right, search) or _equal(left, right, search),
    ">=": lambda left, right, search: _less(right, left, search) or _equal(left, right, search),
}


def _pattern_test(function: FunctionExtension) -> Test:
    """`match` and `search`. A pattern that comes from the value and is none matches nothing."""
    from jsonpath_rfc9535.filter_expressions import FilterExpressionLiteral

    pattern = function.args[1]
    if isinstance(pattern, FilterExpressionLiteral):
        wrong = explain_pattern(pattern.value)
        if wrong:
            raise InvalidPath(wrong, pattern.token.index)
    text_of, source_of = _term(function.args[0]), _term(pattern)
    whole = function.name == "match"

    def test(item: Any, search: _Search) -> bool:
        text, source = text_of(item, search), source_of(item, search)
        if not isinstance(text, str) or not isinstance(source, str):
            return False
        compiled = search.pattern(source)
        if compiled is None:
            return False
        search.visit(len(text) // 64)
        subject = clean_text(text)
        return bool(compiled.fullmatch(subject) if whole else compiled.search(subject))

    return test
