"""How messages become turns, and results find their calls."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from grice.formats import (
    read_conversation,
    to_anthropic,
    turns_of,
)
from grice.records import Message, ToolCall

USE = {"type": "tool_use", "id": "t1", "name": "find", "input": {"a": 1}}


def call(call_id: str, name: str = "find", arguments: str = "{}") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def step(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def test_every_user_message_starts_a_turn_and_what_precedes_the_first_is_one_without_user() -> None:
    messages = [
        Message("assistant", "Welcome"),
        Message("user", "a"),
        Message("user", "b"),
        Message("assistant", "c"),
    ]
    turns = turns_of(messages)
    assert [(turn.number, turn.user, turn.text) for turn in turns] == [
        (1, "", "Welcome"),
        (2, "a", ""),
        (3, "b", "c"),
    ]
    assert turns_of([]) == ()


@pytest.mark.parametrize(
    ("content", "result"),
    [
        ('{"a": 1}', {"a": 1}),
        ("[1]", [1]),
        ("null", None),
        ("7", 7),
        ("free text", "free text"),
        ("{broken", "{broken"),
        ("", ""),
    ],
)
def test_a_result_that_is_json_text_is_parsed(content: str, result: Any) -> None:
    [turn] = read_conversation([step(call("c")), {"role": "tool", "tool_call_id": "c", "content": content}])
    assert turn.tool_calls[0].result == result
    assert turn.tool_calls[0].error is None


def test_only_is_error_makes_an_error() -> None:
    results = [
        {"type": "tool_result", "tool_use_id": "t1", "content": '{"error": "down"}'},
        {"type": "tool_result", "tool_use_id": "t2", "content": "down", "is_error": True},
    ]
    messages = [
        {"role": "assistant", "content": [USE, USE | {"id": "t2"}]},
        {"role": "user", "content": results},
    ]
    kept, broken = read_conversation(messages).tool_calls
    assert (kept.result, kept.error) == ({"error": "down"}, None)
    assert (broken.result, broken.error) == (msgspec.UNSET, "down")


def answer(content: str, call_id: str | None = None, name: str | None = None) -> Message:
    return Message("tool", content, tool_call_id=call_id, name=name)


def asks(*calls: tuple[str, str]) -> Message:
    return Message("assistant", tool_calls=tuple(ToolCall(name, id=call_id) for call_id, name in calls))


@pytest.mark.parametrize(
    ("messages", "results"),
    [
        pytest.param(
            [asks(("a", "f"), ("b", "f")), answer("B", "b"), answer("A", "a")],
            ["A", "B"],
            id="by id, in any order",
        ),
        pytest.param(
            [asks(("a", "f")), answer("1x", "a"), asks(("a", "f")), answer("2x", "a")],
            ["1x", "2x"],
            id="an id used again",
        ),
        pytest.param(
            [asks(("a", "f")), Message("user"), asks(("a", "f")), answer("x", "a")],
            [None, "x"],
            id="the nearest of an id",
        ),
        pytest.param(
            [asks(("a", "f"), ("a", "f")), answer("1x", "a"), answer("2x", "a")],
            ["1x", "2x"],
            id="an id twice in a step",
        ),
        pytest.param(
            [asks(("", "f"), ("", "g")), answer("G", name="g"), answer("F", name="f")],
            ["F", "G"],
            id="by name",
        ),
        pytest.param([asks(("", "f"), ("", "g")), answer("F"), answer("G")], ["F", "G"], id="by order"),
        pytest.param([asks(("", "f")), answer("F", "x")], ["F"], id="a result with an id for a call without"),
        pytest.param([asks(("a", "f")), answer("F", "x")], [None], id="another id is no answer"),
        pytest.param([asks(("", "f")), answer("G", name="g")], [None], id="another name is no answer"),
        pytest.param(
            [asks(("a", "f")), Message("user", "hm"), answer("F", "a")], ["F"], id="an answer in a later turn"
        ),
        pytest.param([answer("F", "a"), asks(("a", "f"))], [None], id="an answer before its call"),
        pytest.param([asks(("a", "f")), answer("x", "a"), answer("y", "a")], ["x"], id="a second answer"),
    ],
)
def test_results_find_their_calls(messages: list[Message], results: list[Any]) -> None:
    calls = [found for turn in turns_of(messages) for found in turn.tool_calls]
    assert [found.result if found.answered else None for found in calls] == results


RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "free"}
REMINDER = {"type": "text", "text": "<system-reminder>Be brief.</system-reminder>"}


@pytest.mark.parametrize("blocks", [[RESULT, REMINDER], [REMINDER, RESULT], [REMINDER, RESULT, REMINDER]])
def test_text_beside_tool_results_starts_no_turn_and_is_written_back(blocks: list[dict[str, Any]]) -> None:
    messages = [
        {"role": "user", "content": "Is it free?"},
        {"role": "assistant", "content": [USE]},
        {"role": "user", "content": blocks},
        {"role": "assistant", "content": "It is."},
        {"role": "user", "content": [REMINDER]},
    ]
    conversation = read_conversation(messages)
    assert [(turn.user, turn.text) for turn in conversation.turns] == [
        ("Is it free?", "It is."),
        (REMINDER["text"], ""),
    ]
    assert conversation.turns[0].tool_calls[0].result == "free"
    beside = [m.content for m in conversation.messages if m.metadata.get("beside_results")]
    assert beside == [REMINDER["text"]] * blocks.count(REMINDER)
    assert to_anthropic(conversation) == messages
