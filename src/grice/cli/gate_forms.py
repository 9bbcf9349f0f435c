"""`grice gate`: whether an experiment keeps the thresholds that its operator declared."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console

from grice.cli.exit_codes import FAILED, NOBODY_READS, PASSED, UNUSABLE
from grice.cli.options import printed
from grice.cli.output import check_html, check_json, print_unwritten, write_html, write_json, write_output
from grice.experiments.gates.checking import held_to_gates
from grice.experiments.gates.declared import GateOptions
from grice.experiments.gates.records import GateError, GateReport
from grice.files.settings_files import SettingsError
from grice.files.writing import check_output
from grice.reporting.console import console_for, print_problem
from grice.reporting.documents.gates import gates_document, gates_json
from grice.reporting.renderers.html import NoJinja
from grice.reporting.renderers.markdown import document_markdown, mark_of
from grice.reporting.renderers.terminal import print_document
from grice.running.journal.form import JournalError

__all__ = ["GateArguments", "gate_run"]

_NOTHING = """\
no gate is declared: nothing would be demanded of the run. Declare one in pyproject.toml
(in grice.toml the table is [gates]):

  [tool.grice.gates]
  completion = 0.8

or for once: grice gate --gate completion=0.8"""


@dataclass(frozen=True)
class GateArguments:
    """What the command line says."""

    run: str = "latest"
    options: GateOptions = field(default_factory=GateOptions)
    html: Path | None = None
    json: Path | None = None
    markdown: bool = False
    output: Path | None = None
    step_summary: bool = False
    runs: Path | None = None


def gate_run(arguments: GateArguments) -> int:
    """Hold the run to the gates and say what came of each; the exit code.

    0: all are kept. 1: one is not, or what it needs was never measured. 2: no gate is declared, or wrongly,
    no such run, or the output cannot be written. 141: nobody reads the output any more.
    """
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    problem = _wrong_usage(arguments)
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


def _wrong_usage(arguments: GateArguments) -> str:
    if printed(arguments.json) and arguments.markdown:
        return "--json - and --markdown exclude each other"
    if arguments.output is not None and not arguments.markdown:
        return "--output goes with --markdown; for the text use > FILE"
    return ""


def _report(arguments: GateArguments) -> GateReport:
    report = held_to_gates(arguments.run, arguments.options, runs=arguments.runs)
    if not report.results:
        raise SettingsError(_NOTHING)
    return report


def _show(arguments: GateArguments, report: GateReport, console: Console) -> None:
    if arguments.markdown:
        write_output(console, document_markdown(gates_document(report)).encode(), arguments.output)
    elif not printed(arguments.json):
        print_document(console, gates_document(report))
    write_html(gates_document(report), arguments.html)
    if arguments.json is not None:
        write_json(console, gates_json(report), arguments.json)


def _check_outputs(arguments: GateArguments) -> None:
    """Raise OSError where nothing can be written; Markdown of earlier gates may be written over."""
    check_json(arguments.json)
    check_html(arguments.html)
    output = arguments.output
    if output is not None and output.is_file():
        mark = mark_of("gates").encode()
        with output.open("rb") as stream:
            if stream.read(len(mark)) == mark:
                return
    if output is not None:
        check_output(output)
