"""The report of a scan on a terminal. What comes from a log is text, never markup."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grice.scanning.report import MALFORMED_ARGUMENTS, Finding, ScanReport
from grice.text import shorten, visible

if TYPE_CHECKING:  # a scan without checks does not load them
    from grice.scanning.check_report import CheckReport

__all__ = [
    "counted",
    "place",
    "print_indented",
    "print_malformed",
    "print_orphans",
    "print_report",
    "problems_of",
    "quoted",
]

_LISTED = 5
_MARK = "bold yellow"


def print_report(console: Console, report: ScanReport) -> None:
    """What was examined, the counts, and the first findings and malformed lines."""
    if report.lines:
        console.print(_examined(report))
    if report.turns_examined:
        console.print()
        console.print(_table(report))
    for count in report.labels:
        _print_examples(console, count.label, count.turns, count.examples)
    broken = report.malformed_arguments_examples
    _print_examples(console, MALFORMED_ARGUMENTS, report.malformed_arguments, broken)
    print_orphans(console, report)
    print_malformed(console, report)


def problems_of(report: ScanReport) -> list[str]:
    """Why the scan is not complete: the files that could not be read, and that nothing was examined."""
    problems = [f"{problem.file}: {problem.reason}" for problem in report.unreadable]
    if not report.turns_examined and not (report.unreadable and not report.lines):
        problems.append(f"nothing was examined: {_why_nothing(report)}")
    return problems


def print_indented(console: Console, text: Text, by: int) -> None:
    """The text wrapped, every line moved to the right."""
    for line in text.wrap(console, max(console.width - by, 20)):
        console.print(Text(" " * by) + line, soft_wrap=True)


def _examined(report: ScanReport) -> Text:
    files = visible(report.files[0]) if len(report.files) == 1 else counted(len(report.files), "file")
    text = Text.assemble(
        ("Scanned ", "bold"),
        f"{files}: {counted(report.lines, 'line')}, {counted(report.conversations, 'conversation')}, ",
        f"{counted(report.turns_examined, 'assistant turn')} examined.",
    )
    if report.silent_turns and report.turns_examined:
        text.append(f" In {counted(report.silent_turns, 'turn')} the assistant said nothing.", "dim")
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
    table.add_row("any of the five", f"{report.turns_with_findings:,}", f"{report.rate:.2%}", style="bold")
    if report.tool_calls:
        broken = report.malformed_arguments
        calls = f"malformed arguments, of {counted(report.tool_calls, 'tool call')}"
        share = f"{report.malformed_arguments_rate:.2%}"
        table.add_row(calls, f"{broken:,}", share, style="" if broken else "dim")
    return table


def _print_examples(console: Console, label: str, total: int, examples: tuple[Finding, ...]) -> None:
    if not examples:
        return
    more = f", {len(examples)} of {total:,}" if total > len(examples) else ""
    console.print()
    console.print(Text.assemble((label, "bold"), (more, "dim")))
    for finding in examples:
        print_indented(console, place(finding), 2)
        print_indented(console, quoted(finding), 4)


def place(finding: Finding) -> Text:
    """Where the finding is: file and line, conversation, turn."""
    parts = [f"{visible(Path(finding.file).name, newlines=False)}:{finding.line}"]
    if finding.conversation:
        parts.append(shorten(visible(finding.conversation, newlines=False), 60))
    parts.append(f"turn {finding.turn}")
    if finding.tool_status is not None:
        parts.append("no tool result" if finding.tool_status == "none" else f"tool {finding.tool_status}")
    if finding.tool:
        parts.append(visible(finding.tool, newlines=False))
    return Text("  ".join(parts), style="dim", overflow="fold")


def quoted(finding: Finding) -> Text:
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


def print_malformed(console: Console, report: ScanReport | CheckReport) -> None:
    """How many lines and messages were malformed, and why the first ones were."""
    total = report.malformed + report.malformed_messages
    if not total:
        return
    parts = [f"{report.malformed:,} of {counted(report.lines, 'line')}"] if report.malformed else []
    if report.malformed_messages:
        other = " of other lines" if report.malformed else ""
        parts.append(f"{counted(report.malformed_messages, 'message')}{other}")
    console.print()
    console.print(Text(f"{' and '.join(parts)} not examined: malformed", "bold red"))
    groups: dict[tuple[str, str], list[int]] = {}
    for line in report.malformed_lines:
        groups.setdefault((line.file, line.reason), []).append(line.line)
    shown = 0
    for (file, reason), numbers in list(groups.items())[:_LISTED]:
        shown += len(numbers)
        where = f"{visible(Path(file).name, newlines=False)}:{', '.join(map(str, numbers[:_LISTED]))}"
        if len(numbers) > _LISTED:
            where += f" and {len(numbers) - _LISTED} more"
        text = Text.assemble((where, "dim"), f": {visible(reason, newlines=False)}", overflow="fold")
        print_indented(console, text, 2)
    if total > shown:
        print_indented(console, Text(f"and {total - shown:,} more", "dim"), 2)


def print_orphans(console: Console, report: ScanReport | CheckReport) -> None:
    """Which files have tool results that match no call."""
    if report.orphan_results:
        console.print()
    for one in report.orphan_results:
        print_indented(console, Text(visible(str(one), newlines=False), "yellow", overflow="fold"), 0)


def _why_nothing(report: ScanReport) -> str:
    if not report.lines:
        return "there are no lines in the logs"
    if not report.conversations:
        return "no line could be read"
    return f"the assistant says nothing in {counted(report.conversations, 'conversation')}"


def counted(number: int, noun: str) -> str:
    """`1 line`, `2,000 lines`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
