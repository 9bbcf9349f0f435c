"""Whether an experiment keeps the gates that an operator declared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace

from grice.experiments.baselines import baselines_folder, folder_problem, known_baselines, means_a_run
from grice.experiments.gates.against_baseline import Baselines, NoBaselineError
from grice.experiments.gates.declared import GateOptions, declared_gates
from grice.experiments.gates.figures import Figure, figure_of
from grice.experiments.gates.gate_kinds import BUNDLES, kind_of, needs_baseline
from grice.experiments.gates.gate_texts import EXACT, figure_text, interval_text, wanted_text
from grice.experiments.gates.records import FINISHED, Gate, GateError, GateReport, GateResult
from grice.experiments.loading import read_experiment
from grice.experiments.results import ExperimentResults
from grice.experiments.unfinished import why_mixed, why_not_finished
from grice.files.settings import find_settings
from grice.running.journal.folders import runs_in
from grice.running.journal.form import JournalError
from grice.running.runs_folder import runs_folder
from grice.text import plural


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
    judged = [
        _judged(
            gate,
            baselines.figure(gate) if needs_baseline(gate.name) else figure_of(gate.name, results.attempts),
        )
        for gate in declared
    ]
    notes = (
        *(reasons if allow_unfinished else ()),
        *baselines.notes(),
        *_not_gated(declared, results),
        *_uncalibrated(results),
    )
    mixed = filter(None, (why_mixed(results),))
    summary = results.summary
    return GateReport(
        results.id,
        (*refused, *_beside_others(judged)),
        (*results.notes, *mixed, *notes),
        baselines.newly_failing(),
        tuple(summary.keys[id_] for id_, one in summary.attempts.of.items() if not one.passed),
    )


def _unfinished(reasons: Iterable[str]) -> GateResult:
    gate = Gate(FINISHED, 1.0, "at least", origin="every experiment")
    return GateResult(gate, passed=False, actual=None, found="; ".join(reasons), wanted="a whole experiment")


def _not_gated(gates: Sequence[Gate], results: ExperimentResults) -> list[str]:
    """That conversations failed, where no gate is on completion: such gates may hold all the same."""
    completion = results.summary.completion
    failed = completion.total - completion.passed
    if not failed or any(gate.name in ("completion", "regression.completion") for gate in gates):
        return []
    of = plural(completion.total, "conversation")
    return [f"{failed:,} of {of} did not pass, and no gate is on completion"]


def _uncalibrated(results: ExperimentResults) -> list[str]:
    number = results.summary.uncalibrated
    verdicts = "verdict is" if number == 1 else "verdicts are"
    return [f"{number} hard {verdicts} of judges that nobody compared with people"] if number else []


def _beside_others(judged: Sequence[GateResult]) -> list[GateResult]:
    """A gate of a bundle that does not apply is no failure where others of the bundle measured something."""
    measured = {one.gate.name.partition(".")[0] for one in judged if one.actual is not None} & BUNDLES.keys()
    return [
        replace(one, passed=True) if not one.applies and one.gate.name.partition(".")[0] in measured else one
        for one in judged
    ]


def _judged(gate: Gate, figure: Figure) -> GateResult:
    """The gate has to be kept by what was measured, and no more may be missing than `max_missing`."""
    allowed = gate.max_missing * figure.of if gate.max_missing < 1 else gate.max_missing
    whole = figure.missing <= allowed + EXACT
    told = GateResult(
        gate,
        passed=whole and _is_kept(gate, figure),
        actual=figure.value,
        found=figure.about,
        wanted=wanted_text(gate),
        missing=figure.missing,
        applies=figure.applies,
        low=figure.low,
        high=figure.high,
    )
    if figure.value is None:
        return told
    found = f"{figure_text(gate, figure.value)}{figure.about}"
    is_change = kind_of(gate).unit in ("drop", "fall")
    if figure.low is None or figure.high is None or _says_nothing(gate, figure.low, figure.high):
        if is_change or gate.rule != "point":
            found, told = f"{found}; too little is known", replace(told, passed=False)
    elif (is_change or gate.rule != "point") and figure.low < figure.high:  # something is left to chance
        told = _beside_chance(told, figure, interval_text(gate, figure.low, figure.high))
        found += ", which may be chance" if told.open or _may_be_chance(told, figure) else ""
    if figure.missing:
        found += f", {figure.missing:,} missing (max_missing {gate.max_missing:g})"
    return replace(told, found=found)


def _beside_chance(told: GateResult, figure: Figure, interval: str) -> GateResult:
    """With the interval that decides, and open where the gate is kept though the figure is not."""
    beyond = not _is_kept(replace(told.gate, rule="point"), figure)
    return replace(told, interval=interval, open=told.passed and beyond)


def _may_be_chance(told: GateResult, figure: Figure) -> bool:
    """Whether a figure that fails its gate leaves open that there is no change at all."""
    gate = told.gate
    beyond = gate.rule == "point" and not _is_kept(gate, figure)
    return beyond and _is_kept(replace(gate, limit=0.0, rule="shown"), figure)


def _says_nothing(gate: Gate, low: float, high: float) -> bool:
    """Whether the interval is everything that could be: then nothing can be shown, nor ruled out."""
    least, most = {"drop": (-1, 1), "fall": (-4, 4)}.get(kind_of(gate).unit, (0, 1))
    return low <= least + EXACT and high >= most - EXACT


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


def check_gates(
    experiment: ExperimentResults | str | Path = "latest",
    gates: Sequence[str] = (),
    *,
    bundles: Sequence[str] = (),
    baseline: str = "",
    rule: str = "",
    allow_unfinished: bool = False,
    max_missing: float | str = "",
    runs: Path | str | None = None,
) -> GateReport:
    """What came of the gates of `[tool.grice.gates]` and of these, such as `completion=0.8`.

    As `grice gate`, whose options the arguments are. `experiment` is the results of one, or what names a run.
    `runs` is where runs are kept. The report has `passed` and a result for each gate. Raises GateError where
    gates are declared wrongly or not at all, SettingsError, and JournalError where there is no such run; a
    baseline that is not there is no error: its gates are not kept.
    """
    if isinstance(gates, str):
        raise TypeError(f"gates: expected a list of them, found the text {gates!r}")
    options = GateOptions(tuple(gates), tuple(bundles), baseline, rule, allow_unfinished, str(max_missing))
    report = held_to_gates(experiment, options, runs=runs)
    if not report.results:
        raise GateError(
            "no gate is declared: give one, such as 'completion=0.8', or write [tool.grice.gates]"
        )
    return report


def held_to_gates(
    experiment: ExperimentResults | str | Path, options: GateOptions, *, runs: Path | str | None = None
) -> GateReport:
    """The same for a command line; a report without results where no gate is declared."""
    declared = declared_gates(find_settings(Path.cwd()), options)
    folder = runs_folder(runs)
    if not declared.gates:
        return GateReport("", ())
    if isinstance(experiment, ExperimentResults):
        results = experiment
    else:
        results = read_experiment(experiment, runs=folder, named=False)

    def find_baseline(wanted: str) -> ExperimentResults:
        try:
            return read_experiment(wanted, runs=folder, other_than=results.id)
        except JournalError:
            kept = baselines_folder()
            others = folder.is_dir() and any(head.id != results.id for _, head in runs_in(folder).runs)
            if others or known_baselines(kept) or folder_problem(kept):
                raise
            name = "main" if means_a_run(wanted) else wanted
            said = f"no baseline yet: commit one with `grice baseline {name}`"
            raise NoBaselineError(said) from None

    return judge_gates(declared.gates, results, find_baseline, allow_unfinished=declared.allow_unfinished)
