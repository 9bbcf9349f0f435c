"""Agents and client-side tools behind a cassette, in conversations."""

import asyncio
from contextlib import contextmanager
from threading import Thread

import pytest
from tapes import asked, cassette, record

from grice.agents import AgentFailed, bind_agent
from grice.agents.recorded import recorded_agent
from grice.agents.streamed_responses import read_item
from grice.records import AgentResponse, Attachment
from grice.running.live import LiveConversation
from grice.running.tool_answers import ToolsError, answer_with, recorded_tools
from grice.wire.cassettes import NotRecorded


class Booking:
    """An agent that signals what it does, and counts."""

    def __init__(self):
        self.calls, self.entered = 0, 0

    def chat(self, messages, on_tool_call):
        self.calls += 1
        on_tool_call("search", {"nights": 2}, id="s1")
        on_tool_call("search", {"nights": 2}, result=None, id="s1")
        on_tool_call("price", '{"room": ', error=ValueError("no such room"))
        return {"text": f"Found {len(messages)}", "data": {"rooms": [1.5, None]}, "metadata": {"tokens": 3}}

    @contextmanager
    def around(self):
        self.entered += 1
        yield

    def metadata(self):
        return {"version": "7"}


class AsyncBooking(Booking):
    async def chat(self, messages, on_tool_call):
        await asyncio.sleep(0)
        return super().chat(messages, on_tool_call)


class StreamlessBooking(Booking):
    def chat(self, messages, on_tool_call):
        return AgentResponse(**super().chat(messages, on_tool_call))


def talk(path, mode, agent, *texts, **options):
    with cassette(path, mode, **options) as used:
        behind = recorded_agent(bind_agent(agent) if agent is not None else None, used)
        with LiveConversation(behind, clock=lambda: 0.0) as live:
            for text in texts:
                live.say(text)
            return live.record


@pytest.mark.parametrize("kind", [Booking, AsyncBooking, StreamlessBooking])
def test_a_conversation_is_played_as_it_was_recorded(tmp_path, kind):
    path, agent = tmp_path / "one.jsonl", kind()
    live = talk(path, "once", agent, "A room", "Another")

    played = talk(path, "none", agent, "A room", "Another")

    assert played == live
    assert live.turns[1].text == "Found 6"
    assert [call.error for call in live.turns[0].tool_calls] == [None, "ValueError: no such room"]
    assert (agent.calls, agent.entered) == (2, 1)


def test_a_strict_cassette_needs_no_agent(tmp_path):
    path = tmp_path / "one.jsonl"
    live = talk(path, "once", Booking(), "A room")

    assert talk(path, "none", None, "A room").turns == live.turns


@pytest.mark.parametrize(("mode", "kinds"), [("once", ("agent",)), ("none", ("judge",))])
def test_without_an_agent_the_cassette_has_to_be_strict(tmp_path, mode, kinds):
    with pytest.raises(ValueError, match="may have to ask the agent: expected one, found None"):
        talk(tmp_path / "one.jsonl", mode, None, kinds=kinds)


def test_an_agent_whose_calls_are_not_recorded_stays_as_it_is(tmp_path):
    agent = bind_agent(Booking())

    assert recorded_agent(agent, cassette(tmp_path / "one.jsonl", "once", kinds=("judge",))) is agent


def test_while_new_calls_are_recorded_around_is_entered(tmp_path):
    path, agent = tmp_path / "one.jsonl", Booking()
    talk(path, "new", agent, "A room")

    talk(path, "new", agent, "A room")

    assert (agent.calls, agent.entered) == (1, 2)


def test_an_asynchronous_agent_is_played_as_one(tmp_path):
    path = tmp_path / "one.jsonl"
    talk(path, "once", AsyncBooking(), "A room")

    with cassette(path) as used:
        answer = recorded_agent(None, used).call([{"role": "user", "content": "A room"}], lambda *_: None)

    assert asyncio.run(answer).text == "Found 1"


