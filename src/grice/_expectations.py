"""`expect` and `evaluate`, with a method for every built-in matcher.

The methods follow from the catalogue. Each is made when it is first asked for, so that no matcher is imported
before it is used. `_expectations.pyi` lists them for editors and type checkers.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from grice._catalogue import METHODS, MODULES
from grice.matching.context import record_of
from grice.matching.expectation import Expectation
from grice.matching.selector import Parse, ValueSelector
from grice.records import Exchange, PathMatch, Reply, State, StateChange, Turn
from grice.records.verdict import Mode

__all__ = [
    "ConversationExpectation",
    "ExchangeExpectation",
    "ListExpectation",
    "ObjectExpectation",
    "PathExpectation",
    "ReplyExpectation",
    "StateExpectation",
    "TextExpectation",
    "TurnExpectation",
    "ValueExpectation",
    "awaited_evaluate",
    "awaited_expect",
    "evaluate",
    "expect",
]


class _Method:
    """The place of a method in a class until it is asked for."""

    def __init__(self, matcher: str, *, negated: bool) -> None:
        self.matcher = matcher
        self.negated = negated

    def __get__(self, expectation: object, kind: type) -> Any:
        made = _method_of(self.matcher, negated=self.negated)
        setattr(kind, made.__name__, made)
        return made if expectation is None else made.__get__(expectation)


def _method_of(matcher: str, *, negated: bool) -> Any:
    """The method `to_x` or `not_to_x`, with the parameters and the documentation of its matcher."""
    from inspect import Parameter, Signature, cleandoc

    home = MODULES[METHODS[matcher][0]]

    def method(self: Any, /, *args: Any, **named: Any) -> Any:
        __tracebackhide__ = True
        module = sys.modules.get(home) or import_module(home)  # pytester forgets modules between its runs
        return self._check(getattr(module, matcher), *args, negated=negated, named=named)

    factory = getattr(import_module(home), matcher)
    name = f"not_to_{matcher}" if negated else f"to_{matcher}"
    method.__code__ = method.__code__.replace(co_name=name)  # what a traceback shows
    method.__name__ = name
    method.__qualname__ = f"Expectation.{name}"
    opposite = (
        f"The opposite of `to_{matcher}`: pass and fail swap, other outcomes stay.\n\n" if negated else ""
    )
    method.__doc__ = opposite + cleandoc(factory.__doc__ or "")
    own = Parameter("self", Parameter.POSITIONAL_ONLY)
    setattr(method, "__signature__", Signature([own, *factory.parameters.values()]))  # noqa: B010
    return method


_METHODS = {
    matcher: {
        f"to_{matcher}": _Method(matcher, negated=False),
        f"not_to_{matcher}": _Method(matcher, negated=True),
    }
    for matcher in METHODS
}


class _WithMethods(Expectation[Any, Any]):
    """An expectation with the methods for its kind of subject."""

    __slots__ = ()
    _kind = ""

    def __getattr__(self, name: str) -> Any:
        """Say what to write instead."""
        __tracebackhide__ = True
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        from grice.matching.unknown_methods import explain_unknown

        if name.startswith(("to", "not_to")):
            self._begun.called = True  # an attempt to check: this is told, and enough
        raise AttributeError(explain_unknown(name, self._kind))


def _class(kind: str, words: str) -> type[_WithMethods]:
    """The class of what `expect` returns for a kind of subject."""
    members: dict[str, Any] = {"__slots__": (), "__doc__": f"What can be expected of {words}.", "_kind": kind}
    for matcher, (_, kinds) in METHODS.items():
        if kind in kinds.split():
            members |= _METHODS[matcher]
    return type(f"{kind.capitalize()}Expectation", (_WithMethods,), members)


TextExpectation = _class("text", "a text")
ReplyExpectation = _class("reply", "a reply")
TurnExpectation = _class("turn", "a turn")
ExchangeExpectation = _class("exchange", "a request to the model")
ConversationExpectation = _class("conversation", "a conversation")
ListExpectation = _class("list", "a list, such as a message array")
ObjectExpectation = _class("object", "a JSON object, such as the body of a request")
ValueExpectation = _class("value", "any other value")
StateExpectation = _class("state", "a state, before and after")
PathExpectation = _class("path", "the values at a path")


def expect(
    subject: object, *, path: str | None = None, match: PathMatch = "ANY", parse: Parse = "auto"
) -> Any:
    """Begin a hard check: the test fails unless it passes.

    With `path` the values that the JSON path finds in the subject are judged, ANY of them or ALL. A text is
    read as JSON as `parse` says; without a path, as a whole.
    """
    return _expectation(subject, "hard", path, match, parse)


def evaluate(
    subject: object, *, path: str | None = None, match: PathMatch = "ANY", parse: Parse = "auto"
) -> Any:
    """Begin a soft check: recorded and shown, never changing pass or fail. Takes what `expect` takes."""
    return _expectation(subject, "soft", path, match, parse)


def awaited_expect(
    subject: object, *, path: str | None = None, match: PathMatch = "ANY", parse: Parse = "auto"
) -> Any:
    """Begin a hard check that is awaited. Takes what `grice.expect` takes."""
    return _expectation(subject, "hard", path, match, parse, awaited=True)


def awaited_evaluate(
    subject: object, *, path: str | None = None, match: PathMatch = "ANY", parse: Parse = "auto"
) -> Any:
    """Begin a soft check that is awaited. Takes what `grice.expect` takes."""
    return _expectation(subject, "soft", path, match, parse, awaited=True)


def _expectation(
    subject: object, mode: Mode, path: str | None, match: PathMatch, parse: Parse, *, awaited: bool = False
) -> Any:
    if path is None and parse != "auto":
        path = "$"
    if path is not None:
        return PathExpectation(subject, mode, ValueSelector(path, match, parse), awaited=awaited)
    if match != "ANY":
        raise TypeError("match says how the values at a path are judged: give a path too")
    return _class_for(subject)(subject, mode, awaited=awaited)


_CLASSES: tuple[tuple[type | tuple[type, ...], type[_WithMethods]], ...] = (
    (str, TextExpectation),
    (Reply, ReplyExpectation),
    (Turn, TurnExpectation),
    (Exchange, ExchangeExpectation),
    ((list, tuple), ListExpectation),
    (dict, ObjectExpectation),
    ((State, StateChange), StateExpectation),
)


def _class_for(subject: object) -> type[_WithMethods]:
    for types, made in _CLASSES:
        if isinstance(subject, types):
            return made
    return ConversationExpectation if record_of(subject) is not None else ValueExpectation
