"""What a scan found in logs, as a document: the outcomes of each check, and its first findings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from grice.checks.first_looks import first_look
from grice.formats.lines import STDIN, name_of
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
from grice.reporting.next_steps import how_to_extract
from grice.scanning.check_choice import weight
from grice.scanning.kept import WINDOW
from grice.scanning.report import CheckCount, Example, Finding, ScanReport
from grice.text import plural, shorten

_LISTED = 5
_LONGEST_NAME = 60


def scan_document(report: ScanReport) -> Document:
    """How often which checks failed, what they could not tell, then the first findings of each and why."""
    ordered = sorted(report.checks, key=_order)
    parts: list[Part] = [*_problems(report), *(Note(note) for note in _notes(report))]
    if report.turns_examined:
        parts.append(Section("By check", (_table(ordered), *_meanings(ordered)), folded=False))
    parts += [_examples(one) for one in ordered if one.examples or one.inconclusive or one.error]
    return Document("findings", "", _answer(report, ordered), parts=tuple(parts))


def _order(one: CheckCount) -> tuple[bool, tuple[int, float], int, bool]:
    """First what found something: by what it means, how often it is right, how often it was found."""
    return not (one.failed or one.error), weight(one.rule, one.profile), -one.failed, not one.error


def _table(checks: Sequence[CheckCount]) -> Table:
    headers = ("check", "fail", "pass", "rate", "first look", "could not tell")
    rows = [_row(one) for one in checks]
    shown = [place for place in range(len(headers)) if place < 4 or any(row[place] for row in rows)]
    tones: tuple[Tone, ...] = tuple("" if one.failed or one.error else "faint" for one in checks)
    columns = tuple(tuple(row[place] for place in shown) for row in rows)
    sides: tuple[Literal["left", "right"], ...] = ("left", "right", "right", "right", "right", "left")
    return Table(
        tuple(headers[place] for place in shown), columns, tuple(sides[place] for place in shown), tones=tones
    )


def _meanings(checks: Sequence[CheckCount]) -> Iterator[Note]:
    told = "rate: of those on which a check could tell (pass or fail), the share that failed."
    yield Note(told, "faint")
    if any(map(_first_look, checks)):
        seen = "first look: alarms of the rule that were right, and faults that it found, on unseen examples."
        yield Note(seen, "faint")


def _first_look(one: CheckCount) -> str:
    seen = first_look(one.rule, one.profile)
    return "" if seen is None else str(seen)


def scan_problems(report: ScanReport) -> list[str]:
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
    return name, f"{one.failed:,}", f"{one.passed:,}", percent(one.rate, 2), _first_look(one), untold


def _undecided(one: CheckCount) -> Iterator[Line]:
    for why in one.reasons:
        yield Line(f"{why.outcome} {plural(why.times, 'time')}: {why.reason}", "faint")


def _notes(report: ScanReport) -> Iterator[str]:
    yield from (f"left out: {one}" for one in report.left_out)
    if report.not_whole:
        long = plural(report.not_whole, "conversation")
        yield (
            f"{long} too long to be kept whole: inconclusive for checks of conversations, and of what came "
            f"before a reply its check saw the last {WINDOW} turns at least"
        )
    if report.not_chosen:
        yield f"{plural(report.not_chosen, 'conversation')} not chosen by --where, --since or --sample"
    if report.ended_early:
        early = plural(report.ended_early, "conversation")
        yield f"{early} taken to be over while the log went on, to keep memory bounded"


def _answer(report: ScanReport, checks: Sequence[CheckCount]) -> Answer:
    files = report.files[0] if len(report.files) == 1 else plural(len(report.files), "file")
    turns = plural(report.turns_examined, "assistant turn")
    told = plural(report.conversations, "conversation")
    scanned = f"{files}: {plural(report.lines, unit_of(report))}, {told}, {turns} examined."
    stopped = (
        f"Stopped at {report.stopped}: what comes behind it was not looked at. " if report.stopped else ""
    )
    more = f"{stopped}{scanned} Applied: {plural(len(report.checks), 'check')}."
    if not report.decided:
        return Answer("Nothing was examined.", "bad", f"{stopped}{scanned}")
    found = [one for one in checks if one.failed]
    if not found:
        partly = "" if report.complete else ", and the scan is not complete"
        return Answer(f"Nothing found in {turns} of {told}{partly}.", "warn" if partly else "good", more)
    named = [f"{one.label} {one.failed:,}" for one in found[:_LISTED]]
    others = [f"{sum(one.failed for one in found[_LISTED:]):,} others"] if len(found) > _LISTED else []
    where = f"{report.conversations_with_findings:,} of {told}"
    every = plural(sum(one.failed for one in found), "finding")
    return Answer(f"Found {every} in {where}: {', '.join((*named, *others))}.", "warn", more)


def _unread(report: ScanReport) -> str:
    if not report.lines:
        return f"there are no {unit_of(report)}s in the logs"
    return "" if report.conversations else f"no {unit_of(report)} could be read"


def unit_of(report: ScanReport) -> str:
    """What a log is counted in: lines, or the records of documents and tables."""
    names = [one.removesuffix(".gz").removesuffix(".zst").lower() for one in report.files]
    return "record" if names and all(one.endswith(_OF_RECORDS) for one in names) else "line"


_OF_RECORDS = (".json", ".csv", ".tsv", ".parquet", ".eval", ".sql", ".xml", ".yaml", ".yml")


def _examples(one: CheckCount) -> Section:
    """The most frequent replies on which the check failed, and what else is said of it."""
    shown = sum(example.times for example in one.examples)
    of = f", {shown:,} of {one.failed:,}" if one.failed > shown else ""
    return Section(f"{one.label}{of}", (*map(_finding, one.examples), *_undecided(one)), folded=False)


def _finding(example: Example) -> Line:
    """Where the finding is: file and line, conversation, turn; under it what was said, and the excerpt."""
    finding = example.finding
    parts = [f"{Path(finding.file).name}:{finding.line}", shorten(finding.conversation, _LONGEST_NAME)]
    parts.append(f"turn {finding.turn}")
    if example.times > 1:
        parts.append(f"and {example.times - 1:,} more with the same reply")
    quoted = [Line(marked_words(finding.excerpt, finding.marks, _one_line))] if finding.excerpt else []
    reasons = map(Line, finding.reason.splitlines())
    return Line(
        "  ".join(filter(None, parts)), "faint", under=(*reasons, *quoted), command=_extracting(finding)
    )


def _extracting(finding: Finding) -> str:
    """The command that writes a test of the finding, "" for a log that is no file."""
    if finding.file == name_of(STDIN):
        return ""
    return how_to_extract(f"{finding.file}:{finding.line}", finding.turn, finding.label)


def _one_line(text: str) -> str:
    return re.sub(r"\s*\n\s*|\t", " ", text)


def _problems(report: ScanReport) -> Iterator[Line]:
    """What was not examined and cannot be trusted, said once."""
    yield from (Line(str(one), "warn") for one in report.orphan_results)
    total = report.malformed + report.malformed_messages
    if not total:
        return
    unit = unit_of(report)
    parts = [f"{report.malformed:,} of {plural(report.lines, unit)}"] if report.malformed else []
    if report.malformed_messages:
        other = f" of other {unit}s" if report.malformed else ""
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
