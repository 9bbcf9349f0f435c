"""Values of Python as the JSON values that paths go into."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import msgspec

from grice.records import JsonValue

MAX_DEPTH = 250
MAX_NODES = 10_000
_SCALARS = (str, int, float, bool, type(None))
_SAME_IN_JSON = (str, bool, type(None))
"""Scalars of which none is another one in JSON, as NaN and large numbers are."""


def plain_json(value: object) -> JsonValue:
    """The value with objects as dicts and lists as lists, at every depth; plain JSON comes back as it is.

    Mappings, records, dataclasses and pydantic models are objects, tuples are lists, names become texts.
    Anything else inside stays what it is, to be compared by its own `==`.
    """
    return value if _is_plain(value) else _converted(value, MAX_DEPTH)


def copied(value: JsonValue) -> JsonValue:
    """A copy of plain JSON, lists and objects in it included."""
    if type(value) is dict:
        return {name: copied(one) for name, one in value.items()}
    return [copied(one) for one in value] if type(value) is list else value


def is_json(value: object) -> bool:
    """Whether a path can go into the value, or it is a scalar of JSON."""
    return isinstance(value, (dict, list, *_SCALARS))


Node = tuple[Any, "str | int | None", Any]
"""A value, its name or index, and the node it is in; None for the root."""


def scalars_in(record: msgspec.Struct, steps: Sequence[str | None] | None) -> list[Node]:
    """What names and `[*]`, for which None stands, find in a record; [] unless these are scalars.

    A conversation is mostly what was sent to its model: as JSON it takes far longer to read than to look at.
    """
    nodes: list[Node] = [(record, None, None)]
    for step in steps if steps is not None else ():
        found: list[Node] = []
        for node in nodes:
            value = node[0]
            if isinstance(value, msgspec.Struct) and step is not None:
                name, default = _fields_of(type(value)).get(step, ("", msgspec.UNSET))
                child = getattr(value, name, msgspec.UNSET)
                if child is not default and child is not msgspec.UNSET:
                    found.append((child, step, node))
            elif type(value) is tuple and step is None:
                found += [(child, index, node) for index, child in enumerate(value)]
            elif type(value) not in _SCALARS:
                return []
        if len(found) > MAX_NODES:
            return []
        nodes = found
    return nodes if all(type(node[0]) in _SAME_IN_JSON for node in nodes) else []


@cache
def _fields_of(kind: type[msgspec.Struct]) -> dict[str, tuple[str, Any]]:
    """The fields of a record by their names in JSON: the name in Python, and the value that JSON omits."""
    names = kind.__struct_fields__
    defaults = kind.__struct_defaults__ if kind.__struct_config__.omit_defaults else ()
    omitted = (*[msgspec.UNSET] * (len(names) - len(defaults)), *defaults)
    return dict(zip(kind.__struct_encode_fields__, zip(names, omitted, strict=True), strict=True))


def is_scalar(value: object) -> bool:
    """Whether it is a text, a number, a boolean or null as JSON has it."""
    return type(value) in _SCALARS


def _is_plain(value: object) -> bool:
    """Whether only dicts with texts as names, lists and scalars are in it; shared parts are seen once."""
    seen: set[int] = set()
    waiting: list[Any] = [value]
    while waiting:
        one = waiting.pop()
        kind = type(one)
        if kind is dict or kind is list:
            if id(one) not in seen:
                seen.add(id(one))
                if kind is dict and not all(type(name) is str for name in one):
                    return False
                waiting.extend(one.values() if kind is dict else one)
        elif kind not in _SCALARS:
            return False
    return True


def _converted(value: Any, room: int) -> JsonValue:
    if type(value) in _SCALARS:  # most of what stands in a record: the questions below are slow
        return value
    if room <= 0:  # a container inside itself, or nearly
        return value
    if type(value) is dict or isinstance(value, Mapping):
        return {
            str(name): one if type(one) in _SCALARS else _converted(one, room - 1)
            for name, one in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_converted(one, room - 1) for one in value]
    if isinstance(value, msgspec.Struct):
        return _of_record(value, room)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: _converted(getattr(value, field.name), room - 1) for field in fields}
    dump = getattr(type(value), "model_dump", None)  # pydantic
    return _converted(dump(value, mode="json"), room - 1) if callable(dump) else value


def _of_record(record: msgspec.Struct, room: int) -> JsonValue:
    """The record by way of its JSON text, the quickest one, unless a number in it is none in JSON."""
    with suppress(TypeError, ValueError, OverflowError, RecursionError):
        if not _NOT_FINITE.search(msgspec.msgpack.encode(record)):
            return msgspec.json.decode(msgspec.json.encode(record))
    built = msgspec.to_builtins(record)
    return built if _is_plain(built) else _converted(built, room - 1)


_NOT_FINITE = re.compile(rb"\xcb[\x7f\xff][\xf0-\xff]")
"""How MessagePack begins NaN and the infinities; what else looks so is taken for one."""
