"""What gates look at that hold an experiment against a baseline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.comparability import level_of
from grice.experiments.comparison.comparing import BASELINE_IS_LATER, compare
from grice.experiments.comparison.records import Comparison, Measure
from grice.experiments.gates.figures import Figure, figure_of, judge_names, nothing
from grice.experiments.gates.gate_kinds import LEVELS, VALIDITY_GATE, Unit, kind_of
from grice.experiments.gates.gate_texts import EXACT, amounts
from grice.experiments.gates.records import Gate
from grice.experiments.results import ExperimentResults
from grice.running.journal.form import JournalError
from grice.stats.paired import LEAST_CHANGES, Difference
from grice.text import did_you_mean, plural


class NoBaselineError(JournalError):
    """There is no baseline yet, nor any run that could be one."""


Sides = tuple[Sequence[Attempt], Sequence[Attempt]]
"""The attempts of the baseline and of the run, of the scenarios that both have."""


@dataclass
class Baselines:
    """The baselines of an experiment's gates: each is found and compared with once.

    `find` gives the experiment that a baseline names, and raises JournalError where there is none.
    """

    results: ExperimentResults
    find: Callable[[str], ExperimentResults]
    _found: dict[str, ExperimentResults | str] = field(default_factory=dict)
    _compared: dict[str, Comparison] = field(default_factory=dict)
    _problems: list[str] = field(default_factory=list)

    def figure(self, gate: Gate) -> Figure:
        """The figure of a gate that needs a baseline; what is missing on either side is missing of it."""
        baseline = self._named(gate.baseline)
        if isinstance(baseline, str):
            return nothing(baseline)
        comparison = self._comparison(gate.baseline, baseline)
        if gate.name == VALIDITY_GATE:
            return _validity(comparison)
        if comparison.comparability.level == "INVALID":
            forbids = [one.reason for one in comparison.comparability.aspects if one.grade == "forbids"]
            short = [one.partition(";")[0] for one in forbids]  # the notes have all of it
            return nothing(f"cannot be compared: {'; '.join(short)}")
        name = gate.name.removeprefix("regression.").removesuffix(".max_rise")
        sides = _shared(baseline.attempts, self.results.attempts)
        before, now = (figure_of(name, side) for side in sides)
        found = _rise(name, before, now) if name.endswith("_p95") else _drop(gate, comparison, sides)
        return found._replace(missing=before.missing + now.missing, of=before.of + now.of)

    def notes(self) -> list[str]:
        """What a reader has to know of the comparisons, a line each."""
        notes = list(dict.fromkeys(self._problems))
        for wanted, found in self._found.items():
            if isinstance(found, str):
                continue
            named = found.id if wanted == found.id else f"{wanted}: {found.id}"
            notes.append(f"baseline {named}{f' {found.name!r}' if found.name else ''}")
            if compared := self._compared.get(wanted):
                notes += _doubts(compared)
        return notes

    def newly_failing(self) -> tuple[str, ...]:
        """The keys of what passed in a baseline that can be compared with, and fails now."""
        worth = [one for one in self._compared.values() if one.comparability.level != "INVALID"]
        return tuple(dict.fromkeys(change.key for one in worth for change in one.newly_failing))

    def _named(self, wanted: str) -> ExperimentResults | str:
        """The baseline, or why there is none."""
        if wanted not in self._found:
            try:
                found = self.find(wanted)
            except NoBaselineError as error:
                self._found[wanted] = "there is no baseline yet"
                self._problems.append(str(error))
            except JournalError as error:
                self._found[wanted] = f"the baseline {wanted} is not there or cannot be read"
                self._problems.append(f"baseline {wanted}: {str(error).removeprefix(f'{wanted}: ')}")
            else:
                itself = f"the baseline {wanted} is this experiment itself"
                self._found[wanted] = itself if found.id == self.results.id else found
        return self._found[wanted]

    def _comparison(self, wanted: str, baseline: ExperimentResults) -> Comparison:
        if wanted not in self._compared:
            self._compared[wanted] = compare(baseline, self.results)
        return self._compared[wanted]


def _shared(before: Sequence[Attempt], now: Sequence[Attempt]) -> Sides:
    ids = {one.id for one in before} & {one.id for one in now}
    return [one for one in before if one.id in ids], [one for one in now if one.id in ids]


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


def _rise(name: str, before: Figure, now: Figure) -> Figure:
    """By which share of it a percentile is more than in the baseline; 0.2 is 20 % more."""
    if now.value is None:
        return now
    if not before.value:
        why = "is 0, which nothing can be compared with" if before.value == 0 else before.about
        return nothing(f"cannot be compared: the baseline {why}")
    unit: Unit = "seconds" if name == "latency_p95" else "tokens"
    then, now_ = amounts(before.value, now.value, unit)
    return Figure(now.value / before.value - 1, f": {then}{before.about} to {now_}{now.about}")


# -- drops


def _drop(gate: Gate, comparison: Comparison, sides: Sides) -> Figure:
    """By how much a rate, or the mean of a judge's points, is less than in the baseline.

    Where scenarios have unequally many values, as when repeats of hard ones were lost, both sides may differ
    though no scenario changed. Then each scenario counts once, and the interval takes in both ways to count:
    neither trips a gate alone, nor keeps it. Fewer scenarios than LEAST_CHANGES show nothing, unless nothing
    is left to chance.
    """
    measure = _measure(gate.name.removeprefix("regression."), comparison, sides)
    if isinstance(measure, str):
        return nothing(measure)
    difference, before, now = measure.difference, measure.baseline, measure.current
    if difference is None or before is None or now is None:
        return nothing(f"cannot be compared: {measure.note or 'one side has no answer'}")
    over = plural(difference.n, "scenario")
    limits = _limits([one for one in (difference, measure.alike) if one is not None])
    if difference.n < LEAST_CHANGES and (difference.low is None or difference.low != difference.high):
        over += f", fewer than {LEAST_CHANGES} never show a difference"
        limits = None, None
    both = " to ".join(amounts(before, now, "number" if kind_of(gate).unit == "fall" else "share"))
    alike = measure.alike
    if alike is None or abs(alike.value - difference.value) < EXACT:
        return Figure(0.0 - difference.value, f" ({both}, {over})", *limits)
    about = f" ({over}, each counted once; all values: {both})"
    return Figure(0.0 - alike.value, about, *limits)


def _limits(differences: Sequence[Difference]) -> tuple[float, float] | tuple[None, None]:
    """From the least to the greatest drop that any of them allows; None where one says nothing."""
    ends = [(one.low, one.high) for one in differences]
    drops = [(-high, -low) for low, high in ends if low is not None and high is not None]
    if len(drops) < len(ends):
        return None, None
    return min(low for low, _ in drops), max(high for _, high in drops)


def _measure(name: str, comparison: Comparison, sides: Sides) -> Measure | str:
    """The measure that the gate is on, or why there is none."""
    if name in ("completion", "evaluation"):
        found = [
            one
            for one in comparison.measures
            if (one.family == "completion" if name == "completion" else one.overall)
        ]
        return found[0] if found else "cannot be compared: no soft check is the same in both"
    table, _, named = name.partition(".")
    judged = {one.name: one for one in comparison.measures if one.family == "quality" and not one.overall}
    names = [f"{one} score" for one in judge_names(named, [*sides[0], *sides[1]])]
    wanted = [named] if table == "criteria" else names
    if named in comparison.criteria_changed:
        return "cannot be compared: the criterion was changed"
    if own := [judged[one] for one in wanted if one in judged]:
        return max(own, key=_lost)
    if named in (*comparison.criteria_added, *comparison.criteria_removed):
        return "cannot be compared: one side was never judged by this criterion"
    known = (one.removesuffix(" score") for one in judged)
    return f"was never judged in both{did_you_mean(named, sorted({*known} - {named}))}"


def _lost(measure: Measure) -> float:
    """The drop of a measure: of several ways in which a judge was asked the one that fell most decides."""
    return -measure.difference.value if measure.difference is not None else float("-inf")
