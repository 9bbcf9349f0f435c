"""What one call of a tool is expected to be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

import msgspec
from msgspec import UNSET

from grice.matching.matcher import ArgumentError
from grice.text import did_you_mean, value_text

__all__ = ["ArgumentMode", "ExpectedCall", "call", "check_mode", "named"]

ArgumentMode = Literal["exact", "subset", "ignore"]
"""How the arguments of a call are compared.

`subset`: the named ones are there, and hold what is expected. `exact`: these and no others. `ignore`: not at
all.
"""

_OTHER_WORDS = {
    "strict": "exact",
    "equal": "exact",
    "partial": "subset",
    "superset": "subset",
    "any": "ignore",
    "none": "ignore",
}
_MODE_WORDS = {"exact": "with exactly these arguments", "ignore": "with any arguments", "subset": ""}


def check_mode(mode: object, what: str = "args") -> None:
    """Raise ArgumentError when `mode` is not a way to compare arguments, naming the nearest right one."""
    known = get_args(ArgumentMode)
    if mode in known:
        return
    other = _OTHER_WORDS.get(mode.lower()) if isinstance(mode, str) else None
    if other is None and isinstance(mode, str):
        hint = did_you_mean(mode, known)
    else:
        hint = f" (here that is {other!r})" if other else ""
    raise ArgumentError(f"{what} is 'exact', 'subset' or 'ignore', found {value_text(mode)}{hint}")


class ExpectedCall(msgspec.Struct, frozen=True, kw_only=True):
    """One expected call: made by `call(...)`, changed by its methods, each of which gives a new value.

    `mode` is how its arguments are compared, None for the mode of the sequence it stands in (`subset` on its
    own). `result` is UNSET when it may be anything. `error` is None when it does not matter, False for no
    error, True for any, or a text that the error contains. `conditions` are asked of the arguments.
    """

    name: str
    arguments: Mapping[str, object] = {}
    mode: ArgumentMode | None = None
    result: object = UNSET
    error: bool | str | None = None
    conditions: tuple[Callable[[Mapping[str, Any]], bool], ...] = ()
    shown: str = ""
    shown_result: str = ""

    def exactly(self) -> ExpectedCall:
        """The call has these arguments and no others."""
        return self.args("exact")

    def args(self, mode: ArgumentMode) -> ExpectedCall:
        """Compare the arguments of this call in this way, whatever the sequence it stands in says."""
        check_mode(mode, "the mode of args()")
        return msgspec.structs.replace(self, mode=mode)

    def returning(self, expected: object) -> ExpectedCall:
        """The call was answered without an error, with this result.

        It is compared like an argument in `subset`: an expected object names what has to be there.
        """
        self._refuse_both(self.error not in (None, False), "returning", "failing")
        return msgspec.structs.replace(self, result=expected, shown_result=value_text(expected))

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

        A condition that raises, or answers anything else, makes the check an `error`.
        """
        if not callable(condition):
            raise ArgumentError(
                f"where() takes a function of the arguments, found {value_text(condition)}; "
                "an argument of the tool that is named where goes into call(...)"
            )
        return msgspec.structs.replace(self, conditions=(*self.conditions, condition))

    def _refuse_both(self, both: bool, one: str, other: str) -> None:
        if both:
            raise ArgumentError(f"a call of {self.name} cannot be {one} and {other} at once")

    @property
    def words(self) -> str:
        """The call in words: `book(room='Blue') with exactly these arguments, returning {'ok': True}`."""
        parts = [_MODE_WORDS[self.mode or "subset"]]
        if self.result is not UNSET:
            parts.append(f"returning {self.shown_result}")
        if self.error is not None:
            if isinstance(self.error, str):
                parts.append(f"failing with {value_text(self.error)}")
            else:
                parts.append("failing" if self.error else "succeeding")
        parts += [f"where {condition_name(condition)}" for condition in self.conditions]
        said = ", ".join(filter(None, parts))
        base = f"{self.name}({self.shown})" if self.shown or self.mode == "exact" else self.name
        return f"{base} {said}" if said else base

    def __repr__(self) -> str:
        text = f"call({', '.join(filter(None, (repr(self.name), self.shown)))})"
        if self.mode is not None:
            text += ".exactly()" if self.mode == "exact" else f".args({self.mode!r})"
        if self.result is not UNSET:
            text += f".returning({self.shown_result})"
        if self.error is not None:
            given = value_text(self.error) if isinstance(self.error, str) else ""
            text += ".succeeding()" if self.error is False else f".failing({given})"
        return text + "".join(f".where({condition_name(condition)})" for condition in self.conditions)


def call(name: str, /, **arguments: object) -> ExpectedCall:
    """An expected call of a tool, with at least these arguments; its methods ask for more.

    An expected object names what has to be there, at every level; an empty one is an empty object, and a list
    has as many items. Other values are equal as JSON, or by their own `==` (dirty-equals). Raises
    ArgumentError when the name is none.
    """
    if not isinstance(name, str) or not name:
        raise ArgumentError(f"the name of a tool is a text that is not empty, found {value_text(name)}")
    return named(name, arguments)


def named(name: str, arguments: Mapping[str, object]) -> ExpectedCall:
    """The expected call of that name. How its arguments look is kept: dirty-equals changes when compared."""
    shown = ", ".join(f"{key}={value_text(value)}" for key, value in arguments.items())
    return ExpectedCall(name=name, arguments=arguments, shown=shown)


def condition_name(condition: Callable[..., object]) -> str:
    """How a message names a condition: by the name of its function."""
    return str(getattr(condition, "__name__", None) or value_text(condition))
