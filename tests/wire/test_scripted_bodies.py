"""Whole reply bodies in the script, and replies given in one dialect and asked for in another."""

import anthropic.types
import openai.types.responses
import pytest
from openai.types.chat import ChatCompletion

from grice.wire import ScriptedModel
from grice.wire.dialects import dialect_named

REQUEST = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


def used(name, id_="toolu_0001_1", **arguments):
    return {"type": "tool_use", "id": id_, "name": name, "input": arguments}


def test_fields_of_a_whole_body_win():
    usage = {"input_tokens": 3, "output_tokens": 7, "cache_read_input_tokens": None}
    model = ScriptedModel({"content": "x", "id": "own", "model": "other", "usage": usage})
    body = model.respond(REQUEST)
    assert (body["id"], body["model"], body["usage"]) == ("own", "other", usage)
    assert ScriptedModel("x").respond(REQUEST)["model"] == "m"
    assert ScriptedModel("x").respond({"messages": []})["model"] == "scripted"


@pytest.mark.parametrize(
    ("body", "dialect", "said"),
    [
        ({"content": "x", "usage": {"output_tokens": 7}}, "anthropic", "output_tokens"),
        ({"content": "x", "usage": {"input_tokens": None, "output_tokens": 7}}, "anthropic", "output_tokens"),
        (
            {"choices": [{"message": {"content": "x"}}], "usage": {"completion_tokens": 7}},
            "openai_chat",
            "completion_tokens",
        ),
        (
            {"output": [], "usage": {"input_tokens": None, "output_tokens": 7}},
            "openai_responses",
            "output_tokens",
        ),
    ],
)
def test_what_a_usage_leaves_out_is_estimated(body, dialect, said):
    model = ScriptedModel(*[body] * 2)
    estimate = ScriptedModel("x").respond(REQUEST, dialect)["usage"]
    usage = model.respond(REQUEST, dialect)["usage"]
    assert usage[said] == 7
    assert usage.keys() == estimate.keys()
    assert {name: value for name, value in usage.items() if name.startswith(("input", "prompt"))} == {
        name: value for name, value in estimate.items() if name.startswith(("input", "prompt"))
    }
    assert list(dialect_named(dialect).events(model.respond(REQUEST, dialect), REQUEST))


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ({"content": "x", "usage": {"output_tokens": "five"}}, "usage.output_tokens is a whole number"),
        ({"content": "x", "usage": {"output_tokens": True}}, "usage.output_tokens is a whole number"),
        ({"content": "x", "usage": [5]}, "usage is an object of counts"),
        ({"choices": [], "usage": {"prompt_tokens": -1}}, "usage.prompt_tokens is a whole number from 0"),
        ({"output": [], "usage": "all"}, "usage is an object of counts"),
        ({"type": "thinking", "signature": "s"}, "thinking block needs 'thinking', a text"),
        ([{"type": "text", "text": None}], "text block needs 'text', a text"),
        ([{"type": "tool_use", "input": {}}], "tool_use block needs 'name', a text"),
    ],
)
def test_a_usage_or_block_that_no_provider_sends_is_refused_where_it_is_scripted(reply, said):
    with pytest.raises(TypeError, match=said):
        ScriptedModel(reply)


CHAT_BODY = {
    "id": "chatcmpl-own",
    "object": "chat.completion",
    "created": 7,
    "model": "gpt-own",
    "system_fingerprint": "fp",
    "choices": [
        {
            "index": 0,
            "logprobs": None,
            "finish_reason": "length",
            "message": {
                "role": "assistant",
                "content": "Let me",
                "refusal": None,
                "tool_calls": [
                    {
                        "id": "call_own",
                        "type": "function",
                        "function": {"name": "search", "arguments": '{"q":"x"}'},
                    }
                ],
            },
        }
    ],
    "usage": {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16},
}
RESPONSES_BODY = {
    "id": "resp_own",
    "object": "response",
    "created_at": 7,
    "model": "gpt-own",
    "status": "incomplete",
    "error": None,
    "incomplete_details": {"reason": "max_output_tokens"},
    "output": [
        {"id": "rs_own", "type": "reasoning", "summary": []},
        {
            "id": "msg_own",
            "type": "message",
            "status": "completed",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "Let me", "annotations": [], "logprobs": []}],
        },
        {
            "id": "fc_own",
            "type": "function_call",
            "status": "completed",
            "call_id": "call_own",
            "name": "search",
            "arguments": '{"q":"x"}',
        },
    ],
    "usage": {
        "input_tokens": 11,
        "input_tokens_details": {"cached_tokens": 3},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 16,
    },
}
ANTHROPIC_BODY = {
    "id": "msg_own",
    "type": "message",
    "role": "assistant",
    "model": "claude-own",
    "content": [{"type": "text", "text": "Let me"}, used("search", "call_own", q="x")],
    "stop_reason": "max_tokens",
    "stop_sequence": None,
    "usage": {"input_tokens": 11, "output_tokens": 5, "cache_read_input_tokens": 3},
}
BODIES = {"anthropic": ANTHROPIC_BODY, "openai_chat": CHAT_BODY, "openai_responses": RESPONSES_BODY}


