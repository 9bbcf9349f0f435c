"""Time-outs of conversations, and what a test's own tools may take of them."""

from __future__ import annotations

from collections.abc import Sequence

from grice.records import ToolCall
from grice.running.deadline import DeadlineExceeded, call_within
from grice.running.tool_answers import Answer, ToolAnswer, ToolsError

__all__ = ["answered_within", "seconds"]

MAX_SECONDS = 1e8
LEAST_FOR_TOOLS = 1.0
"""Seconds that the test's tools have even at the end of a turn: what the agent used up is not their fault."""


def answered_within(seconds: float, answer: Answer, calls: Sequence[ToolCall]) -> Sequence[ToolAnswer]:
    """The test's answers to these calls. Raises ToolsError when its tools hang."""
    try:
        return call_within(max(seconds, LEAST_FOR_TOOLS), answer, calls)
    except DeadlineExceeded:
        names = ", ".join(call.name for call in calls)
        raise ToolsError(
            f"the tools of this test ({names}) did not answer within the turn's time-out"
        ) from None


def seconds(name: str, value: float) -> float:
    """A time-out that the operating system can take. Raises ValueError for what is no number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise ValueError(f"{name} is a number of seconds above 0, found {value!r}")
    return min(float(value), MAX_SECONDS)
