# ruff: noqa: E501 - tables, one case a line
"""What a live conversation records of a turn, and what the agent is sent."""

from contextlib import contextmanager

import pytest

from grice.agents import AgentFailed, bind_agent
from grice.formats import read_conversation
from grice.loops.background_loop import LoopIsRunning
from grice.records import AgentResponse, Message, ToolCall, decode_conversation, encode_conversation
from grice.running.live import LiveConversation
from grice.running.verdict_log import VerdictLog
from grice.wire import ScriptedModel, UnscriptedRequest, UnusedReplies


def talk_to(agent, **options):
    return LiveConversation(bind_agent(agent), **options)


class Recording:
    """An agent that keeps what it was sent and gives the replies one after the other."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.sent = []

    def chat(self, messages, on_tool_call):
        self.sent.append(messages)
        reply = self.replies.pop(0)
        return reply(on_tool_call) if callable(reply) else reply


def roles(messages):
    return [m["role"] if isinstance(m, dict) else m.role for m in messages]


def test_every_turn_is_recorded_and_sent_with_what_was_said_before():
    agent = Recording("Hello!", "Bye!")
    live = talk_to(agent, id="c", recorder=VerdictLog("my test"))
    first = live.say("Hi", metadata={"mood": {"calm"}})
    second = live.say("Bye")
    assert agent.sent == [
        [{"role": "user", "content": "Hi"}],
        [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "Hello!"},
            {"role": "user", "content": "Bye"},
        ],
    ]
    assert (first.number, first.text, second.number, second.text) == (1, "Hello!", 2, "Bye!")
    assert live.last.number == 2
    assert [turn.user for turn in live.turns] == ["Hi", "Bye"]
    record = live.record
    assert (record.id, record.name, record.termination) == ("c", "my test", None)
    assert record.messages[0].metadata == {"mood": ["calm"]}
    live.finish()
    assert live.record.termination == "completed"
    assert live.record.turns == record.turns
    assert decode_conversation(encode_conversation(live.record)) == live.record


def test_history_comes_first_and_turns_go_on_from_it():
    agent = Recording("Sure.")
    history = read_conversation(
        [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    ).messages
    live = talk_to(agent, history=history)
    reply = live.say("c")
    assert [m["content"] for m in agent.sent[0]] == ["a", "b", "c"]
    assert (reply.number, len(live.turns)) == (2, 2)


def test_the_agent_may_change_the_messages_it_is_sent():
    class Careless:
        def chat(self, messages):
            seen = len(messages)
            messages[0]["content"] = "gone"
            messages.clear()
            return str(seen)

    live = talk_to(Careless())
    live.say("one")
    assert live.say("two").text == "3"
    assert live.messages[0].content == "one"


def test_data_and_metadata_of_the_response_are_the_turns():
    live = talk_to(Recording(AgentResponse("x", data={"a": [1]}, metadata={"model": "m"})))
    reply = live.say("hi")
    assert reply.data == {"a": [1]}
    assert reply.turn.metadata == {"model": "m"}


def signalled(*signals, text="done", calls=()):
    def answer(on_tool_call):
        for name, rest in signals:
            on_tool_call(name, **rest)
        return {"text": text, "tool_calls": list(calls)}

    return answer


SEARCH = {"name": "search", "arguments": {"q": "x"}}


@pytest.mark.parametrize(
    ("signals", "calls", "recorded"),
    [
        ([("search", {"result": 1})], [], [("call_1_1", {}, 1)]),
        ([], [{**SEARCH, "id": "a", "result": 1}], [("a", {"q": "x"}, 1)]),
        # signalled and returned is one call, found by id, else by name and arguments
        ([("search", {"id": "a", "result": 1})], [{**SEARCH, "id": "a"}], [("a", {"q": "x"}, 1)]),
        ([("search", {"arguments": {"q": "x"}, "result": 1})], [SEARCH], [("call_1_1", {"q": "x"}, 1)]),
        ([("search", {"arguments": {"q": "x"}, "id": "s", "result": 1})], [SEARCH], [("s", {"q": "x"}, 1)]),
        # two different calls
        ([("search", {"arguments": {"q": "y"}, "result": 2})], [{**SEARCH, "result": 1}],
         [("call_1_1", {"q": "y"}, 2), ("call_1_2", {"q": "x"}, 1)]),
        ([("search", {"result": 1}), ("search", {"result": 2})], [], [("call_1_1", {}, 1), ("call_1_2", {}, 2)]),
        # begin and end of one call
        ([("search", {"arguments": {"q": "x"}}), ("search", {"arguments": {"q": "x"}, "result": 1})], [],
         [("call_1_1", {"q": "x"}, 1)]),
        ([("search", {"arguments": {"q": "x"}, "id": "a"}), ("search", {"id": "a", "result": 1})], [],
         [("a", {"q": "x"}, 1)]),
        ([("search", {"id": "a"}), ("search", {"id": "b"}), ("search", {"id": "b", "result": 2}),
          ("search", {"id": "a", "result": 1})], [], [("b", {}, 2), ("a", {}, 1)]),
    ],
)  # fmt: skip
def test_a_call_that_is_signalled_and_returned_counts_once(signals, calls, recorded):
    agent = Recording(signalled(*signals, calls=calls), "next")
    live = talk_to(agent)
    reply = live.say("hi")
    assert [(call.id, call.arguments, call.result) for call in reply.tool_calls] == recorded
    assert reply.text == "done"
    live.say("go on")
    assert roles(agent.sent[1]) == ["user", "assistant", *["tool"] * len(recorded), "assistant", "user"]


def test_a_call_signalled_without_result_is_recorded_but_not_sent_again():
    agent = Recording(signalled(("log", {"arguments": {"a": 1}})), "next")
    live = talk_to(agent)
    assert live.say("hi").tool_calls == (ToolCall("log", {"a": 1}, id="call_1_1", source="signal"),)
    live.say("go on")
    assert roles(agent.sent[1]) == ["user", "assistant", "user"]


def test_ids_that_an_agent_gives_twice_keep_calls_apart():
    def round_of(name):
        return {"tool_calls": [{"name": name, "id": "same", "arguments": {}}]}

    live = talk_to(Recording(round_of("a"), round_of("b"), "done"), tools={"a": "result a", "b": "result b"})
    assert [(call.name, call.result) for call in live.say("hi").tool_calls] == [
        ("a", "result a"),
        ("b", "result b"),
    ]


def test_exchanges_belong_to_the_turn_that_made_them():
    model = ScriptedModel("one", "two", "three")
    rounds = iter([1, 2])

    def agent(messages):
        for _ in range(next(rounds)):
            reply = model.respond({"messages": messages})
        return reply["content"][0]["text"]

    live = talk_to(agent, model=model)
    live.say("a")
    live.say("b")
    assert [[exchange.turn for exchange in turn.exchanges] for turn in live.turns] == [[1], [2, 2]]
    assert len(live.exchanges) == 3
    live.finish()


def test_a_model_that_is_bound_to_no_conversation_records_for_the_one_whose_agent_runs():
    model = ScriptedModel("one", "two")
    agents = [lambda messages: model.respond({"messages": messages})["content"][0]["text"]] * 2
    first, second = map(talk_to, agents)
    first.say("a")
    second.say("b")
    assert [live.exchanges[0].messages[-1]["content"] for live in (first, second)] == ["a", "b"]
    first.finish()


def test_an_exchange_between_turns_belongs_to_the_turn_before():
    model = ScriptedModel("one", "two")
    live = talk_to(lambda messages: model.respond({"messages": messages})["content"][0]["text"], model=model)
    reply = live.say("a")
    assert len(reply.exchanges) == 1
    model.respond({"messages": [{"role": "user", "content": "in the background"}]})
    assert [exchange.turn for exchange in reply.exchanges] == [1, 1]


@pytest.mark.parametrize("hide", [True, False])
def test_an_agent_cannot_hide_an_unscripted_request(hide):
    model = ScriptedModel("one")

    def agent(messages):
        try:
            return model.respond({"messages": messages})["content"][0]["text"]
        except Exception:
            if hide:
                return "Sorry, please try again."
            raise

    live = talk_to(agent, model=model)
    live.say("a")
    with pytest.raises(UnscriptedRequest, match=r"model request 2 has no scripted reply") as caught:
        live.say("b")
    assert ">    failure    script: model request 2" in str(caught.value)
    assert live.record.termination == "agent_error"
    model.script("again")
    assert live.say("c").text == "again"
    live.finish()
    assert live.record.termination == "completed"


def test_an_agent_that_raises_after_an_unscripted_request_failed_because_of_it():
    model = ScriptedModel()

    def agent(messages):
        try:
            model.respond({"messages": messages})
        except Exception as error:
            raise RuntimeError("the model is down") from error

    with pytest.raises(UnscriptedRequest) as caught:
        talk_to(agent, model=model).say("a")
    assert "the model is down" in str(caught.value.__cause__)


def test_replies_that_were_never_asked_for_fail_at_the_end():
    with pytest.raises(UnusedReplies), talk_to(lambda text: "hi", model=ScriptedModel("one")) as live:
        live.say("a")
    assert live.record.termination == "completed"


class Surrounded:
    def __init__(self, fails=None):
        self.events = []
        self.fails = fails

    def chat(self, messages):
        self.events.append("chat")
        return "hi"

    def around(self):
        return self

    def __enter__(self):
        self.events.append("enter")
        if self.fails == "enter":
            raise OSError("no room")

    def __exit__(self, kind, error, trace):
        self.events.append(f"exit {kind.__name__ if kind else None}")
        if self.fails == "exit":
            raise OSError("stuck")
        return True  # which hides nothing

    def metadata(self):
        return {"version": 3}


def test_around_wraps_the_conversation_and_metadata_is_kept():
    agent = Surrounded()
    with talk_to(agent) as live:
        live.say("a")
    assert agent.events == ["enter", "chat", "exit None"]
    assert live.record.metadata == {"agent": {"version": 3}}


def test_around_cannot_swallow_an_error_of_the_test():
    agent = Surrounded()
    with pytest.raises(ZeroDivisionError), talk_to(agent, model=ScriptedModel("unused")) as live:
        raise ZeroDivisionError
    assert agent.events == ["enter", "exit ZeroDivisionError"]
    assert live.record.termination == "completed"


@pytest.mark.parametrize(("fails", "message"), [("enter", "no room"), ("exit", "stuck")])
def test_around_that_raises_is_a_failure_of_the_agent(fails, message):
    live = talk_to(Surrounded(fails))
    with pytest.raises(AgentFailed) as caught, live:
        live.say("a")
    assert str(caught.value) == f"around() of Surrounded: the agent raised OSError: {message}"
    assert caught.value.failure.kind == "raised"
    assert live.record.termination == "agent_error"


def test_there_is_no_last_reply_before_the_first_turn():
    with pytest.raises(LookupError, match="say something first"):
        _ = talk_to(lambda text: "x").last


@pytest.mark.parametrize("text", [None, b"hi", 5, ["hi"]])
def test_only_a_text_can_be_said(text):
    with pytest.raises(TypeError, match=r"say\(\) takes the user's text"):
        talk_to(lambda text: "x").say(text)


def test_a_turn_inside_a_turn_is_refused():
    conversations = []
    live = talk_to(lambda text: conversations[0].say("again"))
    conversations.append(live)
    with pytest.raises(AgentFailed, match="the conversation is in the middle of a turn"):
        live.say("hi")
    assert len(live.turns) == 1


def test_the_record_shows_the_turn_that_goes_on():
    seen = []

    def look(**arguments):
        seen.append(live.record.turns[-1])
        return "ok"

    agent = Recording({"tool_calls": [{"name": "look"}]}, "done")
    live = talk_to(agent, tools={"look": look})
    live.say("hi")
    assert seen[0].user == "hi"
    assert [call.name for call in seen[0].tool_calls] == ["look"]
    assert live.turns[-1].text == "done"


async def asynchronous(text):
    return "hi"


@pytest.mark.parametrize("agent", [lambda text: "hi", asynchronous])
def test_the_synchronous_conversation_is_refused_inside_a_running_loop(agent):
    import asyncio

    live = talk_to(agent)

    async def main():
        with pytest.raises(
            LoopIsRunning, match=r"inside a running event loop: take the fixture async_conversation"
        ):
            live.say("a")

    asyncio.run(main())
    assert live.turns == ()
    assert live.say("b").text == "hi"


def test_an_agent_that_says_nothing_is_recorded_as_silent():
    live = talk_to(lambda text: "")
    assert live.say("a").text == ""
    assert live.messages == (Message("user", "a"), Message("assistant", ""))


def test_what_around_asks_the_model_belongs_to_the_first_turn():
    model = ScriptedModel("warm", "Hello!")

    class Bot:
        @contextmanager
        def around(self):
            model.client.messages.create(model="m", messages=[{"role": "user", "content": "warm up"}])
            yield

        def chat(self, messages):
            return model.client.messages.create(model="m", messages=messages).content[0].text

    with LiveConversation(Bot(), model=model) as live:
        reply = live.say("Hi")
    assert [exchange.messages[0]["content"] for exchange in reply.exchanges] == ["warm up", "Hi"]


def test_conversations_may_share_a_model_turn_by_turn():
    model = ScriptedModel("a", "b", "c")
    agent = lambda text: model.respond({"messages": []})["content"][0]["text"]  # noqa: E731
    first, second = LiveConversation(agent, model=model), LiveConversation(agent, model=model)
    assert [one.say("Hi").text for one in (first, second, first)] == ["a", "b", "c"]
    assert (len(first.exchanges), len(second.exchanges)) == (2, 1)


def test_a_model_cannot_play_in_two_turns_at_once():
    model = ScriptedModel("a")

    def agent(text):
        LiveConversation(lambda text: "inner", model=model)

    with pytest.raises(AgentFailed, match="in the middle of a turn of another conversation"):
        LiveConversation(agent, model=model).say("Hi")