def test_another_message_fails_the_turn_and_shows_the_difference(tmp_path):
    path = tmp_path / "one.jsonl"
    talk(path, "once", Booking(), "A room for the night, please")

    with pytest.raises(NotRecorded) as raised:
        talk(path, "none", Booking(), "A suite for the night, please")

    assert str(raised.value).startswith(
        f"turn 1: {path}: this agent call (Booking) is not recorded: 'A suite for the night, please'\n"
        "  it differs from the nearest, the agent call (Booking) in line 2 (not used yet), in\n"
        "    messages[0].content: 'A room for the night, please' -> 'A suite for the night, please'\n"
        "  if that is meant, record it anew with --grice-update\n"
    )


def test_a_call_that_fails_is_not_recorded(tmp_path):
    def agent(text):
        raise ConnectionError

    path = tmp_path / "one.jsonl"
    with pytest.raises(AgentFailed):
        talk(path, "once", agent, "Hi")

    assert not path.exists()


def test_an_answer_that_is_none_is_not_recorded(tmp_path):
    path = tmp_path / "one.jsonl"
    with pytest.raises(AgentFailed):
        talk(path, "once", lambda messages: 7, "Hi")

    assert not path.exists()


def test_a_wrong_signal_that_the_agent_hides_is_not_recorded(tmp_path):
    def agent(messages, on_tool_call):
        try:
            on_tool_call("")
        except Exception:
            return "fine"

    path = tmp_path / "one.jsonl"
    with pytest.raises(AgentFailed):
        talk(path, "once", agent, "Hi")

    assert not path.exists()


def test_a_signal_after_the_answer_is_recorded_with_it(tmp_path):
    late = []

    def agent(messages, on_tool_call):
        late.append(on_tool_call)
        return "done soon"

    path = tmp_path / "one.jsonl"
    with cassette(path, "once") as used, LiveConversation(recorded_agent(bind_agent(agent), used)) as live:
        live.say("Hi")
        late[0]("clean_up", result="ok")

    assert [call.name for call in talk(path, "none", None, "Hi").tool_calls] == ["clean_up"]


def several(messages, on_tool_call):
    on_tool_call("look")
    return ["One moment.", {"name": "pay", "result": "ok"}, {"text": "Here you are.", "data": {"room": 7}}]


def stream(messages, on_tool_call):
    yield "One moment."
    on_tool_call("look")
    yield {"name": "pay", "result": "ok"}
    on_tool_call("clean_up")
    return "Here you are."


async def async_stream(messages, on_tool_call):
    yield "One moment."
    on_tool_call("look")
    yield "Here you are."
    on_tool_call("clean_up")


async def awaited_several(messages, on_tool_call):
    return several(messages, on_tool_call)


@pytest.mark.parametrize("agent", [several, stream, async_stream, awaited_several])
def test_several_messages_are_played_as_they_came(tmp_path, agent):
    path = tmp_path / "one.jsonl"
    live = talk(path, "once", agent, "Hi", "Again")

    assert talk(path, "none", None, "Hi", "Again") == live
    assert live.turns[0].text == "Here you are."
    assert "look" in [call.name for call in live.turns[0].tool_calls]


def test_calls_that_can_be_read_only_once_reach_the_conversation_too(tmp_path):
    def agent(messages):
        return {"text": "Done", "tool_calls": ({"name": name, "result": 1} for name in ("look", "pay"))}

    live = talk(tmp_path / "one.jsonl", "once", agent, "Hi")

    assert [call.name for call in live.tool_calls] == ["look", "pay"]


def test_what_is_signalled_between_messages_is_signalled_there(tmp_path):
    def listen(mode):
        events = []
        with cassette(path, mode) as used:
            behind = recorded_agent(bind_agent(stream), used)
            for one in behind.call(asked("Hi")["messages"], lambda name, *_, **__: events.append(name)):
                said = read_item(one, 1)
                events.append(said.text)
        return events

    path = tmp_path / "one.jsonl"

    assert listen("once") == listen("none") == ["One moment.", "look", "", "clean_up", "Here you are."]


