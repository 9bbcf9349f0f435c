# ruff: noqa: E501 - tables, one case a line
from types import SimpleNamespace

import anthropic.types
import pytest
from msgspec import UNSET

from grice.agents import BadReturn, ReturnedNothing, chat_messages, read_response, read_tool_call
from grice.records import AgentResponse, Message, ToolCall

CALL = ToolCall("book", {"room": "Blue"}, id="c1")
ANSWERED = ToolCall("book", {"room": "Blue"}, id="c1", result=None)


def anthropic_message(*content):
    return {"id": "m", "type": "message", "role": "assistant", "model": "x", "content": list(content)} | {
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


TOOL_USE = {"type": "tool_use", "id": "c1", "name": "book", "input": {"room": "Blue"}}


@pytest.mark.parametrize(
    ("returned", "response"),
    [
        ("hello", AgentResponse("hello")),
        ("", AgentResponse("")),
        ("a\ud800b", AgentResponse("a\ufffdb")),
        ("grüße".encode(), AgentResponse("grüße")),
        (bytearray(b"ok"), AgentResponse("ok")),
        (AgentResponse("hi", (CALL,), data={"a": 1}), AgentResponse("hi", (CALL,), data={"a": 1})),
        ({"text": "hi"}, AgentResponse("hi")),
        ({"text": None, "tool_calls": None}, AgentResponse()),
        ({"data": [1]}, AgentResponse(data=[1])),
        ({"text": "hi", "data": {"n": float("nan")}, "metadata": {"k": {1}}}, AgentResponse("hi", (), {"n": "NaN"}, {"k": [1]})),
        (SimpleNamespace(text="hi", tool_calls=[CALL]), AgentResponse("hi", (CALL,))),
        ({"tool_calls": [{"name": "book", "arguments": {"room": "Blue"}, "id": "c1"}]}, AgentResponse("", (CALL,))),
        ({"tool_calls": ({"name": "book", "input": {"room": "Blue"}, "id": "c1"} for _ in "x")}, AgentResponse("", (CALL,))),
        ({"role": "assistant", "content": "hi"}, AgentResponse("hi")),
        ({"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "book", "arguments": '{"room": "Blue"}'}}]}, AgentResponse("", (CALL,))),
        ({"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "book", "arguments": '{"room":"Blue"}'}}]}, AgentResponse("", (CALL,))),
        (anthropic_message({"type": "text", "text": "hi"}, TOOL_USE), AgentResponse("hi", (CALL,))),
        (anthropic.types.Message.model_validate(anthropic_message(TOOL_USE)), AgentResponse("", (CALL,))),
        ({"role": "assistant", "content": "hi", "data": 5}, AgentResponse("hi", data=5)),
        ({"role": "assistant", "content": "", "data": {"text": "x"}}, AgentResponse(data={"text": "x"})),
        ({"role": "assistant", "content": "hi", "text": "hi"}, AgentResponse("hi")),
        ({"role": "assistant", "content": "hi", "text": None}, AgentResponse("hi")),
        ({"role": "assistant", "content": "hi", "toolCalls": []}, AgentResponse("hi")),
        ({"role": "assistant", "content": "hi", "tools": [1], "tool_choice": "auto", "tool_call_id": "x"}, AgentResponse("hi")),
        ({"role": "assistant", "content": "hi", "id": "m", "model": "x", "usage": {"n": 1}, "stop_reason": "end", "refusal": "no", "annotations": [1], "audio": {"id": "a"}}, AgentResponse("hi")),
        ({"role": "assistant", "content": [{"type": "image", "source": {}}, {"text": "hi"}]}, AgentResponse("hi")),
        ({"role": "assistant", "content": [{"type": "output_text", "text": "hi"}, TOOL_USE]}, AgentResponse("hi", (CALL,))),
    ],
)  # fmt: skip
def test_reads_every_shape_of_a_response(returned, response):
    assert read_response(returned) == response


class BrokenRepr:
    def __repr__(self):
        raise ValueError


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (5, "the agent returned 5 (int), expected a text"),
        (True, "the agent returned True (bool)"),
        (["a"], "the agent returned ['a'] (list)"),
        ({"txt": "x"}, "the response has the unknown field 'txt' (did you mean 'text'?)"),
        ({}, "the agent returned {} (dict)"),
        ({"text": 5}, "the response's text is 5 (int), expected a string"),
        ({"text": "", "tool_calls": "book"}, "tool_calls is 'book' (str), expected a list"),
        ({"tool_calls": {"name": "book"}}, "tool_calls is {'name': 'book'} (dict), expected a list"),
        ({"tool_calls": 5}, "tool_calls is 5 (int), expected a list"),
        ({"tool_calls": [{"arguments": {}}]}, "a tool call needs a name, found {'arguments': {}} (dict)"),
        ({"tool_calls": ["book"]}, "a tool call needs a name, found 'book' (str)"),
        (AgentResponse(5), "the response's text is 5"),
        (b"ab\xff\xfecd", "the agent returned bytes that are not UTF-8 (at byte 2): 'ab\\xff\\xfecd'"),
        ({"role": "assistant", "content": 5}, "a message that cannot be read"),
        ({"role": "user", "content": "hi"}, "a message of role 'user', expected one of the assistant"),
        ((part for part in "ab"), "expected a text"),
        (BrokenRepr(), "the agent returned <BrokenRepr> (BrokenRepr)"),
        ({"text": 5, "data": "x" * 10_000}, "the response's text is 5"),
        ({"text": "Hi", "toolCalls": [{"name": "a"}]}, "'toolCalls' (did you mean 'tool_calls'?)"),
        ({"tool_calls": [{"name": "a", "argumnts": {}}]}, "'argumnts' (did you mean 'arguments'?)"),
    ],
)
def test_says_what_was_wrong_with_a_response(returned, message):
    with pytest.raises(BadReturn) as caught:
        read_response(returned)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 500


SAID = {"role": "assistant", "content": "hi"}


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (
            SAID | {"toolCalls": [1]},
            "the message has the unknown field 'toolCalls' (did you mean 'tool_calls'?)",
        ),
        (SAID | {"tool_call": {"name": "a"}}, "'tool_call' (did you mean 'tool_calls'?)"),
        (SAID | {"Tool-Calls": [1]}, "'Tool-Calls' (did you mean 'tool_calls'?)"),
        (SAID | {"tol_calls": [1]}, "'tol_calls' (did you mean 'tool_calls'?)"),
        (SAID | {"tool_use": {"name": "a"}}, "'tool_use' (did you mean 'tool_calls'?)"),
        (SAID | {"function_calls": [1]}, "'function_calls' (did you mean 'function_call'?)"),
        (
            SAID | {"content": [{"type": "toolUse", "name": "a"}]},
            "has the type 'toolUse' (str) and the name 'a' (str), expected a call as 'tool_use'",
        ),
        (
            SAID | {"content": [{"type": "function_call", "name": "a"}]},
            "has the type 'function_call' (str) and the name 'a'",
        ),
        (SAID | {"content": [{"toolUse": {"name": "a"}}]}, "a content block has the unknown field 'toolUse'"),
        ({"text": "a", "content": "SECRET"}, "both 'text' and 'content', expected one of them"),
        (SAID | {"text": "SECRET"}, "both 'text' and 'content', expected one of them"),
        ({"content": "SECRET", "tool_calls": []}, "'content' without 'role'"),
        (SAID | {"content": None, "text": "SECRET"}, "has no content, but text in text"),
    ],
)
def test_what_would_be_lost_of_a_response_is_refused(returned, message):
    with pytest.raises(BadReturn) as caught:
        read_response(returned)
    assert message in str(caught.value)
    assert "SECRET" not in str(caught.value)


def test_nothing_is_its_own_failure():
    with pytest.raises(ReturnedNothing, match="returned None"):
        read_response(None)


@pytest.mark.parametrize(
    ("reported", "call"),
    [
        (CALL, CALL),
        (ANSWERED, ANSWERED),
        ({"name": "book", "result": None}, ToolCall("book", result=None)),
        ({"name": "book"}, ToolCall("book", result=UNSET)),
        ({"name": "book", "error": None}, ToolCall("book")),
        ({"name": "book", "error": False}, ToolCall("book")),
        ({"name": "book", "error": OSError("full")}, ToolCall("book", error="OSError: full")),
        ({"name": "book", "arguments": '{"n": 1'}, ToolCall("book", raw_arguments='{"n": 1')),
        ({"name": "book", "args": '{"n": 1}'}, ToolCall("book", {"n": 1})),
        (ToolCall("book", "[1]"), ToolCall("book", raw_arguments="[1]")),
        (ToolCall("book", {}, raw_arguments="{x"), ToolCall("book", raw_arguments="{x")),
        (ToolCall("book", id=None), ToolCall("book")),
        ({"name": "book", "id": 7, "duration": 1}, ToolCall("book", id="7", duration=1.0)),
        ({"name": "book", "duration": float("nan")}, ToolCall("book")),
        ({"name": "book", "duration": "fast"}, ToolCall("book")),
        (SimpleNamespace(name="book", arguments={"a": {2}}), ToolCall("book", {"a": [2]})),
    ],
)
def test_reads_a_tool_call_as_an_agent_reports_it(reported, call):
    assert read_tool_call(reported) == call


def test_messages_go_out_in_the_openai_chat_shape():
    messages = [
        Message("user", "hi"),
        Message("assistant", "", (CALL, ToolCall("x", raw_arguments="{x", id="c2"))),
        Message("tool", "full", tool_call_id="c1", is_error=True),
    ]
    functions = [("c1", "book", '{"room":"Blue"}'), ("c2", "x", "{x")]
    calls = [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in functions]
    assert chat_messages(messages) == [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "", "tool_calls": calls},
        {"role": "tool", "content": "full", "tool_call_id": "c1", "is_error": True},
    ]
