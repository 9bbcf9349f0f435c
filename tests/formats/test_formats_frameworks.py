"""What the formats of LangChain, ADK, tau2 and OpenTelemetry become, and that they come back as they were."""

from __future__ import annotations

import copy
import json
from typing import Any

import msgspec
import pytest

import grice
from grice.formats import FormatError, Loss, detect_format, read_conversation, read_message
from grice.formats.unread import with_unread
from grice.records import Message, ToolCall, decode_conversation, encode_conversation

BROKEN = ToolCall("g", id="c2", raw_arguments="{bad")
FIND = ToolCall("find", {"a": 1}, id="c1")
CALLED = Message("assistant", tool_calls=(FIND,))
BY_USER = {"requestor": "user"}
DUMPED: dict[str, Any] = {"additional_kwargs": {}, "response_metadata": {}, "name": None, "id": None}
LC_CALL = {"name": "find", "args": {"a": 1}, "id": "c1", "type": "tool_call"}
OTHER_CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"a":1}'}}


def said(text: str, role: str = "model") -> dict[str, Any]:
    return {"role": role, "parts": [{"text": text}]}


def call_part(name: str = "find", key: str = "function_call") -> dict[str, Any]:
    return {key: {"id": "c1", "name": name, "args": {"a": 1}}}


def answer(response: Any, key: str = "function_response") -> dict[str, Any]:
    return {key: {"id": "c1", "name": "find", "response": response}}


def event(author: str, *parts: dict[str, Any], role: str = "model") -> dict[str, Any]:
    return {"author": author, "content": {"role": role, "parts": list(parts)}}


def invocation(*events: dict[str, Any], final: Any = None) -> dict[str, Any]:
    return {
        "invocation_id": "e-1",
        "user_content": said("hi", "user"),
        "intermediate_data": {"invocation_events": list(events)},
        "final_response": final,
    }


HI = Message("user", "hi")
DONE = Message("assistant", "Done.")
FOUND = Message("tool", "1", tool_call_id="c1", name="find")

