"""Conversations that coroutines drive, on the caller's own loop."""

import asyncio
import contextvars
import threading
import time
from contextlib import asynccontextmanager, contextmanager

import pytest

from grice.agents import AgentFailed
from grice.running.async_live import AsyncConversation
from grice.running.live import LiveConversation
from grice.running.tool_answers import ToolsError
from grice.wire import ScriptedModel, UnusedReplies

SHOP = contextvars.ContextVar("shop", default="")


def asynchronous(test):
    """The coroutine as a test of its own, on a new loop."""

    def run():
        asyncio.run(test())

    run.__name__ = test.__name__
    return run


async def echo(text):
    await asyncio.sleep(0)
    return f"you said {text}"


async def hangs(messages):
    await asyncio.sleep(30)


@asynchronous
async def test_an_asynchronous_agent_runs_in_the_callers_own_task():
    seen = []

    async def agent(text):
        seen.append((asyncio.current_task(), SHOP.get(), threading.current_thread()))
        return text

    SHOP.set("Blue")
    async with AsyncConversation(agent) as conversation:
        reply = await conversation.say("hi")
    assert seen == [(asyncio.current_task(), "Blue", threading.current_thread())]
    assert reply.text == conversation.last.text == "hi"
    assert conversation.record.termination == "completed"


@asynchronous
async def test_the_record_is_that_of_a_synchronous_conversation():
    def agent(messages, on_tool_call):
        on_tool_call("look", {"q": len(messages)}, result=1)
        return {"text": "done", "data": {"n": 1}}

    clock = iter(range(100)).__next__
    live = AsyncConversation(agent, id="c", clock=clock)
    await live.say("a", metadata={"m": 1})
    await live.say("b")
    other = LiveConversation(agent, id="c", clock=iter(range(100)).__next__)
    await asyncio.to_thread(lambda: (other.say("a", metadata={"m": 1}), other.say("b")))
    assert live.record == other.record
    assert live.called_tool("look")
    assert (live.turns, live.messages) == (other.turns, other.messages)


@asynchronous
async def test_a_synchronous_agent_does_not_hold_up_the_loop_and_has_its_context():
    go, seen = threading.Event(), []

    def agent(text):
        seen.append((SHOP.get(), threading.current_thread() is threading.main_thread()))
        assert go.wait(10), "the other task did not run"
        return "done"

    SHOP.set("Blue")
    conversation = AsyncConversation(agent)

    async def frees():
        while not seen:
            await asyncio.sleep(0)
        go.set()

    reply, _ = await asyncio.gather(conversation.say("hi"), frees())
    assert reply.text == "done"
    assert seen == [("Blue", False)]


@asynchronous
async def test_a_plain_function_may_return_an_awaitable():
    conversation = AsyncConversation(lambda text: echo(text))
    assert (await conversation.say("hi")).text == "you said hi"


@asynchronous
async def test_requests_to_a_model_are_recorded_from_the_loop_and_from_the_thread():
    model = ScriptedModel("one", "two")

    async def asks(messages):
        return (await model.async_client.messages.create(messages=messages)).content[0].text

    def asks_in_thread(messages):
        return model.client.messages.create(messages=messages).content[0].text

    for agent, text in ((asks, "one"), (asks_in_thread, "two")):
        conversation = AsyncConversation(agent)
        assert (await conversation.say("hi")).text == text
        assert len(conversation.exchanges) == 1


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (lambda text: 1 / 0, "the agent raised ZeroDivisionError"),
        (lambda text: None, "the agent returned None"),
        (lambda text: 5, "the agent returned 5 (int)"),
    ],
)
@pytest.mark.parametrize("threaded", [True, False])
def test_a_failure_is_recorded_as_in_a_synchronous_conversation(agent, message, threaded):
    async def awaited(text):
        return agent(text)

    async def main():
        conversation = AsyncConversation(agent if threaded else awaited)
        with pytest.raises(AgentFailed) as caught:
            await conversation.say("hi")
        assert caught.value.failure.message.startswith(message)
        assert conversation.turns[0].failure == caught.value.failure
        assert conversation.record.termination == "agent_error"

    asyncio.run(main())


@asynchronous
async def test_a_cancellation_of_the_agents_own_is_its_failure():
    async def agent(messages):
        waiting = asyncio.ensure_future(asyncio.sleep(30))
        waiting.cancel()
        await waiting

    conversation = AsyncConversation(agent)
    with pytest.raises(AgentFailed, match="the agent's task was cancelled"):
        await conversation.say("hi")


@asynchronous
async def test_a_time_out_cancels_the_agent_tells_its_notes_and_lets_the_conversation_go_on():
    asked = []

    async def agent(text):
        asked.append(text)
        if text != "hang":
            return text
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError as error:
            error.add_note("the model was slow")
            raise

    conversation = AsyncConversation(agent, turn_timeout=0.05)
    with pytest.raises(AgentFailed, match=r"did not answer within 0.05 s; the model was slow"):
        await conversation.say("hang")
    assert conversation.record.termination == "timeout"
    assert (await conversation.say("on", timeout=5)).text == "on"
    assert asyncio.current_task().cancelling() == 0


