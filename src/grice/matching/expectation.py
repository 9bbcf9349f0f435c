"""Checking a matcher against a subject, hard or soft, now or awaited. The typed methods are made on top."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Coroutine, Generator, Mapping
from functools import lru_cache
from types import NoneType
from typing import Any, Generic, TypeVar

import msgspec

from grice.matching.context import Context, ResolvedSubject, resolve_subject
from grice.matching.failure import ExpectationFailed, failure_text, headline
from grice.matching.judge import judge_later
from grice.matching.matcher import ArgumentError, Matcher, MatcherFactory
from grice.matching.recording import Recorder, find_judge, find_recorder, waits
from grice.matching.selector import ValueSelector
from grice.matching.verdicts import AsyncVerdict, complete, strictly
from grice.matching.waiting import PendingVerdict, awaited, waited
from grice.records import Outcome, Verdict, errored
from grice.records.verdict import Mode

S = TypeVar("S")

R = TypeVar("R")

T = TypeVar("T")


class UnrecordedVerdict(UserWarning):
    """A soft verdict was given where no conversation and no test could record it."""

    __module__ = "grice"


class UncalledExpectation(UserWarning):
    """An `expect(x)` or `evaluate(x)` checked nothing: no matcher of it was called."""

    __module__ = "grice"


class Expectation(Generic[S, R]):
    """What `expect(x)` and `evaluate(x)` return; `.to(matcher)` and `.not_to(matcher)` take any matcher.

    Each check returns an R: a Verdict, one that may still be pending, or one to be awaited. One of which no
    matcher is called is told to the recorder of its test, or warned of.
    """

    __slots__ = ("_at", "_awaited", "_begun", "_mode", "_recorder", "_subject")

    def __init__(
        self, subject: object, mode: Mode, at: ValueSelector | None = None, *, awaited: bool = False
    ) -> None:
        self._subject = subject
        self._mode: Mode = mode
        self._at = at
        self._awaited = awaited
        self._begun = begun = Begun(mode, *_place_of_caller())
        self._recorder = find_recorder(subject)
        keep = getattr(self._recorder, "add_begun", None)
        if keep is not None:
            keep(begun)
            begun.kept = True

    def __del__(self) -> None:
        begun: Begun | None = getattr(self, "_begun", None)
        if begun is not None and not begun.kept and not begun.called:
            begun.warn()

    def to(self, matcher: Matcher[S]) -> R:
        """Check that the subject satisfies `matcher`.

        A hard check raises ExpectationFailed unless the outcome is pass (or skipped); a soft one records
        the verdict and goes on.
        """
        __tracebackhide__ = True
        self._begun.called = True
        return self._made(_matcher(matcher))

    def not_to(self, matcher: Matcher[S]) -> R:
        """Check that the subject does not satisfy `matcher`: pass and fail swap, other outcomes stay."""
        __tracebackhide__ = True
        self._begun.called = True
        return self._made(~_matcher(matcher))

    def _check(
        self, factory: MatcherFactory[Any, Any], /, *args: Any, negated: bool, named: Mapping[str, Any]
    ) -> R:
        """Check with a matcher made of these arguments; wrong ones are a verdict: `error`.

        Raises TypeError for those that do not fit its parameters.
        """
        __tracebackhide__ = True
        self._begun.called = True
        try:
            made = prepared(factory, args, named, negated=negated)
        except TypeError:
            factory.refuse_unfit(f"{'not_to' if negated else 'to'}_{factory.python_name}", args, named)
            raise
        except ArgumentError as error:
            made = _unmade(factory, args, named, str(error))
            made = ~made if negated else made
        return self._made(made)

    def _made(self, matcher: Matcher[Any]) -> R:
        __tracebackhide__ = True
        begin = _check_async if self._awaited else _check
        done: Any = begin(self._subject, matcher, self._mode, self._at, self._recorder)
        result: R = done
        return result


def _unmade(
    factory: MatcherFactory[Any, Any], args: tuple[Any, ...], named: Mapping[str, Any], problem: str
) -> Matcher[Any]:
    """A matcher in the place of one that cannot be made: its answer is why."""

    def answer(subject: object, ctx: Context, *args: Any, **named: Any) -> Verdict:
        return errored(problem)

    answer.__name__ = factory.python_name
    words = factory.describe(*args, **named)
    return Matcher(
        MatcherFactory(factory.name, answer, lambda *_, **__: words, judges_missing=True), args, named
    )


def _matcher(given: Any) -> Matcher[Any]:
    if isinstance(given, Matcher):
        return given
    if isinstance(given, MatcherFactory):
        raise TypeError(f"{given.python_name} is not yet a matcher: call it, {given.python_name}(...)")
    raise TypeError(f"expected a matcher such as contain('x'), found {given!r}")


def _check(
    subject: object, matcher: Matcher[Any], mode: Mode, at: ValueSelector | None, recorder: Recorder | None
) -> Verdict | PendingVerdict:
    """Judge, record, and raise ExpectationFailed when a hard check did not pass.

    A soft check by an async matcher goes on in the background, where a recorder waits for it.
    """
    __tracebackhide__ = True
    seen = resolve_subject(subject, getattr(recorder, "conversation", None), mode)
    verdict = _judged(matcher, seen, recorder, at)
    if not isinstance(verdict, Verdict):
        if mode == "soft" and waits(recorder):
            pending = PendingVerdict(
                verdict.run, verdict.close, lambda answer: complete(matcher, answer, seen.context)
            )
            recorder.add_later(pending)
            return pending
        verdict = waited(verdict.run, verdict.close)
        verdict = verdict if verdict.claim else complete(matcher, verdict, seen.context)
    return _recorded(verdict, seen, recorder)


def _check_async(
    subject: object, matcher: Matcher[Any], mode: Mode, at: ValueSelector | None, recorder: Recorder | None
) -> Coroutine[Any, Any, Verdict]:
    """The same to be awaited: nothing holds up the caller's event loop.

    A recorder that waits is told of it, so that a check that nobody awaits cannot vanish.
    """
    seen = resolve_subject(subject, getattr(recorder, "conversation", None), mode)
    made: list[Verdict] = []
    checked = _awaited_check(matcher, seen, recorder, at, made)
    if waits(recorder):
        recorder.add_awaited(checked, made, lambda answer: complete(matcher, answer, seen.context))
    return _Awaited(checked)


class _Awaited(Coroutine[Any, Any, Verdict]):
    """What becomes a verdict when it is awaited. It is no condition: any other coroutine would be true."""

    __slots__ = ("_check",)

    def __init__(self, check: Coroutine[Any, Any, Verdict]) -> None:
        self._check = check

    def __bool__(self) -> bool:
        __tracebackhide__ = True
        raise TypeError("the check is not made yet: write `await` before expect(...) and evaluate(...)")

    def __await__(self) -> Generator[Any, Any, Verdict]:
        return self._check.__await__()

    def send(self, value: Any) -> Any:
        return self._check.send(value)

    def throw(self, *raised: Any) -> Any:
        return self._check.throw(*raised)

    def close(self) -> None:
        self._check.close()


async def _awaited_check(
    matcher: Matcher[Any],
    seen: ResolvedSubject,
    recorder: Recorder | None,
    at: ValueSelector | None,
    made: list[Verdict],
) -> Verdict:
    """`_check` for a coroutine; the verdict goes into `made` as soon as it is there."""
    __tracebackhide__ = True
    if matcher.waits and (at is not None or not matcher.factory.is_async):
        # what goes through values one after the other is not async itself: it may wait in a thread
        verdict = await awaited(lambda: _in_thread(_judged, matcher, seen, recorder, at))
    else:
        verdict = _judged(matcher, seen, recorder, at)
    if not isinstance(verdict, Verdict):
        verdict = await awaited(verdict.run, verdict.close)
    verdict = verdict if verdict.claim else complete(matcher, verdict, seen.context)
    made.append(verdict)
    return _recorded(verdict, seen, recorder)


async def _in_thread(function: Callable[..., T], *args: Any) -> T:
    import asyncio

    return await asyncio.to_thread(function, *args)


def _judged(
    matcher: Matcher[Any], seen: ResolvedSubject, recorder: Recorder | None, at: ValueSelector | None
) -> Verdict | AsyncVerdict:
    """The verdict, or what will become one: the matcher's answer, with the judge that it may want."""
    context = seen.context
    if matcher.judged:
        try:
            context = msgspec.structs.replace(context, judge=find_judge(recorder))
        except Exception as error:  # a fixture or a setting of somebody's
            return complete(matcher, errored(f"there is no judge: {error}"), context)
    return judge_later(matcher, seen.subject, context, at)


