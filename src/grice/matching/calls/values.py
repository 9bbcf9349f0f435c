"""What a call may be expected to hold, and the copy of it that an expected call keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import NamedTuple

from grice.matching.calls.names import step_text
from grice.matching.equality import MAX_DEPTH
from grice.matching.matcher import ArgumentError
from grice.text import value_text

__all__ = ["OwnEquality", "check_json", "kept"]

_PROBES: tuple[object, ...] = (None, False, 0, 0.5, "", [], {})


class OwnEquality:
    """An expected value that is asked by its own `==`, with the text that shows it.

    The text is made once: an object of dirty-equals shows the last value that it was equal to.
    """

    __slots__ = ("text", "value")

    def __init__(self, value: object) -> None:
        self.value = value
        self.text = value_text(value)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, OwnEquality):
            return self.value is other.value or bool(self.value == other.value)
        return bool(self.value == other)

    __hash__ = None  # type: ignore[assignment]  # what equals many values has no hash

    def __repr__(self) -> str:
        return self.text


class _Copying(NamedTuple):
    """How a value is copied: whose it is in messages, whether own `==` is allowed, and what is copied yet."""

    whose: str
    json_only: bool
    copies: dict[int, tuple[object, object]]  # by id: the copy, and the original, which keeps the id taken


def kept(value: object, path: str, whose: str) -> object:
    """A copy of an expected value: dicts and lists, with every other object as an `OwnEquality`.

    Raises ArgumentError for what no JSON value can be equal to, such as a date, a set, a function or a class:
    a check would fail always, and its negation pass. `path` and `whose` say where: `guest.age`, ` of book`.
    """
    return _kept(value, path, _Copying(whose, json_only=False, copies={}), 0)


def check_json(value: object, path: str) -> None:
    """Raise ArgumentError for a value of a file that is not JSON, such as a date of YAML."""
    _kept(value, path, _Copying("", json_only=True, copies={}), 0)


def _kept(value: object, path: str, copying: _Copying, depth: int) -> object:
    if value is None or isinstance(value, str | int | float) or depth > MAX_DEPTH + 1:
        return value  # what lies deeper is never compared
    if id(value) in copying.copies:
        return copying.copies[id(value)][0]
    if isinstance(value, Mapping):
        return _kept_object(value, path, copying, depth)
    if isinstance(value, list | tuple):
        return _kept_array(value, path, copying, depth)
    if copying.json_only:
        raise ArgumentError(f"{path} is {value_text(value)}, which is no JSON; write it as a text, in quotes")
    if _equals_no_json(value):
        raise ArgumentError(
            f"{path}{copying.whose} is expected to be {value_text(value)}, and no JSON value equals that; "
            "write the JSON value, or use dirty-equals or .where(...)"
        )
    return OwnEquality(value)


def _kept_object(
    value: Mapping[object, object], path: str, copying: _Copying, depth: int
) -> dict[str, object]:
    made: dict[str, object] = {}
    copying.copies[id(value)] = made, value
    for key, inner in value.items():
        if not isinstance(key, str):
            raise ArgumentError(f"{path}{copying.whose} has a name that is no text: {value_text(key)}")
        made[key] = _kept(inner, f"{path}{step_text(key)}", copying, depth + 1)
    return made


def _kept_array(value: Sequence[object], path: str, copying: _Copying, depth: int) -> list[object]:
    made: list[object] = []
    copying.copies[id(value)] = made, value
    for place, inner in enumerate(value):
        made.append(_kept(inner, f"{path}[{place}]", copying, depth + 1))
    return made


def _equals_no_json(value: object) -> bool:
    """Whether the value's `==` knows no JSON type at all: it leaves each one to the other side."""
    equal = type(value).__eq__
    if equal is object.__eq__:
        return True
    try:
        other = copy(value)  # dirty-equals remembers what it was equal to
        return all(equal(other, probe) is NotImplemented for probe in _PROBES)
    except Exception:  # somebody's object: whether it equals is asked when it is compared
        return False
