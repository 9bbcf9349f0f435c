"""The one unit of judgement: a named function that judges one subject, and the values made of it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cached_property
from importlib import import_module
from types import FunctionType, MappingProxyType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar

from grice._catalogue import MODULES
from grice.matching.context import Context
from grice.records import Verdict, clean_text
from grice.text import value_text

if TYPE_CHECKING:
    from grice.matching.annotations import ArgumentType
    from grice.matching.signature import MatcherSignature


S_contra = TypeVar("S_contra", contravariant=True)
P = ParamSpec("P")
_CO_COROUTINE = 0x80
"""The flag of an async function's code, as `inspect` has it, which is slow to import."""


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

Prefilter = Callable[[str], bool]
"""Whether a matcher holds of a text that is not blank, without a word about it."""

Answer = bool | Verdict | Awaitable[bool | Verdict]
"""What a matcher's function returns; one that is async is awaited on Grice's own event loop."""


class Matcher(Generic[S_contra]):
    """A matcher with its arguments: a value that can be negated with `~` and given to `expect(x).to(...)`."""

    __slots__ = ("_judged", "_words", "args", "factory", "kwargs", "negated")

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
        self._judged: bool | None = None

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
    def judged(self) -> bool:
        """Whether it, or something among its arguments (a matcher, a verifier), wants a judge."""
        if self._judged is None:
            given = (*self.args, *self.kwargs.values())
            self._judged = self.factory.judged or any(map(_wants_judge, given))
        return self._judged

    @property
    def prefilter(self) -> Prefilter | None:
        """What tells, of a text that is not blank, whether the check passes; None where only judging does."""
        make = self.factory.prefilter
        holds = make(*self.args, **self.kwargs) if make is not None else None
        if holds is None or not self.negated:
            return holds
        return lambda text: not holds(text)

    @property
    def waits(self) -> bool:
        """Whether it, or something among its arguments (a matcher, an embedder), may have to be awaited."""
        given = (*self.args, *self.kwargs.values())
        return self.factory.is_async or self.judged or any(map(_has_to_wait, given))

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

    def __reduce__(self) -> tuple[Any, ...]:
        return _matcher_again, (self.factory, self.args, dict(self.kwargs), self.negated)

    def __repr__(self) -> str:
        shown = [repr(arg) for arg in self.args] + [
            f"{name}={value!r}" for name, value in self.kwargs.items()
        ]
        return f"{'~' if self.negated else ''}{self.factory.python_name}({', '.join(shown)})"


def _matcher_again(
    factory: MatcherFactory[Any, Any], args: tuple[Any, ...], kwargs: dict[str, Any], negated: bool
) -> Matcher[Any]:
    return Matcher(factory, args, MappingProxyType(kwargs), negated=negated)


class MatcherFactory(Generic[S_contra, P]):
    """A registered matcher: call it with arguments to get a `Matcher`.

    `name` is its name in files (`toContain`), `python_name` its name in Python (`contain`), `function` the
    function that judges. The rest is as `matcher` has it.
    """

    def __init__(
        self,
        name: str,
        function: Callable[Concatenate[S_contra, Context, P], Answer],
        describe: str | Callable[..., str] | None,
        *,
        check: Callable[..., None] | None = None,
        read: Callable[[Any], Arguments] | None = None,
        schema: Mapping[str, Any] | None = None,
        wants: tuple[str, str] | None = None,
        judges_missing: bool = False,
        layer: int | None = None,
        judged: bool = False,
        prefilter: Callable[..., Prefilter | None] | None = None,
    ) -> None:
        self.name = name
        self.python_name = getattr(function, "__name__", name)
        self.function = function
        self.read = read
        self.schema = schema
        self.judges_missing = judges_missing
        self.layer = layer
        self.judged = judged
        self.prefilter = prefilter
        words = self.python_name.replace("_", " ")
        self.wants = wants or (f"to {words}", f"not to {words}")
        self._check = check
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        self._describe = describe

    @property
    def is_async(self) -> bool:
        """Whether its function is."""
        return is_async(self.function)

    @cached_property
    def _signature(self) -> MatcherSignature:
        from grice.matching.signature import MatcherSignature

        template = self._describe if isinstance(self._describe, str) else None
        return MatcherSignature(self.python_name, self.function, template)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters of its own, as `inspect` has them: all but subject and context."""
        return self._signature.parameters

    @property
    def types(self) -> Mapping[str, ArgumentType]:
        """What each of them may be, as its annotation says."""
        return self._signature.types

    @property
    def needs_arguments(self) -> bool:
        """Whether it cannot be made without any."""
        return any(
            one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
            for one in self.parameters.values()
        )

    @cached_property
    def _accept(self) -> Callable[..., object]:
        """A function with the parameters of this matcher: calling it checks arguments."""
        return self._signature.accept

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> Matcher[S_contra]:
        """The matcher with these arguments.

        Raises TypeError when they do not fit its parameters, ArgumentError when one is not of its type or no
        question can be asked with them.
        """
        __tracebackhide__ = True
        try:
            self._accept(*args, **kwargs)
        except TypeError:
            self.refuse_unfit(self.python_name, args, kwargs)
            raise
        if self._check is not None:
            self._check(*args, **kwargs)
        return Matcher(self, args, MappingProxyType(kwargs))

    def refuse_unfit(self, called: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Raise TypeError when these are no arguments of the matcher, which the message calls `called`."""
        __tracebackhide__ = True
        signature = self._signature.signature
        try:
            signature.bind(*args, **kwargs)
        except TypeError as error:
            from grice.matching.refused_arguments import explain_refused

            raise TypeError(explain_refused(called, signature, args, kwargs, error)) from None

    def describe(self, /, *args: Any, **kwargs: Any) -> str:
        """The matcher with its arguments in words: `contain 'x'`. Never raises."""
        if self._describe is not None:
            with suppress(Exception):  # wrong arguments, or somebody's code: the plain words have to do
                self._accept(*args, **kwargs)
                own = self._signature.describe if isinstance(self._describe, str) else self._describe
                words: object = own(*args, **kwargs) if own is not None else None
                if isinstance(words, str):
                    return clean_text(words)
        shown = [value_text(arg) for arg in args]
        shown += [f"{name}={value_text(value)}" for name, value in kwargs.items()]
        return f"{self.python_name.replace('_', ' ')} {', '.join(shown)}".rstrip()

    def __reduce__(self) -> tuple[Any, ...]:
        return _factory_at, (self.function.__module__, self.function.__qualname__)

    def __repr__(self) -> str:
        return f"<matcher {self.name}>"


