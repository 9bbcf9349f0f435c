"""Which dialect a message array or request has, told by its content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.checks.message_lint.finding import Dialect
from grice.records import JsonValue

_BLOCKS: dict[object, Dialect] = {
    **dict.fromkeys(("tool_use", "tool_result", "server_tool_use", "mcp_tool_use"), "anthropic"),
    "compaction": "anthropic",
    **dict.fromkeys(("thinking", "redacted_thinking", "document", "image"), "anthropic"),
    **dict.fromkeys(("input_text", "output_text", "input_image", "input_file"), "openai_responses"),
    **dict.fromkeys(("image_url", "input_audio", "file"), "openai_chat"),
}


_PATHS: dict[str, Dialect] = {
    "/chat/completions": "openai_chat",
    "/responses": "openai_responses",
    "/messages": "anthropic",
}


def dialect_of_url(url: str) -> Dialect | None:
    """The dialect that is spoken at an address, such as `/v1/chat/completions`."""
    path = url.split("?")[0].rstrip("/")
    return next((dialect for ending, dialect in _PATHS.items() if path.endswith(ending)), None)


def told_by(messages: Sequence[Any]) -> Dialect | None:
    """The dialect that the first telling thing in the array is of."""
    for message in messages:
        if message.__class__ is not dict:
            continue
        content = message.get("content")
        if content.__class__ is list:
            for block in content:
                if block.__class__ is dict:
                    told = _BLOCKS.get(block["type"]) if block.get("type").__class__ is str else None
                    if told is not None:
                        return told
        if "tool_calls" in message or "tool_call_id" in message or message.get("role") == "tool":
            return "openai_chat"
        if "type" in message and isinstance(message["type"], str) and "stop_reason" not in message:
            return "openai_responses"
    return None


def dialect_of(request: Mapping[str, JsonValue], base: str, messages: Sequence[Any]) -> Dialect | None:
    """The dialect of a request, from its array, else from its other fields."""
    if base == "input" or "instructions" in request:
        return "openai_responses"
    told = told_by(messages)
    if told is None and ("system" in request or "stop_sequences" in request):
        return "anthropic"
    if told is None:
        tools = request.get("tools")
        for tool in tools if isinstance(tools, list) else ():
            if isinstance(tool, dict) and "input_schema" in tool:
                return "anthropic"
            if isinstance(tool, dict) and "function" in tool:
                return "openai_chat"
    return told
