"""Conversations that coroutines of trio drive."""

import contextvars
from contextlib import asynccontextmanager

import pytest

from grice.agents import AgentFailed
from grice.agents.http_agent import HttpAgent
from grice.loops.background_loop import LoopIsRunning
from grice.running.async_live import AsyncConversation
from grice.running.live import LiveConversation

trio = pytest.importorskip("trio")
SHOP = contextvars.ContextVar("shop", default="")


def under_trio(test):
    """The coroutine as a test of its own."""

    def run():
        trio.run(test)

    run.__name__ = test.__name__
    return run


async def hangs(messages):
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.sleep, 30)
        await trio.sleep(30)


@under_trio
async def test_an_asynchronous_agent_runs_in_the_callers_own_task():
    async def agent(text):
        await trio.sleep(0)
        return [SHOP.get(), trio.lowlevel.current_task() is task and "same task"]

    task = trio.lowlevel.current_task()
    SHOP.set("Blue")
    reply = await AsyncConversation(agent).say("hi")
    assert reply.turn.full_text == "Blue\nsame task"


@under_trio
async def test_a_synchronous_agent_runs_in_a_thread():
    assert (await AsyncConversation(lambda text: f"{SHOP.get()}{text}").say("hi")).text == "hi"


@pytest.mark.slow
@under_trio
async def test_a_time_out_is_the_agents_and_a_cancellation_the_tests():
    conversation = AsyncConversation(hangs)
    with pytest.raises(AgentFailed, match=r"did not answer within 0.05 s"):
        await conversation.say("hi", timeout=0.05)
    with trio.move_on_after(0.05) as scope:
        await conversation.say("hi")
    assert scope.cancelled_caught
    assert conversation.record.termination == "interrupted"


@under_trio
async def test_around_may_hold_a_nursery():
    class Agent:
        @asynccontextmanager
        async def around(self):
            async with trio.open_nursery() as self.nursery:
                yield
                self.nursery.cancel_scope.cancel()

        async def chat(self, messages):
            self.nursery.start_soon(trio.sleep, 30)
            yield "one"
            await trio.sleep(0)
            yield "two"

    async with AsyncConversation(Agent()) as conversation:
        assert (await conversation.say("hi")).text == "two"


@under_trio
async def test_agents_that_need_asyncio_run_on_the_background_loop():
    conversation = AsyncConversation(HttpAgent("http://127.0.0.1:9/"))
    with pytest.raises(AgentFailed, match="Connection refused"):
        await conversation.say("hi")


@under_trio
async def test_the_synchronous_conversation_is_refused():
    with pytest.raises(LoopIsRunning, match="async_conversation"):
        LiveConversation(lambda text: text).say("hi")


async def breaks_when_cancelled(messages):
    async def child():
        try:
            await trio.sleep(30)
        finally:
            raise ValueError("while it was cancelled")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(child)
        await trio.sleep(30)


@under_trio
async def test_what_is_raised_while_a_time_out_cancels_is_no_failure_of_its_own():
    conversation = AsyncConversation(breaks_when_cancelled, turn_timeout=0.05)
    with pytest.raises(AgentFailed, match=r"did not answer within 0\.05 s"):
        await conversation.say("hi")
    assert conversation.record.termination == "timeout"


@under_trio
async def test_what_is_raised_while_the_test_cancels_is_not_the_agents():
    conversation = AsyncConversation(breaks_when_cancelled)
    with pytest.raises(ExceptionGroup) as caught, trio.move_on_after(0.05):
        await conversation.say("hi")
    assert [str(error) for error in caught.value.exceptions] == ["while it was cancelled"]
    assert conversation.record.termination == "interrupted"
    assert conversation.turns[0].failure is None
