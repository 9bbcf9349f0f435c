# ruff: noqa: E501 - tables, one case a line
import copy
import threading

import anthropic
import anthropic.types
import pytest

from grice.wire import (
    Fault,
    ScriptedModel,
    ScriptError,
    UnscriptedRequest,
    UnusedReplies,
    delayed,
    tool_use,
)

REQUEST = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
TEXT = {"type": "text", "text": "hello"}


def used(name, id_="toolu_0001_1", **arguments):
    return {"type": "tool_use", "id": id_, "name": name, "input": arguments}


@pytest.mark.parametrize(
    ("reply", "content", "stop_reason"),
    [
        ("hello", [TEXT], "end_turn"),
        ("", [{"type": "text", "text": ""}], "end_turn"),
        (tool_use("book", room="Blue"), [used("book", room="Blue")], "tool_use"),
        (tool_use("book", call_id="own"), [used("book", "own")], "tool_use"),
        (TEXT, [TEXT], "end_turn"),
        ([], [], "end_turn"),
        (
            ["hello", tool_use("a"), used("b", "own")],
            [TEXT, used("a", "toolu_0001_2"), used("b", "own")],
            "tool_use",
        ),
        ({"content": "hello", "stop_reason": "max_tokens"}, [TEXT], "max_tokens"),
        ({"type": "message", "content": [TEXT]}, [TEXT], "end_turn"),
        ({"type": "tool_use", "name": "b", "input": "{bad json"}, [used("b") | {"input": "{bad json"}], "tool_use"),
        ([{"type": "text", "text": "a\ud800"}], [{"type": "text", "text": "a\ufffd"}], "end_turn"),
    ],
)  # fmt: skip
def test_gives_the_scripted_reply_as_a_message_of_anthropic(reply, content, stop_reason):
    body = ScriptedModel(reply).respond(REQUEST)
    assert body["content"] == content
    assert body["stop_reason"] == stop_reason
    if all(isinstance(block.get("input", {}), dict) for block in content):
        anthropic.types.Message.model_validate(body)


@pytest.mark.parametrize("reply", [5, None, {"text": "x"}, [5], {"content": [None]}, b"bytes"])
def test_refuses_what_is_no_reply_where_it_is_scripted(reply):
    with pytest.raises(TypeError, match="a scripted reply is a text, tool_use"):
        ScriptedModel("fine", reply)


@pytest.mark.parametrize("error", [TimeoutError("slow"), TimeoutError, KeyError("k")])
def test_raises_a_scripted_exception_and_records_the_request(error):
    model = ScriptedModel(error, "then fine")
    with pytest.raises(error if isinstance(error, type) else type(error)):
        model.respond(REQUEST)
    assert model.exchanges[0].reply is None
    assert model.exchanges[0].error.startswith(("TimeoutError: ", "KeyError: "))
    assert model.respond(REQUEST)["content"][0]["text"] == "then fine"
    model.verify()


def test_an_unscripted_request_says_which_and_with_what_it_ended():
    model = ScriptedModel("one")
    model.respond(REQUEST)
    with pytest.raises(UnscriptedRequest) as caught:
        model.respond(REQUEST)
    message = (
        "model request 2 has no scripted reply (1 scripted); it ended with {'role': 'user', 'content': 'hi'}"
    )
    assert str(caught.value) == message
    assert [str(problem) for problem in model.problems] == [message]
    assert isinstance(model.problems[0], UnscriptedRequest)
    assert [exchange.error for exchange in model.exchanges] == [None, message]
    with pytest.raises(UnscriptedRequest):
        model.verify()


def test_replies_that_nobody_asked_for_are_an_error():
    model = ScriptedModel("one", tool_use("book", day=2))
    model.respond(REQUEST)
    assert (model.asked, model.unused) == (1, 1)
    with pytest.raises(UnusedReplies, match=r"1 of 2 scripted model replies were never asked for; .*'book'"):
        model.verify()
    assert model.drop_unused() == 1
    model.verify()


def test_a_request_that_is_no_mapping_is_refused():
    with pytest.raises(TypeError, match="a request to a model is a mapping, found"):
        ScriptedModel("x").respond(["hi"])


def test_what_is_recorded_stays_as_it_was_sent_whatever_the_agent_does_with_it():
    scripted = {"type": "tool_use", "id": "t", "name": "book", "input": {"rooms": ["Blue"]}}
    model = ScriptedModel([scripted])
    request = copy.deepcopy(REQUEST)
    reply = model.respond(request)
    request["messages"].append({"role": "user", "content": "later"})
    request["messages"][0]["content"] = "changed"
    reply["content"][0]["input"]["rooms"].append("Red")
    scripted["input"]["rooms"].append("Green")
    exchange = model.exchanges[0]
    assert exchange.request == REQUEST
    assert exchange.reply["content"][0]["input"] == {"rooms": ["Blue"]}


def test_records_requests_that_are_not_plain_json():
    model = ScriptedModel("x")
    model.respond({"messages": [anthropic.types.TextBlock(type="text", text="t")], "n": float("nan")})
    request = model.exchanges[0].request
    assert request["n"] == "NaN"
    assert request["messages"][0]["text"] == "t"


def test_many_threads_get_one_reply_each():
    model = ScriptedModel(*map(str, range(200)))
    got = []

    def ask():
        for _ in range(25):
            body = model.respond(REQUEST)
            got.append((body["id"], body["content"][0]["text"]))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == sorted((f"msg_{n + 1:04}", str(n)) for n in range(200))
    recorded = [exchange.reply["content"][0]["text"] for exchange in model.exchanges]
    assert recorded == list(map(str, range(200)))


@pytest.mark.parametrize("status", [200, 399, 600, "500"])
def test_the_status_of_an_error_is_an_error_status(status):
    with pytest.raises(ValueError, match="the status of an error is from 400 to 599"):
        Fault.error(status)


def test_only_replies_break_off_or_come_late():
    with pytest.raises(TypeError, match="half of a reply needs a reply"):
        Fault.half_stream(Fault.reset())
    with pytest.raises(TypeError, match="only a reply can be delayed"):
        delayed(Fault.reset(), 1)
    with pytest.raises(ValueError, match="a delay is a number of seconds from 0, found -4"):
        delayed("x", -4)


def test_a_dialect_that_is_not_spoken_is_refused_with_those_that_are():
    with pytest.raises(ValueError, match="unknown dialect 'gemini'; there are anthropic, openai_chat"):
        ScriptedModel("x").respond(REQUEST, "gemini")


def test_otherwise_answers_when_the_script_has_run_out():
    model = ScriptedModel("first", otherwise=lambda exchange: f"you said {exchange.messages[-1]['content']}")
    texts = [model.respond(REQUEST)["content"][0]["text"] for _ in range(2)]
    assert texts == ["first", "you said hi"]
    model.verify()


def test_script_errors_share_a_base():
    assert issubclass(UnscriptedRequest, ScriptError)
    assert issubclass(UnusedReplies, ScriptError)
