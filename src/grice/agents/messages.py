"""The messages an agent receives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from grice.formats.attachments import with_parts
from grice.records import Message, ToolCall


def chat_messages(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """The messages as dicts in the OpenAI Chat shape; a failed tool's message has `is_error` as well."""
    return [_chat_message(message) for message in messages]


def text_in(message: Mapping[str, Any]) -> str:
    """The text of such a dict, also of one with content parts."""
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if part.get("type") == "text")
    return content if isinstance(content, str) else ""


def _chat_message(message: Message) -> dict[str, Any]:
    raw: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.attachments:
        raw["content"] = with_parts(message, "openai_chat", every=True)
    if message.tool_calls:
        raw["tool_calls"] = [_chat_call(call) for call in message.tool_calls]
    if message.role == "tool":
        raw["tool_call_id"] = message.tool_call_id or ""
        if message.is_error:
            raw["is_error"] = True
    return raw


def _chat_call(call: ToolCall) -> dict[str, Any]:
    arguments = call.raw_arguments
    if arguments is None:
        arguments = msgspec.json.encode(call.arguments).decode()
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}
