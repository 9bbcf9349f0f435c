"""In which scenarios something was judged otherwise on one side: by another model, prompt or text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from grice.experiments.asked import Judging
from grice.experiments.attempts import Attempt
from grice.experiments.comparison.asking import OTHER_NUMBERS
from grice.experiments.comparison.pairing import Pair

__all__ = ["Judged", "JudgedBy", "judged_by", "judged_otherwise"]

JudgedBy = Callable[[Judging], str]
"""What is looked at: the model, the prompt or the fingerprint; "" where it was not recorded."""

_Ways = Counter[frozenset[str]]
"""How many attempts were judged in each way."""


@dataclass
class Judged:
    """In how many scenarios both sides were judged, in how many otherwise, in how many nobody can tell."""

    compared: int = 0
    other: int = 0
    unknown: int = 0

    @property
    def mostly_other(self) -> bool:
        """Whether more scenarios were judged otherwise than may be told only."""
        return self.other > OTHER_NUMBERS * self.compared


def judged_otherwise(pairs: Iterable[Pair], before: JudgedBy, after: JudgedBy) -> dict[str, Judged]:
    """By what was judged: a criterion, else a matcher. Only what both sides of a scenario have is compared.

    `before` and `after` read the judgings of the two sides.
    """
    found: dict[str, Judged] = {}
    for pair in pairs:
        old, new = judged_by(pair.baseline, before), judged_by(pair.current, after)
        for subject in sorted(old.keys() & new.keys()):
            told = found.setdefault(subject, Judged())
            told.compared += 1
            told.unknown += any("" in way for way in (*old[subject], *new[subject]))
            told.other += _distance(old[subject], new[subject]) > OTHER_NUMBERS
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
