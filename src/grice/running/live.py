"""A live conversation: say something, get a reply, keep the record."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, NoReturn, Self

from grice.agents import AgentFailed, BadReturn, BoundAgent, bind_agent, chat_messages, read_response
from grice.formats import turns_of
from grice.matching.recording import Recorder
from grice.records import (
    AgentResponse,
    Conversation,
    Exchange,
    JsonValue,
    Message,
    Reply,
    Termination,
    ToolCall,
    Turn,
    clean_json,
    clean_text,
)
from grice.running.around import plain_manager
from grice.running.deadline import DeadlineExceeded, call_within
from grice.running.failures import around_failed, failure_of, failure_text
from grice.running.interrupts import stops_the_run
from grice.running.limits import answered_within, seconds
from grice.running.portal import LoopIsRunning, await_result, loop_is_running
from grice.running.tool_answers import Answer, ToolAnswer, Tools, ToolsError, answer_with, as_answer
from grice.running.turn import OpenTurn
from grice.running.verdict_log import VerdictLog
from grice.wire import SINK, ScriptedModel, ScriptError

__all__ = ["LiveConversation", "LoopIsRunning", "VerdictLog"]

TURN_TIMEOUT = 60.0
TIMEOUT = 600.0
MAX_ROUNDS = 50


class LiveConversation:
    """A conversation that goes on. `record` is the frozen Conversation as it stands.

    `agent` is anything that an `agent` fixture may return. `tools` answers the tool calls that it leaves to
    its client; `history` is what was said before. `turn_timeout` and `timeout` are seconds for one turn and
    for all turns together. `recorder` takes the verdicts; without one the running test does. Use it as a
    context manager: the agent's `around()` is entered and left with it, and a script that was not used up
    raises UnusedReplies at the end. It is driven from one thread; its agent may use several.
    """

    def __init__(
        self,
        agent: object,
        *,
        id: str = "",  # noqa: A002 - the record's field
        history: Iterable[Message] = (),
        tools: Tools | None = None,
        turn_timeout: float = TURN_TIMEOUT,
        timeout: float = TIMEOUT,
        model: ScriptedModel | None = None,
        recorder: Recorder | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.recorder = recorder
        self.turn_timeout = seconds("turn_timeout", turn_timeout)
        self.timeout = seconds("timeout", timeout)
        self._agent = agent if isinstance(agent, BoundAgent) else bind_agent(agent)
        if isinstance(recorder, VerdictLog):
            recorder.conversation = self
        self._id = id
        self._tools = tools
        self._clock = clock
        self._spent = 0.0
        self._history = turns_of(history)
        self._closed: list[OpenTurn] = []
        self._sent = [message for turn in self._history for message in turn.messages]
        self._open: OpenTurn | None = None
        self._early: list[Exchange] = []
        self.running = False  # whether the agent is answering just now
        self._record: Conversation | None = None
        self._signals = 0
        self._termination: Termination | None = None
        self._around: AbstractContextManager[Any] | None = None
        self._models: list[ScriptedModel] = []
        self._problems: list[ScriptError | BadReturn] = []
        metadata = self._agent.metadata()
        self._metadata: dict[str, JsonValue] = {"agent": metadata} if metadata else {}
        if model is not None:
            model.join(self)
            self._models.append(model)

    # -- talking

    def say(
        self,
        text: str,
        *,
        tools: Tools | None = None,
        metadata: Mapping[str, JsonValue] | None = None,
        timeout: float | None = None,
    ) -> Reply:
        """Say something to the agent and return its reply.

        `tools` answers client-side tool calls of this turn (default: the conversation's), `timeout` is the
        turn's in seconds. Raises AgentFailed when the agent raises, hangs or returns no response, ToolsError
        for a call that `tools` does not know, UnscriptedRequest for a model request without a scripted
        reply, LoopIsRunning inside an event loop; the record keeps the turn with its failure.
        """
        __tracebackhide__ = True
        if not isinstance(text, str):
            raise TypeError(f"say() takes the user's text, found {type(text).__name__}")
        return self.say_with(text, self._answer(tools), metadata, timeout)

    def say_with(
        self,
        text: str,
        answer: Answer | None,
        metadata: Mapping[str, JsonValue] | None = None,
        timeout: float | None = None,
    ) -> Reply:
        """`say` with a function that answers each round of pending tool calls; None leaves them pending."""
        __tracebackhide__ = True
        self._refuse_unless_free()
        if self._open is not None:
            self._sent += self._open.close()
            self._closed.append(self._open)
        number = len(self._history) + len(self._closed) + 1
        self._open = OpenTurn(number, clean_text(text), clean_json(metadata) if metadata else {})
        while self._early:
            self._open.add_exchange(self._early.pop(0))
        return self._run(self._open, answer, timeout)

    def answer(
        self,
        results: JsonValue | ToolAnswer,
        *,
        tools: Tools | None = None,
        timeout: float | None = None,
    ) -> Reply:
        """Answer the last turn's tool call, and return the agent's reply.

        The call may have been left pending, or answered already: a front end does that when a call was
        answered with a pending confirmation and the user has confirmed or rejected it. Then the earlier
        answer and what was said about it are replaced in what the agent is sent; the record keeps both.
        Raises ToolsError when the last turn left no call to its client, or several.
        """
        __tracebackhide__ = True
        return self.answer_with([as_answer(results)], self._answer(tools), timeout)

    def answer_with(
        self, answers: Sequence[ToolAnswer | None], answer: Answer | None, timeout: float | None = None
    ) -> Reply:
        """`answer` with one answer a call (None keeps the one it has), and a function for further rounds."""
        __tracebackhide__ = True
        self._refuse_unless_free()
        turn = self._open
        if turn is None or not turn.asked:
            raise ToolsError("the last turn left no tool call to its client, so there is nothing to answer")
        if len(answers) != len(turn.asked):
            named = ", ".join(f"{call.name} ({call.id})" for call in turn.asked)
            raise ToolsError(f"found {len(answers)} answers for {len(turn.asked)} calls: {named}")
        turn.answer(answers)
        return self._run(turn, answer, timeout)

    # -- the record

    @property
    def record(self) -> Conversation:
        """The conversation so far, frozen."""
        record = self._record
        if record is None:
            signals = self._signals
            played = self._closed if self._open is None else (*self._closed, self._open)
            turns = (*self._history, *[turn.freeze() for turn in played])
            record = Conversation(self._id, turns, None, self._name, self._termination, self._metadata)
            if not self.running and signals == self._signals:
                self._record = record
        return record

    @property
    def _name(self) -> str:
        return self.recorder.name if self.recorder is not None else ""

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns so far, those of the history included."""
        return self.record.turns

    @property
    def messages(self) -> tuple[Message, ...]:
        """All messages so far."""
        return self.record.messages

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """All tool calls so far."""
        return self.record.tool_calls

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Everything that was sent to a recorded model so far."""
        return self.record.exchanges

    @property
    def asked_calls(self) -> tuple[ToolCall, ...]:
        """The calls that the agent left to its client last in the last turn, with their answers."""
        return tuple(self._open.asked) if self._open is not None else ()

    @property
    def last(self) -> Reply:
        """The last reply. Raises LookupError before the first turn."""
        if not self.turns:
            raise LookupError("the conversation has no turn yet: say something first")
        return Reply(self, len(self.turns))

    def called_tool(self, name: str) -> bool:
        """Whether any turn called the tool of that name."""
        return self.record.called_tool(name)

    # -- the life cycle

    def __enter__(self) -> Self:
        try:
            self._around = plain_manager(self._agent.around())
            self._around.__enter__()
        except BaseException as error:
            if stops_the_run(error):
                self._end("interrupted")
                raise
            self._end("agent_error")
            raise around_failed(self._agent.name, error) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and self._termination is None:
            self._end("completed" if isinstance(error, Exception) else "interrupted")
        if self._around is not None:
            try:
                self._around.__exit__(kind, error, trace)
            except BaseException as raised:
                if stops_the_run(raised):
                    raise
                if raised is not error:
                    self._end("agent_error")
                    raise around_failed(self._agent.name, raised) from raised
        for model in self._models:
            model.leave(self)
        if self._termination is None:
            self.finish()

    def finish(self) -> None:
        """End the conversation.

        Raises UnusedReplies or UnscriptedRequest when a script did not fit, and AgentFailed when the agent
        signalled a tool call after its last turn that is none.
        """
        if self._termination is None:
            self._end("completed")
        try:
            self._raise_hidden()
        except BadReturn as error:
            raise AgentFailed(str(error), failure_of(error, "", error)) from None
        for model in self._models:
            model.verify_used()

    def add_exchange(self, exchange: Exchange, model: object) -> None:
        """Keep what a recorded model was asked; models call it."""
        if isinstance(model, ScriptedModel) and model not in self._models:
            self._models.append(model)
        if self._open is None:
            self._early.append(exchange)  # as from `around()`: it belongs to the first turn
        else:
            self._open.add_exchange(exchange)
            self._changed()

    def replace_exchange(self, old: Exchange, new: Exchange) -> None:
        """Keep what became of an exchange after it was added; models call it."""
        self._early = [new if one is old else one for one in self._early]
        for turn in (*self._closed, self._open):
            if turn is not None and turn.replace_exchange(old, new):
                self._changed()

    def add_problem(self, problem: ScriptError) -> None:
        """Keep what no script answers, so that the agent cannot hide it; models call it."""
        self._problems.append(problem)

    def note(self, name: str, value: JsonValue) -> None:
        """Keep something about the conversation in its metadata."""
        self._metadata[name] = value
        self._record = None

    def _changed(self) -> None:
        """Forget the record: something came from another thread, or after the turn."""
        self._signals += 1
        self._record = None

    # -- one turn

    def _run(self, turn: OpenTurn, answer: Answer | None, timeout: float | None) -> Reply:
        __tracebackhide__ = True
        started = self._clock()
        limit = self.turn_timeout if timeout is None else seconds("timeout", timeout)
        left = self.timeout - self._spent
        turn.reopen()
        for model in self._models:
            model.join(self)
        self.running, self._record, self._termination = True, None, None
        token = SINK.set(self)
        try:
            self._rounds(turn, answer, time.monotonic() + min(limit, left))
        except BaseException as error:
            if stops_the_run(error):
                turn.stop()
                self._termination = "interrupted"
                raise
            about = f"{limit:g} s" if limit <= left else f"the {self.timeout:g} s of the conversation"
            self._fail(turn, error, about)
        finally:
            SINK.reset(token)
            elapsed = self._clock() - started
            turn.duration += elapsed
            self._spent += elapsed
            self.running, self._record = False, None
        return Reply(self, turn.number)

    def _rounds(self, turn: OpenTurn, answer: Answer | None, end: float) -> None:
        for _ in range(MAX_ROUNDS):
            turn.take(self._ask(turn, end))
            self._raise_hidden()
            pending = turn.pending
            if not pending or answer is None:
                return
            turn.answer(answered_within(end - time.monotonic(), answer, pending))
        raise ToolsError(f"the agent still calls tools after {MAX_ROUNDS} rounds")

    def _ask(self, turn: OpenTurn, end: float) -> AgentResponse:
        messages = chat_messages(self._sent)
        messages += chat_messages(turn.sent)
        answer = call_within(end - time.monotonic(), self._agent.call, messages, self._signal_of(turn))
        if isinstance(answer, Awaitable):
            answer = await_result(answer, end - time.monotonic())
        return read_response(answer)

    def _signal_of(self, turn: OpenTurn) -> Callable[..., None]:
        """`on_tool_call` for the turn, also after its end; a wrong call fails an agent that hides it too."""

        def on_tool_call(*args: Any, **kwargs: Any) -> None:
            try:
                turn.signal(*args, **kwargs)
            except Exception as error:
                said = str(error).rpartition("signal() ")[2]
                problem = BadReturn(f"on_tool_call: {said}")
                self._problems.append(problem)
                raise problem from error
            finally:
                self._changed()

        return on_tool_call

    def _fail(self, turn: OpenTurn, error: BaseException, limit: str) -> NoReturn:
        __tracebackhide__ = True
        cause = None if isinstance(error, DeadlineExceeded) else error
        if self._problems and not isinstance(error, ScriptError):
            error = self._problems[0]
        self._problems.clear()
        failure = failure_of(error, limit, cause or error)
        turn.stop(failure)
        self._termination = "timeout" if failure.kind == "timeout" else "agent_error"
        text = failure_text(self._name, turn.number, failure, self.turns)
        if isinstance(error, ScriptError | ToolsError):
            raise type(error)(text) from cause
        raise AgentFailed(text, failure) from cause

    def _raise_hidden(self) -> None:
        """Raise what the agent was told of by an exception, in case that it hid it."""
        if self._problems:
            problem = self._problems[0]
            self._problems.clear()
            raise problem

    def _answer(self, tools: Tools | None) -> Answer | None:
        given = tools if tools is not None else self._tools
        return answer_with(given) if given is not None else None

    def _end(self, termination: Termination) -> None:
        self._termination = termination
        self._record = None

    def _refuse_unless_free(self) -> None:
        if loop_is_running():
            raise LoopIsRunning(
                "the synchronous conversation was used inside a running event loop: make the test a plain "
                "function (an async agent is run for you), or drive the conversation from a thread"
            )
        if self.running:
            raise RuntimeError("the conversation is in the middle of a turn: wait for the agent's reply")
