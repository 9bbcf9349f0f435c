"""Whether both sides made the same checks, and asked the same by them.

A hard check that became weaker makes more scenarios pass, and the agent no better. One that fails may end its
test, so only attempts that passed tell which checks a side does without, and what it asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from grice.experiments.aggregation.matcher_use import python_matcher
from grice.experiments.attempts import Attempt
from grice.experiments.comparison.pairing import Pair
from grice.experiments.comparison.records import Grade
from grice.experiments.comparison.side_texts import OTHER_NUMBERS, listed

Told = tuple[Grade, str]
"""A grade, and why in words."""

FEWEST = 6
"""Scenarios that have to differ the same way: in fewer that is often chance."""

_FAR = 3.0
"""By how many standard errors one way has to lead where some differ the other way."""


_SIDES = ("baseline", "current")


class CheckKind(NamedTuple):
    """A matcher, else a criterion without one, with the bundle that made it, and whether it was negated."""

    name: str
    bundle: str
    negated: bool


_Kinds = frozenset[CheckKind]


def hard_checks(pairs: Sequence[Pair]) -> Iterator[Told]:
    """What completion rests on: which kinds of hard checks there are, and what they ask for."""
    old, new = _kinds_of_sides(pairs, "hard")
    soft = _kinds_of_sides(pairs, "soft")
    told: set[CheckKind] = set()
    if softened := ((old - new) & soft[1]) | ((new - old) & soft[0]):
        told |= softened
        yield "weakens", f"hard on one side, soft on the other: {_named(softened)}"
    dropped = _done_without(pairs, [(one.current, one.baseline) for one in pairs])
    added = _done_without(pairs, [(one.baseline, one.current) for one in pairs])
    grades: tuple[Grade, Grade] = ("weakens", "flagged")
    for grade, found, here, there in zip(grades, (dropped, added), reversed(_SIDES), _SIDES, strict=True):
        if kinds := found.keys() - told:
            told |= kinds
            where = f"{max(found[kind] for kind in kinds)} of {len(pairs)} scenarios"
            yield grade, f"passed in the {here} without {_named(kinds)}, made in the {there}: {where}"
    for word, alone in zip(_SIDES, (old - new - told, new - old - told), strict=True):
        if alone:
            told |= alone
            yield "flagged", f"only in the {word}: {_named(alone)}"
    if not told:
        yield from _asked_otherwise("they ask", pairs, lambda one: one.demands)
    yield "same", "the same" if old or new or any(map(_demands, pairs)) else "none on either side"


def soft_checks(pairs: Sequence[Pair], left_out: frozenset[str]) -> Iterator[Told]:
    """Which soft checks were made on both sides, and what these ask for, without criteria that differ."""
    old, new = _kinds_of_sides(pairs, "soft")
    hard = frozenset().union(*_kinds_of_sides(pairs, "hard"))
    alone = old - new - hard, new - old - hard
    for word, kinds in zip(_SIDES, alone, strict=True):
        if kinds:
            made = max(sum(kind in _kinds(side, "soft") for side in _of(word, pairs)) for kind in kinds)
            yield _grade(made, len(pairs)), f"only in the {word}, not compared: {_named(kinds)}"
    asked = [{name for side in _of(word, pairs) for one in side for name in one.asks} for word in _SIDES]
    for name in sorted((asked[0] & asked[1]) - left_out) if not any(alone) else ():
        yield from _asked_otherwise(f"{python_matcher(name)} asks", pairs, partial(_asks, name))
    yield "same", "the same" if old or new else "none on either side"


def own_assertions(pairs: Sequence[Pair]) -> Iterator[Told]:
    """Whether tests that assert something of their own have the same code; checks of Grice may hide it."""
    own = [({one.asserts for one in pair.baseline}, {one.asserts for one in pair.current}) for pair in pairs]
    other = sum(before.isdisjoint(after) for before, after in own)
    unknown = sum(any(map(_is_unknown, (*pair.baseline, *pair.current))) for pair in pairs)
    for count, what in ((other, "another"), (unknown, "not known")):
        if count:
            yield _grade(count, len(pairs)), f"{what} in {count} of {len(pairs)} scenarios"
    if any(mark for sides in own for side in sides for mark in side):
        yield "same", "the same"


def _of(word: str, pairs: Iterable[Pair]) -> list[tuple[Attempt, ...]]:
    return [one.baseline if word == "baseline" else one.current for one in pairs]


def _kinds_of_sides(pairs: Sequence[Pair], mode: str) -> tuple[_Kinds, _Kinds]:
    before, after = (_kinds((one for side in _of(word, pairs) for one in side), mode) for word in _SIDES)
    return before, after


def _kinds(attempts: Iterable[Attempt], mode: str) -> _Kinds:
    """The kinds of checks that were made; what was skipped was not, and an agent that failed is no check."""
    return frozenset(
        CheckKind(row.matcher or row.criterion, row.bundle, row.negated)
        for one in attempts
        for row in one.checks
        if row.mode == mode and row.outcome != "skipped" and (row.matcher or row.criterion)
    )


def _done_without(
    pairs: Sequence[Pair], sides: Iterable[tuple[Sequence[Attempt], Sequence[Attempt]]]
) -> dict[CheckKind, int]:
    """The hard checks that one side passed without where the other made them, with in how many scenarios.

    Whether a check is made may depend on what the agent says: so it differs where nothing changed, but as
    often in both ways. Only what is more than chance is told.
    """
    without, back = Counter[CheckKind](), Counter[CheckKind]()
    for here, there in sides:
        without.update(_passed_without(here, there))
        back.update(_passed_without(there, here))
    return {kind: count for kind, count in without.items() if _leans(count, back[kind], len(pairs))}


def _passed_without(here: Sequence[Attempt], there: Sequence[Attempt]) -> _Kinds:
    passed = [one for one in here if one.passed]
    return _kinds(there, "hard") - _kinds(passed, "hard") if passed else frozenset()


def _leans(one: int, other: int, of: int) -> bool:
    lead = one - other
    if one + other <= OTHER_NUMBERS * of or lead < FEWEST:
        return False
    return not other or lead * lead >= _FAR * _FAR * (one + other)


def _asked_otherwise(what: str, pairs: Sequence[Pair], asked: Callable[[Attempt], str]) -> Iterator[Told]:
    """Where something else was asked of attempts that passed alike: by the same kinds of hard checks, in as
    many turns, with the same data. Scenarios in which nobody can tell are flagged where they are nearly all.
    """
    both = known = compared = other = 0
    for pair in pairs:
        sides = (pair.baseline, pair.current)
        before, after = ({mark for one in side if (mark := asked(one))} for side in sides)
        if before and after:
            old, new = _passed(pair.baseline, asked), _passed(pair.current, asked)
            alike = [old[one] & new[one] for one in old.keys() & new.keys()]
            both += 1
            compared += bool(alike)
            other += bool(alike) and not any(alike)
            known += bool(alike) or not before.isdisjoint(after)
    if other:
        where = f"{other} of {compared} scenarios that passed in both"
        yield _grade(other, compared), f"{what} for something else in {where}"
    elif known < OTHER_NUMBERS * both:
        yield "flagged", f"what {what} for can be compared in {known} of {both} scenarios only"


def _passed(attempts: Iterable[Attempt], asked: Callable[[Attempt], str]) -> dict[object, set[str]]:
    found: dict[object, set[str]] = {}
    for one in attempts:
        if one.passed and (mark := asked(one)):
            found.setdefault((_kinds([one], "hard"), one.turns, one.fingerprint), set()).add(mark)
    return found


def _is_unknown(attempt: Attempt) -> bool:
    return attempt.bare and not attempt.demands


def _asks(name: str, attempt: Attempt) -> str:
    return attempt.asks.get(name, "")


def _demands(pair: Pair) -> bool:
    return any(one.demands for one in (*pair.baseline, *pair.current))


def _grade(count: int, of: int) -> Grade:
    return "flagged" if count > OTHER_NUMBERS * of else "expected"


def _named(kinds: Iterable[CheckKind]) -> str:
    """`call_tool, not contain, polite`."""
    return listed({f"{'not ' if one.negated else ''}{python_matcher(one.name)}" for one in kinds})