def _factory_at(module: str, name: str) -> MatcherFactory[Any, Any]:
    """The matcher that stands there: one is sent to another process by its name."""
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    if not isinstance(found, MatcherFactory):
        raise TypeError(f"{module}.{name} is no matcher")
    return found


def _wants_judge(argument: object) -> bool:
    # a verifier that asks the judge says so; a dirty-equals value answers any attribute
    return getattr(type(argument), "asks_judge", False) is True or (
        isinstance(argument, Matcher) and argument.judged
    )


def _has_to_wait(argument: object) -> bool:
    if isinstance(argument, Matcher):
        return argument.waits
    if isinstance(argument, FunctionType):
        return is_async(argument)
    kind: Any = type(argument)  # a dirty-equals value answers any attribute
    return any(is_async(getattr(kind, name, None)) for name in ("embed", "__call__"))


def is_async(function: object) -> bool:
    """Whether calling it gives something to be awaited."""
    code = getattr(function, "__code__", None)
    return bool(getattr(code, "co_flags", 0) & _CO_COROUTINE)


REGISTRY: dict[str, MatcherFactory[Any, Any]] = {}
"""Every matcher known so far, by its name in files."""

_NAME = re.compile(r"to[A-Z][A-Za-z0-9]*")


def matcher(
    name: str,
    *,
    describe: str | Callable[..., str] | None = None,
    check: Callable[..., None] | None = None,
    read: Callable[[Any], Arguments] | None = None,
    schema: Mapping[str, Any] | None = None,
    wants: tuple[str, str] | None = None,
    judges_missing: bool = False,
    layer: int | None = None,
    judged: bool = False,
    prefilter: Callable[..., Prefilter | None] | None = None,
) -> Callable[[Callable[Concatenate[S_contra, Context, P], Answer]], MatcherFactory[S_contra, P]]:
    """Make a matcher of a function `(subject, ctx, *args, **kwargs) -> bool | Verdict`, async or not.

    The annotations of its parameters say what its arguments may be: each is checked, and described in files,
    by them (see `grice.matching.annotations`). `name` is the matcher's name in files (`toCiteSources`).
    Everything else is optional:

    - `describe` is its sentence in messages, `"cite at least {at_least:source}"` (see
      `grice.matching.signature`), or a function of the arguments that gives it.
    - `check` is a function of the arguments for what no annotation says, such as two that exclude each other.
      It raises ArgumentError when no question can be asked with them.
    - `read` makes the arguments `(args, kwargs)` of the `expected` value in a file, and raises ArgumentError;
      `schema` is the JSON Schema of that value. Without them both follow from the parameters.
    - `wants` says in few words what is expected of a value, and what of its negation: ("match", "no match").
    - `judges_missing`: it also judges MISSING, what a path gives that resolves nothing. Others fail on it.
    - `layer` says how it judges, see `Verdict.layer`.
    - `judged`: an LLM judges, or may. It then finds the judge in `ctx.judge`.
    - `prefilter` takes the arguments and gives a function that says of a text, one that is not blank, whether
      the matcher holds; None for arguments with which it cannot. A scan of logs judges only what is left.

    Raises ValueError for a name that is malformed or taken by another function.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"a matcher is named like toCiteSources, found {name!r}")

    def register(
        function: Callable[Concatenate[S_contra, Context, P], Answer],
    ) -> MatcherFactory[S_contra, P]:
        known = REGISTRY.get(name)
        if known is not None and _place(known.function) != _place(function):
            raise ValueError(f"the matcher name {name!r} is taken by {_place(known.function)}")
        if known is None and name in MODULES and not function.__module__.startswith("grice."):
            raise ValueError(f"the matcher name {name!r} is taken by {MODULES[name]}")
        factory: MatcherFactory[S_contra, P] = MatcherFactory(
            name,
            function,
            describe,
            check=check,
            read=read,
            schema=schema,
            wants=wants,
            judges_missing=judges_missing,
            layer=layer,
            judged=judged,
            prefilter=prefilter,
        )
        REGISTRY[name] = factory
        return factory

    return register


def _place(function: Any) -> str:
    return f"{function.__module__}.{getattr(function, '__qualname__', type(function).__qualname__)}"