@asynchronous
async def test_an_agent_that_swallows_its_cancellation_is_late_all_the_same():
    async def agent(text):
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            return "late"

    with pytest.raises(AgentFailed, match=r"did not answer within 0.05 s"):
        await AsyncConversation(agent, turn_timeout=0.05).say("hi")


@pytest.mark.slow
def test_an_agent_that_swallows_cancellations_is_cancelled_again(monkeypatch):
    monkeypatch.setattr("grice.loops.caller.REPEAT", 0.05)
    swallowed = []

    async def agent(text):
        while len(swallowed) < 3:
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                swallowed.append(1)

    async def main():
        with pytest.raises(AgentFailed, match=r"did not answer within 0.05 s"):
            await AsyncConversation(agent, turn_timeout=0.05).say("hi")
        assert asyncio.current_task().cancelling() == 0

    asyncio.run(main())


@asynchronous
async def test_a_synchronous_agent_that_is_late_is_interrupted_and_left_behind():
    interrupted = threading.Event()

    def agent(text):
        try:
            while True:
                time.sleep(0.01)
        finally:
            interrupted.set()

    conversation = AsyncConversation(agent, turn_timeout=0.05)
    with pytest.raises(AgentFailed, match=r"did not answer within 0.05 s"):
        await conversation.say("hi")
    assert await asyncio.to_thread(interrupted.wait, 10)


@pytest.mark.parametrize("threaded", [True, False])
def test_cancelling_the_test_cancels_the_agent_and_keeps_the_record(threaded):
    begun, ended = threading.Event(), threading.Event()

    async def awaited(text, on_tool_call):
        on_tool_call("look")
        begun.set()
        try:
            await asyncio.sleep(30)
        finally:
            ended.set()

    def plain(text, on_tool_call):
        on_tool_call("look")
        begun.set()
        try:
            while True:
                time.sleep(0.01)
        finally:
            ended.set()

    async def main():
        conversation = AsyncConversation(plain if threaded else awaited)
        talking = asyncio.create_task(conversation.say("hi"))
        while not begun.is_set():
            await asyncio.sleep(0.001)
        talking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await talking
        assert conversation.record.termination == "interrupted"
        assert [call.name for call in conversation.tool_calls] == ["look"]
        assert conversation.turns[0].failure is None
        assert not conversation.running
        assert await asyncio.to_thread(ended.wait, 10)

    asyncio.run(main())


@asynchronous
async def test_a_time_out_of_the_callers_own_is_not_the_agents():
    conversation = AsyncConversation(hangs)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await conversation.say("hi")
    assert conversation.record.termination == "interrupted"


@asynchronous
async def test_one_turn_at_a_time():
    conversation = AsyncConversation(hangs)
    talking = asyncio.create_task(conversation.say("hi"))
    await asyncio.sleep(0)
    with pytest.raises(RuntimeError, match="in the middle of a turn"):
        await conversation.say("again")
    talking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await talking


@asynchronous
async def test_tools_are_called_and_awaited_where_the_test_is():
    seen = []

    def book(room):
        seen.append(threading.current_thread())
        return {"booked": room}

    async def price(room):
        seen.append(asyncio.current_task())
        raise ValueError("no price")

    def agent(messages):
        if messages[-1]["role"] == "tool":
            return "; ".join(message["content"] for message in messages if message["role"] == "tool")
        return {"tool_calls": [{"name": "book", "args": {"room": 1}}, {"name": "price", "args": {"room": 1}}]}

    conversation = AsyncConversation(agent, tools={"book": book, "price": price})
    assert (await conversation.say("hi")).text == '{"booked":1}; ValueError: no price'
    assert seen == [threading.current_thread(), asyncio.current_task()]
    with pytest.raises(ToolsError, match=r"'price', which is not among the tools of this test \(book\)"):
        await conversation.say("hi", tools={"book": 1})


@pytest.mark.slow
def test_tools_that_hang_are_the_tests_fault(monkeypatch):
    monkeypatch.setattr("grice.running.limits.LEAST_FOR_TOOLS", 0.05)

    async def book():
        await asyncio.sleep(30)

    conversation = AsyncConversation(
        lambda messages: {"tool_calls": [{"name": "book"}]}, tools={"book": book}, turn_timeout=0.1
    )
    with pytest.raises(ToolsError, match=r"the tools of this test \(book\) did not answer"):
        asyncio.run(conversation.say("hi"))


@asynchronous
async def test_a_pending_call_is_answered_later():
    def agent(messages):
        return "booked" if messages[-1]["role"] == "tool" else {"tool_calls": [{"name": "book"}]}

    conversation = AsyncConversation(agent)
    with pytest.raises(ToolsError, match="nothing to answer"):
        await conversation.answer(1)
    await conversation.say("hi")
    assert (await conversation.answer({"ok": True})).text == "booked"