@pytest.mark.parametrize("nothing", [[], iter(()), ["Hi", None]])
def test_several_messages_that_are_none_are_not_recorded(tmp_path, nothing):
    path = tmp_path / "one.jsonl"
    with pytest.raises(AgentFailed):
        talk(path, "once", lambda messages: nothing, "Hi")

    assert not path.exists()


@pytest.mark.parametrize("agent", [stream, async_stream])
def test_a_stream_that_is_not_read_to_its_end_is_closed_and_not_recorded(tmp_path, agent):
    inner = []

    def kept(messages, on_tool_call):
        inner.append(agent(messages, on_tool_call))
        return inner[0]

    path = tmp_path / "one.jsonl"
    with cassette(path, "once") as used:
        outer = recorded_agent(bind_agent(kept), used).call(asked("Hi")["messages"], lambda *_, **__: None)
        if agent is stream:
            next(outer)
            outer.close()
        else:

            async def begin():
                await anext(outer)
                await outer.aclose()

            asyncio.run(begin())

    assert getattr(inner[0], "gi_frame", None) is getattr(inner[0], "ag_frame", None) is None
    assert not path.exists()


def test_an_answer_nobody_awaits_is_closed_with_the_agents(tmp_path):
    with cassette(tmp_path / "one.jsonl", "once") as used:
        behind = recorded_agent(bind_agent(AsyncBooking()), used)
        behind.call(asked("Hi")["messages"], lambda *_: None).close()

    assert not (tmp_path / "one.jsonl").exists()


def test_an_answer_of_another_shape_names_file_and_line(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, ("agent", asked("Hi"), {"text": "hello"}))

    with pytest.raises(NotRecorded, match=r"one\.jsonl:2: the recorded answer is none of an agent"):
        talk(path, "none", None, "Hi")


# -- client-side tools


class Asking:
    """An agent that leaves two calls to its client, with ids of its own each time."""

    def __init__(self, prefix):
        self.prefix = prefix

    def chat(self, messages):
        results = [message for message in messages if message["role"] == "tool"]
        if results:
            return " and ".join(message["content"] for message in results)
        return {
            "text": "",
            "tool_calls": [
                {"id": f"{self.prefix}1", "name": "find", "arguments": {"room": 1}},
                {"id": f"{self.prefix}2", "name": "find", "arguments": {"room": 2}},
            ],
        }


def with_tools(path, mode, tools, prefix="a"):
    with cassette(path, mode, kinds=("tools",)) as used, LiveConversation(Asking(prefix)) as live:
        return live.say_with("Find", recorded_tools(answer_with(tools), used)).text


def test_the_tools_of_a_test_are_asked_once(tmp_path):
    path = tmp_path / "one.jsonl"
    live = with_tools(path, "once", {"find": lambda room: {"room": room, "free": room == 1}})

    assert with_tools(path, "none", {}, prefix="b") == live
    assert live == '{"room":1,"free":true} and {"room":2,"free":false}'


def test_a_tool_that_failed_fails_again(tmp_path):
    path = tmp_path / "one.jsonl"
    live = with_tools(path, "once", {"find": lambda room: 1 / 0})

    assert with_tools(path, "none", {}) == live
    assert "ZeroDivisionError" in live


def test_of_a_round_only_what_is_new_is_asked(tmp_path):
    path, rooms = tmp_path / "one.jsonl", []
    record(path, ("tools", {"name": "find", "arguments": {"room": 2}}, {"content": "old"}), kinds=("tools",))

    said = with_tools(path, "new", {"find": lambda room: rooms.append(room) or "new"})

    assert (said, rooms) == ("new and old", [1])


