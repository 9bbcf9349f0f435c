"""Whether an experiment keeps the gates that an operator declared."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from grice.experiments.gates.against_baseline import Baselines
from grice.experiments.gates.figure import Figure
from grice.experiments.gates.figures import figure_of
from grice.experiments.gates.kinds import kind_of, needs_baseline
from grice.experiments.gates.records import FINISHED, Gate, GateReport, GateResult
from grice.experiments.gates.words import EXACT, figure_text, interval_text, wanted_text
from grice.experiments.mixed import why_mixed
from grice.experiments.results import ExperimentResults
from grice.experiments.unfinished import why_not_finished

__all__ = ["judge_gates"]


def judge_gates(
    gates: Iterable[Gate],
    results: ExperimentResults,
    find_baseline: Callable[[str], ExperimentResults],
    *,
    allow_unfinished: bool = False,
) -> GateReport:
    """A result for each gate; what was never measured keeps none.

    `find_baseline` gives the experiment that a baseline names, and raises JournalError where there is none.
    An experiment that is not finished, or not wholly readable, fails whatever its figures are, unless
    `allow_unfinished`. Without gates there are no results, and the report does not pass.
    """
    declared = tuple(gates)
    baselines = Baselines(results, find_baseline)
    reasons = why_not_finished(results)
    refused = (_unfinished(reasons),) if reasons and declared and not allow_unfinished else ()
    judged = tuple(
        _judged(gate, baselines.figure(gate) if needs_baseline(gate.name) else figure_of(gate.name, results))
        for gate in declared
    )
    notes = (*(reasons if allow_unfinished else ()), *baselines.notes(), *_uncalibrated(results))
    mixed = filter(None, (why_mixed(results),))
    return GateReport(results.id, (*refused, *judged), (*results.notes, *mixed, *notes))


def _unfinished(reasons: Iterable[str]) -> GateResult:
    gate = Gate(FINISHED, 1.0, "at least", origin="every experiment")
    return GateResult(
        gate, passed=False, actual=None, found="; ".join(reasons), wanted="a whole experiment", missing=True
    )


def _uncalibrated(results: ExperimentResults) -> list[str]:
    number = results.summary.uncalibrated
    verdicts = "verdict is" if number == 1 else "verdicts are"
    return [f"{number} hard {verdicts} of judges that nobody compared with people"] if number else []


def _judged(gate: Gate, figure: Figure) -> GateResult:
    """The gate has to be kept by what was measured, and by that with what is missing counted against it."""
    if figure.value is None:
        wanted = wanted_text(gate)
        return GateResult(gate, passed=False, actual=None, found=figure.about, wanted=wanted, missing=True)
    measured = _is_kept(gate, figure)
    decides = figure.worst if measured and figure.worst is not None else figure
    told = GateResult(
        gate,
        passed=_is_kept(gate, decides),
        actual=figure.value,
        found="; ".join(f"{_told(gate, one)}{one.about}" for one in (figure, figure.worst) if one),
        wanted=wanted_text(gate),
        low=decides.low,
        high=decides.high,
        worst=figure.worst and figure.worst.value,
    )
    told = replace(told, missing=measured and not told.passed)
    is_drop = kind_of(gate).unit == "drop"
    if decides.low is None or decides.high is None or _says_nothing(gate, decides.low, decides.high):
        return _unknown(told) if is_drop or gate.rule != "point" else told
    if (gate.rule == "point" and not is_drop) or decides.low == decides.high:  # nothing is left to chance
        return told
    told = replace(told, found=f"{told.found}; {interval_text(gate, decides.low, decides.high)}")
    return _perhaps_chance(told, decides)


def _unknown(told: GateResult) -> GateResult:
    rule = "" if told.gate.rule == "point" else f" for the rule {told.gate.rule}"
    return replace(told, passed=False, found=f"{told.found}; too little is known{rule}", missing=True)


def _perhaps_chance(told: GateResult, decides: Figure) -> GateResult:
    """Say of a figure beyond its limit that it may be chance; whether it passes is for the rule to say."""
    gate = told.gate
    if gate.rule == "shown" and told.passed and not _is_kept(replace(gate, rule="point"), decides):
        return replace(told, open=True, found=f"{told.found}, which may be chance")
    if gate.rule == "point" and not told.passed and _is_kept(replace(gate, limit=0.0, rule="shown"), decides):
        return replace(told, found=f"{told.found}, which may be chance")
    return told


def _told(gate: Gate, figure: Figure) -> str:
    return "" if figure.value is None else figure_text(gate, figure.value)


def _says_nothing(gate: Gate, low: float, high: float) -> bool:
    """Whether the interval is everything that could be: then nothing can be shown, nor ruled out."""
    least = -1 if kind_of(gate).unit == "drop" else 0
    return low <= least + EXACT and high >= 1 - EXACT


def _is_kept(gate: Gate, figure: Figure) -> bool:
    """Whether the end of the interval that the rule looks at, or the figure itself, is within the limit."""
    value = figure.value
    if value is None:
        return False
    low = value if figure.low is None else figure.low
    high = value if figure.high is None else figure.high
    best, worst = (high, low) if gate.bound == "at least" else (low, high)
    told = {"point": value, "shown": best, "ruled_out": worst}[gate.rule]
    if gate.bound == "below":
        return told < gate.limit
    return told >= gate.limit - EXACT if gate.bound == "at least" else told <= gate.limit + EXACT
