"""`grice scan`: what was found in logs, for a reader. What comes from a log is text, never markup."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grice.scanning import (
    MALFORMED_ARGUMENTS,
    Finding,
    FindingsFile,
    ScanReport,
    scan,
)
from grice.text import shorten, visible

__all__ = ["scan_files"]

_LISTED = 5
_MARK = "bold yellow"


def scan_files(files: list[Path], json: Path | None = None, *, fail_on_findings: bool = False) -> int:
    """Scan, print the report, write the findings to `json`; the exit code.

    0: scanned, with or without findings. 1: findings, with `fail_on_findings`. 2: a file could not be read,
    nothing was examined, or the findings could not be written.
    """
    if json is not None and (reason := _not_writable(json, files)):
        return _fail(reason)
    try:
        report = _scan(files, json)
    except OSError as error:
        return _fail(f"the findings cannot be written to {json}: {error.strerror or error}")
    _print(report, json)
    if not report.complete:
        return 2
    return 1 if fail_on_findings and report.found else 0


def _scan(files: list[Path], json: Path | None) -> ScanReport:
    if json is None:
        return scan(files)
    with FindingsFile(json) as output:
        report = scan(files, on_finding=output.write)
        output.finish(report)
    return report


def _not_writable(json: Path, files: list[Path]) -> str | None:
    if not json.parent.is_dir():
        return f"the findings cannot be written to {json}: there is no folder {json.parent}"
    if json.is_dir():
        return f"the findings cannot be written to {json}: it is a directory"
    if any(file.exists() and json.exists() and os.path.samefile(file, json) for file in files):
        return f"the findings cannot be written to {json}: it is one of the logs"
    return None


def _fail(reason: str) -> int:
    _console(sys.stderr).print(Text.assemble(("error: ", "bold red"), visible(reason)), soft_wrap=True)
    return 2


def _console(stream: object) -> Console:
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")  # a log may hold what the terminal cannot encode
    return Console(file=stream, markup=False, highlight=False, emoji=False)  # type: ignore[arg-type]


def _print(report: ScanReport, json: Path | None) -> None:
    console = _console(sys.stdout)
    if report.lines:
        console.print(_examined(report))
    if report.turns_examined:
        console.print()
        console.print(_table(report))
    for count in report.labels:
        _print_examples(console, count.label, count.turns, count.examples)
    broken = report.malformed_arguments_examples
    _print_examples(console, MALFORMED_ARGUMENTS, report.malformed_arguments, broken)
    _print_malformed(console, report)
    if json is not None:
        console.print(Text(f"\nAll findings: {visible(str(json))}"))
    for problem in report.unreadable:
        _fail(f"{problem.file}: {problem.reason}")
    if not report.turns_examined and not (report.unreadable and not report.lines):
        _fail(f"nothing was examined: {_why_nothing(report)}")


def _print_indented(console: Console, text: Text, by: int) -> None:
    for line in text.wrap(console, max(console.width - by, 20)):
        console.print(Text(" " * by) + line, soft_wrap=True)


def _examined(report: ScanReport) -> Text:
    files = visible(report.files[0]) if len(report.files) == 1 else _counted(len(report.files), "file")
    text = Text.assemble(
        ("Scanned ", "bold"),
        f"{files}: {_counted(report.lines, 'line')}, {_counted(report.conversations, 'conversation')}, ",
        f"{_counted(report.turns_examined, 'assistant turn')} examined.",
    )
    silent = report.turns - report.turns_examined
    if silent and report.turns_examined:
        text.append(f" In {_counted(silent, 'turn')} the assistant said nothing.", "dim")
    return text


def _table(report: ScanReport) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    table.add_column("label", overflow="fold")
    table.add_column("turns", justify="right")
    table.add_column("rate", justify="right")
    for count in report.labels:
        table.add_row(
            count.label, f"{count.turns:,}", f"{count.rate:.2%}", style="" if count.turns else "dim"
        )
    share = report.turns_with_findings / report.turns_examined
    table.add_row("any of the five", f"{report.turns_with_findings:,}", f"{share:.2%}", style="bold")
    if report.tool_calls:
        broken = report.malformed_arguments
        share = broken / report.tool_calls
        calls = f"malformed arguments, of {_counted(report.tool_calls, 'tool call')}"
        table.add_row(calls, f"{broken:,}", f"{share:.2%}", style="" if broken else "dim")
    return table


def _print_examples(console: Console, label: str, total: int, examples: tuple[Finding, ...]) -> None:
    if not examples:
        return
    more = f", {len(examples)} of {total:,}" if total > len(examples) else ""
    console.print()
    console.print(Text.assemble((label, "bold"), (more, "dim")))
    for finding in examples:
        _print_indented(console, _place(finding), 2)
        _print_indented(console, _quoted(finding), 4)


def _place(finding: Finding) -> Text:
    parts = [f"{visible(Path(finding.file).name, newlines=False)}:{finding.line}"]
    if finding.conversation:
        parts.append(shorten(visible(finding.conversation, newlines=False), 60))
    parts.append(f"turn {finding.turn}")
    if finding.tool_status is not None:
        parts.append("no tool result" if finding.tool_status == "none" else f"tool {finding.tool_status}")
    if finding.tool:
        parts.append(visible(finding.tool, newlines=False))
    return Text("  ".join(parts), style="dim", overflow="fold")


def _quoted(finding: Finding) -> Text:
    """The excerpt with its marks, which show without colour too."""
    text = Text(overflow="fold")
    position = 0
    for start, end in finding.marks:
        text.append(_one_line(finding.excerpt[position:start]))
        text.append(f"»{_one_line(finding.excerpt[start:end])}«", _MARK)
        position = end
    text.append(_one_line(finding.excerpt[position:]))
    return text


def _one_line(text: str) -> str:
    return visible(re.sub(r"\s*\n\s*", " ", text).replace("\t", " "), newlines=False)


def _print_malformed(console: Console, report: ScanReport) -> None:
    if not report.malformed:
        return
    lines = f"{report.malformed:,} of {_counted(report.lines, 'line')} not examined: malformed"
    console.print()
    console.print(Text(lines, "bold red"))
    groups: dict[tuple[str, str], list[int]] = {}
    for line in report.malformed_lines:
        groups.setdefault((line.file, line.reason), []).append(line.line)
    shown = 0
    for (file, reason), numbers in list(groups.items())[:_LISTED]:
        shown += len(numbers)
        place = f"{visible(Path(file).name, newlines=False)}:{', '.join(map(str, numbers[:_LISTED]))}"
        if len(numbers) > _LISTED:
            place += f" and {len(numbers) - _LISTED} more"
        text = Text.assemble((place, "dim"), f": {visible(reason, newlines=False)}", overflow="fold")
        _print_indented(console, text, 2)
    if report.malformed > shown:
        _print_indented(console, Text(f"and {_counted(report.malformed - shown, 'more line')}", "dim"), 2)


def _why_nothing(report: ScanReport) -> str:
    if not report.lines:
        return "there are no lines in the logs"
    if not report.conversations:
        return "no line could be read"
    return f"the assistant says nothing in {_counted(report.conversations, 'conversation')}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
