"""Reading conversations in the OpenAI Chat shape, the one in which `Assistant.chat` is called."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .messages import JsonDict, as_object, tool_use_block


def history_from_chat(messages: Sequence[Mapping[str, Any]]) -> list[JsonDict]:
    """The messages as the backend's history entries."""
    return [_history_entry(message) for message in messages]


def pending_calls(message: Mapping[str, Any]) -> list[JsonDict]:
    """The tool calls of an assistant message, `{"id", "name", "input"}` each."""
    return [
        {"id": call["id"], "name": call["function"]["name"], "input": _arguments(call["function"])}
        for call in message.get("tool_calls") or ()
    ]


def tool_result(message: Mapping[str, Any]) -> JsonDict:
    """The result that a tool message carries."""
    return {
        "tool_call_id": message.get("tool_call_id"),
        "result": message.get("content"),
        "is_error": bool(message.get("is_error")),
    }


def _history_entry(message: Mapping[str, Any]) -> JsonDict:
    role, content = message.get("role"), message.get("content") or ""
    if role == "tool":
        result = tool_result(message)
        return {"role": "tool_result", "content": result.pop("result"), **result}
    calls = pending_calls(message)
    if not calls:
        return {"role": role, "content": content}
    said = [{"type": "text", "text": content}] if content else []
    return {"role": role, "content": [*said, *map(tool_use_block, calls)]}


def _arguments(function: Mapping[str, Any]) -> JsonDict:
    try:
        return as_object(json.loads(function.get("arguments") or "{}"))
    except json.JSONDecodeError:
        return {}
