"""Conversations written in another format than they were read from, or after an edit."""

from __future__ import annotations

from typing import Any

import msgspec

from grice.formats import (
    Loss,
    read_conversation,
    read_message,
    to_anthropic,
    to_openai_chat,
    to_openai_responses,
)
from grice.records import Conversation


def call(call_id: str, name: str = "find", arguments: str = "{}") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def test_conversion_keeps_what_was_said_and_done() -> None:
    items = [
        {"role": "user", "content": "hi"},
        {"type": "reasoning", "id": "r", "summary": []},
        {"role": "assistant", "content": "I look."},
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": '{"x": 1}'},
        {"type": "function_call", "call_id": "b", "name": "g", "arguments": "oops"},
        {"type": "function_call_output", "call_id": "a", "output": "1"},
        {"type": "function_call_output", "call_id": "b", "output": "2"},
    ]
    conversation = read_conversation(items)
    losses: list[Loss] = []
    assert to_anthropic(conversation, losses=losses) == [
        {"role": "user", "content": "hi"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "a", "name": "f", "input": {"x": 1}},
                {"type": "tool_use", "id": "b", "name": "g", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "1"},
                {"type": "tool_result", "tool_use_id": "b", "content": "2"},
            ],
        },
    ]
    assert losses == [
        Loss("messages[4].tool_calls[0].raw_arguments", "arguments that are no object, 'oops'"),
        Loss("messages[1].content", "content of type reasoning"),
    ]
    assert to_openai_chat(conversation, losses=[])[1:] == [
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [call("a", "f", '{"x":1}'), call("b", "g", "oops")],
        },
        {"role": "tool", "content": "1", "tool_call_id": "a"},
        {"role": "tool", "content": "2", "tool_call_id": "b"},
    ]


def test_calls_without_ids_get_one_that_their_results_share() -> None:
    messages = [
        {"role": "assistant", "content": "", "tool_calls": [{"name": "f", "arguments": {}}]},
        {"role": "tool", "name": "f", "content": "1"},
    ]
    use, result = to_anthropic(read_conversation(messages))
    assert use["content"][0]["id"] == result["content"][0]["tool_use_id"] == "call_1"


def test_the_system_prompt_leads_where_a_format_has_it_in_the_list() -> None:
    conversation = Conversation(system="be")
    assert (
        to_openai_chat(conversation)
        == to_openai_responses(conversation)
        == [{"role": "system", "content": "be"}]
    )
    assert to_anthropic(conversation) == []


def test_an_edited_message_is_written_anew() -> None:
    raw = {"role": "user", "content": [{"type": "text", "text": "my card is 4111"}]}
    [message] = read_message(raw, format="anthropic")
    redacted = msgspec.structs.replace(message, content="my card is [card]")
    assert to_anthropic([redacted]) == [{"role": "user", "content": "my card is [card]"}]


def test_part_of_a_split_message_is_written_without_the_rest() -> None:
    results = [
        {"type": "tool_result", "tool_use_id": key, "content": [{"type": "text", "text": key}]}
        for key in "ab"
    ]
    messages = read_message({"role": "user", "content": results})
    assert to_openai_chat(messages[1:]) == [{"role": "tool", "content": "b", "tool_call_id": "b"}]
    assert to_anthropic(messages[:1])[0]["content"] == [
        {"type": "tool_result", "tool_use_id": "a", "content": "a"}
    ]
