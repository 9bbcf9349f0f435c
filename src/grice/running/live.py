"""A live conversation: say something, get a reply, keep the record."""

from __future__ import annotations

import time
import traceback
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import ExitStack
from types import TracebackType
from typing import Self

import msgspec

from grice.agents import AgentFailed, BadReturn, BoundAgent, ReturnedNothing, chat_messages, read_response
from grice.formats import turns_of
from grice.matching.recording import Recorder
from grice.matching.transcript import transcript
from grice.records import (
    AgentFailure,
    AgentResponse,
    Conversation,
    Exchange,
    FailureKind,
    JsonValue,
    Message,
    Reply,
    Termination,
    ToolCall,
    Turn,
    Verdict,
    clean_json,
    clean_text,
)
from grice.running.deadline import DeadlineExceeded, deadline
from grice.running.portal import await_result, loop_is_running
from grice.running.tool_answers import Answer, ToolAnswer, Tools, ToolsError, answer_with
from grice.running.turn import OpenTurn
from grice.wire import SINK, ScriptedModel, ScriptError

__all__ = ["LiveConversation", "LoopIsRunning", "VerdictLog"]

TURN_TIMEOUT = 60.0
TIMEOUT = 600.0
MAX_ROUNDS = 50


class LoopIsRunning(RuntimeError):
    """The synchronous conversation was used from inside a running event loop."""


