"""In which scenarios something was judged otherwise on one side: other model, prompt or text, or no judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from grice.experiments.asked import IN_PARTS, Judging
from grice.experiments.attempts import Attempt
from grice.experiments.comparison.asking import OTHER_NUMBERS
from grice.experiments.comparison.pairing import Pair

__all__ = ["Judged", "JudgedBy", "judged_by", "judged_otherwise"]

JudgedBy = Callable[[Judging], str]
"""What is looked at: the model, the prompt or the fingerprint; "" where it was not recorded."""

_NOBODY: frozenset[str] = frozenset()

_Ways = Counter[frozenset[str]]
"""How many attempts were judged in each way; by nobody where that is empty."""


@dataclass
class Judged:
    """In how many scenarios both sides were judged, in how many otherwise, in how many nobody can tell.

    `by_nobody` are those of the others in which some verdicts are from no judge.
    """

    compared: int = 0
    other: int = 0
    unknown: int = 0
    by_nobody: int = 0

    @property
    def mostly_other(self) -> bool:
        """Whether more scenarios were judged otherwise than may be told only."""
        return self.other > OTHER_NUMBERS * self.compared


def judged_otherwise(
    pairs: Iterable[Pair], before: JudgedBy, after: JudgedBy, *, by_nobody: bool = False
) -> dict[str, Judged]:
    """By what was judged: a criterion, else a matcher. Only what both sides of a scenario have is compared.

    `before` and `after` read the judgings of the two sides. With `by_nobody`, verdicts on a criterion that
    no judge gave are held against those of judges.
    """
    found: dict[str, Judged] = {}
    for pair in pairs:
        old, new = judged_by(pair.baseline, before), judged_by(pair.current, after)
        if by_nobody:
            judged = old.keys() | new.keys()
            old, new = _with_nobody(old, pair.baseline, judged), _with_nobody(new, pair.current, judged)
        for subject in sorted(old.keys() & new.keys()):
            told = found.setdefault(subject, Judged())
            told.compared += 1
            told.unknown += any("" in way for way in (*old[subject], *new[subject]))
            other = _distance(old[subject], new[subject]) > OTHER_NUMBERS
            told.other += other
            told.by_nobody += other and (_NOBODY in old[subject] or _NOBODY in new[subject])
    return found


def judged_by(attempts: Iterable[Attempt], read: JudgedBy) -> Mapping[str, _Ways]:
    """How attempts were judged, by what was judged."""
    found: dict[str, _Ways] = {}
    for one in attempts:
        ways: dict[str, set[str]] = {}
        for how in one.judged:
            ways.setdefault(how.subject, set()).add(read(how))
        for subject, way in ways.items():
            found.setdefault(subject, Counter())[frozenset(way)] += 1
    return found


def _with_nobody(
    judged: Mapping[str, _Ways], attempts: Iterable[Attempt], subjects: Collection[str]
) -> Mapping[str, _Ways]:
    """With the attempts that have an answer of a criterion, of these subjects, from no judge.

    Matchers, and the rows of bundles, may have an answer without asking one.
    """
    found = {subject: Counter(ways) for subject, ways in judged.items()}
    for one in attempts:
        answered = {
            row.criterion
            for row in one.checks
            if row.outcome in ("pass", "fail") and not row.bundle and row.matcher not in IN_PARTS
        }
        for subject in answered.intersection(subjects) - {how.subject for how in one.judged}:
            found.setdefault(subject, Counter())[_NOBODY] += 1
    return found


def _distance(before: _Ways, after: _Ways) -> float:
    """The share of attempts that were judged otherwise, among those of which it is known."""
    old, new = ({way: n for way, n in side.items() if "" not in way} for side in (before, after))
    if not old or not new:
        return 0.0
    whole = sum(old.values()), sum(new.values())
    return (
        sum(abs(old.get(way, 0) / whole[0] - new.get(way, 0) / whole[1]) for way in old.keys() | new.keys())
        / 2
    )
