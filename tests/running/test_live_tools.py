"""Client-side tools: who answers a call that the agent leaves pending, and what the agent is sent then."""

import json

import pytest

from grice.agents import bind_agent
from grice.records import ToolCall
from grice.running.live import LiveConversation
from grice.running.tool_answers import ToolAnswer, ToolsError, answer_with


class Scripted:
    """An agent that gives the responses one after the other and keeps what it was sent."""

    def __init__(self, *responses):
        self.responses = list(responses)
        self.sent = []

    def chat(self, messages):
        self.sent.append(messages)
        return self.responses.pop(0)


def calls(*named, text=""):
    return {
        "text": text,
        "tool_calls": [{"name": name, "arguments": rest, "id": id_} for id_, name, rest in named],
    }


def live_with(*responses, **options):
    agent = Scripted(*responses)
    return agent, LiveConversation(bind_agent(agent), **options)


async def asynchronous(n):
    return {"n": n}


def raises(n):
    raise KeyError("gone")


@pytest.mark.parametrize(
    ("tool", "content", "is_error"),
    [
        ("free", "free", False),
        ({"free": True}, '{"free":true}', False),
        (None, "null", False),
        ([1, 2], "[1,2]", False),
        (lambda n: n + 1, "4", False),
        (lambda **arguments: arguments, '{"n":3}', False),
        (asynchronous, '{"n":3}', False),
        (lambda n: {"x": float("nan")}, '{"x":"NaN"}', False),
        (raises, "KeyError: 'gone'", True),
        (lambda other: other, "TypeError: ", True),
        (ToolAnswer("full", is_error=True), "full", True),
        (lambda n: ToolAnswer({"why": n}, is_error=True), '{"why":3}', True),
    ],
)
def test_a_tool_is_a_value_or_a_function_of_the_arguments(tool, content, is_error):
    agent, live = live_with(calls(("c1", "check", {"n": 3})), "done", tools={"check": tool})
    reply = live.say("hi")
    told = agent.sent[1][-1]
    assert told["content"].startswith(content)
    assert (told["role"], told["tool_call_id"], told.get("is_error", False)) == ("tool", "c1", is_error)
    (call,) = reply.tool_calls
    assert (call.error is not None) is is_error
    assert reply.text == "done"


def test_parallel_calls_are_answered_in_order_and_rounds_go_on():
    agent, live = live_with(
        calls(("a", "add", {"x": 1}), ("b", "add", {"x": 2}), text="Looking."),
        calls(("c", "add", {"x": 3})),
        "done",
    )
    reply = live.say("hi", tools={"add": lambda x: x * 10})
    assert [(call.id, call.result) for call in reply.tool_calls] == [("a", 10), ("b", 20), ("c", 30)]
    assert [(m["role"], m.get("tool_call_id")) for m in agent.sent[2]] == [
        ("user", None), ("assistant", None), ("tool", "a"), ("tool", "b"), ("assistant", None), ("tool", "c"),
    ]  # fmt: skip
    assert reply.turn.full_text == "Looking.\ndone"
    assert [m.role for m in live.messages] == [
        "user",
        "assistant",
        "tool",
        "tool",
        "assistant",
        "tool",
        "assistant",
    ]
    assert json.loads(agent.sent[1][1]["tool_calls"][1]["function"]["arguments"]) == {"x": 2}


def test_calls_of_the_agent_itself_and_of_its_client_can_come_together():
    response = {
        "tool_calls": [{"name": "own", "id": "o", "result": 1}, {"name": "ask", "id": "p"}],
        "text": "Wait.",
    }
    agent, live = live_with(response, "done", tools={"ask": 2})
    assert [(call.id, call.result) for call in live.say("hi").tool_calls] == [("o", 1), ("p", 2)]
    assert [m["role"] for m in agent.sent[1]] == ["user", "assistant", "tool", "assistant", "tool"]


def test_a_call_without_tools_stays_pending_and_is_not_sent_again():
    agent, live = live_with(calls(("a", "ask", {}), text="One moment."), "next")
    reply = live.say("hi")
    assert not reply.tool_calls[0].answered
    assert reply.text == "One moment."
    live.say("and now?")
    assert agent.sent[1] == [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "One moment."},
        {"role": "user", "content": "and now?"},
    ]


def test_malformed_arguments_are_an_error_of_the_call():
    agent, live = live_with(
        {"tool_calls": [{"name": "f", "arguments": '{"a": '}]}, "done", tools={"f": lambda a: a}
    )
    assert live.say("hi").tool_calls[0].raw_arguments == '{"a": '
    assert agent.sent[1][-1]["content"] == 'the arguments are not a JSON object: {"a": '