def test_a_call_that_is_not_recorded_fails_the_turn(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, ("tools", {"name": "find", "arguments": {"room": 7}}, {"content": "old"}), kinds=("tools",))

    with pytest.raises(NotRecorded, match=r"this tools call \(find\) is not recorded"):
        with_tools(path, "none", {})


def test_an_unknown_tool_is_not_recorded(tmp_path):
    path = tmp_path / "one.jsonl"
    with pytest.raises(ToolsError):
        with_tools(path, "once", {})

    assert not path.exists()


def test_tools_that_are_not_recorded_stay_as_they_are(tmp_path):
    answer = answer_with({})

    assert recorded_tools(answer, cassette(tmp_path / "one.jsonl", "off")) is answer


class Late:
    """An agent that signals in its first turn's name when that is over."""

    def __init__(self, begins, shape):
        self.begins, self.shape = begins, shape
        self.report = self.on_next = None

    def chat(self, messages, on_tool_call):
        if self.on_next is not None:
            self.tell(self.on_next)
        if messages[-1]["content"] == "first":
            self.report = on_tool_call
            if self.begins:
                on_tool_call("search", {"q": 1})
        return self.shape(f"heard {len(messages)}")

    def tell(self, report):
        report("search", {"q": 1}, result=5)
        self.report = self.on_next = None


async def awaited(answer):
    return answer


@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize("asked_again", [True, False])
@pytest.mark.parametrize("shape", [str, lambda answer: [answer], awaited])
def test_late_signals_are_played_where_they_came(tmp_path, begun, asked_again, shape):
    def run(mode):
        agent = Late(begun, shape)
        with cassette(path, mode) as used, LiveConversation(agent, cassette=used, clock=lambda: 0.0) as live:
            live.say("first")
            if asked_again:
                agent.on_next = agent.report
            elif agent.report is not None:
                agent.tell(agent.report)
            live.say("second")
            live.say("third")
            return live.record

    path = tmp_path / "one.jsonl"
    live = run("once")

    assert run("none") == live
    assert [(call.name, call.result) for call in live.tool_calls] == [("search", 5)]
    assert live.turns[0].text == "heard 1"


def test_signals_of_many_threads_are_all_recorded(tmp_path):
    def agent(messages, on_tool_call):
        threads = [Thread(target=on_tool_call, args=("look", {"n": n}, n)) for n in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return "done"

    path = tmp_path / "one.jsonl"
    live = talk(path, "once", agent, "Hi")

    assert len(live.tool_calls) == 20
    assert talk(path, "none", None, "Hi") == live


def test_of_attachments_only_a_hash_is_recorded(tmp_path):
    def run(mode, content):
        files = [Attachment.of(content, name=name) for name in ("a.png", "a.wav", "a.pdf")]
        files.append(Attachment.of("https://example.com/b.png"))
        with cassette(path, mode) as used, LiveConversation(agent, cassette=used) as live:
            return live.say("Look", attachments=files).text

    def agent(messages):
        kinds.append([part["type"] for part in messages[0]["content"]])
        return messages[0]["content"][1]["image_url"]["url"][-4:]

    path, kinds = tmp_path / "one.jsonl", []
    recorded = run("once", b"x" * 30_000)

    assert kinds == [["text", "image_url", "input_audio", "file", "image_url"]]
    assert recorded == "eHh4"  # the agent has the content
    assert run("none", b"x" * 30_000) == recorded
    assert path.stat().st_size < 3_000
    assert "https://example.com/b.png" in path.read_text()
    with pytest.raises(NotRecorded, match="sha256"):
        run("none", b"y" * 30_000)


def test_an_answer_that_is_to_be_awaited_twice_is_the_agents_failure(tmp_path):
    class Never:
        def __await__(self):
            yield

    async def agent(messages):
        return Never()

    with pytest.raises(AgentFailed, match=r"the agent returned <.*Never"):
        talk(tmp_path / "one.jsonl", "once", agent, "Hi")
