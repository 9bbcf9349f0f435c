"""A conversation that goes on, however it is driven: its state, its record, its topics and played users."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from contextvars import Token
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

from grice.agents import (
    AgentFailed,
    BadReturn,
    BoundAgent,
    bind_agent,
    chat_messages,
    is_later,
    plain_reply,
    take_all,
)
from grice.formats import turns_of
from grice.loops.deadline import DeadlineExceeded
from grice.matching.recording import Recorder
from grice.records import (
    Classification,
    Conversation,
    Exchange,
    JsonValue,
    Message,
    Simulation,
    Termination,
    ToolCall,
    attachments_of,
    clean_json,
    clean_text,
)
from grice.running.failures import around_failed, failure_of, failure_text, stops_the_run
from grice.running.limits import seconds
from grice.running.reading import Readable
from grice.running.tool_answers import ToolAnswer, Tools, ToolsError
from grice.running.turn import OpenTurn
from grice.running.verdict_log import VerdictLog
from grice.wire import SINK, ExchangeSink, ScriptedModel, ScriptError

if TYPE_CHECKING:
    from grice.running.events import Event
    from grice.running.following import Following
    from grice.running.steps import Steps
    from grice.running.support import Support
    from grice.topics.graph import TopicGraph
    from grice.users.protocol import UserPlan
    from grice.wire.cassettes import Cassette


TURN_TIMEOUT = 60.0
TIMEOUT = 600.0
MAX_ROUNDS = 50


class OpenConversation(Readable):
    """A conversation that goes on.

    Its two faces derive from it: one waits for the agent, the other awaits it; each enters its `around()`.
    """

    _around: AbstractContextManager[Any] | None = None

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
        cassette: Cassette | None = None,
        clock: Callable[[], float] = time.perf_counter,
        find_support: Callable[[], Support] | None = None,
        observe: Callable[[Event], None] | None = None,
    ) -> None:
        self.recorder = recorder
        self.repeat = 1  # which of the conversations of one scenario it is
        self.simulating = False  # whether a user is being played
        self._id = id
        self._support: Support | None = None
        self._observe = observe
        self._find_support = _alone if find_support is None else find_support
        self._following: Following | None = None
        self._simulations: list[Simulation] = []
        self.played: list[tuple[UserPlan, Simulation]] = []
        """Each played user, and the part of the conversation in which they were."""
        self._open: OpenTurn | None = None
        self._record: Conversation | None = None
        self._termination: Termination | None = None
        self._metadata: dict[str, JsonValue] = {}
        self.turn_timeout = seconds("turn_timeout", turn_timeout)
        self.timeout = seconds("timeout", timeout)
        self._agent = agent if isinstance(agent, BoundAgent) else bind_agent(agent)
        self._cassette = cassette
        if cassette is not None:
            from grice.agents.recorded import recorded_agent  # with the cassettes, which few tests need

            self._agent = recorded_agent(self._agent, cassette)
        if isinstance(recorder, VerdictLog):
            recorder.conversation = self
        self._tools = tools
        self._clock = clock
        self._spent = 0.0
        self._history = turns_of(history)
        self._closed: list[OpenTurn] = []
        self._sent = [message for turn in self._history for message in turn.messages]
        self._early: list[Exchange] = []
        self.running = False  # whether the agent is answering just now
        self._signals = 0
        self._models: list[ScriptedModel] = []
        self._problems: list[ScriptError | BadReturn] = []
        metadata = self._agent.metadata()
        self._metadata |= {"agent": metadata} if metadata else {}
        if model is not None:
            model.join(self)
            self._models.append(model)

    # -- the record

    @property
    def record(self) -> Conversation:
        """The conversation so far, frozen."""
        record = self._record
        if record is None:
            signals = self._signals
            played = self._closed if self._open is None else (*self._closed, self._open)
            turns = (*self._history, *[turn.freeze() for turn in played])
            record = Conversation(
                self._id,
                turns,
                None,
                self._name,
                self._termination,
                self._metadata,
                tuple(self._simulations),
                self._following.kept if self._following is not None else None,
            )
            if not self.running and signals == self._signals:
                self._record = record
        return record

    @property
    def _name(self) -> str:
        return self.recorder.name if self.recorder is not None else ""

    @property
    def asked_calls(self) -> tuple[ToolCall, ...]:
        """The calls that the agent left to its client last in the last turn, with their answers."""
        return tuple(self._open.asked) if self._open is not None else ()

    # -- the life cycle

    def finish(self) -> None:
        """End the conversation.

        Raises UnusedReplies or UnscriptedRequest when a script did not fit, and AgentFailed when the agent
        signalled a tool call after its last turn that is none, and ExpectationFailed for what was expected
        in the last topic.
        """
        if self._termination is None:
            self._end(self._final_termination())
        try:
            self._raise_hidden()
        except BadReturn as error:
            raise AgentFailed(str(error), failure_of(error, "", error)) from None
        for model in self._models:
            model.verify_used()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the plain `around()` that was entered, then `finish` unless an exception ended it before."""
        self._note_end(error)
        if self._around is not None:
            try:
                self._around.__exit__(kind, error, trace)
            except BaseException as raised:
                if raised is not error:
                    self._around_failed(raised)
        self._leave_models()
        if self._termination is None:
            self.finish()

    def _leave_models(self) -> None:
        for model in self._models:
            model.leave(self)

    def _note_end(self, error: BaseException | None) -> None:
        """Keep why the conversation ends when an exception ends it."""
        if error is not None and self._termination is None:
            self._end(self._final_termination() if isinstance(error, Exception) else "interrupted")

    def _around_failed(self, error: BaseException) -> NoReturn:
        """End the conversation because `around()` raised."""
        self._leave_models()
        if self._stops(error):
            self._end("interrupted")
            raise error
        self._end("agent_error")
        raise around_failed(self._agent.name, error) from error

    def _stops(self, error: BaseException) -> bool:
        """Whether the exception is for who runs the agent, rather than a failure of the agent."""
        return stops_the_run(error)

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

    def _changed(self) -> None:
        """Forget the record: something came from another thread, or after the turn."""
        self._signals += 1
        self._record = None

    # -- topics, and who plays the user

    @property
    def support(self) -> Support:
        """What doors find for it, when a user is played or topics are followed."""
        if self._support is None:
            self._support = self._find_support()
        return self._support

    def follow(self, graph: object, *, ask: bool = True, strict: bool = False) -> TopicGraph:
        """Follow topics from now on: find the topic of each turn, and judge what is expected in each visit.

        `graph` is a TopicGraph, a dict `{topic: next topics}` (or names of topics that are declared around
        the test), or the path of a graph file. Where no trigger decides, the judge is asked, unless `ask` is
        false. Each move is a soft verdict, a hard one with `strict`: a pass where the graph has it. Returns
        the graph. Raises TopicGraphError for a wrong graph, RuntimeError after the first turn.
        """
        from grice.running.following import Following

        if self._open is not None or self._following is not None:
            what = "topics are followed already" if self._following else "the conversation has begun"
            raise RuntimeError(f"follow() comes before the first turn, once: {what}")
        self._following = Following(self, graph, ask=ask, strict=strict)
        self._record = None
        return self._following.graph

    def note(self, name: str, value: JsonValue) -> None:
        """Keep something about the conversation in its metadata."""
        self._metadata[name] = value
        self._record = None

    def add_simulation(self, simulation: Simulation, plan: UserPlan) -> None:
        """Keep the record of a played user, and how they were to be played; who plays them calls this."""
        self._simulations.append(simulation)
        self.played.append((plan, simulation))
        self._record = None
        if self._observe is not None:
            from grice.running.events import SimulationEnded

            told = simulation.turns, simulation.termination, simulation.reason
            self._observe(SimulationEnded(self._id, self.repeat, *told))

    def classify(self, turn: OpenTurn, topic: Classification) -> None:
        """Keep which topic the turn belongs to."""
        turn.classified = topic
        self._record = None

    def tell_topic(self, turn: int, before: str, now: Classification) -> None:
        """Tell observers that the conversation moved to another topic."""
        if self._observe is not None:
            from grice.running.events import TopicChanged

            self._observe(TopicChanged(self._id, self.repeat, turn, before, now))

    @property
    def topic_ahead(self) -> str:
        """The topic in which the next turn begins, "" where no topics are followed."""
        return self._following.topic if self._following is not None else ""

    def topic_names(self) -> list[str]:
        """The names of the topics that are followed, and of those that are declared around the test."""
        followed = self._following.graph.names if self._following is not None else ()
        return list(dict.fromkeys([*followed, *(one.name for one in self.support.find_topics())]))

    def raise_expected(self) -> None:
        """Raise ExpectationFailed for what was expected in a topic and has not been raised yet."""
        __tracebackhide__ = True
        if self._following is not None:
            self._following.raise_expected()

    def note_expected(self, error: BaseException) -> None:
        """Tell the same with an exception that is raised instead."""
        if self._following is not None:
            self._following.note_expected(error)

    @property
    def _has_steps(self) -> bool:
        """Whether something follows each turn."""
        return self._following is not None or self._observe is not None

    @property
    def _ends_with_steps(self) -> bool:
        """Whether the last topic is still to be judged."""
        return self._following is not None and self._termination is None and not self._following.ended

    def _after(self, turn: OpenTurn) -> Steps[None]:
        """What follows a turn: its topic, and what was expected in a topic that it left."""
        if self._following is not None:
            yield from self._following.after_turn(turn)
        if self._observe is not None:
            from grice.running.events import TurnFinished

            self._observe(TurnFinished(self._id, self.repeat, self.turns[turn.number - 1]))

    def _at_end(self) -> Steps[None]:
        """What follows the last turn. Raises ExpectationFailed, once."""
        if self._termination is None:
            self._end(self._final_termination())
        if self._following is not None:
            yield from self._following.at_end()

    def _final_termination(self) -> Termination:
        """Why it ends when nobody ends it: as the user that was played up to the last turn."""
        if self._simulations:
            last = self._simulations[-1]
            if last.first + last.turns > len(self.turns):
                return last.termination
        return "completed"

    def _end(self, termination: Termination) -> None:
        self._termination = termination
        self._record = None

    # -- one turn, without waiting

    def _begin(
        self, text: str, metadata: Mapping[str, JsonValue] | None, attachments: Iterable[object]
    ) -> OpenTurn:
        """The next turn, with what the user says."""
        if not isinstance(text, str):
            raise TypeError(f"say() takes the user's text, found {type(text).__name__}")
        sent = attachments_of(attachments) if attachments else ()
        told = clean_json(metadata) if metadata else {}
        if self._open is not None:
            self._sent += self._open.close()
            self._closed.append(self._open)
        number = len(self._history) + len(self._closed) + 1
        unseen = self._metadata.get("agent", {}).get("unseen")
        self._open = OpenTurn(number, clean_text(text), told, sent, unseen)
        while self._early:
            self._open.add_exchange(self._early.pop(0))
        return self._open

    def _resumed(self, answers: Sequence[ToolAnswer | None]) -> OpenTurn:
        """The last turn, with answers to the calls that it left to its client."""
        turn = self._open
        if turn is None or not turn.asked:
            raise ToolsError("the last turn left no tool call to its client, so there is nothing to answer")
        if len(answers) != len(turn.asked):
            named = ", ".join(f"{call.name} ({call.id})" for call in turn.asked)
            raise ToolsError(f"found {len(answers)} answers for {len(turn.asked)} calls: {named}")
        turn.answer(answers)
        return turn

    def _rounds(self, turn: OpenTurn, *, answers: bool) -> Iterator[Sequence[ToolCall]]:
        """What to do next: ask the agent, for (), or else answer these calls."""
        for _ in range(MAX_ROUNDS):
            yield ()
            turn.settle()
            self._raise_hidden()
            pending = turn.pending
            if not pending or not answers:
                return
            yield pending
        raise ToolsError(f"the agent still calls tools after {MAX_ROUNDS} rounds")

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

    def _consult(self, turn: OpenTurn) -> Any:
        """Ask the agent and take its response; what has to be waited for is the result, else None."""
        messages = chat_messages(self._sent)
        messages += chat_messages(turn.sent)
        returned = plain_reply(self._agent.call(messages, self._signal_of(turn)))
        if is_later(returned):
            return returned
        take_all(returned, turn.take)
        return None

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

    def _raise_hidden(self) -> None:
        """Raise what the agent was told of by an exception, in case that it hid it."""
        if self._problems:
            problem = self._problems[0]
            self._problems.clear()
            raise problem

    def _checked_limit(self, timeout: float | None) -> float:
        """The seconds of a turn that may begin now. Raises before anything is recorded of it."""
        if self.running:
            raise RuntimeError("the conversation is in the middle of a turn: wait for the agent's reply")
        return self.turn_timeout if timeout is None else seconds("timeout", timeout)


