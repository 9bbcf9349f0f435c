"""Conversations as logs have them, cut after the last reply, which is what is judged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from grice.files.document import FileError
from grice.formats import FormatError, read_conversation
from grice.formats.detection import detect_clean
from grice.formats.logs import HOLDING, Entry
from grice.records import Conversation
from grice.validation.rows import Row

__all__ = ["LoggedMessages", "NoReply", "is_logged", "logged_conversation"]

_APART = ("system", "instructions")


class NoReply(msgspec.Struct, frozen=True):
    """A conversation in which nobody replied: there is nothing to judge."""

    message: str = "no reply in the conversation: there is nothing to judge"


class LoggedMessages:
    """The messages of a log that has one a line, by the id of their conversation."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[Row, list[dict[str, Any]]]] = {}

    def take(self, row: Row, entry: Entry) -> bool:
        """Keep a row that is a message; whether it is one."""
        if entry.kind != "message" or not _is_message(entry.messages[0]):
            return False
        self._found.setdefault(entry.id, (row, []))[1].append(entry.messages[0])
        return True

    def conversations(self) -> Iterator[tuple[Row, Conversation | NoReply | FileError]]:
        """Every conversation, with the row of its first message."""
        for name, (row, messages) in self._found.items():
            named = msgspec.structs.replace(row, fields={"id": name})
            try:
                yield named, _to_last_reply(read_conversation(messages, id=name))
            except FormatError as error:
                yield named, row.error((), f"conversation {name}: {error}")


def _is_message(raw: dict[str, Any]) -> bool:
    """Whether it is a message beyond doubt: rows of labels may have a `type` too."""
    return "role" in raw or detect_clean([raw]) != "openai_chat"


def is_logged(row: Row, entry: Entry) -> bool:
    """Whether the row holds a conversation, not the parts of one."""
    if entry.kind in ("conversation", "record") or (entry.kind == "malformed" and entry.messages):
        return True
    return any(row.fields.get(key) is not None for key in HOLDING)


def logged_conversation(row: Row, entry: Entry) -> Conversation | NoReply | FileError:
    """The conversation of a row, cut after its last reply, or what is wrong with it."""
    if entry.kind == "record":
        return _grice_conversation(row)
    if entry.kind != "conversation":
        return NoReply(entry.problem) if entry.messages else row.error((), entry.problem)
    holder = entry.holder if isinstance(entry.holder, dict) else {}
    beside = (*_APART, "metadata") if entry.within == "conversation" else _APART
    apart = {key: holder[key] for key in beside if key in holder}
    try:
        messages = [*entry.messages, *entry.reply]
        return _to_last_reply(read_conversation({**apart, "messages": messages}, id=entry.id))
    except FormatError as error:
        return row.error((), str(error))


def _grice_conversation(row: Row) -> Conversation | NoReply | FileError:
    own = isinstance(row.fields.get("turns"), list)
    value = row.fields if own else row.fields["conversation"]
    try:
        return _to_last_reply(msgspec.convert(value, Conversation))
    except msgspec.ValidationError as error:
        where = () if own else ("conversation",)
        return row.error(where, f"not a conversation of Grice: {error}")


def _to_last_reply(conversation: Conversation) -> Conversation | NoReply:
    turns = conversation.turns
    spoken = [
        place for place, turn in enumerate(turns, 1) if any(one.role == "assistant" for one in turn.messages)
    ]
    if not spoken:
        return NoReply()
    return msgspec.structs.replace(conversation, turns=turns[: spoken[-1]])
