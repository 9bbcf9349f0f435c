"""The search that a JSON path describes, with a limit on what it visits.

`jsonpath_rfc9535` has a search of its own, but a path such as `$..*..*..*` keeps it busy for hours, and in
its filters `[true]` equals `[1]`, `?@` overlooks 0, and `$` in a nested filter is not the root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from grice.matching.limits import Deadline
from grice.matching.paths.hints import InvalidPath, compile_pattern, explain_pattern
from grice.records import JsonValue, clean_text

if TYPE_CHECKING:
    from jsonpath_rfc9535 import JSONPathQuery
    from jsonpath_rfc9535.filter_expressions import Expression, FilterQuery, FunctionExtension
    from jsonpath_rfc9535.selectors import JSONPathSelector


MAX_DEPTH = 250
MAX_VISITS = 1_000_000
PAUSE = 2_000
"""Places that are visited between two looks at the clock."""

_ARRAYS = (list, tuple)
_CONTAINERS = (dict, *_ARRAYS)
NOTHING: Any = object()  # what a path in a filter gives that finds nothing

Part: TypeAlias = str | int
Node: TypeAlias = tuple[Any, "Part | None", Any]
"""A place in a value: what stands there, its name or index, and the node it is in (None for the root)."""
Members: TypeAlias = Iterable[tuple[Part, Any]]
Selector: TypeAlias = "str | Callable[[Any, Search], Members]"
Segments: TypeAlias = "tuple[tuple[bool, tuple[Selector, ...]], ...]"
"""The steps of a path: whether each goes to everything below, and what it selects there."""
Term: TypeAlias = "Callable[[Any, Search], Any]"
Test: TypeAlias = "Callable[[Any, Search], bool]"


class SearchStopped(Exception):
    """Why a search was given up, as the rest of a sentence about the path."""


class Search:
    """One search of one value, how many places it may still visit, and when it has to end."""

    __slots__ = ("_deadline", "_pause", "left", "patterns", "root")

    def __init__(self, root: JsonValue, deadline: Deadline | None = None) -> None:
        self.root = root
        self.left = MAX_VISITS
        self.patterns: dict[str, Any] = {}
        self._deadline = deadline
        self._pause = MAX_VISITS - PAUSE

    def visit(self, places: int) -> None:
        """Raises SearchStopped when that is more than may still be visited, or there is no time left."""
        self.left -= places
        if self.left < self._pause:
            self._look_up()

    def _look_up(self) -> None:
        if self.left < 0:
            raise SearchStopped(f"visits more than {MAX_VISITS:,} places in the value")
        if self._deadline is not None and self._deadline.is_over():
            visited = MAX_VISITS - self.left
            spent = f"{self._deadline.milliseconds:g} ms"
            raise SearchStopped(f"is out of time after {spent}, when {visited:,} places were visited")
        self._pause = self.left - PAUSE

    def pattern(self, source: str) -> Any:
        """The I-Regexp, None when it is none. Raises SearchStopped for one that cannot be used."""
        if source not in self.patterns:
            self.visit(500)  # a value may bring a new pattern in each of its items
            try:
                self.patterns[source] = compile_pattern(source)
            except ValueError as error:
                raise SearchStopped(str(error)) from None
        return self.patterns[source]


def walk(parts: tuple[Part, ...], value: JsonValue) -> JsonValue:
    """What stands at the end of names and indices, NOTHING when there is no such place."""
    found: Any = value
    for part in parts:
        if isinstance(part, str):
            if not isinstance(found, dict) or part not in found:
                return NOTHING
        elif not isinstance(found, _ARRAYS) or not -len(found) <= part < len(found):
            return NOTHING
        found = cast("Any", found)[part]
    return found


def select_nodes(segments: Segments, value: JsonValue, search: Search) -> list[Node]:
    """The nodes that the steps find. Raises SearchStopped when that takes too much."""
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


def _with_all_below(nodes: list[Node], times: int, search: Search) -> Iterator[Node]:
    """Each node, then all objects and arrays below it, in the order of the text."""
    for start in nodes:
        waiting = [(start, 1)]
        while waiting:
            node, depth = waiting.pop()
            yield node
            if isinstance(node[0], _CONTAINERS):
                if depth > MAX_DEPTH:
                    raise SearchStopped("goes too deep into the value")
                below = [
                    ((child, part, node), depth + 1)
                    for part, child in members(node[0], search)
                    if isinstance(child, _CONTAINERS)
                ]
                search.visit(len(below) * times)
                waiting += reversed(below)


def members(value: Any, search: Search) -> Members:
    """What stands in a value, each with its name or index."""
    if isinstance(value, dict):
        search.visit(len(value))
        return value.items()
    if isinstance(value, _ARRAYS):
        search.visit(len(value))
        return enumerate(value)
    return ()


def item_at(index: int) -> Selector:
    """Chooses one item of an array."""

    def select(value: Any, search: Search) -> Members:
        if not isinstance(value, _ARRAYS) or not -len(value) <= index < len(value):
            return ()
        return ((index % len(value), value[index]),)

    return select


def _items(chosen: slice) -> Selector:
    def select(value: Any, search: Search) -> Members:
        if not isinstance(value, _ARRAYS) or chosen.step == 0:
            return ()
        indices = range(*chosen.indices(len(value)))
        search.visit(len(indices))
        return ((index, value[index]) for index in indices)

    return select


def singular_parts(query: JSONPathQuery) -> tuple[Part, ...] | None:
    """The names and indices of a path of nothing else, None for any other."""
    if not query.singular_query():
        return None
    selectors: list[Any] = [segment.selectors[0] for segment in query.segments]
    return tuple(one.name if hasattr(one, "name") else one.index for one in selectors)


def segments_of(query: JSONPathQuery) -> Segments:
    """The steps of a path. Raises InvalidPath for a filter that compares what has no value."""
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
        return item_at(selector.index)
    if isinstance(selector, kinds.SliceSelector):
        return _items(selector.slice)
    if isinstance(selector, kinds.FilterSelector):
        test = _test(selector.expression.expression)
        return lambda value, search: [one for one in members(value, search) if test(one[1], search)]
    return members


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
            return lambda item, search: value(item, search) is not NOTHING
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
        parts = singular_parts(expression.query) or ()
        from_root = isinstance(expression, kinds.RootFilterQuery)

        def value_of(item: Any, search: Search) -> Any:
            search.visit(1 + len(parts))
            return walk(parts, search.root if from_root else item)

        return value_of
    if isinstance(expression, kinds.FunctionExtension) and isinstance(expression.args[0], kinds.FilterQuery):
        nodes = _nodes_of(expression.args[0])
        if expression.name == "count":
            return lambda item, search: len(nodes(item, search))
        if expression.name == "value":
            return lambda item, search: found[0][0] if len(found := nodes(item, search)) == 1 else NOTHING
    if isinstance(expression, kinds.FunctionExtension) and expression.name == "length":
        measured = _term(expression.args[0])
        return lambda item, search: _length(measured(item, search))
    raise InvalidPath(
        "only values can be compared; put a test in brackets to negate it, as in [?!(@.n == 1)]",
        expression.token.index,
    )


def _nodes_of(expression: FilterQuery) -> Callable[[Any, Search], list[Node]]:
    from jsonpath_rfc9535.filter_expressions import RootFilterQuery

    segments, from_root = segments_of(expression.query), isinstance(expression, RootFilterQuery)
    return lambda item, search: select_nodes(segments, search.root if from_root else item, search)


def _length(value: Any) -> Any:
    return len(value) if isinstance(value, (str, *_CONTAINERS)) else NOTHING


def _equal(left: Any, right: Any, search: Search, depth: int = 0) -> bool:
    """Equality as JSON has it: true is not 1, here and inside arrays and objects."""
    search.visit(1 + len(left) // 1_000 if isinstance(left, str) else 1)
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if not isinstance(left, _CONTAINERS) or not isinstance(right, _CONTAINERS):
        return bool(left == right)
    if depth > MAX_DEPTH:
        raise SearchStopped("goes too deep into the value")
    if len(left) != len(right) or isinstance(left, dict) != isinstance(right, dict):
        return False
    if isinstance(left, dict):
        return all(key in right and _equal(left[key], right[key], search, depth + 1) for key in left)
    return all(_equal(one, other, search, depth + 1) for one, other in zip(left, right, strict=True))


def _less(left: Any, right: Any, search: Search) -> bool:
    search.visit(1 + len(left) // 1_000 if isinstance(left, str) else 1)
    if isinstance(left, str) or isinstance(right, str):
        return isinstance(left, str) and isinstance(right, str) and left < right
    numbers = isinstance(left, int | float) and isinstance(right, int | float)
    return numbers and not isinstance(left, bool) and not isinstance(right, bool) and bool(left < right)


_COMPARISONS: dict[str, Callable[[Any, Any, Search], bool]] = {
    "==": _equal,
    "!=": lambda left, right, search: not _equal(left, right, search),
    "<": _less,
    ">": lambda left, right, search: _less(right, left, search),
    "<=": lambda left, right, search: _less(left, right, search) or _equal(left, right, search),
    ">=": lambda left, right, search: _less(right, left, search) or _equal(left, right, search),
}


def _pattern_test(function: FunctionExtension) -> Test:
    """`match` and `search`, which what is no text never passes, as subject and as pattern.

    A pattern that the value brings and that is none matches nothing; one that the path has is refused.
    """
    from jsonpath_rfc9535.filter_expressions import StringLiteral

    pattern = function.args[1]
    if isinstance(pattern, StringLiteral):
        wrong = explain_pattern(pattern.value)
        if wrong:
            raise InvalidPath(wrong, pattern.token.index)
    text_of, source_of = _term(function.args[0]), _term(pattern)
    whole = function.name == "match"

    def test(item: Any, search: Search) -> bool:
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
