"""What a raw message holds and its record does not: documents, images, reasoning, fields of an API."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from grice.formats import anthropic, openai_responses
from grice.formats.content import as_list, as_mapping, json_text, text_of
from grice.formats.errors import FormatError
from grice.formats.shapes import IN_BLOCKS
from grice.records import JsonValue, Message
from grice.text import shorten

__all__ = ["unread_blocks", "unread_fields", "with_unread"]

_LONGEST_DATA = 1_000
_SHOWN_DATA = 100
_DATA = re.compile(r"(?:data:[^,\s]{0,200},)?[A-Za-z0-9+/=_\-\r\n]+")

_READ_FIELDS = frozenset(
    {
        "arguments",
        "call_id",
        "content",
        "finish_reason",
        "function_call",
        "input",
        "is_error",
        "name",
        "output",
        "refusal",
        "requestor",
        "role",
        "tool_call_id",
        "tool_calls",
        "tool_use_id",
        "type",
    }
)
_READ_IN_BLOCKS = _READ_FIELDS | {"args", "custom", "function", "id", "text"}
_VALUES = ("arguments", "args", "function_call", "input", "output")
_DONE = ("completed", "success")
_TOOLS = ("tool", "function", "tool_result")


def with_unread(messages: Iterable[Message]) -> Iterator[tuple[Message, str]]:
    """Each message with the JSON text of its content that is not in `Message.content`, "" when all is.

    Long runs of encoded bytes are cut: their beginning and their length stand for them.
    """
    waiting: list[str] = []  # for further messages made of the same raw one
    for message in messages:
        source = message.metadata.get("source") if message.metadata else None
        raw = source.get("raw") if isinstance(source, dict) else None
        if isinstance(source, dict) and isinstance(raw, dict):
            waiting = [_shown(blocks) for blocks in unread_blocks(raw, source.get("format"))]
        elif source is None:
            waiting = []
        yield message, waiting.pop(0) if waiting else ""


def unread_blocks(raw: dict[str, Any], form: JsonValue) -> list[list[JsonValue]]:
    """The content that no text holds, of each of the messages that a raw message is read as."""
    in_blocks = _in_blocks(raw, form)
    if in_blocks is not None:
        return [blocks for written in in_blocks for blocks in _blocks(written)]
    if form == "openai_responses":
        if openai_responses.is_result(raw):
            return [_of_result(raw.get("output"))]
        if openai_responses.is_call(raw):
            return [[], _of_result(raw.get("output"))]
        if openai_responses.is_silent(raw):
            return [[raw]]
    return _blocks(raw)


def _in_blocks(raw: dict[str, Any], form: JsonValue) -> list[dict[str, Any]] | None:
    """The message in blocks, for the formats that are read as these; nothing when it cannot be read."""
    for known, in_blocks in IN_BLOCKS.items():
        if known == form:
            try:
                return in_blocks(raw)
            except FormatError:
                return []
    return None


def unread_fields(raw: dict[str, Any], form: JsonValue) -> list[str]:
    """The fields with a value that no record holds, such as `usage` and `content[0].citations`."""
    in_blocks = _in_blocks(raw, form)
    if in_blocks is not None:
        found = [field for written in in_blocks for field in _fields(written, _READ_FIELDS)]
        return list(dict.fromkeys(field.rpartition(".")[2] for field in found))
    read = _READ_FIELDS
    if form == "openai_responses":
        if raw.get("type") == "mcp_call":
            read = _READ_FIELDS | {"id", "error"}
        elif openai_responses.is_silent(raw) and not openai_responses.is_call(raw):
            return list(_fields(raw, read)) if openai_responses.is_result(raw) else []
    return list(_fields(raw, read | {"id"} if raw.get("role") in _TOOLS else read))


def _fields(raw: dict[str, Any], read: frozenset[str], path: str = "") -> Iterator[str]:
    for key, value in raw.items():
        if value is None or value is False or value in ("", [], {}) or (key == "status" and value in _DONE):
            continue
        if key not in read:
            yield f"{path}{key}"
        elif key in ("function", "custom"):
            yield from _fields(as_mapping(value) or {}, _READ_IN_BLOCKS, f"{path}{key}.")
        elif key not in _VALUES:
            for place, block in enumerate(map(as_mapping, as_list(value) or ())):
                if block is not None and (key == "tool_calls" or _is_known(block, raw.get("role"))):
                    yield from _fields(block, _READ_IN_BLOCKS, f"{path}{key}[{place}].")


def _is_known(block: dict[str, Any], role: JsonValue) -> bool:
    return _is_read(block, role) or anthropic.is_result(block)


def _blocks(raw: dict[str, Any]) -> list[list[JsonValue]]:
    content: JsonValue = raw.get("content")
    role: JsonValue = raw.get("type") if raw.get("role") is None else raw["role"]
    if role in _TOOLS:
        return [_of_result(content)]
    parts: list[list[JsonValue]] = []
    between: list[JsonValue] | None = None  # what no result separates is one message
    for block in filter(None, map(as_mapping, as_list(content) or ())):
        if anthropic.is_result(block):
            parts += [] if between is None else [between]
            parts.append(_of_result(block.get("content")))
            between = None
        else:
            between = [*(between or ()), *(() if _is_read(block, role) else (block,))]
    return parts if between is None else [*parts, between]


def _of_result(content: JsonValue) -> list[JsonValue]:
    blocks = [as_mapping(item) for item in as_list(content) or ()]
    if not all(block is not None and isinstance(block.get("type"), str) for block in blocks):
        return []  # a list of data, not of blocks: its JSON text is the text of the message
    return [block for block in blocks if block is not None and not _is_read(block)]


def _is_read(block: dict[str, Any], role: JsonValue = None) -> bool:
    return text_of(block, role) is not None or anthropic.is_call(block)


def _shown(blocks: list[JsonValue]) -> str:
    return "\n".join(json_text(_cut(block)) for block in blocks)


def _cut(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        encoded = len(value) > _LONGEST_DATA and _DATA.fullmatch(value)
        return shorten(value, _SHOWN_DATA) if encoded else value
    if isinstance(value, dict):
        return {key: _cut(item) for key, item in value.items()}
    return [_cut(item) for item in value] if isinstance(value, list) else value
