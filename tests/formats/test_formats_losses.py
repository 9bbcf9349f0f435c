"""What a format has no place for is named, at its place; nothing else is."""

from __future__ import annotations

import warnings
from typing import Any

import msgspec
import pytest

import grice
from grice.formats import FORMATS, Format, Loss, read_conversation
from grice.records import Message, ToolCall

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
TEXT = {"type": "text", "text": "a"}
USE = {"type": "tool_use", "id": "t", "name": "find", "input": {}}
BROKEN = ToolCall("find", id="c", raw_arguments="{bad")
CUSTOM = ToolCall("run", id="c", raw_arguments="ls -l", metadata={"custom": True})
BY_USER = [
    Message("user", tool_calls=(ToolCall("toggle", id="u", metadata={"requestor": "user"}),)),
    Message("tool", "on", tool_call_id="u", metadata={"requestor": "user"}),
]
FAILED = [
    Message("assistant", tool_calls=(ToolCall("find", id="c"),)),
    Message("tool", "no", tool_call_id="c", is_error=True),
]
NOT_FAILED = Loss("messages[1].is_error", "that the tool failed")
NAME = Loss("messages[0].name", "the name 'Ann'")
RAW = Loss("messages[0].tool_calls[0].raw_arguments", "arguments that are no object, '{bad'")
NO_TEXT: tuple[Format, ...] = ("adk", "anthropic", "tau2")
USERS_CALL = [
    Loss("messages[0].tool_calls[0]", "a call of toggle by the user"),
    Loss("messages[1].content", "the result of a call by the user"),
]
LOSSES: dict[str, tuple[list[Message], dict[Format, list[Loss]]]] = {
    "a failed result": (
        FAILED,
        {"openai_chat": [NOT_FAILED], "openai_responses": [NOT_FAILED], "otel": [NOT_FAILED]},
    ),
    "malformed arguments": (
        [Message("assistant", tool_calls=(BROKEN,))],
        {"adk": [RAW], "anthropic": [RAW], "tau2": [RAW]},
    ),
    "a call of a custom tool": (
        [Message("assistant", tool_calls=(CUSTOM,))],
        {
            form: [
                *[Loss(RAW.path, "arguments that are no object, 'ls -l'")] * (form in NO_TEXT),
                Loss("messages[0].tool_calls[0].metadata.custom", "that its tool takes a text"),
            ]
            for form in FORMATS
            if form not in ("openai_chat", "openai_responses")
        },
    ),
    "malformed arguments among others": (
        [Message("assistant", tool_calls=(BROKEN, ToolCall("find", id="d")))],
        {
            "langchain": [Loss("messages[0].tool_calls", "the order of the calls")],
            **{form: [RAW] for form in NO_TEXT},
        },
    ),
    "a name": (
        [Message("user", "hi", name="Ann")],
        {"adk": [NAME], "anthropic": [NAME], "openai_responses": [NAME], "tau2": [NAME]},
    ),
    "a system message later": (
        [Message("user", "hi"), Message("system", "be")],
        {form: [Loss("messages[1].content", "a system message")] for form in ("adk", "anthropic")},
    ),
    "a call by the user": (
        BY_USER,
        {form: USERS_CALL for form in FORMATS if form not in ("otel", "tau2")},
    ),
    "metadata": (
        [Message("assistant", "hi", metadata={"finish_reason": "stop"})],
        {form: [Loss("messages[0].metadata.finish_reason", "'stop'")] for form in FORMATS if form != "otel"},
    ),
    "text beside results": (
        [Message("user", "psst", metadata={"beside_results": True})],
        {
            form: [Loss("messages[0].metadata.beside_results", "that it stands beside results")]
            for form in FORMATS
        },
    ),
    "a result in a call alone": (
        [Message("assistant", tool_calls=(ToolCall("find", id="c", result=1),))],
        {
            form: [Loss("messages[0].tool_calls[0].result", "a result that no tool message holds")]
            for form in FORMATS
        },
    ),
    "the tool's own name": (
        [FAILED[0], Message("tool", "1", tool_call_id="c", name="find")],
        {},
    ),
    "a result that a tool message holds": (
        [
            Message("assistant", tool_calls=(ToolCall("find", id="c", result=1),)),
            Message("tool", "1", (), "c", "find"),
        ],
        {},
    ),
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("case", LOSSES)
def test_a_writer_names_what_its_format_has_no_place_for(case: str, form: Format) -> None:
    messages, expected = LOSSES[case]
    losses: list[Loss] = []
    getattr(grice, f"to_{form}")(messages, losses=losses)
    assert losses == expected.get(form, [])


@pytest.mark.parametrize(
    ("raw", "form", "expected"),
    [
        (
            {"role": "user", "content": [IMAGE, {"type": "text", "text": "what is it?"}]},
            "openai_chat",
            [Loss("messages[0].content", "content of type image")],
        ),
        (
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}]},
            "langchain",
            [Loss("messages[0].content", "content of type thinking")],
        ),
        (
            {"type": "web_search_call", "id": "w"},
            "anthropic",
            [Loss("messages[0].content", "content of type web_search_call")],
        ),
        (
            {
                "role": "assistant",
                "id": "m",
                "content": [{"type": "text", "text": "a", "citations": [1]}],
                "stop_reason": "end_turn",
            },
            "openai_chat",
            [Loss("messages[0]", "fields id, content[0].citations, stop_reason")],
        ),
        (
            {
                "role": "tool",
                "id": "c",
                "content": "1",
                "requestor": "assistant",
                "error": False,
                "turn_idx": 3,
            },
            "otel",
            [Loss("messages[0]", "the field turn_idx")],
        ),
        (
            {"type": "ai", "content": "a", "response_metadata": {}, "usage_metadata": {"input_tokens": 1}},
            "anthropic",
            [Loss("messages[0]", "the field usage_metadata")],
        ),
        (
            {"role": "user", "parts": [{"inline_data": {"data": "aGk="}}, {"text": "hi"}]},
            "otel",
            [Loss("messages[0].content", "content of type inline_data")],
        ),
        ({"role": "assistant", "content": None, "tool_calls": [], "refusal": None}, "adk", []),
        (
            {"role": "assistant", "content": "x", "refusal": "no"},
            "anthropic",
            [Loss("messages[0]", "the field refusal")],
        ),
        ({"role": "assistant", "content": None, "refusal": "no"}, "anthropic", []),
        (
            {"type": "ai", "content": "x", "additional_kwargs": {"refusal": "no"}},
            "openai_chat",
            [Loss("messages[0]", "the field additional_kwargs")],
        ),
        ({"type": "ai", "content": "", "additional_kwargs": {"refusal": "no"}}, "openai_chat", []),
        (
            {"role": "assistant", "content": "x", "refusal": "no", "requestor": "assistant"},
            "openai_chat",
            [Loss("messages[0]", "the field refusal")],
        ),
        (
            {"role": "assistant", "content": "a", "finish_reason": "stop", "output": "b"},
            "anthropic",
            [Loss("messages[0]", "fields finish_reason, output")],
        ),
        (
            {"role": "assistant", "content": "a", "tool_calls": [], "function_call": {"name": "f"}},
            "otel",
            [Loss("messages[0]", "the field function_call")],
        ),
        (
            {"role": "user", "content": "a", "tool_calls": [1]},
            "langchain",
            [Loss("messages[0]", "the field tool_calls")],
        ),
        (
            {"role": "assistant", "name": "bot", "content": [TEXT, USE]},
            "openai_chat",
            [Loss("messages[0]", "the field name")],
        ),
        ({"role": "tool", "tool_call_id": "c", "content": "x", "status": "error"}, "langchain", []),
        (
            {"type": "function_call", "call_id": "c", "id": "fc", "name": "f", "arguments": "{}"},
            "openai_chat",
            [Loss("messages[0]", "the field id")],
        ),
        (
            {
                "user_content": {"parts": [{"text": "hi"}]},
                "intermediate_data": {
                    "invocation_events": [{"author": "bot", "errorMessage": "blocked"}],
                    "more": 1,
                },
            },
            "openai_chat",
            [Loss("messages[0]", "fields more, errorMessage")],
        ),
        (
            {"role": "assistant", "content": [TEXT, USE, TEXT]},
            "openai_chat",
            [Loss("messages[0].content", "that text stands behind a call")],
        ),
        (
            {
                "type": "ai",
                "content": [TEXT, USE, TEXT],
                "tool_calls": [{"name": "find", "args": {}, "id": "t", "type": "tool_call"}],
            },
            "openai_chat",
            [Loss("messages[0].content", "that text stands behind a call")],
        ),
        ({"role": "assistant", "content": [TEXT, TEXT, USE, USE | {"id": "u"}]}, "openai_chat", []),
        (
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            "tau2",
            [],
        ),
        (
            {"type": "function_call", "call_id": "c", "name": "f", "arguments": '{ "a" : 1}'},
            "openai_chat",
            [],
        ),
    ],
)
def test_what_only_the_raw_message_holds_is_named(raw: Any, form: Format, expected: list[Loss]) -> None:
    losses: list[Loss] = []
    getattr(grice, f"to_{form}")(read_conversation([raw]), losses=losses)
    assert losses == expected