def _recorded(verdict: Verdict, seen: ResolvedSubject, recorder: Recorder | None) -> Verdict:
    """The verdict, recorded. Raises ExpectationFailed for a hard one that did not pass."""
    __tracebackhide__ = True
    if getattr(recorder, "strict", False):
        verdict = strictly(verdict)
    if recorder is not None:
        recorder.add(verdict)
    elif verdict.mode == "soft":
        message = f"no test or conversation records this verdict: {headline(verdict)}: {verdict.outcome}"
        warnings.warn(UnrecordedVerdict(message), stacklevel=_level_of_caller())
    if verdict.mode == "hard" and verdict.outcome not in (Outcome.PASS, Outcome.SKIPPED):
        raise ExpectationFailed(failure_text(verdict, seen.context), verdict)
    return verdict


class Begun:
    """An expectation that was begun on a line; `called` says that a matcher of it was, `kept` who tells."""

    __slots__ = ("called", "file", "kept", "line", "mode")

    def __init__(self, mode: Mode, file: str, line: int) -> None:
        self.mode: Mode = mode
        self.file = file
        self.line = line
        self.called = False
        self.kept = False

    @property
    def problem(self) -> str:
        """What is wrong with one that is not called."""
        begun = f"{'expect' if self.mode == 'hard' else 'evaluate'}(...)"
        return f"{begun} checks nothing: call a matcher of it, as in {begun}.to_contain('x')"

    def warn(self) -> None:
        """Warn of it, at its line; as for other warnings, once for each line unless filters say more."""
        told = _WARNED.setdefault(self.file, {})
        warnings.warn_explicit(UncalledExpectation(self.problem), None, self.file, self.line, registry=told)


