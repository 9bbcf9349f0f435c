"""Checks on a conversation outside of pytest: matchers, and test bodies, each with what it says of it."""

from __future__ import annotations

import contextvars
import sys
from typing import TYPE_CHECKING, Any

from grice.agents import AgentFailed
from grice.loops.caller import call_in_thread
from grice.matching.answers import error_text, judge_soon
from grice.matching.context import Context
from grice.matching.failure import ExpectationFailed
from grice.matching.matcher import Matcher
from grice.matching.protocols import BudgetSpent
from grice.matching.recording import CURRENT, find_judge
from grice.records import Conversation, Outcome, Scenario, Verdict, errored
from grice.running.live import LiveConversation
from grice.running.tool_answers import ToolsError
from grice.users.protocol import SimulatorError
from grice.wire import ScriptError

if TYPE_CHECKING:
    from grice.running.async_live import AsyncConversation
    from grice.running.body import Body
    from grice.running.reading import Readable
    from grice.running.verdict_log import VerdictLog

__all__ = ["check_soon", "run_body"]

THROUGH = (ExpectationFailed, AgentFailed, ScriptError, ToolsError, SimulatorError, BudgetSpent)
"""What a body raises that says something of the conversation rather than of the body."""


async def check_soon(matcher: Matcher[Any], record: Conversation, log: VerdictLog) -> Verdict:
    """The hard verdict of the matcher on the whole conversation; its LLM is asked on this very loop."""
    judge = None
    if matcher.judged:
        try:
            judge = find_judge(log)
        except Exception as error:  # settings and criteria are somebody's
            return errored(f"there is no judge: {error}")
    context = Context(record, judge=judge)
    verdict = judge_soon(matcher, record, context, "the conversation", "hard")
    return verdict if isinstance(verdict, Verdict) else await verdict.run()


async def run_body(
    body: Body, conversation: Readable | AsyncConversation, scenario: Scenario | None, log: VerdictLog
) -> list[Verdict]:
    """Have the body look at the conversation, or hold it, and wait for its soft checks.

    A plain function runs in a thread of its own. Returns a verdict on what it said beside those that the log
    has: that it returned False, or broke. Raises what THROUGH names.
    """
    before = len(log.verdicts)
    given = {"scenario": scenario, "conversation": conversation, "async_conversation": conversation}
    arguments = [given[name] for name in body.arguments]
    try:
        said = await (_awaited(body, arguments, log) if body.is_async else _called(body, arguments, log))
    except THROUGH:
        raise
    except AssertionError as error:
        return [_verdict(body, Outcome.FAIL, str(error) or "an assertion does not hold")]
    except Exception as error:
        return [_verdict(body, Outcome.ERROR, f"the check raised {error_text(error)}")]
    except BaseException as error:
        skipped = _skip_reason(error)
        if skipped is None:
            raise
        return [_verdict(body, *skipped)]
    if isinstance(said, Verdict):
        return [said]
    if said is False:
        return [_verdict(body, Outcome.FAIL, "it returned False")]
    if said is True or len(log.verdicts) == before:
        return [_verdict(body, Outcome.PASS, "")]
    return []


async def _awaited(body: Body, arguments: list[Any], log: VerdictLog) -> object:
    token = CURRENT.set(log)
    try:
        said = await body.bound()(*arguments)
        await call_in_thread(log.settle)
        return said
    finally:
        CURRENT.reset(token)


async def _called(body: Body, arguments: list[Any], log: VerdictLog) -> object:
    def call() -> object:
        CURRENT.set(log)  # in the thread's own context
        try:
            live = arguments[0]
            if isinstance(live, LiveConversation):
                with live:
                    return body.bound()(*arguments)
            return body.bound()(*arguments)
        finally:
            log.settle()

    return await contextvars.copy_context().run(call_in_thread, call)


def _verdict(body: Body, outcome: Outcome, reason: str) -> Verdict:
    return Verdict(outcome, reason, claim=f"{body.title} to hold")


def _skip_reason(error: BaseException) -> tuple[Outcome, str] | None:
    """What pytest's own skip and fail mean, where pytest is there."""
    outcomes = sys.modules.get("_pytest.outcomes")
    if outcomes is None:
        return None
    if isinstance(error, outcomes.Skipped):
        return Outcome.SKIPPED, str(error)
    return (Outcome.FAIL, str(error)) if isinstance(error, outcomes.Failed) else None