@pytest.mark.parametrize(
    ("event", "what"),
    [
        ({"id": "e", "errorCode": "SAFETY", "errorMessage": "no"}, "fields id, errorCode, errorMessage"),
        ({"content": {"role": "model"}, "actions": {"stateDelta": {"cart": 1}}}, "the field actions"),
        ({"content": {"parts": [{"text": "Hel"}]}, "partial": True}, "fields content, partial"),
    ],
)
def test_an_event_that_says_nothing_is_no_message_elsewhere_and_its_fields_are_named(
    event: dict[str, Any], what: str
) -> None:
    events = [{"author": "user", "content": {"parts": [{"text": "hi"}]}}, {"author": "bot", **event}]
    losses: list[Loss] = []
    assert len(grice.to_openai_chat(read_conversation(events), losses=losses)) == 1
    assert losses == [Loss("messages[1]", what)]
    assert grice.to_adk(read_conversation(events, format="adk"))[1:] == events[1:]


def test_what_an_edit_leaves_behind_is_named_in_the_same_format_too() -> None:
    raw = {"role": "user", "content": [IMAGE, {"type": "text", "text": "my card is 4111"}]}
    [message] = grice.formats.read_message(raw)
    losses: list[Loss] = []
    grice.to_anthropic([message], losses=losses)
    assert losses == []
    grice.to_anthropic([msgspec.structs.replace(message, content="my card is [card]")], losses=losses)
    assert losses == [Loss("messages[0].content", "content of type image")]


