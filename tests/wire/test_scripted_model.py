# ruff: noqa: E501 - tables, one case a line
import asyncio
import copy
import threading

import anthropic
import anthropic.types
import pytest

from grice.wire import ScriptedModel, ScriptError, UnscriptedRequest, UnusedReplies, tool_use

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


def test_fields_of_a_whole_body_win():
    model = ScriptedModel({"content": "x", "id": "own", "model": "other", "usage": {"output_tokens": 7}})
    body = model.respond(REQUEST)
    assert (body["id"], body["model"], body["usage"]) == ("own", "other", {"output_tokens": 7})
    assert ScriptedModel("x").respond(REQUEST)["model"] == "m"
    assert ScriptedModel("x").respond({"messages": []})["model"] == "scripted"


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
    assert model.problems == [message]
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


def test_the_client_reads_like_that_of_the_sdk():
    model = ScriptedModel(["Let me look.", tool_use("search", q="x", items=[{"deep": 1}])])
    reply = model.client.messages.create(
        model="m", max_tokens=5, messages=[{"role": "user", "content": "hi"}]
    )
    text, call = reply.content
    assert (reply.stop_reason, reply.role, reply.usage.output_tokens) == ("tool_use", "assistant", 0)
    assert (text.type, text.text, call.type, call.name) == ("text", "Let me look.", "tool_use", "search")
    assert call.input == {"q": "x", "items": [{"deep": 1}]}
    assert call.input["items"][0]["deep"] == 1
    assert reply.model_dump(exclude_none=True)["content"][0] == {"type": "text", "text": "Let me look."}
    assert copy.deepcopy(reply) == reply
    assert not hasattr(call, "text")
    with pytest.raises(AttributeError, match="the reply has no 'citations', only type, text"):
        _ = text.citations


def test_the_content_of_a_reply_can_be_sent_back():
    model = ScriptedModel(tool_use("search", q="x"), "done")
    messages = [{"role": "user", "content": "hi"}]
    reply = model.client.messages.create(messages=messages)
    messages.append({"role": "assistant", "content": reply.content})
    model.client.messages.create(messages=messages)
    assert model.exchanges[1].messages[1] == {"role": "assistant", "content": [used("search", q="x")]}


def test_arguments_of_the_sdk_that_are_not_sent_are_not_recorded():
    model = ScriptedModel("x")
    model.client.messages.create(
        messages=[], system=anthropic.NOT_GIVEN, timeout=3, extra_headers={"x-api-key": "secret"}, extra_body={"beta": 1}
    )  # fmt: skip
    assert model.exchanges[0].request == {"messages": [], "beta": 1}


def test_the_asynchronous_client_is_awaited():
    model = ScriptedModel("hello")

    async def ask():
        return (await model.async_client.messages.create(**REQUEST)).content[0].text

    assert asyncio.run(ask()) == "hello"
    assert model.exchanges[0].request == REQUEST


@pytest.mark.parametrize(
    "ask",
    [
        lambda model: model.client.messages.create(messages=[], stream=True),
        lambda model: model.client.messages.stream(messages=[]),
        lambda model: asyncio.run(model.async_client.messages.create(messages=[], stream=True)),
        lambda model: model.async_client.messages.stream(messages=[]),
    ],
)
def test_streaming_is_refused(ask):
    model = ScriptedModel("x")
    with pytest.raises(ValueError, match="does not stream"):
        ask(model)
    assert (model.asked, model.unused) == (0, 1)


def test_script_errors_share_a_base():
    assert issubclass(UnscriptedRequest, ScriptError)
    assert issubclass(UnusedReplies, ScriptError)
