"""The one unit of judgement: a named function that judges one subject, and the values made of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import msgspec

from grice.matching.context import Context
from grice.records import Verdict, errored, failed, negate, passed

__all__ = ["REGISTRY", "Matcher", "MatcherFactory", "Unsuitable", "judge", "matcher"]

S_contra = TypeVar("S_contra", contravariant=True)
P = ParamSpec("P")


class Unsuitable(TypeError):
    """The subject is not of a kind that the matcher can judge."""


class Matcher(Generic[S_contra]):
    """A matcher with its arguments: a value that can be negated with `~` and given to `expect(x).to(...)`."""

    __slots__ = ("args", "factory", "kwargs", "negated")

    def __init__(
        self,
        factory: MatcherFactory[S_contra, Any],
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        *,
        negated: bool = False,
    ) -> None:
        self.factory = factory
        self.args = args
        self.kwargs = kwargs
        self.negated = negated

    def __invert__(self) -> Matcher[S_contra]:
        return Matcher(self.factory, self.args, self.kwargs, negated=not self.negated)

    @property
    def phrase(self) -> str:
        """What the subject is expected to do, without "to": `contain 'x'`, or `not contain 'x'`."""
        words = self.factory.describe(*self.args, **self.kwargs)
        return f"not {words}" if self.negated else words

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Matcher):
            return NotImplemented
        mine = (self.factory, self.args, dict(self.kwargs), self.negated)
        return mine == (other.factory, other.args, dict(other.kwargs), other.negated)

    __hash__ = None  # type: ignore[assignment]  # arguments may be lists and dicts

    def __repr__(self) -> str:
        shown = [repr(arg) for arg in self.args] + [
            f"{name}={value!r}" for name, value in self.kwargs.items()
        ]
        return f"{'~' if self.negated else ''}{self.factory.python_name}({', '.join(shown)})"


class MatcherFactory(Generic[S_contra, P]):
    """A registered matcher: call it with arguments to get a `Matcher`.

    `name` is its name in files (`toContain`), `python_name` its name in Python (`contain`), `function` the
    function that judges.
    """

    def __init__(
        self,
        name: str,
        function: Callable[Concatenate[S_contra, Context, P], bool | Verdict],
        describe: Callable[..., str] | None,
        layer: str,
    ) -> None:
        self.name = name
        self.python_name = function.__name__
        self.function = function
        self.layer = layer
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        self._describe = describe

    @cached_property
    def _signature(self) -> Any:
        import inspect

        signature = inspect.signature(self.function)
        return signature.replace(parameters=list(signature.parameters.values())[2:])

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Matcher[S_contra]:
        """The matcher with these arguments. Raises TypeError when they do not fit."""
        try:
            self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.python_name}{self._signature}: {error}") from None
        return Matcher(self, args, MappingProxyType(kwargs))

    def describe(self, *args: Any, **kwargs: Any) -> str:
        """The matcher with its arguments in words: `contain 'x'`."""
        if self._describe is not None:
            return self._describe(*args, **kwargs)
        words = self.python_name.replace("_", " ")
        shown = [repr(arg) for arg in args] + [f"{name}={value!r}" for name, value in kwargs.items()]
        return f"{words} {', '.join(shown)}".rstrip()

    def __repr__(self) -> str:
        return f"<matcher {self.name}>"


REGISTRY: dict[str, MatcherFactory[Any, Any]] = {}
"""Every matcher known so far, by its name in files."""

_NAME = re.compile(r"to[A-Z][A-Za-z0-9]*")


def matcher(
    name: str, *, describe: Callable[..., str] | None = None, layer: str = ""
) -> Callable[
    [Callable[Concatenate[S_contra, Context, P], bool | Verdict]],
    MatcherFactory[S_contra, P],
]:
    """Make a matcher of a function `(subject, ctx, *args, **kwargs) -> bool | Verdict`.

    `name` is the matcher's name in files (`toCiteSources`). `describe` takes the same arguments without
    subject and context and gives the words for messages. `layer` groups matchers in reports. Raises
    ValueError for a name that is malformed or taken by another function.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"a matcher is named like toCiteSources, found {name!r}")

    def register(
        function: Callable[Concatenate[S_contra, Context, P], bool | Verdict],
    ) -> MatcherFactory[S_contra, P]:
        known = REGISTRY.get(name)
        if known is not None and known.function.__qualname__ != function.__qualname__:
            owner = f"{known.function.__module__}.{known.function.__qualname__}"
            raise ValueError(f"the matcher name {name!r} is taken by {owner}")
        factory: MatcherFactory[S_contra, P] = MatcherFactory(name, function, describe, layer)
        REGISTRY[name] = factory
        return factory

    return register


def judge(matcher: Matcher[Any], subject: object, context: Context, noun: str) -> Verdict:
    """The verdict of `matcher` on `subject`, negation applied. Never raises: a check that breaks is `error`."""
    answer = _answer(matcher, subject, context)
    turn = context.turn.number if context.turn is not None else None
    return msgspec.structs.replace(
        answer,
        outcome=negate(answer.outcome) if matcher.negated else answer.outcome,
        matcher=matcher.factory.name,
        claim=claim_of(noun, matcher),
        negated=matcher.negated,
        turn=turn if answer.turn is None else answer.turn,
    )


def _answer(matcher: Matcher[Any], subject: object, context: Context) -> Verdict:
    if context.conversation is not None and not context.conversation.turns:
        return errored("the conversation has no turn yet: say something first")
    try:
        answer: object = matcher.factory.function(subject, context, *matcher.args, **matcher.kwargs)
    except Unsuitable as error:
        return errored(f"{matcher.factory.python_name} judges {error}")
    except Exception as error:  # the check is somebody's code: whatever it raises is an outcome, not a crash
        return errored(f"the check raised {type(error).__name__}: {error}")
    if isinstance(answer, bool):
        return passed() if answer else failed("")
    if isinstance(answer, Verdict):
        return answer
    return errored(f"the check returned {answer!r}, expected True, False or a Verdict")


def claim_of(noun: str, matcher: Matcher[Any]) -> str:
    """The whole sentence that a matcher checks: `the reply not to contain 'x'`."""
    words = matcher.factory.describe(*matcher.args, **matcher.kwargs)
    return f"{noun} not to {words}" if matcher.negated else f"{noun} to {words}"