def test_a_system_prompt_beside_the_list_is_no_loss_but_what_stood_beside_it_is() -> None:
    chat = [{"role": "system", "content": "be", "name": "boss"}, {"role": "user", "content": "hi"}]
    conversation = read_conversation(chat)
    assert (grice.to_anthropic(conversation), conversation.system) == (chat[1:], "be")
    assert grice.to_adk(conversation)
    losses: list[Loss] = []
    grice.to_tau2(conversation, losses=losses)
    assert losses == [Loss("system.name", "the name 'boss'")]


def test_system_messages_at_the_beginning_are_one_prompt() -> None:
    chat = [
        {"role": "system", "content": "be kind"},
        {"role": "developer", "content": "be brief", "name": "boss"},
        {"role": "user", "content": "hi"},
    ]
    conversation = read_conversation(chat)
    assert conversation.system == "be kind\nbe brief"
    assert grice.to_openai_chat(conversation) == chat
    losses: list[Loss] = []
    assert grice.to_anthropic(conversation, losses=losses) == chat[2:]
    assert losses == []
    head = {"role": "system", "content": "be kind\nbe brief"}
    assert grice.to_openai_responses(conversation, losses=losses)[0] == head
    assert losses == [Loss("system[1].name", "the name 'boss'")]


def test_without_a_list_a_warning_names_the_format_the_places_and_what_is_lost() -> None:
    messages = [Message("user", "hi", name="Ann") for _ in range(6)]
    with pytest.warns(grice.FormatLossWarning) as caught:
        grice.to_anthropic(messages)
    [warning] = caught
    assert warning.filename == __file__
    places = ", ".join(f"messages[{n}].name (the name 'Ann')" for n in range(4))
    assert (
        str(warning.message)
        == f"anthropic has no place for {places} and 2 more; with losses=[] they come as a list"
    )


def test_a_conversation_that_fits_warns_of_nothing() -> None:
    chat: list[dict[str, Any]] = [
        {"role": "system", "content": "be"},
        {"role": "user", "content": "hi"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "c", "content": "1"},
        {"role": "assistant", "content": "Done."},
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for form in FORMATS:
            getattr(grice, f"to_{form}")(read_conversation(chat))
