"""`grice scan`: scan logs and show what was found."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from grice.cli.exit_codes import FAILED, PASSED, UNUSABLE
from grice.cli.output import write_output
from grice.files.writing import check_output
from grice.reporting.console import console_for, print_line, print_problem
from grice.reporting.document import Document
from grice.reporting.documents.findings import check_problems, checks_document, scan_document, scan_problems
from grice.reporting.renderers.markdown import document_markdown
from grice.reporting.renderers.terminal import print_document
from grice.scanning import FindingsFile, ScanReport, scan
from grice.scanning.report import Finding
from grice.text import visible

if TYPE_CHECKING:  # a scan without checks does not load them
    from grice.cli.scan import Arguments
    from grice.scanning.check_report import CheckReport

__all__ = ["scan_files", "scan_files_with"]

OnFinding = Callable[[Finding], object] | None
_Report = TypeVar("_Report", "ScanReport", "CheckReport")

JUDGE_LEFT_OUT = (
    '[tool.grice] entailment = "judge": a scan asks no LLM, so that only rules look for contradictions'
)


def scan_files(given: Arguments) -> int:
    """Scan, print the report, write the findings to a file; the exit code."""
    files, json = given.files, given.json
    try:
        report = _written(json, files, lambda on_finding: scan(files, on_finding=on_finding))
    except OSError as error:
        return _unwritable(error, json)
    problems = scan_problems(report)
    return _ended(given, scan_document(report, problems if given.markdown else ()), problems, report.found)


def scan_files_with(given: Arguments) -> int:
    """The same with checks: names of rules, matchers or groups with commas, or a file of checks.

    The exit code is 2 also for checks that broke or could tell nothing.
    """
    files, json, checks = given.files, given.json, given.checks or ""
    from grice.checks.rule_names import UnknownCheck
    from grice.cli.named_checks import import_matchers, registered
    from grice.files.document import FileErrors
    from grice.files.settings import find_settings
    from grice.files.settings_files import SettingsError
    from grice.matching.recording import EMBEDDER, ENTAILMENT
    from grice.running.embedders import embedder_of
    from grice.running.entailments import BY_JUDGE, entailment_of
    from grice.scanning.check_choice import choose_checks, is_file
    from grice.scanning.checked_scanner import scan_checks

    try:
        settings = find_settings(Path.cwd())
        embedder = embedder_of(settings) if settings is not None else None
        entailment = entailment_of(settings) if settings is not None else None
        import_matchers()
        names = checks if is_file(checks) else ",".join(map(registered, checks.split(",")))
        choice = choose_checks(names, given.profile)
        if settings is not None and settings.entailment == BY_JUDGE:
            print_problem(console_for(sys.stderr), f"note: {JUDGE_LEFT_OUT}")
        tokens = EMBEDDER.set(embedder), ENTAILMENT.set(entailment)
        try:
            report = _written(json, files, lambda seen: scan_checks(files, choice, on_finding=seen))
        finally:
            EMBEDDER.reset(tokens[0])
            ENTAILMENT.reset(tokens[1])
    except FileErrors as wrong:
        for error in wrong.errors:
            print_problem(console_for(sys.stderr), f"error: {error}")
        return UNUSABLE
    except (UnknownCheck, SettingsError) as wrong_name:
        print_problem(console_for(sys.stderr), f"error: {wrong_name}")
        return UNUSABLE
    except OSError as error:
        return _unwritable(error, json)
    problems = check_problems(report)
    return _ended(given, checks_document(report, problems if given.markdown else ()), problems, report.found)


def _written(json: Path | None, files: Sequence[Path], scanned: Callable[[OnFinding], _Report]) -> _Report:
    """The report of the scan, its findings written to `json` while it goes on. Raises OSError."""
    if json is None:
        return scanned(None)
    check_output(json, files)
    with FindingsFile(json) as output:
        report = scanned(output.write)
        output.finish(report)
    return report


def _unwritable(error: OSError, json: Path | None) -> int:
    reason = str(error) if error.strerror is None else f"{json}: {error.strerror}"
    print_problem(console_for(sys.stderr), f"error: the findings cannot be written: {reason}")
    return UNUSABLE


def _ended(given: Arguments, document: Document, problems: list[str], found: bool) -> int:
    """Show the document, say where the findings are and what went wrong; the exit code."""
    console = console_for(sys.stdout)
    if given.markdown:
        write_output(console, document_markdown(document).encode(errors="backslashreplace"))
    else:
        print_document(console, document)
        if given.json is not None:
            console.print()
            print_line(console, f"All findings: {visible(str(given.json), newlines=False)}")
    for problem in problems:
        print_problem(console_for(sys.stderr), f"error: {problem}")
    if problems:
        return UNUSABLE
    return FAILED if found and given.fail_on_findings else PASSED
