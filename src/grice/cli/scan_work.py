"""The work of `grice scan`: scan logs and show what was found."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from grice.checks.tool_flow.labels import LABELS
from grice.cli.exit_codes import FAILED, PASSED, UNUSABLE
from grice.cli.log_mapping import NotMapped, mapped_logs
from grice.cli.output import print_unwritten
from grice.cli.shown_document import check_forms, print_where, show_document
from grice.reporting.console import console_for, print_line, print_problem
from grice.reporting.document import Document
from grice.reporting.documents.findings import check_problems, checks_document, scan_document, scan_problems
from grice.reporting.renderers.html import NoJinja
from grice.scanning import FindingsFile, ScanReport, scan
from grice.scanning.report import Finding
from grice.text import visible

if TYPE_CHECKING:  # a scan without checks does not load them
    from grice.cli.scan import Arguments
    from grice.scanning.check_report import CheckReport
    from grice.scanning.kept_scan import FindingSample


OnFinding = Callable[[Finding], object] | None
_Report = TypeVar("_Report", "ScanReport", "CheckReport")

JUDGE_LEFT_OUT = (
    '[tool.grice] entailment = "judge": a scan asks no LLM, so that only rules look for contradictions'
)


def scan_files(given: Arguments) -> int:
    """Scan, print the report, write the findings to a file; the exit code."""
    try:
        logs = mapped_logs(given.files, given.map)
        sample = _sample(given)
        kept = sample.add if sample else None
        report = _written(
            given,
            lambda seen: scan(logs.files, mappings=logs.mappings, on_finding=seen, on_conversation=kept),
        )
        _keep(sample, report, dict.fromkeys(LABELS, ("tool-flow", "seed")))
        return _ended(given, scan_document(report), scan_problems(report), report.found)
    except NotMapped:
        return UNUSABLE
    except (OSError, NoJinja) as error:
        return _unwritable(error)


def scan_files_with(given: Arguments) -> int:
    """The same with checks: names of rules, matchers or groups with commas, or a file of checks.

    The exit code is 2 also for checks that broke or could tell nothing.
    """
    checks = given.checks or ""
    from grice.checks.rule_names import UnknownCheck
    from grice.cli.named_checks import import_matchers, registered
    from grice.files.document import FileErrors
    from grice.files.settings import find_settings
    from grice.files.settings_files import SettingsError
    from grice.matching.recording import EMBEDDER, ENTAILMENT
    from grice.running.embedders import embedder_of
    from grice.running.entailments import BY_JUDGE, entailment_of
    from grice.running.vocabularies import bring_vocabulary_in_force
    from grice.scanning.check_choice import choose_checks, is_file
    from grice.scanning.checked_scanner import scan_checks

    try:
        settings = find_settings(Path.cwd())
        if settings is not None:
            bring_vocabulary_in_force(settings)
        embedder = embedder_of(settings) if settings is not None else None
        entailment = entailment_of(settings) if settings is not None else None
        import_matchers()
        names = checks if is_file(checks) else ",".join(map(registered, checks.split(",")))
        choice = choose_checks(names, given.profile)
        if settings is not None and settings.entailment == BY_JUDGE:
            print_problem(console_for(sys.stderr), f"note: {JUDGE_LEFT_OUT}")
        tokens = EMBEDDER.set(embedder), ENTAILMENT.set(entailment)
        try:
            logs = mapped_logs(given.files, given.map)
            sample = _sample(given)
            kept = sample.add if sample else None
            report = _written(
                given,
                lambda seen: scan_checks(
                    logs.files, choice, mappings=logs.mappings, on_finding=seen, on_conversation=kept
                ),
            )
            _keep(sample, report, {one.label: one.rule for one in choice.checks})
        finally:
            EMBEDDER.reset(tokens[0])
            ENTAILMENT.reset(tokens[1])
        return _ended(given, checks_document(report), check_problems(report), report.found)
    except FileErrors as wrong:
        for error in wrong.errors:
            print_problem(console_for(sys.stderr), f"error: {error}")
        return UNUSABLE
    except NotMapped:
        return UNUSABLE
    except (UnknownCheck, SettingsError) as wrong_name:
        print_problem(console_for(sys.stderr), f"error: {wrong_name}")
        return UNUSABLE
    except (OSError, NoJinja) as error:
        return _unwritable(error)


def _written(given: Arguments, scanned: Callable[[OnFinding], _Report]) -> _Report:
    """The report of the scan, its findings written to `--json` while it goes on. Raises OSError, NoJinja."""
    check_forms(given, "findings", given.files)
    if given.json is None:
        return scanned(None)
    with FindingsFile(given.json) as output:
        report = scanned(output.write)
        output.finish(report)
    return report


def _sample(given: Arguments) -> FindingSample | None:
    """What draws the findings that are kept, None where nothing is."""
    if not given.keep:
        return None
    from grice.scanning.kept_scan import FindingSample

    return FindingSample()


def _keep(
    sample: FindingSample | None, report: ScanReport | CheckReport, rules: Mapping[str, tuple[str, str]]
) -> None:
    """Keep the scan in the project around this folder, and say so on standard error. Raises OSError."""
    if sample is None:
        return
    from grice.files.settings import find_settings
    from grice.scanning.kept_scan import SCANS, new_scan_id, write_scan

    settings = find_settings(Path.cwd())
    root = Path.cwd() if settings is None else settings.root
    where = write_scan(root / SCANS, new_scan_id(), report, sample, rules)
    shown = where.relative_to(Path.cwd()) if where.is_relative_to(Path.cwd()) else where
    print_line(console_for(sys.stderr), f"kept: {visible(str(shown), newlines=False)}; grice serve shows it")


def _unwritable(error: OSError | NoJinja) -> int:
    errors = console_for(sys.stderr)
    if isinstance(error, NoJinja):
        print_problem(errors, f"error: {error}")
    else:
        print_unwritten(errors, "findings", error)
    return UNUSABLE


def _ended(given: Arguments, document: Document, problems: list[str], found: bool) -> int:
    """Show the document, say where the findings are and what went wrong; the exit code."""
    console = console_for(sys.stdout)
    show_document(given.but(json=None), document, bytes, console, problems)
    print_where(given, console)
    for problem in problems:
        print_problem(console_for(sys.stderr), f"error: {problem}")
    if problems:
        return UNUSABLE
    return FAILED if found and given.fail_on_findings else PASSED
