"""Checking a matcher against a subject, hard or soft. The typed methods are generated on top of this."""

from __future__ import annotations

import warnings
from typing import Any, Generic, TypeVar

import msgspec

from grice.matching.context import context_of, noun_of, plain_subject
from grice.matching.failure import ExpectationFailed, failure_text, headline
from grice.matching.matcher import Matcher, judge
from grice.matching.recording import find_recorder
from grice.records import Outcome, Verdict
from grice.records.verdict import Mode

__all__ = ["Expectation", "UnrecordedVerdict", "check"]

S = TypeVar("S")


class UnrecordedVerdict(UserWarning):
    """A soft verdict was given where no conversation and no test could record it."""


class Expectation(Generic[S]):
    """What `expect(x)` and `evaluate(x)` return; `.to(matcher)` and `.not_to(matcher)` take any matcher."""

    __slots__ = ("_mode", "_subject")

    def __init__(self, subject: object, mode: Mode) -> None:
        self._subject = subject
        self._mode: Mode = mode

    def to(self, matcher: Matcher[S]) -> Verdict:
        """Check that the subject satisfies `matcher`.

        A hard check raises ExpectationFailed unless the outcome is pass (or skipped); a soft one records
        the verdict and goes on.
        """
        __tracebackhide__ = True
        return check(self._subject, matcher, self._mode)

    def not_to(self, matcher: Matcher[S]) -> Verdict:
        """Check that the subject does not satisfy `matcher`: pass and fail swap, other outcomes stay."""
        __tracebackhide__ = True
        return check(self._subject, ~matcher, self._mode)


def check(subject: object, matcher: Matcher[Any], mode: Mode) -> Verdict:
    """Judge, record, and raise ExpectationFailed when a hard check did not pass."""
    __tracebackhide__ = True
    if not isinstance(matcher, Matcher):
        raise TypeError(f"expected a matcher such as contain('x'), found {matcher!r}")
    context = context_of(subject)
    verdict = judge(matcher, plain_subject(subject), context, noun_of(subject))
    verdict = msgspec.structs.replace(verdict, mode=mode)
    recorder = find_recorder(subject)
    if recorder is not None:
        recorder.add(verdict)
    elif mode == "soft":
        message = f"no test or conversation records this verdict: {headline(verdict)}: {verdict.outcome}"
        warnings.warn(UnrecordedVerdict(message), stacklevel=4)
    if mode == "hard" and verdict.outcome not in (Outcome.PASS, Outcome.SKIPPED):
        name = recorder.name if recorder is not None else ""
        raise ExpectationFailed(failure_text(verdict, context, name), verdict)
    return verdict
