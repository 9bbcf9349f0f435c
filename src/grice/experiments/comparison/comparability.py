"""Whether two experiments can be compared: one grade for each aspect in which they may differ.

The level follows from the worst grade: `forbids` INVALID, `weakens` LOW, `flagged` MEDIUM, else HIGH. A
difference that is expected (`expected`), as another agent is, lowers nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.checks import Told, hard_checks, own_assertions, soft_checks
from grice.experiments.comparison.configuration import (
    NO_GRAPH,
    Configuration,
    CriteriaChanges,
    Judged,
    configuration_of,
    criteria_changes,
    judged_otherwise,
)
from grice.experiments.comparison.pairing import Paired
from grice.experiments.comparison.records import Aspect, Comparability, Grade, Level
from grice.experiments.comparison.side_texts import OTHER_NUMBERS, listed, of_both
from grice.experiments.judge_requests import Judging
from grice.experiments.results import ExperimentResults
from grice.records import FollowedGraph
from grice.text import plural

WEAK_OVERLAP = 0.5
"""Sharing under this part of the scenarios of either side weakens a comparison."""

FLAGGED_OVERLAP = 0.8
"""Sharing under this part of them is flagged."""

FEW = 0.05
"""What is so in no more than this part of the attempts or scenarios may be an accident."""

_GRADES: tuple[Grade, ...] = ("forbids", "weakens", "flagged", "expected", "same")
"""From the worst on."""

_LEVELS: Mapping[Grade, Level] = {"forbids": "INVALID", "weakens": "LOW", "flagged": "MEDIUM"}


@dataclass(frozen=True)
class Both:
    """What is known of the two experiments."""

    baseline: ExperimentResults
    current: ExperimentResults
    paired: Paired
    before: Configuration
    after: Configuration
    changes: CriteriaChanges

    @property
    def sides(self) -> tuple[tuple[str, ExperimentResults, Configuration], ...]:
        """Each by name."""
        return ("baseline", self.baseline, self.before), ("current", self.current, self.after)

    @property
    def attempts(self) -> Iterator[Attempt]:
        """Those of both that are compared."""
        for pair in self.paired.pairs:
            yield from (*pair.baseline, *pair.current)


Rule = Callable[[Both], Iterable[Told]]
"""What is said of one aspect; nothing where there is nothing to say."""


def assess(
    baseline: ExperimentResults, current: ExperimentResults, paired: Paired
) -> tuple[Comparability, CriteriaChanges]:
    """The grade of each aspect, with its reasons, and the level that follows; and what became of criteria."""
    shared = frozenset(pair.id for pair in paired.pairs)
    before, after = configuration_of(baseline, shared), configuration_of(current, shared)
    both = Both(baseline, current, paired, before, after, criteria_changes(before, after, paired.pairs))
    found = tuple(_joined(name, told) for name, rule in ASPECTS.items() if (told := list(rule(both))))
    return Comparability(level_of(found), found), both.changes


def level_of(aspects: Iterable[Aspect]) -> Level:
    """The level that the worst grade of the aspects gives."""
    return _LEVELS.get(_worst(one.grade for one in aspects), "HIGH")


def _worst(grades: Iterable[Grade]) -> Grade:
    found: list[Grade] = sorted(grades, key=_GRADES.index)
    return found[0] if found else "same"


def _joined(name: str, told: Iterable[Told]) -> Aspect:
    """The worst grade with all reasons; what is the same is told only by itself."""
    every = list(told)
    worst = _worst(grade for grade, _ in every)
    return Aspect(name, worst, "; ".join(why for grade, why in every if grade != "same" or worst == "same"))


def _topic_graph(both: Both) -> Iterator[Told]:
    before, after = both.before.graphs, both.after.graphs
    for word, _, one in both.sides:
        if one.graphs.unknown:
            visited = f"{plural(one.graphs.unknown, 'attempt')} of the {word} visited topics of a graph"
            yield "flagged", f"cannot be told: {visited} that is not recorded: {_RECORD_IT}"
            return
    alike = before.known.keys() & after.known.keys()
    changed = [id_ for id_ in alike if before.known[id_] != after.known[id_]]
    silent = (before.following | after.following) - alike
    if changed:
        where = "" if len(changed) == len(alike) else f" in {len(changed)} of {len(alike)} scenarios"
        old, new = (frozenset().union(*(side.known[one] for one in changed)) for side in (before, after))
        if old == NO_GRAPH or new == NO_GRAPH:
            yield "forbids", f"only the {'current' if old == NO_GRAPH else 'baseline'} follows one{where}"
        else:
            shapes = [
                [one.shapes.get(mark) for mark in marks] for one, marks in ((before, old), (after, new))
            ]
            yield "forbids", f"another graph{where}: {_what_changed(shapes) or _ANY_CHANGE}"
    elif silent:
        followed = f"{plural(len(silent), 'scenario')} followed one on one side"
        yield "flagged", f"cannot be told: {followed}, and had no turn on the other"
    else:
        yield "same", "identical" if before.following else "neither follows one"


def _what_changed(shapes: list[list[FollowedGraph | None]]) -> str:
    """What became of which topics, where each side follows one graph of which all is known; else ""."""
    every = [one for side in shapes for one in side]
    if len(every) != len(shapes):
        return ""
    known = [one for one in every if one is not None and one.characteristics]
    if len(known) < len(every):
        return ""
    before, after = (set(one.topics) for one in known)
    kept = before & after
    texts = [dict(zip(one.topics, one.characteristics, strict=False)) for one in known]
    ways = [{way for way in one.edges or () if kept.issuperset(way)} for one in known]
    found = {
        "added": after - before,
        "removed": before - after,
        "changed characteristic": {one for one in kept if texts[0].get(one) != texts[1].get(one)},
        "changed successors": {source for source, _ in ways[0] ^ ways[1]},
    }
    return "; ".join(f"{what}: {listed(names)}" for what, names in found.items() if names)


def _criteria(both: Both) -> Iterator[Told]:
    changes, old, new = both.changes, both.before.criteria, both.after.criteria
    hard = old.hard | new.hard
    for what, names in (
        ("added, not compared", changes.added),
        ("removed, not compared", changes.removed),
        ("modified, not compared", changes.changed),
    ):
        if deciding := hard.intersection(names):
            yield "weakens", f"{what}: {listed(names)}; completion rests on {listed(deciding)}"
        elif names:
            yield "flagged", f"{what}: {listed(names)}"
    moved = ((old.hard - new.hard) & new.used) | ((new.hard - old.hard) & old.used)
    if moved:
        yield "weakens", f"hard on one side, soft on the other: {listed(moved)}"
    if changes.unknown:
        told = f"cannot be told whether they are the same: {listed(changes.unknown)}"
        yield "flagged", f"{told}; {_DECLARE_THEM}"
    if changes.mixed:
        where = {name: (one.other, one.compared) for name, one in changes.mixed.items()}
        yield "flagged", f"judges were asked another text: {_counted(where)}"
    unnamed = (old.used | new.used) - old.fingerprints.keys() - new.fingerprints.keys()
    by_name = f", {len(unnamed)} of them by name only" if unnamed else ""
    yield "same", f"identical{by_name}" if old.used or new.used else "none on either side"


def _hard_checks(both: Both) -> Iterator[Told]:
    return hard_checks(both.paired.pairs)


def _soft_checks(both: Both) -> Iterator[Told]:
    return soft_checks(both.paired.pairs, both.changes.left_out)


def _test_code(both: Both) -> Iterator[Told]:
    return own_assertions(both.paired.pairs)


def _scenarios(both: Both) -> Iterator[Told]:
    paired, shared = both.paired, len(both.paired.pairs)
    if not shared:
        yield "forbids", f"none is shared: {_why_none(both)}"
        return
    added, removed, uncounted = len(paired.added), len(paired.removed), len(paired.uncounted)
    told = [f"{shared} shared"]
    told += [f"{number} {word}" for number, word in ((added, "added"), (removed, "removed")) if number]
    told += [f"{uncounted} without an attempt that counts on both sides"] if uncounted else []
    least = shared / (shared + uncounted + max(added, removed))
    grade: Grade = "same" if len(told) == 1 else "expected"
    if least < FLAGGED_OVERLAP:
        grade = "weakens" if least < WEAK_OVERLAP else "flagged"
        told.append(f"that is {least:.0%} of one side")
    yield grade, ", ".join(told)


def _why_none(both: Both) -> str:
    for word, results, _ in both.sides:
        if not results.attempts:
            return f"the {word} experiment has no results"
        if not results.counted:
            return f"the {word} experiment has no attempt that counts"
    if both.paired.uncounted:
        return "no scenario has an attempt that counts on both sides"
    others = plural(len(both.paired.added), "other")
    told = f"{len(both.paired.removed)} in the baseline, {others} in the current"
    same = {one.key for one in both.baseline.attempts} & {one.key for one in both.current.attempts}
    return f"{told}; {len(same)} have the same name in both, {_MOVED}" if same else told


def _scenario_data(both: Both) -> Iterator[Told]:
    shared = plural(len(both.paired.pairs), "shared scenario")
    if edited := len(both.paired.edited):
        yield "expected", f"{edited} of the {shared} edited: compared by key all the same"
    if unknown := len(both.paired.unknown_data):
        yield "expected", f"not known of {unknown} of the {shared}: recorded on one side only"
    yield "same", "no shared scenario was edited"


def _agent(both: Both) -> Iterator[Told]:
    before, after = both.before, both.after
    if before.agents != after.agents:
        yield "expected", f"{listed(before.agents)}, now {listed(after.agents)}"
    both_have = before.prompt_files.keys() & after.prompt_files.keys()
    changed = [name for name in both_have if before.prompt_files[name] != after.prompt_files[name]]
    if changed:
        yield "expected", f"another text of the prompt {listed(changed)}"
    if before.prompt_models != after.prompt_models:
        old, new = (listed(side.prompt_models) for side in (before, after))
        yield "expected", f"prompts are answered by another LLM: {old}, now {new}"
    if before.commits != after.commits:
        old, new = (listed(one[:_SHORT] for one in side.commits) for side in (before, after))
        yield "expected", f"commit {old}, now {new}"
    elif before.commits and (before.dirty or after.dirty):
        yield "expected", "the same commit, with changes that are not committed"
    elif before.commits:
        yield "same", "the same commit"
    elif before.agents == after.agents:
        same = f"{listed(after.agents)} in both" if after.agents else "nothing was recorded of it"
        if not both_have or after.agents:
            yield "expected", f"{same}; whether its code or prompt changed is not known"
        elif not changed:
            yield "same", f"the same text of the prompt {listed(both_have)}"


def _resumed(both: Both) -> Iterator[Told]:
    for word, _, one in both.sides:
        if one.several:
            yield "weakens", f"the {word} experiment was resumed after changes: {', '.join(one.several)}"


def _judge_models(both: Both) -> Iterator[Told]:
    before, after = both.before, both.after
    asked = bool(before.judge_prompts), bool(after.judge_prompts)
    decides = before.judged_hard | after.judged_hard
    and_hard = f"; it decides hard checks: {listed(decides)}" if decides else ""
    if not any(asked):
        yield "same", "no judge was asked"
    elif not all(asked):
        word = "baseline" if asked[0] else "current"
        judged = {how.subject for one in both.attempts for how in one.judged}
        by_nobody = [one for one in both.attempts if not one.judged]
        answered = {row.criterion or row.matcher for one in by_nobody for row in one.checks}
        yield "weakens" if judged & answered else "flagged", f"only the {word} asked one{and_hard}"
    elif not before.judges or not after.judges:
        yield "flagged", f"cannot be told: its model was not recorded{and_hard}"
    else:
        found = judged_otherwise(both.paired.pairs, before.judge_model, after.judge_model)
        yield from _otherwise(found, before.judges, after.judges, "another model", and_hard)
        if unknown := {name: (one.unknown, one.compared) for name, one in found.items() if one.unknown}:
            yield "flagged", f"cannot be told: its model was not recorded of {_counted(unknown)}{and_hard}"


def _judge_prompts(both: Both) -> Iterator[Told]:
    before, after = both.before.judge_prompts, both.after.judge_prompts
    if before and after:
        found = judged_otherwise(both.paired.pairs, _prompt_of, _prompt_of)
        yield from _otherwise(found, before, after, "another version")


def _prompt_of(how: Judging) -> str:
    return f"{how.prompt} {how.version}"


def _otherwise(
    found: Mapping[str, Judged], before: frozenset[str], after: frozenset[str], what: str, more: str = ""
) -> Iterator[Told]:
    """Weakens where something was judged otherwise in over 10 % of the scenarios, in fewer it is flagged."""
    other = {name: (one.other, one.compared) for name, one in found.items() if one.other}
    changed = f"{listed(before)}, now {listed(after)}"
    if (before != after and not found) or any(one.mostly_other for one in found.values()):
        yield "weakens", f"{changed if before != after else f'{what} judged {_counted(other)}'}{more}"
    elif other:
        yield "flagged", f"{what} judged {_counted(other)}{more}"
    else:
        yield "same", f"identical{': ' + listed(after) if before == after else ' where both asked one'}"


def _calibration(both: Both) -> Iterator[Told]:
    before, after = both.before.uncalibrated, both.after.uncalibrated
    if before or after:
        verdicts = f"{plural(before, 'hard verdict')}, now {after}"
        yield "flagged", f"how often the judge agrees with people is not known of {verdicts}"


def _values(
    read: Callable[[Configuration], frozenset[str]],
    other: Grade,
    alone: Grade,
    says: str = "",
    *,
    none: str = "none",
) -> Rule:
    """Whether a set is the same on both sides: `other` where it is not, `alone` where one side has none.

    `says` is for values that say nothing to a reader, `none` is said where neither side has any.
    """

    def rule(both: Both) -> Iterator[Told]:
        before, after = read(both.before), read(both.after)
        if before == after:
            if same := f"identical{'' if says else f': {listed(after)}'}" if after else none:
                yield "same", same
        elif before and after:
            yield other, says or f"{listed(before)}, now {listed(after)}"
        else:
            values = "" if says else f": {listed(before | after)}"
            yield alone, f"known of the {'baseline' if before else 'current'} only{values}"

    return rule


def _user_conduct(both: Both) -> Iterator[Told]:
    """How often the played users broke their rules; skipped rules and those that could not tell aside."""
    shared = {pair.id for pair in both.paired.pairs}
    (old, of_old), (new, of_new) = (_broken(side.attempts, shared) for _, side, _ in both.sides)
    if of_old and of_new:
        differs = abs(new / of_new - old / of_old) > OTHER_NUMBERS
        grade: Grade = "weakens" if differs else "same" if (old, of_old) == (new, of_new) else "expected"
        yield grade, f"rules broken: {old} of {of_old}, now {new} of {of_new}"
    elif of_old or of_new:
        yield (
            "flagged",
            f"rules for the played user were checked in the {'baseline' if of_old else 'current'} only",
        )


def _broken(attempts: Iterable[Attempt], shared: set[str]) -> tuple[int, int]:
    rows = [row for one in attempts if one.id in shared for row in one.conduct]
    failed, passed = (sum(row.times for row in rows if row.outcome == one) for one in ("fail", "pass"))
    return failed, failed + passed


def _finished(both: Both) -> Iterator[Told]:
    for word, results, _ in both.sides:
        missing, whole = _missing(results), len(results.attempts)
        if missing is None:
            yield "flagged", f"the {word} experiment does not say how much was planned"
        elif missing:
            grade: Grade = "weakens" if missing > FEW * (missing + whole) else "flagged"
            yield grade, f"the {word} experiment lacks {missing} of {missing + whole} attempts"
    if both.baseline.damaged or both.current.damaged:
        lines = of_both(both.baseline.damaged, both.current.damaged, "line")
        yield "weakens", f"{lines} cannot be read: results may be missing"
    yield "same", "both"


def _missing(results: ExperimentResults) -> int | None:
    """How many attempts were planned or begun and have no result; None where nobody can tell."""
    if results.planned is None:
        return len(results.unfinished) or None
    done = len(results.attempts) if results.done is None else results.done
    return max(results.planned - done, len(results.unfinished), 0)


def _repeats(both: Both) -> Iterator[Told]:
    """Attempts that do not count are among them."""
    pairs = both.paired.pairs
    before = [len(pair.baseline) + pair.lost_before for pair in pairs]
    after = [len(pair.current) + pair.lost_now for pair in pairs]
    unequal = sum(old != new for old, new in zip(before, after, strict=True))
    if unequal:
        told = f"{_times(before)}, now {_times(after)}, not the same in {plural(unequal, 'scenario')}"
        yield "flagged" if unequal > FEW * len(pairs) else "expected", told
    elif pairs:
        yield "same", _times(after)


def _times(attempts: list[int]) -> str:
    if max(attempts) == 1:
        return "each scenario once"
    return f"{'' if len(set(attempts)) == 1 else 'up to '}{max(attempts)} attempts a scenario"


def _seed(both: Both) -> Iterator[Told]:
    before, after = (
        "none" if one.experiment.seed is None else f"{one.experiment.seed}" for _, one, _ in both.sides
    )
    yield ("same", after) if before == after else ("expected", f"{before}, now {after}")


def _working_copy(both: Both) -> Iterator[Told]:
    if dirty := [word for word, _, one in both.sides if one.dirty]:
        yield "expected", f"changes that are in no commit, in the {' and the '.join(dirty)} experiment"


def _code(both: Both) -> Iterator[Told]:
    if names := both.before.opaque | both.after.opaque:
        yield "expected", f"known by its own source only, not by what it calls: {listed(names)}"


ASPECTS: Mapping[str, Rule] = {
    "Topic graph": _topic_graph,  # INVALID: another one in a shared scenario; MEDIUM: not recorded
    "Criteria": _criteria,  # LOW: what completion rests on; MEDIUM: others, which are left out
    "Hard checks": _hard_checks,  # LOW: made softer, or not made where it passes now; MEDIUM: others
    "Soft checks": _soft_checks,  # MEDIUM: other ones in over 10 % of the scenarios
    "Test code": _test_code,  # MEDIUM: own assertions, and another source in over 10 %
    "Scenarios": _scenarios,  # INVALID: none is shared; LOW, MEDIUM: under 50 %, 80 % of one side are
    "Scenario data": _scenario_data,  # told
    "Agent": _agent,  # told: it is what is compared
    "One configuration": _resumed,  # LOW: resumed after changes
    "Judge LLM": _judge_models,  # LOW: another one in over 10 % of what it judged; MEDIUM: in fewer
    "Judge prompts": _judge_prompts,  # the same of versions
    "Judge calibration": _calibration,  # MEDIUM: a judge without a card decides hard checks
    "User LLM": _values(lambda one: one.users, "weakens", "weakens", none=""),
    "User prompts": _values(lambda one: one.user_prompts, "weakens", "weakens", none=""),
    "Simulated user": _values(
        lambda one: one.user_hashes, "weakens", "flagged", "other settings, personas, rules or scripts"
    ),
    "User conduct": _user_conduct,  # LOW: its rules are broken 10 points more often on one side
    "Finished": _finished,  # LOW: over 5 % were never made, or lines cannot be read; MEDIUM: fewer
    "Repeats": _repeats,  # MEDIUM: not as many in over 5 % of the scenarios
    "Seed": _seed,  # told
    "Grice version": _values(lambda one: one.versions, "flagged", "flagged"),
    "Working copy": _working_copy,  # told
    "Code in the configuration": _code,  # told
}
"""Every aspect with its rule, in the order in which they are shown."""

_SHORT = 9
_RECORD_IT = "run it again, a runner of your own with start_experiment(topics=...)"
_ANY_CHANGE = "topics, and the ways between them, are not the same"
_DECLARE_THEM = (
    "declare them in the settings or with the marker, or give them to start_experiment(criteria=...)"
)
_MOVED = (
    "but an id is made of the file (or `suite`), the test and the scenario: "
    "was one of these moved or renamed?"
)


def _counted(found: Mapping[str, tuple[int, int]]) -> str:
    """`polite in 25 of 40 scenarios, short in 3 of 40`."""
    return listed(f"{name} in {count} of {plural(of, 'scenario')}" for name, (count, of) in found.items())
