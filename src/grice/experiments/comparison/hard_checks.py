"""Whether completion follows from the same hard checks on both sides.

Which kinds of checks there were is compared over all attempts of shared scenarios. A hard check that fails
may end its test, so how often each was made, and what they asked for, is compared in attempts that passed in
as many turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grice.experiments.aggregation.matcher_use import python_matcher
from grice.experiments.attempts import Attempt
from grice.experiments.comparison.criteria import listed
from grice.experiments.comparison.pairing import Pair
from grice.experiments.comparison.records import Aspect

__all__ = ["OTHER_NUMBERS", "hard_check_aspect"]

OTHER_NUMBERS = 0.1
"""Where in more of the scenarios than this a check was made more often on one side, it is told."""

_NAME = "Hard checks"

_Kind = tuple[str, str, str]
"""The criterion, the matcher and the bundle of a check, each "" where it has none."""


@dataclass(frozen=True)
class _Kinds:
    """Kinds of checks that one side made in each mode. The verdict on an agent that failed is no check."""

    hard: frozenset[_Kind]
    soft: frozenset[_Kind]


def hard_check_aspect(before: Iterable[Attempt], after: Iterable[Attempt], pairs: Sequence[Pair]) -> Aspect:
    """The grade of how hard checks differ: one that is soft on the other side weakens, others are flagged."""
    old, new = _kinds(before), _kinds(after)
    if not old.hard and not new.hard:
        return Aspect(_NAME, "same", "none on either side")
    other = {kind for kind in old.hard & new.hard if _is_other(kind, pairs)}
    told: list[str] = []
    moved: set[_Kind] = set()
    for word, one, two in (("baseline", old, new), ("current", new, old)):
        softened = {kind for kind in one.hard - two.hard if kind in two.soft}
        softened |= {kind for kind in other if kind in two.soft - one.soft}
        if softened:
            told.append(f"{_named(softened)}: hard in the {word}, soft in the other")
        only = one.hard - two.hard - softened
        told += [f"only in the {word}: {_named(only)}"] if only else []
        moved |= softened
    if other - moved:
        told.append(f"not as many in each scenario: {_named(other - moved)}")
    if moved:
        return Aspect(_NAME, "weakens", f"{'; '.join(told)}; completion is not like for like")
    if told:
        return Aspect(_NAME, "flagged", "; ".join(told))
    return _what_they_ask(pairs)


def _what_they_ask(pairs: Iterable[Pair]) -> Aspect:
    compared = [one for pair in pairs if (one := _asks_the_same(pair)) is not None]
    if not compared:
        return Aspect(_NAME, "expected", "the same kinds; what they ask for cannot be compared")
    other = compared.count(False)
    if not other:
        return Aspect(_NAME, "same", "the same")
    reason = f"they ask for something else in {other} of {len(compared)} scenarios that passed in both"
    return Aspect(_NAME, "flagged" if other > OTHER_NUMBERS * len(compared) else "expected", reason)


def _asks_the_same(pair: Pair) -> bool | None:
    """Whether attempts that passed in as many turns were asked the same; None where there are none."""
    before, after = _demands(pair.baseline), _demands(pair.current)
    both = before.keys() & after.keys()
    return any(before[one] & after[one] for one in both) if both else None


def _demands(attempts: Iterable[Attempt]) -> Mapping[tuple[int, str], set[str]]:
    """What was asked of attempts that passed, by their turns and the data of the scenario."""
    found: dict[tuple[int, str], set[str]] = {}
    for one in attempts:
        if one.passed and one.demands:
            found.setdefault((one.turns, one.fingerprint), set()).add(one.demands)
    return found


def _kinds(attempts: Iterable[Attempt]) -> _Kinds:
    rows = {row for one in attempts for row in one.checks if row.matcher or row.criterion}
    hard, soft = (
        frozenset((row.criterion, row.matcher, row.bundle) for row in rows if row.mode == mode)
        for mode in ("hard", "soft")
    )
    return _Kinds(hard, soft)


def _is_other(kind: _Kind, pairs: Iterable[Pair]) -> bool:
    """Whether attempts that passed on both sides, in as many turns, made it more often on one of them."""
    compared = differ = 0
    for pair in pairs:
        before, after = _times(kind, pair.baseline), _times(kind, pair.current)
        if both := before.keys() & after.keys():
            compared += 1
            differ += all(before[turns].isdisjoint(after[turns]) for turns in both)
    return differ > OTHER_NUMBERS * compared


def _times(kind: _Kind, attempts: Iterable[Attempt]) -> Mapping[int, set[int]]:
    """How often attempts that passed made the check, by how many turns they had."""
    found: dict[int, set[int]] = {}
    for one in attempts:
        if one.passed:
            counts = Counter[_Kind]()
            for row in one.checks:
                counts[row.criterion, row.matcher, row.bundle] += row.times if row.mode == "hard" else 0
            found.setdefault(one.turns, set()).add(counts[kind])
    return found


def _named(kinds: Iterable[_Kind]) -> str:
    return listed({criterion or python_matcher(matcher) for criterion, matcher, _ in kinds})