class VerdictLog:
    """The verdicts of one test, in order. `name` is the test's."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.verdicts: list[Verdict] = []

    def add(self, verdict: Verdict) -> None:
        """Keep a verdict."""
        self.verdicts.append(verdict)


class LiveConversation:
    """A conversation that goes on. `record` is the frozen Conversation as it stands.

    `tools` answers the tool calls that the agent leaves to its client; `history` is what was said before.
    `turn_timeout` and `timeout` are seconds for one turn and for all the agent's turns together. Use it as a
    context manager: the agent's `around()` is entered and left with it, and a script that was not used up
    raises UnusedReplies at the end.
    """

    def __init__(
        self,
        agent: BoundAgent,
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
        self.recorder: Recorder = recorder if recorder is not None else VerdictLog()
        self.turn_timeout = turn_timeout
        self.timeout = timeout
        self._agent = agent
        self._id = id
        self._tools = tools
        self._clock = clock
        self._spent = 0.0
        self._turns = list(turns_of(history))
        self._sent = [message for turn in self._turns for message in turn.messages]
        self._open: OpenTurn | None = None
        self._record: Conversation | None = None
        self._termination: Termination | None = None
        self._stack = ExitStack()
        self._models: list[ScriptedModel] = []
        metadata = agent.metadata()
        self._metadata: dict[str, JsonValue] = {"agent": metadata} if metadata else {}
        if model is not None:
            model.sink = self
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
        given = tools if tools is not None else self._tools
        return self.say_with(text, answer_with(given) if given is not None else None, metadata, timeout)

    def say_with(
        self,
        text: str,
        answer: Answer | None,
        metadata: Mapping[str, JsonValue] | None = None,
        timeout: float | None = None,
    ) -> Reply:
        """`say` with a function that answers each round of pending tool calls; None leaves them pending."""
        __tracebackhide__ = True
        self._refuse_running_loop()
        self._close_turn()
        self._open = OpenTurn(
            len(self._turns) + 1, clean_text(text), clean_json(metadata) if metadata else {}
        )
        return self._run(self._open, answer, timeout)

    def answer(
        self,
        results: JsonValue | ToolAnswer,
        *,
        tools: Tools | None = None,
        timeout: float | None = None,
    ) -> Reply:
        """Answer the last turn's tool call again, and return the agent's reply: the user pressed a button.

        This is what a front end does when a call was answered with a pending confirmation and the user
        confirmed or rejected it: the pending answer and what was said about it are replaced in what the
        agent is sent; the record keeps both. Raises ToolsError when no call was answered by the client.
        """
        __tracebackhide__ = True
        one = results if isinstance(results, ToolAnswer) else ToolAnswer(clean_json(results))
        given = tools if tools is not None else self._tools
        return self.answer_with([one], answer_with(given) if given is not None else None, timeout)

    def answer_with(
        self, answers: list[ToolAnswer], answer: Answer | None, timeout: float | None = None
    ) -> Reply:
        """`answer` with one answer a call, and a function for further rounds."""
        __tracebackhide__ = True
        self._refuse_running_loop()
        turn = self._open
        if turn is None or not turn.last_answered:
            raise ToolsError(
                "no client-side tool call of the last turn was answered, so none can be answered again"
            )
        if len(answers) != len(turn.last_answered):
            raise ToolsError(
                f"{len(turn.last_answered)} calls were answered, found {len(answers)} new answers"
            )
        self._turns.pop()
        turn.answer_again(answers)
        return self._run(turn, answer, timeout)

    # -- the record

    @property
    def record(self) -> Conversation:
        """The conversation so far, frozen."""
        if self._record is None:
            self._record = Conversation(
                id=self._id,
                turns=tuple(self._turns),
                name=self.recorder.name,
                termination=self._termination,
                metadata=self._metadata,
            )
        return self._record

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns so far, those of the history included."""
        return tuple(self._turns)

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
    def answered_calls(self) -> tuple[ToolCall, ...]:
        """The calls of the last turn that the client answered last."""
        return tuple(self._open.last_answered) if self._open is not None else ()

    @property
    def last(self) -> Reply:
        """The last reply. Raises LookupError before the first turn."""
        if not self._turns:
            raise LookupError("the conversation has no turn yet: say something first")
        return Reply(self, len(self._turns))

    def called_tool(self, name: str) -> bool:
        """Whether any turn called the tool of that name."""
        return self.record.called_tool(name)

    # -- the life cycle

    def __enter__(self) -> Self:
        self._stack.enter_context(self._agent.around())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)
        if error is None and self._termination is None:
            self.finish()

    def finish(self) -> None:
        """End the conversation. Raises UnusedReplies or UnscriptedRequest when a script did not fit."""
        if self._termination is None:
            self._end("completed")
        for model in self._models:
            model.verify()

    def add_exchange(self, exchange: Exchange, model: object) -> None:
        """Keep what a recorded model was asked; models call it."""
        if isinstance(model, ScriptedModel) and not any(one is model for one in self._models):
            self._models.append(model)
        if self._open is not None:
            self._open.exchanges.append(msgspec.structs.replace(exchange, turn=self._open.number))

    # -- one turn

    def _run(self, turn: OpenTurn, answer: Answer | None, timeout: float | None) -> Reply:
        __tracebackhide__ = True
        started = self._clock()
        token = SINK.set(self)
        try:
            self._rounds(turn, answer, timeout)
        except (Exception, DeadlineExceeded) as error:
            turn.failure = _failure_of(error, self._limit(timeout))
            self._freeze(turn, started)
            self._end("timeout" if turn.failure.kind == "timeout" else "agent_error")
            if isinstance(error, ScriptError | ToolsError):
                raise type(error)(self._failure_text(turn)) from error
            cause = None if isinstance(error, DeadlineExceeded) else error
            raise AgentFailed(self._failure_text(turn), turn.failure) from cause
        except BaseException:
            self._freeze(turn, started)
            self._end("interrupted")
            raise
        finally:
            SINK.reset(token)
        self._freeze(turn, started)
        return Reply(self, turn.number)

    def _rounds(self, turn: OpenTurn, answer: Answer | None, timeout: float | None) -> None:
        end = time.monotonic() + self._limit(timeout)
        for _ in range(MAX_ROUNDS):
            turn.take(self._ask(turn, end - time.monotonic()))
            for model in self._models:
                if model.problems:
                    model.verify()
            if not turn.pending or answer is None:
                return
            turn.answer(list(answer(turn.pending)))
        raise ToolsError(f"the agent still calls tools after {MAX_ROUNDS} rounds")

    def _ask(self, turn: OpenTurn, seconds: float) -> AgentResponse:
        messages = chat_messages([*self._sent, *turn.sent])
        with deadline(seconds):
            answer = self._agent.call(messages, turn.signal)
        if isinstance(answer, Awaitable):
            answer = await_result(answer, seconds)
        return read_response(answer)

    def _limit(self, timeout: float | None) -> float:
        own = self.turn_timeout if timeout is None else timeout
        return min(own, self.timeout - self._spent)

    def _freeze(self, turn: OpenTurn, started: float) -> None:
        elapsed = self._clock() - started
        turn.duration += elapsed
        self._spent += elapsed
        self._turns.append(turn.freeze())
        self._record = None

    def _close_turn(self) -> None:
        if self._open is not None:
            self._sent += self._open.close()
            self._open = None

    def _end(self, termination: Termination) -> None:
        self._termination = termination
        self._record = None

    def _failure_text(self, turn: OpenTurn) -> str:
        assert turn.failure is not None
        where = f"{self.recorder.name}: " if self.recorder.name else ""
        heading = f"{where}turn {turn.number}: {turn.failure.message}"
        return f"{heading}\n\n{transcript(tuple(self._turns), marked=turn.number)}"

    def _refuse_running_loop(self) -> None:
        if loop_is_running():
            raise LoopIsRunning(
                "the synchronous conversation was used inside a running event loop: make the test a plain "
                "function (an async agent is run for you), or drive the conversation from a thread"
            )


def _failure_of(error: BaseException, limit: float) -> AgentFailure:
    kind: FailureKind
    if isinstance(error, DeadlineExceeded):
        return AgentFailure("timeout", f"the agent did not answer within {max(limit, 0):g} s")
    if isinstance(error, ScriptError | ToolsError):
        return AgentFailure("script", str(error), type(error).__name__)
    if isinstance(error, ReturnedNothing):
        kind = "returned_nothing"
    else:
        kind = "bad_return" if isinstance(error, BadReturn) else "raised"
    message = clean_text(str(error))
    if kind == "raised":
        message = f"the agent raised {type(error).__name__}: {message}"
    trace = clean_text("".join(traceback.format_exception(error)))
    return AgentFailure(kind, message, type(error).__name__, trace)
