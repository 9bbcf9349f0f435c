"""What gates look at that hold an experiment against a baseline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from grice.experiments.comparison.comparing import compare
from grice.experiments.comparison.records import Comparison, Measure
from grice.experiments.gates.figures import Figure, missing, p95
from grice.experiments.gates.kinds import Unit
from grice.experiments.gates.records import Gate
from grice.experiments.gates.words import EXACT, amount, percent
from grice.experiments.results import ExperimentResults
from grice.running.journal.form import JournalError
from grice.stats.differences import Difference
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
    _compared: dict[str, Comparison] = field(default_factory=dict)

    def figure(self, gate: Gate) -> Figure:
        """The figure of a gate that needs a baseline."""
        baseline = self._named(gate.baseline)
        if isinstance(baseline, str):
            return missing(f"cannot be told: {baseline}")
        if gate.name.endswith(".max_rise"):
            return _rise(gate.name.removesuffix(".max_rise"), self.results, baseline)
        name = gate.name.removeprefix("regression.")
        return _drop(name, self._comparison(gate.baseline, baseline))

    def notes(self) -> list[str]:
        """What a reader has to know of the comparisons, a line each."""
        notes: list[str] = []
        for wanted, found in self._found.items():
            if isinstance(found, str):
                continue
            named = found.id if wanted == found.id else f"{wanted}: {found.id}"
            notes.append(f"baseline {named}{f' {found.name!r}' if found.name else ''}")
            if wanted in self._compared:
                notes += _doubts(self._compared[wanted])
        return notes

    def _named(self, wanted: str) -> ExperimentResults | str:
        """The baseline, or why there is none."""
        if wanted not in self._found:
            try:
                found = self.find(wanted)
            except JournalError as error:
                self._found[wanted] = f"the baseline was not found: {error}"
            else:
                itself = f"the baseline {wanted} is this experiment itself"
                self._found[wanted] = itself if found.id == self.results.id else found
        return self._found[wanted]

    def _comparison(self, wanted: str, baseline: ExperimentResults) -> Comparison:
        if wanted not in self._compared:
            self._compared[wanted] = compare(baseline, self.results)
        return self._compared[wanted]


def _doubts(comparison: Comparison) -> list[str]:
    """Why the comparison may not be a fair one."""
    level = comparison.comparability.level
    if level == "HIGH":
        return []
    doubts = [one for one in comparison.comparability.aspects if one.grade not in ("same", "expected")]
    return [f"comparability is {level}: {one.name}: {one.reason}" for one in doubts]


def _drop(name: str, comparison: Comparison) -> Figure:
    """By how much a rate is less than that of the baseline, over the scenarios that both have.

    Where one side has more values of some scenarios, as when repeats of hard ones were lost, the rates of
    both differ though no scenario changed. Then each scenario counts once, and the interval takes in both
    ways to count: neither trips a gate alone, nor keeps it.
    """
    if comparison.comparability.level == "INVALID":
        forbids = [one.reason for one in comparison.comparability.aspects if one.grade == "forbids"]
        return missing(f"cannot be compared: {'; '.join(forbids)}")
    measure = _measure(name, comparison)
    if isinstance(measure, str):
        return missing(measure)
    difference, before, now = measure.difference, measure.baseline, measure.current
    if difference is None or before is None or now is None:
        return missing(f"cannot be compared: {measure.note or 'one side has no answer'}")
    over = f"{difference.n} scenario{'' if difference.n == 1 else 's'}"
    rates = f"{percent(before)} to {percent(now)}"
    alike = measure.alike
    limits = _limits([difference] if alike is None else [difference, alike])
    if alike is None or abs(alike.value - difference.value) < EXACT:
        return Figure(-difference.value, f": {rates} over {over}", *limits)
    why = "as some have more values on one side"
    return Figure(-alike.value, f" with each of {over} counted once, {why}; over all values {rates}", *limits)


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
    if name == "evaluation":
        found = [one for one in comparison.measures if one.name == EVALUATION and one.family == "quality"]
        return found[0] if found else "was never measured in both: there is no soft check"
    criterion = name.removeprefix("criteria.")
    if criterion in comparison.criteria_changed:
        return "cannot be compared: the criterion was changed"
    judged = [one for one in comparison.measures if one.family == "quality" and one.name != EVALUATION]
    if found := [one for one in judged if one.name == criterion]:
        return found[0]
    for names, words in (
        (comparison.criteria_added, "the baseline was never judged by this criterion"),
        (comparison.criteria_removed, "only the baseline was judged by this criterion"),
    ):
        if criterion in names:
            return f"cannot be compared: {words}"
    return f"was never judged in both{did_you_mean(criterion, [one.name for one in judged])}"


EVALUATION = "evaluation rate"
"""The name of the measure over all soft checks."""


def _rise(name: str, results: ExperimentResults, baseline: ExperimentResults) -> Figure:
    """By which share of it a percentile is more than in the baseline, over all turns of each."""
    now, before = p95(name, results), p95(name, baseline)
    if now.value is None:
        return now
    if not before.value:
        why = "is 0, which nothing can be compared with" if before.value == 0 else before.about
        return missing(f"cannot be compared: the baseline {why}")
    unit: Unit = "seconds" if name == "latency_p95" else "tokens"
    told = [f"{amount(value, unit)}{one.about}" for one, value in ((before, before.value), (now, now.value))]
    return Figure(now.value / before.value - 1, f": {told[0]} to {told[1]}")
