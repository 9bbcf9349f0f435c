"""Replaying a golden: its user messages to the agent, its scripted replies as the agent's model."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grice.agents import AgentContext, AgentFailed, bind_agent
from grice.checks.tool_flow.status import tool_status_of
from grice.formats import read_message
from grice.identity import stable_id, stable_path
from grice.records import FailureType, JsonValue, Outcome, Reply, Result, ToolCall, Verdict, outcome_of
from grice.running.golden_checks import judge_turn
from grice.running.live import TIMEOUT, TURN_TIMEOUT, LiveConversation, VerdictLog
from grice.running.model_address import at_model_address
from grice.running.tool_answers import ToolAnswer, ToolsError
from grice.running.verdict_log import broken_verdict
from grice.suites.golden_records import Golden, GoldenTurn, ScriptedReply
from grice.text import did_you_mean
from grice.wire import ScriptedModel, ScriptError

__all__ = ["golden_id", "run_golden"]


def golden_id(golden: Golden) -> str:
    """The stable id of a golden: it follows its own id, not its file."""
    return stable_id(stable_path("golden", golden.id))


def run_golden(
    golden: Golden,
    target: object,
    *,
    turn_timeout: float = TURN_TIMEOUT,
    timeout: float = TIMEOUT,
    model_port: int | None = None,
    model_key: str = "",
    strict: bool = False,
    clock: Callable[[], float] = time.perf_counter,
) -> Result:
    """Replay the golden against the agent that `target` is or makes, and judge every assertion.

    `target` is anything that `bind_agent` takes; it is built anew. `turn_timeout` and `timeout` are seconds
    for one turn and for all turns. For an agent that fixes its model's address at start, the script is also
    played at `http://127.0.0.1:<model_port>`, with `model_key` as one more API key. With `strict` a hard
    verdict that is trivially true fails. Raises AgentLoadError when the agent cannot be built. An agent that
    fails, and a script that does not fit, give an `error` verdict beside the transcript.
    """
    started = clock()
    model = ScriptedModel()
    context = AgentContext(test_name=golden.id, test_file=golden.file, test_line=golden.line, model=model)
    log = VerdictLog(golden.id, strict=strict)
    live = LiveConversation(
        bind_agent(target, context),
        id=golden.id,
        history=[message for raw in golden.history for message in read_message(raw)],
        turn_timeout=turn_timeout,
        timeout=timeout,
        model=model,
        recorder=log,
        clock=clock,
    )
    failure: FailureType = "none"
    try:
        with at_model_address(live, model, model_port, key=model_key, wait=timeout), live:
            for turn in golden.turns:
                reply = _play(turn, live, model)
                for verdict in judge_turn(turn, reply, golden.file):
                    log.add(verdict)
    except (AgentFailed, ScriptError, ToolsError) as error:
        failure = "timeout" if live.record.termination == "timeout" else "error"
        log.add(broken_verdict(live.record, error))
    return _result(golden, live, tuple(log.verdicts), failure, clock() - started)


def _result(
    golden: Golden,
    live: LiveConversation,
    verdicts: tuple[Verdict, ...],
    failure: FailureType,
    duration: float,
) -> Result:
    outcome = outcome_of(verdicts)
    if failure == "none" and outcome is not Outcome.PASS:
        failure = "error" if outcome is Outcome.ERROR else "assertion"
    return Result(
        id=golden_id(golden),
        key=golden.id,
        outcome=outcome,
        conversation=live.record,
        verdicts=verdicts,
        failure=failure,
        description=golden.description,
        file=golden.file,
        duration=duration,
        test=golden_id(golden),
    )


def _play(turn: GoldenTurn, live: LiveConversation, model: ScriptedModel) -> Reply:
    """The reply to the turn. Raises ToolsError when the turn's results or replies do not fit."""
    model.script(*map(_body, turn.replies))
    results = deque(turn.tool_results)

    def answer(calls: Sequence[ToolCall]) -> list[ToolAnswer]:
        if not results:
            given = len(turn.tool_results)
            called = ", ".join(call.name for call in calls)
            raise ToolsError(
                f"the agent called {called} in round {given + 1}, but toolExecResult has {given} result(s)"
            )
        return _answers(results.popleft(), calls)

    reply = live.say_with(turn.user, answer)
    while results and any(map(_waits, live.asked_calls)):
        calls = live.asked_calls
        settled = iter(answer([call for call in calls if _waits(call)]))
        reply = live.answer_with([next(settled) if _waits(call) else None for call in calls], answer)
    if results:
        hint = "; the agent ran its tools itself" if reply.tool_calls and not live.asked_calls else ""
        given = len(turn.tool_results)
        raise ToolsError(f"{len(results)} of {given} toolExecResult entries were never asked for{hint}")
    unused = model.drop_unused()
    if unused:
        hint = "" if model.asked else "; the agent did not ask the model in context.model at all"
        given = len(turn.replies)
        raise ToolsError(f"{unused} of {given} scripted model replies were never asked for{hint}")
    return reply


def _body(reply: ScriptedReply) -> JsonValue:
    if reply.stop_reason is None:
        return {"content": reply.content}
    return {"content": reply.content, "stop_reason": reply.stop_reason}


def _waits(call: ToolCall) -> bool:
    """Whether the call was answered with a pending confirmation."""
    return tool_status_of((call,)) == "pending"


def _answers(result: JsonValue, calls: Sequence[ToolCall]) -> list[ToolAnswer]:
    """One round's entry of toolExecResult as answers: one result, or results by tool call id."""
    pending = [call.id for call in calls]
    if "success" in result:
        if len(calls) > 1:
            ids = ", ".join(pending)
            raise ToolsError(f"one result for {len(calls)} tool calls; give one for each id: {ids}")
        return [_answer(result)]
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
    if result["success"]:
        return ToolAnswer(result.get("result"))
    told = result.get("result")
    if told is None:
        told = result.get("error", "the tool failed")
    return ToolAnswer(told, is_error=True)
