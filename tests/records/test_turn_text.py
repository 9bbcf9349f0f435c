# ruff: noqa: E501 - tables, one case a line
"""The text of a turn is the agent's last answer, not what it said on the way."""

import pytest

from grice import read_conversation
from grice.records import Message, ToolCall, Turn

USER = Message("user", "Update it")
CALL = ToolCall("update", id="t1")
ANSWERED = Message("tool", "ok", tool_call_id="t1")


def said(text="", *, asking=False):
    return Message("assistant", text, (CALL,) if asking else ())


@pytest.mark.parametrize(
    ("messages", "text"),
    [
        ([], ""),
        ([said("Done.")], "Done."),
        ([said("One."), said("Two.")], "Two."),
        ([said("One."), said("")], ""),
        ([said("Updating.", asking=True), ANSWERED, said("Done.")], "Done."),
        ([said("Updating.", asking=True), ANSWERED, said("")], ""),
        ([said("Updating.", asking=True), ANSWERED], ""),
        ([said("Updating."), said(asking=True), ANSWERED], ""),
        ([said("Updating.", asking=True)], "Updating."),
        ([said("Updating."), said(asking=True)], "Updating."),
        ([said("Updating."), said(asking=True), said(asking=True)], "Updating."),
        ([said(asking=True)], ""),
        ([said("One.", asking=True), ANSWERED, said("Two.", asking=True)], "Two."),
        ([said("One.", asking=True), ANSWERED, said(asking=True)], ""),
        ([said(asking=True), ANSWERED, said("Please confirm."), ANSWERED, said("Done.")], "Done."),
        ([said(asking=True), ANSWERED, said("Please confirm."), ANSWERED], "Please confirm."),
    ],
)
def test_the_text_is_the_last_answer(messages, text):
    assert Turn(1, (USER, *messages)).text == text


def test_the_full_text_is_everything():
    assert Turn(1, (said("Updating.", asking=True), ANSWERED, said(""))).full_text == "Updating."


@pytest.mark.parametrize(
    "messages",
    [
        [{"role": "assistant", "content": "Checking.", "tool_calls": [{"id": "t1", "function": {"name": "f", "arguments": "{}"}}]},
         {"role": "tool", "tool_call_id": "t1", "content": "ok"},
         {"role": "assistant", "content": ""}],
        [{"role": "assistant", "content": [{"type": "text", "text": "Checking."}, {"type": "tool_use", "id": "t1", "name": "f", "input": {}}]},
         {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]},
         {"role": "assistant", "content": []}],
        [{"role": "assistant", "content": "Checking."},
         {"type": "function_call", "call_id": "t1", "name": "f", "arguments": "{}"},
         {"type": "function_call_output", "call_id": "t1", "output": "ok"}],
    ],
    ids=["chat", "anthropic", "responses"],
)  # fmt: skip
def test_logs_of_every_shape_say_the_same(messages):
    [turn] = read_conversation([{"role": "user", "content": "Hi"}, *messages]).turns
    assert (turn.text, turn.full_text) == ("", "Checking.")


def test_reasoning_after_an_answer_is_no_answer():
    items = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello."},
        {"type": "reasoning"},
    ]
    [turn] = read_conversation(items).turns
    assert turn.text == "Hello."
