"""Reading conversations in the OpenAI Chat shape, the one in which `Assistant.chat` is called."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .messages import JsonDict, as_object, assistant_content


class ToolRound(NamedTuple):
    """What `Assistant.tool_result_step` goes on from."""

    history: list[JsonDict]
    pending_tool_calls: list[JsonDict]
    tool_results: list[JsonDict]
    assistant_text: str | None


def history_from_chat(messages: Sequence[Mapping[str, Any]]) -> list[JsonDict]:
    """The messages as the backend's history entries."""
    return [_history_entry(message) for message in messages]


def tool_round(messages: Sequence[Mapping[str, Any]]) -> ToolRound:
    """The messages as the round of calls that the tool messages at their end answer.

    Raises ValueError when those follow no assistant message with tool calls.
    """
    asked = max((i for i, message in enumerate(messages) if message.get("role") != "tool"), default=-1)
    if asked < 0 or not messages[asked].get("tool_calls"):
        raise ValueError("the tool messages at the end follow no assistant message with tool calls")
    return ToolRound(
        history=history_from_chat(messages[:asked]),
        pending_tool_calls=_calls(messages[asked]),
        tool_results=[_result(message) for message in messages[asked + 1 :]],
        assistant_text=messages[asked].get("content"),
    )


def _calls(message: Mapping[str, Any]) -> list[JsonDict]:
    return [
        {"id": call["id"], "name": call["function"]["name"], "input": _arguments(call["function"])}
        for call in message.get("tool_calls") or ()
    ]


def _result(message: Mapping[str, Any]) -> JsonDict:
    return {
        "tool_call_id": message.get("tool_call_id"),
        "result": message.get("content"),
        "is_error": bool(message.get("is_error")),
    }


def _history_entry(message: Mapping[str, Any]) -> JsonDict:
    role, content = message.get("role"), message.get("content") or ""
    if role == "tool":
        result = _result(message)
        return {"role": "tool_result", "content": result.pop("result"), **result}
    calls = _calls(message)
    return {"role": role, "content": assistant_content(content, calls) if calls else content}


def _arguments(function: Mapping[str, Any]) -> JsonDict:
    try:
        return as_object(json.loads(function.get("arguments") or "{}"))
    except json.JSONDecodeError:
        return {}
