"""Replies in conversations, and embedders for tests."""

from __future__ import annotations

import asyncio
from typing import Any

from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import Matcher
from grice.records import Conversation, Message, Reply, ToolCall, Turn, Verdict

SWAPPED = {"pass": "fail", "fail": "pass"}


def verdict_on(subject: object, matcher: Matcher[Any]) -> Verdict:
    """The verdict, after a look that the negation only swaps pass and fail."""
    seen = resolve_subject(subject)
    verdict = judge(matcher, seen.subject, seen.context)
    negated = judge(~matcher, seen.subject, seen.context)
    assert negated.outcome == SWAPPED.get(verdict.outcome, verdict.outcome)
    return verdict


def turn_with(number: int, user: str, text: str, data: Any = None, *calls: ToolCall, **fields: Any) -> Turn:
    messages = (Message("user", user), Message("assistant", text))
    return Turn(number, messages, calls, data=data, **fields)


def reply_to(user: str, text: str, *earlier: tuple[str, str], data: Any = None) -> Reply:
    """The last reply of a conversation; `earlier` are pairs of what was said before."""
    pairs = [*earlier, (user, text)]
    turns = [turn_with(number, *pair) for number, pair in enumerate(pairs, 1)]
    turns[-1] = turn_with(len(pairs), user, text, data)
    return Reply(Conversation(turns=tuple(turns)), len(turns))


class Embeds:
    """An embedder that gives what it is told for a text, and keeps what it was asked."""

    def __init__(self, vectors: Any, *, name: str = "told", threshold: float = 0.5, **more: Any) -> None:
        self.vectors = vectors
        self.name = name
        self.threshold = threshold
        self.asked: list[list[str]] = []
        for field, value in more.items():
            setattr(self, field, value)

    def embed(self, texts: Any) -> Any:
        self.asked.append(list(texts))
        if callable(self.vectors):
            return self.vectors(texts)
        return [self.vectors[text] for text in texts]


class EmbedsLater(Embeds):
    """The same, asynchronous."""

    async def embed(self, texts: Any) -> Any:
        await asyncio.sleep(0)
        return super().embed(texts)
