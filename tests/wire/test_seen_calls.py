import json

import pytest

from grice import Exchange, LiveConversation, ScriptedModel, ToolCall, expect, tool_use
from grice.matchers import Context, call_tool
from grice.matching.judge import judge
from grice.wire.seen_calls import seen_calls, unreported

SCRIPT = (tool_use("hours", call_id="c1", day="Sunday"), "Closed.")


def anthropic(model, text, *, answer="closed", is_error=False):
    asked = [{"role": "user", "content": text}]
    content = model.client.messages.create(model="m", max_tokens=9, messages=asked).content
    calls = [block for block in content if block.type == "tool_use"]
    results = [
        {"type": "tool_result", "tool_use_id": call.id, "content": answer, "is_error": is_error}
        for call in calls
    ]
    asked += [{"role": "assistant", "content": content}, {"role": "user", "content": results}]
    return model.client.messages.create(model="m", max_tokens=9, messages=asked).content[0].text


def chat(model, text):
    asked = [{"role": "user", "content": text}]
    message = model.openai_client.chat.completions.create(model="m", messages=asked).choices[0].message
    answers = [
        {"role": "tool", "tool_call_id": call.id, "content": json.dumps({"open": False})}
        for call in message.tool_calls
    ]
    asked += [message, *answers]
    return model.openai_client.chat.completions.create(model="m", messages=asked).choices[0].message.content


def responses(model, text):
    asked = [{"role": "user", "content": text}]
    (call,) = model.openai_client.responses.create(model="m", input=asked).output
    asked += [call, {"type": "function_call_output", "call_id": call.call_id, "output": "closed"}]
    return model.openai_client.responses.create(model="m", input=asked).output_text


@pytest.mark.parametrize(
    ("agent", "result"), [(anthropic, "closed"), (chat, {"open": False}), (responses, "closed")]
)
def test_a_call_that_the_agent_runs_without_a_word_is_seen_in_what_it_tells_its_model(agent, result) -> None:
    model = ScriptedModel(*SCRIPT)
    with LiveConversation(lambda text: agent(model, text), model=model) as live:
        reply = live.say("Open on Sunday?")
        (call,) = reply.tool_calls
        assert (call.name, call.arguments, call.id, call.source) == ("hours", {"day": "Sunday"}, "c1", "wire")
        assert call.result == result
        assert expect(reply).to_call_tool("hours", day="Sunday").outcome == "pass"
        assert live.called_tool("hours")


def test_a_failed_call_is_seen_as_one() -> None:
    model = ScriptedModel(*SCRIPT)
    with LiveConversation(lambda text: anthropic(model, text, answer="boom", is_error=True)) as live:
        (call,) = live.say("Open?").tool_calls
    assert call.error == "boom"


def test_a_call_that_was_reported_counts_once() -> None:
    model = ScriptedModel(*SCRIPT)

    def agent(messages, on_tool_call):
        on_tool_call("hours", {"day": "sunday"}, result="closed")
        return anthropic(model, messages[-1]["content"])

    with LiveConversation(agent) as live:
        (call,) = live.say("Open?").tool_calls
    assert (call.source, call.arguments) == ("signal", {"day": "sunday"})


def test_a_call_that_nobody_ran_is_not_seen() -> None:
    model = ScriptedModel(*SCRIPT)

    def agent(text):
        for _ in range(2):
            model.respond({"messages": [{"role": "user", "content": text}]})
        return "Closed."

    with LiveConversation(agent, model=model) as live:
        reply = live.say("Open?")
        assert reply.tool_calls == ()
        assert judge(~call_tool("hours"), reply, Context(live.record, reply.turn)).outcome == "inconclusive"


def test_the_transcript_of_a_failure_shows_it() -> None:
    model = ScriptedModel(*SCRIPT)
    with LiveConversation(lambda text: anthropic(model, text), model=model) as live:
        reply = live.say("Open?")
        with pytest.raises(AssertionError) as failed:
            expect(reply).to_call_tool("hours", day="Monday")
    assert "-> hours(day='Sunday')   (seen in the requests to the model)" in str(failed.value)
    assert "result: 'closed'" in str(failed.value)


def call(name, id_="", **arguments):
    return ToolCall(name, arguments, id_)


@pytest.mark.parametrize(
    ("seen", "reported", "left"),
    [
        ([call("a", "1")], [call("b", "1")], []),
        ([call("a", "1", x=1)], [call("a", "", x=1)], []),
        ([call("a", "1", x=1)], [call("a", "", x=2)], []),
        ([call("a", "1"), call("a", "2")], [call("a")], [call("a", "2")]),
        ([call("a", "1", x=1), call("a", "2", x=2)], [call("a", "", x=2)], [call("a", "1", x=1)]),
        ([call("a", "1"), call("b", "2")], [call("c")], [call("a", "1"), call("b", "2")]),
    ],
)
def test_what_was_not_reported_is_left(seen, reported, left) -> None:
    assert unreported(seen, reported) == left


@pytest.mark.parametrize(
    "dialect", ["anthropic", "openai_chat", "openai_responses", "openai_embeddings", "other"]
)
@pytest.mark.parametrize("junk", [None, 5, "x", [], [None], [{"role": 3}], [{"role": "tool"}], {"a": 1}])
def test_whatever_is_sent_nothing_breaks(dialect, junk) -> None:
    request = {"messages": junk, "input": junk}
    reply = {"content": junk, "choices": [{"message": junk}], "output": junk}
    assert seen_calls([Exchange(request, reply, dialect), Exchange(request, reply, dialect)]) == []
    odd = {
        "choices": [{"message": {"tool_calls": [{"id": "a", "function": {"name": "n"}}]}}, None],
        "output": [None],
    }
    assert seen_calls([Exchange(request, odd, dialect)]) == []


def asks(id_, name="look"):
    return {"content": [{"type": "tool_use", "id": id_, "name": name, "input": {}}]}


def told(*results):
    blocks = [{"type": "tool_result", "tool_use_id": id_, "content": text} for id_, text in results]
    return {"messages": [{"role": "user", "content": [block]} for block in blocks]}


def seen(*steps):
    return [(one.name, one.result) for one in seen_calls([Exchange(*step, "anthropic") for step in steps])]


def test_a_result_from_before_the_call_is_not_its_result() -> None:
    history = ("call_0", "balance 42")
    assert seen((told(history), asks("call_0", "delete")), (told(history), None)) == []
    again = (told(history), asks("call_0", "delete")), (told(history, ("call_0", "deleted")), None)
    assert seen(*again) == [("delete", "deleted")]


def test_an_id_that_is_used_again_has_its_own_result() -> None:
    first, second = ("call_0", "first"), ("call_0", "second")
    steps = (told(), asks("call_0")), (told(first), asks("call_0")), (told(first, second), None)
    assert seen(*steps) == [("look", "first"), ("look", "second")]


def test_a_reply_that_was_asked_for_twice_is_one_call() -> None:
    steps = (told(), asks("c")), (told(), asks("c")), (told(("c", "r")), None)
    assert seen(*steps) == [("look", "r")]
