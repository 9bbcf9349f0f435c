"""Replaying a golden: its user messages to the agent, its scripted replies as the agent's model."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from grice.agents import AgentContext, AgentFailed, bind_agent
from grice.checks.context import contain_message, events_of, pair_tool_calls
from grice.checks.structure import have_at_most_sentences
from grice.checks.tool_flow import be_valid_response, tool_status_of
from grice.formats import read_message
from grice.identity import stable_id, stable_path
from grice.matching.context import Context
from grice.matching.matcher import Matcher, judge
from grice.matching.value_matchers import contain, equal
from grice.records import (
    Exchange,
    FailureType,
    JsonValue,
    Outcome,
    Reply,
    Result,
    ToolCall,
    Verdict,
    outcome_of,
)
from grice.running.live import LiveConversation, VerdictLog
from grice.running.tool_answers import ToolAnswer, ToolsError
from grice.suites.golden_records import FinalText, Golden, GoldenTurn, ToolResultStep
from grice.text import did_you_mean
from grice.wire import ScriptedModel, ScriptError

__all__ = ["golden_id", "run_golden"]


def golden_id(golden: Golden) -> str:
    """The stable id of a golden: it follows its own id, not its file."""
    return stable_id(stable_path("golden", golden.id))


def run_golden(golden: Golden, target: object, *, clock: Callable[[], float] = time.perf_counter) -> Result:
    """Replay the golden against the agent that `target` is or makes, and judge every assertion.

    `target` is anything that `bind_agent` takes; it is built anew. Raises AgentLoadError when it cannot be.
    An agent that fails, and a script that does not fit, give an `error` verdict beside the transcript.
    """
    started = clock()
    model = ScriptedModel()
    context = AgentContext(test_name=golden.id, test_file=golden.file, test_line=golden.line, model=model)
    log = VerdictLog(golden.id)
    history = [message for raw in golden.history for message in read_message(raw)]
    bound = bind_agent(target, context)
    live = LiveConversation(bound, id=golden.id, history=history, model=model, recorder=log, clock=clock)
    failure: FailureType = "none"
    with live:
        try:
            for turn in golden.turns:
                _play(turn, live, model)
        except (AgentFailed, ScriptError, ToolsError) as error:
            failure = "timeout" if live.record.termination == "timeout" else "error"
            log.add(_broken(live, error))
            model.drop_unused()
    outcome = outcome_of(tuple(log.verdicts))
    if failure == "none" and outcome is not Outcome.PASS:
        failure = "error" if outcome is Outcome.ERROR else "assertion"
    return Result(
        id=golden_id(golden),
        key=golden.id,
        outcome=outcome,
        conversation=live.record,
        verdicts=tuple(log.verdicts),
        failure=failure,
        description=golden.description,
        file=golden.file,
        duration=clock() - started,
    )


def _play(turn: GoldenTurn, live: LiveConversation, model: ScriptedModel) -> None:
    model.script(*({"content": reply.content, "stop_reason": reply.stop_reason} for reply in turn.replies))
    results = deque(turn.tool_results)
    rounds = 0

    def answer(calls: Sequence[ToolCall]) -> list[ToolAnswer]:
        nonlocal rounds
        rounds += 1
        if not results:
            raise ToolsError(
                f"the agent called {', '.join(call.name for call in calls)} in round {rounds}, "
                f"but toolExecResult has {len(turn.tool_results)} result(s)"
            )
        return _answers(results.popleft(), calls)

    reply = live.say_with(turn.user, answer)
    while results and tool_status_of(reply.tool_calls) == "pending":
        reply = live.answer_with(answer(live.answered_calls), answer)
    if results:
        raise ToolsError(f"{len(results)} of {len(turn.tool_results)} toolExecResult entries were never asked for")
    unused = model.drop_unused()
    if unused:
        raise ToolsError(f"{unused} of {len(turn.replies)} scripted model replies were never asked for")
    for verdict in _judged(turn, reply):
        live.recorder.add(verdict)


def _answers(result: JsonValue, calls: Sequence[ToolCall]) -> list[ToolAnswer]:
    """One round's entry of toolExecResult as answers: one result, or results by tool call id."""
    if "success" in result:
        if len(calls) > 1:
            ids = ", ".join(call.id for call in calls)
            raise ToolsError(f"one result for {len(calls)} tool calls; give one for each id: {ids}")
        return [_answer(result)]
    pending = [call.id for call in calls]
    for id_ in result:
        if id_ not in pending:
            raise ToolsError(
                f"toolExecResult answers the id {id_!r}, but the pending calls are {', '.join(pending)}"
                f"{did_you_mean(id_, pending)}"
            )
    missing = [id_ for id_ in pending if id_ not in result]
    if missing:
        raise ToolsError(f"toolExecResult has no result for the pending call {missing[0]!r}")
    return [_answer(result[id_]) for id_ in pending]


