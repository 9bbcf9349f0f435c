"""One pass over logs with checks: lines to conversations, their replies to verdicts, failures to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from grice.formats.lines import name_of
from grice.formats.logs import Entry
from grice.formats.mapping import LogMapping
from grice.formats.pairing import orphan_results
from grice.identity import redact_text
from grice.matching.json_text import json_text
from grice.matching.limits import limits_in_force
from grice.matching.matcher import Prefilter
from grice.matching.redacted import redaction_of
from grice.records import Conversation, Evidence, Outcome, Reply, Turn, Verdict, inconclusive, passed
from grice.running.suite_checks import judge_checks, prefilter_of
from grice.scanning.check_choice import Choice, LogCheck
from grice.scanning.check_report import CheckFinding, CheckReport, CheckTally
from grice.scanning.kept import MAX_KEPT, KeptConversation, KeptConversations, read_whole
from grice.scanning.line_scanner import LineScanner
from grice.text import is_blank, shorten
from grice.text.excerpts import Span, excerpt

_PASSED = passed()
_LONGEST_NAME = 200
_LONGEST_REASON = 500
_LONGEST_MARK = 300
_MOST_MARKS = 10
_LONGEST_DATA = 200
OnFinding = Callable[[CheckFinding], object]
OnConversation = Callable[[CheckFinding, Conversation], object]


def scan_checks(
    paths: Iterable[Path | str],
    choice: Choice,
    *,
    mappings: Mapping[str, LogMapping] = MappingProxyType({}),
    on_finding: OnFinding | None = None,
    on_conversation: OnConversation | None = None,
) -> CheckReport:
    """Apply checks to every assistant turn of JSONL logs, and to every conversation.

    Lines are read as `scan` reads them. What a check of a reply judges is the last answer of a turn, with the
    turns before it; structured data beside it is read from `data` of its message. A check of a conversation
    judges it once, when it is over.

    Conversations that stand on one line are judged whole, those of one message a line as far as they are
    kept: after 1,000,000 characters only the last six turns are, and a check of the whole is then
    `inconclusive`; after 50,000,000 characters of all that are open, after 10,000 of them, the one quiet for
    longest is considered over. Either is cut after 5,000 turns. `on_finding` is called for every finding, and
    `on_conversation` with its conversation besides, as far as it is kept.
    """
    tally = CheckTally(choice.checks)
    for path in paths:
        scanner = _Scanner(name_of(path), tally, choice.checks, on_finding, on_conversation)
        scanner.scan(path, mappings.get(str(path)))
    return tally.report(choice.left_out)


class _Scanner(LineScanner[KeptConversation]):
    """Scans one file."""

    def __init__(
        self,
        file: str,
        tally: CheckTally,
        checks: Sequence[LogCheck],
        on_finding: OnFinding | None,
        on_conversation: OnConversation | None,
    ) -> None:
        self._tally = tally
        self._of_replies = [(one, prefilter_of(one.check)) for one in checks if not one.of_conversation]
        self._longest = limits_in_force().regex_max_test_str_len
        self._of_wholes = [one for one in checks if one.of_conversation]
        self._on_finding = on_finding
        self._on_conversation = on_conversation
        self._open = KeptConversations()
        super().__init__(file, tally, self._open)

    def _read_whole(self, entry: Entry) -> None:
        line = entry.line
        raws = [*entry.messages, *entry.reply]
        parts, bad = read_whole(raws, entry.id)
        if bad and len(bad) == len(raws):
            self._malformed(line, f"{entry.place(bad[0][0])}: {bad[0][1]}")
            return
        if entry.problem:
            self._malformed(line, entry.problem)
        for index, detail in bad:
            self._malformed(line, f"{entry.place(index)}: {detail}", whole=False)
        self._tally.conversations += 1
        self._tally.ended_early += len(parts) - 1
        self._orphans += orphan_results([one for part in parts for one in part.messages])
        before = self._tally.findings
        for record in parts:
            for turn in record.turns:
                self._judge(record, turn, line)
            self._judge_whole(record, line)
        self._tally.conversations_with_findings += self._tally.findings > before

    def _read_part(self, entry: Entry) -> None:
        conversation = self._open.add(entry.id, entry.messages[0], entry.line)
        self._judge_ended(conversation)
        if conversation.is_full:
            self._tally.ended_early += 1
            self._end(self._open.take(entry.id))
        for quiet in self._open.over():
            self._tally.ended_early += 1
            self._end(quiet)

    def _end(self, conversation: KeptConversation) -> None:
        conversation.end()
        last = self._judge_ended(conversation)
        self._orphans += conversation.orphans.count
        self._tally.conversations += 1
        if not conversation.forgot and self._of_wholes:
            before = self._tally.findings
            self._judge_whole(conversation.record(), last)
            conversation.found += self._tally.findings - before
        self._tally.conversations_with_findings += conversation.found > 0
        if not conversation.forgot:
            return
        self._tally.not_whole += 1
        reason = f"the conversation is longer than {MAX_KEPT:,} characters: its early turns were let go"
        for check in self._of_wholes:
            self._tally.said(check.label, inconclusive(reason))

    def _judge_ended(self, conversation: KeptConversation) -> int:
        """Judge the turns that are over; the line of the last one of the conversation."""
        if conversation.ended:
            before = self._tally.findings
            record = conversation.record()
            for turn, line in conversation.ended:
                self._judge(record, turn, line)
                conversation.last_line = line
            conversation.ended.clear()
            conversation.found += self._tally.findings - before
        return conversation.last_line

    def _judge(self, record: Conversation, turn: Turn, line: int) -> None:
        self._tally.turns += 1
        if not any(one.role == "assistant" for one in turn.messages):
            return
        self._tally.examined += 1
        left = self._left_to_judge(turn.text)
        verdicts = judge_checks([one.check for one in left], Reply(record, turn.number)) if left else ()
        for check, verdict in zip(left, verdicts, strict=True):
            self._said(check, verdict, record, turn, line)

    def _left_to_judge(self, text: str) -> list[LogCheck]:
        """The checks of a reply that do not pass at a first look, which is counted."""
        if len(text) > self._longest or is_blank(text):
            return [check for check, _ in self._of_replies]
        left = []
        for check, passes in self._of_replies:
            if passes is not None and _holds(passes, text):
                self._tally.said(check.label, _PASSED)
            else:
                left.append(check)
        return left

    def _judge_whole(self, record: Conversation, line: int) -> None:
        if not any(one.role == "assistant" for turn in record.turns for one in turn.messages):
            return
        last = record.turns[-1]
        checks = [one.check for one in self._of_wholes]
        verdicts = judge_checks(checks, Reply(record, last.number), whole=True)
        for check, verdict in zip(self._of_wholes, verdicts, strict=True):
            named = [one.turn for one in verdict.evidence if one.turn is not None]
            number = verdict.turn or (named[-1] if named else last.number)  # where it became a fault
            turn = record.turns[number - 1] if 0 < number <= len(record.turns) else last
            self._said(check, verdict, record, turn, line)

    def _said(self, check: LogCheck, verdict: Verdict, record: Conversation, turn: Turn, line: int) -> None:
        self._tally.said(check.label, verdict)
        if verdict.outcome is not Outcome.FAIL:
            return
        finding = _finding(check, verdict, record, turn, self._file, line)
        self._tally.found(finding)
        if self._on_finding is not None:
            self._on_finding(finding)
        if self._on_conversation is not None:
            self._on_conversation(finding, record)


def _holds(passes: Prefilter, text: str) -> bool:
    try:
        return passes(text) is True
    except Exception:  # somebody's code: judging says what is wrong
        return False


def _finding(
    check: LogCheck, verdict: Verdict, record: Conversation, turn: Turn, file: str, line: int
) -> CheckFinding:
    spans = _spans(verdict.evidence, turn)
    quoted, marks = _excerpt(turn, spans)
    return CheckFinding(
        label=check.label,
        file=file,
        line=line,
        conversation=shorten(redact_text(record.id), _LONGEST_NAME),
        turn=turn.number,
        tool_status=None,
        excerpt=quoted,
        marks=marks,
        spans=spans,
        reason=shorten(redact_text(verdict.reason), _LONGEST_REASON),
        claim=shorten(redact_text(verdict.claim), _LONGEST_REASON),
    )


def _spans(evidence: Sequence[Evidence], turn: Turn) -> tuple[Span, ...]:
    """The places in the reply of the turn, in order; what lies in other turns or in data has none."""
    length = len(turn.text)
    found = {
        (one.start, one.end)
        for one in evidence
        if one.turn in (None, turn.number)
        and one.path is None
        and one.start is not None
        and one.end is not None
        and 0 <= one.start < one.end <= length
    }
    return tuple(sorted(found))


def _excerpt(turn: Turn, spans: Sequence[Span]) -> tuple[str, tuple[Span, ...]]:
    """The part of the reply that a reader needs, secrets replaced; without a text its data or calls."""
    text = turn.text
    hide = redaction_of(turn).text
    if not text:
        rest = turn.data if turn.data is not None else [call.name for call in turn.tool_calls]
        told = turn.full_text or (json_text(rest, _LONGEST_DATA) if rest else "")
        return shorten(hide(told), _LONGEST_DATA), ()
    shown = hide(text)
    places = [(start, min(end, start + _LONGEST_MARK)) for start, end in spans[:_MOST_MARKS]]
    if shown != text:  # look for the places again; one inside a secret has none
        quotes = [hide(text[start:end]) for start, end in places]
        places = [(at, at + len(one)) for one in quotes if (at := shown.find(one)) >= 0]
    return excerpt(shown, _apart(places))


def _apart(spans: Iterable[Span]) -> list[Span]:
    """The spans without those that overlap one before them, which could not be marked."""
    apart: list[Span] = []
    for start, end in sorted(spans):
        if not apart or start >= apart[-1][1]:
            apart.append((start, end))
    return apart
