"""What is missing, counted against a gate: the one rule of all gates.

Conversations that do not count, checks without an answer, and checks that a conversation broke off before
are in no rate. What they would have given is not known, and rarely missing by chance. So a gate is kept only
if it would be kept too had all of them gone the wrong way. A single one of five hundred moves a rate by 0.2
points; three hundred of them keep no gate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.gates.usual_checks import (
    Kind,
    Usual,
    UsualChecks,
    cut_short,
    ended_at_a_check,
    ended_undecided,
    kinds_of,
    never_ended,
    usual_checks,
)
from grice.records import Outcome

__all__ = [
    "NO_ANSWER",
    "Lost",
    "Wanted",
    "ended_before",
    "lost_answers",
    "told_apart",
    "told_missing",
    "was_left_out",
    "with_missing",
]

NO_ANSWER = ("inconclusive", "error")
"""Outcomes of checks that could not tell or broke; one that did not apply is no answer that is missing."""


Wanted = Callable[[CheckTally], bool]
"""Whether a gate is on these checks."""


class Lost(NamedTuple):
    """How much is missing: checks without an answer, and attempts.

    These do not count, the agent broke them off, or a hard check that could not tell ended them.
    """

    unanswered: int = 0
    left_out: int = 0
    broke_off: int = 0
    undecided: int = 0


def was_left_out(attempt: Attempt) -> bool:
    """Whether it was held and says nothing about the agent; somebody chose to leave out what was skipped."""
    return not attempt.counted and attempt.outcome is not Outcome.SKIPPED


def told_apart(attempts: Iterable[Attempt]) -> tuple[list[Attempt], list[Attempt]]:
    """The attempts that count, and those that were held and do not."""
    held = [one for one in attempts if one.outcome is not Outcome.SKIPPED]
    return [one for one in held if one.counted], [one for one in held if not one.counted]


def with_missing(
    attempts: Sequence[Attempt], *, passed: bool, others: Sequence[Attempt] = ()
) -> tuple[Attempt, ...]:
    """The attempts as if everything that is missing of them had passed, or failed.

    Checks without an answer, and attempts that these leave undecided, have that one. Attempts that do not
    count do, with that outcome in every check, and with as many checks as others like them have. Attempts
    that broke off have as many too, failed in any case: it was the agent that did not get so far. Those that
    a hard check without an answer ended have as many, with that outcome. `others` are attempts of another
    experiment, to look such scenarios up in.
    """
    outcome = Outcome.PASS if passed else Outcome.FAIL
    if not any(was_left_out(one) or cut_short(one) for one in attempts):
        return tuple(_answered(one, outcome) for one in attempts)
    usual = usual_checks(attempts, others)
    return tuple(_whole(one, usual, outcome) for one in attempts)


def _whole(one: Attempt, usual: UsualChecks, outcome: Outcome) -> Attempt:
    if was_left_out(one):
        return replace(one, counts=True, outcome=outcome, checks=_all_of(one, usual(one), outcome))
    known = _answered(one, outcome)
    if not cut_short(one):
        return known
    never_made = _never_made(one, usual(one), Outcome.FAIL if never_ended(one) else outcome)
    return replace(known, checks=(*known.checks, *never_made))


def told_missing(lost: Lost, *, ended: str) -> str:
    """What is missing and how it would have ended, in words: `the 3 without an answer had failed`."""
    does = "does" if lost.left_out == 1 else "do"
    ways = (
        (lost.unanswered, "without an answer"),
        (lost.left_out, f"that {does} not count"),
        (lost.broke_off, "that broke off before it"),
        (lost.undecided, "that ended undecided before it"),
    )
    *first, last = [f"the {number} {words}" for number, words in ways if number]
    return f"{', '.join(first)}{' and ' if first else ''}{last} {ended}"


def lost_answers(attempts: Sequence[Attempt], every: Sequence[Attempt], wanted: Wanted) -> Lost:
    """How many of these checks have no answer in attempts that count, and how many attempts lack any.

    `every` are the same attempts, with what is missing.
    """
    unanswered = left_out = broke_off = undecided = 0
    for one, whole in zip(attempts, every, strict=True):
        if one.counted:
            unanswered += sum(row.times for row in one.checks if wanted(row) and row.outcome in NO_ANSWER)
            more = len(whole.checks) > len(one.checks) and _number(whole, wanted) > _number(one, wanted)
            broke_off += more and never_ended(one)
            undecided += more and ended_undecided(one)
        elif was_left_out(one):
            left_out += any(map(wanted, whole.checks))
    return Lost(unanswered, left_out, broke_off, undecided)


def ended_before(attempts: Sequence[Attempt], wanted: Wanted) -> int:
    """How many attempts a failing hard check ended before any of these checks, which others have."""
    ended = [one for one in attempts if ended_at_a_check(one) and not any(map(wanted, one.checks))]
    if not ended:
        return 0
    usual = usual_checks(attempts)
    return sum(any(wanted(kind.tally(Outcome.FAIL, n)) for kind, n in usual(one).items()) for one in ended)


def _number(attempt: Attempt, wanted: Wanted) -> int:
    return sum(row.times for row in attempt.checks if wanted(row))


def _all_of(attempt: Attempt, usual: Usual, outcome: Outcome) -> tuple[CheckTally, ...]:
    """Its checks and those that it usually has, all with one outcome."""
    own = kinds_of(attempt)
    times = {kind: max(own[kind], usual.get(kind, 0)) for kind in [*own, *usual]}
    return tuple(kind.tally(outcome, number) for kind, number in times.items())


def _never_made(attempt: Attempt, usual: Usual, outcome: Outcome) -> tuple[CheckTally, ...]:
    """The checks that it usually has beyond its own, with that outcome; one that did not apply was made."""
    own = kinds_of(attempt)
    passed_by = {Kind.of(one) for one in attempt.checks if one.outcome == "skipped"}
    more = {kind: number - own[kind] for kind, number in usual.items() if kind not in passed_by}
    return tuple(kind.tally(outcome, number) for kind, number in more.items() if number > 0)


def _answered(attempt: Attempt, outcome: Outcome) -> Attempt:
    """The attempt with this answer to each check that has none; what failed has failed."""
    could_not_tell = attempt.outcome is Outcome.INCONCLUSIVE
    if not attempt.counted or not (could_not_tell or any(one.outcome in NO_ANSWER for one in attempt.checks)):
        return attempt
    checks = tuple(
        replace(one, outcome=outcome.value) if one.outcome in NO_ANSWER else one for one in attempt.checks
    )
    return replace(attempt, outcome=outcome if could_not_tell else attempt.outcome, checks=checks)
