"""What the model was told: messages in the array that was sent, and their order.

The user's message belongs in every array, that of the tool results too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import Annotated, TypedDict

from msgspec import Meta

from grice.checks.message_events import Event, Kind, MessageArray, events_of
from grice.matching.argument_types import Text
from grice.matching.calls.assignment import Pairs, assign, bits
from grice.matching.calls.order import ORDER_WORDS, Order, solve
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, matcher
from grice.records import (
    Conversation,
    Evidence,
    Exchange,
    Verdict,
    clean_text,
    failed,
    inconclusive,
    passed,
)
from grice.text import shorten, value_text

SHOWN_EVENTS = 12
SHOWN_EXPECTED = 10
SHOWN_PLACES = 20
EMPTY = "the message array is empty"
BELONGS = {"tool_use": "to the assistant", "tool_result": "to a user or tool message"}


class ExpectedMessage(TypedDict, total=False):
    """One message that an array is expected to contain, with the arguments of `contain_message` as keys."""

    role: Kind
    content: Text
    id: Text
    before: Kind
    after: Kind


def _describe_message(
    *,
    role: Kind | None = None,
    content: str | None = None,
    id: str | None = None,  # noqa: A002 - the field's name
    before: Kind | None = None,
    after: Kind | None = None,
) -> str:
    words = _article(role or "message") + (" message" if role in ("system", "user", "assistant") else "")
    words += f" of id {value_text(id)}" if id is not None else ""
    words += f" with {value_text(content)}" if content is not None else ""
    words += f" before the last {before}" if before is not None else ""
    return words + (f" after the first {after}" if after is not None else "")


def _check(*, role: object = None, content: object = None, id: object = None, **_: object) -> None:  # noqa: A002
    if role is None and content is None and id is None:
        raise ArgumentError("name the message: role=, content= or id=")


@matcher(
    "toContainMessage",
    layer=2,
    describe=lambda **wanted: f"contain {_describe_message(**wanted)}",
    check=_check,
)
def contain_message(
    subject: Exchange | Conversation | MessageArray,
    ctx: Context,
    *,
    role: Kind | None = None,
    content: Text | None = None,
    id: Text | None = None,  # noqa: A002 - the field's name
    before: Kind | None = None,
    after: Kind | None = None,
) -> Verdict:
    """The message array has a message of that role whose text contains `content`, at that place.

    `role`, `before` and `after` are system, user, assistant, tool_use or tool_result; `id` is that of a tool
    call or its result. A tool_use counts where it belongs, in the assistant's message, and a tool_result in a
    user or tool message. `before` means before the last of its kind, `after` after the first. An empty array,
    or one without the kind that `before` or `after` names, is `inconclusive`. Arrays are read in the
    Anthropic, OpenAI Chat and OpenAI Responses shapes; the system prompt counts wherever the request has it,
    and of documents, images and other content its JSON text, encoded bytes cut.
    """
    events = events_of(subject)
    if not events:
        return inconclusive(EMPTY)
    bounds = _bounds(events, before, after)
    if isinstance(bounds, str):
        return inconclusive(f"{bounds}; {_summary(events)}")
    matching = [i for i, event in enumerate(events) if _fits(event, role, content, id)]
    placed = next((i for i in matching if bounds[0] < i < bounds[1]), None)
    if placed is not None:
        found = events[placed]
        return passed(f"{_place(found)} is it", evidence=(_evidence(found),))
    if matching:
        where = _places(events[i] for i in matching)
        return failed(f"it is there, but in the wrong place ({where}); {_summary(events)}")
    return failed(_summary(events))


def _check_message(message: ExpectedMessage) -> None:
    _check(**message)


ExpectedMessages = Annotated[Sequence[Annotated[ExpectedMessage, _check_message]], Meta(min_length=1)]


def _describe_messages(messages: Sequence[ExpectedMessage], *, order: Order = "in_order") -> str:
    shown = [_describe_message(**one) for one in messages[:SHOWN_EXPECTED]]
    shown += [f"... and {len(messages) - SHOWN_EXPECTED} more"] * (len(messages) > SHOWN_EXPECTED)
    return f"contain {ORDER_WORDS[order].format('messages')}: {', '.join(shown)}"


@matcher(
    "toContainMessages",
    layer=2,
    describe=_describe_messages,
)
def contain_messages(
    subject: Exchange | Conversation | MessageArray,
    ctx: Context,
    messages: ExpectedMessages,
    *,
    order: Order = "in_order",
) -> Verdict:
    """The message array has these messages, by default in this order, with others between them.

    Each of `messages` is an object with the arguments of `contain_message`: `role`, `content`, `id`,
    `before`, `after`. `order`: `exact` (these and nothing else, in this order), `in_order`, `unordered`
    (these and nothing else), `superset` (at least these), `subset` (nothing but these, each at most once).
    The system prompt, what a message says, each tool call and each result count as one, and none can be two
    of the expected. What is read, and what is `inconclusive`, is as for `contain_message`.
    """
    events = events_of(subject)
    if not events:
        return inconclusive(EMPTY)
    rows: list[int] = []
    for wanted in messages:
        bounds = _bounds(events, wanted.get("before"), wanted.get("after"))
        if isinstance(bounds, str):
            return inconclusive(f"{bounds}; {_summary(events)}")
        fields = (wanted.get("role"), wanted.get("content"), wanted.get("id"))
        places = range(bounds[0] + 1, bounds[1])
        rows.append(sum(1 << place for place in places if _fits(events[place], *fields)))
    pairs = solve(rows, len(events), order)
    if pairs is not None:
        found = [events[place] for place in pairs if place is not None]
        evidence = tuple(_evidence(event) for event in found)
        return passed(f"{_places(found)} {'are they' if len(found) > 1 else 'is it'}", evidence=evidence)
    words = [_describe_message(**one) for one in messages]
    ordered = order in ("exact", "in_order")
    why = _out_of_order(events, rows, words, order) if ordered else _unpaired(events, rows, words, order)
    return failed(f"{why}; {_summary(events)}")


def _out_of_order(events: Sequence[Event], rows: Sequence[int], words: Sequence[str], order: Order) -> str:
    """Which is the first expected message that is not where it should be, and behind which one."""
    place, behind = -1, ""
    for row, wanted in zip(rows, words, strict=True):
        free = row >> (place + 1)
        step = next(bits(free), None) if order == "in_order" else 0 if free & 1 else None
        if step is None:
            known = _places(events[other] for other in bits(row))
            return f"not found{behind}: {wanted}" + (f", which is {known}" if known else "")
        place += step + 1
        behind = f"{' directly' if order == 'exact' else ''} after {wanted} ({_place(events[place])})"
    return f"not expected{behind}: the {events[place + 1].kind} of {_place(events[place + 1])}"


def _unpaired(events: Sequence[Event], rows: Sequence[int], words: Sequence[str], order: Order) -> str:
    """Which expected messages are not there, and what is there that is not expected."""
    pairs: Pairs = assign(rows)
    missing = [wanted for wanted, place in zip(words, pairs, strict=True) if place is None]
    extra = [f"the {one.kind} of {_place(one)}" for i, one in enumerate(events) if i not in pairs]
    parts = [f"not found: {', '.join(missing[:SHOWN_PLACES])}"] if missing and order != "subset" else []
    parts += [f"not expected: {', '.join(extra[:SHOWN_PLACES])}"] if extra and order != "superset" else []
    return "; ".join(parts)


@matcher(
    "toHaveLastUserMessage",
    layer=2,
    describe="contain a user message with exactly {text} as the last one, before the turn's tool calls",
)
def have_last_user_message(
    subject: Exchange | MessageArray, ctx: Context, text: str, calls: Collection[str] = ()
) -> Verdict:
    """The last user message of the array says exactly `text`, and the turn's tool calls come after it.

    `calls` are the ids of the turn's calls where these are known: none of them may come before the message,
    and the call that follows it is one of them. Other words beside a tool's result, such as a reminder, are
    no user message. An array without tool calls is `inconclusive`.
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


