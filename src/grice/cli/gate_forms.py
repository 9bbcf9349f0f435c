"""`grice gate`: whether an experiment keeps the thresholds that its operator declared."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.console import Console

from grice.cli.exit_codes import FAILED, NOBODY_READS, PASSED, UNUSABLE
from grice.cli.options import document_problem, printed
from grice.cli.output import check_json, print_unwritten, write_json, write_output
from grice.experiments.gates.checking import held_to_gates
from grice.experiments.gates.declared import GateOptions
from grice.experiments.gates.records import GateError, GateReport
from grice.files.settings_files import SettingsError
from grice.files.writing import check_output
from grice.reporting.console import console_for, print_problem
from grice.reporting.documents.gates import gates_document, gates_json
from grice.reporting.renderers.markdown import document_markdown, mark_of
from grice.reporting.renderers.terminal import print_document
from grice.running.journal.form import JournalError

if TYPE_CHECKING:
    from grice.cli.gate import Arguments

__all__ = ["gate_run"]

_NOTHING = """\
no gate is declared: nothing would be demanded of the run. Declare one in pyproject.toml
(in grice.toml the table is [gates]):

  [tool.grice.gates]
  completion = 0.8

or for once: grice gate --gate completion=0.8"""


def gate_run(arguments: Arguments) -> int:
    """Hold the run to the gates and say what came of each; the exit code."""
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    problem = document_problem(arguments.json, arguments.output, markdown=arguments.markdown)
    if problem:
        print_problem(errors, f"error: {problem}")
        return UNUSABLE
    try:
        _check_outputs(arguments)
        report = _report(arguments)
        _show(arguments, report, console)
        if arguments.step_summary:
            from grice.reporting.step_summary import append_step_summary

            append_step_summary(document_markdown(gates_document(report)))
    except (GateError, SettingsError, JournalError) as error:
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


def _show(arguments: Arguments, report: GateReport, console: Console) -> None:
    if arguments.markdown:
        write_output(console, document_markdown(gates_document(report)).encode(), arguments.output)
    elif not printed(arguments.json):
        print_document(console, gates_document(report))
    if arguments.json is not None:
        write_json(console, gates_json(report), arguments.json)


def _check_outputs(arguments: Arguments) -> None:
    """Raise OSError where nothing can be written; Markdown of earlier gates may be written over."""
    check_json(arguments.json)
    output = arguments.output
    if output is not None and output.is_file():
        mark = mark_of("gates").encode()
        with output.open("rb") as stream:
            if stream.read(len(mark)) == mark:
                return
    if output is not None:
        check_output(output)
