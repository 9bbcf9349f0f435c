"""What is missing, counted against a gate: the one rule of all gates.

Conversations that do not count and checks without an answer are in no rate. What they would have given is not
known, and rarely missing by chance. So a gate is kept only if it would be kept too had all of them gone the
wrong way. A single one of five hundred moves a rate by 0.2 points; three hundred of them keep no gate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil

from msgspec.structs import replace

from grice.experiments.attempts import Attempt, CheckTally
from grice.records import Outcome

__all__ = [
    "NO_ANSWER",
    "Wanted",
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
    count do, with that outcome in every check, and with as many checks as others of the same scenario have,
    else of the same scenario set, else most of the run: what broke off was not checked. `others` are attempts
    of another experiment, to look such scenarios up in.
    """
    outcome = Outcome.PASS if passed else Outcome.FAIL
    if not any(map(was_left_out, attempts)):
        return tuple(_answered(one, outcome) for one in attempts)
    usual = _usual_checks([*attempts, *others])
    return tuple(
        replace(one, counts=True, outcome=outcome, checks=_all_of(one, usual(one), outcome))
        if was_left_out(one)
        else _answered(one, outcome)
        for one in attempts
    )


def told_missing(unanswered: int, left_out: int, *, ended: str) -> str:
    """What is missing and how it would have ended, in words: `the 3 without an answer had failed`."""
    parts = [f"the {unanswered} without an answer"] if unanswered else []
    if left_out:
        parts.append(f"the {left_out} that {'does' if left_out == 1 else 'do'} not count")
    return f"{' and '.join(parts)} {ended}"


def lost_answers(attempts: Sequence[Attempt], every: Sequence[Attempt], wanted: Wanted) -> tuple[int, int]:
    """How many of these checks have no answer in attempts that count, and how many other attempts have any.

    `every` are the same attempts, with what is missing.
    """
    unanswered = left_out = 0
    for one, whole in zip(attempts, every, strict=True):
        if one.counted:
            unanswered += sum(row.times for row in one.checks if wanted(row) and row.outcome in NO_ANSWER)
        elif was_left_out(one):
            left_out += any(map(wanted, whole.checks))
    return unanswered, left_out


_Kind = tuple[str, str, str, int | None, str]
_Usual = Mapping[_Kind, int]


def _kind(tally: CheckTally) -> _Kind:
    return tally.matcher, tally.mode, tally.criterion, tally.layer, tally.bundle


def _usual_checks(attempts: Iterable[Attempt]) -> Callable[[Attempt], _Usual]:
    """How many checks of each kind attempts of that scenario have, else of that set, else most of the run."""
    counted = [one for one in attempts if one.counted]
    by_id: dict[str, list[Counter[_Kind]]] = {}
    by_set: dict[str, list[Counter[_Kind]]] = {}
    for one in counted:
        own = _kinds(one)
        by_id.setdefault(one.id, []).append(own)
        by_set.setdefault(one.set_name, []).append(own)
    of_set = {name: _means(group, rare=bool(name)) for name, group in by_set.items()}
    of_run = _means([own for group in by_set.values() for own in group], rare=False)

    def usual(one: Attempt) -> _Usual:
        if one.id in by_id:
            return _means(by_id[one.id], rare=True)
        return of_set.get(one.set_name, of_run)

    return usual


def _means(group: Sequence[Counter[_Kind]], *, rare: bool) -> _Usual:
    """The mean number of each kind where there is one, rounded up; of kinds in most of them unless `rare`."""
    sums: Counter[_Kind] = Counter()
    found: Counter[_Kind] = Counter()
    for own in group:
        sums += own
        found.update(own.keys())
    return {kind: ceil(sums[kind] / n) for kind, n in found.items() if rare or 2 * n > len(group)}


def _kinds(attempt: Attempt) -> Counter[_Kind]:
    """How many checks of each kind applied."""
    found: Counter[_Kind] = Counter()
    for tally in attempt.checks:
        if tally.outcome != "skipped":
            found[_kind(tally)] += tally.times
    return found


def _all_of(attempt: Attempt, usual: _Usual, outcome: Outcome) -> tuple[CheckTally, ...]:
    """Its checks and those that it usually has, all with one outcome."""
    own = _kinds(attempt)
    times = {kind: max(own[kind], usual.get(kind, 0)) for kind in [*own, *usual]}
    return tuple(
        CheckTally(matcher, mode, outcome.value, number, criterion, layer, bundle)
        for (matcher, mode, criterion, layer, bundle), number in times.items()
    )


def _answered(attempt: Attempt, outcome: Outcome) -> Attempt:
    """The attempt with this answer to each check that has none; what failed has failed."""
    could_not_tell = attempt.outcome is Outcome.INCONCLUSIVE
    if not attempt.counted or not (could_not_tell or any(one.outcome in NO_ANSWER for one in attempt.checks)):
        return attempt
    checks = tuple(
        replace(one, outcome=outcome.value) if one.outcome in NO_ANSWER else one for one in attempt.checks
    )
    return replace(attempt, outcome=outcome if could_not_tell else attempt.outcome, checks=checks)