class WithAround:
    def __init__(self, kind):
        self.kind = kind
        self.events = []

    def around(self):
        return self.kind(self)

    async def chat(self, messages):
        self.events.append("chat")
        return "hi"


@contextmanager
def plainly(agent):
    agent.events.append(asyncio.current_task())
    yield
    agent.events.append("left")


@asynccontextmanager
async def asynchronously(agent):
    agent.events.append(asyncio.current_task())
    await asyncio.sleep(0)
    yield
    await asyncio.sleep(0)
    agent.events.append("left")


@pytest.mark.parametrize("kind", [plainly, asynchronously])
def test_around_is_entered_and_left_in_the_task_of_the_test(kind):
    async def main():
        agent = WithAround(kind)
        async with AsyncConversation(agent) as conversation:
            await conversation.say("hi")
        assert agent.events == [asyncio.current_task(), "chat", "left"]

    asyncio.run(main())


@asynchronous
async def test_a_plain_with_does_for_a_plain_around():
    agent = WithAround(plainly)
    with AsyncConversation(agent) as conversation:
        await conversation.say("hi")
    assert agent.events[1:] == ["chat", "left"]


@asynchronous
async def test_an_asynchronous_around_wants_async_with_inside_of_a_plain_one():
    agent = WithAround(asynchronously)
    with AsyncConversation(agent) as conversation:
        with pytest.raises(RuntimeError, match=r"around\(\) of WithAround is asynchronous.*async with"):
            await conversation.say("hi")
        async with conversation:
            await conversation.say("hi")
        assert agent.events[1:] == ["chat", "left"]
        assert conversation.record.termination is None
    assert conversation.record.termination == "completed"
    assert len(conversation.turns) == 1


@pytest.mark.parametrize("where", ["enter", "exit"])
def test_an_around_that_fails_is_the_agents_failure(where):
    @asynccontextmanager
    async def fails(_):
        if where == "enter":
            raise OSError("no shop")
        yield
        raise OSError("no shop")

    async def main():
        conversation = AsyncConversation(WithAround(fails))
        with pytest.raises(AgentFailed, match=r"around\(\) of WithAround: .*no shop"):
            async with conversation:
                await conversation.say("hi")
        assert conversation.record.termination == "agent_error"

    asyncio.run(main())


@asynchronous
async def test_an_exception_of_the_test_goes_through_around():
    agent = WithAround(asynchronously)
    with pytest.raises(ValueError, match="of the test"):
        async with AsyncConversation(agent):
            raise ValueError("of the test")


@asynchronous
async def test_a_script_that_is_not_used_up_is_told_at_the_end():
    model = ScriptedModel("one")
    with pytest.raises(UnusedReplies, match="never asked for"):
        async with AsyncConversation(echo, model=model) as conversation:
            await conversation.say("hi")


@asynchronous
async def test_conversations_side_by_side_do_not_mix():
    async def agent(messages):
        await asyncio.sleep(0)
        return messages[-1]["content"]

    async def talk(n):
        async with AsyncConversation(agent, id=str(n)) as conversation:
            return [(await conversation.say(f"{n}.{turn}")).text for turn in range(3)]

    said = await asyncio.gather(*map(talk, range(10)))
    assert said == [[f"{n}.{turn}" for turn in range(3)] for n in range(10)]


@asynchronous
async def test_a_generator_that_a_coroutine_returned_has_its_time_out_too():
    def slowly():
        for _ in range(300):
            time.sleep(0.1)
        yield "late"

    async def agent(text):
        return slowly()

    with pytest.raises(AgentFailed, match=r"did not answer within 0\.05 s"):
        await AsyncConversation(agent, turn_timeout=0.05).say("hi")


def test_a_turn_whose_loop_is_gone_ends_without_a_word():
    said = AsyncConversation(hangs)
    loop = asyncio.new_event_loop()
    task = contextvars.Context().run(loop.create_task, coroutine := said.say("hi"))
    loop.run_until_complete(asyncio.sleep(0.01))
    coroutine.close()  # in a context of its own, as the garbage collector does
    task.cancel()
    with pytest.raises((asyncio.CancelledError, RuntimeError)):
        loop.run_until_complete(task)
    loop.close()
    assert said.record.termination == "interrupted"
    assert not said.running


@pytest.mark.parametrize("where", ["enter", "exit"])
def test_a_failing_around_leaves_the_model(where):
    class Agent:
        @contextmanager
        def around(self):
            if where == "enter":
                raise ValueError(where)
            yield
            raise ValueError(where)

        def chat(self, messages):
            return "hi"

    model = ScriptedModel()
    with pytest.raises(AgentFailed, match=where), LiveConversation(Agent(), model=model):
        pass
    assert model.sink is None
