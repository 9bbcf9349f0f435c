"""Schemas and the values they judge, as plain JSON values that can be walked, compared and shown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grice.text import value_text

MAX_DEPTH = 200
MAX_BITS = 10_000
"""Python refuses to write integers of more than 4,300 digits."""
MAX_SHOWN = 200


class SchemaError(ValueError):
    """A schema that is none, or cannot be used on this value."""


class _Object(dict[str, Any]):
    """An object that a message shows in few characters."""

    def __repr__(self) -> str:
        return value_text(dict(self))


class _Array(list[Any]):
    """A list that a message shows in few characters."""

    def __repr__(self) -> str:
        return value_text(list(self))


class _Text(str):
    """A long text that a message shows in few characters."""

    __slots__ = ()

    def __repr__(self) -> str:
        return value_text(str(self))


class _Integer(int):
    """An integer of thousands of digits, which Python would not write."""

    def __repr__(self) -> str:
        return f"<an integer of about {round(self.bit_length() * math.log10(2)):,} digits>"

    __str__ = __repr__

    def __format__(self, form: str) -> str:
        return repr(self)


def plain_value(value: object) -> Any:
    """A copy with mappings as objects and tuples as lists, at every depth.

    Raises SchemaError past 200 levels.
    """
    return _Copying(of_schema=False).copy(value, 0)


def plain_schema(schema: object) -> tuple[Any, set[str]]:
    """A copy of the schema, and all names that occur in it.

    Raises SchemaError past 200 levels, and for what JSON does not have.
    """
    copying = _Copying(of_schema=True)
    return copying.copy(schema, 0), copying.names


class _Copying:
    """One copy; a part that occurs many times is copied once."""

    def __init__(self, *, of_schema: bool) -> None:
        self.names: set[str] = set()
        self._of_schema = of_schema
        self._copied: dict[int, tuple[object, object]] = {}

    def copy(self, value: Any, depth: int) -> object:
        if value is None or isinstance(value, bool | float):
            return value
        if isinstance(value, str):
            return _Text(value) if len(value) > MAX_SHOWN and not self._of_schema else value
        if isinstance(value, int):
            return _Integer(value) if value.bit_length() > MAX_BITS else value
        if not isinstance(value, Mapping | list | tuple):
            if self._of_schema:
                raise SchemaError(f"a JSON Schema holds JSON values, found {value_text(value)}")
            return value
        if depth >= MAX_DEPTH:
            raise SchemaError(f"nested deeper than {MAX_DEPTH} levels")
        known = self._copied.get(id(value))
        if known is None:
            known = self._copied[id(value)] = (value, self._inside(value, depth + 1))
        return known[1]

    def _inside(self, value: Mapping[Any, Any] | Sequence[Any], depth: int) -> object:
        if not isinstance(value, Mapping):
            array = _Array()
            for one in value:
                array.append(self.copy(one, depth))
            return array
        made = _Object()
        for name, one in value.items():
            made[self._name(name)] = self.copy(one, depth)
        return made

    def _name(self, name: object) -> str:
        if self._of_schema:
            if not isinstance(name, str):
                raise SchemaError(f"names in a JSON Schema are texts, found {value_text(name)}")
            self.names.add(name)
        return name if isinstance(name, str) else str(name)


def repeated(elements: Sequence[Any]) -> tuple[int, int] | None:
    """The places of the first two elements that are the same JSON value, None when all differ."""
    seen: dict[object, int] = {}
    for place, key in enumerate(_keys(elements)):
        first = seen.setdefault(key, place)
        if first != place:
            return first, place
    return None


def _keys(elements: Sequence[Any]) -> Iterator[object]:
    return (_key(element) for element in elements)


def _key(value: Any) -> object:
    """Equal for equal JSON values: numbers by their value, booleans apart from them, objects without order.

    Numbers are texts in it, because anyone can write integers whose hashes collide.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return f"s{value}"
    if isinstance(value, int):
        return f"n{int(value):x}"
    if isinstance(value, float):
        return f"n{int(value):x}" if value.is_integer() else f"n{value!r}"
    if isinstance(value, dict):
        return frozenset((name, _key(one)) for name, one in value.items())
    return tuple(map(_key, value)) if isinstance(value, list) else ("other", id(value))
