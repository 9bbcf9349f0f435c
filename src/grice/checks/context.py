"""What the model was told: messages in the array that was sent, and their order.

Source: seed 000, layer 2 (bug B: the user's message was not in the array of the tool-result turn).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from grice.formats import FormatError, read_message
from grice.formats.content import json_text
from grice.formats.unread import with_unread
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, Unsuitable, matcher
from grice.records import (
    Conversation,
    Evidence,
    Exchange,
    JsonValue,
    Message,
    Verdict,
    clean_text,
    failed,
    inconclusive,
    passed,
)
from grice.text import did_you_mean, shorten, value_text

__all__ = [
    "Kind",
    "MessageArray",
    "ReadMessages",
    "contain_message",
    "events_of",
    "have_last_user_message",
    "pair_tool_calls",
    "sent_text",
]

Kind = Literal["system", "user", "assistant", "tool_use", "tool_result"]
KINDS: tuple[Kind, ...] = ("system", "user", "assistant", "tool_use", "tool_result")
MessageArray = Sequence[Mapping[str, JsonValue]]
SHOWN_EVENTS = 12


class Event(msgspec.Struct, frozen=True):
    """One thing in a message array: a text, a tool call or a tool result.

    `index` counts messages from 0; a system prompt beside the array has -1. `said` is its text, `unread` the
    JSON text of what is there beside text: documents, images.
    """

    index: int
    kind: Kind
    said: str
    id: str = ""
    unread: str = ""

    @property
    def text(self) -> str:
        """Everything in it as text."""
        return f"{self.said}\n{self.unread}" if self.said and self.unread else self.said or self.unread


class ReadMessages(msgspec.Struct, frozen=True):
    """A message array that was read: the checks take it in place of the request, which several judge."""

    events: tuple[Event, ...]


def events_of(subject: Conversation | Exchange | MessageArray | ReadMessages) -> tuple[Event, ...]:
    """What is in a message array, flattened in order: texts, tool calls and tool results.

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
    for index, (message, unread) in messages:
        yield from _events(index, message, unread)


def _events(index: int, message: Message, unread: str) -> Iterator[Event]:
    if message.role == "tool":
        yield Event(index, "tool_result", message.content, message.tool_call_id or "", unread)
        return
    if message.content or unread:
        yield Event(index, message.role, message.content, unread=unread)
    for call in message.tool_calls:
        text = (
            call.raw_arguments
            if call.raw_arguments is not None
            else msgspec.json.encode(call.arguments).decode()
        )
        yield Event(index, "tool_use", f"{call.name} {text}", call.id)


def _describe(
    *,
    role: Kind | None = None,
    content: str | None = None,
    id: str | None = None,  # noqa: A002 - the field's name
    before: Kind | None = None,
    after: Kind | None = None,
) -> str:
    words = f"contain a {role or 'message'}" + (" message" if role in ("system", "user", "assistant") else "")
    words += f" of id {value_text(id)}" if id is not None else ""
    words += f" with {value_text(content)}" if content is not None else ""
    words += f" before the last {before}" if before is not None else ""
    return words + (f" after the first {after}" if after is not None else "")


def _check(
    *,
    role: object = None,
    content: object = None,
    id: object = None,  # noqa: A002 - the field's name
    before: object = None,
    after: object = None,
) -> None:
    for word in (role, before, after):
        if word is not None and word not in KINDS:
            raise ArgumentError(f"unknown kind {word!r}{did_you_mean(str(word), KINDS)}: {', '.join(KINDS)}")
    for name, wanted in (("content", content), ("id", id)):
        if wanted is not None and (not isinstance(wanted, str) or not wanted):
            raise ArgumentError(f"{name} is a text that is not empty, found {value_text(wanted)}")
    if role is None and content is None and id is None:
        raise ArgumentError("name the message: role=, content= or id=")


@matcher("toContainMessage", layer=2, describe=_describe, check=_check)
def contain_message(
    subject: Exchange | Conversation | MessageArray,
    ctx: Context,
    *,
    role: Kind | None = None,
    content: str | None = None,
    id: str | None = None,  # noqa: A002 - the field's name
    before: Kind | None = None,
    after: Kind | None = None,
) -> Verdict:
    """The message array has a message of that role whose text contains `content`, at that place.

    `role`, `before` and `after` are system, user, assistant, tool_use or tool_result; `id` is that of a tool
    call or its result. `before` means before the last of its kind, `after` after the first. An empty array,
    or one without the kind that `before` or `after` names, is `inconclusive`. Arrays are read in the
    Anthropic, OpenAI Chat and OpenAI Responses shapes; the system prompt counts wherever the request has it,
    and of documents, images and other content its JSON text, encoded bytes cut. Source: seed 000, layer 2.
    """
    events = events_of(subject)
    if not events:
        return inconclusive("the message array is empty")
    bounds = _bounds(events, before, after)
    if isinstance(bounds, str):
        return inconclusive(f"{bounds}; {_summary(events)}")
    matching = [i for i, event in enumerate(events) if _fits(event, role, content, id)]
    placed = next((i for i in matching if bounds[0] < i < bounds[1]), None)
    if placed is not None:
        found = events[placed]
        return passed(f"{_place(found)} is it", evidence=(_evidence(found),))
    if matching:
        where = ", ".join(_place(events[i]) for i in matching[:20])
        return failed(f"it is there, but in the wrong place ({where}); {_summary(events)}")
    return failed(_summary(events))


