"""What a writer gives for a clean conversation is what the lint calls clean."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import grice
from grice.checks.message_lint.finding import Dialect
from grice.formats import Loss, read_conversation
from grice.records import Conversation, Message, ToolCall

DIALECTS: tuple[Dialect, ...] = ("anthropic", "openai_chat", "openai_responses")
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).filter(str.strip)
objects = st.dictionaries(words, st.none() | st.integers(-5, 5) | words, max_size=2)
calls = st.builds(ToolCall, st.sampled_from(["find", "book"]), objects) | st.builds(
    ToolCall,
    st.just("run"),
    raw_arguments=st.sampled_from(["ls -l", "[1]"]),
    metadata=st.just({"custom": True}),
)


@st.composite
def clean_messages(draw: st.DrawFn) -> list[Message]:
    """Messages that say something, and calls that are answered at once."""
    messages = [Message("system", text) for text in draw(st.lists(words, max_size=2))]
    messages.append(Message("user", draw(words)))
    for step in range(draw(st.integers(0, 5))):
        if draw(st.booleans()):
            messages.append(Message(draw(st.sampled_from(["user", "assistant", "system"])), draw(words)))
            continue
        asked = tuple(
            ToolCall(call.name, call.arguments, f"{step}-{n}", call.raw_arguments, metadata=call.metadata)
            for n, call in enumerate(draw(st.lists(calls, min_size=1, max_size=3)))
        )
        messages.append(Message("assistant", draw(st.just("") | words), asked))
        messages += [
            Message("tool", draw(words), (), call.id, call.name, draw(st.booleans())) for call in asked
        ]
    return messages


def errors_in(written: Any, dialect: Dialect) -> list[str]:
    return [str(one) for one in grice.lint_messages(written, dialect=dialect) if one.severity == "error"]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("through", [None, *DIALECTS])
@given(messages=clean_messages(), system=st.none() | st.just("be brief"))
def test_a_clean_conversation_is_written_clean(
    through: Dialect | None, dialect: Dialect, messages: list[Message], system: str | None
) -> None:
    conversation = Conversation(turns=grice.formats.turns_of(messages), system=system)
    if through is not None:
        written = getattr(grice, f"to_{through}")(conversation, losses=[])
        conversation = read_conversation(written, format=through)
    losses: list[Loss] = []
    written = getattr(grice, f"to_{dialect}")(conversation, losses=losses)
    assert errors_in(written, dialect) == []
    left_out = [message for message in conversation.messages if message.role == "system"]
    told = [loss for loss in losses if loss.what == "a system message"]
    assert len(told) == (len(left_out) if dialect == "anthropic" else 0)


def test_a_system_message_between_a_call_and_the_next_parts_nothing() -> None:
    asked = [Message("assistant", tool_calls=(ToolCall("find", id=id_),)) for id_ in "ab"]
    answers = [Message("tool", "1", tool_call_id=id_) for id_ in "ab"]
    messages = [Message("user", "hi"), asked[0], Message("system", "be"), asked[1], *answers]
    assert errors_in(grice.to_anthropic(messages, losses=[]), "anthropic") == []


CUSTOM_CHAT = [
    {"role": "user", "content": "list"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "shell", "input": "ls -l"}}],
    },
    {"role": "tool", "content": "a.txt", "tool_call_id": "c"},
]
CUSTOM_ITEMS = [
    {"role": "user", "content": "list"},
    {"type": "custom_tool_call", "call_id": "c", "name": "shell", "input": "ls -l"},
    {"type": "custom_tool_call_output", "call_id": "c", "output": "a.txt"},
]


def test_a_call_of_a_custom_tool_stays_one() -> None:
    chat, items = read_conversation(CUSTOM_CHAT), read_conversation(CUSTOM_ITEMS)
    losses: list[Loss] = []
    assert grice.to_openai_responses(chat, losses=losses) == CUSTOM_ITEMS
    assert grice.to_openai_chat(items, losses=losses) == CUSTOM_CHAT
    assert losses == []
    assert grice.to_openai_chat(chat) == CUSTOM_CHAT
    assert grice.to_openai_responses(items) == CUSTOM_ITEMS


def test_an_edited_result_of_a_custom_tool_is_still_one() -> None:
    messages = list(read_conversation(CUSTOM_ITEMS).messages)
    messages[2] = Message("tool", "b.txt", tool_call_id="c", metadata=messages[2].metadata)
    assert grice.to_openai_responses(messages)[2] == CUSTOM_ITEMS[2] | {"output": "b.txt"}
    assert grice.to_openai_responses(messages[2:])[0]["type"] == "custom_tool_call_output"
