"""The Anthropic Messages shape, as far as a scripted model needs it."""

from __future__ import annotations

from typing import Any

import msgspec

from grice.records import JsonValue

__all__ = ["ToolUse", "reply_body", "tool_use"]


class ToolUse(msgspec.Struct, frozen=True):
    """A scripted tool call; see `tool_use`."""

    name: str
    input: JsonValue
    id: str = ""


def tool_use(name: str, /, *, call_id: str = "", **arguments: JsonValue) -> ToolUse:
    """A scripted reply, or part of one, that calls the tool. An id is made when no `call_id` is given."""
    return ToolUse(name, arguments, call_id)


def reply_body(reply: object, number: int) -> dict[str, JsonValue]:
    """The body of the scripted reply `number` (from 1); its `model` is None unless the script gives it.

    `reply` is a text, a `tool_use(...)`, a list of these and of content blocks as dicts, or a whole reply
    body with its own `content`. Raises TypeError for anything else.
    """
    given: dict[str, JsonValue] = {}
    content = reply
    if isinstance(reply, dict) and reply.get("type", "message") == "message":
        given = dict(reply)
        content = given.pop("content", None)
    blocks = _blocks(content)
    calls_tool = False
    for index, block in enumerate(blocks, 1):
        if block["type"] == "tool_use":
            calls_tool = True
            block["id"] = block.get("id") or f"toolu_{number:04}_{index}"
    return {
        "id": f"msg_{number:04}",
        "type": "message",
        "role": "assistant",
        "model": None,
        "content": blocks,
        "stop_reason": "tool_use" if calls_tool else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 0, "output_tokens": 0},
        **given,
    }


def _blocks(content: object) -> list[dict[str, Any]]:
    return [_block(part) for part in (content if isinstance(content, list | tuple) else [content])]


def _block(part: object) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if isinstance(part, ToolUse):
        return {"type": "tool_use", "id": part.id, "name": part.name, "input": part.input}
    if isinstance(part, dict) and isinstance(part.get("type"), str):
        return part.copy()
    raise TypeError(
        f"a scripted reply is a text, tool_use(...), a content block or a list of these, found {part!r}"
    )
