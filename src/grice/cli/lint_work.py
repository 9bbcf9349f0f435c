"""The work of `grice lint`: lint the message arrays in files, and show what was found."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import cast

import msgspec

from grice.checks.message_lint import DIALECTS, RULES, Dialect, LintFinding
from grice.checks.message_lint.entry import lint
from grice.cli.exit_codes import FAILED, PASSED, UNUSABLE
from grice.cli.lint import Command
from grice.cli.lint_files import Problem, Subject, read_subjects
from grice.cli.shown_document import check_forms, print_where, run_showing, show_document
from grice.formats import FormatError
from grice.formats.lines import Unreadable, name_of
from grice.identity import redact_text
from grice.records.codec import encode
from grice.reporting.console import Screen, print_line, print_problem, screen_for
from grice.reporting.documents.lint import Linted, LintReport, lint_document
from grice.text import did_you_mean, plural, shorten

_VERSION = 1
_MAX_PROBLEMS = 10
_MAX_PATH = 200


class _Tally:
    """What was examined."""

    def __init__(self) -> None:
        self.arrays = 0
        self.without = 0
        self.problems: list[str] = []
        self.found: list[Linted] = []

    def report(self, files: Sequence[Path]) -> LintReport:
        """What came out, and that nothing did."""
        if not self.arrays and not self.problems:
            held = plural(self.without, "conversation")
            self.problems.append(f"nothing was examined: no request to a model is recorded in {held}")
        names = tuple(map(name_of, files))
        return LintReport(names, self.arrays, self.without, tuple(self.found), tuple(self.problems))


def list_rules() -> int:
    """Show every rule with its severity and what it finds; the exit code."""
    console = screen_for(sys.stdout)
    width = max(map(len, RULES)) + 2
    for rule in RULES.values():
        severities = {rule.severity_for(dialect) for dialect in DIALECTS}
        start = f"{rule.name:<{width}}{' or '.join(sorted(severities)):<18}"
        print_line(console, rule.finds, indent=start, hanging=" " * len(start))
    return PASSED


def lint_files(given: Command) -> int:
    """Lint every message array in the files, print the findings, write them to a file; the exit code."""

    def show(console: Screen, errors: Screen) -> int:
        tally = _Tally()
        check_forms(given, "findings", given.files)
        for file in given.files:
            _lint_file(tally, file, cast("Dialect | None", given.dialect or None), given.ignore)
        report = tally.report(given.files)
        show_document(given, lint_document(report), lambda: _as_json(report), console, report.problems)
        print_where(given, console)
        for problem in report.problems:
            print_problem(errors, f"error: {problem}")
        found = report.count("error") or (given.fail_on_warnings and report.count("warning"))
        return UNUSABLE if report.problems else FAILED if found else PASSED

    return run_showing("findings", show, wrong_usage=_wrong_usage(given))


def _wrong_usage(given: Command) -> str:
    if not given.files:
        return "FILE... is missing: name the files, or list the rules with --rules"
    for name in given.ignore:
        if name not in RULES:
            return f"unknown rule {name!r}{did_you_mean(name, RULES)}; grice lint --rules lists them"
    return ""


def _lint_file(tally: _Tally, file: Path, dialect: Dialect | None, ignore: Collection[str]) -> None:
    name = name_of(file)
    examined = tally.arrays + tally.without
    problems: list[str] = []
    try:
        for part in read_subjects(file):
            try:
                if isinstance(part, Problem):
                    raise FormatError(part.reason)
                _lint_subject(tally, name, part, dialect, ignore)
            except FormatError as error:
                place = f"{name}:{part.line}" if part.line else name
                problems.append(f"{place}: {redact_text(str(error))}")
    except Unreadable as error:
        problems.append(f"{name}: {error}")
    if examined == tally.arrays + tally.without and not problems:
        problems.append(f"{name}: nothing was examined: the file is empty")
    tally.problems += problems[:_MAX_PROBLEMS]
    if len(problems) > _MAX_PROBLEMS:
        tally.problems.append(f"{name}: and {len(problems) - _MAX_PROBLEMS:,} more")


def _lint_subject(
    tally: _Tally, file: str, subject: Subject, dialect: Dialect | None, ignore: Collection[str]
) -> None:
    if subject.array is None:
        tally.without += 1
        return
    findings = lint(subject.array, dialect, subject.user, subject.calls, subject.earlier)
    tally.arrays += 1
    name = redact_text(subject.name)
    tally.found += [
        Linted(file, subject.line, name, _redacted(one)) for one in findings if one.rule not in ignore
    ]


def _redacted(finding: LintFinding) -> LintFinding:
    path = shorten(redact_text(finding.path), _MAX_PATH)
    return msgspec.structs.replace(finding, found=redact_text(finding.found), path=path)


def _as_json(report: LintReport) -> bytes:
    """One JSON document `{"version", "findings", "summary"}`."""
    findings = [
        {"file": one.file, "line": one.line, "name": one.name, **msgspec.structs.asdict(one.finding)}
        for one in report.found
    ]
    summary = {
        "files": report.files,
        "arrays": report.arrays,
        "without_requests": report.without,
        "errors": report.count("error"),
        "warnings": report.count("warning"),
        "problems": report.problems,
    }
    document = {"version": _VERSION, "findings": findings, "summary": summary}
    return msgspec.json.format(encode(document), indent=2) + b"\n"
