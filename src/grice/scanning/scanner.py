"""One pass over logs: lines to messages, messages to turns, turns to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from grice.checks.tool_flow.labels import Validation
from grice.checks.tool_flow.status import ToolStatus, status_of_result
from grice.checks.tool_flow.validator import validate_response
from grice.formats import FormatError
from grice.formats.lines import name_of
from grice.formats.logs import Entry
from grice.formats.mapping import LogMapping
from grice.formats.turns import parse_result
from grice.identity import redact_text
from grice.records import Conversation, Message, ToolCall
from grice.scanning.line_scanner import LineScanner
from grice.scanning.report import (
    MALFORMED_ARGUMENTS,
    Finding,
    ScanReport,
    Tally,
)
from grice.scanning.turns import OpenConversation, OpenConversations, OpenTurn
from grice.text import shorten
from grice.text.excerpts import excerpt

_SHOWN = 200
_LONGEST_NAME = 200


OnFinding = Callable[[Finding], object]
OnConversation = Callable[[Finding, Conversation], object]


def scan(
    paths: Iterable[Path | str],
    *,
    mappings: Mapping[str, LogMapping] = MappingProxyType({}),
    on_finding: OnFinding | None = None,
    on_conversation: OnConversation | None = None,
) -> ScanReport:
    """Look for the five labels in every assistant turn of JSONL logs, and for malformed tool arguments.

    A line holds a conversation (`{"messages": [...]}`, `{"input": [...]}` or a bare list, in the shapes of
    Anthropic, OpenAI Chat and OpenAI Responses), a request to a model with its reply (`response`, `choices`
    or `output`), or one message with the id of its conversation; "-" is standard input, gzip is read as it
    is. The text judged is everything the assistant said in a turn, under the status of the last tool result
    in it. Malformed lines, malformed messages and unreadable files are part of the report. A line whose reply
    stands in a field that is not read is malformed, and the rest of it is judged.

    `mappings` says, by the name of a file, how a log of a home-made shape is read.

    `on_finding` is called for every finding, of which the report keeps the first few, and `on_conversation`
    with the turn that it is in besides. Memory does not grow
    with the log. A conversation ends with its file, or when 10,000 others have spoken since its last
    message; a turn also ends after 10 million characters.
    """
    tally = Tally()
    for path in paths:
        _Scanner(name_of(path), tally, on_finding, on_conversation).scan(path, mappings.get(str(path)))
    return tally.report()


class _Scanner(LineScanner[OpenConversation]):
    """Scans one file."""

    def __init__(
        self,
        file: str,
        tally: Tally,
        on_finding: OnFinding | None,
        on_conversation: OnConversation | None,
    ) -> None:
        self._tally = tally
        self._on_finding = on_finding
        self._on_conversation = on_conversation
        self._whole = on_conversation is not None
        self._open = OpenConversations(whole=self._whole)
        super().__init__(file, tally, self._open)

    def _read_whole(self, entry: Entry) -> None:
        line = entry.line
        conversation = OpenConversation(entry.id, whole=self._whole)
        messages = [*entry.messages, *entry.reply] if entry.reply else entry.messages
        bad: list[str] = []
        for index, raw in enumerate(messages):
            try:
                conversation.add(raw, entry.line_of(index))
            except FormatError as error:
                bad.append(f"{entry.place(index)}: {error.detail}")
        if bad and len(bad) == len(messages):
            self._malformed(line, bad[0])
            return
        if entry.problem:
            self._malformed(line, entry.problem)
        for reason in bad:
            self._malformed(line, reason, whole=False)
        self._end(conversation)

    def _read_part(self, entry: Entry) -> None:
        conversation = self._open.find(entry.id)
        conversation.add(entry.messages[0], entry.line)
        if conversation.ended:
            self._judge_ended(conversation)
        for quiet in self._open.over():
            self._end(quiet)

    def _end(self, conversation: OpenConversation) -> None:
        conversation.end()
        self._judge_ended(conversation)
        self._orphans += conversation.orphan_results
        self._tally.conversations += 1
        if not conversation.spoke:
            self._tally.silent_conversations += 1
        self._tally.conversations_with_findings += conversation.found

    def _judge_ended(self, conversation: OpenConversation) -> None:
        for turn in conversation.ended:
            self._judge(conversation, turn)
        conversation.ended.clear()

    def _judge(self, conversation: OpenConversation, turn: OpenTurn) -> None:
        tally = self._tally
        tally.turns += 1
        tally.tool_calls += turn.calls
        for line, call in turn.broken:
            self._found(conversation, turn, _broken_call(self._file, line, conversation, turn, call))
        text = turn.texts[0] if len(turn.texts) == 1 else "\n".join(turn.texts)
        if not text or text.isspace():
            return
        conversation.spoke = True
        tally.examined += 1
        status = _status_of(turn.result)
        validation = validate_response(text, status, profile="seed")
        if validation.findings:
            tally.with_findings += 1
            for finding in _findings(self._file, conversation, turn, text, status, validation):
                self._found(conversation, turn, finding)

    def _found(self, conversation: OpenConversation, turn: OpenTurn, finding: Finding) -> None:
        conversation.found = True
        self._tally.found(finding)
        if self._on_finding is not None:
            self._on_finding(finding)
        if self._on_conversation is not None:
            self._on_conversation(finding, turn.record(conversation.id))


def _status_of(result: Message | None) -> ToolStatus:
    if result is None:
        return "none"
    return "error" if result.is_error else status_of_result(parse_result(result.content))


def _findings(
    file: str,
    conversation: OpenConversation,
    turn: OpenTurn,
    text: str,
    status: ToolStatus,
    validation: Validation,
) -> Iterable[Finding]:
    shown = redact_text(text)
    places = {found.label: found.spans for found in validation.findings}
    if shown != text:  # look again, so that marks are right; a place inside a secret has none
        places = {
            found.label: found.spans for found in validate_response(shown, status, profile="seed").findings
        }
    for found in validation.findings:
        quoted, marks = excerpt(shown, places.get(found.label, ()))
        yield Finding(
            label=found.label,
            file=file,
            line=_line_of(turn, found.spans[0][0]),
            conversation=_name(conversation.id),
            turn=turn.number,
            tool_status=status,
            excerpt=quoted,
            marks=marks,
            spans=found.spans,
        )


def _broken_call(
    file: str, line: int, conversation: OpenConversation, turn: OpenTurn, call: ToolCall
) -> Finding:
    return Finding(
        label=MALFORMED_ARGUMENTS,
        file=file,
        line=line,
        conversation=_name(conversation.id),
        turn=turn.number,
        tool_status=None,
        excerpt=shorten(redact_text(call.raw_arguments or ""), _SHOWN),
        tool=_name(call.name),
    )


def _name(text: str) -> str:
    return shorten(redact_text(text), _LONGEST_NAME)


def _line_of(turn: OpenTurn, offset: int) -> int:
    end = -1
    for text, line in zip(turn.texts, turn.lines, strict=True):
        end += len(text) + 1
        if offset <= end:
            return line
    return turn.lines[-1]
