"""What the model was told: messages in the array that was sent, and their order.

Source: seed 000, layer 2 (bug B: the user's message was not in the array of the tool-result turn).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from grice.formats import FormatError, read_message
from grice.matching.context import Context
from grice.matching.matcher import Unsuitable, matcher
from grice.matching.transcript import value_text
from grice.records import (
    Conversation,
    Evidence,
    Exchange,
    JsonValue,
    Message,
    Verdict,
    errored,
    failed,
    inconclusive,
    passed,
)
from grice.text import did_you_mean, shorten

__all__ = ["Kind", "MessageArray", "contain_message", "events_of", "pair_tool_calls"]

Kind = Literal["system", "user", "assistant", "tool_use", "tool_result"]
KINDS: tuple[Kind, ...] = ("system", "user", "assistant", "tool_use", "tool_result")
MessageArray = Sequence[Mapping[str, JsonValue]]


class Event(msgspec.Struct, frozen=True):
    """One thing in a message array: a text, a tool call or a tool result. `index` counts messages from 0."""

    index: int
    kind: Kind
    text: str
    id: str = ""


def events_of(subject: Conversation | Exchange | MessageArray) -> list[Event]:
    """What is in a message array, flattened in order: texts, tool calls and tool results.

    Raises Unsuitable for anything that is not a conversation, an exchange or a list of messages.
    """
    if isinstance(subject, Conversation):
        messages: list[tuple[int, Message]] = list(enumerate(subject.messages))
    else:
        raw = subject.messages if isinstance(subject, Exchange) else subject
        if not isinstance(raw, list | tuple):
            raise Unsuitable(f"a Conversation, an Exchange or a list of messages, found {type(raw).__name__}")
        try:
            messages = [(index, message) for index, one in enumerate(raw) for message in read_message(one)]
        except FormatError as error:
            raise Unsuitable(f"message arrays: {error}") from error
    return [event for index, message in messages for event in _events(index, message)]


def _events(index: int, message: Message) -> Iterator[Event]:
    if message.role == "tool":
        yield Event(index, "tool_result", message.content, message.tool_call_id or "")
        return
    if message.content:
        yield Event(index, message.role, message.content)
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


@matcher("toContainMessage", describe=_describe, layer="context")
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
    Anthropic, OpenAI Chat and OpenAI Responses shapes. Source: seed 000, layer 2.
    """
    for word in (role, before, after):
        if word is not None and word not in KINDS:
            return errored(f"unknown kind {word!r}{did_you_mean(str(word), KINDS)}: {', '.join(KINDS)}")
    if role is None and not content and not id:
        return errored("name the message: role=, content= or id=")
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
        return passed(f"message {found.index} is it", evidence=(_evidence(found),))
    if matching:
        where = ", ".join(f"message {events[i].index}" for i in matching)
        return failed(f"it is there, but in the wrong place ({where}); {_summary(events)}")
    return failed(_summary(events))


@matcher("toPairToolCalls", describe=lambda: "answer every tool call once, by its id", layer="context")
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
        and (content is None or content in event.text)
        and (id_ is None or event.id == id_)
    )


def _evidence(event: Event) -> Evidence:
    return Evidence(shorten(event.text, 200), path=f"messages[{event.index}]")


def _summary(events: Sequence[Event]) -> str:
    shown = [f"{event.index} {event.kind} {value_text(shorten(event.text, 60))}" for event in events[-12:]]
    omitted = f"(first {len(events) - 12} omitted)\n" if len(events) > 12 else ""
    return "the model was sent:\n" + omitted + "\n".join(f"  {line}" for line in shown)
