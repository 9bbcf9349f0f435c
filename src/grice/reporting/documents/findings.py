"""What a scan found in logs, as a document: the labels of every reply, or the checks that a user chose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grice.records import Outcome
from grice.reporting.document import (
    Answer,
    Document,
    Line,
    Note,
    Part,
    Section,
    Span,
    Table,
    Tone,
    marked_words,
)
from grice.reporting.figures_text import percent
from grice.scanning.report import MALFORMED_ARGUMENTS, Finding, ScanReport
from grice.text import plural, shorten

if TYPE_CHECKING:  # a scan without checks does not load them
    from grice.scanning.check_report import CheckCount, CheckReport


_LISTED = 5
_LONGEST_NAME = 60


def scan_document(report: ScanReport) -> Document:
    """How many of which labels were found and in what share of the turns, then the first of each."""
    labels = [(one.label, one.turns, one.rate, one.examples) for one in report.labels]
    calls = MALFORMED_ARGUMENTS, report.malformed_arguments, report.malformed_arguments_rate
    kinds = [*labels, *([(*calls, report.malformed_arguments_examples)] if report.tool_calls else [])]
    ordered = sorted(kinds, key=lambda one: -one[1])
    of = plural(report.tool_calls, "tool call")
    rows = [
        (f"{name}, of {of}" if name == MALFORMED_ARGUMENTS else name, f"{count:,}", percent(rate, 2))
        for name, count, rate, _ in ordered
    ]
    total = "any of the five", f"{report.turns_with_findings:,}", percent(report.rate, 2)
    tones: list[Tone] = ["" if count else "faint" for _, count, *_ in ordered]
    table = Table(
        ("label", "turns", "rate"), (*rows, total), ("left", "right", "right"), tones=(*tones, "strong")
    )
    share = f"{percent(report.rate)} of {plural(report.turns_examined, 'assistant turn')}"
    return Document(
        "findings",
        "",
        _answer(
            report,
            {name: count for name, count, *_ in kinds},
            "{count:,} {name}",
            f" ({share})" if report.turns_with_findings else "",
            f"In {plural(report.silent_turns, 'turn')} the assistant said nothing."
            if report.silent_turns
            else "",
        ),
        parts=(
            *_problems(report),
            *([Section("By label", (table,), folded=False)] if report.turns_examined else []),
            *(_examples(name, count, found) for name, count, _, found in ordered if found),
        ),
    )


def scan_problems(report: ScanReport) -> list[str]:
    """Why the scan is not complete: the files that could not be read, and that nothing was examined."""
    problems = [f"{problem.file}: {problem.reason}" for problem in report.unreadable]
    if not report.turns_examined and not (report.unreadable and not report.lines):
        silent = f"the assistant says nothing in {plural(report.conversations, 'conversation')}"
        problems.append(f"nothing was examined: {_unread(report) or silent}")
    return problems


# -- checks


def checks_document(report: CheckReport) -> Document:
    """How often which checks failed, what they could not tell, then the first findings of each and why."""
    ordered = sorted(report.checks, key=lambda one: (-one.failed, not one.error))
    rows = tuple(map(_row, ordered))
    tones: tuple[Tone, ...] = tuple("" if one.failed or one.error else "faint" for one in ordered)
    headers = ("check", "fail", "pass", "rate", "could not tell")
    shown = len(headers) if any(row[-1] for row in rows) else len(headers) - 1
    columns = tuple(row[:shown] for row in rows)
    table = Table(headers[:shown], columns, ("left", "right", "right", "right"), tones=tones)
    meaning = Note(
        "rate: of those on which a check could tell (pass or fail), the share that failed.", "faint"
    )
    return Document(
        "findings",
        "",
        _answer(
            report,
            {one.label: one.failed for one in report.checks},
            "{name} {count:,}",
            note=f"Applied: {plural(len(report.checks), 'check')}.",
        ),
        parts=(
            *_problems(report),
            *(Note(note) for note in _notes(report)),
            *([Section("By check", (table, meaning), folded=False)] if report.turns_examined else []),
            *(
                _examples(one.label, one.failed, one.examples, tuple(_undecided(one)))
                for one in ordered
                if one.examples or one.inconclusive or one.error
            ),
        ),
    )


def check_problems(report: CheckReport) -> list[str]:
    """Why the scan is not complete: files, broken checks, and that nothing was examined."""
    problems = [f"{problem.file}: {problem.reason}" for problem in report.unreadable]
    problems += [
        f"{one.label} broke on {one.error:,} of {one.examined:,}: {reason}"
        for one in report.broken
        for reason in [next((why.reason for why in one.reasons if why.outcome == "error"), "see --json")]
    ]
    if not report.decided and not (report.unreadable and not report.lines):
        silent = f"the assistant does nothing in {plural(report.conversations, 'conversation')}"
        untold = "no check could tell anything" if report.turns_examined else silent
        problems.append(f"nothing was examined: {_unread(report) or untold}")
    return problems


def _row(one: CheckCount) -> tuple[str, ...]:
    name = f"{one.label} (conversations)" if one.on == "conversation" else one.label
    counts = {Outcome.ERROR: one.error, Outcome.SKIPPED: one.skipped, Outcome.INCONCLUSIVE: one.inconclusive}
    untold = ", ".join(f"{count:,} {outcome}" for outcome, count in counts.items() if count)
    return name, f"{one.failed:,}", f"{one.passed:,}", percent(one.rate, 2), untold


def _undecided(one: CheckCount) -> Iterator[Line]:
    for why in one.reasons:
        yield Line(f"{why.outcome} {plural(why.times, 'time')}: {why.reason}", "faint")


def _notes(report: CheckReport) -> Iterator[str]:
    from grice.scanning.kept import WINDOW

    yield from (f"left out: {one}" for one in report.left_out)
    if report.not_whole:
        long = plural(report.not_whole, "conversation")
        yield (
            f"{long} too long to be kept whole: inconclusive for checks of conversations, and of what came "
            f"before a reply its check saw the last {WINDOW} turns at least"
        )
    if report.ended_early:
        early = plural(report.ended_early, "conversation")
        yield f"{early} taken to be over while the log went on, to keep memory bounded"


# -- both


def _answer(
    report: ScanReport | CheckReport, counts: Mapping[str, int], form: str, share: str = "", note: str = ""
) -> Answer:
    files = report.files[0] if len(report.files) == 1 else plural(len(report.files), "file")
    turns = plural(report.turns_examined, "assistant turn")
    told = plural(report.conversations, "conversation")
    scanned = f"{files}: {plural(report.lines, 'line')}, {told}, {turns} examined."
    more = f"{scanned} {note}".rstrip()
    if not (report.turns_examined if isinstance(report, ScanReport) else report.decided):
        return Answer("Nothing was examined.", "bad", scanned)
    found = sorted(((name, count) for name, count in counts.items() if count), key=lambda one: -one[1])
    if not found:
        partly = "" if report.complete else ", and the scan is not complete"
        return Answer(f"Nothing found in {turns} of {told}{partly}.", "warn" if partly else "good", more)
    named = [form.format(name=name, count=count) for name, count in found[:_LISTED]]
    others = [f"{sum(count for _, count in found[_LISTED:]):,} others"] if len(found) > _LISTED else []
    where = f"{report.conversations_with_findings:,} of {told}{share}"
    every = plural(sum(counts.values()), "finding")
    return Answer(f"Found {every} in {where}: {', '.join((*named, *others))}.", "warn", more)


def _unread(report: ScanReport | CheckReport) -> str:
    if not report.lines:
        return "there are no lines in the logs"
    return "" if report.conversations else "no line could be read"


def _examples(label: str, total: int, found: Sequence[Finding], more: tuple[Part, ...] = ()) -> Section:
    """The first findings of a kind, and what else is said of it."""
    of = f", the first {len(found)} of {total:,}" if total > len(found) else ""
    return Section(f"{label}{of}", (*map(_finding, found), *more), folded=False)


def _finding(finding: Finding) -> Line:
    """Where the finding is: file and line, conversation, turn; under it what was said, and the excerpt."""
    parts = [f"{Path(finding.file).name}:{finding.line}", shorten(finding.conversation, _LONGEST_NAME)]
    parts.append(f"turn {finding.turn}")
    if finding.tool_status is not None:
        parts.append("no tool result" if finding.tool_status == "none" else f"tool {finding.tool_status}")
    parts.append(finding.tool)
    reasons: Sequence[str] = getattr(finding, "reason", "").splitlines()
    quoted = [Line(marked_words(finding.excerpt, finding.marks, _one_line))] if finding.excerpt else []
    return Line("  ".join(filter(None, parts)), "faint", under=(*map(Line, reasons), *quoted))


def _one_line(text: str) -> str:
    return re.sub(r"\s*\n\s*|\t", " ", text)


def _problems(report: ScanReport | CheckReport) -> Iterator[Line]:
    """What was not examined and cannot be trusted, said once."""
    yield from (Line(str(one), "warn") for one in report.orphan_results)
    total = report.malformed + report.malformed_messages
    if not total:
        return
    parts = [f"{report.malformed:,} of {plural(report.lines, 'line')}"] if report.malformed else []
    if report.malformed_messages:
        other = " of other lines" if report.malformed else ""
        parts.append(f"{plural(report.malformed_messages, 'message')}{other}")
    groups: dict[tuple[str, str], list[int]] = {}
    for line in report.malformed_lines:
        groups.setdefault((line.file, line.reason), []).append(line.line)
    shown = list(groups.items())[:_LISTED]
    listed = [Line(_places(file, reason, numbers)) for (file, reason), numbers in shown]
    rest = total - sum(len(numbers) for _, numbers in shown)
    more = [Line(f"and {rest:,} more", "faint")] if rest else []
    yield Line(f"{' and '.join(parts)} not examined: malformed", "bad", under=(*listed, *more))


def _places(file: str, reason: str, numbers: Sequence[int]) -> tuple[Span, Span]:
    more = f" and {len(numbers) - _LISTED} more" if len(numbers) > _LISTED else ""
    where = f"{Path(file).name}:{', '.join(map(str, numbers[:_LISTED]))}{more}"
    return Span(where, "faint"), Span(f": {reason}")
