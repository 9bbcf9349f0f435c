"""Replaying a golden: its user messages to the agent, its scripted replies as the agent's model."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, Unpack

from grice.checks.tool_flow.status import tool_status_of
from grice.files.golden_records import Golden, GoldenTurn, ScriptedReply
from grice.files.settings import Settings
from grice.records import JsonValue, Reply, Result, ToolCall, Verdict
from grice.running.golden_checks import Given, judge_pending, judge_turn
from grice.running.live import LiveConversation
from grice.running.scripted import Limits, hold_scripted, settings_with
from grice.running.tool_answers import ToolAnswer, ToolsError
from grice.text import did_you_mean
from grice.wire import ScriptedModel


def run_golden(
    golden: Golden,
    target: object,
    *,
    clock: Callable[[], float] = time.perf_counter,
    **limits: Unpack[Limits],
) -> Result:
    """Replay the golden against the agent that `target` is or makes, and judge every assertion.

    `target` is anything that `bind_agent` takes; it is built anew. `turn_timeout` and `timeout` are seconds
    for one turn and for all turns. For an agent that fixes its model's address at start, the script is also
    played at `http://127.0.0.1:<model_port>`, with `model_key` as one more API key. With `strict` a hard
    verdict that is trivially true fails. Raises AgentLoadError when the agent cannot be built. An agent that
    fails, and a script that does not fit, give an `error` verdict beside the transcript.
    """
    return replay_golden(golden, target, settings_with(golden.file, limits), clock=clock)


def replay_golden(
    golden: Golden, target: object, settings: Settings, *, clock: Callable[[], float] = time.perf_counter
) -> Result:
    """The same with the settings of a project."""

    def play(live: LiveConversation, model: ScriptedModel) -> Iterator[Verdict]:
        for turn in golden.turns:
            given: Given = {}
            reply = yield from _play(turn, live, model, given, golden.file)
            yield from judge_turn(turn, reply, given, golden.file)

    return hold_scripted(golden, target, settings, play, clock=clock)


def _play(
    turn: GoldenTurn, live: LiveConversation, model: ScriptedModel, given: Given, file: str
) -> Generator[Verdict, None, Reply]:
    """The reply to the turn, and the verdicts on it while a call waits for the user.

    Results go to `given`. Raises ToolsError when these or replies do not fit.
    """
    model.script(*map(_body, turn.replies))
    results = deque(turn.tool_results)
    asked = model.asked

    def answer(calls: Sequence[ToolCall]) -> list[ToolAnswer]:
        if not results:
            count = len(turn.tool_results)
            called = ", ".join(call.name for call in calls)
            raise ToolsError(
                f"the agent called {called} in round {count + 1}, but toolExecResult has {count} result(s)"
            )
        answers = _answers(results.popleft(), calls)
        told = {call.id: one.content for call, one in zip(calls, answers, strict=True) if one is not _UNTOLD}
        given.setdefault(model.asked - asked + 1, {}).update(told)
        return answers

    reply = live.say_with(turn.user, answer)
    waited = False
    while results and any(map(_waits, live.asked_calls)):
        waited = True
        yield from judge_pending(turn, reply, file)
        calls = live.asked_calls
        settled = iter(answer([call for call in calls if _waits(call)]))
        reply = live.answer_with([next(settled) if _waits(call) else None for call in calls], answer)
    if results:
        hint = "; the agent ran its tools itself" if reply.tool_calls and not live.asked_calls else ""
        count = len(turn.tool_results)
        raise ToolsError(f"{len(results)} of {count} toolExecResult entries were never asked for{hint}")
    if not (waited or turn.pending.empty):
        raise ToolsError("pendingAssertions were not reached: no call waited for the user when a reply came")
    unused = model.drop_unused()
    if unused:
        hint = "" if model.asked else "; the agent did not ask the model in context.model at all"
        count = len(turn.replies)
        raise ToolsError(f"{unused} of {count} scripted model replies were never asked for{hint}")
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
        told = result.get("error")
    return _UNTOLD if told is None else ToolAnswer(told, is_error=True)


_UNTOLD = ToolAnswer("the tool failed", is_error=True)
"""The answer of a tool that failed where the golden does not say how."""