READ: list[tuple[str, str, Any, list[Message]]] = [
    ("langchain", "plain", {"type": "human", "content": "hi"}, [HI]),
    ("langchain", "dump", {**DUMPED, "type": "ai", "content": "Done.", "tool_calls": []}, [DONE]),
    (
        "langchain",
        "serialised",
        {"type": "human", "data": {**DUMPED, "content": "hi", "type": "human"}},
        [HI],
    ),
    (
        "langchain",
        "constructor",
        {"lc": 1, "type": "constructor", "id": ["langchain", "HumanMessage"], "kwargs": {"content": "hi"}},
        [HI],
    ),
    ("langchain", "call", {"type": "ai", "content": "", "tool_calls": [LC_CALL]}, [CALLED]),
    (
        "langchain",
        "malformed call",
        {"type": "ai", "content": "", "invalid_tool_calls": [{"name": "g", "args": "{bad", "id": "c2"}]},
        [Message("assistant", tool_calls=(BROKEN,))],
    ),
    (
        "langchain",
        "call in the content and in the list",
        {
            "type": "ai",
            "content": [
                {"type": "text", "text": "Look."},
                {"type": "tool_use", "id": "c1", "name": "find", "input": {"a": 1}},
            ],
            "tool_calls": [LC_CALL],
        },
        [Message("assistant", "Look.", (FIND,))],
    ),
    ("langchain", "call in the content alone", {"type": "ai", "content": [LC_CALL]}, [CALLED]),
    (
        "langchain",
        "call of an older release",
        {"type": "ai", "content": "", "additional_kwargs": {"tool_calls": [OTHER_CALL]}},
        [CALLED],
    ),
    (
        "langchain",
        "result",
        {"type": "tool", "content": "1", "tool_call_id": "c1", "name": "find", "status": "error"},
        [Message("tool", "1", (), "c1", "find", is_error=True)],
    ),
    ("langchain", "piece", {"type": "AIMessageChunk", "content": "Done."}, [DONE]),
    ("langchain", "other role", {"type": "chat", "role": "user", "content": "hi"}, [HI]),
    ("langchain", "system", {"type": "system", "content": "be"}, [Message("system", "be")]),
    ("adk", "final response alone", invocation(final=said("Done.")), [HI, DONE]),
    (
        "adk",
        "events",
        invocation(
            event("root", {"text": "Look."}, call_part()),
            event("root", answer({"result": 1}), role="user"),
            final=said("Done."),
        ),
        [HI, Message("assistant", "Look.", (FIND,), name="root"), FOUND, DONE],
    ),
    (
        "adk",
        "tool uses",
        {
            "userContent": said("hi", "user"),
            "finalResponse": said("Done."),
            "intermediateData": {
                "toolUses": [call_part()["function_call"]],
                "toolResponses": [answer({"output": "1"})["function_response"]],
                "intermediateResponses": [["helper", [{"text": "Look."}]]],
            },
        },
        [HI, Message("assistant", "Look.", name="helper"), CALLED, FOUND, DONE],
    ),
    (
        "adk",
        "final response that is an event too",
        invocation(event("root", {"text": "Done."}), final=said("Done.")),
        [HI, msgspec.structs.replace(DONE, name="root")],
    ),
    ("adk", "empty final response", invocation(final={"role": "model", "parts": [{"text": None}]}), [HI]),
    ("adk", "event of the user", event("user", {"text": "hi"}, role="user"), [HI]),
    ("adk", "event in camelCase", event("agent", call_part(key="functionCall")), [CALLED]),
    (
        "adk",
        "error",
        event("agent", answer({"error": "no"}, "functionResponse"), role="user"),
        [Message("tool", "no", (), "c1", "find", is_error=True)],
    ),
    (
        "adk",
        "object",
        event("agent", answer({"error": "no", "code": 1}), role="user"),
        [msgspec.structs.replace(FOUND, content='{"error":"no","code":1}')],
    ),
    ("adk", "thought", event("agent", {"text": "hm", "thought": True}, {"text": "Done."}), [DONE]),
    ("adk", "content of Gemini", said("Done."), [DONE]),
    (
        "tau2",
        "call",
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{**LC_CALL, "arguments": {"a": 1}, "requestor": "assistant"}],
        },
        [CALLED],
    ),
    (
        "tau2",
        "call by the user",
        {
            "role": "user",
            "content": None,
            "tool_calls": [{"id": "c1", "name": "find", "arguments": {"a": 1}, **BY_USER}],
        },
        [Message("user", tool_calls=(msgspec.structs.replace(FIND, metadata=BY_USER),))],
    ),
    (
        "tau2",
        "failed result",
        {"id": "c1", "role": "tool", "content": "no", "requestor": "assistant", "error": True},
        [Message("tool", "no", (), "c1", is_error=True)],
    ),
    (
        "tau2",
        "several results",
        {
            "role": "tool",
            "tool_messages": [
                {"id": "a", "role": "tool", "content": "1", "requestor": "user", "error": False},
                {"id": "b", "role": "tool", "content": None, "requestor": "user", "error": True},
            ],
        },
        [Message("tool", "1", (), "a", metadata=BY_USER), Message("tool", "", (), "b", None, True, BY_USER)],
    ),
    ("tau2", "dump", {"role": "user", "content": "hi", "turn_idx": 0, "timestamp": "t", "cost": 0.0}, [HI]),
    ("otel", "text", {"role": "user", "parts": [{"type": "text", "content": "hi"}]}, [HI]),
    (
        "otel",
        "output",
        {"role": "assistant", "parts": [{"type": "text", "content": "Done."}], "finish_reason": "stop"},
        [msgspec.structs.replace(DONE, metadata={"finish_reason": "stop"})],
    ),
    (
        "otel",
        "call after reasoning",
        {
            "role": "assistant",
            "parts": [
                {"type": "reasoning", "content": "hm"},
                {"type": "tool_call", "id": "c1", "name": "find", "arguments": {"a": 1}},
            ],
        },
        [CALLED],
    ),
    (
        "otel",
        "malformed call",
        {"role": "assistant", "parts": [{"type": "tool_call", "id": "c2", "name": "g", "arguments": "{bad"}]},
        [Message("assistant", tool_calls=(BROKEN,))],
    ),
    (
        "otel",
        "results",
        {
            "role": "tool",
            "parts": [
                {"type": "tool_call_response", "id": "a", "response": {"x": 1}},
                {"type": "tool_call_response", "id": "b", "result": "2"},
            ],
        },
        [Message("tool", '{"x":1}', (), "a"), Message("tool", "2", (), "b")],
    ),
    (
        "otel",
        "name",
        {"role": "user", "name": "Ann", "parts": [{"type": "text", "content": "hi"}]},
        [msgspec.structs.replace(HI, name="Ann")],
    ),
]


