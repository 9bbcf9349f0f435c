"""Checks on a conversation outside of pytest: matchers, and test bodies, each with what it says of it."""

from __future__ import annotations

import asyncio
import sys
import threading
import traceback
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from grice.agents import AgentFailed
from grice.loops.caller import call_in_thread, is_cancellation, until_over
from grice.matching.context import Context, resolve_subject
from grice.matching.failure import ExpectationFailed
from grice.matching.judge import judge_later
from grice.matching.matcher import Matcher
from grice.matching.protocols import BudgetSpent
from grice.matching.recording import CURRENT, find_judge
from grice.matching.subject_types import subject_types
from grice.matching.verdicts import complete, error_text
from grice.matching.waiting import LONGEST
from grice.records import Outcome, Scenario, Verdict, errored
from grice.running.async_live import AsyncConversation
from grice.running.body_code import asserts, checks_nothing, code_detail
from grice.running.failures import stops_the_run
from grice.running.live import LiveConversation
from grice.running.outcomes import NOTHING, UNCHECKED
from grice.running.tool_answers import ToolsError
from grice.text import value_text
from grice.users.protocol import SimulatorError
from grice.wire import ScriptError

if TYPE_CHECKING:
    from grice.running.body import Body
    from grice.running.reading import FinishedConversation, Readable
    from grice.running.verdict_log import VerdictLog


GRACE = 1.0
"""Seconds in which a body that is cancelled has to leave its conversation."""

THROUGH = (ExpectationFailed, AgentFailed, ScriptError, ToolsError, SimulatorError, BudgetSpent)
"""What a body raises that says something of the conversation rather than of the body."""


async def check_soon(matcher: Matcher[Any], conversation: FinishedConversation, log: VerdictLog) -> Verdict:
    """The hard verdict of the matcher on the whole conversation; its LLM is asked on this very loop.

    A matcher of states judges the state that was read before and after it.
    """
    subject: object = conversation.record
    context = Context(conversation.record, noun="the conversation")
    if "StateChange" in subject_types(matcher.factory):
        try:
            resolved = resolve_subject(conversation.state)
            subject, context = resolved.subject, resolved.context
        except LookupError as error:
            return complete(matcher, errored(str(error)), context)
    if matcher.judged:
        try:
            context = replace(context, judge=find_judge(log))
        except Exception as error:  # settings and criteria are somebody's
            return complete(matcher, errored(f"there is no judge: {error}"), context)
    token = CURRENT.set(log)
    try:
        verdict = judge_later(matcher, subject, context)
    finally:
        CURRENT.reset(token)
    if isinstance(verdict, Verdict):
        return verdict
    try:
        async with asyncio.timeout(LONGEST):
            return await verdict.run()
    except TimeoutError:
        return complete(matcher, errored(f"the check did not answer within {LONGEST:g} s"), context)


async def run_body(
    body: Body, conversation: Readable | AsyncConversation, scenario: Scenario | None, log: VerdictLog
) -> list[Verdict]:
    """Have the body look at the conversation, or hold it, and wait for its soft checks.

    A plain function runs in a thread of its own. A conversation that goes on is entered and left around it.
    Returns a verdict on what it said beside those that the log has: that it returned False, or broke. Raises
    what THROUGH names.
    """
    before = len(log.verdicts)
    given = {"scenario": scenario, "conversation": conversation, "async_conversation": conversation}
    arguments = [given[name] for name in body.arguments]
    try:
        said = await (_awaited if body.is_async else _called)(body, arguments, conversation, log)
    except THROUGH:
        raise
    except AssertionError as error:
        reason = str(error) or "an assertion does not hold"
        return [_verdict(body, Outcome.FAIL, f"{reason}{_place(body, error)}")]
    except Exception as error:
        reason = f"the check raised {error_text(error)}"
        return [_verdict(body, Outcome.ERROR, f"{reason}{_place(body, error)}")]
    except BaseException as error:
        return [stopped_verdict(error, _claim(body), "the check raised")]
    log.tell_uncalled()
    return _answered(body, said, log.verdicts[before:], talked=bool(conversation.turns))


