"""The work of `grice gate`: whether an experiment keeps the thresholds that its operator declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from grice.cli.exit_codes import FAILED, NOBODY_READS, PASSED, UNUSABLE
from grice.cli.shown_document import check_forms, show_document, shows
from grice.experiments.gates.declared import GateOptions
from grice.experiments.gates.judging import held_to_gates
from grice.experiments.gates.records import GateError, GateReport
from grice.files.settings_files import SettingsError
from grice.reporting.console import print_problem
from grice.reporting.documents.gates import gates_document, gates_json
from grice.running.journal.form import JournalError

if TYPE_CHECKING:
    from grice.cli.gate import Arguments


_NOTHING = """\
no gate is declared: nothing would be demanded of the run. Declare one in pyproject.toml
(in grice.toml the table is [gates]):

  [tool.grice.gates]
  completion = 0.8

or for once: grice gate --gate completion=0.8"""


@shows("report", GateError, SettingsError, JournalError)
def gate_run(arguments: Arguments, console: Console, errors: Console) -> int:
    """Hold the run to the gates and say what came of each; the exit code."""
    check_forms(arguments, "gates")
    report = _report(arguments)
    if not report.results:
        print_problem(errors, f"error: {_NOTHING}")
        return UNUSABLE
    show_document(arguments, gates_document(report), lambda: gates_json(report), console)
    if console.quiet:
        return NOBODY_READS
    return PASSED if report.passed else FAILED


def _report(arguments: Arguments) -> GateReport:
    options = GateOptions(
        arguments.gates,
        arguments.bundle,
        arguments.baseline,
        arguments.rule,
        arguments.allow_unfinished,
        arguments.max_missing,
    )
    return held_to_gates(arguments.run, options, runs=arguments.runs)