_WARNED: dict[str, dict[str | tuple[str, type[Warning], int], int]] = {}

"""The registries of warnings that were given, by file."""


def _place_of_caller() -> tuple[str, int]:
    """File and line outside Grice that run now."""
    frame = sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith("grice."):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def _level_of_caller() -> int:
    """The stack level, as `warnings.warn` counts it, of the line outside Grice that asked for the check."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith("grice."):
        level, frame = level + 1, frame.f_back
    return level


MAX_TEXT = 1_000

_PURE = "grice.matching."

"""Where matchers depend on their arguments alone: the check of others may look into files."""

_PLAIN: frozenset[type] = frozenset((str, int, bool, NoneType))


def prepared(
    factory: MatcherFactory[Any, Any], args: tuple[Any, ...], named: Mapping[str, Any], *, negated: bool
) -> Matcher[Any]:
    """Make the matcher with these arguments; one with plain arguments is kept: a test asks for it every turn.

    Raises what the factory raises.
    """
    given = (*args, *named.values()) if named else args
    kinds = tuple(map(type, given))  # True is not 1
    if (
        factory.function.__module__.startswith(_PURE)
        and _PLAIN.issuperset(kinds)
        and (str not in kinds or not any(map(_is_long, given)))
    ):
        return _made(factory, args, kinds, tuple(named.items()) if named else (), negated)
    made = factory(*args, **named)
    return ~made if negated else made


def _is_long(value: Any) -> bool:
    return type(value) is str and len(value) > MAX_TEXT


@lru_cache(maxsize=512)
def _made(
    factory: MatcherFactory[Any, Any],
    args: tuple[Any, ...],
    kinds: tuple[type, ...],
    named: tuple[tuple[str, Any], ...],
    negated: bool,
) -> Matcher[Any]:
    made = factory(*args, **dict(named))
    return ~made if negated else made
