"""`grice lint`: lint the message arrays in files, and show what was found."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
from rich.console import Console
from rich.text import Text

from grice.checks.message_lint import DIALECTS, RULES, Dialect, LintFinding
from grice.checks.message_lint.entry import lint
from grice.cli.exit_codes import FAILED, PASSED, UNUSABLE
from grice.cli.lint_files import Problem, Subject, read_subjects
from grice.files.writing import check_output, replacing
from grice.formats import FormatError
from grice.formats.lines import Unreadable, name_of
from grice.formats.pairing import orphans_told
from grice.identity import redact_text
from grice.records.codec import encode
from grice.reporting.console import console_for, print_line, print_problem
from grice.text import did_you_mean, shorten, visible

if TYPE_CHECKING:
    from grice.cli.lint import Arguments

__all__ = ["lint_files", "list_rules"]

_VERSION = 1
_MAX_PROBLEMS = 10
_MAX_PATH = 200
_ORPHAN = "orphan-tool-result"
_STYLES = {"error": "bold red", "warning": "bold yellow"}


class _Found(msgspec.Struct, frozen=True):
    """A finding and where it is: the file, its line (0 in a single document), what in it."""

    file: str
    line: int
    name: str
    finding: LintFinding


class _Tally:
    """What was examined."""

    def __init__(self) -> None:
        self.arrays = 0
        self.without = 0
        self.errors = 0
        self.warnings = 0
        self.problems: list[str] = []
        self.orphans = 0
        self.found: list[_Found] = []


def list_rules() -> int:
    """Show every rule with its severity and what it finds; the exit code."""
    console = console_for(sys.stdout)
    width = max(map(len, RULES)) + 2
    for rule in RULES.values():
        severities = {rule.severity_for(dialect) for dialect in DIALECTS}
        start = f"{rule.name:<{width}}{' or '.join(sorted(severities)):<18}"
        print_line(console, rule.finds, indent=start, hanging=" " * len(start))
    return PASSED


def lint_files(given: Arguments) -> int:
    """Lint every message array in the files, print the findings, write them to a file; the exit code."""
    files, json = given.files, given.json
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    wrong = _wrong_usage(given)
    if wrong:
        print_problem(errors, f"error: {wrong}")
        return UNUSABLE
    tally = _Tally()
    try:
        if json is not None:
            check_output(json, files)
        for file in files:
            _lint_file(console, tally, file, cast("Dialect | None", given.dialect or None), given.ignore)
        if json is not None:
            _write(json, files, tally)
    except OSError as error:
        reason = str(error) if error.strerror is None else f"{json}: {error.strerror}"
        print_problem(errors, f"error: the findings cannot be written: {reason}")
        return UNUSABLE
    _print_summary(console, tally, files, json)
    for problem in tally.problems:
        print_problem(errors, f"error: {problem}")
    if tally.problems:
        return UNUSABLE
    return FAILED if tally.errors or (given.fail_on_warnings and tally.warnings) else PASSED


def _wrong_usage(given: Arguments) -> str:
    if not given.files:
        return "FILE... is missing: name the files, or list the rules with --rules"
    for name in given.ignore:
        if name not in RULES:
            return f"unknown rule {name!r}{did_you_mean(name, RULES)}; grice lint --rules lists them"
    return ""


def _lint_file(
    console: Console, tally: _Tally, file: Path, dialect: Dialect | None, ignore: Collection[str]
) -> None:
    name = name_of(file)
    examined = tally.arrays + tally.without
    tally.orphans = 0
    problems: list[str] = []
    try:
        for part in read_subjects(file):
            try:
                if isinstance(part, Problem):
                    raise FormatError(part.reason)
                _lint_subject(console, tally, name, part, dialect, ignore)
            except FormatError as error:
                place = f"{name}:{part.line}" if part.line else name
                problems.append(f"{place}: {redact_text(str(error))}")
    except Unreadable as error:
        problems.append(f"{name}: {error}")
    if tally.orphans > 1:
        told = Text(f"{visible(name, newlines=False)}: {orphans_told(tally.orphans)}", "yellow")
        console.print(told, soft_wrap=True)
        console.print()
    if examined == tally.arrays + tally.without and not problems:
        problems.append(f"{name}: nothing was examined: the file is empty")
    tally.problems += problems[:_MAX_PROBLEMS]
    if len(problems) > _MAX_PROBLEMS:
        tally.problems.append(f"{name}: and {len(problems) - _MAX_PROBLEMS:,} more")


def _lint_subject(
    console: Console,
    tally: _Tally,
    file: str,
    subject: Subject,
    dialect: Dialect | None,
    ignore: Collection[str],
) -> None:
    if subject.array is None:
        tally.without += 1
        return
    findings = lint(subject.array, dialect, subject.user, subject.calls, subject.earlier)
    tally.arrays += 1
    kept = [_redacted(one) for one in findings if one.rule not in ignore]
    if not kept:
        return
    tally.errors += sum(one.severity == "error" for one in kept)
    tally.warnings += sum(one.severity == "warning" for one in kept)
    tally.found += [_Found(file, subject.line, redact_text(subject.name), one) for one in kept]
    shown = _without_orphans(tally, kept)
    if shown:
        _print_findings(console, file, subject, shown)


def _without_orphans(tally: _Tally, findings: list[LintFinding]) -> list[LintFinding]:
    """The findings less results that match no call, of which the first of a file is an example of all."""
    shown = []
    for one in findings:
        if one.rule != _ORPHAN or not tally.orphans:
            shown.append(one)
        tally.orphans += one.rule == _ORPHAN
    return shown


def _redacted(finding: LintFinding) -> LintFinding:
    path = shorten(redact_text(finding.path), _MAX_PATH)
    return msgspec.structs.replace(finding, found=redact_text(finding.found), path=path)


def _print_findings(console: Console, file: str, subject: Subject, findings: list[LintFinding]) -> None:
    place = f"{visible(file, newlines=False)}{f':{subject.line}' if subject.line else ''}"
    heading = Text(place, style="bold")
    heading.append(f"  {visible(subject.name, newlines=False)}" if subject.name else "", style="dim")
    console.print(heading, soft_wrap=True)
    for finding in findings:
        number = "-" if finding.index is None else str(finding.index)
        start = Text(f"  {number:>3}  ").append(finding.severity, style=_STYLES[finding.severity])
        start.append(f"  {finding.rule}", style="bold")
        start.append(f"  {visible(finding.path, newlines=False)}", style="dim")
        console.print(start, soft_wrap=True)
        for word, text in _details(finding):
            row = f"{word:<7}{visible(text, newlines=False)}"
            print_line(console, row, indent=" " * 7, hanging=" " * 14)
    console.print()


def _details(finding: LintFinding) -> Iterator[tuple[str, str]]:
    yield "found", finding.found
    yield "why", finding.why
    yield "fix", finding.fix


def _print_summary(console: Console, tally: _Tally, files: Sequence[Path], json: Path | None) -> None:
    if not tally.arrays:
        if not tally.problems:
            held = _counted(tally.without, "conversation")
            tally.problems.append(f"nothing was examined: no request to a model is recorded in {held}")
        return
    arrays = _counted(tally.arrays, "message array")
    line = Text(f"{_counted(len(files), 'file')}, {arrays} examined: ")
    found = [_counted(tally.errors, "error"), _counted(tally.warnings, "warning")]
    line.append(", ".join(found), style="bold red" if tally.errors else "bold green")
    console.print(line.append("."), soft_wrap=True)
    if tally.without:
        held = _counted(tally.without, "conversation")
        print_line(console, f"Of {held} no request to a model is recorded.", style="dim")
    if json is not None:
        print_line(console, f"All findings: {visible(str(json), newlines=False)}")


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _write(path: Path, files: Sequence[Path], tally: _Tally) -> None:
    """One JSON document `{"version", "findings", "summary"}`."""
    findings = [
        {
            "file": one.file,
            "line": one.line,
            "name": redact_text(one.name),
            **msgspec.structs.asdict(one.finding),
        }
        for one in tally.found
    ]
    summary = {
        "files": [name_of(file) for file in files],
        "arrays": tally.arrays,
        "without_requests": tally.without,
        "errors": tally.errors,
        "warnings": tally.warnings,
        "problems": tally.problems,
    }
    document = {"version": _VERSION, "findings": findings, "summary": summary}
    with replacing(path) as stream:
        stream.write(msgspec.json.format(encode(document), indent=2) + b"\n")