def _answer(result: Mapping[str, Any]) -> ToolAnswer:
    failed = not result["success"]
    if failed and "result" not in result:
        return ToolAnswer(result.get("error", "the tool failed"), is_error=True)
    return ToolAnswer(result.get("result"), is_error=failed)


def _judged(turn: GoldenTurn, reply: Reply) -> Iterator[Verdict]:
    context = Context(reply.conversation.record, reply.turn)
    for matcher in _final_text_matchers(turn.assertions.final_text):
        yield judge(matcher, reply, context, "the final text")
    yield from _step_verdicts(turn, reply, context)
    validator = turn.assertions.validator
    if validator is not None:
        valid = be_valid_response(tool_status=validator.tool_status)
        yield judge(valid if validator.expect_valid else ~valid, reply, context, "the final text")


def _final_text_matchers(asserted: FinalText) -> Iterator[Matcher[Any]]:
    if asserted.equals is not None:
        yield equal(asserted.equals)
    for text in asserted.contains:
        yield contain(text)
    for text in asserted.not_contains:
        yield ~contain(text, ignore_case=True)
    if asserted.max_sentences is not None:
        yield have_at_most_sentences(asserted.max_sentences)


def _step_verdicts(turn: GoldenTurn, reply: Reply, context: Context) -> Iterator[Verdict]:
    """Verdicts on each request to the model: that it is of the scripted step, and what its messages hold."""
    step = 0
    for number, (scripted, exchange) in enumerate(zip(turn.replies, reply.exchanges, strict=False), 1):
        found = _step_of(exchange)
        if found != scripted.step:
            reason = f"the script says {scripted.step!r}, the agent sent a {found!r} request"
            claim = f"request {number} to the model to be of the scripted step"
            yield Verdict(Outcome.ERROR, reason, claim=claim, turn=reply.number)
        if found != "tool-result":
            continue
        noun = f"request {number} to the model"
        yield judge(pair_tool_calls(), exchange, context, noun)
        asserted = _asserted(turn, step)
        step += 1
        for matcher in _step_matchers(asserted, turn.user):
            yield judge(matcher, exchange, context, noun)


def _asserted(turn: GoldenTurn, step: int) -> ToolResultStep | None:
    each = turn.assertions.tool_result_steps
    return each[step] if step < len(each) else turn.assertions.every_step


def _step_matchers(asserted: ToolResultStep | None, user: str) -> Iterator[Matcher[Any]]:
    if asserted is None:
        return
    if asserted.user_message:
        yield contain_message(role="user", content=user, before="tool_use")
    for id_ in asserted.tool_results:
        yield contain_message(role="tool_result", id=id_, after="tool_use")


def _step_of(exchange: Exchange) -> str:
    events = events_of(exchange)
    return "tool-result" if events and events[-1].kind == "tool_result" else "chat"


def _broken(live: LiveConversation, error: Exception) -> Verdict:
    """The verdict for an agent that failed or a script that did not fit."""
    turns = live.record.turns
    failure = turns[-1].failure if turns else None
    reason = failure.message if failure is not None else str(error)
    return Verdict(Outcome.ERROR, reason, claim="the conversation to play as scripted", turn=len(turns) or None)
