"""Which of many calls may be an expected one, told by their plain values without comparing each pair.

A thousand expected calls against a thousand calls are a million comparisons. Most calls differ in a text or a
number, so for every place where one is expected the calls are sorted by what they have there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET

from grice.matching.calls.spec import ArgumentMode, ExpectedCall
from grice.records import ToolCall

MAX_LEAVES = 500
MAX_DEPTH = 20

_Path = tuple[str | int | None, ...]
"""Fields and items from the arguments on; None for how many items a list has."""
_ELSEWHERE = object()


class Sieve:
    """Some calls, sorted by their names and by their plain values; sets of calls are bits, by place."""

    def __init__(self, calls: Sequence[ToolCall]) -> None:
        self._calls = calls
        self._named: dict[str, int] = {}
        self._sorted: dict[_Path, tuple[dict[object, int], int]] = {}
        for place, call in enumerate(calls):
            self._named[call.name] = self._named.get(call.name, 0) | 1 << place

    def look(self, expected: ExpectedCall, mode: ArgumentMode) -> tuple[int, int]:
        """The calls that surely are the expected one, and those that have to be compared; no other is."""
        mode = expected.mode or mode
        sure = left = self._named.get(expected.name, 0)
        whole = mode != "exact" and expected.result is UNSET and expected.error is None
        whole = whole and not expected.conditions
        leaves = _leaves(expected.arguments, ()) if mode != "ignore" else iter(())
        for number, (path, value) in enumerate(leaves):
            if number == MAX_LEAVES:
                whole = False
                break
            key = _key(value)
            if key is None:
                whole = False
                continue
            having, unknown = self._having(path)
            equal = having.get(key, 0)
            sure &= equal
            left &= equal | unknown
        return (sure, left & ~sure) if whole else (0, left)

    def _having(self, path: _Path) -> tuple[dict[object, int], int]:
        """The calls by the plain value that they have there, and those that have another, or nobody knows."""
        if path not in self._sorted:
            having: dict[object, int] = {}
            unknown = 0
            for place, call in enumerate(self._calls):
                value = _ELSEWHERE if call.raw_arguments is not None else _at(call.arguments, path)
                key = _key(value)
                if key is not None:
                    having[key] = having.get(key, 0) | 1 << place
                elif value is not UNSET:
                    unknown |= 1 << place
            self._sorted[path] = having, unknown
        return self._sorted[path]


def _key(value: object) -> tuple[type, object] | None:
    """What is the same for values that are equal as JSON, None for one that is not plain."""
    kind = type(value)
    if kind is int or kind is float:
        return (float, value) if value == value else None  # nan is not equal to itself
    return (kind, value) if kind is str or kind is bool or value is None else None


def _at(value: object, path: _Path) -> object:
    """What is at the end of a path; UNSET when that is missing where it could be."""
    for step in path:
        if isinstance(step, str):
            if not isinstance(value, dict):
                return _ELSEWHERE
            value = value.get(step, UNSET)
        elif not isinstance(value, list | tuple):
            return _ELSEWHERE
        elif step is None:
            value = len(value)
        else:
            value = value[step] if step < len(value) else UNSET
        if value is UNSET:
            break
    return value


def _leaves(wanted: Mapping[str, object], path: _Path) -> Iterator[tuple[_Path, object]]:
    """The values of an expected object that have no parts, and the lengths of its lists, by their path."""
    for key, value in wanted.items():
        yield from _leaves_of(value, (*path, key))


def _leaves_of(value: object, path: _Path) -> Iterator[tuple[_Path, object]]:
    if len(path) > MAX_DEPTH:
        yield path, value
    elif isinstance(value, dict) and value:
        yield from _leaves(value, path)
    elif isinstance(value, list):
        yield (*path, None), len(value)
        for place, one in enumerate(value):
            yield from _leaves_of(one, (*path, place))
    else:
        yield path, value
