"""The Anthropic Messages shape, as far as a scripted model needs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from grice.records import JsonValue

__all__ = ["ToolUse", "reply_body", "tool_use"]


class ToolUse(msgspec.Struct, frozen=True):
    """A scripted tool call; see `tool_use`."""

    name: str
    input: JsonValue
    id: str = ""


def tool_use(name: str, /, *, id: str = "", **arguments: JsonValue) -> ToolUse:  # noqa: A002 - the field's name
    """A scripted reply, or part of one, that calls the tool. An id is made when none is given."""
    return ToolUse(name, arguments, id)


def reply_body(
    content: object, *, number: int, request: Mapping[str, JsonValue], stop_reason: str | None = None
) -> dict[str, JsonValue]:
    """The body of reply `number` (from 1) to `request`.

    `content` is a text, a `tool_use(...)`, a list of these and of content blocks as dicts, or a whole reply
    body with its own `content`. Raises TypeError for anything else.
    """
    if isinstance(content, Mapping) and "type" not in content:
        own = dict(content)
        stop_reason = own.pop("stop_reason", stop_reason)
        blocks = _blocks(own.pop("content", None), number)
        return _body(blocks, number, request, stop_reason) | own
    return _body(_blocks(content, number), number, request, stop_reason)


def _body(
    blocks: list[dict[str, Any]], number: int, request: Mapping[str, JsonValue], stop_reason: str | None
) -> dict[str, JsonValue]:
    calls_tool = any(block.get("type") == "tool_use" for block in blocks)
    return {
        "id": f"msg_{number:04}",
        "type": "message",
        "role": "assistant",
        "model": request.get("model", "scripted"),
        "content": blocks,
        "stop_reason": stop_reason or ("tool_use" if calls_tool else "end_turn"),
        "stop_sequence": None,
        "usage": {"input_tokens": 0, "output_tokens": 0},
    }


def _blocks(content: object, number: int) -> list[dict[str, Any]]:
    parts = content if isinstance(content, Sequence) and not isinstance(content, str) else [content]
    return [_block(part, f"toolu_{number:04}_{index}") for index, part in enumerate(parts, 1)]


def _block(part: object, id_: str) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if isinstance(part, ToolUse):
        return {"type": "tool_use", "id": part.id or id_, "name": part.name, "input": part.input}
    if isinstance(part, Mapping) and isinstance(part.get("type"), str):
        return dict(part)
    raise TypeError(
        f"a scripted reply is a text, tool_use(...), a content block or a list of these, found {part!r}"
    )
