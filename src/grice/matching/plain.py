"""Values of Python as the JSON values that paths go into."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec

from grice.records import JsonValue

MAX_DEPTH = 250
_SCALARS = (str, int, float, bool, type(None))


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
