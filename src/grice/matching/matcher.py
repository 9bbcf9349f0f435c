"""The one unit of judgement: a named function that judges one subject, and the values made of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from functools import cached_property
from types import MappingProxyType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import msgspec

from grice.matching.context import Context
from grice.records import Evidence, Outcome, Verdict, clean_text, errored, failed, negate, passed
from grice.records.verdict import Mode
from grice.text import value_text

__all__ = [
    "REGISTRY",
    "ArgumentError",
    "Arguments",
    "Matcher",
    "MatcherFactory",
    "Unsuitable",
    "answer_of",
    "judge",
    "matcher",
    "verdict_on",
    "with_value",
]

S_contra = TypeVar("S_contra", contravariant=True)
P = ParamSpec("P")


class Unsuitable(TypeError):
    """The subject is not of a kind that the matcher can judge."""


class ArgumentError(ValueError):
    """A matcher was given arguments with which it can answer no question.

    `field` names the field of an assertion that is wrong, "" when the matcher was not made of one.
    """

    __module__ = "grice"

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message, field)
        self.message = message
        self.field = field

    def __str__(self) -> str:
        return self.message


Arguments = tuple[tuple[Any, ...], Mapping[str, Any]]
"""The positional and the named arguments of a matcher."""


class Matcher(Generic[S_contra]):
    """A matcher with its arguments: a value that can be negated with `~` and given to `expect(x).to(...)`."""

    __slots__ = ("_words", "args", "factory", "kwargs", "negated")

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
        self._words: str | None = None

    def __invert__(self) -> Matcher[S_contra]:
        other = Matcher(self.factory, self.args, self.kwargs, negated=not self.negated)
        other._words = self.words
        return other

    @property
    def words(self) -> str:
        """What the matcher looks for, without its negation: `contain 'x'`.

        They are made once: an expected value of dirty-equals looks different after it was compared.
        """
        if self._words is None:
            self._words = self.factory.describe(*self.args, **self.kwargs)
        return self._words

    @property
    def phrase(self) -> str:
        """What the subject is expected to do, without "to": `contain 'x'`, or `not contain 'x'`."""
        return f"not {self.words}" if self.negated else self.words

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
    function that judges. The rest is as `matcher` has it.
    """

    def __init__(
        self,
        name: str,
        function: Callable[Concatenate[S_contra, Context, P], bool | Verdict],
        describe: Callable[..., str] | None,
        *,
        check: Callable[..., None] | None = None,
        read: Callable[[Any], Arguments] | None = None,
        schema: Mapping[str, Any] | None = None,
        wants: tuple[str, str] | None = None,
        judges_missing: bool = False,
    ) -> None:
        self.name = name
        self.python_name = getattr(function, "__name__", name)
        self.function = function
        self.read = read
        self.schema = schema
        self.judges_missing = judges_missing
        words = self.python_name.replace("_", " ")
        self.wants = wants or (f"to {words}", f"not to {words}")
        self._check = check
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        self._describe = describe

    @cached_property
    def _signature(self) -> Any:
        import inspect

        signature = inspect.signature(self.function)
        parameters = list(signature.parameters.values())
        if len(parameters) < 2:
            raise TypeError(f"{self.python_name}{signature}: a matcher takes a subject and a context first")
        return signature.replace(parameters=parameters[2:])

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters of its own, as `inspect` has them: all but subject and context."""
        parameters: Mapping[str, Any] = self._signature.parameters
        return parameters

    @property
    def needs_arguments(self) -> bool:
        """Whether it cannot be made without any."""
        return any(
            one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
            for one in self.parameters.values()
        )

    @cached_property
    def _accept(self) -> Callable[..., None]:
        """A function with the parameters of this matcher that does nothing: calling it checks arguments."""
        signature = self._signature
        bare = [
            one.replace(annotation=one.empty, default=one.empty if one.default is one.empty else None)
            for one in signature.parameters.values()
        ]
        parameters = str(signature.replace(parameters=bare, return_annotation=signature.empty))[1:-1]
        accept: Callable[..., None] = eval(f"lambda {parameters}: None")  # noqa: S307 - names of parameters
        return accept

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> Matcher[S_contra]:
        """The matcher with these arguments.

        Raises TypeError when they do not fit its parameters, ArgumentError when no question can be asked with
        them.
        """
        try:
            self._accept(*args, **kwargs)
        except TypeError:
            self._refuse(*args, **kwargs)
        if self._check is not None:
            self._check(*args, **kwargs)
        return Matcher(self, args, MappingProxyType(kwargs))

    def _refuse(self, /, *args: Any, **kwargs: Any) -> None:
        """Raise the TypeError that says which argument does not fit."""
        signature = self._signature
        try:
            signature.bind(*args, **kwargs)
        except TypeError as error:
            shown = str(signature).replace("(/, ", "(")
            raise TypeError(f"{self.python_name}{shown}: {error}") from None

    def describe(self, /, *args: Any, **kwargs: Any) -> str:
        """The matcher with its arguments in words: `contain 'x'`. Never raises."""
        if self._describe is not None:
            with suppress(Exception):  # somebody's code, and only words: the plain ones have to do
                words: object = self._describe(*args, **kwargs)
                if isinstance(words, str):
                    return clean_text(words)
        shown = [value_text(arg) for arg in args]
        shown += [f"{name}={value_text(value)}" for name, value in kwargs.items()]
        return f"{self.python_name.replace('_', ' ')} {', '.join(shown)}".rstrip()

    def __repr__(self) -> str:
        return f"<matcher {self.name}>"


REGISTRY: dict[str, MatcherFactory[Any, Any]] = {}
"""Every matcher known so far, by its name in files."""

_NAME = re.compile(r"to[A-Z][A-Za-z0-9]*")


def matcher(
    name: str,
    *,
    describe: Callable[..., str] | None = None,
    check: Callable[..., None] | None = None,
    read: Callable[[Any], Arguments] | None = None,
    schema: Mapping[str, Any] | None = None,
    wants: tuple[str, str] | None = None,
    judges_missing: bool = False,
) -> Callable[
    [Callable[Concatenate[S_contra, Context, P], bool | Verdict]],
    MatcherFactory[S_contra, P],
]:
    """Make a matcher of a function `(subject, ctx, *args, **kwargs) -> bool | Verdict`.

    `name` is the matcher's name in files (`toCiteSources`). Everything else is optional:

    - `describe` takes the arguments without subject and context and gives the words for messages.
    - `check` takes the same and raises ArgumentError when no question can be asked with them.
    - `read` makes the arguments `(args, kwargs)` of the `expected` value in a file, and raises ArgumentError;
      `schema` is the JSON Schema of that value. Without them both follow from the parameters.
    - `wants` says in few words what is expected of a value, and what of its negation: ("match", "no match").
    - `judges_missing`: it also judges MISSING, what a path gives that resolves nothing. Others fail on it.

    Raises ValueError for a name that is malformed or taken by another function.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"a matcher is named like toCiteSources, found {name!r}")

    def register(
        function: Callable[Concatenate[S_contra, Context, P], bool | Verdict],
    ) -> MatcherFactory[S_contra, P]:
        known = REGISTRY.get(name)
        if known is not None and _place(known.function) != _place(function):
            raise ValueError(f"the matcher name {name!r} is taken by {_place(known.function)}")
        factory: MatcherFactory[S_contra, P] = MatcherFactory(
            name,
            function,
            describe,
            check=check,
            read=read,
            schema=schema,
            wants=wants,
            judges_missing=judges_missing,
        )
        REGISTRY[name] = factory
        return factory

    return register


