"""Checking a matcher against a subject, hard or soft. The typed methods are generated on top of this."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from grice.matching.context import Context, sight_of
from grice.matching.failure import ExpectationFailed, failure_text, headline
from grice.matching.matcher import ArgumentError, Matcher, MatcherFactory, judge
from grice.matching.recording import find_recorder
from grice.matching.where import Where
from grice.records import Outcome, Verdict, errored
from grice.records.verdict import Mode

__all__ = ["Expectation", "UnrecordedVerdict", "check"]

S = TypeVar("S")


class UnrecordedVerdict(UserWarning):
    """A soft verdict was given where no conversation and no test could record it."""

    __module__ = "grice"


class Expectation(Generic[S]):
    """What `expect(x)` and `evaluate(x)` return; `.to(matcher)` and `.not_to(matcher)` take any matcher."""

    __slots__ = ("_mode", "_subject", "_where")

    def __init__(self, subject: object, mode: Mode, where: Where | None = None) -> None:
        self._subject = subject
        self._mode: Mode = mode
        self._where = where

    def to(self, matcher: Matcher[S]) -> Verdict:
        """Check that the subject satisfies `matcher`.

        A hard check raises ExpectationFailed unless the outcome is pass (or skipped); a soft one records
        the verdict and goes on.
        """
        __tracebackhide__ = True
        return check(self._subject, _matcher(matcher), self._mode, self._where)

    def not_to(self, matcher: Matcher[S]) -> Verdict:
        """Check that the subject does not satisfy `matcher`: pass and fail swap, other outcomes stay."""
        __tracebackhide__ = True
        return check(self._subject, ~_matcher(matcher), self._mode, self._where)

    def _check(
        self, factory: MatcherFactory[Any, Any], /, *args: Any, negated: bool, named: Mapping[str, Any]
    ) -> Verdict:
        """Check with a matcher made of these arguments; wrong ones are a verdict: `error`."""
        __tracebackhide__ = True
        try:
            made = factory(*args, **named)
        except ArgumentError as error:
            made = _unmade(factory, args, named, str(error))
        return check(self._subject, ~made if negated else made, self._mode, self._where)


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


def check(subject: object, matcher: Matcher[Any], mode: Mode, where: Where | None = None) -> Verdict:
    """Judge, record, and raise ExpectationFailed when a hard check did not pass."""
    __tracebackhide__ = True
    recorder = find_recorder(subject)
    seen = sight_of(subject, getattr(recorder, "conversation", None))
    if where is None:
        verdict = judge(matcher, seen.subject, seen.context, seen.noun, mode)
    else:
        from grice.matching.judging_values import judge_at

        verdict = judge_at(where, matcher, seen, mode)
    if recorder is not None:
        recorder.add(verdict)
    elif mode == "soft":
        message = f"no test or conversation records this verdict: {headline(verdict)}: {verdict.outcome}"
        warnings.warn(UnrecordedVerdict(message), stacklevel=_level_of_caller())
    if mode == "hard" and verdict.outcome not in (Outcome.PASS, Outcome.SKIPPED):
        name = recorder.name if recorder is not None else ""
        raise ExpectationFailed(failure_text(verdict, seen.context, name), verdict)
    return verdict


def _level_of_caller() -> int:
    """The stack level, as `warnings.warn` counts it, of the line outside Grice that asked for the check."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith("grice."):
        level, frame = level + 1, frame.f_back
    return level
