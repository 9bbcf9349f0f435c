"""The text in the content of a message: a string, or a list of blocks."""

from __future__ import annotations

from typing import Any, TypeGuard, cast

import msgspec

from grice.formats.errors import FormatError, kind_of
from grice.records import JsonValue, Role
from grice.text import did_you_mean

TEXT_TYPES = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}
"""The block types that hold text, and the key that holds it."""

_UNSAID = ("thinking", "redacted_thinking", "reasoning", "reasoning_text", "summary_text")

_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "tool": "tool",
    "function": "tool",
    "tool_result": "tool",
}


def as_mapping(value: JsonValue) -> dict[str, Any] | None:
    """The value when it is a JSON object, else None."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def as_list(value: JsonValue) -> list[Any] | None:
    """The value when it is a JSON list, else None."""
    return value if _is_list(value) else None


def _is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def identifier(value: JsonValue) -> str:
    """An id or a name as text: None is "", a number its digits."""
    if isinstance(value, str):
        return value
    return "" if value is None else json_text(value)


def json_text(value: JsonValue) -> str:
    """The value as compact JSON text; `repr` where JSON has no form for it."""
    try:
        return msgspec.json.encode(value).decode()
    except (ValueError, OverflowError, RecursionError):
        return repr(value)


def role_of(raw: dict[str, Any]) -> Role:
    """The neutral role of a raw message, from its `role` or (LangChain) its `type`."""
    role: JsonValue = raw.get("role")
    if role is None:
        role = raw.get("type")
        if not isinstance(role, str) or role not in _ROLES:
            raise FormatError(f"has no role; expected one of {', '.join(_ROLES)}")
    if isinstance(role, str) and role in _ROLES:
        return _ROLES[role]
    hint = did_you_mean(role, _ROLES) if isinstance(role, str) else ""
    raise FormatError(
        f"has the role {json_text(role)[:60]}{hint or '; expected one of ' + ', '.join(_ROLES)}"
    )


def blocks_of(content: JsonValue) -> list[dict[str, Any]]:
    """The content as blocks: a string becomes one text block, None none."""
    if content is None:
        return []
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    items = as_list(content)
    if items is None:
        raise FormatError(f"has {kind_of(content)} as content; expected text, a list of blocks or null")
    blocks: list[dict[str, Any]] = []
    for place, item in enumerate(items):
        block: dict[str, Any] | None = (
            {"type": "text", "text": item} if isinstance(item, str) else as_mapping(item)
        )
        if block is None:
            raise FormatError(f"has {kind_of(item)} as content[{place}]; expected a block (an object)")
        blocks.append(block)
    return blocks


def text_of(block: dict[str, Any], role: JsonValue = None) -> str | None:
    """The text of a text block, None for a block of another type.

    What an assistant says is text in a block of any type that has a `text`, or of none; its reasoning is not.
    """
    kind = block.get("type")
    key = TEXT_TYPES.get(kind) if isinstance(kind, str) else None
    if key is None:
        text = block.get("text")
        said = isinstance(role, str) and _ROLES.get(role) == "assistant" and kind not in _UNSAID
        return text if said and isinstance(text, str) else None
    text = block.get(key)
    if text is None or isinstance(text, str):
        return text or ""
    raise FormatError(f"has {kind_of(text)} as the {key} of a {kind} block; expected text")


def spoken_text(blocks: list[dict[str, Any]], role: Role) -> str:
    """What a message says.

    An assistant's adjacent text blocks are one text that its model cut up (as for citations), so they are
    joined as they are; texts with another block between them, and those of other roles, stand on lines of
    their own.
    """
    runs: list[str] = []
    joining = False
    for block in blocks:
        text = text_of(block, role)
        if text is not None:
            if joining and role == "assistant":
                runs[-1] += text
            else:
                runs.append(text)
        joining = text is not None
    return "\n".join(run for run in runs if run)


def result_text(content: JsonValue) -> str:
    """The text of a tool's result: texts of its blocks, and any other JSON value as JSON text."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    items = as_list(content)
    if items is None:
        return json_text(content)
    texts: list[str] = []
    for item in items:
        block = as_mapping(item)
        kind = None if block is None else block.get("type")
        if block is None or not isinstance(kind, str):
            return json_text(content)  # a list of data, not of blocks
        if kind in TEXT_TYPES:
            texts.append(text_of(block) or "")
    return "\n".join(texts)