def _describe_last(text: str, calls: Collection[str] = ()) -> str:
    exactly = value_text(text)
    return f"contain a user message with exactly {exactly} as the last one, before the turn's tool calls"


@matcher("toHaveLastUserMessage", layer=2, describe=_describe_last)
def have_last_user_message(
    subject: Exchange | MessageArray, ctx: Context, text: str, calls: Collection[str] = ()
) -> Verdict:
    """The last user message of the array says exactly `text`, and the turn's tool calls come after it.

    `calls` are the ids of the turn's calls where these are known: none of them may come before the message,
    and the call that follows it is one of them. Other words beside a tool's result, such as a reminder, are
    no user message. An array without tool calls is `inconclusive`. Source: seed 000, layer 2 (bug B).
    """
    text = clean_text(text)
    events = events_of(subject)
    answers = {event.index for event in events if event.kind == "tool_result"}
    spoken = [
        place
        for place, event in enumerate(events)
        if event.kind == "user" and (event.index not in answers or event.said == text)
    ]
    if not spoken:
        return failed(f"there is no user message; {_summary(events)}")
    found = events[spoken[-1]]
    if found.said != text:
        return failed(f"the last user message is {value_text(found.text)}; {_summary(events)}")
    used = [event.id for event in events if event.kind == "tool_use"]
    if not used:
        return inconclusive(f"there is no tool_use to be before; {_summary(events)}")
    after = [event.id for event in events[spoken[-1] :] if event.kind == "tool_use"]
    before = used[: len(used) - len(after)]
    known = any(id_ in calls for id_ in used)
    if not after or any(id_ in calls for id_ in before) or (known and after[0] not in calls):
        return failed(f"it is there, but in the wrong place ({_place(found)}); {_summary(events)}")
    return passed(f"{_place(found)} is it", evidence=(_evidence(found),))


@matcher("toPairToolCalls", layer=2, describe=lambda: "answer every tool call once, by its id")
def pair_tool_calls(subject: Exchange | MessageArray, ctx: Context) -> Verdict:
    """In the message array every tool call is answered exactly once, by a later result with its id.

    An array without tool calls and results is `inconclusive`. Source: seed 000, layer 2.
    """
    events = [event for event in events_of(subject) if event.kind in ("tool_use", "tool_result")]
    if not events:
        return inconclusive("the message array has no tool calls")
    asked: set[str] = set()
    problems = []
    for event in events:
        if event.kind == "tool_use":
            if event.id in asked:
                problems.append(f"message {event.index}: a second tool call of id {event.id!r} is open")
            asked.add(event.id)
        elif event.id in asked:
            asked.remove(event.id)
        else:
            problems.append(f"message {event.index}: a result of id {event.id!r} answers no open tool call")
    problems += [f"the tool call of id {missing!r} has no result" for missing in sorted(asked)]
    return failed("; ".join(problems)) if problems else passed(f"{len(events)} calls and results pair up")


def _bounds(events: Sequence[Event], before: Kind | None, after: Kind | None) -> tuple[int, int] | str:
    """The open interval in which the message must lie, or why there is none."""
    low, high = -1, len(events)
    if before is not None:
        high = max((i for i, event in enumerate(events) if event.kind == before), default=-1)
        if high < 0:
            return f"there is no {before} to be before"
    if after is not None:
        low = next((i for i, event in enumerate(events) if event.kind == after), -1)
        if low < 0:
            return f"there is no {after} to be after"
    return low, high


def _fits(event: Event, role: Kind | None, content: str | None, id_: str | None) -> bool:
    return (
        (role is None or event.kind == role)
        and (content is None or content in event.said or (event.unread != "" and content in event.text))
        and (id_ is None or event.id == id_)
    )


def _evidence(event: Event) -> Evidence:
    path = f"messages[{event.index}]" if event.index >= 0 else "system"
    return Evidence(shorten(event.text, 200), path=path)


def _place(event: Event) -> str:
    return f"message {event.index}" if event.index >= 0 else "the system prompt"


def _summary(events: Sequence[Event]) -> str:
    rows = []
    for event in events[-SHOWN_EVENTS:]:
        number = str(event.index) if event.index >= 0 else ""
        rows.append(f"  {number:>2}  {event.kind:<13}{value_text(shorten(event.text, 80))}")
    if len(events) > SHOWN_EVENTS:
        rows.insert(0, f"      ... {len(events) - SHOWN_EVENTS} earlier")
    return "\n".join(["the model was sent:", *rows])
