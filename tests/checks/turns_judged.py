"""Turns to judge, and the verdict on them under both polarities."""

from __future__ import annotations

from typing import Any

from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import Matcher
from grice.records import AgentFailure, Conversation, Exchange, Message, ToolCall, Turn, Verdict

USER = Message("user", "Hi")
FAILED = AgentFailure("raised", "boom")
SWAPPED = {"pass": "fail", "fail": "pass"}


def verdict_on(subject: object, matcher: Matcher[Any]) -> Verdict:
    """The verdict, after a look that the negation only swaps pass and fail."""
    seen = resolve_subject(subject)
    verdict = judge(matcher, seen.subject, seen.context)
    negated = judge(~matcher, seen.subject, seen.context)
    assert negated.outcome == SWAPPED.get(verdict.outcome, verdict.outcome)
    assert (negated.reason, negated.evidence) == (verdict.reason, verdict.evidence)
    return verdict


def turn_of(*calls: str | ToolCall, number: int = 1, **fields: Any) -> Turn:
    """A turn with these calls; a name stands for a call that returned nothing much."""
    made = tuple(ToolCall(one, result=None) if isinstance(one, str) else one for one in calls)
    return Turn(number, (USER,), made, **fields)


def conversation_of(*turns: Turn) -> Conversation:
    return Conversation(turns=turns)


def asked_for(*names: str) -> Exchange:
    """A request to whose reply the agent shall call these tools."""
    blocks = [{"type": "tool_use", "id": f"t{n}", "name": name, "input": {}} for n, name in enumerate(names)]
    return Exchange({"messages": [{"role": "user", "content": "Hi"}]}, {"content": blocks})
