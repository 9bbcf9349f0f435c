"""Time-outs of conversations, and what a test's own tools may take of them."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING

from grice.loops.deadline import DeadlineExceeded, call_within
from grice.records import ToolCall
from grice.running.tool_answers import Answer, ToolAnswer, Tools, ToolsError, answer_later

if TYPE_CHECKING:
    from grice.wire.cassettes import Cassette


MAX_SECONDS = 1e8
LEAST_FOR_TOOLS = 1.0
"""Seconds that the test's tools have even at the end of a turn: what the agent used up is not their fault."""


def answered_within(seconds: float, answer: Answer, calls: Sequence[ToolCall]) -> Sequence[ToolAnswer]:
    """The test's answers to these calls. Raises ToolsError when its tools hang."""
    try:
        return call_within(max(seconds, LEAST_FOR_TOOLS), answer, calls)
    except DeadlineExceeded:
        raise _hanging(calls) from None


async def answered_later(
    seconds: float, tools: Tools, calls: Sequence[ToolCall], cassette: Cassette | None = None
) -> Sequence[ToolAnswer]:
    """`answered_within` for a coroutine: plain tools are called on its loop's thread, others awaited there.

    With a cassette for tools they run in a task of their own, else in this one.
    """
    from grice.loops.caller import await_within, call_in_thread, caller_from_thread  # few tests are async

    left = max(seconds, LEAST_FOR_TOOLS)
    answers: Awaitable[Sequence[ToolAnswer]]
    if cassette is None or "tools" not in cassette.kinds:
        answers = answer_later(tools, calls, left)
    else:
        from grice.running.tool_answers import recorded_tools

        run = caller_from_thread()
        recorded = recorded_tools(lambda asked: run(answer_later, tools, asked, left), cassette)
        answers = call_in_thread(recorded, calls)
    try:
        return await await_within(left, answers)
    except DeadlineExceeded:
        raise _hanging(calls) from None


def _hanging(calls: Sequence[ToolCall]) -> ToolsError:
    names = ", ".join(call.name for call in calls)
    return ToolsError(f"the tools of this test ({names}) did not answer within the turn's time-out")


def seconds(name: str, value: float) -> float:
    """A time-out that the operating system can take. Raises ValueError for what is no number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise ValueError(f"{name} is a number of seconds above 0, found {value!r}")
    return min(float(value), MAX_SECONDS)
