"""Conversations for the rules on structure: who said what, turn by turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from grice.matchers import ArgumentError
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import Matcher
from grice.records import Conversation, Message, Reply, ToolCall, Turn, Verdict

SWAPPED = {"pass": "fail", "fail": "pass"}
Said = tuple[str | None, str | None]


def conversation_of(*said: Said, data: Any = None, calls: tuple[ToolCall, ...] = ()) -> Conversation:
    """A turn for each pair of what the user said and the reply; data and calls are those of the last one."""
    turns = []
    for number, (user, text) in enumerate(said, 1):
        messages = [Message("user", user)] if user is not None else []
        messages += [Message("assistant", text)] if text is not None else []
        last = number == len(said)
        turns.append(Turn(number, tuple(messages), calls if last else (), data=data if last else None))
    return Conversation(turns=tuple(turns))


def reply_of(*said: Said, **fields: Any) -> Reply:
    conversation = conversation_of(*said, **fields)
    return Reply(conversation, len(conversation.turns))


def verdict_on(subject: object, matcher: Matcher[Any]) -> Verdict:
    """The verdict, after a look that the negation only swaps pass and fail."""
    seen = resolve_subject(subject)
    verdict = judge(matcher, seen.subject, seen.context)
    negated = judge(~matcher, seen.subject, seen.context)
    assert negated.outcome == SWAPPED.get(verdict.outcome, verdict.outcome)
    return verdict


def refusal_of(matcher: Callable[..., Any], /, *args: Any, **named: Any) -> str:
    """The text of the exception when the matcher is made with these arguments."""
    with pytest.raises(ArgumentError) as refused:
        matcher(*args, **named)
    return str(refused.value)
