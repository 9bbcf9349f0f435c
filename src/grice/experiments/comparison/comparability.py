"""Whether two experiments can be compared: one grade for each aspect in which they may differ.

The level follows from the worst grade: `forbids` INVALID, `weakens` LOW, `flagged` MEDIUM, else HIGH. A
difference that is expected (`expected`), as another agent is, lowers nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.completeness import FEW_MISSING, completeness_aspects
from grice.experiments.comparison.configuration import Configuration, configuration_of
from grice.experiments.comparison.counting import count_of
from grice.experiments.comparison.criteria import CriteriaChanges, criteria_aspects, criteria_changes, listed
from grice.experiments.comparison.hard_checks import hard_check_aspect
from grice.experiments.comparison.judges import judge_aspects
from grice.experiments.comparison.pairing import Paired
from grice.experiments.comparison.records import Aspect, Comparability, Grade, Level
from grice.experiments.comparison.scenario_data import scenario_data_aspect
from grice.experiments.comparison.soft_checks import soft_check_aspect
from grice.experiments.comparison.topic_graphs import graph_aspect
from grice.experiments.results import ExperimentResults

__all__ = ["FLAGGED_OVERLAP", "WEAK_OVERLAP", "assess", "level_of"]

WEAK_OVERLAP = 0.5
"""Sharing under this part of the scenarios of either side weakens a comparison."""

FLAGGED_OVERLAP = 0.8
"""Sharing under this part of them is flagged."""

_LEVELS: tuple[tuple[Grade, Level], ...] = (("forbids", "INVALID"), ("weakens", "LOW"), ("flagged", "MEDIUM"))


def assess(
    baseline: ExperimentResults, current: ExperimentResults, paired: Paired
) -> tuple[Comparability, CriteriaChanges]:
    """The grade of each aspect, with its reason, and the level that follows; and what became of criteria."""
    shared = frozenset(pair.id for pair in paired.pairs)
    before, after = configuration_of(baseline, shared), configuration_of(current, shared)
    changes = criteria_changes(before, after, paired.pairs)
    sides = _of(baseline.attempts, shared), _of(current.attempts, shared)
    aspects = (
        graph_aspect(before.followed, after.followed),
        *criteria_aspects(before, after, changes),
        hard_check_aspect(*sides, paired.pairs),
        soft_check_aspect(*sides, paired.pairs, changes.left_out),
        _scenarios(baseline, current, paired),
        scenario_data_aspect(paired),
        _agent(before, after),
        *_mixed(before, after),
        *judge_aspects(before, after, paired.pairs),
        *_users(before, after),
        *completeness_aspects(baseline, current, paired),
        _repeats(paired),
        _seed(baseline, current),
        _version(before, after),
        *_code(before, after),
    )
    return Comparability(level_of(aspects), aspects), changes


def _of(attempts: Iterable[Attempt], shared: frozenset[str]) -> list[Attempt]:
    """Those of the shared scenarios; all where none is shared."""
    return [one for one in attempts if not shared or one.id in shared]


def level_of(aspects: Iterable[Aspect]) -> Level:
    """The level that the worst grade of the aspects gives."""
    grades = {one.grade for one in aspects}
    for grade, level in _LEVELS:
        if grade in grades:
            return level
    return "HIGH"


def _scenarios(baseline: ExperimentResults, current: ExperimentResults, paired: Paired) -> Aspect:
    name, shared = "Scenarios", len(paired.pairs)
    if not shared:
        return Aspect(name, "forbids", _why_none(baseline, current, paired))
    added, removed, uncounted = len(paired.added), len(paired.removed), len(paired.uncounted)
    told = [f"{shared} shared"]
    told += [f"{number} {word}" for number, word in ((added, "added"), (removed, "removed")) if number]
    skipped = set(paired.skipped_before) | set(paired.skipped_now)
    neither = set(paired.skipped_before) & set(paired.skipped_now)
    told += _skipped(paired, neither)
    if uncounted > len(skipped):
        told.append(f"{uncounted - len(skipped)} without an attempt that counts on both sides")
    both = shared + uncounted - len(neither)
    least = min(shared / (both + added), shared / (both + removed))
    grade: Grade = "same" if not added and not removed and both == shared else "expected"
    if least < FLAGGED_OVERLAP:
        grade = "weakens" if least < WEAK_OVERLAP else "flagged"
        told.append(f"that is {least:.0%} of one side")
    return Aspect(name, grade, ", ".join(told))


def _skipped(paired: Paired, neither: set[str]) -> Iterator[str]:
    for names, where in (
        (set(paired.skipped_before) - neither, "the baseline only"),
        (set(paired.skipped_now) - neither, "the current only"),
        (neither, "both"),
    ):
        if names:
            yield f"{len(names)} skipped in {where} ({listed(names)})"


def _why_none(baseline: ExperimentResults, current: ExperimentResults, paired: Paired) -> str:
    for word, results in (("baseline", baseline), ("current", current)):
        if not results.attempts:
            return f"none is shared: the {word} experiment has no results"
        if not results.counted:
            return f"none is shared: the {word} experiment has no attempt that counts"
    if paired.uncounted:
        return "none is shared: no scenario has an attempt that counts on both sides"
    others = count_of(len(paired.added), "other")
    told = f"none is shared: {len(paired.removed)} in the baseline, {others} in the current"
    same = {one.key for one in baseline.attempts} & {one.key for one in current.attempts}
    if not same:
        return told
    return f"{told}; {len(same)} have the same name in both, {_ID}"


def _agent(before: Configuration, after: Configuration) -> Aspect:
    changed = []
    if before.agents != after.agents:
        changed.append(f"{listed(before.agents)}, now {listed(after.agents)}")
    if before.commits != after.commits:
        changed.append(f"commit {_commits(before.commits)}, now {_commits(after.commits)}")
    if changed:
        return Aspect("Agent", "expected", "; ".join(changed))
    if not before.commits:
        return Aspect("Agent", "expected", _unknown_change(after.agents))
    if before.dirty or after.dirty:
        return Aspect("Agent", "expected", "the same commit, with changes that are not committed")
    return Aspect("Agent", "same", "the same commit")


def _unknown_change(agents: frozenset[str]) -> str:
    same = f"{listed(agents)} in both" if agents else "nothing was recorded of it"
    return f"{same}; whether its code or prompt changed is not known"


def _mixed(before: Configuration, after: Configuration) -> Iterator[Aspect]:
    """A run that was resumed after something changed is two in one."""
    for word, one in (("baseline", before), ("current", after)):
        if one.several:
            reason = f"the {word} experiment was resumed after changes: {', '.join(one.several)}"
            yield Aspect("One configuration", "weakens", reason)


def _models(name: str, before: frozenset[str], after: frozenset[str]) -> Aspect:
    if not before or not after:
        return Aspect(name, "flagged", "cannot be told: its model was not recorded")
    if before == after:
        return Aspect(name, "same", f"identical: {listed(after)}")
    return Aspect(name, "weakens", f"{listed(before)}, now {listed(after)}")


def _users(before: Configuration, after: Configuration) -> Iterator[Aspect]:
    sides = [one for one in (before, after) if one.users or one.user_hashes]
    if sides and all(one.plays_elsewhere for one in sides):
        yield Aspect("Simulated user", "same", "none in the shared scenarios")
        return
    if before.users or after.users:
        if before.users and after.users:
            yield _models("User LLM", before.users, after.users)
        else:
            yield Aspect("User LLM", "weakens", f"only the {_side(before.users)} has an LLM play the user")
        if before.user_prompts != after.user_prompts:
            different = sorted(before.user_prompts ^ after.user_prompts)
            yield Aspect("User prompts", "weakens", f"only one side has {listed(different)}")
    yield _user_settings(before, after)


def _user_settings(before: Configuration, after: Configuration) -> Aspect:
    name = "Simulated user"
    if before.user_hashes != after.user_hashes:
        if before.user_hashes and after.user_hashes:
            return Aspect(name, "weakens", "other settings, personas, rules or scripts")
        return Aspect(name, "flagged", f"its settings are known of the {_side(before.user_hashes)} only")
    if before.user_hashes:
        return Aspect(name, "same", "identical settings")
    alike = before.graphs == after.graphs and before.criteria.fingerprints == after.criteria.fingerprints
    if before.configs != after.configs and alike:
        return Aspect(name, "flagged", "cannot be told: the configuration differs, and neither says how")
    return Aspect(name, "same", "no settings on either side")


def _repeats(paired: Paired) -> Aspect:
    """Attempts that do not count are among them: how many of these there are is told elsewhere."""
    name = "Repeats"
    before = [len(pair.baseline) + pair.lost_before for pair in paired.pairs]
    after = [len(pair.current) + pair.lost_now for pair in paired.pairs]
    if not paired.pairs:
        return Aspect(name, "same", "nothing is shared")
    unequal = sum(old != new for old, new in zip(before, after, strict=True))
    if not unequal:
        return Aspect(name, "same", _times(after))
    told = _times(before) if max(before) == max(after) else f"{_times(before)}, now {_times(after)}"
    if len(set(before)) > 1 or len(set(after)) > 1:
        told += f"; {unequal} of {count_of(len(after), 'scenario')} more often on one side"
    return Aspect(name, "flagged" if unequal > FEW_MISSING * len(after) else "expected", told)


def _times(attempts: Sequence[int]) -> str:
    if max(attempts) == 1:
        return "each scenario once"
    return f"{'' if len(set(attempts)) == 1 else 'up to '}{max(attempts)} attempts a scenario"


def _seed(baseline: ExperimentResults, current: ExperimentResults) -> Aspect:
    before, after = baseline.experiment.seed, current.experiment.seed
    if before == after:
        return Aspect("Seed", "same", "none" if after is None else f"{after}")
    return Aspect("Seed", "expected", f"{_or_none(before)}, now {_or_none(after)}")


def _version(before: Configuration, after: Configuration) -> Aspect:
    if before.versions == after.versions:
        return Aspect("Grice version", "same", listed(after.versions))
    return Aspect("Grice version", "flagged", f"{listed(before.versions)}, now {listed(after.versions)}")


def _code(before: Configuration, after: Configuration) -> Iterator[Aspect]:
    if before.dirty or after.dirty:
        sides = " and the ".join(
            word for word, one in (("baseline", before), ("current", after)) if one.dirty
        )
        reason = f"changes that are in no commit, in the {sides} experiment"
        yield Aspect("Working copy", "expected", reason)
    names = sorted(before.opaque | after.opaque)
    if names:
        reason = f"known by its own source only, not by what it calls: {listed(names)}"
        yield Aspect("Code in the configuration", "expected", reason)


def _side(known: frozenset[str]) -> str:
    """The side that has something, given that of the baseline."""
    return "baseline" if known else "current"


def _commits(commits: Iterable[str]) -> str:
    return listed(one[:_SHORT] for one in commits)


def _or_none(seed: int | None) -> str:
    return "none" if seed is None else str(seed)


_SHORT = 9
_ID = (
    "but an id is made of the file (or `suite`), the test and the scenario: "
    "was one of these moved or renamed?"
)
