"""What one line of a log holds: a whole conversation, or one message of one."""

from __future__ import annotations

from typing import Any, NamedTuple

from grice.formats.lines import parse_line
from grice.formats.stray import stray_texts
from grice.records import JsonValue

__all__ = ["CONVERSATION_IDS", "BadLine", "Entry", "read_entry"]

CONVERSATION_IDS = (
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
"""The fields that name the conversation of a message, in the order in which they are looked for."""


_READ_REPLIES = 'a reply is read from "response", "choices" or "output"'


class BadLine(Exception):
    """A line that is neither a conversation nor a message; the text says why."""


class Entry(NamedTuple):
    """The messages of a line. `whole` says that they are a conversation, not a part of one.

    `reply` follows them, from a line that holds a request to a model and its reply; `field` is where it
    stood. `unread` are the fields of a line without reply that hold text and that nothing reads.
    """

    id: str
    messages: list[Any]
    whole: bool
    reply: list[Any] = []  # noqa: RUF012 - a tuple's default; nobody adds to it
    field: str = ""
    unread: tuple[str, ...] = ()

    @property
    def unread_problem(self) -> str:
        """What is wrong with a line whose reply stands where none is looked for."""
        return f"no reply, but text in {', '.join(self.unread)[:120]}; {_READ_REPLIES}"

    def place(self, index: int) -> str:
        """Where the message of this index stands in the line, those of the reply after the others."""
        asked = len(self.messages)
        return f"messages[{index}]" if index < asked else f"{self.field}[{index - asked}]"


def read_entry(line: bytes) -> Entry:
    """What a line holds. Raises BadLine, or FormatError for what is no JSON, with the reason."""
    value = parse_line(line)
    if isinstance(value, list):
        first = value[0] if value else None
        if isinstance(first, list) or (isinstance(first, dict) and "messages" in first):
            raise BadLine("a list of conversations; expected one conversation a line (jq -c '.[]' splits it)")
        return Entry("", value, True)
    if not isinstance(value, dict):
        raise BadLine(f"found {_kind(value)}; expected an object or a list of messages")
    asked = _asked(value)
    if asked is None:
        return _message_entry(value)
    name = _identifier(value, ("id", *CONVERSATION_IDS))
    return _with_reply(Entry(name, asked, True), value)


def _with_reply(entry: Entry, line: dict[str, Any]) -> Entry:
    """The entry with the first reply of the line that says something, else with what may be one."""
    asked = entry.messages
    quiet = entry
    for field in _REPLIES:
        if line.get(field):
            reply = _replied(field, line[field])
            if not all(map(_is_silent, reply)):
                return entry._replace(reply=[] if asked[-1:] == reply else reply, field=field)
            quiet = quiet if quiet.reply else entry._replace(reply=reply, field=field)
    if asked and isinstance(asked[-1], dict) and _is_of_assistant(asked[-1]):
        return quiet
    return quiet._replace(unread=tuple(stray_texts(line, _READ)))


def _is_of_assistant(message: dict[str, Any]) -> bool:
    return message.get("role", message.get("type")) in ("assistant", "ai")


def _is_silent(message: JsonValue) -> bool:
    """Whether a message has empty fields only, but for those that say what it is."""
    return isinstance(message, dict) and not any(
        held for key, held in message.items() if key not in ("role", "type", "id", "status")
    )


def _asked(holder: dict[str, Any]) -> list[Any] | None:
    """The messages of a conversation or of a request to a model, None when there are none."""
    for key in ("messages", "input"):
        held = holder.get(key)
        if held is None:
            continue
        if isinstance(held, str) and key == "input":
            return [{"role": "user", "content": held}]
        if not isinstance(held, list):
            raise BadLine(f'"{key}" is {_kind(held)}; expected a list of messages')
        return held
    request = holder.get("request")
    if isinstance(request, str):
        return [{"role": "user", "content": request}]
    asked = _asked(request) if isinstance(request, dict) else None
    if request is not None and asked is None:
        raise BadLine(f'"request" is {_kind(request)}; expected an object with "messages" or "input"')
    return asked


_REPLIES = ("response", "choices", "output")
_INSIDE = ("choices", "output", "message", "body")
_READ = (*_REPLIES, "messages", "input", "request", "data")


def _replied(field: str, value: JsonValue) -> list[Any]:
    """The messages of a model's reply: a text, a message, items, or the answer of a provider's API."""
    match value:
        case str():
            return [{"role": "assistant", "content": value}]
        case [{"message": dict() as message}, *_]:  # the first of the choices, if there are several
            return [message]
        case [{"text": str() as text}, *_] if field.endswith("choices"):
            return [{"role": "assistant", "content": text}]
        case list() if not field.endswith("choices") and all(isinstance(item, dict) for item in value):
            return value
        case {"role": _} | {"type": _, "content": _}:
            return [value]
        case dict():
            held = [inner for inner in _INSIDE if value.get(inner) is not None]
            if held:
                inner = next((inner for inner in held if value[inner]), held[0])
                return _replied(f"{field}.{inner}", value[inner])
            if "content" in value:
                return [{"role": "assistant", **value}]
    found = f"{_kind(value)}{_fields_of(value)}"
    raise BadLine(f'"{field}" is {found}; expected a message, or an object with "choices" or "output"')


def _fields_of(value: JsonValue) -> str:
    if not isinstance(value, dict):
        return ""
    return f" with {(', '.join(list(value)[:8]) or 'no fields')[:120]}"


def _message_entry(value: dict[str, Any]) -> Entry:
    nested = value.get("message")
    raw = nested if isinstance(nested, dict) and value.get("role") is None else value
    if raw.get("role") is None and raw.get("type") is None:
        raise BadLine(f'found an object{_fields_of(value)}; expected "messages", "input", or a message')
    name = _identifier(value, CONVERSATION_IDS)
    if not name:
        raise BadLine(
            f"a message without the id of its conversation; looked for {', '.join(CONVERSATION_IDS)}"
        )
    return Entry(name, [raw], False)


def _identifier(holder: dict[str, Any], keys: tuple[str, ...]) -> str:
    for key in keys:
        found = holder.get(key)
        if isinstance(found, str) and found:
            return found
        if isinstance(found, int | float):
            return str(found)
    return ""


def _kind(value: JsonValue) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "an object"
