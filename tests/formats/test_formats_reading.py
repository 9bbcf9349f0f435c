"""What reading makes of messages: roles, texts, calls, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest

from grice.formats import (
    FormatError,
    detect_format,
    read_conversation,
    read_message,
    to_anthropic,
    to_openai_chat,
    to_openai_responses,
)
from grice.records import Message, ToolCall

USE = {"type": "tool_use", "id": "t1", "name": "find", "input": {"a": 1}}


def call(call_id: str, name: str = "find", arguments: str = "{}") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def step(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


# --- detection


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([], "openai_chat"),
        ([{"role": "user", "content": "hi"}], "openai_chat"),
        ([{"role": "user", "content": [{"type": "text", "text": "hi"}]}], "openai_chat"),
        ([{"role": "user", "content": "hi"}, {"role": "assistant", "content": [USE]}], "anthropic"),
        (
            [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "x"}]}],
            "anthropic",
        ),
        ([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u"}}]}], "openai_chat"),
        (
            [
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "text", "text": "a"}],
                    "stop_reason": "end_turn",
                }
            ],
            "anthropic",
        ),
        ([step(call("c"))], "openai_chat"),
        (
            [
                {"role": "user", "content": "hi"},
                {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
            ],
            "openai_responses",
        ),
        ([{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}], "openai_responses"),
        ([{"type": "human", "content": "hi"}], "langchain"),
        ("nonsense", "openai_chat"),
    ],
)
def test_the_format_is_told_by_the_content(messages: Any, expected: str) -> None:
    assert detect_format(messages) == expected


@pytest.mark.parametrize(
    ("name", "hint"), [("openai-chat", "openai_chat"), ("Anthropc", "anthropic"), ("xyz", "expected one of")]
)
def test_an_unknown_format_is_refused_with_the_nearest_name(name: Any, hint: str) -> None:
    with pytest.raises(FormatError, match=hint):
        read_conversation([], format=name)


# --- one message


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"role": "developer", "content": "be brief"}, Message("system", "be brief")),
        ({"role": "human", "content": "hi"}, Message("user", "hi")),
        ({"role": "ai", "content": "hi"}, Message("assistant", "hi")),
        ({"type": "ai", "content": "hi"}, Message("assistant", "hi")),
        ({"role": "function", "name": "f", "content": "1"}, Message("tool", "1", name="f")),
        (
            {"role": "tool_result", "tool_call_id": "t", "content": "1"},
            Message("tool", "1", tool_call_id="t"),
        ),
        (
            {"role": "tool_result", "id": "t", "content": {"a": 1}},
            Message("tool", '{"a":1}', tool_call_id="t"),
        ),
        (
            {"role": "tool", "tool_call_id": "t", "content": "x", "is_error": True},
            Message("tool", "x", tool_call_id="t", is_error=True),
        ),
        ({"role": "user", "content": None}, Message("user")),
        ({"role": "assistant", "content": None, "refusal": "No."}, Message("assistant", "No.")),
        (
            {
                "role": "assistant",
                "content": [{"type": "text", "text": "The sky"}, {"type": "text", "text": " is blue."}],
            },
            Message("assistant", "The sky is blue."),
        ),
        (
            {"role": "user", "content": [{"type": "text", "text": "One"}, {"type": "text", "text": "Two"}]},
            Message("user", "One\nTwo"),
        ),
        (
            {
                "role": "assistant",
                "content": [{"type": "text", "text": "Look."}, USE, {"type": "text", "text": "Done."}],
            },
            Message("assistant", "Look.\nDone.", tool_calls=(ToolCall("find", {"a": 1}, id="t1"),)),
        ),
        (
            {"role": "assistant", "content": [USE | {"input": []}]},
            Message("assistant", tool_calls=(ToolCall("find", id="t1"),)),
        ),
        (
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [
                    {"name": "f", "args": {"a": 1}},
                    {"name": "g", "arguments": '{"b":2}', "id": 7},
                ],
            },
            Message("assistant", tool_calls=(ToolCall("f", {"a": 1}), ToolCall("g", {"b": 2}, id="7"))),
        ),
        (
            step(call("c", "f", '{"a":')),
            Message("assistant", tool_calls=(ToolCall("f", id="c", raw_arguments='{"a":'),)),
        ),
        ({"type": "reasoning", "summary": []}, Message("assistant")),
    ],
)
def test_a_raw_message_becomes_a_neutral_one(raw: Any, expected: Message) -> None:
    form = "openai_responses" if raw.get("type") == "reasoning" else None
    [message] = read_message(raw, format=form)
    assert msgspec.structs.replace(message, metadata={}) == expected


def test_a_user_message_with_results_becomes_a_message_for_each() -> None:
    raw = {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "1"}]},
            {"type": "tool_result", "tool_use_id": "b", "content": "no", "is_error": True},
            {"type": "text", "text": "and now?"},
        ],
    }
    messages = read_message(raw)
    assert [(m.role, m.content, m.tool_call_id, m.is_error) for m in messages] == [
        ("tool", "1", "a", False),
        ("tool", "no", "b", True),
        ("user", "and now?", None, False),
    ]
    assert messages[0].metadata["source"] == {"format": "anthropic", "raw": raw}
    assert messages[1].metadata["source"] == {"format": "anthropic"}


def test_a_message_that_needs_no_source_has_none() -> None:
    conversation = read_conversation([{"role": "user", "content": "hi"}, step(call("c", "f", '{"a":1}'))])
    assert [m.metadata for m in conversation.messages] == [{}, {}]


# --- whole conversations


def test_a_mapping_brings_its_system_prompt_id_and_metadata() -> None:
    held = {
        "messages": [{"role": "user", "content": "hi"}],
        "system": [{"type": "text", "text": "be"}],
        "conversation_id": 5,
        "metadata": {"a": 1, "b": 1},
    }
    conversation = read_conversation(held, metadata={"b": 2})
    assert (conversation.id, conversation.system, conversation.metadata) == ("5", "be", {"a": 1, "b": 2})


def test_responses_input_with_instructions() -> None:
    conversation = read_conversation({"instructions": "be", "input": "hi"})
    assert conversation.system == "be"
    assert to_openai_responses(conversation) == [{"role": "user", "content": "hi"}]
    assert to_openai_chat(conversation)[0] == {"role": "system", "content": "be"}


def test_leading_system_messages_are_the_system_prompt_and_later_ones_stay() -> None:
    system = {"role": "system", "content": "a"}
    conversation = read_conversation(
        [system, system | {"content": "b"}, {"role": "user", "content": "hi"}, system | {"content": "c"}]
    )
    assert conversation.system == "a\nb"
    assert [m.content for m in conversation.messages] == ["hi", "c"]
    assert [turn.user for turn in conversation] == ["hi"]


class Dumped:
    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def model_dump(self) -> dict[str, Any]:
        return self.fields


def test_objects_of_an_sdk_are_read_as_their_dump() -> None:
    messages = [
        Dumped(role="user", content="hi", name=None),
        Dumped(role="assistant", content=None, tool_calls=None),
    ]
    assert [m.content for m in read_conversation(messages).messages] == ["hi", ""]


# --- what cannot be read


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "found null; expected a list of messages"),
        ("hi", "found the text 'hi'; expected a list"),
        ({"a": 1}, 'expected a list, or an object with "messages"'),
        ({"messages": 5}, "found a number; expected a list"),
        ({"messages": [], "metadata": 5}, '"metadata" is a number; expected an object'),
        ({"messages": [], "system": 5}, '"system" has a number'),
        ([{"role": "user", "content": "a"}, "b"], r"messages\[1\]: is the text 'b'; expected a message"),
        ([{"content": "a"}], r"messages\[0\]: has no role; expected one of system"),
        (
            [{"role": "asistant", "content": "a"}],
            r"messages\[0\]: has the role \"asistant\" \(did you mean 'assistant'\?\)",
        ),
        ([{"role": ["user"], "content": "a"}], r'messages\[0\]: has the role \["user"\]; expected one of'),
        ([{"role": "user", "content": 5}], r"messages\[0\]: has a number as content; expected text"),
        ([{"role": "user", "content": {"a": 1}}], r"has an object as content"),
        ([{"role": "user", "content": [5]}], r"has a number as content\[0\]; expected a block"),
        (
            [{"role": "user", "content": [{"type": "text", "text": 5}]}],
            "has a number as the text of a text block",
        ),
        ([{"role": "assistant", "content": "", "tool_calls": "f"}], "as tool_calls; expected a list"),
        (
            [{"role": "assistant", "content": "", "tool_calls": ["f"]}],
            r"as tool_calls\[0\]; expected an object",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(value: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_conversation(value)


def test_the_error_knows_the_index() -> None:
    with pytest.raises(FormatError) as caught:
        read_conversation([{"role": "user", "content": "a"}, {"role": "bot"}])
    assert caught.value.index == 1


def deep(levels: int) -> Any:
    value: Any = "end"
    for _ in range(levels):
        value = {"type": "x", "content": [value]}
    return value


@pytest.mark.parametrize(
    "content",
    [
        "\ud800",
        "x" * 200_000,
        [{"type": "text", "text": None}],
        [{"type": "x", "data": math.nan}],
        [deep(3000)],
        [{}],
        ["text"],
    ],
    ids=["surrogate", "huge", "null text", "NaN", "deep", "no type", "string block"],
)
def test_hostile_content_is_read(content: Any) -> None:
    conversation = read_conversation([{"role": "user", "content": content}])
    for writer in (to_anthropic, to_openai_chat, to_openai_responses):
        assert len(writer(conversation, losses=[])) == 1


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"text": "a"}], "a"),
        ([{"type": "answer", "text": "a"}], "a"),
        ([{"text": "a"}, {"type": "text", "text": "b"}], "ab"),
        ([{"type": 7, "text": "a"}], "a"),
        ([{"type": "answer", "text": 7}], ""),
        ([{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "a"}], "a"),
    ],
)
def test_an_assistant_says_the_text_of_a_block_of_any_type(content: Any, text: str) -> None:
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": content}]
    conversation = read_conversation(messages)
    assert conversation.turns[0].text == text
    assert to_openai_chat(conversation) == messages


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"parts": [{"type": "text", "text": "a"}]}, "parts"),
        ({"text": "a", "content": ""}, "text"),
        ({"message": {"content": "a"}, "content": None}, "message"),
        ({"outputText": "a", "id": "m", "reply": "b"}, "outputText, reply"),
        ({"data": {"content": "a"}, "content": []}, "data"),
    ],
)
def test_an_assistant_message_with_text_outside_its_content_is_refused(fields: Any, named: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_conversation([{"role": "user", "content": "Hi"}, {"role": "assistant", **fields}])
    assert str(caught.value) == f"messages[1]: has no content, but text in {named}; expected it as content"


@pytest.mark.parametrize(
    "fields",
    [
        {"content": None, "refusal": None, "name": "bot", "id": "m1", "reasoning_content": "hm"},
        {"content": "", "message_id": "m", "text": " ", "parts": [], "user_message": "a"},
        {"content": None, "text": "a", "tool_calls": [{"id": "c", "function": {"name": "f"}}]},
        {"content": [{"type": "thinking", "thinking": "hm"}], "text": "a"},
    ],
)
def test_an_assistant_may_say_nothing(fields: Any) -> None:
    [turn] = read_conversation([{"role": "assistant", **fields}]).turns
    assert turn.text == ""
