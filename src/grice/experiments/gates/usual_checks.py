"""How many checks an attempt has that was not cut short: told by others of its kind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
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

    They are of the same scenario in the same test; else of the same scenario set, or of the test with other
    parameters; else most of the file, else most of the run. Where these do not show all checks of all tests,
    as when a hard check ended every one, the next tell too. `others` are attempts of another experiment,
    which tell nothing of checks that this one never makes.
    """
    held = [one for one in (*attempts, *others) if one.outcome is not Outcome.SKIPPED]
    levels = (_of_the_same(held), _of_tests(held), _of_most(held, _file_of), _of_most(held, lambda _: "run"))
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


_NOBODY = _Found({}, whole=False)

_Level = Callable[[Attempt], _Found]


def _shows_all(attempt: Attempt) -> bool:
    """Whether it made all of its checks."""
    return attempt.counted and not cut_short(attempt) and not ended_at_a_check(attempt)


def _of_the_same(held: Iterable[Attempt]) -> _Level:
    """What whole attempts of the same scenario in the same test have."""
    groups = _grouped((one for one in held if one.counted and not cut_short(one)), lambda one: one.id)

    @cache
    def found(id_: str) -> _Found:
        own = groups.get(id_, [])
        return _Found(_means(own), whole=any(map(_shows_all, own)))

    return lambda one: found(one.id)


def _of_most(held: Iterable[Attempt], of: Callable[[Attempt], str]) -> _Level:
    """What most of the whole attempts have that are alike, else most that there are."""
    groups = _grouped((one for one in held if one.counted), of)

    @cache
    def found(key: str) -> _Found:
        every = groups.get(key, [])
        own = [one for one in every if not cut_short(one)] or every
        usual = _means(own)
        frequent = Counter(kind for one in own for kind in kinds_of(one))
        most = {kind: number for kind, number in usual.items() if 2 * frequent[kind] > len(own)}
        return _Found(most, whole=any(map(_shows_all, own)))

    return lambda one: found(of(one))


# -- several tests may hold the same scenarios, and an attempt does not tell of which test it is


class _Tests(NamedTuple):
    """What attempts of one set have, or those of one test with any parameters.

    `makers` are the ids of those that made a check, by kind and key, `most` is how many ids make it in one
    key at most, and `always` has the kinds that all made who made all of their checks. `unknown` are the
    ids, by key, that never made all of theirs, first what broke off.
    """

    usual: Usual
    makers: Mapping[Kind, Mapping[str, Collection[str]]]
    most: Mapping[Kind, int]
    always: Collection[Kind]
    unknown: Mapping[str, Sequence[str]]
    whole: bool


def _of_tests(held: Iterable[Attempt]) -> _Level:
    """What attempts of the same set have, or those of the same test with other parameters."""
    groups = _grouped(held, _tests_of)

    @cache
    def tests(key: tuple[str, str]) -> _Tests | None:
        return _tests(groups[key]) if key in groups else None

    def found(one: Attempt) -> _Found:
        own = tests(_tests_of(one))
        if own is None:
            return _NOBODY
        return _Found({kind: n for kind, n in own.usual.items() if _may_make(one, kind, own)}, own.whole)

    return found


def _may_make(one: Attempt, kind: Kind, tests: _Tests) -> bool:
    """Whether the test of this attempt may be one that makes the check.

    Where as many tests as ever made it in one scenario have made it in this one, and some never make it,
    another does not.
    """
    makers = tests.makers[kind].get(one.key, ())
    if one.id in makers or kind in tests.always:
        return True
    waiting = [id_ for id_ in tests.unknown.get(one.key, ()) if id_ not in makers]
    place = waiting.index(one.id) if one.id in waiting else 0
    return place < tests.most[kind] - len(makers)


def _tests(group: Sequence[Attempt]) -> _Tests:
    counted = [one for one in group if one.counted]
    ids, shown = _ids(group), _ids(filter(_shows_all, counted))
    makers: dict[Kind, dict[str, set[str]]] = {}
    for one in counted:
        for kind in kinds_of(one):
            makers.setdefault(kind, {}).setdefault(one.key, set()).add(one.id)
    stopped = {one.id for one in counted if ended_at_a_check(one)}
    stopped -= {one.id for one in group if not one.counted or cut_short(one)}
    return _Tests(
        usual={**_means(counted), **_means([one for one in counted if not cut_short(one)])},
        makers=makers,
        most={kind: _most(by_key) for kind, by_key in makers.items()},
        always={
            kind
            for kind, by_key in makers.items()
            if all(own <= by_key.get(key, set()) for key, own in shown.items())
        },
        unknown={
            key: sorted(own - shown.get(key, set()), key=lambda id_: (id_ in stopped, id_))
            for key, own in ids.items()
        },
        whole=_most(shown) == _most(ids),
    )


def _ids(attempts: Iterable[Attempt]) -> dict[str, set[str]]:
    """The ids of each key."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for one in attempts:
        found[one.key].add(one.id)
    return found


def _most(ids: Mapping[str, Collection[str]]) -> int:
    """How many ids the key has that has the most."""
    return max(map(len, ids.values()), default=0)


def _tests_of(attempt: Attempt) -> tuple[str, str]:
    """The set, else the test without its parameters and scenario."""
    if attempt.set_name:
        return attempt.set_name, ""
    suite, separator, rest = attempt.key.partition("::")
    if separator:
        return "", f"{suite}::{rest.partition('@')[0].partition('[')[0]}"
    return "", suite.partition("[")[0] if suite.endswith("]") else suite


def _file_of(attempt: Attempt) -> str:
    suite, separator, _ = attempt.key.partition("::")
    return suite if separator else ""


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