def bare(message: Message) -> Message:
    return msgspec.structs.replace(
        message, metadata={key: value for key, value in message.metadata.items() if key != "source"}
    )


def assert_same(found: Any, expected: Any) -> None:
    assert json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True)


@pytest.mark.parametrize(
    ("form", "raw", "expected"), [pytest.param(f, raw, e, id=f"{f}: {name}") for f, name, raw, e in READ]
)
def test_a_message_is_told_by_its_content_read_and_written_back(
    form: str, raw: dict[str, Any], expected: list[Message]
) -> None:
    before = copy.deepcopy(raw)
    writer = getattr(grice, f"to_{form}")
    assert detect_format([raw]) == form
    assert [bare(message) for message in read_message(raw)] == expected
    losses: list[Loss] = []
    conversation = read_conversation([raw, raw])
    for again in (conversation, decode_conversation(encode_conversation(conversation))):
        assert_same(writer(again, losses=losses), [before, before])
    assert_same(writer(read_message(raw), losses=losses), [before])
    assert (losses, raw) == ([], before)


class Dumped:
    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def model_dump(self) -> dict[str, Any]:
        return self.fields


class Older:
    type = "human"
    content = "hi"
    additional_kwargs: dict[str, Any] = {}  # noqa: RUF012


def test_message_objects_of_langchain_are_read() -> None:
    messages = [Older(), Dumped(**DUMPED, type="ai", content="", tool_calls=[LC_CALL])]
    conversation = read_conversation({"messages": messages})
    assert [bare(message) for message in conversation.messages] == [HI, CALLED]
    assert read_message(Older())[0].content == "hi"


def test_eval_cases_and_sessions_of_adk_are_read_whole() -> None:
    case = {"eval_id": "case-1", "conversation": [invocation(final=said("Done."))], "session_input": {}}
    conversation = read_conversation(case)
    assert (conversation.id, [turn.text for turn in conversation.turns]) == ("case-1", ["Done."])
    assert grice.to_adk(conversation) == case["conversation"]
    session = {"id": "s", "events": [event("user", {"text": "hi"}), {"author": "agent", "actions": {"x": 1}}]}
    assert [m.content for m in read_conversation(session).messages] == ["hi", ""]
    assert grice.to_adk(read_conversation(session)) == session["events"]


def test_what_a_user_does_with_own_tools_is_no_turn_and_no_call_of_the_agent() -> None:
    conversation = read_conversation(
        [
            {"role": "user", "content": "No signal."},
            {"role": "assistant", "content": "Please toggle it."},
            {
                "role": "user",
                "content": None,
                "tool_calls": [{"id": "c1", "name": "toggle", "arguments": {}, "requestor": "user"}],
            },
            {"id": "c1", "role": "tool", "content": "on", "requestor": "user", "error": False},
            {"role": "user", "content": "It is on."},
            {"role": "assistant", "content": "Good."},
        ]
    )
    assert [(t.user, t.text) for t in conversation.turns] == [
        ("No signal.", "Please toggle it."),
        ("It is on.", "Good."),
    ]
    assert not conversation.called_tool("toggle")
    [call] = conversation.messages[2].tool_calls
    assert call.metadata == conversation.messages[3].metadata == BY_USER


