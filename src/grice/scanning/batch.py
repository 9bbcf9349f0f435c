"""One part of a log, judged: bytes in, findings and counts out, wherever it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from grice.formats import FormatError
from grice.formats import lines as log_lines
from grice.formats.gathering import Gathering
from grice.formats.lines import long_line, parse_line
from grice.formats.logs import Entry, entries_of
from grice.formats.mapping import LogMapping
from grice.formats.pairing import orphan_results
from grice.identity import redact_text
from grice.matching.json_text import json_text
from grice.matching.limits import limits_in_force
from grice.matching.redacted import may_need_redaction, redaction_of
from grice.records import Conversation, Evidence, Outcome, Reply, Turn, Verdict, inconclusive
from grice.running.suite_checks import judge_checks, prefilter_of
from grice.scanning.check_choice import LogCheck
from grice.scanning.chosen_lines import LineFilter
from grice.scanning.kept import MAX_KEPT, KeptConversation, KeptConversations, read_whole
from grice.scanning.narrow import Doubtful, Look, NarrowLook, holds
from grice.scanning.report import CountedFinding, Finding, MalformedLine, Tally
from grice.text import is_blank, shorten
from grice.text.excerpts import Span, excerpt

_LONGEST_NAME = 200
_LONGEST_REASON = 500
_LONGEST_MARK = 300
_MOST_MARKS = 10
_LONGEST_DATA = 200
_LONGEST_USER = 300
_LAST_TURNS = 6
"""How many turns are handed out with a finding: the one of the finding is the last."""


class ScanChecks:
    """The checks of a scan, made ready once for all parts of the logs.

    With `only_counted` nobody takes the findings: a plain one is a `CountedFinding`.
    """

    def __init__(
        self,
        checks: Sequence[LogCheck],
        *,
        with_conversations: bool = False,
        chosen: LineFilter | None = None,
        only_counted: bool = False,
    ) -> None:
        self.checks = tuple(checks)
        self.only_counted = only_counted
        self.chosen = chosen
        self.meets = chosen.predicate() if chosen is not None and chosen.reads else None
        self.with_conversations = with_conversations
        self.of_replies = [(one, prefilter_of(one.check)) for one in checks if not one.of_conversation]
        self.of_wholes = [one for one in checks if one.of_conversation]
        self.longest = limits_in_force().regex_max_test_str_len
        look = NarrowLook(checks)
        self.narrow = look if look.possible and chosen is None else None


class Part(msgspec.Struct):
    """What a part of the logs gave: findings in the order of their lines, and counts.

    `conversations` has the last turns up to each finding, where they were wanted. `messages` are the entries
    that hold one message each: their conversations go on in other parts. `ends` counts the line ends.
    """

    tally: Tally
    findings: list[Finding | CountedFinding] = []
    conversations: list[Conversation] = []
    messages: list[Entry] = []
    ends: int = 0

    def moved(self, by: int) -> None:
        """Count its lines from a later one on."""
        if by:
            self.findings = [replace(one, line=one.line + by) for one in self.findings]
            self.messages = [replace(one, line=one.line + by) for one in self.messages]
            unread = self.tally.malformed_lines
            self.tally.malformed_lines = [replace(one, line=one.line + by) for one in unread]


def scan_batch(
    data: bytes, checks: ScanChecks, *, file: str = "", first: int = 1, most: int | None = None
) -> Part:
    """What the checks find in some lines of a log, of which the first has this number.

    It knows nothing but these lines, and changes nothing: parts may run in any order and anywhere. After
    `most` conversations, of which each has a line, the rest is not looked at.
    """
    judging = Judging(file, checks)
    look = checks.narrow if _is_utf8(data) else None
    lines = data.split(b"\n")
    judging.part.ends = len(lines) - 1
    if most is None:
        _judge_lines(lines, first, judging, look)
        return judging.part
    for number, line in enumerate(lines, first):
        if judging.part.tally.conversations >= most:
            break
        _judge_lines([line], number, judging, look)
    return judging.part


def _judge_lines(lines: Sequence[bytes], first: int, judging: Judging, look: NarrowLook | None) -> None:
    """Judge lines, of which the first has this number: those of which a first look cannot tell all."""
    left: Mapping[int, Doubtful | None]
    if look is None:
        left = {place: None for place, line in enumerate(lines) if line and not line.isspace()}
        judging.part.tally.lines += len(left)
    else:
        seen = look.at(lines)
        judging.count(seen)
        left = seen.left
    counted: list[tuple[int, bytes, Doubtful]] = []
    for place in sorted(left):
        number, doubtful = first + place, left[place]
        if doubtful is not None:
            counted.append((number, lines[place], doubtful))
            continue
        judging.take_counted(counted)
        counted = []
        for entry in entries_in_line(lines[place], number):
            judging.take(entry)
    judging.take_counted(counted)


def scan_entries(
    entries: Iterable[Entry], checks: ScanChecks, *, file: str = "", most: int | None = None
) -> Part:
    """The same for what lines hold that were read already."""
    judging = Judging(file, checks)
    for entry in entries:
        if most is not None and judging.part.tally.conversations >= most:
            break
        judging.part.tally.lines += entry.units
        if entry.kind == "message":
            judging.take(entry)
        else:  # what belongs together was gathered already
            judging.take_whole(entry)
    return judging.part


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def entries_in_line(
    line: bytes, number: int, mapping: LogMapping | None = None, name: str = ""
) -> Iterator[Entry]:
    """What the line of this number holds; `name` is the id of what names no other conversation."""
    if len(line) > log_lines.MAX_LINE:
        return iter([Entry(number, "malformed", problem=long_line())])
    try:
        return entries_of(number, parse_line(line), mapping, name)
    except FormatError as error:
        return iter([Entry(number, "malformed", problem=str(error))])


def whole_finding(counted: CountedFinding, checks: ScanChecks) -> Finding:
    """What was found in a line, with its words."""
    seen = checks.narrow.at([counted.data]).left[0] if checks.narrow is not None else None
    if seen is None:
        raise ValueError("a finding is only counted where a first look told of it")
    judging = Judging(counted.file, checks)
    judging.judge_doubtful(
        [(counted.line, counted.data, seen._replace(labels={counted.turn: {counted.label: True}}))]
    )
    (found,) = judging.part.findings
    assert isinstance(found, Finding)
    return found


def unit_of(entry: Entry) -> bytes:
    """What a conversation is drawn by: its id where it has one, else all that its line says."""
    return entry.id.encode("utf-8", "replace") if entry.id else msgspec.json.encode(entry.value)


class Judging:
    """Judges entries of one file, and gathers what that gives in `part`."""

    def __init__(self, file: str, checks: ScanChecks) -> None:
        self._file = file
        self._checks = checks
        self.part = Part(Tally())

    def handed_over(self) -> Part:
        """What was gathered since this was asked last."""
        part, self.part = self.part, Part(Tally())
        return part

    def take(self, entry: Entry) -> None:
        """Judge a conversation; what goes on in other lines is put aside."""
        if entry.group or entry.kind == "message":
            self.part.messages.append(entry)
        else:
            self.take_whole(entry)

    def take_whole(self, entry: Entry) -> None:
        """Judge a conversation."""
        if entry.kind in ("conversation", "record") and (entry.messages or not entry.problem):
            meets, chosen = self._checks.meets, self._checks.chosen
            if (meets is not None and not meets(entry)) or (
                chosen is not None and chosen.sample and not chosen.draws(unit_of(entry))
            ):
                self.part.tally.not_chosen += 1
                return
            self._judge_entry(entry)
        else:
            self.unread(entry.line, entry.problem)

    def _judge_entry(self, entry: Entry) -> None:
        line, tally = entry.line, self.part.tally
        raws = [*entry.messages, *entry.reply]
        parts, bad = read_whole(raws, entry.id)
        if bad and len(bad) == len(raws):
            self.unread(line, f"{entry.place(bad[0][0])}: {bad[0][1]}")
            return
        if entry.problem:
            self.unread(line, entry.problem)
        for index, detail in bad:
            self.unread(line, f"{entry.place(index)}: {detail}", whole=False)
        tally.conversations += 1
        tally.ended_early += len(parts) - 1 + entry.early
        tally.orphan(self._file, orphan_results([one for part in parts for one in part.messages]))
        before = len(self.part.findings)
        for record in parts:
            for turn in record.turns:
                self.judge_turn(record, turn, line)
            self.judge_whole(record, line)
        tally.conversations_with_findings += len(self.part.findings) > before

    def count(self, seen: Look) -> None:
        """Count what a first look knows, with all checks as passed."""
        tally = self.part.tally
        tally.lines += seen.lines
        tally.conversations += seen.conversations
        tally.turns += seen.turns
        tally.turns_examined += seen.examined
        if seen.examined:
            for one in self._checks.checks:
                tally.check(one.label).count(Outcome.PASS, seen.examined)

    def take_counted(self, conversations: Sequence[tuple[int, bytes, Doubtful]]) -> None:
        """Judge what is doubtful of conversations that are counted already, each with its line."""
        if self._checks.only_counted:
            self._count_doubtful(conversations)
        else:
            self.judge_doubtful(conversations)

    def judge_doubtful(self, conversations: Sequence[tuple[int, bytes, Doubtful]]) -> None:
        """Judge it with words for what is found.

        All are read, then all judged, then all findings made: code that was just used is quicker.
        """
        records = [(number, one, _record(one, line, number)) for number, line, one in conversations]
        asked = [
            (check, record, number, line)
            for line, one, record in records
            for number, labels in one.labels.items()
            for check in self._checks.checks
            if check.label in labels
        ]
        verdicts = [
            verdict
            for check, record, number, _ in asked
            for verdict in judge_checks([check.check], Reply(record, number), selects=False)
        ]
        found: set[int] = set()
        for (check, record, number, line), verdict in zip(asked, verdicts, strict=True):
            self.part.tally.check(check.label).count(Outcome.PASS, -1)
            self._said(check, verdict, record, record.turns[number - 1], line)
            if verdict.outcome is Outcome.FAIL:
                found.add(line)
        self.part.tally.conversations_with_findings += len(found)

    def _count_doubtful(self, conversations: Sequence[tuple[int, bytes, Doubtful]]) -> None:
        """The same where findings are only counted: what is certain is not judged, and has no words yet."""
        part = self.part
        for number, line, one in conversations:
            before = len(part.findings)
            record: Conversation | None = None
            for turn, labels in one.labels.items():
                for check in (each for each in self._checks.checks if each.label in labels):
                    tally = part.tally.check(check.label)
                    tally.count(Outcome.PASS, -1)
                    if labels[check.label]:
                        tally.count(Outcome.FAIL, 1)
                        key = _key(check.label, one.full_text(turn))
                        found = CountedFinding(check.label, self._file, number, turn, key, line)
                        part.findings.append(found)
                        continue
                    record = record or _record(one, line, number)
                    (verdict,) = judge_checks([check.check], Reply(record, turn), selects=False)
                    self._said(check, verdict, record, record.turns[turn - 1], number)
            part.tally.conversations_with_findings += len(part.findings) > before

    def unread(self, line: int, reason: str, *, whole: bool = True) -> None:
        """Count a line that could not be read, or a message of one."""
        self.part.tally.unread(MalformedLine(self._file, line, redact_text(reason)), whole=whole)

    def judge_turn(self, record: Conversation, turn: Turn, line: int) -> None:
        """Judge a turn in which the assistant did something."""
        self.part.tally.turns += 1
        if not any(one.role == "assistant" for one in turn.messages):
            return
        self.part.tally.turns_examined += 1
        left = self._left_to_judge(turn.text)
        if left:
            self._judge_reply(left, record, turn, line)

    def _judge_reply(self, checks: list[LogCheck], record: Conversation, turn: Turn, line: int) -> None:
        verdicts = judge_checks([one.check for one in checks], Reply(record, turn.number), selects=False)
        for check, verdict in zip(checks, verdicts, strict=True):
            self._said(check, verdict, record, turn, line)

    def _left_to_judge(self, text: str) -> list[LogCheck]:
        """The checks of a reply that do not pass at a first look, which is counted."""
        if len(text) > self._checks.longest or is_blank(text):
            return [check for check, _ in self._checks.of_replies]
        left: list[LogCheck] = []
        for check, passes in self._checks.of_replies:
            if passes is not None and holds(passes, text):
                self.part.tally.check(check.label).count(Outcome.PASS, 1)
            else:
                left.append(check)
        return left

    def judge_whole(self, record: Conversation, line: int) -> None:
        """Judge a conversation that is over."""
        wholes = self._checks.of_wholes
        if not wholes or not any(one.role == "assistant" for turn in record.turns for one in turn.messages):
            return
        last = record.turns[-1]
        verdicts = judge_checks([one.check for one in wholes], Reply(record, last.number), whole=True)
        for check, verdict in zip(wholes, verdicts, strict=True):
            named = [one.turn for one in verdict.evidence if one.turn is not None]
            number = verdict.turn or (named[-1] if named else last.number)  # where it became a fault
            turn = record.turns[number - 1] if 0 < number <= len(record.turns) else last
            self._said(check, verdict, record, turn, line)

    def _said(self, check: LogCheck, verdict: Verdict, record: Conversation, turn: Turn, line: int) -> None:
        part = self.part
        part.tally.check(check.label).add(verdict)
        if verdict.outcome is not Outcome.FAIL:
            return
        part.findings.append(_finding(check, verdict, record, turn, self._file, line))
        if self._checks.with_conversations:
            turns = record.turns[max(0, turn.number - _LAST_TURNS) : turn.number]
            part.conversations.append(Conversation(id=record.id, turns=turns))


class MessageJudging(Judging):
    """Judges the conversations of a file of which each message has its own entry."""

    def __init__(self, file: str, checks: ScanChecks, *, most: int | None = None) -> None:
        super().__init__(file, checks)
        self._open = KeptConversations()
        self._gathering = Gathering()
        self._goes_on = False
        self._most = most
        self._refused: set[str] = set()
        self._begun: set[str] = set()

    def take(self, entry: Entry) -> None:
        """Take the next message of its conversation, and judge the turns that are over by it."""
        if entry.group:
            for gathered in self._gathering.take(entry):
                self.take_whole(gathered)
            self._goes_on = True
            return
        if (self._most is not None or self._checks.chosen is not None) and not self._takes(entry):
            return
        try:
            conversation = self._open.add(entry.id, entry.messages[0], entry.line)
        except FormatError as error:
            self.unread(entry.line, f"the message {error.detail}")
            return
        self._judge_ended(conversation)
        if conversation.is_full:
            self.part.tally.ended_early += 1
            self._end(self._open.take(entry.id))
        for quiet in self._open.over():
            self.part.tally.ended_early += 1
            self._end(quiet)

    def _takes(self, entry: Entry) -> bool:
        """Whether the conversation is one of those to be looked at, as its first message says."""
        if entry.id in self._refused:
            return False
        if entry.id in self._begun:
            return True
        meets, chosen = self._checks.meets, self._checks.chosen
        if (meets is None or meets(entry)) and (chosen is None or chosen.draws(unit_of(entry))):
            if self._most is None or len(self._begun) < self._most:
                self._begun.add(entry.id)
                return True
        else:
            self.part.tally.not_chosen += 1
        self._refused.add(entry.id)
        return False

    def end(self) -> None:
        """Judge what is still open, at the end of the file."""
        for gathered in self._gathering.rest():
            self.take_whole(gathered)
        for conversation in self._open.rest():
            self._end(conversation)

    @property
    def is_open(self) -> bool:
        """Whether any conversation is."""
        return bool(self._open) or self._goes_on

    def _end(self, conversation: KeptConversation) -> None:
        conversation.end()
        last = self._judge_ended(conversation)
        tally, wholes = self.part.tally, self._checks.of_wholes
        tally.orphan(self._file, conversation.orphans.count)
        tally.conversations += 1
        if not conversation.forgot and wholes:
            before = len(self.part.findings)
            self.judge_whole(conversation.record(), last)
            conversation.found += len(self.part.findings) - before
        tally.conversations_with_findings += conversation.found > 0
        if not conversation.forgot:
            return
        tally.not_whole += 1
        reason = f"the conversation is longer than {MAX_KEPT:,} characters: its early turns were let go"
        for check in wholes:
            tally.check(check.label).add(inconclusive(reason))

    def _judge_ended(self, conversation: KeptConversation) -> int:
        """Judge the turns that are over; the line of the last one of the conversation."""
        if conversation.ended:
            before = len(self.part.findings)
            record = conversation.record()
            for turn, line in conversation.ended:
                self.judge_turn(record, turn, line)
                conversation.last_line = line
            conversation.ended.clear()
            conversation.found += len(self.part.findings) - before
        return conversation.last_line


def _record(one: Doubtful, line: bytes, number: int) -> Conversation:
    """The conversation of a line, which names it elsewhere where it has no id."""
    return one.record(one.id or next(entries_in_line(line, number)).id)


def _finding(
    check: LogCheck, verdict: Verdict, record: Conversation, turn: Turn, file: str, line: int
) -> Finding:
    spans = _spans(verdict.evidence, turn)
    plain = not may_need_redaction((record.id, turn, verdict.reason, verdict.claim))
    hide = str if plain else redact_text
    quoted, marks = _excerpt(turn, spans, str if plain else redaction_of(turn).text)
    return Finding(
        label=check.label,
        file=file,
        line=line,
        conversation=shorten(hide(record.id), _LONGEST_NAME),
        turn=turn.number,
        excerpt=quoted,
        marks=marks,
        spans=spans,
        reason=shorten(hide(verdict.reason), _LONGEST_REASON),
        claim=shorten(hide(verdict.claim), _LONGEST_REASON),
        key=_key(check.label, turn.full_text or quoted),
        user=shorten(hide(turn.user), _LONGEST_USER),
    )


def _key(label: str, reply: str) -> str:
    same = f"{label}\0{' '.join(reply.split()).casefold()}"
    return sha256(same.encode("utf-8", "surrogatepass")).hexdigest()[:16]


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


def _excerpt(turn: Turn, spans: Sequence[Span], hide: Callable[[str], str]) -> tuple[str, tuple[Span, ...]]:
    """The part of the reply that a reader needs, secrets hidden; without a text its data or calls."""
    text = turn.text
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