class TurnScope:
    """The time in which an agent answers in a turn: it keeps the record right, however it ends.

    The agent's requests to models are recorded, its time counts, and its failure is kept and told.
    """

    __slots__ = ("_end", "_limit", "_live", "_rest", "_started", "_token", "_turn")

    def __init__(self, live: OpenConversation, turn: OpenTurn, limit: float) -> None:
        self._live = live
        self._turn = turn
        self._limit = limit
        self._rest = live.timeout - live._spent

    @property
    def left(self) -> float:
        """The seconds that the agent still has."""
        return self._end - time.monotonic()

    def __enter__(self) -> TurnScope:
        live = self._live
        self._started = live._clock()
        self._turn.reopen()
        for model in live._models:
            model.join(live)
        live.running, live._record, live._termination = True, None, None
        self._token: Token[ExchangeSink | None] = SINK.set(live)
        self._end = time.monotonic() + min(self._limit, self._rest)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        __tracebackhide__ = True
        live, turn = self._live, self._turn
        try:
            if error is not None and live._stops(error):
                turn.stop()
                live._termination = "interrupted"
            elif error is not None:
                of_turn = self._limit <= self._rest
                about = f"{self._limit:g} s" if of_turn else f"the {live.timeout:g} s of the conversation"
                live._fail(turn, error, about)
        finally:
            with suppress(ValueError):  # a coroutine whose loop is gone is closed in another context
                SINK.reset(self._token)
            elapsed = live._clock() - self._started
            turn.duration += elapsed
            live._spent += elapsed
            live.running, live._record = False, None


def _alone() -> Support:
    """For a conversation outside of any test."""
    from grice.running.support import Support

    return Support()
