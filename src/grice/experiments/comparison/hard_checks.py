"""Whether completion follows from the same hard checks on both sides.

Which kinds of checks there were is compared over all attempts of shared scenarios. A hard check that fails
may end its test, so how often each was made is compared in attempts that passed in as many turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.asking import OTHER_NUMBERS, asking_of
from grice.experiments.comparison.body_code import count_other_code
from grice.experiments.comparison.check_kinds import (
    FEWEST,
    CheckKind,
    kinds_of,
    leans,
    made_in,
    named_kinds,
    numbers_of,
)
from grice.experiments.comparison.pairing import Pair
from grice.experiments.comparison.records import Aspect, Grade

__all__ = ["hard_check_aspect"]

_NAME = "Hard checks"
_GRADES: tuple[Grade, ...] = ("weakens", "flagged", "expected", "same")
"""From the worst on."""

_Told = tuple[Grade, str]
_Kinds = frozenset[CheckKind]


def hard_check_aspect(before: Iterable[Attempt], after: Iterable[Attempt], pairs: Sequence[Pair]) -> Aspect:
    """The grade of how hard checks differ.

    What lets more pass, and the agent be no better, weakens: a check that is soft on the other side, one that
    the current side dropped, attempts that pass without any. Others are flagged.
    """
    old, new = list(before), list(after)
    kinds = kinds_of(old, "hard"), kinds_of(new, "hard")
    told = list(_kinds_told(*kinds, old, new, pairs))
    for more in (_left_out, _without):
        told += [] if any(grade == "weakens" for grade, _ in told) else more(pairs, kinds[0] & kinds[1])
    told += [*_bodies(pairs), *_other_code(pairs)]
    asked = any(one.demands for one in chain(old, new))
    if not any(kinds) and not asked and not told:
        return Aspect(_NAME, "same", "none on either side")
    if all(grade == "expected" for grade, _ in told) and (asked or any(kinds)):
        told.append(_what_they_ask(pairs))
    return _joined(told)


def _joined(told: Sequence[_Told]) -> Aspect:
    """The worst grade with all reasons; what is the same is told only by itself."""
    grades = {grade for grade, _ in told}
    worst: Grade = next(grade for grade in _GRADES if grade in grades)
    reasons = [reason for grade, reason in told if grade != "same" or worst == "same"]
    if worst == "weakens":
        reasons.append("completion is not like for like")
    return Aspect(_NAME, worst, "; ".join(reasons))


def _kinds_told(
    old: _Kinds, new: _Kinds, before: Sequence[Attempt], after: Sequence[Attempt], pairs: Sequence[Pair]
) -> Iterator[_Told]:
    """What became of kinds of checks: those that became soft, are on one side only, or not made as often."""
    soft = kinds_of(before, "soft"), kinds_of(after, "soft")
    numbers = numbers_of(old & new, pairs, "hard")
    other = {kind for kind, one in numbers.items() if one.differ > OTHER_NUMBERS * one.compared}
    lean = {kind for kind, one in numbers.items() if leans(one.more, one.fewer, one.compared)}
    moved: set[CheckKind] = set()
    for word, one, two, soft_one, soft_two in (
        ("baseline", old, new, soft[0], soft[1]),
        ("current", new, old, soft[1], soft[0]),
    ):
        softened = {kind for kind in one - two if kind in soft_two}
        softened |= {kind for kind in other if kind in soft_two - soft_one}
        if softened:
            yield "weakens", f"{named_kinds(softened)}: hard in the {word}, soft in the other"
        only = one - two - softened
        if only:
            grade: Grade = "weakens" if word == "baseline" and _are_dropped(only, pairs) else "flagged"
            yield grade, f"only in the {word}: {named_kinds(only)}"
        moved |= softened
    if lean - moved:
        yield "flagged", f"not as many in each scenario: {named_kinds(lean - moved)}"


def _are_dropped(kinds: Iterable[CheckKind], pairs: Sequence[Pair]) -> bool:
    """Whether the current side passes without one of them, in enough of the scenarios.

    One that fails before it comes to a check has not dropped it. In few scenarios a check that is made only
    where the agent gives reason to may be missing by chance.
    """
    passed = [pair for pair in pairs if any(one.passed for one in pair.current)]
    for kind in kinds:
        without = sum(made_in(kind, pair.baseline, "hard") for pair in passed)
        if without >= FEWEST and without > OTHER_NUMBERS * len(pairs):
            return True
    return False


def _left_out(pairs: Sequence[Pair], kinds: _Kinds) -> Iterator[_Told]:
    """Kinds of checks without which one side passes where the other made them, more often than by chance."""
    before = Counter(chain.from_iterable(_passed_without(one.baseline, one.current) for one in pairs))
    after = Counter(chain.from_iterable(_passed_without(one.current, one.baseline) for one in pairs))
    for word, here, there in (("baseline", before, after), ("current", after, before)):
        lean = {one for one in kinds if here[one] > there[one] and leans(here[one], there[one], len(pairs))}
        if lean:
            told = f"passed in the {word} without {named_kinds(lean)}, which the other made"
            yield "weakens", f"{told}: {_of(max(here[kind] for kind in lean), pairs)}"


def _passed_without(here: Sequence[Attempt], there: Sequence[Attempt]) -> _Kinds:
    """The kinds of hard checks that no attempt here which passed made, and the other side did."""
    passed = [one for one in here if one.passed]
    return kinds_of(there, "hard") - kinds_of(passed, "hard") if passed else frozenset()


def _without(pairs: Sequence[Pair], kinds: _Kinds) -> Iterator[_Told]:
    """Scenarios in which one side passes without a hard check more often than the other.

    Only checks of kinds that both sides make somewhere: the others are told as added or dropped.
    """
    for word, side, other in (
        ("baseline", [one.baseline for one in pairs], [one.current for one in pairs]),
        ("current", [one.current for one in pairs], [one.baseline for one in pairs]),
    ):
        count = sum(
            _unheld(here) > _unheld(there) and not kinds.isdisjoint(kinds_of(there, "hard"))
            for here, there in zip(side, other, strict=True)
        )
        if count:
            grade: Grade = "weakens" if count > OTHER_NUMBERS * len(pairs) else "flagged"
            yield grade, f"passed in the {word} without a hard check that the other made: {_of(count, pairs)}"


def _unheld(attempts: Sequence[Attempt]) -> float:
    """The share of attempts that passed although no hard check was made."""
    return sum(one.passed and not kinds_of([one], "hard") for one in attempts) / len(attempts)


def _bodies(pairs: Sequence[Pair]) -> Iterator[_Told]:
    """Scenarios whose outcome hangs on assertions of which nothing is known, not even their code."""
    count = sum(any(map(_is_unknown, (*pair.baseline, *pair.current))) for pair in pairs)
    if count:
        grade: Grade = "flagged" if count > OTHER_NUMBERS * len(pairs) else "expected"
        yield grade, f"assertions in test bodies cannot be compared: {_of(count, pairs)}"


def _other_code(pairs: Sequence[Pair]) -> Iterator[_Told]:
    """Scenarios whose tests assert something, and have other code: checks of Grice may hide the assertion."""
    count = count_other_code(pairs)
    if count:
        grade: Grade = "flagged" if count > OTHER_NUMBERS * len(pairs) else "expected"
        yield grade, f"the test's code differs in {_of(count, pairs)}"


def _is_unknown(attempt: Attempt) -> bool:
    word = any(row.mode == "hard" and row.outcome == "pass" for row in attempt.checks)
    return attempt.passed and word and not attempt.demands and not kinds_of([attempt], "hard")


def _of(count: int, pairs: Sequence[Pair]) -> str:
    return f"{count} of {len(pairs)} scenarios"


def _what_they_ask(pairs: Sequence[Pair]) -> _Told:
    found = asking_of(map(_of_the_same_kinds, pairs), lambda one: one.demands)
    if found.other:
        reason = (
            f"they ask for something else in {found.other} of {found.compared} scenarios that passed in both"
        )
        return "flagged" if found.other > OTHER_NUMBERS * found.compared else "expected", reason
    if not found.known:
        return "flagged", "the same kinds; what they ask for cannot be compared"
    if found.known < OTHER_NUMBERS * found.asked:
        return (
            "flagged",
            f"the same kinds; what they ask for can be compared in {_of(found.known, pairs)} only",
        )
    bare = any(one.bare for pair in pairs for one in (*pair.baseline, *pair.current))
    return "same", "the same, assertions by the source of their tests" if bare else "the same"


def _of_the_same_kinds(pair: Pair) -> Pair:
    """Without attempts that passed by kinds of checks by which none of the other side passed.

    These ask for something else of course, and that they made other kinds is told by itself. Where one side
    never passed, all are left.
    """
    sides = pair.baseline, pair.current
    before, after = ({kinds_of([one], "hard") for one in side if one.passed} for side in sides)
    if not before or not after:
        return pair
    left = [
        tuple(one for one in side if not one.passed or kinds_of([one], "hard") in before & after)
        for side in sides
    ]
    return replace(pair, baseline=left[0], current=left[1])
