"""Valid message arrays made at random in the three shapes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from grice import lint_messages

Array = list[Any]

PROMPT = "You are the assistant of this site. Call the tool immediately, and never greet the user."
SAFE = st.text("abcdefghijklmnopqr tuvwxyzäß漢,?!.\n", min_size=1, max_size=30).filter(str.strip)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("xyz[]{}", max_size=5),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=2)
        | st.dictionaries(st.sampled_from("pqr"), inner, max_size=2).map(lambda one: {"object": one, **one})
    ),
    max_leaves=4,
)
ARGUMENTS = st.dictionaries(st.sampled_from(["slug", "depth"]), VALUES, max_size=2).map(
    lambda one: {**one, "tags": []}
)
CALLS = st.lists(st.tuples(st.sampled_from(["update", "search"]), ARGUMENTS), min_size=1, max_size=3)
STEPS = st.lists(st.tuples(st.just("") | SAFE, CALLS), max_size=2)
TURNS = st.lists(st.tuples(SAFE, STEPS, SAFE), min_size=1, max_size=4)
SHAPES = ("anthropic", "openai_chat", "openai_responses")


def anthropic(turns: Any, ends: str) -> Array:
    """The array in Anthropic's shape."""
    array: Array = []
    for user, steps, answer in turns:
        array.append({"role": "user", "content": user if len(user) % 2 else [{"type": "text", "text": user}]})
        for narration, calls in steps:
            ids = [f"toolu_{len(array)}_{n}" for n in range(len(calls))]
            blocks: Array = [{"type": "text", "text": narration}] if narration else []
            uses = zip(ids, calls, strict=True)
            blocks += [{"type": "tool_use", "id": i, "name": name, "input": a} for i, (name, a) in uses]
            array.append({"role": "assistant", "content": blocks})
            results = [{"type": "tool_result", "tool_use_id": i, "content": ""} for i in reversed(ids)]
            array.append({"role": "user", "content": results})
        array.append({"role": "assistant", "content": answer})
    return array if ends == "answered" else array[:-1]


def openai_chat(turns: Any, ends: str) -> Array:
    """The array in the shape of Chat Completions."""
    array: Array = [{"role": "system", "content": PROMPT}]
    for user, steps, answer in turns:
        array.append({"role": "user", "content": user})
        for narration, calls in steps:
            ids = [f"call_{len(array)}_{n}" for n in range(len(calls))]
            made = [
                {"id": i, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
                for i, (name, arguments) in zip(ids, calls, strict=True)
            ]
            array.append({"role": "assistant", "content": narration or None, "tool_calls": made})
            array += [{"role": "tool", "tool_call_id": i, "content": ""} for i in reversed(ids)]
        array.append({"role": "assistant", "content": answer})
    return array if ends == "answered" else array[:-1]


def openai_responses(turns: Any, ends: str) -> Array:
    """The array in the shape of Responses."""
    array: Array = []
    for user, steps, answer in turns:
        array.append({"role": "user", "content": [{"type": "input_text", "text": user}]})
        for narration, calls in steps:
            array.append({"type": "reasoning", "summary": []})
            if narration:
                said = [{"type": "output_text", "text": narration}]
                array.append({"type": "message", "role": "assistant", "content": said})
            ids = [f"call_{len(array)}_{n}" for n in range(len(calls))]
            array += [
                {"type": "function_call", "call_id": i, "name": name, "arguments": json.dumps(arguments)}
                for i, (name, arguments) in zip(ids, calls, strict=True)
            ]
            array += [{"type": "function_call_output", "call_id": i, "output": ""} for i in reversed(ids)]
        array.append({"role": "assistant", "content": answer})
    return array if ends == "answered" else array[:-1]


WRITERS: dict[str, Callable[[Any, str], Array]] = {
    "anthropic": anthropic,
    "openai_chat": openai_chat,
    "openai_responses": openai_responses,
}
SCHEMA = {"type": "object", "properties": {"slug": {}, "meta": {"type": "object"}}}


def request(shape: str, array: Array) -> dict[str, Any]:
    """The array in a request for a reply."""
    body: dict[str, Any] = {"model": "m", "max_tokens": 100}
    if shape == "anthropic":
        tools: Any = [{"name": name, "input_schema": SCHEMA} for name in ("update", "search")]
        return {**body, "system": PROMPT, "messages": array, "tools": tools}
    if shape == "openai_chat":
        tools = [
            {"type": "function", "function": {"name": name, "parameters": SCHEMA}}
            for name in ("update", "search")
        ]
        return {**body, "messages": array, "tools": tools}
    tools = [{"type": "function", "name": name, "parameters": SCHEMA} for name in ("update", "search")]
    return {**body, "instructions": PROMPT, "input": array, "tools": tools}


def said(text: str, role: str = "user") -> dict[str, Any]:
    """A message of one text."""
    return {"role": role, "content": text}


def use(*ids: str, **arguments: Any) -> dict[str, Any]:
    """An Anthropic message with a call for each id."""
    blocks = [{"type": "tool_use", "id": id_, "name": "update", "input": arguments} for id_ in ids]
    return {"role": "assistant", "content": blocks}


def answer(*ids: str, text: str = "") -> dict[str, Any]:
    """An Anthropic message with a result for each id, and text behind them."""
    blocks: list[dict[str, Any]] = [
        {"type": "tool_result", "tool_use_id": id_, "content": "ok"} for id_ in ids
    ]
    return {"role": "user", "content": [*blocks, *([{"type": "text", "text": text}] if text else [])]}


def places(*arguments: Any, **more: Any) -> list[tuple[str, int | None]]:
    """The rules that were broken, and the indices of the messages."""
    return [(one.rule, one.index) for one in lint_messages(*arguments, **more)]


USER = said("Update Ajax Search Lite")
DONE = said("Done.", "assistant")
YES = said("Yes")
