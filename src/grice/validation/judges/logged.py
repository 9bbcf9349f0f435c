"""Conversations as logs have them, cut after the last reply, which is what is judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from grice.files.document import FileError
from grice.formats import FormatError, read_conversation
from grice.records import Conversation, JsonValue
from grice.validation.rows import Row

__all__ = ["LoggedMessages", "NoReply", "is_logged", "logged_conversation"]

_HOLDING = ("messages", "input", "events")
_REPLIES = ("response", "choices", "output", "reply", "text")
_INSIDE = ("choices", "output", "message", "body")
_CONVERSATIONS = (
    "conversation_id",
    "conversationId",
    "session_id",
    "sessionId",
    "thread_id",
    "threadId",
    "chat_id",
    "chatId",
    "dialogue_id",
    "dialog_id",
)


class NoReply(msgspec.Struct, frozen=True):
    """A conversation in which nobody replied: there is nothing to judge."""

    message: str = "no reply in the conversation: there is nothing to judge"


class LoggedMessages:
    """The messages of a log that has one a line, by the id of their conversation."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[Row, list[dict[str, Any]]]] = {}

    def take(self, row: Row) -> bool:
        """Keep a row that is a message; whether it is one."""
        nested = row.fields.get("message")
        message = nested if isinstance(nested, dict) else row.fields
        name = next((str(row.fields[key]) for key in _CONVERSATIONS if row.fields.get(key)), "")
        if not name or "role" not in message or is_logged(row.fields):
            return False
        self._found.setdefault(name, (row, []))[1].append(message)
        return True

    def conversations(self) -> Iterator[tuple[Row, Conversation | NoReply | FileError]]:
        """Every conversation, with the row of its first message."""
        for name, (row, messages) in self._found.items():
            named = msgspec.structs.replace(row, fields={"id": name})
            try:
                yield named, _to_last_reply(read_conversation(messages, id=name))
            except FormatError as error:
                yield named, row.error((), f"conversation {name}: {error}")


def is_logged(fields: Mapping[str, Any]) -> bool:
    """Whether the row holds a conversation, not the parts of one."""
    if any(fields.get(key) is not None for key in _HOLDING) or isinstance(fields.get("turns"), list):
        return True
    return isinstance(fields.get("conversation"), dict | list)


def logged_conversation(row: Row) -> Conversation | NoReply | FileError:
    """The conversation of a row, cut after its last reply, or what is wrong with it."""
    fields = row.fields
    inner = fields.get("conversation")
    own = inner if isinstance(inner, dict) else fields
    if isinstance(own.get("turns"), list) and "messages" not in own:
        return _grice_conversation(row, own, ("conversation",) if own is inner else ())
    try:
        reply = _replied(fields)
        held = next((key for key in (*_HOLDING, "conversation") if fields.get(key) is not None), "messages")
        if isinstance(inner, dict) and held == "conversation":
            return _to_last_reply(read_conversation(inner))
        asked = fields[held]
        messages = [{"role": "user", "content": asked}] if isinstance(asked, str) else asked
        if isinstance(messages, list) and reply and messages[-1:] != reply[:1]:
            messages = [*messages, *reply]
        apart: dict[str, Any] = {key: fields[key] for key in ("system", "instructions") if key in fields}
        return _to_last_reply(read_conversation({**apart, "messages": messages}, id=_id(fields)))
    except FormatError as error:
        return row.error((), str(error))


def _id(fields: Mapping[str, Any]) -> str:
    found = next((fields[key] for key in ("id", *_CONVERSATIONS, "eval_id") if fields.get(key)), "")
    return str(found)


def _grice_conversation(
    row: Row, value: Mapping[str, Any], where: tuple[str, ...]
) -> Conversation | NoReply | FileError:
    try:
        return _to_last_reply(msgspec.convert(value, Conversation))
    except msgspec.ValidationError as error:
        return row.error(where, f"not a conversation of Grice: {error}")


def _to_last_reply(conversation: Conversation) -> Conversation | NoReply:
    turns = conversation.turns
    spoken = [
        place for place, turn in enumerate(turns, 1) if any(one.role == "assistant" for one in turn.messages)
    ]
    if not spoken:
        return NoReply()
    return msgspec.structs.replace(conversation, turns=turns[: spoken[-1]])


def _replied(fields: Mapping[str, Any]) -> list[JsonValue]:
    """The messages of a reply that stands beside the messages, as in logs of requests to a model."""
    for key in _REPLIES:
        if fields.get(key):
            return _reply_messages(fields[key])
    return []


def _reply_messages(value: JsonValue) -> list[JsonValue]:
    match value:
        case str():
            return [{"role": "assistant", "content": value}]
        case [{"message": dict() as message}, *_]:  # the first of the choices, if there are several
            return [message]
        case list() if all(isinstance(one, dict) and ("role" in one or "type" in one) for one in value):
            return list(value)
        case {"role": _}:
            return [value]
        case {"content": str() | list() as content}:
            return [{"role": "assistant", "content": content}]
        case dict():
            inner = next((value[key] for key in _INSIDE if value.get(key)), None)
            return _reply_messages(inner) if inner is not None else []
    return []
