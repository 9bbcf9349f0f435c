"""Running a written test at once: it has to fail on what was recorded, and to pass on what is mended."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from grice.agents import AgentContext, bind_agent
from grice.extracting.fault import Fault
from grice.extracting.mending import mended
from grice.extracting.written_test import Draft, NotWritable, tool_results
from grice.files.goldens import load_goldens
from grice.files.settings import Settings
from grice.files.suite_files import load_suite
from grice.matching.failure import ExpectationFailed
from grice.records import (
    AgentResponse,
    Conversation,
    JsonValue,
    Outcome,
    Result,
    ToolCall,
    Turn,
    Verdict,
    passed,
)
from grice.running.golden import run_golden
from grice.running.live import LiveConversation
from grice.running.suite import run_scenario
from grice.running.task import ConversationTask
from grice.wire import ScriptedModel

_NONE: Any = object()


class Proof(NamedTuple):
    """Whether the test was seen to fail for its fault, and to pass without; else why that is not known."""

    fails: bool
    passes: bool
    why: str = ""

    @property
    def whole(self) -> bool:
        """Whether both were seen."""
        return self.fails and self.passes


class Asking(NamedTuple):
    """The agent itself, to be asked `times` times; it has a fault when it does so `needed` times of them."""

    agent: object
    needed: int
    times: int

    def failures(self, draft: Draft, fault: Fault) -> int:
        """How often the agent fails the written test for the fault. Raises NotWritable where it breaks."""
        asked = [self._fails(draft, fault) for _ in range(self.times)]
        if None in asked:
            raise NotWritable(f"the agent gave no answer {asked.count(None)} of {self.times} times")
        return asked.count(True)

    def has(self, draft: Draft, fault: Fault) -> bool:
        """Whether it fails the test often enough; it is asked no more than that takes."""
        failed = 0
        for left in range(self.times, 0, -1):
            if failed + left < self.needed:
                return False
            failed += self._fails(draft, fault) is True
            if failed >= self.needed:
                return True
        return False

    def _fails(self, draft: Draft, fault: Fault) -> bool | None:
        """Whether it fails the test for the fault; None where it breaks."""
        try:
            verdicts = _run(draft, self.agent)
        except Exception:  # somebody's agent
            return None
        if any(map(fault.is_said_by, verdicts)):
            return True
        return None if any(one.outcome is Outcome.ERROR for one in verdicts) else False


def prove(draft: Draft, fault: Fault) -> Proof:
    """Run the written test twice: with an agent that does what was recorded, and with a mended one."""
    if fault.verdict.outcome is not Outcome.FAIL:
        return Proof(False, False, f"with stand-ins for what is private: {fault.verdict.reason}")
    if fault.check.matcher.judged:
        return Proof(False, False, "an LLM judges it, and none was asked")
    broken = _verdicts(draft, fault, fault.conversation)
    if isinstance(broken, str):
        return Proof(False, False, f"on what was recorded: {broken}")
    if not any(map(fault.is_said_by, broken)):
        said = next((one for one in broken if one.outcome is not Outcome.PASS), None)
        told = f"{said.outcome}: {said.reason}" if said is not None else "it passes"
        return Proof(False, False, f"on what was recorded: {told}")
    other = [one for one in broken if one.outcome is Outcome.ERROR]
    if other:
        return Proof(False, False, f"on what was recorded: {other[0].reason}")
    better = mended(fault)
    if better is None:
        return Proof(True, False, f"no mending of {fault.label} is known for this reply")
    after = _verdicts(draft, fault, better)
    if isinstance(after, str):
        return Proof(True, False, f"on the mended record: {after}")
    bad = [one for one in after if one.outcome is not Outcome.PASS and one.mode == "hard"]
    if bad or not after:
        told = f"{bad[0].outcome}: {bad[0].reason}" if bad else "nothing was checked"
        return Proof(True, False, f"on the mended record: {told}")
    return Proof(True, True)


def _verdicts(draft: Draft, fault: Fault, conversation: Conversation) -> tuple[Verdict, ...] | str:
    """The verdicts of the test on an agent that plays the conversation; why there are none."""
    turns = conversation.turns
    every = draft.form == "pytest" or fault.check.target.kind == "conversation"
    played = [one for one in turns if one.user] if every else turns[-1:]
    try:
        return _run(draft, _replaying(played, _client(played)))
    except Exception as error:  # a draft is somebody's data: whatever goes wrong is told
        return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"


def _client(turns: Sequence[Turn]) -> Mapping[str, JsonValue]:
    return {name: value for turn in turns for name, value in tool_results(turn).items()}


def _run(draft: Draft, agent: object) -> tuple[Verdict, ...]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, draft.file)
        path.write_text(draft.body, encoding="utf-8")
        if draft.form == "pytest":
            try:
                return _hold(draft, agent, Path(folder))
            except ExpectationFailed as failed:
                return (failed.verdict,)
        result: Result
        if draft.form == "golden":
            result = run_golden(load_goldens(path)[0], agent)
        else:
            result = run_scenario(load_suite(path)[0], agent)
    return result.verdicts


def _hold(draft: Draft, agent: object, folder: Path) -> tuple[Verdict, ...]:
    """Call the function with a conversation, as pytest would. Raises ExpectationFailed where it fails."""
    names: dict[str, Any] = {}
    exec(compile(draft.body, draft.file, "exec"), names)  # noqa: S102 - it was just written, of data in quotes
    (body,) = (value for name, value in names.items() if name.startswith("test_"))
    model = ScriptedModel()
    task = ConversationTask(draft.name, Settings(folder), id=draft.name, model=model)
    bound = bind_agent(agent, AgentContext(test_name=draft.name, model=model))
    with task.open(LiveConversation, bound) as live, live:
        known = {"conversation": live, "scripted_model": model}
        body(*(known[name] for name in body.__code__.co_varnames[: body.__code__.co_argcount]))
    return (*task.log.verdicts, passed("every expectation held"))


def _replaying(turns: Sequence[Turn], answered_by_client: Mapping[str, JsonValue]) -> Callable[..., Any]:
    """A factory of an agent that plays these turns, one a message of the user.

    A call with the result that the client gives for its tool is left to it; the others come answered.
    """

    def agent(context: AgentContext) -> Callable[[list[dict[str, Any]]], Any]:
        return _Replay(turns, answered_by_client, context.model).chat

    return agent


class _Replay:
    def __init__(self, turns: Sequence[Turn], client: Mapping[str, JsonValue], model: Any) -> None:
        self._turns = iter(turns)
        self._client = client
        self._model = model
        self._steps: list[list[AgentResponse]] = []

    def chat(self, messages: list[dict[str, Any]]) -> Any:
        """The next part of the turn: up to the calls that the client answers, or to its end."""
        if messages[-1]["role"] == "user" or not self._steps:
            self._begin(next(self._turns))
        step = self._steps.pop(0)
        return step[0] if len(step) == 1 else step

    def _begin(self, turn: Turn) -> None:
        for exchange in turn.exchanges:
            if exchange.reply is not None:
                self._model.respond(exchange.request, exchange.dialect or "anthropic")
        self._steps = [[]]
        rest = list(turn.tool_calls)
        for message in turn.messages:
            if message.role != "assistant":
                continue
            calls = tuple(_done(one, rest) for one in message.tool_calls)
            waits = bool(calls) and all(self._left_to_client(one) for one in calls)
            given = tuple(_bare(one) for one in calls) if waits else calls
            self._steps[-1].append(AgentResponse(message.content, given))
            if waits:
                self._steps.append([])
        last = self._steps[-1]
        if not last:
            last.append(AgentResponse("", data=turn.data))
        elif turn.data is not None:
            last[-1] = msgspec.structs.replace(last[-1], data=turn.data)

    def _left_to_client(self, call: ToolCall) -> bool:
        return call.answered and call.error is None and self._client.get(call.name, _NONE) == call.result


def _done(call: ToolCall, rest: list[ToolCall]) -> ToolCall:
    """The call with its answer, taken out of the rest: ids repeat in real logs."""
    same = [one for one in rest if call.id and one.id == call.id] or [
        one for one in rest if one.name == call.name
    ]
    if not same:
        return call
    rest.remove(same[0])
    return same[0]


def _bare(call: ToolCall) -> ToolCall:
    return msgspec.structs.replace(call, result=msgspec.UNSET, error=None)
