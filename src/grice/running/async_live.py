"""A live conversation that is driven from a coroutine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, Self

from grice.agents import plain_reply, take_all, take_later
from grice.loops.background_loop import in_trio
from grice.loops.caller import await_on_asyncio, await_within, call_in_thread, is_cancellation
from grice.loops.deadline import DeadlineExceeded
from grice.records import JsonValue, Reply, Simulation
from grice.running.agent_context import LONGEST, checked_manager, is_plain
from grice.running.conversation import OpenConversation, TurnScope
from grice.running.failures import stops_the_run
from grice.running.limits import answered_later
from grice.running.steps import cannot_say, make, make_later
from grice.running.tool_answers import ToolAnswer, Tools, as_answer
from grice.running.turn import OpenTurn


class AsyncConversation(OpenConversation):
    """A LiveConversation for coroutines: `await conversation.say(...)`, under asyncio or trio.

    It takes and has what a LiveConversation takes and has. An asynchronous agent runs in the caller's own
    task, so it shares its event loop and its context variables, and is cancelled with it; a synchronous one
    runs in a thread, and does not hold up the loop. Use it with `async with`, which enters and leaves the
    agent's `around()`, asynchronous or not; a plain `with` does for an agent without an asynchronous one.
    """

    _async_around: AbstractAsyncContextManager[Any] | None = None
    asks_here = False
    """Whether LLMs are asked on the caller's event loop, instead of Grice's own."""

    _entered = False  # by a plain `with`
    _async_entered = False

    async def say(
        self,
        text: str,
        *,
        attachments: Iterable[object] = (),
        tools: Tools | None = None,
        metadata: Mapping[str, JsonValue] | None = None,
        timeout: float | None = None,
    ) -> Reply:
        """Say something to the agent and return its reply, as `LiveConversation.say` does.

        Asynchronous functions in `tools` are awaited here, plain ones called. When the task is cancelled, so
        is the agent; the record keeps the turn as far as it came, and says "interrupted".
        """
        __tracebackhide__ = True
        limit = self._limit_when_ready(timeout)
        return await self._run(self._begin(text, metadata, attachments), tools, limit)

    async def answer(
        self, results: JsonValue | ToolAnswer, *, tools: Tools | None = None, timeout: float | None = None
    ) -> Reply:
        """Answer the last turn's tool call and return the reply, as `LiveConversation.answer` does."""
        __tracebackhide__ = True
        limit = self._limit_when_ready(timeout)
        return await self._run(self._resumed([as_answer(results)]), tools, limit)

    async def simulate(self, *users: object, **settings: Any) -> Simulation:
        """Have a user played until they are done, as `LiveConversation.simulate` does."""
        __tracebackhide__ = True
        from grice.running.simulating import simulated_part

        return await make_later(simulated_part(self, users, settings), self.say, here=self.asks_here)

    # -- the life cycle

    def finish(self) -> None:  # noqa: D102 - as of every conversation
        __tracebackhide__ = True
        if self._ends_with_steps:  # after the test: its event loop runs no more
            make(self._at_end(), cannot_say)
        super().finish()

    async def finish_later(self) -> None:
        """`finish` inside the event loop, where the last topic may have to be judged."""
        __tracebackhide__ = True
        if self._ends_with_steps:
            await make_later(self._at_end(), self.say, here=self.asks_here)
        self.finish()

    def __enter__(self) -> Self:
        self._entered = True
        try:
            self._open_around()
        except BaseException as error:
            self._around_failed(error)
        return self

    async def __aenter__(self) -> Self:
        try:
            if not self._entered:
                self._open_around()
            if self._async_around is not None:
                await _within_limit(self._async_around.__aenter__())
        except BaseException as error:
            self._around_failed(error)
        self._async_entered = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._note_end(error)
        self._async_entered = False
        if self._async_around is not None:
            try:
                await _within_limit(self._async_around.__aexit__(kind, error, trace))
            except BaseException as raised:
                if raised is not error:
                    self._around_failed(raised)
        if not self._entered:
            try:
                if self._termination is None:
                    await self.finish_later()
            finally:
                self.__exit__(kind, error, trace)

    def _open_around(self) -> None:
        manager = checked_manager(self._agent.around())
        if is_plain(manager):
            self._around = manager
            manager.__enter__()
        else:
            self._async_around = manager

    def _stops(self, error: BaseException) -> bool:
        return stops_the_run(error) or is_cancellation(error)

    # -- one turn

    async def _run(self, turn: OpenTurn, tools: Tools | None, limit: float) -> Reply:
        __tracebackhide__ = True
        given = tools if tools is not None else self._tools
        with TurnScope(self, turn, limit) as playing:
            for calls in self._rounds(turn, answers=given is not None):
                if calls and given is not None:
                    turn.answer(await answered_later(playing.left, given, calls, self._cassette))
                else:
                    await self._ask(turn, playing)
        if self._has_steps:
            await make_later(self._after(turn), self.say, here=self.asks_here)
        return Reply(self, turn.number)

    async def _ask(self, turn: OpenTurn, playing: TurnScope) -> None:
        if self._agent.is_async:
            later = self._consult(turn)
        else:
            later = await await_within(playing.left, call_in_thread(self._consult, turn))
        if later is None:
            return
        if isinstance(later, Awaitable):
            waiting = await_on_asyncio(later) if self._agent.needs_asyncio else later
            later = plain_reply(await await_within(playing.left, waiting))
        if isinstance(later, AsyncIterator):
            await await_within(playing.left, take_later(later, turn.take))
        elif isinstance(later, Iterator):  # it runs the agent's own code, which may take its time
            await await_within(playing.left, call_in_thread(take_all, later, turn.take))
        else:
            take_all(later, turn.take)

    def _limit_when_ready(self, timeout: float | None) -> float:
        if self._async_around is not None and not self._async_entered:
            raise RuntimeError(
                f"around() of {self._agent.name} is asynchronous: talk to it inside of "
                "`async with conversation:`, which enters and leaves it on the test's own loop"
            )
        return self._checked_limit(timeout)


async def _within_limit(end: Awaitable[Any]) -> None:
    """One end of an asynchronous `around()`."""
    if in_trio():
        await end  # a time-out would be a cancel scope, which a nursery that stays open must not cross
        return
    try:
        await await_within(LONGEST, end)
    except DeadlineExceeded:
        raise TimeoutError(f"it took more than {LONGEST:g} s") from None