@pytest.mark.parametrize("dialect", BODIES)
def test_a_whole_body_is_given_as_it_is_in_its_own_dialect(dialect):
    body = ScriptedModel(BODIES[dialect]).respond(REQUEST, dialect)
    assert {name: body[name] for name in BODIES[dialect]} == BODIES[dialect]


@pytest.mark.parametrize("given", BODIES)
@pytest.mark.parametrize("asked", BODIES)
def test_a_body_of_one_dialect_says_the_same_in_another(given, asked):
    body = ScriptedModel(BODIES[given]).respond(REQUEST, asked)
    if asked == "anthropic":
        anthropic.types.Message.model_validate(body)
        assert body["content"] == ANTHROPIC_BODY["content"]
        assert (body["stop_reason"], body["usage"]["output_tokens"]) == ("max_tokens", 5)
    elif asked == "openai_chat":
        ChatCompletion.model_validate(body)
        assert body["choices"] == CHAT_BODY["choices"]
        assert body["usage"] == CHAT_BODY["usage"]
    else:
        message, call = (item for item in body["output"] if item["type"] != "reasoning")
        assert message["content"][0]["text"] == "Let me"
        assert (call["call_id"], call["name"], call["arguments"]) == ("call_own", "search", '{"q":"x"}')
        assert body["incomplete_details"] == {"reason": "max_output_tokens"}
        assert (body["usage"]["input_tokens"], body["usage"]["output_tokens"]) == (11, 5)
    assert (body["id"] == BODIES[given]["id"]) == (given == asked)


@pytest.mark.parametrize(
    ("body", "dialect"),
    [
        ({"choices": [{"message": {"content": "hi"}}]}, "openai_chat"),
        ({"choices": [{"message": {"tool_calls": [{"function": {"name": "a"}}]}}]}, "openai_chat"),
        (
            {"output": [{"type": "message", "content": [{"type": "output_text", "text": "hi"}]}]},
            "openai_responses",
        ),
        ({"output": [{"type": "function_call", "name": "a", "arguments": {"b": 1}}]}, "openai_responses"),
        ({"output": []}, "openai_responses"),
    ],
)
def test_a_body_is_completed_where_it_is_short(body, dialect):
    model = ScriptedModel(body, body)
    made = model.respond(REQUEST, dialect)
    record = ChatCompletion if dialect == "openai_chat" else openai.types.responses.Response
    record.model_validate(made)
    resource = (
        model.openai_client.chat.completions if dialect == "openai_chat" else model.openai_client.responses
    )
    assert list(resource.create(**REQUEST, stream=True))


@pytest.mark.parametrize(
    "body",
    [
        {"choices": ["hi"]},
        {"choices": [{"message": "hi"}]},
        {"choices": [{"text": "hi"}]},
        {"choices": [{"message": {"tool_calls": ["search"]}}]},
        {"choices": [{"message": {"tool_calls": [{"id": "c"}]}}]},
        {"output": ["hi"]},
        {"output": [{"type": "message", "content": ["hi"]}]},
    ],
)
def test_a_body_that_is_none_is_refused_where_it_is_scripted(body):
    with pytest.raises(TypeError, match=r"in the scripted reply body .* holds objects, found"):
        ScriptedModel(body)


@pytest.mark.parametrize("dialect", ["openai_chat", "openai_responses"])
def test_what_only_anthropic_has_is_left_out_elsewhere(dialect):
    thinking = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    marked = used("search", "own", q="x") | {"caller": {"type": "direct"}}
    body = ScriptedModel([thinking, "Hi", marked, {"type": "redacted_thinking", "data": "x"}]).respond(
        REQUEST, dialect
    )
    if dialect == "openai_chat":
        message = body["choices"][0]["message"]
        assert (message["content"], message["tool_calls"][0]["id"]) == ("Hi", "own")
    else:
        assert [item["type"] for item in body["output"]] == ["reasoning", "message", "function_call"]
