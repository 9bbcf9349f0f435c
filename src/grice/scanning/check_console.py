"""The report of a scan with checks on a terminal. What comes from a log is text, never markup."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grice.scanning.check_report import CheckCount, CheckReport
from grice.scanning.console import counted, place, print_indented, print_malformed, print_orphans, quoted
from grice.scanning.kept import WINDOW
from grice.text import visible

__all__ = ["check_problems", "print_checks"]

_UNDECIDED = ("inconclusive", "skipped", "error")


def print_checks(console: Console, report: CheckReport) -> None:
    """What was examined, the outcomes of each check, the first findings, and why others could not tell."""
    if report.lines:
        console.print(_examined(report))
    if report.turns_examined:
        console.print()
        console.print(_table(report))
        console.print()
        note = "rate: of those on which a check could tell (pass or fail), the share that failed."
        print_indented(console, Text(note, style="dim"), 0)
    for note in _notes(report):
        print_indented(console, Text(note, style="yellow"), 0)
    for one in report.checks:
        _print_check(console, one)
    print_orphans(console, report)
    print_malformed(console, report)


def check_problems(report: CheckReport) -> list[str]:
    """Why the scan is not complete: files, broken checks, and that nothing was examined."""
    problems = [f"{problem.file}: {problem.reason}" for problem in report.unreadable]
    problems += [
        f"{one.label} broke on {one.error:,} of {one.examined:,}: {reason}"
        for one in report.broken
        for reason in [next((why.reason for why in one.reasons if why.outcome == "error"), "see --json")]
    ]
    if not report.decided and not (report.unreadable and not report.lines):
        problems.append(f"nothing was examined: {_why_nothing(report)}")
    return problems


def _examined(report: CheckReport) -> Text:
    files = visible(report.files[0]) if len(report.files) == 1 else counted(len(report.files), "file")
    turns = counted(report.turns_examined, "assistant turn")
    return Text.assemble(
        ("Scanned ", "bold"),
        f"{files}: {counted(report.lines, 'line')}, {counted(report.conversations, 'conversation')}, ",
        f"{turns} examined by {counted(len(report.checks), 'check')}.",
    )


def _table(report: CheckReport) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("check", overflow="fold")
    for name in ("examined", "pass", "fail", "rate", *_UNDECIDED):
        table.add_column(name, justify="right")
    for one in report.checks:
        name = f"{one.label} (conversations)" if one.on == "conversation" else one.label
        numbers = (one.inconclusive, one.skipped, one.error)
        table.add_row(
            visible(name, newlines=False),
            f"{one.examined:,}",
            f"{one.passed:,}",
            f"{one.failed:,}",
            "-" if one.rate is None else f"{one.rate:.2%}",
            *(f"{number:,}" for number in numbers),
            style="" if one.failed or one.error else "dim",
        )
    return table


def _notes(report: CheckReport) -> list[str]:
    notes = [f"left out: {one}" for one in report.left_out]
    if report.not_whole:
        long = counted(report.not_whole, "conversation")
        notes.append(
            f"{long} too long to be kept whole: inconclusive for checks of conversations, and of what came "
            f"before a reply its check saw the last {WINDOW} turns at least"
        )
    if report.ended_early:
        early = counted(report.ended_early, "conversation")
        notes.append(f"{early} taken to be over while the log went on, to keep memory bounded")
    return notes


def _print_check(console: Console, one: CheckCount) -> None:
    """The first findings of a check, and the reasons of what it could not tell."""
    if not one.examples and not one.inconclusive and not one.error:
        return
    console.print()
    more = f", {len(one.examples)} of {one.failed:,}" if one.failed > len(one.examples) else ""
    console.print(Text.assemble((visible(one.label, newlines=False), "bold"), (more, "dim")))
    for finding in one.examples:
        print_indented(console, place(finding), 2)
        for line in finding.reason.splitlines():
            print_indented(console, Text(visible(line)), 4)
        if finding.excerpt:
            print_indented(console, quoted(finding), 4)
    for why in one.reasons:
        words = f"{why.outcome} {counted(why.times, 'time')}: {visible(why.reason, newlines=False)}"
        print_indented(console, Text(words, style="dim"), 2)


def _why_nothing(report: CheckReport) -> str:
    if not report.lines:
        return "there are no lines in the logs"
    if not report.conversations:
        return "no line could be read"
    if not report.turns_examined:
        return f"the assistant does nothing in {counted(report.conversations, 'conversation')}"
    return "no check could tell anything"
