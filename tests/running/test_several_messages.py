"""Agents that say several things in a turn, at once or as they come."""

import asyncio
import time

import pytest

from grice.agents import AgentFailed
from grice.loops.background_loop import close_portal
from grice.records import AgentResponse, Message, ToolCall
from grice.running.async_live import AsyncConversation
from grice.running.live import LiveConversation


def asynchronous(test):
    """The coroutine as a test of its own, on a new loop."""

    def run():
        asyncio.run(test())

    run.__name__ = test.__name__
    return run


def said(conversation):
    """Every message of the last turn but the user's, in short."""
    return [
        (message.role, message.content, *(call.name for call in message.tool_calls))
        for message in conversation.turns[-1].messages[1:]
    ]


def stream(agent):
    """The same agent as an asynchronous generator."""

    async def streamed(messages, on_tool_call):
        for one in agent(messages, on_tool_call):
            yield one
            await asyncio.sleep(0)

    return streamed


def both(agent):
    return pytest.mark.parametrize("agent", [agent, stream(agent)], ids=["generator", "async_generator"])


@pytest.mark.parametrize(
    "returned",
    [
        ["Hello.", {"text": "How are you?"}],
        ("Hello.", AgentResponse("How are you?")),
        [Message("assistant", "Hello."), {"role": "assistant", "content": "How are you?"}],
        iter(["Hello.", b"How are you?"]),
    ],
)
def test_each_is_a_message_of_its_own_in_the_record_and_for_the_agent(returned):
    sent = []

    def agent(messages):
        sent.append(messages)
        return returned if len(sent) == 1 else "Good."

    live = LiveConversation(agent)
    reply = live.say("hi")
    assert said(live) == [("assistant", "Hello."), ("assistant", "How are you?")]
    assert reply.text == "How are you?"
    assert reply.turn.full_text == "Hello.\nHow are you?"
    live.say("fine")
    assert [message["content"] for message in sent[1]] == ["hi", "Hello.", "How are you?", "fine"]


def looks(messages, on_tool_call):
    on_tool_call("look", {"q": 1})
    yield "Looking."
    on_tool_call("look", {"q": 1}, result=3)
    yield "Found 3."
    yield ToolCall("book", {"room": 1}, result="ok")
    yield {"name": "pay", "arguments": {}, "error": "no card"}
    yield "Not paid."


@both(looks)
def test_signals_and_calls_stay_in_order_among_the_messages(agent):
    live = LiveConversation(agent)
    assert live.say("hi").text == "Not paid."
    assert said(live) == [
        ("assistant", "", "look"),
        ("assistant", "Looking."),
        ("tool", "3"),
        ("assistant", "Found 3."),
        ("assistant", "", "book"),
        ("tool", "ok"),
        ("assistant", "", "pay"),
        ("tool", "no card"),
        ("assistant", "Not paid."),
    ]
    assert [(call.name, call.source) for call in live.tool_calls] == [
        ("look", "signal"),
        ("book", "reply"),
        ("pay", "reply"),
    ]
    assert live.tool_calls[0].result == 3


@both(looks)
def test_the_next_turn_is_sent_each_result_right_behind_its_call(agent):
    sent = []

    def remembers(messages, on_tool_call):
        sent.append(messages)
        return agent(messages, on_tool_call) if len(sent) == 1 else "Good."

    live = LiveConversation(remembers)
    live.say("hi")
    live.say("fine")
    for at, message in enumerate(sent[1]):
        for call in message.get("tool_calls", ()):
            assert sent[1][at + 1]["tool_call_id"] == call["id"]
    assert [message["role"] for message in sent[1]].count("tool") == 3


def test_a_call_that_is_signalled_and_reported_later_is_one_call():
    def agent(messages, on_tool_call):
        on_tool_call("look", {"q": 1})
        yield "Looking."
        yield {"text": "Found.", "tool_calls": [{"name": "look", "arguments": {"q": 1}, "result": 3}]}

    live = LiveConversation(agent)
    live.say("hi")
    assert [(call.name, call.result) for call in live.tool_calls] == [("look", 3)]


def test_what_a_generator_returns_is_its_last_message():
    def agent(messages):
        yield "one"
        return "two"

    assert LiveConversation(agent).say("hi").turn.full_text == "one\ntwo"


def test_calls_among_messages_are_left_to_the_client_together():
    def agent(messages):
        if messages[-1]["role"] == "tool":
            assert [len(message.get("tool_calls", ())) for message in messages] == [0, 0, 2, 0, 0]
            return "Done."
        return ["Let me see.", ToolCall("look"), ToolCall("book")]

    live = LiveConversation(agent, tools={"look": 1, "book": 2})
    assert live.say("hi").text == "Done."
    assert [call.result for call in live.tool_calls] == [1, 2]


