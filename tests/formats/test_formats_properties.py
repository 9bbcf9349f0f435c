"""Any valid array that is read is written back unchanged; any other value is read or refused."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import grice
from grice.formats import FORMATS, FormatError, read_conversation, to_anthropic, to_openai_chat
from grice.formats import to_openai_responses as to_responses
from grice.records import decode_conversation, encode_conversation

WRITERS = {"anthropic": to_anthropic, "openai_chat": to_openai_chat, "openai_responses": to_responses}
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}


def assert_same(found: Any, expected: Any) -> None:
    """JSON equality: unlike `==`, 1 and 1.0 and True differ."""
    assert json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
names = st.sampled_from(["find", "book", "tool.x"])
ids = st.sampled_from(["a", "b", "call_1"])
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
objects = st.dictionaries(
    texts, st.recursive(scalars, lambda inner: st.lists(inner, max_size=2), max_leaves=4), max_size=3
)
argument_texts = st.one_of(
    objects.map(json.dumps),
    objects.map(lambda value: json.dumps(value, separators=(",", ":"), ensure_ascii=False)),
    objects.map(lambda value: json.dumps(value, indent=1)),
    texts,
)


def record(required: dict[str, Any], **optional: Any) -> Any:
    return st.fixed_dictionaries(
        {k: v if hasattr(v, "map") else st.just(v) for k, v in required.items()}, optional=optional
    )


text_blocks = record({"type": "text", "text": texts})
images = st.just(IMAGE)
tool_results = record(
    {"type": "tool_result", "tool_use_id": ids},
    content=texts | st.lists(text_blocks | images, max_size=2),
    is_error=st.booleans(),
)
tool_uses = record({"type": "tool_use", "id": ids, "name": names, "input": objects})
thinking = record({"type": "thinking", "thinking": texts, "signature": texts})
anthropic_arrays = st.lists(
    st.one_of(
        record({"role": "user", "content": texts}),
        record({"role": "assistant", "content": texts}),
        record({"role": "user", "content": st.lists(text_blocks | tool_results | images, max_size=4)}),
        record({"role": "assistant", "content": st.lists(text_blocks | tool_uses | thinking, max_size=4)}),
    ),
    max_size=6,
)

chat_parts = st.lists(text_blocks, min_size=1, max_size=2)
chat_calls = record(
    {"id": ids, "type": "function", "function": record({"name": names, "arguments": argument_texts})}
)
chat_arrays = st.lists(
    st.one_of(
        record(
            {"role": st.sampled_from(["system", "developer", "user"]), "content": texts | chat_parts},
            name=names,
        ),
        record({"role": "assistant", "content": texts | chat_parts}, name=names),
        record(
            {"role": "assistant", "tool_calls": st.lists(chat_calls, min_size=1, max_size=2)},
            content=st.none() | texts,
            refusal=st.none(),
        ),
        record({"role": "assistant", "content": st.none(), "refusal": texts}),
        record({"role": "tool", "tool_call_id": ids, "content": texts | chat_parts}),
    ),
    max_size=6,
)

response_arrays = st.lists(
    st.one_of(
        record({"role": st.sampled_from(["developer", "user", "assistant"]), "content": texts}),
        record(
            {
                "type": "message",
                "role": "user",
                "content": st.lists(record({"type": "input_text", "text": texts}), max_size=2),
            },
        ),
        record(
            {
                "type": "message",
                "role": "assistant",
                "id": ids,
                "status": "completed",
                "content": st.lists(
                    record({"type": "output_text", "text": texts, "annotations": st.just([])}), max_size=2
                ),
            }
        ),
        record({"type": "function_call", "call_id": ids, "name": names, "arguments": argument_texts}, id=ids),
        record(
            {"type": "function_call_output", "call_id": ids, "output": texts}, status=st.just("completed")
        ),
        record({"type": "reasoning", "id": ids, "summary": st.just([])}, encrypted_content=texts),
        record({"type": "item_reference", "id": ids}),
    ),
    max_size=6,
)

SHAPES = {"anthropic": anthropic_arrays, "openai_chat": chat_arrays, "openai_responses": response_arrays}


@pytest.mark.parametrize("form", sorted(SHAPES))
@given(data=st.data())
def test_any_valid_array_comes_back_as_it_was(form: Any, data: st.DataObject) -> None:
    messages = data.draw(SHAPES[form])
    before = copy.deepcopy(messages)
    conversation = read_conversation(messages, format=form)
    assert_same(WRITERS[form](conversation), before)
    assert_same(WRITERS[form](decode_conversation(encode_conversation(conversation))), before)
    assert_same(messages, before)


@pytest.mark.parametrize("form", sorted(SHAPES))
@given(data=st.data())
def test_any_valid_array_can_be_written_in_the_other_formats(form: Any, data: st.DataObject) -> None:
    conversation = read_conversation(data.draw(SHAPES[form]), format=form)
    said = list(conversation.messages)
    calls = [(call.name, call.arguments) for call in conversation.tool_calls]
    for other, writer in WRITERS.items():
        losses: list[Any] = []
        again = read_conversation(writer(conversation.messages, losses=losses), format=other)
        system = [again.system] if again.system else []
        lost = {loss.path for loss in losses if loss.what == "a system message"}
        kept = [m.content for place, m in enumerate(said) if f"messages[{place}].content" not in lost]
        assert "\n".join(system + [m.content for m in again.messages if m.content]) == "\n".join(
            filter(None, kept)
        )
        assert [(call.name, call.arguments) for call in again.tool_calls] == calls


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)
KEYS = [
    "parts",
    "data",
    "author",
    "user_content",
    "final_response",
    "intermediate_data",
    "invocation_events",
    "function_call",
    "function_response",
    "tool_messages",
    "requestor",
    "type",
    "content",
    "text",
    "tool_calls",
    "tool_call_id",
    "id",
    "name",
    "input",
    "output",
    "function",
    "refusal",
]
WORDS = [
    "human",
    "ai",
    "model",
    "tool_call",
    "tool_call_response",
    "user",
    "assistant",
    "tool",
    "system",
    "text",
    "tool_use",
    "tool_result",
    "function_call",
    "mcp_call",
    "message",
    "\ud800",
]
near_values = st.recursive(
    st.sampled_from(WORDS) | st.none() | st.booleans() | st.integers() | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["role", *KEYS]), inner, max_size=5)
    ),
    max_leaves=20,
)
near_messages = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant", "tool", "system"])},
        optional=dict.fromkeys(KEYS, near_values),
    ),
    max_size=3,
)


@given(json_values | near_values | near_messages, st.sampled_from([None, *FORMATS]))
def test_any_json_value_is_read_or_refused(value: Any, form: Any) -> None:
    try:
        conversation = read_conversation(value, format=form)
    except FormatError:
        return
    assert decode_conversation(encode_conversation(conversation)).id == conversation.id
    for known in FORMATS:
        written = getattr(grice, f"to_{known}")(conversation, losses=[])
        json.dumps(written, allow_nan=False).encode()
        if known == form:
            assert_same(getattr(grice, f"to_{known}")(read_conversation(written, format=known)), written)
