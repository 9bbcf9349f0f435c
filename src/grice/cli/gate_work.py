"""The work of `grice gate`: whether an experiment keeps the thresholds that its operator declared."""

from __future__ import annotations

from grice.cli.exit_codes import FAILED, NOBODY_READS, PASSED
from grice.cli.gate import Command
from grice.cli.shown_document import check_forms, run_showing, show_document, wrong_forms
from grice.experiments.gates.declared import GateOptions
from grice.experiments.gates.judging import held_to_gates
from grice.experiments.gates.records import GateError, GateReport
from grice.files.settings_files import SettingsError
from grice.reporting.console import Screen
from grice.reporting.documents.gates import gates_document, gates_json

_NOTHING = """\
no gate is declared: nothing would be demanded of the run. Declare one in pyproject.toml
(in grice.toml the table is [gates]):

  [tool.grice.gates]
  completion = 0.8

or for once: grice gate --gate completion=0.8"""


def gate_run(arguments: Command) -> int:
    """Hold the run to the gates and say what came of each; the exit code."""

    def show(console: Screen, _: Screen) -> int:
        check_forms(arguments, "gates")
        report = _report(arguments)
        show_document(arguments, gates_document(report), lambda: gates_json(report), console)
        return NOBODY_READS if console.quiet else PASSED if report.passed else FAILED

    return run_showing("report", show, wrong_usage=wrong_forms(arguments))


def _report(arguments: Command) -> GateReport:
    options = GateOptions(
        arguments.gates,
        arguments.bundle,
        arguments.baseline,
        arguments.rule,
        arguments.allow_unfinished,
        arguments.max_missing,
    )
    try:
        report = held_to_gates(arguments.run, options, runs=arguments.runs)
    except GateError as error:  # a line for each mistake
        raise SettingsError(str(error).replace("\n", "\nerror: ")) from error
    if not report.results:
        raise SettingsError(_NOTHING)
    return report
