"""How many checks an attempt has that was not cut short: told by others of its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from math import ceil
from typing import NamedTuple, TypeVar

from grice.experiments.attempts import Attempt, CheckTally
from grice.records import Outcome

__all__ = [
    "Kind",
    "Usual",
    "UsualChecks",
    "cut_short",
    "ended_at_a_check",
    "ended_undecided",
    "kinds_of",
    "never_ended",
    "usual_checks",
]

_K = TypeVar("_K", bound=Hashable)


class Kind(NamedTuple):
    """A kind of check."""

    matcher: str
    mode: str
    criterion: str
    layer: int | None
    bundle: str
    negated: bool

    @classmethod
    def of(cls, tally: CheckTally) -> Kind:
        """The kind of these checks."""
        return cls(tally.matcher, tally.mode, tally.criterion, tally.layer, tally.bundle, tally.negated)

    def tally(self, outcome: Outcome, times: int) -> CheckTally:
        """So many checks of the kind with that outcome."""
        return CheckTally(outcome=outcome.value, times=times, **self._asdict())


Usual = Mapping[Kind, int]
"""How many checks of each kind there are."""

UsualChecks = Callable[[Attempt], Usual]
"""How many an attempt has, by others of its kind."""


def never_ended(attempt: Attempt) -> bool:
    """Whether it counts and was cut short by the agent: an error, a time-out, or too many turns."""
    return attempt.counted and attempt.failure not in ("none", "assertion")


def ended_undecided(attempt: Attempt) -> bool:
    """Whether it counts and a hard check could not tell, after which a test makes no other."""
    if not attempt.counted or attempt.outcome is not Outcome.INCONCLUSIVE or attempt.failure != "assertion":
        return False
    hard = [one for one in attempt.checks if one.mode == "hard" and (one.matcher or one.criterion)]
    return any(one.outcome == "inconclusive" for one in hard)


def cut_short(attempt: Attempt) -> bool:
    """Whether it counts, and checks that it did not get to are missing."""
    return never_ended(attempt) or ended_undecided(attempt)


def ended_at_a_check(attempt: Attempt) -> bool:
    """Whether it counts and a hard check failed, after which a test makes no other."""
    return attempt.counted and attempt.outcome is Outcome.FAIL and attempt.failure == "assertion"


def usual_checks(attempts: Sequence[Attempt], others: Sequence[Attempt] = ()) -> UsualChecks:
    """How many checks of each kind whole attempts have: the mean, rounded up, where there is one.

    They are of the same scenario in the same test; else of the same test with others; else most of the run.
    Where these do not show all checks, as when a hard check ended every one, the next tell too. `others` are
    attempts of another experiment, which tell nothing of checks that this one never makes.
    """
    held = [one for one in (*attempts, *others) if one.outcome is not Outcome.SKIPPED]
    counted = [one for one in held if one.counted]
    whole = [one for one in counted if not cut_short(one)]
    levels = (_of(whole, lambda one: one.id), _of(counted, _test_of), _of_most(counted))
    known = {kind for one in attempts for kind in kinds_of(one)}

    def usual(one: Attempt) -> Usual:
        kinds: dict[Kind, int] = {}
        for level in levels:
            found = level(one)
            kinds = {**found.usual, **kinds}
            if found.whole:
                break
        return {kind: number for kind, number in kinds.items() if kind in known}

    return usual


class _Found(NamedTuple):
    """What attempts that are alike have, and whether they show all of their checks."""

    usual: Usual
    whole: bool


_Level = Callable[[Attempt], _Found]


def _shows_all(attempt: Attempt) -> bool:
    """Whether it made all of its checks."""
    return attempt.counted and not cut_short(attempt) and not ended_at_a_check(attempt)


def _of(counted: Iterable[Attempt], kin: Callable[[Attempt], str]) -> _Level:
    """What the whole attempts of the same kin have, else all of these."""
    groups = _grouped(counted, kin)

    @cache
    def found(name: str) -> _Found:
        every = groups.get(name, [])
        own = [one for one in every if not cut_short(one)] or every
        return _Found(_means(own), whole=any(map(_shows_all, own)))

    return lambda one: found(kin(one))


def _of_most(counted: Sequence[Attempt]) -> _Level:
    """What most of the whole attempts have, else most that there are."""
    own = [one for one in counted if not cut_short(one)] or counted
    frequent = Counter(kind for one in own for kind in kinds_of(one))
    most = {kind: number for kind, number in _means(own).items() if 2 * frequent[kind] > len(own)}
    found = _Found(most, whole=any(map(_shows_all, own)))
    return lambda _: found


def _test_of(attempt: Attempt) -> str:
    """The test, else the set of scenarios, else what is a test by itself."""
    return attempt.test or attempt.set_name or attempt.id


def _grouped(attempts: Iterable[Attempt], of: Callable[[Attempt], _K]) -> dict[_K, list[Attempt]]:
    groups: dict[_K, list[Attempt]] = {}
    for one in attempts:
        groups.setdefault(of(one), []).append(one)
    return groups


def _means(attempts: Iterable[Attempt]) -> Usual:
    """The mean number of each kind where there is one, rounded up."""
    sums: Counter[Kind] = Counter()
    found: Counter[Kind] = Counter()
    for own in map(kinds_of, attempts):
        sums += own
        found.update(own.keys())
    return {kind: ceil(sums[kind] / n) for kind, n in found.items()}


def kinds_of(attempt: Attempt) -> Counter[Kind]:
    """How many checks of each kind applied."""
    found: Counter[Kind] = Counter()
    for tally in attempt.checks:
        if tally.outcome != "skipped":
            found[Kind.of(tally)] += tally.times
    return found
