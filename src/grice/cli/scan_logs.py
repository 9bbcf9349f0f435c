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
    from grice.scanning.check_report import CheckReport

__all__ = ["scan_files", "scan_files_with"]

OnFinding = Callable[[Finding], object] | None
_Report = TypeVar("_Report", "ScanReport", "CheckReport")

JUDGE_LEFT_OUT = (
    '[tool.grice] entailment = "judge": a scan asks no LLM, so that only rules look for contradictions'
)


def scan_files(
    files: Sequence[Path],
    json: Path | None = None,
    *,
    markdown: bool = False,
    fail_on_findings: bool = False,
) -> int:
    """Scan, print the report, as Markdown where it is asked for, write the findings to `json`; the exit code.

    0: scanned, with or without findings. 1: findings, with `fail_on_findings`. 2: a file could not be read,
    nothing was examined, or the findings could not be written.
    """
    try:
        report = _written(json, files, lambda on_finding: scan(files, on_finding=on_finding))
    except OSError as error:
        return _unwritable(error, json)
    problems = scan_problems(report)
    _show(scan_document(report, problems if markdown else ()), markdown)
    return _ended(None if markdown else json, problems, report.found and fail_on_findings)


def scan_files_with(
    checks: str,
    files: Sequence[Path],
    json: Path | None = None,
    *,
    profile: str = "",
    markdown: bool = False,
    fail_on_findings: bool = False,
) -> int:
    """The same with `checks`: names of rules, matchers or groups with commas, or a file of checks.

    2 also for names that are unknown, a file that is wrong, and checks that broke or could tell nothing.
    """
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
        choice = choose_checks(names, profile)
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
    _show(checks_document(report, problems if markdown else ()), markdown)
    return _ended(None if markdown else json, problems, report.found and fail_on_findings)


def _show(document: Document, markdown: bool) -> None:
    console = console_for(sys.stdout)
    if markdown:
        write_output(console, document_markdown(document).encode())
    else:
        print_document(console, document)


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


def _ended(json: Path | None, problems: list[str], failing: bool) -> int:
    """Say where the findings are and what went wrong; the exit code."""
    if json is not None:
        console = console_for(sys.stdout)
        console.print()
        print_line(console, f"All findings: {visible(str(json), newlines=False)}")
    for problem in problems:
        print_problem(console_for(sys.stderr), f"error: {problem}")
    if problems:
        return UNUSABLE
    return FAILED if failing else PASSED