def test_a_tool_that_is_not_there_fails_with_the_transcript_and_the_nearest_name():
    _, live = live_with(calls(("a", "chek", {})), tools={"check": 1})
    with pytest.raises(ToolsError) as caught:
        live.say("hi")
    message = str(caught.value)
    assert (
        "the agent called 'chek', which is not among the tools of this test (check) (did you mean 'check'?)"
        in message
    )
    assert ">    assistant  -> chek()" in message
    assert live.turns[0].failure.kind == "script"


def test_the_tools_of_a_turn_replace_those_of_the_conversation():
    _, live = live_with(calls(("a", "f", {})), "x", calls(("b", "f", {})), "y", tools={"f": "always"})
    assert live.say("1", tools={"f": "now"}).tool_calls[0].result == "now"
    assert live.say("2").tool_calls[0].result == "always"


def test_endless_rounds_end():
    agent = bind_agent(lambda messages: calls((f"c{len(messages)}", "f", {})))
    with pytest.raises(ToolsError, match="still calls tools after 50 rounds"):
        LiveConversation(agent, tools={"f": 1}).say("hi")


PENDING = {"status": "pending_confirmation"}


def test_a_confirmed_call_replaces_its_pending_answer_in_what_is_sent_and_the_record_keeps_both():
    agent, live = live_with(
        calls(("a", "delete", {})), "Please confirm.", "Deleted.", "Bye.", tools={"delete": PENDING}
    )
    first = live.say("delete it")
    assert (first.text, first.tool_calls[0].result) == ("Please confirm.", PENDING)
    assert live.asked_calls == first.tool_calls
    second = live.answer({"ok": True})
    assert (second.number, second.text, second.tool_calls[0].result) == (1, "Deleted.", {"ok": True})
    assert [m["role"] for m in agent.sent[2]] == ["user", "assistant", "tool"]
    assert agent.sent[2][-1]["content"] == '{"ok":true}'
    assert [m.content for m in live.messages] == [
        "delete it", "", '{"status":"pending_confirmation"}', "Please confirm.", '{"ok":true}', "Deleted.",
    ]  # fmt: skip
    live.say("thanks")
    assert [m["content"] for m in agent.sent[3]] == ["delete it", "", '{"ok":true}', "Deleted.", "thanks"]


def test_a_rejected_call_has_an_error():
    agent, live = live_with(calls(("a", "delete", {})), "Confirm?", "Kept.", tools={"delete": PENDING})
    live.say("delete it")
    reply = live.answer(ToolAnswer("the user said no", is_error=True))
    assert reply.tool_calls == (
        ToolCall("delete", id="a", result="the user said no", error="the user said no"),
    )
    assert agent.sent[2][-1]["is_error"]


def test_a_call_that_was_left_pending_can_be_answered():
    agent, live = live_with(calls(("a", "ask", {}), text="Which room?"), "Thanks.")
    live.say("hi")
    assert live.answer("Blue").text == "Thanks."
    assert [(m["role"], m["content"]) for m in agent.sent[1]] == [
        ("user", "hi"), ("assistant", "Which room?"), ("tool", "Blue"),
    ]  # fmt: skip


def test_one_of_several_calls_can_be_answered_again():
    agent, live = live_with(
        calls(("a", "f", {}), ("b", "g", {})), "Confirm?", "Done.", tools={"f": 1, "g": PENDING}
    )
    live.say("hi")
    with pytest.raises(ToolsError, match=r"found 1 answers for 2 calls: f \(a\), g \(b\)"):
        live.answer("yes")
    reply = live.answer_with([None, ToolAnswer("yes")], None)
    assert [call.result for call in reply.tool_calls] == [1, "yes"]
    assert [m["content"] for m in agent.sent[2][2:]] == ["1", "yes"]


def test_there_must_be_a_call_to_answer():
    _, live = live_with("hi")
    for _ in range(2):
        with pytest.raises(ToolsError, match="left no tool call to its client"):
            live.answer("yes")
        live.say("hello") if not live.turns else None


def test_answers_come_in_the_order_of_the_calls():
    answer = answer_with({"a": 1, "b": lambda: ToolAnswer("no", is_error=True)})
    assert answer([ToolCall("b"), ToolCall("a")]) == [ToolAnswer("no", is_error=True), ToolAnswer(1)]
