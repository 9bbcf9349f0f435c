"""The five outcomes, and how they combine."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Outcome(StrEnum):
    """What a check found out.

    `pass` and `fail` are answers. `inconclusive` means it looked and could not tell, or had nothing to look
    at. `error` means the check itself broke. `skipped` means it does not apply.
    """

    PASS = "pass"  # noqa: S105 - an outcome, not a password
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"
    SKIPPED = "skipped"


_NEGATED = {Outcome.PASS: Outcome.FAIL, Outcome.FAIL: Outcome.PASS}
_ALL_ORDER = (Outcome.FAIL, Outcome.ERROR, Outcome.INCONCLUSIVE, Outcome.PASS)
_ANY_ORDER = (Outcome.PASS, Outcome.ERROR, Outcome.INCONCLUSIVE, Outcome.FAIL)


def negate(outcome: Outcome) -> Outcome:
    """The outcome of the negated check: `pass` and `fail` swap, the other three stay."""
    return _NEGATED.get(outcome, outcome)


def fold_all(outcomes: Iterable[Outcome]) -> Outcome:
    """The outcome of "all of these hold": fail beats error beats inconclusive beats pass.

    Skipped ones do not count; nothing at all is `inconclusive`, and only skipped ones are `skipped`.
    """
    return _fold(outcomes, _ALL_ORDER)


def fold_any(outcomes: Iterable[Outcome]) -> Outcome:
    """The outcome of "at least one of these holds": pass beats error beats inconclusive beats fail.

    Skipped ones do not count; nothing at all is `inconclusive`, and only skipped ones are `skipped`.
    """
    return _fold(outcomes, _ANY_ORDER)


def _fold(outcomes: Iterable[Outcome], order: tuple[Outcome, ...]) -> Outcome:
    seen = set(outcomes)
    for outcome in order:
        if outcome in seen:
            return outcome
    return Outcome.SKIPPED if seen else Outcome.INCONCLUSIVE
