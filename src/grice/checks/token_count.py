"""How many tokens a request to the model has, and what they are spent on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from grice.checks.message_events import Event, MessageArray, events_of
from grice.formats.content import json_text
from grice.matching.matcher import Unsuitable
from grice.records import Exchange
from grice.text import estimated_tokens


class Count(msgspec.Struct, frozen=True):
    """A number of tokens: reported by the model, or `about` it by an estimate."""

    tokens: int
    about: bool = False

    def __add__(self, other: Count) -> Count:
        return Count(self.tokens + other.tokens, self.about or other.about)

    def __str__(self) -> str:
        return f"{'about ' if self.about else ''}{self.tokens:,}"


def text_in(text: str) -> Count:
    """The tokens of a text."""
    return Count(estimated_tokens(text), about=True)


def messages_in(messages: MessageArray) -> Count:
    """The tokens of a message array. Raises Unsuitable for what is none."""
    return Count(sum(tokens for _, tokens in _sized(events_of(messages))), about=True)


def input_of(exchange: Exchange) -> Count:
    """The tokens of a request: as its reply's `usage` says, else estimated."""
    reported = exchange.input_tokens
    if reported is not None and reported >= 0:
        return Count(reported)
    return Count(sum(tokens for _, tokens in _parts(exchange)), about=True)


def output_of(exchange: Exchange) -> Count | None:
    """The tokens of the reply: as its `usage` says, else estimated; None without a reply."""
    reported = exchange.output_tokens
    if reported is not None and reported >= 0:
        return Count(reported)
    if exchange.reply is None:
        return None
    said = _answer(exchange.reply)
    try:
        return messages_in(said)
    except Unsuitable:
        return Count(estimated_tokens(json_text(said)), about=True)


def spent_on(subject: Exchange | MessageArray) -> str:
    """What the tokens of a request are spent on, biggest first: messages, system prompt, tools."""
    parts = _parts(subject) if isinstance(subject, Exchange) else list(_sized(events_of(subject)))
    messages = [part for part in parts if part[0].startswith("message")]
    sums: Counter[str] = Counter()
    for name, tokens in parts:
        sums["messages" if name.startswith("message") else name] += tokens
    shown = {name: f"about {tokens:,} for the {name}" for name, tokens in sums.most_common()}
    if len(messages) > 1:
        name, tokens = max(messages, key=lambda part: part[1])
        shown["messages"] += f" (the biggest is {name} with about {tokens:,})"
    return ", ".join(shown.values())


def _parts(exchange: Exchange) -> list[tuple[str, int]]:
    """The parts of a request by name, each with its estimated tokens."""
    try:
        parts = list(_sized(events_of(exchange)))
    except Unsuitable:  # malformed messages, and inputs of embeddings
        parts = [("messages", estimated_tokens(json_text(exchange.messages)))]
        if exchange.system:
            parts.append(("system prompt", estimated_tokens(exchange.system)))
    tools = exchange.request.get("tools")
    return [*parts, ("tools", estimated_tokens(json_text(tools)))] if tools else parts


def _sized(events: Sequence[Event]) -> Iterator[tuple[str, int]]:
    for event in events:
        name = "system prompt" if event.kind == "system" else f"message {event.index}, {event.kind},"
        yield name, estimated_tokens(event.text)


def _answer(reply: dict[str, Any]) -> list[Any]:
    """The messages of a reply body, in whichever dialect it is."""
    if isinstance(reply.get("choices"), list):
        choices: Iterable[Any] = reply["choices"]
        return [choice.get("message") for choice in choices if isinstance(choice, dict)]
    if isinstance(reply.get("output"), list):
        return [*reply["output"]]
    return [{"role": "assistant", "content": reply.get("content")}]
