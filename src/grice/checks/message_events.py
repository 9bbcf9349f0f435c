"""The contents of a message array, one after the other: texts, tool calls and tool results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from grice.formats import FormatError, read_message
from grice.formats.calls import REQUESTOR
from grice.formats.content import as_list, as_mapping, json_text, role_of
from grice.formats.unread import with_unread
from grice.matching.matcher import Unsuitable
from grice.records import Conversation, Exchange, JsonValue, Message

Kind = Literal["system", "user", "assistant", "tool_use", "tool_result"]
KINDS: tuple[Kind, ...] = ("system", "user", "assistant", "tool_use", "tool_result")
MessageArray = Sequence[Mapping[str, JsonValue]]


class Event(msgspec.Struct, frozen=True):
    """One thing in a message array: a text, a tool call or a tool result.

    `index` counts messages from 0; a system prompt beside the array has -1. `said` is its text, `unread` the
    JSON text of what is there beside text: documents, images. `stray` is the role of the message that a call
    or a result stands in where it does not belong, "" otherwise.
    """

    index: int
    kind: Kind
    said: str
    id: str = ""
    unread: str = ""
    stray: str = ""

    @property
    def text(self) -> str:
        """Everything in it as text."""
        return f"{self.said}\n{self.unread}" if self.said and self.unread else self.said or self.unread


class ReadMessages(msgspec.Struct, frozen=True):
    """A message array that was read: the checks take it in place of the request, which several judge."""

    events: tuple[Event, ...]


def events_of(subject: Conversation | Exchange | MessageArray | ReadMessages) -> tuple[Event, ...]:
    """Flatten a message array in order into texts, tool calls and tool results.

    The system prompt that a request or a conversation has beside its messages comes first. Raises
    Unsuitable for anything that is not a conversation, an exchange or a list of messages.
    """
    if isinstance(subject, ReadMessages):
        return subject.events
    if isinstance(subject, Conversation):
        return tuple(_flattened(subject.system, enumerate(with_unread(subject.messages))))
    if isinstance(subject, Exchange):
        return tuple(_flattened(subject.system_field, _read(subject.messages)))
    return tuple(_flattened(None, _read(subject)))


def sent_text(exchange: Exchange) -> str:
    """Everything that a request tells the model, its system prompt first; of malformed messages the JSON."""
    try:
        return "\n".join(event.text for event in events_of(exchange))
    except Unsuitable:
        return f"{exchange.system}\n{json_text(exchange.messages)}"


def _read(raw: object) -> Iterator[tuple[int, tuple[Message, str]]]:
    if not isinstance(raw, list | tuple):
        raise Unsuitable(f"a Conversation, an Exchange or a list of messages, found {type(raw).__name__}")
    for index, one in enumerate(raw):
        try:
            read = read_message(one)
        except FormatError as error:
            raise Unsuitable(f"message arrays: message {index} {error}") from error
        for message in with_unread(read):
            yield index, message


def _flattened(system: str | None, messages: Iterable[tuple[int, tuple[Message, str]]]) -> Iterator[Event]:
    if system:
        yield Event(-1, "system", system)
    raw: Any = None
    for index, (message, unread) in messages:
        source = as_mapping(message.metadata.get("source"))
        raw = source.get("raw", raw) if source else None  # several messages may be made of one
        yield from _events(index, message, unread, raw)


def _events(index: int, message: Message, unread: str, raw: JsonValue) -> Iterator[Event]:
    if message.role == "tool":
        id_ = message.tool_call_id or ""
        yield Event(index, "tool_result", message.content, id_, unread, _wrong_role(raw, id_))
        return
    if message.content or unread:
        yield Event(index, message.role, message.content, unread=unread)
    for call in message.tool_calls:
        text = (
            call.raw_arguments
            if call.raw_arguments is not None
            else msgspec.json.encode(call.arguments).decode()
        )
        own = message.role == "assistant" or call.metadata.get(REQUESTOR) == message.role
        stray = "" if own else message.role
        yield Event(index, "tool_use", f"{call.name} {text}", call.id, stray=stray)


def _wrong_role(raw: JsonValue, id_: str) -> str:
    """The role of the raw message that has the result among its blocks, when no results belong there.

    Results of the provider's own tools have types of their own, and stand in the assistant's messages.
    """
    held = as_mapping(raw)
    if held is None or held.get("role") is None or (role := role_of(held)) in ("user", "tool"):
        return ""
    blocks = [as_mapping(block) or {} for block in as_list(held.get("content")) or ()]
    ids = [block.get("tool_use_id") for block in blocks if block.get("type") == "tool_result"]
    return role if id_ in ids else ""
