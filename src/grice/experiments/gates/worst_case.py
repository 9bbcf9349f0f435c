"""What is missing, counted against a gate: the one rule of all gates.

Conversations that do not count and checks without an answer are in no rate. What they would have given is not
known, and rarely missing by chance. So a gate is kept only if it would be kept too had all of them gone the
wrong way. A single one of five hundred moves a rate by 0.2 points; three hundred of them keep no gate.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from grice.experiments.attempts import Attempt, CheckTally
from grice.records import Outcome

__all__ = ["NO_ANSWER", "told_apart", "told_missing", "was_left_out", "with_missing"]

NO_ANSWER = ("inconclusive", "error")
"""Outcomes of checks that could not tell or broke; one that did not apply is no answer that is missing."""


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
    count do, with that outcome in every check, and with as many checks as one of the same scenario has, else
    of the same scenario set: what broke off was not checked. `others` are attempts of another experiment, to
    look such scenarios up in.
    """
    outcome = Outcome.PASS if passed else Outcome.FAIL
    usual: Callable[[Attempt], _Usual] = lambda _: {}
    if any(map(was_left_out, attempts)):
        usual = _usual_checks([*attempts, *others])
    return tuple(
        replace(one, counts=True, outcome=outcome, checks=_all_of(one, usual(one), outcome))
        if was_left_out(one)
        else _answered(one, outcome)
        for one in attempts
    )


def told_missing(unanswered: int, left_out: int, *, ended: str) -> str:
    """A condition in words: ` if the 3 without an answer had failed`."""
    parts = [f"the {unanswered} without an answer"] if unanswered else []
    if left_out:
        parts.append(f"the {left_out} that {'does' if left_out == 1 else 'do'} not count")
    return f" if {' and '.join(parts)} {ended}"


_Kind = tuple[str, str, str, int | None, str]
_Usual = Mapping[_Kind, int]


def _kind(tally: CheckTally) -> _Kind:
    return tally.matcher, tally.mode, tally.criterion, tally.layer, tally.bundle


def _usual_checks(attempts: Iterable[Attempt]) -> Callable[[Attempt], _Usual]:
    """How many checks of each kind attempts of that scenario, else of that set, have at most."""
    by_id: dict[str, dict[_Kind, int]] = {}
    by_set: dict[str, dict[_Kind, int]] = defaultdict(dict)
    for one in attempts:
        if one.counted:
            own = _kinds(one)
            tables = [by_id.setdefault(one.id, {})] + ([by_set[one.set_name]] if one.set_name else [])
            for most in tables:
                for kind, times in own.items():
                    most[kind] = max(times, most.get(kind, 0))
    return lambda one: by_id.get(one.id, by_set.get(one.set_name, {}))


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
