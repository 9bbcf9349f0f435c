"""Messages of OpenTelemetry's GenAI conventions: a role and parts.

Source: gen-ai-input-messages.json and gen-ai-output-messages.json of the conventions. Their inline example
says `result` where the schema says `response`; both are read.
"""

from __future__ import annotations

from typing import Any

from grice.formats import openai_chat
from grice.formats.blocks import call_block, others, read_blocks, result_block
from grice.formats.calls import join_calls
from grice.formats.content import as_list, as_mapping, role_of
from grice.formats.errors import FormatError, kind_of
from grice.records import JsonValue, Message

_TELLING = ("tool_call", "tool_call_response", "server_tool_call", "server_tool_call_response")


def is_own(raw: dict[str, Any]) -> bool:
    """Whether only the GenAI conventions have messages like this one: parts with a type and a content."""
    parts = [as_mapping(part) or {} for part in as_list(raw.get("parts")) or []]
    return "content" not in raw and any(
        part.get("type") in _TELLING or (part.get("type") in ("text", "reasoning") and "content" in part)
        for part in parts
    )


def read(raw: dict[str, Any]) -> list[Message]:
    """The neutral messages of one message: several when it holds several results.

    `finish_reason` becomes `metadata["finish_reason"]`.
    """
    return openai_chat.read(raw) if raw.get("parts") is None else read_blocks(in_blocks(raw))


def in_blocks(raw: dict[str, Any]) -> list[dict[str, Any]]:
    """The message in blocks."""
    if raw.get("parts") is None:
        return [raw]
    parts = as_list(raw["parts"])
    if parts is None:
        raise FormatError(f"has {kind_of(raw['parts'])} as parts; expected a list")
    role = role_of(raw)
    name = raw.get("name") if role == "tool" else None
    blocks: list[dict[str, Any]] = []
    for place, item in enumerate(parts):
        part = as_mapping(item)
        if part is None:
            raise FormatError(f"has {kind_of(item)} as parts[{place}]; expected a part (an object)")
        blocks.append(_block(part, name))
    return [{**others(raw, ("parts",)), "role": "user" if role == "tool" else role, "content": blocks}]


def _block(part: dict[str, Any], name: JsonValue) -> dict[str, Any]:
    match part.get("type"):
        case "text":
            said: JsonValue = part.get("content", part.get("text"))
            return {**others(part, ("content", "text")), "type": "text", "text": said}
        case "tool_call":
            rest = others(part, ("type", "id", "name", "arguments"))
            return {**rest, **call_block(part.get("id"), part.get("name"), part.get("arguments"))}
        case "tool_call_response":
            answer: JsonValue = part.get("response", part.get("result"))
            rest = others(part, ("type", "id", "response", "result"))
            return {**rest, **result_block(part.get("id"), answer, name=name)}
        case _:
            return part


def write(messages: list[Message]) -> list[dict[str, Any]]:
    """The messages that say the same."""
    return [_write(message) for message in join_calls(messages)]


def _write(message: Message) -> dict[str, Any]:
    parts: list[dict[str, Any]] = []
    if message.role == "tool":
        answers = message.tool_call_id or ""
        parts.append({"type": "tool_call_response", "id": answers, "response": message.content})
    elif message.content or not message.tool_calls:
        parts.append({"type": "text", "content": message.content})
    for call in message.tool_calls:
        given = call.arguments if call.raw_arguments is None else call.raw_arguments
        parts.append({"type": "tool_call", "id": call.id, "name": call.name, "arguments": given})
    raw: dict[str, Any] = {"role": message.role, "parts": parts}
    if message.name:
        raw["name"] = message.name
    if message.metadata.get("finish_reason") is not None:
        raw["finish_reason"] = message.metadata["finish_reason"]
    return raw
