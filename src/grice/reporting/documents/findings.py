"""What a scan found in logs, as a document: the outcomes of each check, and its first findings."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Literal
from urllib.parse import quote

from msgspec import structs

from grice.checks.first_looks import first_look
from grice.formats.lines import STDIN, name_of
from grice.records import Evidence, Outcome, Result, Verdict
from grice.reporting.document import (
    Answer,
    Conversations,
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
from grice.scanning.found_replies import FoundReplies, FoundReply
from grice.scanning.kept import WINDOW
from grice.scanning.report import CheckCount, Example, Finding, ScanReport
from grice.text import plural, shorten

_LISTED = 5
_A_PAGE = 250
"""How many different replies a page has."""
_BY_CHECK = "By check"
_LONGEST_NAME = 60
_LONGEST_USER = 160


def scan_document(report: ScanReport) -> Document:
    """How often which checks failed, what they could not tell, then the first findings of each and why."""
    ordered = sorted(report.checks, key=_order)
    parts: list[Part] = [*_problems(report), *(Note(note) for note in _notes(report))]
    if report.turns_examined:
        parts.append(Section(_BY_CHECK, (_table(ordered), *_meanings(ordered)), folded=False))
    parts += [_examples(one, report) for one in ordered if one.examples or one.inconclusive or one.error]
    return Document("findings", "", _answer(report, ordered), parts=tuple(parts))


def finding_pages(report: ScanReport, found: FoundReplies, name: str) -> Iterator[tuple[str, Document]]:
    """The pages of a scan, each with the name of its file: the first is called `name`, and has the counts.

    A page has so many different replies with their conversations, by label, the most frequent first.
    """
    whole = scan_document(report)
    labels = [one.label for one in sorted(report.checks, key=_order)]
    replies = found.ordered(labels)
    pages = [replies[start : start + _A_PAGE] for start in range(0, len(replies), _A_PAGE)] or [[]]
    path = PurePath(name)
    names = [name, *(f"{path.stem}-{number}{path.suffix}" for number in range(2, len(pages) + 1))]
    for number, (file, page) in enumerate(zip(names, pages, strict=True)):
        links = tuple(
            (label, tuple((str(at + 1), quote(names[at]) if at != number else "") for at in places))
            for label in labels
            if (places := [at for at, some in enumerate(pages) if any(one.label == label for one in some)])
        )
        listed = (Conversations([_result(found, one, report) for one in page]),) if page else ()
        if number:
            answer = structs.replace(whole.answer, more=f"Page {number + 1} of {len(pages)}.")
            yield file, Document(whole.kind, "", answer, parts=listed, pages=links)
            continue
        out = plural(found.left_out, "finding")
        left = (Note(f"{out} on other replies not shown: --json has all"),) if found.left_out else ()
        counts = tuple(one for one in whole.parts if not isinstance(one, Section) or one.title == _BY_CHECK)
        untold = tuple(Section(one.label, tuple(_undecided(one))) for one in report.checks if one.reasons)
        reasons = (Section("Where checks could not tell", untold),) if untold else ()
        yield (
            file,
            replace(whole, parts=(*left, *counts, *listed, *reasons), pages=links if pages[1:] else ()),
        )


def _result(found: FoundReplies, reply: FoundReply, report: ScanReport) -> Result:
    """A reply on which a check failed, as the result of a test."""
    kept = found.read(reply)
    finding = kept.finding
    quotes = tuple(Evidence(finding.excerpt[start:end], turn=finding.turn) for start, end in finding.marks)
    verdict = Verdict(
        Outcome.FAIL, reason=finding.reason, claim=finding.label, turn=finding.turn, evidence=quotes
    )
    more = f"and {reply.times - 1:,} more with the same reply" if reply.times > 1 else ""
    extract = extracting(finding, report)
    more_of_it = (
        f"a test of it: {extract}" if extract else "",
        f"also at {', '.join(reply.others)}" if reply.others else "",
    )
    return Result(
        id=f"{finding.label}:{finding.key}",
        key=pasted(finding),
        outcome=Outcome.FAIL,
        conversation=kept.conversation,
        verdicts=(verdict,),
        failure="assertion",
        description="  ".join(filter(None, (finding.conversation, more))),
        file=" \u00b7 ".join(filter(None, more_of_it)),
    )


def _order(one: CheckCount) -> tuple[bool, tuple[int, float], int, bool]:
    """First what found something: by what it means, how often it is right, how often it was found."""
    return not (one.failed or one.error), weight(one.rule, one.profile), -one.failed, not one.error


def _table(checks: Sequence[CheckCount]) -> Table:
    headers = ("check", "fail", "pass", "rate", "on our test rows", "could not tell")
    rows = [_row(one) for one in checks]
    shown = [place for place in range(len(headers)) if place < 4 or any(row[place] for row in rows)]
    tones: tuple[Tone, ...] = tuple("" if one.failed or one.error else "faint" for one in checks)
    columns = tuple(tuple(row[place] for place in shown) for row in rows)
    sides: tuple[Literal["left", "right"], ...] = ("left", "right", "right", "right", "left", "left")
    return Table(
        tuple(headers[place] for place in shown), columns, tuple(sides[place] for place in shown), tones=tones
    )


def _meanings(checks: Sequence[CheckCount]) -> Iterator[Note]:
    told = "rate: of those on which a check could tell (pass or fail), the share that failed."
    yield Note(told, "faint")
    if any(map(_first_look, checks)):
        seen = "on our test rows: on examples that the rule had never seen. It says nothing of this log."
        yield Note(seen, "faint")


def _first_look(one: CheckCount) -> str:
    seen = first_look(one.rule, one.profile)
    return "" if seen is None else seen.told


def scan_problems(report: ScanReport) -> list[str]:
    """Why the scan is not complete: files, broken checks, and that nothing was examined."""
    problems = [f"{problem.file}: {problem.reason}" for problem in report.unreadable]
    problems += [
        f"{one.label} broke on {one.error:,} of {one.examined:,}: {reason}"
        for one in report.broken
        for reason in [
            next((why.example or why.reason for why in one.reasons if why.outcome == "error"), "see --json")
        ]
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
        told = (
            f", such as: {why.example}" if why.example and why.times > 1 else f": {why.example or why.reason}"
        )
        yield Line(f"{why.outcome} {plural(why.times, 'time')}{told}", "faint")


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


def _examples(one: CheckCount, report: ScanReport) -> Section:
    """The most frequent replies on which the check failed, and what else is said of it."""
    shown = sum(example.times for example in one.examples)
    of = f", {shown:,} of {one.failed:,}" if one.failed > shown else ""
    found = [_finding(each, report) for each in one.examples]
    return Section(f"{one.label}{of}", (*found, *_undecided(one)), folded=False)


def _finding(example: Example, report: ScanReport) -> Line:
    """Where the finding is: file and line, conversation, turn; under it why, what the user said, the excerpt.

    What stands first can be pasted behind `grice show`.
    """
    finding = example.finding
    parts = [pasted(finding), shorten(finding.conversation, _LONGEST_NAME)]
    parts.append(f"turn {finding.turn}")
    if example.times > 1:
        parts.append(f"and {example.times - 1:,} more with the same reply")
    reasons = map(Line, finding.reason.splitlines())
    asked = shorten(finding.user, _LONGEST_USER)
    said = (("user", asked, ()), ("assistant", finding.excerpt, finding.marks))
    spoken = [
        Line((Span(f"{who}: ", "faint"), *marked_words(text, marks, _one_line)))
        for who, text, marks in said
        if text
    ]
    under, command = (*reasons, *spoken), extracting(finding, report)
    return Line("  ".join(filter(None, parts)), "faint", under=under, command=command)


def extracting(finding: Finding, report: ScanReport) -> str:
    """The command that writes a test of the finding, "" for a log that is no file, and for a judge's word."""
    if finding.file == name_of(STDIN) or finding.label == report.judged:
        return ""
    place = f"{finding.file}:{finding.line}"
    return how_to_extract(place, finding.turn, finding.label, options=report.extract_options)


def pasted(finding: Finding) -> str:
    """The place of a finding as `grice show` takes it."""
    place = f"{finding.file}:{finding.line}"
    return place if finding.file == name_of(STDIN) else shlex.quote(place)


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
    where = f"{file}:{', '.join(map(str, numbers[:_LISTED]))}{more}"
    return Span(where, "faint"), Span(f": {reason}")
