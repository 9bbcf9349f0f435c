"""What one call of a tool is expected to be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta

from grice.matching.annotations import argument_type
from grice.matching.argument_types import Text
from grice.matching.calls.names import condition_name, name_text
from grice.matching.calls.values import kept
from grice.matching.matcher import ArgumentError
from grice.matching.transcript import arguments_text
from grice.text import value_text

__all__ = ["ArgumentMode", "ExpectedCall", "call", "check_mode", "named"]

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
    copies = {key: kept(value, name_text(key), whose) for key, value in arguments.items()}
    return ExpectedCall(name=name, arguments=copies)
