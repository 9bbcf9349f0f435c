"""Which criteria two experiments share, and whether these are still the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grice.experiments.comparison.configuration import Configuration, Criteria, JudgedBy, judged_by
from grice.experiments.comparison.counting import OTHER_NUMBERS
from grice.experiments.comparison.pairing import Pair

__all__ = ["CriteriaChanges", "Judged", "criteria_changes", "judged_otherwise"]


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
    """By what was judged: a criterion, else a matcher. Only what both sides of a scenario have counts."""
    found: dict[str, Judged] = {}
    for pair in pairs:
        old, new = judged_by(pair.baseline, before), judged_by(pair.current, after)
        for subject in sorted(old.keys() & new.keys()):
            told = found.setdefault(subject, Judged())
            told.compared += 1
            if any("" in way for way in old[subject] | new[subject]):
                told.unknown += 1
            else:
                told.other += old[subject] != new[subject]
    return found


@dataclass(frozen=True)
class CriteriaChanges:
    """Names of criteria that checks of either side used, each list sorted.

    `changed` are those with another fingerprint, `unknown` those of which one side alone tells it. `mixed`
    are those of which judges were asked another text in a few scenarios.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    unknown: tuple[str, ...]
    mixed: dict[str, Judged]

    @property
    def left_out(self) -> frozenset[str]:
        """Those that cannot be compared."""
        return frozenset({*self.added, *self.removed, *self.changed})


def criteria_changes(before: Configuration, after: Configuration, pairs: Sequence[Pair]) -> CriteriaChanges:
    """What became of the criteria that were used.

    A criterion may have several texts in one experiment, the same on both sides. So what judges were asked is
    compared scenario by scenario.
    """
    old, new = before.criteria, after.criteria
    used = sorted(old.used | new.used)
    added = tuple(name for name in used if name not in old.used | old.fingerprints.keys())
    removed = tuple(name for name in used if name not in new.used | new.fingerprints.keys())
    both = [name for name in used if name not in added and name not in removed]
    told = [name for name in both if name in old.fingerprints and name in new.fingerprints]
    asked = judged_otherwise(pairs, lambda how: how.fingerprint, lambda how: how.fingerprint)
    changed = tuple(name for name in told if _differs(name, old, new, asked.get(name)))
    return CriteriaChanges(
        added,
        removed,
        changed,
        tuple(name for name in both if (name in old.fingerprints) is not (name in new.fingerprints)),
        {name: asked[name] for name in told if name in asked and asked[name].other and name not in changed},
    )


def _differs(name: str, old: Criteria, new: Criteria, asked: Judged | None) -> bool:
    """Whether it is another criterion.

    Where each side declares one text, these say so; else what judges were asked in the scenarios of both.
    Without that it is the same where one side has all texts of the other, and some modules more.
    """
    declared = old.declared.get(name, frozenset()), new.declared.get(name, frozenset())
    if len(declared[0]) == len(declared[1]) == 1 and declared[0] != declared[1]:
        return True
    if asked is not None:
        return asked.mostly_other
    before, after = old.fingerprints[name], new.fingerprints[name]
    return not (before <= after or after <= before)
