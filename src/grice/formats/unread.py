"""What a raw message holds and its record does not: documents, images, reasoning, fields of an API."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from grice.formats import adk, anthropic, openai_responses
from grice.formats.content import as_list, as_mapping, blocks_of, json_text, role_of, spoken_text, text_of
from grice.formats.errors import FormatError
from grice.formats.shapes import IN_BLOCKS
from grice.records import JsonValue, Message, Role
from grice.text import shorten

_LONGEST_DATA = 1_000
_SHOWN_DATA = 100
_DATA = re.compile(r"(?:data:[^,\s]{0,200},)?[A-Za-z0-9+/=_\-\r\n]+")

_PLAIN_FIELDS = frozenset({"content", "name", "role", "type"})
_IN_BLOCKS_FIELDS = _PLAIN_FIELDS | {"finish_reason", "function_call", "requestor"}
_ITEM_FIELDS: dict[JsonValue, frozenset[str]] = {
    "function_call": frozenset({"arguments", "call_id", "name", "type"}),
    "custom_tool_call": frozenset({"call_id", "input", "name", "type"}),
    "mcp_call": frozenset({"arguments", "error", "id", "name", "output", "type"}),
}
_OUTPUT_FIELDS = frozenset({"call_id", "output", "type"})
_READ_IN_BLOCKS = frozenset(
    {
        "args",
        "arguments",
        "content",
        "custom",
        "function",
        "id",
        "input",
        "is_error",
        "name",
        "output",
        "refusal",
        "text",
        "tool_use_id",
        "type",
    }
)
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
        if not in_blocks:
            return list(_fields(raw, adk.read_in_silence(raw)))
        as_chat = in_blocks[0] is raw
        read = _read_in_chat(raw) if as_chat else _IN_BLOCKS_FIELDS
        found = [field for written in in_blocks for field in _fields(written, read)]
        return list(dict.fromkeys(field.rpartition(".")[2] for field in found))
    if form == "openai_responses" and openai_responses.is_silent(raw):
        return list(_fields(raw, _read_in_item(raw))) if _is_tool_item(raw) else []
    return list(_fields(raw, _read_in_chat(raw)))


def _is_tool_item(raw: dict[str, Any]) -> bool:
    return openai_responses.is_call(raw) or openai_responses.is_result(raw)


def _read_in_item(raw: dict[str, Any]) -> frozenset[str]:
    """The fields that are read of a call or a result of Responses."""
    read = _ITEM_FIELDS.get(raw.get("type"), _OUTPUT_FIELDS)
    return read if raw.get("call_id") or openai_responses.is_result(raw) else read | {"id"}


def _read_in_chat(raw: dict[str, Any]) -> frozenset[str]:
    """The fields that are read of a message with a role; who speaks and what else it has decide."""
    try:
        return _read_of(raw, role_of(raw))
    except FormatError:
        return _PLAIN_FIELDS  # nobody could read it


def _read_of(raw: dict[str, Any], role: Role) -> frozenset[str]:
    if role == "tool":
        answers = next((key for key in ("tool_call_id", "tool_use_id") if raw.get(key)), "id")
        failed = {"status"} if raw.get("status") == "error" else set[str]()
        return _PLAIN_FIELDS | {answers, "is_error"} | failed
    blocks = [as_mapping(block) or {} for block in as_list(raw.get("content")) or ()]
    if any(anthropic.is_call(block) or anthropic.is_result(block) for block in blocks):
        return _PLAIN_FIELDS - {"name"}
    if role != "assistant":
        return _PLAIN_FIELDS
    calls = "function_call" if raw.get("tool_calls") is None else "tool_calls"
    said = spoken_text(blocks_of(raw.get("content")), role)
    return _PLAIN_FIELDS | ({calls} if said else {calls, "refusal"})


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
    return [
        _of_result(part[0].get("content"))
        if anthropic.is_result(part[0])
        else [block for block in part if not _is_read(block, role)]
        for part in _parts(content)
    ]


def _parts(content: JsonValue) -> list[list[dict[str, Any]]]:
    """The blocks of each message that a content is read as: a result, or what no result separates."""
    parts: list[list[dict[str, Any]]] = []
    joining = False
    for item in as_list(content) or ():
        block = {"type": "text", "text": item} if isinstance(item, str) else as_mapping(item)
        if block is None:
            continue
        result = anthropic.is_result(block)
        if joining and not result:
            parts[-1].append(block)
        else:
            parts.append([block])
        joining = not result
    return parts


def texts_behind_calls(raw: dict[str, Any], form: JsonValue) -> list[bool]:
    """Whether text stands behind a call, in each of the messages that a raw message is read as.

    A message holds its text apart from its calls, so that every writer puts the text first.
    """
    if form == "openai_responses" and openai_responses.is_silent(raw):
        return []
    in_blocks = _in_blocks(raw, form)
    return [
        _has_text_behind_call(part, written.get("role"))
        for written in ([raw] if in_blocks is None else in_blocks)
        for part in _parts(written.get("content"))
    ]


def _has_text_behind_call(blocks: list[dict[str, Any]], role: JsonValue) -> bool:
    called = False
    for block in blocks:
        if anthropic.is_call(block):
            called = True
        elif called and text_of(block, role):
            return True
    return False


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
