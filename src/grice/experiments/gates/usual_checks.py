"""How many checks an attempt has that was not cut short: told by others of its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from math import ceil
from typing import NamedTuple

from grice.experiments.attempts import Attempt, CheckTally
from grice.records import Outcome

__all__ = ["Kind", "Usual", "UsualChecks", "ended_at_a_check", "kinds_of", "never_ended", "usual_checks"]


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


def ended_at_a_check(attempt: Attempt) -> bool:
    """Whether it counts and a hard check failed, after which a test makes no other."""
    return attempt.counted and attempt.outcome is Outcome.FAIL and attempt.failure == "assertion"


def usual_checks(attempts: Sequence[Attempt], others: Sequence[Attempt] = ()) -> UsualChecks:
    """How many checks of each kind whole attempts have: the mean, rounded up, where there is one.

    They are of the same scenario; else of the same test, else scenario set; else most of the file, else most
    of the run. Where a hard check ended all of these they may have had more: then others tell that too.
    `others` are attempts of another experiment, which tell nothing of checks that this one never makes.
    """
    counted = [one for one in (*attempts, *others) if one.counted]
    whole = [one for one in counted if not never_ended(one)] or counted
    levels = [_grouped(whole, level) for level in _LEVELS]
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


class _Group(NamedTuple):
    """What attempts that are alike have, and whether any of them made all of its checks."""

    usual: Usual
    whole: bool


_NOBODY = _Group({}, whole=False)


class _Level(NamedTuple):
    """What makes attempts alike, None where it does not apply; `rare` has kinds too that few of them have."""

    of: Callable[[Attempt], object]
    rare: bool


def _test_of(attempt: Attempt) -> tuple[str, str]:
    """The test without its parameters and scenario; a key that names no test is one by itself."""
    suite, separator, rest = attempt.key.partition("::")
    return attempt.set_name, f"{suite}::{rest.partition('@')[0].partition('[')[0]}" if separator else suite


def _file_of(attempt: Attempt) -> str:
    suite, separator, _ = attempt.key.partition("::")
    return suite if separator else ""


_LEVELS = (
    _Level(lambda one: one.id, rare=True),
    _Level(_test_of, rare=True),
    _Level(lambda one: one.set_name or None, rare=True),
    _Level(_file_of, rare=False),
    _Level(lambda _: "run", rare=False),
)


def _grouped(attempts: Iterable[Attempt], level: _Level) -> Callable[[Attempt], _Group]:
    """The group that an attempt is in."""
    groups: dict[object, list[Attempt]] = {}
    for one in attempts:
        groups.setdefault(level.of(one), []).append(one)
    groups.pop(None, None)

    @cache
    def group(key: object) -> _Group:
        own = groups.get(key)
        if not own:
            return _NOBODY
        usual = _means([kinds_of(one) for one in own], rare=level.rare)
        return _Group(usual, whole=not all(map(ended_at_a_check, own)))

    return lambda one: group(level.of(one))


def _means(group: Sequence[Counter[Kind]], *, rare: bool) -> Usual:
    """The mean number of each kind where there is one, rounded up; of kinds in most of them unless `rare`."""
    sums: Counter[Kind] = Counter()
    found: Counter[Kind] = Counter()
    for own in group:
        sums += own
        found.update(own.keys())
    return {kind: ceil(sums[kind] / n) for kind, n in found.items() if rare or 2 * n > len(group)}


def kinds_of(attempt: Attempt) -> Counter[Kind]:
    """How many checks of each kind applied."""
    found: Counter[Kind] = Counter()
    for tally in attempt.checks:
        if tally.outcome != "skipped":
            found[Kind.of(tally)] += tally.times
    return found
