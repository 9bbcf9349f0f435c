"""A live conversation: say something, get a reply, keep the record."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Iterable, Mapping, Sequence
from typing import Any, Self

from grice.agents import plain_reply, take_all, take_later
from grice.loops.background_loop import LoopIsRunning, await_result, loop_is_running
from grice.loops.deadline import call_within
from grice.records import JsonValue, Reply, Simulation
from grice.running.agent_context import plain_manager
from grice.running.conversation import OpenConversation, TurnScope
from grice.running.limits import answered_within
from grice.running.steps import make
from grice.running.tool_answers import Answer, ToolAnswer, Tools, answer_with, as_answer
from grice.running.turn import OpenTurn


class LiveConversation(OpenConversation):
    """A conversation that goes on. `record` is the frozen Conversation as it stands.

    `agent` is anything that an `agent` fixture may return. `tools` answers the tool calls that it leaves to
    its client; `history` is what was said before. `turn_timeout` and `timeout` are seconds for one turn and
    for all turns together. `recorder` takes the verdicts; without one the running test does. Use it as a
    context manager: the agent's `around()` is entered and left with it, and a script that was not used up
    raises UnusedReplies at the end. What the agent and the tools say goes through `cassette` as far as that
    is for them. It is driven from one thread; its agent may use several.
    """

    def say(
        self,
        text: str,
        *,
        attachments: Iterable[object] = (),
        tools: Tools | None = None,
        metadata: Mapping[str, JsonValue] | None = None,
        timeout: float | None = None,
    ) -> Reply:
        """Say something to the agent and return its reply.

        `attachments` is a list of paths, addresses and Attachments. `tools` answers client-side tool calls of
        this turn (default: the conversation's), `timeout` is the turn's in seconds. Raises AgentFailed when
        the agent raises, hangs or returns no response, ToolsError for a call that `tools` does not know,
        UnscriptedRequest for a model request without a scripted reply, LoopIsRunning inside an event loop;
        the record keeps the turn with its failure.
        """
        __tracebackhide__ = True
        return self.say_with(text, self._answer(tools), metadata, timeout, attachments)

    def say_with(
        self,
        text: str,
        answer: Answer | None,
        metadata: Mapping[str, JsonValue] | None = None,
        timeout: float | None = None,
        attachments: Iterable[object] = (),
    ) -> Reply:
        """`say` with a function that answers each round of pending tool calls; None leaves them pending."""
        __tracebackhide__ = True
        limit = self._limit_unless_busy(timeout)
        return self._run(self._begin(text, metadata, attachments), answer, limit)

    def answer(
        self, results: JsonValue | ToolAnswer, *, tools: Tools | None = None, timeout: float | None = None
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
        limit = self._limit_unless_busy(timeout)
        return self._run(self._resumed(answers), answer, limit)

    def simulate(self, *users: object, **settings: Any) -> Simulation:
        """Have a user played until they are done, and return the record of it.

        `users` are SimulatedUsers and a Scenario, which add to what is declared around the test and to its
        scenario; or a UserScript, a prober or a function of the conversation, which plays as it is. Settings
        of a simulated user are given by name too (`goal`, `role`, `personality`, `context`, `rules`,
        `persona`, `max_turns`, `stop_when`, `template`, `during_topic`, `max_length`) and go before all.
        Raises UserConfigError for what is no user, SimulatorError when the user's player failed, BudgetSpent,
        ExpectationFailed when something was expected in a topic that it left, and what `say` raises.
        """
        __tracebackhide__ = True
        from grice.running.simulating import simulated_part

        return make(simulated_part(self, users, settings), self.say)

    def finish(self) -> None:  # noqa: D102 - as of every conversation
        __tracebackhide__ = True
        if self._ends_with_steps:
            make(self._at_end(), self.say)
        super().finish()

    def __enter__(self) -> Self:
        try:
            self._around = plain_manager(self._agent.around())
            self._around.__enter__()
        except BaseException as error:
            self._around_failed(error)
        return self

    def _run(self, turn: OpenTurn, answer: Answer | None, limit: float) -> Reply:
        __tracebackhide__ = True
        with TurnScope(self, turn, limit) as playing:
            for calls in self._rounds(turn, answers=answer is not None):
                if calls and answer is not None:
                    turn.answer(answered_within(playing.left, answer, calls))
                else:
                    self._ask(turn, playing)
        if self._has_steps:
            make(self._after(turn), self.say)
        return Reply(self, turn.number)

    def _ask(self, turn: OpenTurn, playing: TurnScope) -> None:
        later = call_within(playing.left, self._consult, turn)
        if later is None:
            return
        if isinstance(later, Awaitable):
            later = plain_reply(await_result(later, playing.left))
        if isinstance(later, AsyncIterator):
            await_result(take_later(later, turn.take), playing.left)
        else:
            call_within(playing.left, take_all, later, turn.take)

    def _answer(self, tools: Tools | None) -> Answer | None:
        given = tools if tools is not None else self._tools
        if given is None or self._cassette is None:
            return answer_with(given) if given is not None else None
        from grice.running.tool_answers import recorded_tools

        return recorded_tools(answer_with(given), self._cassette)

    def _limit_unless_busy(self, timeout: float | None) -> float:
        if loop_is_running():
            raise LoopIsRunning(
                "the synchronous conversation was used inside a running event loop: take the fixture "
                "async_conversation (`reply = await async_conversation.say(...)`) and `expect` of grice.aio, "
                "or make the test a plain function (an async agent is run for you)"
            )
        return self._checked_limit(timeout)