def test_data_comes_from_any_of_them_and_an_empty_one_is_no_message():
    live = LiveConversation(lambda messages: [{"data": {"n": 1}}, "", "hi"])
    reply = live.say("hi")
    assert (reply.data, reply.text) == ({"n": 1}, "hi")
    assert said(live) == [("assistant", "hi")]
    silent = LiveConversation(lambda messages: ["", ""])
    silent.say("hi")
    assert said(silent) == [("assistant", "")]


def nothing(messages, on_tool_call):
    yield from ()


@pytest.mark.parametrize(
    ("returned", "kind", "message"),
    [
        ([], "returned_nothing", "the agent returned an empty list, expected at least one message"),
        ((), "returned_nothing", "the agent returned an empty tuple"),
        (nothing(0, 0), "returned_nothing", "the agent's generator yielded nothing"),
        (stream(nothing)(0, 0), "returned_nothing", "the agent's generator yielded nothing"),
        (["a", None], "returned_nothing", "message 2 of the agent is None, expected a text"),
        (["a", 5], "bad_return", "message 2 of the agent: the agent returned 5 (int)"),
        (["a", ["b"]], "bad_return", "message 2 of the agent: the agent returned ['b'] (list)"),
        (
            [{"name": "book", "arg": 1}],
            "bad_return",
            "message 1 of the agent: a tool call has the unknown field",
        ),
        (
            ["a", {"role": "user", "content": "b"}],
            "bad_return",
            "message 2 of the agent: the agent returned a message",
        ),
    ],
)
def test_what_is_no_message_is_named_by_its_number(returned, kind, message):
    live = LiveConversation(lambda messages: returned)
    with pytest.raises(AgentFailed) as caught:
        live.say("hi")
    assert caught.value.failure.kind == kind
    assert caught.value.failure.message.startswith(message)


def raises_after_one(messages, on_tool_call):
    on_tool_call("look", result=1)
    yield "one"
    raise ValueError("no two")


@both(raises_after_one)
def test_what_was_said_before_an_exception_is_kept(agent):
    live = LiveConversation(agent)
    with pytest.raises(AgentFailed, match="the agent raised ValueError: no two"):
        live.say("hi")
    assert said(live) == [("assistant", "", "look"), ("tool", "1"), ("assistant", "one")]
    assert live.turns[0].failure.error == "ValueError"


@pytest.mark.slow
def test_a_time_out_closes_a_generator_and_keeps_what_it_said():
    closed = []

    def agent(messages):
        try:
            yield "one"
            time.sleep(30)
        finally:
            closed.append(True)

    live = LiveConversation(agent, turn_timeout=0.1)
    with pytest.raises(AgentFailed, match=r"did not answer within 0.1 s"):
        live.say("hi")
    assert (said(live), closed) == ([("assistant", "one")], [True])


async def hangs_after_one(messages):
    try:
        yield "one"
        await asyncio.sleep(30)
    finally:
        CLOSED.append(True)


CLOSED = []


@pytest.mark.slow
def test_a_time_out_closes_an_asynchronous_generator():
    CLOSED.clear()
    live = LiveConversation(hangs_after_one, turn_timeout=0.1)
    with pytest.raises(AgentFailed, match=r"did not answer within 0.1 s"):
        live.say("hi")
    assert (said(live), CLOSED) == ([("assistant", "one")], [True])


@pytest.mark.slow
@asynchronous
async def test_a_time_out_closes_it_on_the_callers_loop_too():
    CLOSED.clear()
    live = AsyncConversation(hangs_after_one, turn_timeout=0.1)
    with pytest.raises(AgentFailed, match=r"did not answer within 0.1 s"):
        await live.say("hi")
    assert (said(live), CLOSED) == ([("assistant", "one")], [True])


@asynchronous
async def test_a_bad_message_closes_the_generator():
    closed = []

    async def agent(messages):
        try:
            yield 5
            yield "not reached"
        finally:
            closed.append(True)

    with pytest.raises(AgentFailed, match="message 1 of the agent"):
        await AsyncConversation(agent).say("hi")
    assert closed == [True]


@pytest.mark.parametrize("agent", [looks, stream(looks)])
def test_an_asynchronous_conversation_records_the_same(agent):
    other = LiveConversation(looks, clock=lambda: 0.0)
    other.say("hi")

    async def main():
        live = AsyncConversation(agent, clock=lambda: 0.0)
        await live.say("hi")
        assert live.record == other.record

    asyncio.run(main())


@pytest.mark.slow
def test_a_generator_that_outlives_its_turn_says_nothing_into_the_next_one(monkeypatch):
    close_portal()  # the loop that is given up shall have no connections of other tests
    monkeypatch.setattr("grice.loops.background_loop.GRACE", 0.1)

    async def agent(messages):
        if messages[-1]["content"] == "on":
            yield "fine"
            return
        for _ in range(3):
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                yield "late"

    live = LiveConversation(agent)
    with pytest.raises(AgentFailed, match="did not answer within"):
        live.say("hi", timeout=0.1)
    first = live.turns[0]
    assert live.say("on").text == "fine"
    assert "late" not in live.turns[1].full_text
    assert len(live.turns[0].messages) == len(first.messages)
