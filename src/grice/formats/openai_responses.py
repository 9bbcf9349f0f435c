"""OpenAI Responses: an item for each message, call and result."""

from __future__ import annotations

from typing import Any

from grice.formats import openai_chat
from grice.formats.attachments import with_parts
from grice.formats.calls import arguments_text, as_custom, is_custom, make_call, without_user_calls
from grice.formats.content import as_mapping, identifier, result_text
from grice.records import Message, ToolCall

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
        custom = kind == "custom_tool_call"
        arguments = raw.get("input" if custom else "arguments")
        call = make_call(raw.get("name"), arguments, raw.get("call_id") or raw.get("id"))
        return [_called(as_custom(call) if custom else call)]
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
    custom = {call.id for message in messages for call in message.tool_calls if is_custom(call)}
    for message in without_user_calls(messages):
        if message.role == "tool":
            answers = message.tool_call_id or ""
            kind = _RESULTS[answers in custom or _answered_custom(message)]
            items.append({"type": kind, "call_id": answers, "output": message.content})
            continue
        if message.content or not message.tool_calls:
            items.append({"role": message.role, "content": with_parts(message, "openai_responses")})
        items.extend(_write_call(call) for call in message.tool_calls)
    return items


def _answered_custom(message: Message) -> bool:
    """Whether the message was read from the result of a custom tool, whose call may be written apart."""
    source = as_mapping(message.metadata.get("source")) or {}
    return (as_mapping(source.get("raw")) or {}).get("type") == _RESULTS[1]


def _write_call(call: ToolCall) -> dict[str, Any]:
    kind, field = ("custom_tool_call", "input") if is_custom(call) else ("function_call", "arguments")
    return {"type": kind, "call_id": call.id, "name": call.name, field: arguments_text(call)}
