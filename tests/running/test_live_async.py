"""Asynchronous agents: run on one background loop, whatever they do to it."""

import asyncio
import inspect
import os
import sys
import threading
import time

import pytest

from grice.agents import AgentFailed, bind_agent
from grice.loops.background_loop import LoopIsRunning, _started_portal, await_result, close_portal
from grice.loops.deadline import DeadlineExceeded
from grice.running.live import LiveConversation
from grice.wire import ScriptedModel
from grice.wire.http import shared_session


def talk_to(agent, **options):
    return LiveConversation(bind_agent(agent), **options)


class WithQueue:
    """An agent whose resource belongs to the loop of the first turn."""

    def __init__(self):
        self.queue = None
        self.loops = set()
        self.threads = set()

    async def chat(self, messages, on_tool_call):
        self.loops.add(asyncio.get_running_loop())
        self.threads.add(threading.current_thread())
        if self.queue is None:
            self.queue = asyncio.Queue()
            asyncio.get_running_loop().call_later(0.01, self.queue.put_nowait, "first")
        else:
            self.queue.put_nowait("later")
        on_tool_call("wait", result=1)
        return await self.queue.get()


def test_turns_share_one_loop_and_its_resources():
    agent = WithQueue()
    live = talk_to(agent)
    assert [live.say("a").text, live.say("b").text] == ["first", "later"]
    assert len(agent.loops) == 1
    assert agent.threads.isdisjoint({threading.main_thread()})
    assert [call.name for call in live.tool_calls] == ["wait", "wait"]


def test_a_model_records_for_the_conversation_whose_asynchronous_agent_runs():
    model = ScriptedModel("hello")

    async def agent(messages):
        reply = await model.async_client.messages.create(messages=messages)
        return reply.content[0].text

    live = talk_to(agent)
    assert live.say("a").text == "hello"
    assert len(live.exchanges) == 1


def test_a_plain_function_may_return_an_awaitable():
    live = talk_to(lambda messages: asyncio.sleep(0.01, "done"))
    assert live.say("a").text == "done"


def test_many_threads_can_drive_conversations_on_the_one_loop():
    async def agent(text):
        await asyncio.sleep(0.05)
        return text

    said = []
    threads = [
        threading.Thread(target=lambda n=n: said.append(talk_to(agent).say(str(n)).text)) for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(said) == [str(n) for n in range(8)]


async def raises(messages):
    raise ValueError("no model")


async def cancels_itself(messages):
    asyncio.current_task().cancel()
    await asyncio.sleep(1)


async def exits(messages):
    sys.exit(2)


async def returns_nothing(messages):
    await asyncio.sleep(0)


async def streams_nothing(messages):
    for text in ():
        yield text


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (raises, "the agent raised ValueError: no model"),
        (cancels_itself, "the agent raised RuntimeError: the agent's task was cancelled"),
        (exits, "the agent raised SystemExit: 2"),
        (returns_nothing, "the agent returned None"),
        (streams_nothing, "the agent's generator yielded nothing"),
    ],
)
def test_an_asynchronous_agent_that_fails_leaves_the_loop_intact(agent, message):
    loops = WithQueue()
    talk_to(loops).say("before")
    with pytest.raises(AgentFailed) as caught:
        talk_to(agent).say("a")
    assert caught.value.failure.message.startswith(message)
    talk_to(loops).say("after")
    assert len(loops.loops) == 1


@pytest.mark.slow
def test_a_time_out_cancels_the_agent_and_lets_it_clean_up():
    events = []

    async def agent(messages):
        try:
            await asyncio.sleep(30)
        finally:
            await asyncio.sleep(0.05)
            events.append("cleaned up")

    with pytest.raises(AgentFailed, match="did not answer within"):
        talk_to(agent, turn_timeout=0.1).say("a")
    assert events == ["cleaned up"]


async def blocks_the_loop(messages):
    while True:
        pass


async def sleeps_on_the_loop(messages):
    time.sleep(3)


async def ignores_cancellation(messages):
    while True:
        try:
            await asyncio.sleep(0.2)
        except asyncio.CancelledError:
            continue


@pytest.mark.slow
@pytest.mark.parametrize("agent", [blocks_the_loop, sleeps_on_the_loop, ignores_cancellation])
def test_an_agent_that_cannot_be_stopped_holds_up_nobody_else(agent, monkeypatch):
    monkeypatch.setattr("grice.loops.background_loop.GRACE", 0.1)
    with pytest.raises(AgentFailed, match="did not answer within"):
        talk_to(agent, turn_timeout=0.1).say("a")

    async def well_behaved(text):
        return text

    assert talk_to(well_behaved, turn_timeout=60).say("next").text == "next"


@pytest.mark.slow
def test_an_agent_that_never_began_because_the_loop_was_busy_is_closed(monkeypatch):
    monkeypatch.setattr("grice.loops.background_loop.GRACE", 0.05)
    over = threading.Event()
    _started_portal().loop.call_soon_threadsafe(over.wait, 60)

    async def never():
        return None

    coroutine = never()
    try:
        with pytest.raises(DeadlineExceeded):
            await_result(coroutine, 0.05)
        assert inspect.getcoroutinestate(coroutine) == inspect.CORO_CLOSED
    finally:
        over.set()


def test_the_loop_can_be_closed_and_starts_again():
    agent = WithQueue()
    talk_to(agent).say("a")
    close_portal()
    close_portal()
    again = WithQueue()
    assert talk_to(again).say("a").text == "first"
    assert again.loops.isdisjoint(agent.loops)


def test_closing_the_loop_cancels_what_runs_on_it():
    ended = threading.Event()

    async def background():
        try:
            await asyncio.sleep(30)
        finally:
            ended.set()

    async def agent(messages):
        agent.task = asyncio.create_task(background())
        await asyncio.sleep(0)
        return "hi"

    talk_to(agent).say("a")
    close_portal()
    assert ended.wait(60)


def test_the_synchronous_conversation_cannot_be_used_on_the_loop_itself():
    inner = talk_to(lambda text: "hi")

    async def agent(messages):
        with pytest.raises(LoopIsRunning):
            inner.say("a")
        return "refused"

    assert talk_to(agent).say("a").text == "refused"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_has_a_loop_of_its_own():
    async def agent(text):
        await asyncio.sleep(0.01)
        return text

    assert talk_to(agent).say("parent").text == "parent"
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if talk_to(agent, turn_timeout=60).say("child").text == "child" else 1)
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert talk_to(agent).say("parent").text == "parent"


@pytest.mark.slow
@pytest.mark.parametrize("agent", [blocks_the_loop, ignores_cancellation])
def test_a_loop_that_is_given_up_closes_its_connections(agent, monkeypatch):
    monkeypatch.setattr("grice.loops.background_loop.GRACE", 0.1)

    async def connects(text):
        sessions.append(await shared_session())
        return text

    sessions = []
    talk_to(connects).say("a")
    thread = _started_portal().thread
    with pytest.raises(AgentFailed, match="did not answer within"):
        talk_to(agent, turn_timeout=0.1).say("a")
    thread.join(60)
    assert sessions[0].closed
