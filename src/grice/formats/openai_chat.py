"""OpenAI Chat Completions messages, and the plain role/content messages of logs."""

from __future__ import annotations

from typing import Any

from grice.formats.attachments import with_parts
from grice.formats.calls import arguments_text, is_custom, join_calls, read_calls, without_user_calls
from grice.formats.content import blocks_of, identifier, result_text, role_of, spoken_text
from grice.formats.errors import FormatError
from grice.formats.stray import stray_texts
from grice.records import Message, ToolCall


def read(raw: dict[str, Any]) -> list[Message]:
    """The neutral message of one chat message."""
    role = role_of(raw)
    if role == "tool":
        answers, name = call_answered(raw)
        is_error = raw.get("is_error") is True or raw.get("status") == "error"
        return [
            Message(
                "tool", result_text(raw.get("content")), tool_call_id=answers, name=name, is_error=is_error
            )
        ]
    name = identifier(raw.get("name")) or None
    text = spoken_text(blocks_of(raw.get("content")), role)
    refusal = raw.get("refusal")
    if not text and role == "assistant" and isinstance(refusal, str):
        text = refusal
    calls = read_calls(raw) if role == "assistant" else ()
    if role == "assistant" and not (text or calls or raw.get("content")) and (stray := stray_texts(raw)):
        raise FormatError(f"has no content, but text in {', '.join(stray)[:120]}; expected it as content")
    return [Message(role, text, tool_calls=calls, name=name)]


def call_answered(raw: dict[str, Any]) -> tuple[str | None, str | None]:
    """The id of the call that a tool's message answers, and the tool's name."""
    id = identifier(raw.get("tool_call_id") or raw.get("tool_use_id") or raw.get("id")) or None  # noqa: A001
    return id, identifier(raw.get("name")) or None


def write(messages: list[Message]) -> list[dict[str, Any]]:
    """The chat messages that say the same."""
    return [_write(message) for message in join_calls(without_user_calls(messages))]


def _write(message: Message) -> dict[str, Any]:
    raw: dict[str, Any] = {"role": message.role, "content": with_parts(message, "openai_chat")}
    if message.name:
        raw["name"] = message.name
    if message.role == "tool":
        raw["tool_call_id"] = message.tool_call_id or ""
    elif message.tool_calls:
        raw["content"] = message.content or None
        raw["tool_calls"] = [_write_call(call) for call in message.tool_calls]
    return raw


def _write_call(call: ToolCall) -> dict[str, Any]:
    text = arguments_text(call)
    if is_custom(call):
        return {"id": call.id, "type": "custom", "custom": {"name": call.name, "input": text}}
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": text}}
