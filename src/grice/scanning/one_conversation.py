"""The conversation that a line of a log is part of, whole, for a reader."""

from __future__ import annotations

from pathlib import Path

from grice.formats import FormatError
from grice.formats.logs import Entry, read_log
from grice.formats.turns import turns_of
from grice.records import Conversation, Message
from grice.scanning.kept import read_whole
from grice.scanning.turns import read_raw


class NotThere(LookupError):
    """What was named is not there; the message says what is."""


def conversation_at(path: Path, line: int) -> Conversation:
    """The conversation on that line (from 1), or the one that its message is part of, from the whole file.

    Raises NotThere where the line holds none, Unreadable where the file cannot be read.
    """
    found, last = None, 0
    for entry in read_log(path):
        last = max(last, entry.line, *entry.lines)
        if entry.line == line or line in entry.lines:
            found = entry
            break
    if found is None:
        raise NotThere(f"{path}:{line}: there is no such line: the last one that holds anything is {last}")
    entry = found
    if entry.kind == "message":
        return _gathered(path, entry)
    if entry.kind not in ("conversation", "record"):
        raise NotThere(f"{path}:{line}: {entry.problem or 'expected a conversation or a message of one'}")
    parts, bad = read_whole([*entry.messages, *entry.reply], entry.id)
    if bad and not any(one.turns for one in parts):
        raise NotThere(f"{path}:{line}: {entry.place(bad[0][0])}: {bad[0][1]}")
    return parts[0]


def _gathered(path: Path, wanted: Entry) -> Conversation:
    """All messages of the log with that conversation id, in their order, without those that are broken."""
    messages: list[Message] = []
    for entry in read_log(path):
        raw = entry.messages[0] if entry.kind == "message" and entry.id == wanted.id else None
        if not isinstance(raw, dict):
            continue
        try:
            messages += read_raw(raw)
        except FormatError as error:
            if entry.line == wanted.line:
                raise NotThere(f"{path}:{wanted.line}: the message {error.detail}") from error
    return Conversation(id=wanted.id, turns=tuple(turns_of(messages)))
