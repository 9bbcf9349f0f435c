"""The work of `grice gate`: whether an experiment keeps the thresholds that its operator declared."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from grice.cli.exit_codes import FAILED, NOBODY_READS, PASSED, UNUSABLE
from grice.cli.output import print_unwritten
from grice.cli.shown_document import check_forms, show_document, wrong_forms
from grice.experiments.gates.declared import GateOptions
from grice.experiments.gates.judging import held_to_gates
from grice.experiments.gates.records import GateError, GateReport
from grice.files.settings_files import SettingsError
from grice.reporting.console import console_for, print_problem
from grice.reporting.documents.gates import gates_document, gates_json
from grice.reporting.renderers.html import NoJinja
from grice.running.journal.form import JournalError

if TYPE_CHECKING:
    from grice.cli.gate import Arguments


_NOTHING = """\
no gate is declared: nothing would be demanded of the run. Declare one in pyproject.toml
(in grice.toml the table is [gates]):

  [tool.grice.gates]
  completion = 0.8

or for once: grice gate --gate completion=0.8"""


def gate_run(arguments: Arguments) -> int:
    """Hold the run to the gates and say what came of each; the exit code."""
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    if problem := wrong_forms(arguments):
        print_problem(errors, f"error: {problem}")
        return UNUSABLE
    try:
        check_forms(arguments, "gates")
        report = _report(arguments)
        show_document(arguments, gates_document(report), lambda: gates_json(report), console)
    except (GateError, SettingsError, JournalError, NoJinja) as error:
        for line in str(error).split("\n") if isinstance(error, GateError) else [str(error)]:
            print_problem(errors, f"error: {line}")
        return UNUSABLE
    except OSError as error:
        print_unwritten(errors, "report", error)
        return UNUSABLE
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
    report = held_to_gates(arguments.run, options, runs=arguments.runs)
    if not report.results:
        raise SettingsError(_NOTHING)
    return report
