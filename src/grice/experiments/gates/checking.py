"""`grice.check_gates`: an experiment held to gates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grice.experiments.baselines import baselines_folder, folder_problem, known_baselines, means_a_run
from grice.experiments.gates.against_baseline import NoBaselineError
from grice.experiments.gates.declared import GateOptions, declared_gates
from grice.experiments.gates.judging import judge_gates
from grice.experiments.gates.records import GateError, GateReport
from grice.experiments.reading import read_experiment
from grice.experiments.results import ExperimentResults
from grice.files.settings import find_settings
from grice.running.journal.folders import runs_in
from grice.running.journal.form import JournalError
from grice.running.runs_folder import runs_folder

__all__ = ["check_gates", "held_to_gates"]


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