@matcher("toPairToolCalls", layer=2, describe="answer every tool call once, by its id")
def pair_tool_calls(subject: Exchange | MessageArray, ctx: Context) -> Verdict:
    """In the message array every tool call is answered exactly once, by a later result with its id.

    Calls stand in messages of the assistant, results in those of the user (Anthropic) or of role tool
    (OpenAI). An array without tool calls and results is `inconclusive`.
    """
    events = [event for event in events_of(subject) if event.kind in ("tool_use", "tool_result")]
    if not events:
        return inconclusive("the message array has no tool calls")
    asked: set[str] = set()
    problems = [_strayed(event) for event in events if event.stray]
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
        high = max((i for i, event in enumerate(events) if _is(event, before)), default=-1)
        if high < 0:
            return f"there is no {before} to be before"
    if after is not None:
        low = next((i for i, event in enumerate(events) if _is(event, after)), -1)
        if low < 0:
            return f"there is no {after} to be after"
    return low, high


def _is(event: Event, kind: Kind) -> bool:
    """Whether it is one of that kind, in a message of whom it belongs to."""
    return event.kind == kind and not event.stray


def _fits(event: Event, role: Kind | None, content: str | None, id_: str | None) -> bool:
    return (
        (role is None or _is(event, role))
        and (content is None or content in event.said or (event.unread != "" and content in event.text))
        and (id_ is None or (event.id == id_ and not event.stray))
    )


def _evidence(event: Event) -> Evidence:
    path = f"messages[{event.index}]" if event.index >= 0 else "system"
    return Evidence(shorten(event.text, 200), path=path)


def _place(event: Event) -> str:
    return f"message {event.index}" if event.index >= 0 else "the system prompt"


def _article(word: str) -> str:
    return f"an {word}" if word == "assistant" else f"a {word}"


def _places(events: Iterable[Event]) -> str:
    return ", ".join(_place(event) for event in islice(events, SHOWN_PLACES))


def _strayed(event: Event) -> str:
    role, where = event.stray, BELONGS[event.kind]
    return f"{_place(event)}: a {event.kind} stands in {_article(role)} message, and belongs {where}"


def _summary(events: Sequence[Event]) -> str:
    rows = []
    for event in events[-SHOWN_EVENTS:]:
        number = str(event.index) if event.index >= 0 else ""
        rows.append(f"  {number:>2}  {event.kind:<13}{value_text(shorten(event.text, 80))}")
    if len(events) > SHOWN_EVENTS:
        rows.insert(0, f"      ... {len(events) - SHOWN_EVENTS} earlier")
    strayed = "".join(f"{_strayed(event)}; " for event in events if event.stray)
    return "\n".join([f"{strayed}the model was sent:", *rows])
