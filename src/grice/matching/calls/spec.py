"""What one call of a tool is expected to be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta

from grice.matching.annotations import argument_type
from grice.matching.argument_types import Text
from grice.matching.calls.names import condition_name, name_text, step_text
from grice.matching.equality import MAX_DEPTH
from grice.matching.matcher import ArgumentError
from grice.matching.transcript import arguments_text
from grice.text import value_text

_SCALARS = (str, int, float, bool, type(None))
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
    if isinstance(value, _SCALARS) or depth > MAX_DEPTH + 1:
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


_OTHER_WORDS = {
    "strict": "exact",
    "equal": "exact",
    "partial": "subset",
    "superset": "subset",
    "any": "ignore",
    "none": "ignore",
}

ArgumentMode = Annotated[Literal["exact", "subset", "ignore"], Meta(extra={"instead": _OTHER_WORDS})]

"""How the arguments of a call are compared.

`subset`: the named ones are there, and hold what is expected. `exact`: these and no others. `ignore`: not at
all.
"""

_MODE = argument_type(ArgumentMode)

_NAME = argument_type(Text)

_MODE_WORDS = {"exact": "with exactly these arguments", "ignore": "with any arguments", "subset": ""}


def check_mode(mode: object, what: str = "args") -> None:
    """Raise ArgumentError when `mode` is not a way to compare arguments, naming the nearest right one."""
    _MODE.check(what, mode)


class ExpectedCall(msgspec.Struct, frozen=True, kw_only=True):
    """One expected call: made by `call(...)`, changed by its methods, each of which gives a new value.

    `mode` is how its arguments are compared, None for the mode of the sequence it stands in (`subset` on its
    own). `result` is UNSET when it may be anything. `error` is None when it does not matter, False for no
    error, True for any, or a text that the error contains. `conditions` are asked of the arguments. Values
    are copies: what is changed after the call was made changes nothing here.
    """

    name: str
    arguments: Mapping[str, object] = {}
    mode: ArgumentMode | None = None
    result: object = UNSET
    error: bool | str | None = None
    conditions: tuple[Callable[[Mapping[str, Any]], bool], ...] = ()

    def exactly(self) -> ExpectedCall:
        """The call has these arguments and no others."""
        return self.args("exact")

    def args(self, mode: ArgumentMode) -> ExpectedCall:
        """Compare the arguments of this call in this way, whatever the sequence it stands in says."""
        check_mode(mode, "the mode of args()")
        return msgspec.structs.replace(self, mode=mode)

    def returning(self, expected: object) -> ExpectedCall:
        """The call was answered without an error, with this result; an expected object is a part of it.

        It is always compared like an argument in `subset`, whatever `exactly()` or `args` say of the
        arguments: an expected object names what has to be there, at every level.
        """
        self._refuse_both(self.error not in (None, False), "returning", "failing")
        result = kept(expected, "result", f" of {name_text(self.name)}")
        return msgspec.structs.replace(self, result=result)

    def failing(self, text: str | None = None) -> ExpectedCall:
        """The call was answered with an error, one that contains `text` when it is given."""
        self._refuse_both(self.result is not UNSET, "failing", "returning")
        self._refuse_both(self.error is False, "failing", "succeeding")
        if text is not None and (not isinstance(text, str) or not text):
            raise ArgumentError(
                f"failing() takes a text that the error contains, found {value_text(text)}; "
                "leave it out for any error"
            )
        return msgspec.structs.replace(self, error=True if text is None else text)

    def succeeding(self) -> ExpectedCall:
        """The call was answered without an error."""
        self._refuse_both(self.error not in (None, False), "succeeding", "failing")
        return msgspec.structs.replace(self, error=False)

    def where(self, condition: Callable[[Mapping[str, Any]], bool]) -> ExpectedCall:
        """The arguments of the call meet a condition: a function that takes the dict, and says True or False.

        It gets a copy, and may be asked several times of one call. A condition that raises, or answers
        anything else, makes the check an `error`.
        """
        if not callable(condition):
            raise ArgumentError(
                f"where() takes a function of the arguments, found {value_text(condition)}; "
                "an argument of the tool that is named where goes into call(...)"
            )
        return msgspec.structs.replace(self, conditions=(*self.conditions, condition))

    def _refuse_both(self, both: bool, one: str, other: str) -> None:
        if both:
            raise ArgumentError(f"a call of {name_text(self.name)} cannot be {one} and {other} at once")

    @property
    def words(self) -> str:
        """The call in words: `book(room='Blue') with exactly these arguments, returning {'ok': True}`."""
        parts = [_MODE_WORDS[self.mode or "subset"]]
        if self.result is not UNSET:
            parts.append(f"returning {value_text(self.result)}")
        if self.error is not None:
            if isinstance(self.error, str):
                parts.append(f"failing with {value_text(self.error)}")
            else:
                parts.append("failing" if self.error else "succeeding")
        parts += [f"where {condition_name(condition)}" for condition in self.conditions]
        said = ", ".join(filter(None, parts))
        shown = arguments_text(self.arguments)
        base = name_text(self.name) + (f"({shown})" if shown or self.mode == "exact" else "")
        return f"{base} {said}" if said else base

    def __repr__(self) -> str:
        text = f"call({', '.join(filter(None, (value_text(self.name), arguments_text(self.arguments))))})"
        if self.mode is not None:
            text += ".exactly()" if self.mode == "exact" else f".args({self.mode!r})"
        if self.result is not UNSET:
            text += f".returning({value_text(self.result)})"
        if self.error is not None:
            given = value_text(self.error) if isinstance(self.error, str) else ""
            text += ".succeeding()" if self.error is False else f".failing({given})"
        return text + "".join(f".where({condition_name(condition)})" for condition in self.conditions)


def call(name: str, /, **arguments: object) -> ExpectedCall:
    """An expected call of a tool, with at least these arguments, inside objects too; methods ask for more.

    An expected object names what has to be there, at every level; an empty one equals only an empty object,
    and a list has as many items. Other values are equal as JSON, or by their own `==` (dirty-equals). Raises
    ArgumentError when the name is none, or when a value can never be equal to JSON, as a date cannot.
    """
    _NAME.check("the name of a tool", name)
    return named(name, arguments)


def named(name: str, arguments: Mapping[str, object]) -> ExpectedCall:
    """The expected call of that name, with a copy of the arguments."""
    whose = f" of {name_text(name)}"
    copies = {
        key: value if type(value) in _SCALARS else kept(value, name_text(key), whose)
        for key, value in arguments.items()
    }
    return ExpectedCall(name=name, arguments=copies)
