"""The conversation that a line of a log is part of, whole, for a reader, and what is found in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from grice.formats import FormatError
from grice.formats.logs import Entry, read_log
from grice.formats.mapping import LogMapping
from grice.formats.turns import turns_of
from grice.records import Conversation, Message, Outcome, Reply, Verdict
from grice.running.suite_checks import judge_checks
from grice.scanning.check_choice import LogCheck
from grice.scanning.kept import read_whole
from grice.scanning.turns import read_raw


class NotThere(LookupError):
    """What was named is not there; the message says what is."""


def conversation_at(path: Path | str, line: int, mapping: LogMapping | None = None) -> Conversation:
    """The conversation on that line (from 1), or the one that its message is part of, from the whole file.

    `mapping` says how a log of a home-made shape is read. Raises NotThere where the line holds none,
    Unreadable where the file cannot be read.
    """
    found, last = None, 0
    for entry in read_log(path, mapping):
        lines = (entry.line, *entry.lines, *entry.later_lines)
        last = max(last, *lines)
        if line in lines:
            found = entry
            break
    if found is None:
        raise NotThere(f"{path}:{line}: there is no such line: the last one that holds anything is {last}")
    entry = found
    if entry.kind == "message":
        return _gathered(path, entry, mapping)
    if entry.kind not in ("conversation", "record"):
        raise NotThere(f"{path}:{line}: {entry.problem or 'expected a conversation or a message of one'}")
    parts, bad = read_whole([*entry.messages, *entry.reply], entry.id)
    if bad and not any(one.turns for one in parts):
        raise NotThere(f"{path}:{line}: {entry.place(bad[0][0])}: {bad[0][1]}")
    return parts[0]


def _gathered(path: Path | str, wanted: Entry, mapping: LogMapping | None) -> Conversation:
    """All messages of the log with that conversation id, in their order, without those that are broken."""
    messages: list[Message] = []
    for entry in read_log(path, mapping):
        raw = entry.messages[0] if entry.kind == "message" and entry.id == wanted.id else None
        if not isinstance(raw, dict):
            continue
        try:
            messages += read_raw(raw)
        except FormatError as error:
            if entry.line == wanted.line:
                raise NotThere(f"{path}:{wanted.line}: the message {error.detail}") from error
    return Conversation(id=wanted.id, turns=tuple(turns_of(messages)))


def findings_in(conversation: Conversation, checks: Sequence[LogCheck]) -> tuple[Verdict, ...]:
    """The verdicts of checks that failed on a turn of a conversation or on all of it, in its order."""
    of_replies = [one for one in checks if not one.of_conversation]
    wholes = [one for one in checks if one.of_conversation]
    spoken = [turn for turn in conversation.turns if any(one.role == "assistant" for one in turn.messages)]
    found: list[Verdict] = []
    for turn in spoken:
        found += _failed(of_replies, Reply(conversation, turn.number), whole=False)
    if spoken:
        found += _failed(wholes, Reply(conversation, conversation.turns[-1].number), whole=True)
    return tuple(sorted(found, key=lambda one: one.turn or 0))


def _failed(checks: Sequence[LogCheck], reply: Reply, *, whole: bool) -> Iterator[Verdict]:
    for check, verdict in zip(
        checks, judge_checks([one.check for one in checks], reply, whole=whole), strict=True
    ):
        if verdict.outcome is Outcome.FAIL:
            named = [one.turn for one in verdict.evidence if one.turn is not None]
            turn = verdict.turn or (named[-1] if whole and named else reply.number)
            yield replace(verdict, claim=check.label, turn=turn)
