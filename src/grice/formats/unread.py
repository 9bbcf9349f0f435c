"""The content of messages that is not text: documents, images, reasoning and whatever else an API takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from grice.formats import anthropic, openai_responses
from grice.formats.content import as_list, as_mapping, json_text, text_of
from grice.records import JsonValue, Message
from grice.text import shorten

__all__ = ["with_unread"]

_LONGEST_DATA = 1_000
_SHOWN_DATA = 100
_DATA = re.compile(r"(?:data:[^,\s]{0,200},)?[A-Za-z0-9+/=_\-\r\n]+")


def with_unread(messages: Iterable[Message]) -> Iterator[tuple[Message, str]]:
    """Each message with the JSON text of its content that is not in `Message.content`, "" when all is.

    Long runs of encoded bytes are cut: their beginning and their length stand for them.
    """
    waiting: list[str] = []  # for further messages made of the same raw one
    for message in messages:
        source = message.metadata.get("source") if message.metadata else None
        raw = source.get("raw") if isinstance(source, dict) else None
        if isinstance(raw, dict):
            waiting = _parts(raw)
        elif source is None:
            waiting = []
        yield message, waiting.pop(0) if waiting else ""


def _parts(raw: dict[str, Any]) -> list[str]:
    """The unread content of each of the messages that a raw message is read as."""
    if openai_responses.is_result(raw):
        return [_of_result(raw.get("output"))]
    if openai_responses.is_call(raw):
        return ["", _of_result(raw.get("output"))]
    if openai_responses.is_silent(raw):
        return [_shown([raw])]
    content: JsonValue = raw.get("content")
    role: JsonValue = raw.get("type") if raw.get("role") is None else raw["role"]
    if role in ("tool", "function", "tool_result"):
        return [_of_result(content)]
    parts: list[str] = []
    between: list[JsonValue] | None = None  # what no result separates is one message
    for block in filter(None, map(as_mapping, as_list(content) or ())):
        if anthropic.is_result(block):
            parts += [] if between is None else [_shown(between)]
            parts.append(_of_result(block.get("content")))
            between = None
        else:
            between = [*(between or ()), *(() if _is_read(block, role) else (block,))]
    return parts if between is None else [*parts, _shown(between)]


def _of_result(content: JsonValue) -> str:
    blocks = [as_mapping(item) for item in as_list(content) or ()]
    if not all(block is not None and isinstance(block.get("type"), str) for block in blocks):
        return ""  # a list of data, not of blocks: its JSON text is the text of the message
    return _shown([block for block in blocks if block is not None and not _is_read(block)])


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
