"""`grice scan`: scan logs and show what was found."""

from __future__ import annotations

import sys
from pathlib import Path

from grice.reporting.console import console_for, print_line, print_problem
from grice.scanning import FindingsFile, ScanReport, scan
from grice.scanning.console import print_report, problems_of
from grice.suites.writing import check_output
from grice.text import visible

__all__ = ["scan_files"]


def scan_files(files: list[Path], json: Path | None = None, *, fail_on_findings: bool = False) -> int:
    """Scan, print the report, write the findings to `json`; the exit code.

    0: scanned, with or without findings. 1: findings, with `fail_on_findings`. 2: a file could not be read,
    nothing was examined, or the findings could not be written.
    """
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    try:
        report = _scan(files, json)
    except OSError as error:
        reason = str(error) if error.strerror is None else f"{json}: {error.strerror}"
        print_problem(errors, f"error: the findings cannot be written: {reason}")
        return 2
    print_report(console, report)
    if json is not None:
        console.print()
        print_line(console, f"All findings: {visible(str(json), newlines=False)}")
    for problem in problems_of(report):
        print_problem(errors, f"error: {problem}")
    if not report.complete:
        return 2
    return 1 if fail_on_findings and report.found else 0


def _scan(files: list[Path], json: Path | None) -> ScanReport:
    if json is None:
        return scan(files)
    check_output(json, files)
    with FindingsFile(json) as output:
        report = scan(files, on_finding=output.write)
        output.finish(report)
    return report