def _place(function: Any) -> str:
    return f"{function.__module__}.{getattr(function, '__qualname__', type(function).__qualname__)}"


def judge(
    matcher: Matcher[Any], subject: object, context: Context, noun: str, mode: Mode = "hard"
) -> Verdict:
    """The verdict of `matcher` on `subject`, negation applied.

    `noun` is how the claim names the subject. Never raises: a check that breaks is `error`.
    """
    claim = f"{noun} not to {matcher.words}" if matcher.negated else f"{noun} to {matcher.words}"
    answer = with_value(answer_of(matcher, subject, context), subject)
    return verdict_on(matcher, answer, context, claim, mode)


def with_value(answer: Verdict, subject: object) -> Verdict:
    """The answer of a matcher that gave no reason, with the value that it judged as the reason."""
    if (answer is not _YES and answer is not _NO) or isinstance(subject, msgspec.Struct):
        return answer
    return msgspec.structs.replace(answer, reason=f"it is {value_text(getattr(subject, 'text', subject))}")


def verdict_on(matcher: Matcher[Any], answer: Verdict, context: Context, claim: str, mode: Mode) -> Verdict:
    """The whole verdict for an answer of the matcher, negation applied."""
    negated = matcher.negated
    turn = answer.turn
    if turn is None and context.turn is not None:
        turn = context.turn.number
    return Verdict(
        negate(answer.outcome) if negated else answer.outcome,
        answer.reason,
        answer.evidence,
        matcher.factory.name,
        claim,
        negated,
        mode,
        turn,
        answer.unresolved,
    )


def answer_of(matcher: Matcher[Any], subject: object, context: Context) -> Verdict:
    """What the matcher says of the subject before any negation. Never raises."""
    if context.conversation is not None and not context.conversation.turns:
        return errored("the conversation has no turn yet: say something first")
    try:
        answer: object = matcher.factory.function(subject, context, *matcher.args, **matcher.kwargs)
    except Unsuitable as error:
        return errored(f"{matcher.factory.python_name} judges {error}")
    except Exception as error:  # the check is somebody's code: whatever it raises is an outcome, not a crash
        return errored(f"the check raised {_error_text(error)}")
    if isinstance(answer, Verdict):
        return _sound(answer)
    if answer is True or answer is False:
        return _YES if answer else _NO
    if isinstance(answer, Coroutine):
        answer.close()
        return errored("the check is an async function; write it as a plain one")
    return errored(f"the check returned {value_text(answer)}, expected True, False or a Verdict")


_YES, _NO = passed(), failed("")


def _error_text(error: Exception) -> str:
    try:
        text = clean_text(str(error))
    except Exception:  # an exception whose text raises
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _sound(verdict: Verdict) -> Verdict:
    """The verdict with texts that can be written down; an error when it is not of the right types."""
    try:
        outcome: Any = verdict.outcome
        reason, evidence = clean_text(verdict.reason), verdict.evidence
        if not isinstance(outcome, Outcome):
            outcome = Outcome(outcome)
        if not all(one.quote.isascii() and one.note.isascii() for one in evidence):
            evidence = tuple(_sound_evidence(one) for one in evidence)
    except (AttributeError, TypeError, ValueError):
        return errored(f"the check returned a malformed {value_text(verdict)}")
    if outcome is verdict.outcome and reason is verdict.reason and evidence is verdict.evidence:
        return verdict
    return msgspec.structs.replace(verdict, outcome=outcome, reason=reason, evidence=evidence)


def _sound_evidence(evidence: Evidence) -> Evidence:
    return msgspec.structs.replace(evidence, quote=clean_text(evidence.quote), note=clean_text(evidence.note))
