"""Anthropic Messages: text, tool_use and tool_result blocks in user and assistant messages."""

from __future__ import annotations

from typing import Any

from grice.formats import openai_chat
from grice.formats.attachments import with_parts
from grice.formats.calls import join_calls, make_call, without_user_calls
from grice.formats.content import as_list, blocks_of, identifier, result_text, role_of, spoken_text
from grice.records import JsonValue, Message, Role

BESIDE_RESULTS = "beside_results"
"""The metadata that marks what a user message says beside tool results: it starts no new turn."""


def is_call(block: dict[str, Any]) -> bool:
    """Whether the block is a call: tool_use, server_tool_use or mcp_tool_use."""
    kind = block.get("type")
    return isinstance(kind, str) and kind.endswith("tool_use")


def is_result(block: dict[str, Any]) -> bool:
    """Whether the block is a result: tool_result, web_search_tool_result and their like."""
    kind = block.get("type")
    return isinstance(kind, str) and kind.endswith("tool_result")


def read(raw: dict[str, Any]) -> list[Message]:
    """The neutral messages of one Anthropic message: a message for each result, one for what is between.

    What stands beside results is marked with `metadata["beside_results"]`.
    """
    role = role_of(raw)
    if role == "tool" or as_list(raw.get("content")) is None:
        return openai_chat.read(raw)
    blocks = blocks_of(raw.get("content"))
    if not any(is_call(block) or is_result(block) for block in blocks):
        return openai_chat.read(raw)
    messages: list[Message] = []
    between: list[dict[str, Any]] = []
    for block in blocks:
        if not is_result(block):
            between.append(block)
            continue
        if between:
            messages.append(_spoken(between, role, beside=True))
        between = []
        messages.append(_result(block))
    if between:
        messages.append(_spoken(between, role, beside=bool(messages)))
    return messages


def _spoken(blocks: list[dict[str, Any]], role: Role, *, beside: bool) -> Message:
    calls = tuple(make_call(b.get("name"), b.get("input"), b.get("id")) for b in blocks if is_call(b))
    marked: dict[str, JsonValue] = {BESIDE_RESULTS: True} if beside and role == "user" else {}
    return Message(role, spoken_text(blocks, role), tool_calls=calls, metadata=marked)


def _result(block: dict[str, Any]) -> Message:
    answers = identifier(block.get("tool_use_id")) or None
    text = result_text(block.get("content"))
    name = identifier(block.get("name")) or None
    return Message("tool", text, tool_call_id=answers, name=name, is_error=block.get("is_error") is True)


def write(messages: list[Message]) -> list[dict[str, Any]]:
    """The Anthropic messages that say the same; results in a row go into one user message.

    System messages have no place in them: the API has its system prompt apart.
    """
    spoken = [message for message in messages if message.role != "system"]
    written: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for message in join_calls(without_user_calls(spoken)):
        if message.role == "tool":
            if not results:
                written.append({"role": "user", "content": results})
            results.append(_write_result(message))
        else:
            results = []
            written.append({"role": message.role, "content": _write_content(message)})
    return written


def _write_result(message: Message) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": message.tool_call_id or ""}
    block["content"] = message.content
    if message.is_error:
        block["is_error"] = True
    return block


def _write_content(message: Message) -> str | list[dict[str, Any]]:
    if not message.tool_calls:
        return with_parts(message, "anthropic")
    blocks: list[dict[str, Any]] = [{"type": "text", "text": message.content}] if message.content else []
    blocks.extend(
        {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}
        for call in message.tool_calls
    )
    return blocks
