"""Reading a conversation and writing it in the same format gives the same conversation back."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from grice.formats import read_conversation, read_message, to_anthropic, to_openai_chat
from grice.formats import to_openai_responses as to_responses
from grice.records import decode_conversation, encode_conversation

WRITERS = {"anthropic": to_anthropic, "openai_chat": to_openai_chat, "openai_responses": to_responses}

CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"a":1}'}}
USE = {"type": "tool_use", "id": "t1", "name": "find", "input": {"a": 1}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "ok"}
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
TEXT = {"type": "text", "text": "hello"}
FUNCTION_CALL = {"type": "function_call", "call_id": "c1", "name": "find", "arguments": '{"a":1}'}


def chat_call(arguments: str) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [CALL | {"function": {"name": "f", "arguments": arguments}}],
    }


ARRAYS: list[tuple[str, str, list[dict[str, Any]]]] = [
    ("anthropic", "no messages", []),
    ("anthropic", "content string", [{"role": "user", "content": "hi"}]),
    ("anthropic", "content block list", [{"role": "user", "content": [TEXT]}]),
    ("anthropic", "empty block list", [{"role": "user", "content": []}]),
    (
        "anthropic",
        "text around tool_use",
        [{"role": "assistant", "content": [TEXT, USE, TEXT, USE | {"id": "t2"}]}],
    ),
    ("anthropic", "tool_use alone", [{"role": "assistant", "content": [USE]}]),
    (
        "anthropic",
        "empty text before tool_use",
        [{"role": "assistant", "content": [TEXT | {"text": ""}, USE]}],
    ),
    ("anthropic", "string result", [{"role": "user", "content": [RESULT]}]),
    ("anthropic", "block list result", [{"role": "user", "content": [RESULT | {"content": [TEXT, IMAGE]}]}]),
    (
        "anthropic",
        "result without content",
        [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1"}]}],
    ),
    ("anthropic", "failed result", [{"role": "user", "content": [RESULT | {"is_error": True}]}]),
    ("anthropic", "explicitly good result", [{"role": "user", "content": [RESULT | {"is_error": False}]}]),
    (
        "anthropic",
        "results and text",
        [{"role": "user", "content": [RESULT, RESULT | {"tool_use_id": "t2"}, TEXT]}],
    ),
    ("anthropic", "text between results", [{"role": "user", "content": [RESULT, TEXT, RESULT]}]),
    ("anthropic", "results in two messages", [{"role": "user", "content": [RESULT]}] * 2),
    ("anthropic", "results in four messages", [{"role": "user", "content": [RESULT]}] * 4),
    (
        "anthropic",
        "calls after text, apart",
        [{"role": "assistant", "content": "a"}, {"role": "assistant", "content": [USE]}],
    ),
    ("anthropic", "image", [{"role": "user", "content": [IMAGE, TEXT]}]),
    (
        "anthropic",
        "thinking",
        [
            {
                "role": "assistant",
                "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, TEXT, USE],
            }
        ],
    ),
    (
        "anthropic",
        "cache_control",
        [{"role": "user", "content": [TEXT | {"cache_control": {"type": "ephemeral"}}]}],
    ),
    (
        "anthropic",
        "system in the list",
        [{"role": "system", "content": "be"}, {"role": "user", "content": "hi"}],
    ),
    (
        "anthropic",
        "server tool",
        [
            {
                "role": "assistant",
                "content": [
                    TEXT,
                    {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "q"}},
                    {
                        "type": "web_search_tool_result",
                        "tool_use_id": "s1",
                        "content": [{"type": "x", "url": "u"}],
                    },
                    TEXT,
                ],
            }
        ],
    ),
    ("openai_chat", "system first", [{"role": "system", "content": "be"}, {"role": "user", "content": "hi"}]),
    (
        "openai_chat",
        "developer first",
        [{"role": "developer", "content": "be"}, {"role": "user", "content": "hi"}],
    ),
    ("openai_chat", "system of parts", [{"role": "system", "content": [TEXT], "name": "n"}]),
    ("openai_chat", "system with a name", [{"role": "system", "content": "be", "name": "n"}]),
    ("openai_chat", "two systems", [{"role": "system", "content": "a"}, {"role": "system", "content": "b"}]),
    ("openai_chat", "system later", [{"role": "user", "content": "hi"}, {"role": "system", "content": "b"}]),
    ("openai_chat", "name", [{"role": "user", "content": "hi", "name": "Ann"}]),
    ("openai_chat", "null content", [{"role": "assistant", "content": None, "tool_calls": [CALL]}]),
    ("openai_chat", "empty content", [{"role": "assistant", "content": "", "tool_calls": [CALL]}]),
    ("openai_chat", "no content", [{"role": "assistant", "tool_calls": [CALL]}]),
    ("openai_chat", "null content, no calls", [{"role": "assistant", "content": None, "tool_calls": None}]),
    ("openai_chat", "empty list of calls", [{"role": "assistant", "content": "a", "tool_calls": []}]),
    (
        "openai_chat",
        "parts",
        [{"role": "user", "content": [TEXT, {"type": "image_url", "image_url": {"url": "x"}}]}],
    ),
    ("openai_chat", "refusal", [{"role": "assistant", "content": None, "refusal": "I can't."}]),
    (
        "openai_chat",
        "refusal part",
        [{"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}],
    ),
    ("openai_chat", "spaced arguments", [chat_call('{ "a" : 1 }')]),
    ("openai_chat", "malformed arguments", [chat_call('{"a": ')]),
    ("openai_chat", "empty arguments", [chat_call("")]),
    ("openai_chat", "blank arguments", [chat_call("  ")]),
    ("openai_chat", "arguments that are a list", [chat_call("[]"), chat_call("[1]")]),
    ("openai_chat", "duplicate argument", [chat_call('{"a":1,"a":2}')]),
    ("openai_chat", "number kinds", [chat_call('{"a":1.0,"b":1e2,"c":12345678901234567890123}')]),
    (
        "openai_chat",
        "custom tool",
        [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "f", "input": "x y"}}],
            }
        ],
    ),
    ("openai_chat", "tool result", [{"role": "tool", "tool_call_id": "c1", "content": "ok"}]),
    ("openai_chat", "tool result of parts", [{"role": "tool", "tool_call_id": "c1", "content": [TEXT]}]),
    (
        "openai_chat",
        "calls after text, apart",
        [{"role": "assistant", "content": "a"}, chat_call("{}"), chat_call("{}")],
    ),
    (
        "openai_chat",
        "flat calls",
        [
            {"role": "assistant", "content": "", "tool_calls": [{"name": "f", "arguments": {}}]},
            {"role": "tool", "name": "f", "content": "1"},
        ],
    ),
    (
        "openai_chat",
        "legacy function",
        [
            {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
            {"role": "function", "name": "f", "content": "1"},
        ],
    ),
    ("openai_responses", "plain", [{"role": "user", "content": "hi"}]),
    (
        "openai_responses",
        "message item",
        [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}],
    ),
    (
        "openai_responses",
        "output item",
        [
            {
                "type": "message",
                "id": "m",
                "status": "completed",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "a", "annotations": []}],
            }
        ],
    ),
    (
        "openai_responses",
        "call and output",
        [FUNCTION_CALL, {"type": "function_call_output", "call_id": "c1", "output": "1"}],
    ),
    ("openai_responses", "two calls", [FUNCTION_CALL | {"id": "fc", "status": "completed"}, FUNCTION_CALL]),
    (
        "openai_responses",
        "output of parts",
        [{"type": "function_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "x"}]}],
    ),
    ("openai_responses", "reasoning", [{"type": "reasoning", "id": "r", "summary": []}, FUNCTION_CALL]),
    (
        "openai_responses",
        "unknown item",
        [{"type": "brand_new", "x": [1, None]}, {"type": "web_search_call", "id": "w"}],
    ),
    (
        "openai_responses",
        "mcp call",
        [{"type": "mcp_call", "id": "m", "name": "f", "arguments": "{}", "output": "1", "error": None}],
    ),
    (
        "openai_responses",
        "developer",
        [{"role": "developer", "content": "be"}, {"role": "user", "content": "hi"}],
    ),
]


@pytest.mark.parametrize(
    ("form", "messages"), [pytest.param(f, m, id=f"{f}: {name}") for f, name, m in ARRAYS]
)
def test_an_array_comes_back_as_it_was(form: Any, messages: list[dict[str, Any]]) -> None:
    before = copy.deepcopy(messages)
    conversation = read_conversation(messages, format=form)
    assert_same(WRITERS[form](conversation), before)
    assert_same(WRITERS[form](decode_conversation(encode_conversation(conversation))), before)
    assert_same(messages, before)


@pytest.mark.parametrize(
    ("form", "content"),
    [
        *((form, "hi") for form in WRITERS),
        *((f, c) for f in ("anthropic", "openai_chat") for c in ([TEXT], [TEXT, TEXT])),
    ],
)
def test_text_that_two_formats_share_comes_back_without_naming_the_format(form: str, content: Any) -> None:
    messages = [{"role": "user", "content": content}, {"role": "assistant", "content": content}]
    assert_same(WRITERS[form](read_conversation(messages)), messages)


@pytest.mark.parametrize(
    ("form", "messages"), [pytest.param(f, m, id=f"{f}: {name}") for f, name, m in ARRAYS]
)
def test_messages_read_one_by_one_are_written_back_when_they_stand_alone(form: Any, messages: Any) -> None:
    for raw in messages:
        assert_same(WRITERS[form](read_message(raw, format=form)), [raw])


def assert_same(found: Any, expected: Any) -> None:
    """JSON equality: unlike `==`, 1 and 1.0 and True differ."""
    assert json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True)
