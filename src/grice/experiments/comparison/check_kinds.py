"""Kinds of checks: which there were on each side, and how often each was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from grice.experiments.aggregation.matcher_use import python_matcher
from grice.experiments.asked import IN_PARTS
from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.asking import OTHER_NUMBERS
from grice.experiments.comparison.criteria import listed
from grice.experiments.comparison.pairing import Pair

__all__ = [
    "FEWEST",
    "CheckKind",
    "Numbers",
    "failed_kinds",
    "kinds_of",
    "leans",
    "made_in",
    "named_kinds",
    "numbers_of",
]


class CheckKind(NamedTuple):
    """The criterion, the matcher and the bundle of a check, each "" where it has none."""

    criterion: str
    matcher: str
    bundle: str = ""
    negated: bool = False

    @property
    def name(self) -> str:
        """What an attempt has the fingerprint of what it asks under."""
        return self.criterion if self.criterion and not self.bundle else self.bundle or self.matcher


@dataclass
class Numbers:
    """In how many scenarios the numbers of a kind of check could be held against each other.

    In `differ` of them no attempt of one side made it as often as one of the other; `more` and `fewer` are
    those in which the current side made it more, or less, often.
    """

    compared: int = 0
    differ: int = 0
    more: int = 0
    fewer: int = 0


FEWEST = 6
"""Scenarios that have to differ, all of them the same way: in fewer that is often chance."""

_FAR = 3.0
"""By how many standard errors one way has to lead where not all differ the same way."""


def leans(one: int, other: int, compared: int) -> bool:
    """Whether more scenarios differ in one way than in the other, by more than chance would have it.

    Whether a check is made may depend on what the agent says, and so differ where nothing changed.
    """
    lean = abs(one - other)
    if one + other <= OTHER_NUMBERS * compared or lean < FEWEST:
        return False
    return lean == compared or lean * lean >= _FAR * _FAR * (one + other)


def kinds_of(attempts: Iterable[Attempt], mode: str) -> frozenset[CheckKind]:
    """The kinds of checks that were made in this mode.

    What was skipped was not made, and the verdict on an agent that failed is no check.
    """
    rows = {row for one in attempts for row in one.checks if row.mode == mode and row.outcome != "skipped"}
    return frozenset(_kind(row) for row in rows if row.matcher or row.criterion)


def failed_kinds(attempts: Iterable[Attempt]) -> frozenset[CheckKind]:
    """The kinds of hard checks that failed."""
    rows = {row for one in attempts for row in one.checks if row.mode == "hard" and row.outcome == "fail"}
    return frozenset(_kind(row) for row in rows if row.matcher or row.criterion)


def made_in(kind: CheckKind, attempts: Iterable[Attempt], mode: str) -> bool:
    """Whether any of the attempts made a check of the kind in this mode."""
    return kind in kinds_of(attempts, mode)


def numbers_of(kinds: Iterable[CheckKind], pairs: Iterable[Pair], mode: str) -> Mapping[CheckKind, Numbers]:
    """How often checks of these kinds were made, in attempts that passed on both sides in as many turns."""
    found = {kind: Numbers() for kind in kinds if kind.matcher not in IN_PARTS}
    for pair in pairs if found else ():
        before, after = _counts(pair.baseline, mode), _counts(pair.current, mode)
        both = before.keys() & after.keys()
        for kind, numbers in found.items() if both else ():
            old, new = ([{one[kind] for one in side[turns]} for turns in both] for side in (before, after))
            numbers.compared += 1
            numbers.differ += all(one.isdisjoint(two) for one, two in zip(old, new, strict=True))
            numbers.more += all(max(one) < min(two) for one, two in zip(old, new, strict=True))
            numbers.fewer += all(min(one) > max(two) for one, two in zip(old, new, strict=True))
    return found


def named_kinds(kinds: Iterable[CheckKind]) -> str:
    """`call_tool, not contain, polite`."""
    return listed(
        {f"{'not ' if one.negated else ''}{one.criterion or python_matcher(one.matcher)}" for one in kinds}
    )


def _kind(row: CheckTally) -> CheckKind:
    """Of a check whose parts may be what the agent said, they are no kinds."""
    criterion = "" if row.matcher in IN_PARTS else row.criterion
    return CheckKind(criterion, row.matcher, row.bundle, row.negated)


def _counts(attempts: Iterable[Attempt], mode: str) -> Mapping[int, list[Counter[CheckKind]]]:
    """How often attempts that passed made checks of each kind, by how many turns they had."""
    found: dict[int, list[Counter[CheckKind]]] = {}
    for one in attempts:
        if one.passed:
            counts = Counter[CheckKind]()
            for row in one.checks:
                if row.mode == mode:
                    counts[_kind(row)] += row.times
            found.setdefault(one.turns, []).append(counts)
    return found