async def _awaited(body: Body, arguments: list[Any], conversation: object, log: VerdictLog) -> object:
    async with _recorded(log):
        if isinstance(conversation, AsyncConversation):
            async with conversation:
                return await body.function(*arguments)
        return await body.function(*arguments)


@asynccontextmanager
async def _recorded(log: VerdictLog) -> AsyncIterator[None]:
    """The time in which a coroutine makes checks; soft ones are waited for, unless it is cancelled."""
    token = CURRENT.set(log)
    try:
        yield
    except BaseException as error:
        if is_cancellation(error):
            log.give_up()
            raise
        await call_in_thread(log.settle)
        raise
    else:
        await call_in_thread(log.settle)
    finally:
        CURRENT.reset(token)


async def _called(body: Body, arguments: list[Any], conversation: object, log: VerdictLog) -> object:
    over = threading.Event()

    def call() -> object:
        CURRENT.set(log)  # in the thread's own context
        try:
            if isinstance(conversation, LiveConversation):
                with conversation:
                    return body.function(*arguments)
            return body.function(*arguments)
        finally:
            try:
                log.settle()
            finally:
                over.set()

    try:
        said = await call_in_thread(call)
    except BaseException as error:
        if is_cancellation(error):
            log.give_up()
            if isinstance(conversation, LiveConversation):
                await until_over(over, GRACE)
        raise
    if isinstance(said, Coroutine):  # of a plain function around an async one
        async with _recorded(log):
            return await said
    return said


# -- what is said of it


def _answered(body: Body, said: object, made: Sequence[Verdict], *, talked: bool) -> list[Verdict]:
    """What it means that the body returned this.

    `made` are the checks it made, `talked` says that something was said in the conversation. Beside soft
    checks it has a word of its own only if it asserts: without, nothing in it could fail.
    """
    if isinstance(said, Verdict):
        return [_returned(body, said)]
    if said is None:
        if not made and not talked:
            return [_verdict(body, Outcome.INCONCLUSIVE, NOTHING)]
        soft = all(one.mode == "soft" for one in made)
        own = not made or (soft and talked and asserts(body.function))
        why = UNCHECKED if not made and checks_nothing(body.function) else ""
        return [_verdict(body, Outcome.PASS, why)] if own else []
    if said is True:
        return [_verdict(body, Outcome.PASS, "it returned True")]
    if said is False:
        return [_verdict(body, Outcome.FAIL, "it returned False")]
    wrong = f"it returned {value_text(said)}, expected True, False, a Verdict or None"
    return [_verdict(body, Outcome.ERROR, wrong)]


def _returned(body: Body, said: Verdict) -> Verdict:
    """A verdict of the body's own; of a hard one without a matcher only the code tells what was checked."""
    own = said.mode == "hard" and not said.matcher
    detail = {**code_detail(body.function), **said.detail} if own else said.detail
    return replace(said, claim=said.claim or _claim(body), detail=detail)


def stopped_verdict(error: BaseException, claim: str, who: str) -> Verdict:
    """What an exception means that is no Exception: pytest's own skip and fail, SystemExit and the like.

    Raises it again where it is for who runs all this: Ctrl-C, or this very task is cancelled.
    """
    outcomes = sys.modules.get("_pytest.outcomes")
    if outcomes is not None and isinstance(error, (outcomes.Skipped, outcomes.Failed)):
        outcome = Outcome.SKIPPED if isinstance(error, outcomes.Skipped) else Outcome.FAIL
        return Verdict(outcome, str(error), claim=claim)
    if stops_the_run(error) or is_cancellation(error):
        raise error
    return Verdict(Outcome.ERROR, f"{who} {error_text(error)}", claim=claim)


def _verdict(body: Body, outcome: Outcome, reason: str) -> Verdict:
    return Verdict(outcome, reason, claim=_claim(body), detail=code_detail(body.function))


def _claim(body: Body) -> str:
    return f"{body.title} to hold"


def _place(body: Body, error: BaseException) -> str:
    """Where in the body's own file it was raised: ` (test_rooms.py, line 12)`."""
    frames = traceback.extract_tb(error.__traceback__)
    line = next((frame.lineno for frame in reversed(frames) if frame.filename == body.file), None)
    return f" ({Path(body.file).name}, line {line})" if body.file and line is not None else ""
