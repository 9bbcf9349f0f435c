"""Verdicts of the evidence rules on texts and turns."""

from __future__ import annotations

from typing import Any

from grice.checks.evidence.support import be_supported_by
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import Matcher
from grice.records import Conversation, Message, Reply, ToolCall, Turn, Verdict

BOARD = {
    "id": "p1",
    "title": "Wave 150 Snowboard",
    "price": 299.99,
    "currency": "USD",
    "skill": "beginner",
    "flex": "soft",
    "style": "all_mountain",
    "waterproof": True,
    "weight_g": 2900,
    "warranty_years": 2,
}


SWAPPED = {"pass": "fail", "fail": "pass"}


def verdict_on(subject: object, matcher: Matcher[Any]) -> Verdict:
    """The verdict, after a look that the negation only swaps pass and fail."""
    seen = resolve_subject(subject)
    verdict = judge(matcher, seen.subject, seen.context)
    negated = judge(~matcher, seen.subject, seen.context)
    assert negated.outcome == SWAPPED.get(verdict.outcome, verdict.outcome)
    return verdict


class Held:
    """What holds a record, as a live conversation does."""

    def __init__(self, *turns: Turn) -> None:
        self.record = Conversation(turns=turns)


def turn_with(number: int, user: str, text: str, *results: Any, **fields: Any) -> Turn:
    """A turn in which tools returned these results."""
    calls = tuple(ToolCall("search", result=one) for one in results)
    return Turn(number, (Message("user", user), Message("assistant", text)), calls, **fields)


def reply_of(*turns: Turn) -> Reply:
    """The last turn's reply."""
    return Reply(Held(*turns), len(turns))


def outcome(text: str, facts: Any = BOARD, **options: Any) -> str:
    """The outcome of the evidence rule on a text."""
    return supported(text, facts, **options).outcome.value


def supported(text: object, facts: Any = BOARD, **options: Any) -> Verdict:
    """The verdict of the evidence rule."""
    return verdict_on(text, be_supported_by(facts, **options))
