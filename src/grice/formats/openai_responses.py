"""OpenAI Responses: an item for each message, call and result."""

from __future__ import annotations

from typing import Any

from grice.formats import openai_chat
from grice.formats.calls import arguments_text, make_call, without_user_calls
from grice.formats.content import identifier, result_text
from grice.records import Message, ToolCall

__all__ = ["is_call", "is_result", "is_silent", "read", "write"]

_CALLS = ("function_call", "custom_tool_call")
_RESULTS = ("function_call_output", "custom_tool_call_output")


def is_call(raw: dict[str, Any]) -> bool:
    """Whether the item is a call: function_call, custom_tool_call or mcp_call, which may hold its result."""
    return raw.get("type") in (*_CALLS, "mcp_call")


def is_result(raw: dict[str, Any]) -> bool:
    """Whether the item is the result of a call."""
    return raw.get("type") in _RESULTS


def is_silent(raw: dict[str, Any]) -> bool:
    """Whether the item says nothing: reasoning, a search, a reference."""
    kind = raw.get("type")
    return raw.get("role") is None and isinstance(kind, str) and kind != "message"


def read(raw: dict[str, Any]) -> list[Message]:
    """The neutral messages of one item; an item that says nothing is an assistant message without text."""
    kind = raw.get("type")
    if kind in _CALLS:
        arguments = raw.get("arguments" if kind == "function_call" else "input")
        return [_called(make_call(raw.get("name"), arguments, raw.get("call_id") or raw.get("id")))]
    if kind in _RESULTS:
        answers = identifier(raw.get("call_id")) or None
        return [Message("tool", result_text(raw.get("output")), tool_call_id=answers)]
    if kind == "mcp_call":
        return _mcp(raw)
    if is_silent(raw):
        return [Message("assistant")]
    return openai_chat.read(raw)


def _called(call: ToolCall) -> Message:
    return Message("assistant", tool_calls=(call,))


def _mcp(raw: dict[str, Any]) -> list[Message]:
    call = make_call(raw.get("name"), raw.get("arguments"), raw.get("id"))
    output, error = raw.get("output"), raw.get("error")
    if output is None and error is None:
        return [_called(call)]
    shown = output if error is None else error
    text = result_text(shown)
    return [_called(call), Message("tool", text, tool_call_id=call.id or None, is_error=error is not None)]


def write(messages: list[Message]) -> list[dict[str, Any]]:
    """The items that say the same."""
    items: list[dict[str, Any]] = []
    for message in without_user_calls(messages):
        if message.role == "tool":
            answers = message.tool_call_id or ""
            items.append({"type": "function_call_output", "call_id": answers, "output": message.content})
            continue
        if message.content or not message.tool_calls:
            items.append({"role": message.role, "content": message.content})
        items.extend(
            {
                "type": "function_call",
                "call_id": call.id,
                "name": call.name,
                "arguments": arguments_text(call),
            }
            for call in message.tool_calls
        )
    return items