def test_content_that_is_no_text_is_told() -> None:
    raws: list[Any] = [
        {
            "role": "user",
            "parts": [{"type": "uri", "modality": "image", "uri": "u"}, {"type": "text", "content": "a"}],
        },
        invocation(event("agent", {"inline_data": {"data": "aGk="}}), final=said("Done.")),
        {"type": "human", "data": {"content": [{"type": "image", "url": "u"}]}},
    ]
    found = [[unread for _, unread in with_unread(read_message(raw))] for raw in raws]
    assert found == [
        ['{"type":"uri","modality":"image","uri":"u"}'],
        ["", '{"type":"inline_data","inline_data":{"data":"aGk="}}', ""],
        ['{"type":"image","url":"u"}'],
    ]


@pytest.mark.parametrize(
    ("raw", "form", "message"),
    [
        ({"type": "ai", "content": "", "tool_calls": 5}, None, "has a number as tool_calls; expected a list"),
        (
            {"type": "ai", "content": "", "invalid_tool_calls": [5]},
            None,
            r"invalid_tool_calls\[0\]; expected",
        ),
        ({"type": "chat", "role": "critic", "content": ""}, None, 'has the role "critic"; expected one of'),
        ({"user_content": 5}, None, "has a number as content; expected an object with parts"),
        ({"user_content": {"parts": [5]}}, None, r"has a number as parts\[0\]; expected a part"),
        ({"user_content": {"role": "x", "parts": []}}, None, 'has the role "x"; expected one of user'),
        ({"a": 1}, "adk", "is no invocation, event or content; expected user_content"),
        ({"user_content": {}, "intermediate_data": {"tool_uses": 5}}, None, "a number as tool_uses"),
        ({"role": "tool", "tool_messages": 5}, None, "as tool_messages; expected a list"),
        ({"role": "tool", "tool_messages": [5]}, None, r"tool_messages\[0\]; expected an object"),
        ({"role": "user", "parts": 5}, "otel", "has a number as parts; expected a list"),
        ({"role": "user", "parts": [5]}, "otel", r"as parts\[0\]; expected a part"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(raw: Any, form: Any, message: str) -> None:
    with pytest.raises(FormatError, match=rf"^messages\[0\]: .*{message}"):
        read_conversation([raw], format=form)


def test_a_chat_is_written_in_every_shape() -> None:
    chat = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "Look.", "tool_calls": [OTHER_CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "1"},
        {"role": "assistant", "content": "Done."},
    ]
    conversation = read_conversation(chat)
    assert grice.to_langchain(conversation) == [
        {"type": "human", "content": "hi"},
        {"type": "ai", "content": "Look.", "tool_calls": [LC_CALL]},
        {"type": "tool", "content": "1", "tool_call_id": "c1"},
        {"type": "ai", "content": "Done."},
    ]
    assert grice.to_adk(conversation) == [
        {
            "user_content": said("hi", "user"),
            "intermediate_data": {
                "invocation_events": [
                    event("agent", {"text": "Look."}, call_part()),
                    event("agent", answer({"output": "1"}), role="user"),
                ]
            },
            "final_response": said("Done."),
        }
    ]
    assert grice.to_tau2(conversation)[1:3] == [
        {
            "role": "assistant",
            "content": "Look.",
            "tool_calls": [{"id": "c1", "name": "find", "arguments": {"a": 1}, "requestor": "assistant"}],
        },
        {"id": "c1", "role": "tool", "content": "1", "requestor": "assistant", "error": False},
    ]
    assert grice.to_otel(conversation)[1:3] == [
        {
            "role": "assistant",
            "parts": [
                {"type": "text", "content": "Look."},
                {"type": "tool_call", "id": "c1", "name": "find", "arguments": {"a": 1}},
            ],
        },
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "1"}]},
    ]
