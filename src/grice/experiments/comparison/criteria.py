"""Which criteria two experiments share, and whether these are still the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from grice.experiments.comparison.configuration import Configuration, Criteria
from grice.experiments.comparison.counting import count_of
from grice.experiments.comparison.judged import Judged, judged_otherwise
from grice.experiments.comparison.pairing import Pair
from grice.experiments.comparison.records import Aspect

__all__ = ["CriteriaChanges", "criteria_aspects", "criteria_changes", "listed"]

_SHOWN = 5
_MODIFIED = "Criteria modified"
_GIVE = "give them to start_experiment(criteria=...)"
_DECLARE = "declare them in the settings or with the marker"


@dataclass(frozen=True)
class CriteriaChanges:
    """Names of criteria that checks of either side used, each list sorted.

    `changed` are those with another fingerprint, `unknown` those on both sides of which one side does not
    tell it. `mixed` are those of which judges were asked another text in a few scenarios, as in `polite in 2
    of 40 scenarios`.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    mixed: tuple[str, ...] = ()

    @property
    def left_out(self) -> frozenset[str]:
        """Those that cannot be compared."""
        return frozenset({*self.added, *self.removed, *self.changed})


def criteria_changes(
    before: Configuration, after: Configuration, pairs: Sequence[Pair] = ()
) -> CriteriaChanges:
    """What became of the criteria that were used; see CriteriaChanges.

    A criterion may have several texts in one experiment, the same on both sides. So what judges were asked is
    compared scenario by scenario.
    """
    old, new = before.criteria, after.criteria
    used = sorted(old.used | new.used)
    both = [name for name in used if name in old.names and name in new.names]
    told = [name for name in both if name in old.fingerprints and name in new.fingerprints]
    asked = judged_otherwise(pairs, lambda how: how.fingerprint, lambda how: how.fingerprint)
    other = {name for name in told if _differs(name, old, new, asked.get(name))}
    mixed = {name: one for name in told if (one := asked.get(name)) and one.other and name not in other}
    return CriteriaChanges(
        added=tuple(name for name in used if name not in old.names),
        removed=tuple(name for name in used if name not in new.names),
        changed=tuple(name for name in told if name in other),
        unknown=tuple(name for name in both if name not in told and name in old.own | new.own),
        mixed=tuple(
            f"{name} in {one.other} of {count_of(one.compared, 'scenario')}" for name, one in mixed.items()
        ),
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


def criteria_aspects(
    before: Configuration, after: Configuration, changes: CriteriaChanges
) -> Iterator[Aspect]:
    """The grade of each way in which criteria differ.

    A criterion that is only added or removed is flagged. One that changed weakens, and so does any of them
    that decides completion, being asked in a hard check.
    """
    own = before.criteria.own | after.criteria.own
    deciding = before.criteria.deciding | after.criteria.deciding
    only_both = "only what both have is compared"
    found = [
        _aspect("Criteria added", only_both, changes.added, deciding, own),
        _aspect("Criteria removed", only_both, changes.removed, deciding, own),
        _aspect(
            "Criteria modified", "not the same question, so not compared", changes.changed, deciding, own
        ),
    ]
    aspects = [one for one in found if one is not None]
    if changes.unknown:
        reason = f"cannot be told whether they are the same: {listed(changes.unknown)}"
        advice = _how_to_tell(changes.unknown, before, after)
        aspects.append(Aspect("Criteria", "flagged", f"{reason}; {advice}"))
    if changes.mixed:
        reason = f"judges were asked another text: {listed(changes.mixed)}"
        aspects.append(Aspect("Criteria", "flagged", reason))
    if not aspects:
        aspects.append(
            Aspect("Criteria", "same", _identical(before.criteria.used | after.criteria.used, own))
        )
    yield from aspects


def _aspect(
    name: str, what: str, names: Iterable[str], deciding: frozenset[str], own: frozenset[str]
) -> Aspect | None:
    """None where no criterion is named. Those that were changed weaken, as do those that decide."""
    every = frozenset(names)
    if not every:
        return None
    hard = every & deciding
    reason = f"{_listed_own(every, own)}: {what}"
    if hard:
        reason += f"; completion is not like for like: {_listed_own(hard, own)} decides it"
    weakens = hard or name == _MODIFIED
    return Aspect(name, "weakens" if weakens else "flagged", reason)


def _how_to_tell(unknown: Iterable[str], before: Configuration, after: Configuration) -> str:
    """How the experiments that do not know these criteria would."""
    sides = [one for one in (before, after) if not one.criteria.fingerprints.keys() >= set(unknown)]
    ways = {_GIVE if one.recorded else _DECLARE for one in sides}
    return ", or ".join(way for way in (_GIVE, _DECLARE) if way in ways)


def _identical(used: frozenset[str], own: frozenset[str]) -> str:
    """Of parts of Grice's own checks only the names are known, and which versions of prompts were used."""
    parts = _parts(used - own)
    if not parts:
        return "identical" if used else "none on either side"
    by_name = f"{parts}, by name"
    return f"identical, and {by_name}" if used & own else by_name


def _listed_own(names: frozenset[str], own: frozenset[str]) -> str:
    """Criteria by name; parts of Grice's own checks, which may be many, by their number."""
    told = [listed(names & own) if names & own else "", _parts(names - own)]
    return " and ".join(one for one in told if one)


def _parts(names: frozenset[str]) -> str:
    return f"{len(names)} part{'' if len(names) == 1 else 's'} of Grice's own checks" if names else ""


def listed(values: Iterable[str]) -> str:
    """`a, b, c`, sorted, the first of many; `not recorded` for none."""
    every = sorted(values)
    shown = ", ".join(every[:_SHOWN]) or "not recorded"
    return f"{shown} and {len(every) - _SHOWN} more" if len(every) > _SHOWN else shown
