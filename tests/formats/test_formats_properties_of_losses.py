"""Any conversation, written in any format and read back, says and does the same; or what is lost is named."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import grice
from grice.formats import FORMATS, Format, Loss, read_conversation
from grice.records import Conversation, Message, ToolCall

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(
    ["ok", '{"a":1}', '{"a": 1}', '{"error":"no"}', '{"output":"x"}', "[]", " "]
)
names = st.none() | st.sampled_from(["ann", "bot", "agent", "user"])
values = st.none() | st.booleans() | st.integers(-5, 5) | texts
objects = st.dictionaries(texts, values | st.lists(values, max_size=2), max_size=2)
calls = st.one_of(
    st.builds(ToolCall, st.sampled_from(["find", "book"]), objects),
    st.builds(ToolCall, st.just("find"), raw_arguments=st.sampled_from(["{bad", "[1]", '"x"'])),
)
finished = st.sampled_from([{}, {}, {"finish_reason": "stop"}, {"tag": [1]}])
spoken = st.builds(
    Message,
    st.sampled_from(["user", "assistant", "assistant", "system"]),
    texts,
    name=names,
    metadata=finished,
)


@st.composite
def conversations(draw: st.DrawFn) -> list[Message]:
    """Messages of all kinds; calls have ids and, mostly, results."""
    messages = [Message("user", draw(texts))]  # what a system message would be is the system prompt
    for step in range(draw(st.integers(0, 5))):
        if draw(st.booleans()):
            messages.append(draw(spoken))
            continue
        by: Any = draw(st.sampled_from(["assistant", "assistant", "user"]))
        marked = {"requestor": "user"} if by == "user" else {}
        asked = tuple(
            ToolCall(call.name, call.arguments, f"{step}-{n}", call.raw_arguments, metadata=marked)
            for n, call in enumerate(draw(st.lists(calls, min_size=1, max_size=3)))
        )
        messages.append(Message(by, draw(texts), asked, name=None if marked else draw(names)))
        for call in asked:
            if draw(st.integers(0, 5)):
                name = draw(st.sampled_from([None, call.name, "other"]))
                failed = draw(st.booleans())
                messages.append(Message("tool", draw(texts), (), call.id, name, failed, marked))
    return messages


def facts(messages: Any, lost: dict[str, str]) -> tuple[list[Any], list[Any]]:
    """The texts and results in order, and the calls, but for what is named as lost."""
    said: list[Any] = []
    done: list[Any] = []
    for index, message in enumerate(messages):
        place = f"messages[{index}]"
        if f"{place}.content" not in lost and (message.content or message.role == "tool"):
            failed = message.is_error and f"{place}.is_error" not in lost
            name = None if f"{place}.name" in lost or message.role == "tool" else message.name
            said.append((message.role, name, message.content, message.tool_call_id, failed))
        for number, call in enumerate(message.tool_calls):
            of_call = f"{place}.tool_calls[{number}]"
            if of_call not in lost:
                raw = None if f"{of_call}.raw_arguments" in lost else call.raw_arguments
                done.append((message.role, call.id, call.name, call.arguments, raw))
    return said, sorted(done, key=repr)


@pytest.mark.parametrize("form", FORMATS)
@given(messages=conversations(), system=st.none() | st.just("be brief"))
def test_what_is_written_comes_back_or_is_named_as_lost(
    form: Format, messages: list[Message], system: str | None
) -> None:
    conversation = Conversation(turns=grice.formats.turns_of(messages), system=system)
    losses: list[Loss] = []
    written = getattr(grice, f"to_{form}")(conversation, losses=losses)
    back = read_conversation(written, format=form)
    lost = {loss.path: loss.what for loss in losses}
    expected = facts(messages, lost)
    found = list(back.messages)
    assert facts(found, {}) == expected
    assert back.system == (None if form in ("adk", "anthropic") else system)
    if not losses:
        assert [t.user for t in back.turns] == [t.user for t in conversation.turns]
    assert all(re.fullmatch(r"messages\[\d+\]\.[\w.\[\]]+", loss.path) for loss in losses)


@pytest.mark.parametrize("form", FORMATS)
@given(messages=conversations())
def test_what_was_written_is_read_and_written_without_change(form: Format, messages: list[Message]) -> None:
    written = getattr(grice, f"to_{form}")(messages, losses=[])
    losses: list[Loss] = []
    assert getattr(grice, f"to_{form}")(read_conversation(written, format=form), losses=losses) == written
    assert losses == []
