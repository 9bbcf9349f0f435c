"""What gates look at that hold an experiment against a baseline."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.comparability import level_of
from grice.experiments.comparison.comparing import BASELINE_IS_LATER, compare
from grice.experiments.comparison.records import Comparison, Measure
from grice.experiments.gates.figure import Figure, count_of, missing
from grice.experiments.gates.hard_checks import aside_of, why_not_the_same, why_unchecked
from grice.experiments.gates.kinds import LEVELS
from grice.experiments.gates.records import Gate
from grice.experiments.gates.turns import rise
from grice.experiments.gates.words import EXACT, amounts
from grice.experiments.gates.worst_case import (
    Lost,
    Wanted,
    ended_before,
    lost_answers,
    told_missing,
    was_left_out,
    with_missing,
)
from grice.experiments.results import ExperimentResults
from grice.records import Outcome
from grice.running.journal.form import JournalError
from grice.stats.differences import Difference
from grice.stats.paired import LEAST_CHANGES
from grice.text import did_you_mean

__all__ = ["Baselines"]


@dataclass
class Baselines:
    """The baselines of an experiment's gates: each is found and compared with once.

    `find` gives the experiment that a baseline names, and raises JournalError where there is none.
    """

    results: ExperimentResults
    find: Callable[[str], ExperimentResults]
    _found: dict[str, ExperimentResults | str] = field(default_factory=dict)
    _compared: dict[tuple[str, bool], Comparison] = field(default_factory=dict)
    _problems: dict[str, str] = field(default_factory=dict)

    def figure(self, gate: Gate) -> Figure:
        """The figure of a gate that needs a baseline."""
        baseline = self._named(gate.baseline)
        if isinstance(baseline, str):
            return missing(f"cannot be told: {baseline}")
        comparison = self._comparison(gate.baseline, baseline)
        name = gate.name.removeprefix("regression.")
        if name == "validity":
            return _validity(comparison)
        if comparison.comparability.level == "INVALID":
            forbids = [one.reason for one in comparison.comparability.aspects if one.grade == "forbids"]
            short = [one.partition(";")[0] for one in forbids]  # the notes have all of it
            return missing(f"cannot be compared: {'; '.join(short)}")
        if name.endswith(".max_rise"):
            return _rise(name.removesuffix(".max_rise"), baseline.attempts, self.results.attempts)
        if name == "completion":
            return self._completion(gate, baseline)
        found = self._told(name, gate, baseline)
        wanted = _wanted(name)
        asides = ""
        for words, side in self._shared(baseline):
            ended = ended_before(side, wanted)
            asides += f"; of the {words} {ended:,} ended at a hard check before it" if ended else ""
        return found if found.value is None else found._replace(about=f"{found.about}{asides}")

    def _shared(self, baseline: ExperimentResults) -> tuple[tuple[str, list[Attempt]], ...]:
        """Both sides by name, with their attempts of the scenarios that both have."""
        ids = {one.id for one in baseline.attempts} & {one.id for one in self.results.attempts}
        sides = (("run", self.results), ("baseline", baseline))
        return tuple((words, [one for one in side.attempts if one.id in ids]) for words, side in sides)

    def _completion(self, gate: Gate, baseline: ExperimentResults) -> Figure:
        """The drop of completion, and what it does not show of either side."""
        asides = ""
        for words, shared in self._shared(baseline):
            if why := why_unchecked(shared):
                return missing(f"cannot be compared: completion of the {words} {why}")
            aside = aside_of(shared)
            asides += aside and f"; of the {words} {aside}"
        (_, now), (_, before) = self._shared(baseline)
        if why := why_not_the_same(before, now):
            return missing(f"cannot be compared: {why}")
        found = self._told("completion", gate, baseline)
        return found._replace(about=f"{found.about}{asides}")

    def _told(self, name: str, gate: Gate, baseline: ExperimentResults) -> Figure:
        """The drop of a rate, and that in the worst case."""
        comparison = self._comparison(gate.baseline, baseline)
        found = _drop(self._measure(name, comparison, baseline))
        condition = _condition(name, baseline.attempts, self.results.attempts)
        if found.value is None or not condition:
            return found
        at_worst = self._comparison(gate.baseline, baseline, worst=True)
        worst = _drop(self._measure(name, at_worst, baseline))
        if found.low is None:  # what was measured has to show it
            worst = worst._replace(low=None, high=None)
        return worst if worst.value is None else found._replace(worst=worst._replace(about=condition))

    def notes(self) -> list[str]:
        """What a reader has to know of the comparisons, a line each."""
        notes: list[str] = []
        for wanted, found in self._found.items():
            if isinstance(found, str):
                notes += [self._problems[wanted]] if wanted in self._problems else []
                continue
            named = found.id if wanted == found.id else f"{wanted}: {found.id}"
            notes.append(f"baseline {named}{f' {found.name!r}' if found.name else ''}")
            if compared := self._compared.get((wanted, False)):
                notes += _doubts(compared)
        return notes

    def _named(self, wanted: str) -> ExperimentResults | str:
        """The baseline, or why there is none."""
        if wanted not in self._found:
            try:
                found = self.find(wanted)
            except JournalError as error:
                self._found[wanted] = f"the baseline {wanted} is not there or cannot be read"
                said = str(error).removeprefix(f"{wanted}: ")
                self._problems[wanted] = f"baseline {wanted}: {said}"
            else:
                itself = f"the baseline {wanted} is this experiment itself"
                self._found[wanted] = itself if found.id == self.results.id else found
        return self._found[wanted]

    def _comparison(self, wanted: str, baseline: ExperimentResults, *, worst: bool = False) -> Comparison:
        """The comparison; at worst as if what is missing had passed in the baseline, and failed now."""
        if (wanted, worst) not in self._compared:
            before, now = baseline.attempts, self.results.attempts
            if worst:
                before, now = (
                    with_missing(before, passed=True, others=now),
                    with_missing(now, passed=False, others=before),
                )
            self._compared[wanted, worst] = compare(
                dataclasses.replace(baseline, attempts=before),
                dataclasses.replace(self.results, attempts=now),
            )
        return self._compared[wanted, worst]

    def _measure(self, name: str, comparison: Comparison, baseline: ExperimentResults) -> Measure | str:
        """The measure that the gate is on, or why there is none."""
        if name != "evaluation":
            return _measure(name, comparison)
        found = [one for one in comparison.measures if one.overall]
        return found[0] if found else _why_no_evaluation(self._shared(baseline))


def _why_no_evaluation(sides: Iterable[tuple[str, Sequence[Attempt]]]) -> str:
    """Why there is no evaluation rate of both sides."""
    soft = _wanted("evaluation")
    without = [words for words, side in sides if not any(soft(row) for one in side for row in one.checks)]
    if not without:
        return "cannot be compared: both have soft checks, and none of them is the same in both"
    where = f" in the {without[0]}" if len(without) == 1 else ""
    return f"was never measured in both: there is no soft check{where}"


def _doubts(comparison: Comparison) -> list[str]:
    """Why the comparison may not be a fair one, each with the level that it leaves."""
    doubts = [one for one in comparison.comparability.aspects if one.grade not in ("same", "expected")]
    later = [one for one in comparison.notes if one == BASELINE_IS_LATER]
    return [*later, *(f"comparability {level_of([one])}: {one.name}: {one.reason}" for one in doubts)]


def _validity(comparison: Comparison) -> Figure:
    """What the comparison is worth, and the aspects that cost it the most."""
    level = comparison.comparability.level
    worst = [one.name for one in comparison.comparability.aspects if level_of([one]) == level]
    return Figure(LEVELS.index(level), "" if level == "HIGH" else f": {', '.join(worst)}")


def _drop(measure: Measure | str) -> Figure:
    """By how much a rate is less than that of the baseline, over the scenarios that both have.

    Where scenarios have unequally many values, as when repeats of hard ones were lost, the rates of both may
    differ though no scenario changed. Then each scenario counts once, and the interval takes in both ways to
    count: neither trips a gate alone, nor keeps it. Fewer scenarios than LEAST_CHANGES show nothing.
    """
    if isinstance(measure, str):
        return missing(measure)
    difference, before, now = measure.difference, measure.baseline, measure.current
    if difference is None or before is None or now is None:
        return missing(f"cannot be compared: {measure.note or 'one side has no answer'}")
    over = count_of(difference.n, "scenario")
    if difference.n < LEAST_CHANGES:
        over += f", and fewer than {LEAST_CHANGES} never show a difference"
    rates = " to ".join(amounts(before, now, "share"))
    alike = measure.alike
    limits = _limits([difference] if alike is None else [difference, alike])
    if difference.n < LEAST_CHANGES:
        limits = None, None
    if alike is None or abs(alike.value - difference.value) < EXACT:
        return Figure(0.0 - difference.value, f": {rates} over {over}", *limits)
    why = "as they have unequally many values"
    return Figure(
        0.0 - alike.value, f" with each of {over} counted once, {why}; over all values {rates}", *limits
    )


def _lost(
    name: str, attempts: Sequence[Attempt], others: Sequence[Attempt], shared: set[str], *, passed: bool
) -> Lost:
    """How much is missing in the shared scenarios."""
    own = [one for one in attempts if one.id in shared]
    if name == "completion":
        unclear = [one for one in own if one.counted and one.outcome is Outcome.INCONCLUSIVE]
        return Lost(len(unclear) if passed else 0, sum(map(was_left_out, own)))
    return lost_answers(own, with_missing(own, passed=passed, others=others), _wanted(name))


def _wanted(name: str) -> Wanted:
    """The checks that the evaluation rate, or a criterion, is of."""
    if name == "evaluation":
        return lambda tally: tally.mode == "soft"
    criterion = name.removeprefix("criteria.")
    return lambda tally: tally.criterion == criterion


def _condition(name: str, before: Sequence[Attempt], now: Sequence[Attempt]) -> str:
    """When the worst case is so, in words; "" where there is none.

    What the baseline alone broke off before makes none: counted as failed, it hides no drop.
    """
    shared = {one.id for one in before} & {one.id for one in now}
    lost_now = _lost(name, now, before, shared, passed=False)
    lost_before = _lost(name, before, now, shared, passed=True)
    parts = [told_missing(lost_now, ended="had failed")] if any(lost_now) else []
    if any(unclear := lost_before._replace(broke_off=0)):
        parts.append(told_missing(unclear, ended="of the baseline had passed"))
    if parts and lost_before.broke_off:
        parts.append(told_missing(Lost(broke_off=lost_before.broke_off), ended="in the baseline had failed"))
    return f" if {' and '.join(parts)}" if parts else ""


def _limits(differences: Sequence[Difference]) -> tuple[float, float] | tuple[None, None]:
    """From the least to the greatest drop that any of them allows; None where one says nothing."""
    ends = [(one.low, one.high) for one in differences]
    drops = [(-high, -low) for low, high in ends if low is not None and high is not None]
    if len(drops) < len(ends):
        return None, None
    return min(low for low, _ in drops), max(high for _, high in drops)


def _measure(name: str, comparison: Comparison) -> Measure | str:
    """The measure that the gate is on, or why there is none."""
    if name == "completion":
        found = [one for one in comparison.measures if one.family == "completion"]
        return found[0] if found else "was never measured in both"
    criterion = name.removeprefix("criteria.")
    if criterion in comparison.criteria_changed:
        return "cannot be compared: the criterion was changed"
    judged = [one for one in comparison.measures if one.family == "quality" and not one.overall]
    if found := [one for one in judged if one.name == criterion]:
        return found[0]
    for names, words in (
        (comparison.criteria_added, "the baseline was never judged by this criterion"),
        (comparison.criteria_removed, "only the baseline was judged by this criterion"),
    ):
        if criterion in names:
            return f"cannot be compared: {words}"
    return f"was never judged in both{did_you_mean(criterion, [one.name for one in judged])}"


def _rise(name: str, before: Sequence[Attempt], now: Sequence[Attempt]) -> Figure:
    """By which share of it a percentile is more than in the baseline, over the scenarios that both have."""
    old, new = {one.id for one in before}, {one.id for one in now}
    shared = old & new
    found = rise(name, *([one for one in side if one.id in shared] for side in (before, now)))
    if old == new or found.value is None:
        return found
    return found._replace(about=f"{found.about}, over the {count_of(len(shared), 'scenario')} that both have")
