"""Whether quality follows from the same soft checks on both sides.

Criteria that only one side has, or that changed, are told elsewhere, and so is what is hard on the other
side. Soft checks end no test, but a hard one beside them may: so they are compared as hard ones are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial

from grice.experiments.aggregation.matcher_use import python_matcher
from grice.experiments.attempts import Attempt
from grice.experiments.comparison.asking import OTHER_NUMBERS, Asking, asking_of
from grice.experiments.comparison.check_kinds import (
    CheckKind,
    kinds_of,
    leans,
    made_in,
    named_kinds,
    numbers_of,
)
from grice.experiments.comparison.criteria import listed
from grice.experiments.comparison.pairing import Pair
from grice.experiments.comparison.records import Aspect, Grade

__all__ = ["soft_check_aspect"]

_NAME = "Soft checks"

_Told = tuple[Grade, str]


def soft_check_aspect(
    before: Iterable[Attempt],
    after: Iterable[Attempt],
    pairs: Sequence[Pair],
    left_out: frozenset[str] = frozenset(),
) -> Aspect:
    """The grade of how soft checks differ, criteria that are left out aside: flagged, or expected if few."""
    old, new = list(before), list(after)
    soft = [kinds_of(side, "soft") for side in (old, new)]
    hard = [kinds_of(side, "hard") for side in (old, new)]
    if not any(soft):
        return Aspect(_NAME, "same", "none on either side")
    kinds = [{kind for kind in side if kind.criterion not in left_out} for side in soft]
    if not any(kinds):
        return Aspect(_NAME, "same", "none beside the criteria that differ")
    alone = {"baseline": kinds[0] - soft[1] - hard[1], "current": kinds[1] - soft[0] - hard[0]}
    both = kinds[0] & kinds[1]
    told = [
        *_on_one_side("baseline", alone["baseline"], [one.baseline for one in pairs]),
        *_on_one_side("current", alone["current"], [one.current for one in pairs]),
        *_not_as_many(both, pairs),
        *_asking_otherwise({kind.name for kind in both}, pairs),
    ]
    if not told:
        return Aspect(_NAME, "same", "the same")
    worst: Grade = "flagged" if any(grade == "flagged" for grade, _ in told) else "expected"
    return Aspect(_NAME, worst, "; ".join(reason for _, reason in told))


def _on_one_side(
    word: str, kinds: Collection[CheckKind], sides: Sequence[Sequence[Attempt]]
) -> Iterator[_Told]:
    if kinds:
        made = max(sum(made_in(kind, side, "soft") for side in sides) for kind in kinds)
        yield _grade(made, len(sides)), f"only in the {word}: {named_kinds(kinds)}"


def _not_as_many(kinds: Iterable[CheckKind], pairs: Sequence[Pair]) -> Iterator[_Told]:
    """Kinds that one side makes more often."""
    numbers = numbers_of(kinds, pairs, "soft")
    lean = {kind for kind, one in numbers.items() if leans(one.more, one.fewer, one.compared)}
    if lean:
        yield "flagged", f"not as many in each scenario: {named_kinds(lean)}"


def _asking_otherwise(names: Iterable[str], pairs: Sequence[Pair]) -> Iterator[_Told]:
    """Of kinds with these names, which both sides have: whether they asked for something else."""
    other: dict[str, tuple[int, int]] = {}
    unknown: set[str] = set()
    for name in sorted(names):
        found = asking_of(pairs, partial(_asked, name))
        if found.other:
            other[name] = found.other, found.compared
        elif _is_unknown(found, len(pairs)):
            unknown.add(name)
    if other:
        grades = {_grade(*counts) for counts in other.values()}
        told = (f"{python_matcher(name)} (in {count} of {of})" for name, (count, of) in other.items())
        reason = f"they ask for something else in scenarios that passed in both: {listed(told)}"
        yield "flagged" if "flagged" in grades else "expected", reason
    if unknown:
        yield "flagged", f"what they ask for cannot be compared: {listed(map(python_matcher, unknown))}"


def _is_unknown(found: Asking, pairs: int) -> bool:
    """Whether next to nothing is known of a check that both sides made in more than a few scenarios."""
    known = found.known > 0 and found.known >= OTHER_NUMBERS * found.asked
    return not known and found.asked > OTHER_NUMBERS * pairs


def _asked(name: str, attempt: Attempt) -> str:
    return attempt.asks.get(name, "")


def _grade(count: int, of: int) -> Grade:
    return "flagged" if count > OTHER_NUMBERS * of else "expected"
