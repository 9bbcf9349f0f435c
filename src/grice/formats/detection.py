"""Which format a list of messages has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

from grice.formats import adk, langchain, otel, tau2
from grice.formats.anthropic import is_call, is_result
from grice.formats.content import as_list, as_mapping
from grice.formats.errors import FormatError, kind_of
from grice.records import JsonValue, clean_json
from grice.text import did_you_mean

Format = Literal["adk", "anthropic", "langchain", "openai_chat", "openai_responses", "otel", "tau2"]
"""The name of a conversation format."""

FORMATS: tuple[Format, ...] = get_args(Format)

_ITEM_TYPES = frozenset({"message", "reasoning", "item_reference", "compaction"})
_BLOCKS: dict[str, Format] = {
    "input_text": "openai_responses",
    "output_text": "openai_responses",
    "input_image": "openai_responses",
    "input_file": "openai_responses",
    "image": "anthropic",
    "document": "anthropic",
    "thinking": "anthropic",
    "redacted_thinking": "anthropic",
    "search_result": "anthropic",
    "container_upload": "anthropic",
    "image_url": "openai_chat",
    "input_audio": "openai_chat",
    "file": "openai_chat",
    "refusal": "openai_chat",
}


def detect_format(messages: object) -> Format:
    """The format of a list of messages, from the first thing in it that only one format has.

    Plain role and content text is `openai_chat`; so is anything that tells nothing.
    """
    return detect_clean(as_list(clean_json(messages)) or [])


def detect_clean(messages: list[Any]) -> Format:
    """The same for messages that are JSON values already."""
    for item in messages:
        message = as_mapping(item)
        found = None if message is None else _told_by(message)
        if found is not None:
            return found
    return "openai_chat"


def known_format(name: object) -> Format:
    """The name as a Format; raises FormatError with the nearest name when there is none like it."""
    for known in FORMATS:
        if name == known:
            return known
    if isinstance(name, str):
        raise FormatError(f"unknown format {name[:60]!r}{did_you_mean(name, FORMATS) or _EXPECTED}")
    raise FormatError(f"the format is {kind_of(name)}{_EXPECTED}")


_EXPECTED = "; expected one of " + ", ".join(FORMATS)


_OWN: dict[Format, Callable[[dict[str, Any]], bool]] = {
    "adk": adk.is_own,
    "langchain": langchain.is_own,
    "otel": otel.is_own,
    "tau2": tau2.is_own,
}


def _told_by(message: dict[str, Any]) -> Format | None:
    for form, is_own in _OWN.items():
        if is_own(message):
            return form
    kind = message.get("type")
    if kind == "message" and "stop_reason" in message:  # a reply of Anthropic's API, not an item
        return "anthropic"
    if isinstance(kind, str) and (
        kind in _ITEM_TYPES or kind.endswith(("_call", "_call_output")) or "mcp_" in kind
    ):
        return "openai_responses"
    return _told_by_content(message.get("content")) or _told_by_calls(message)


def _told_by_content(content: JsonValue) -> Format | None:
    for item in [] if isinstance(content, str) else as_list(content) or []:
        block = as_mapping(item)
        if block is None:
            continue
        if is_call(block) or is_result(block) or "cache_control" in block or "citations" in block:
            return "anthropic"
        of_block = block.get("type")
        found = _BLOCKS.get(of_block) if isinstance(of_block, str) else None
        if found is not None:
            return found
    return None


def _told_by_calls(message: dict[str, Any]) -> Format | None:
    telling = message.get("tool_calls") is not None or message.get("tool_call_id") is not None
    return "openai_chat" if telling else None
