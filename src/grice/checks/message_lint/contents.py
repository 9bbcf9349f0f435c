"""Roles and contents that cannot be read, the same in every dialect; texts and systems of OpenAI's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.checks.message_lint.lint_state import Scan, kind_of
from grice.checks.message_lint.other_api import borrowed_part
from grice.records import JsonValue
from grice.text import did_you_mean


def bad_role(scan: Scan, index: int, message: Mapping[str, Any], known: tuple[str, ...]) -> str:
    """Keep the finding that a role is missing or unknown, and give the message's mark."""
    role = message.get("role")
    if role is None or role == "":
        found = "no role" if role is None else "an empty role"
        scan.found("missing-role", index, scan.path(index), found)
    else:
        scan.foreign(role)
        hint = did_you_mean(role, known) if isinstance(role, str) else ""
        scan.found("unknown-role", index, f"{scan.path(index)}.role", kind_of(role) + hint)
    return "?"


def no_content(scan: Scan, index: int, content: JsonValue, mark: str) -> str:
    """Keep the finding that a message says nothing or cannot be read, and give its mark."""
    path = f"{scan.base}[{index}].content"
    if isinstance(content, str | list | tuple):
        scan.found("empty-content", index, path, kind_of(content))
        return mark
    return scan.unread("malformed-content", index, path, content)


def check_result(scan: Scan, content: JsonValue, index: int, path: str) -> None:
    """The content of a tool's result: a text, which may be empty, or blocks."""
    if content.__class__ is str:
        return
    scan.foreign(content)
    if isinstance(content, list | tuple):
        odd = [
            block for block in content if not (isinstance(block, dict) and isinstance(block.get("type"), str))
        ]
        if not odd:
            return
        scan.foreign(odd[0])
        scan.found("malformed-tool-result", index, path, f"a list with {kind_of(odd[0])}, not a block")
    else:
        scan.found("malformed-tool-result", index, path, kind_of(content))


def check_text(scan: Scan, index: int, place: int, text: JsonValue, role: str) -> None:
    """The text of a block of the user or the assistant."""
    if text.__class__ is not str:
        scan.foreign(text)
        scan.found("malformed-content", index, scan.content_path(index, place), f"{kind_of(text)} as text")
    elif not text or text.isspace():
        scan.found("empty-content", index, scan.content_path(index, place), kind_of(text))
    elif role == "user":
        scan.user_text(index, text, place)
    else:
        scan.assistant_text(index, text, place)


def read_parts(scan: Scan, index: int, content: Sequence[Any], role: str, texts: frozenset[str]) -> str:
    """The parts of an OpenAI message, of which `texts` are the types of text; its mark."""
    mark = "u" if role == "user" else "a"
    for place, part in enumerate(content):
        kind = part.get("type") if part.__class__ is dict else None
        if not isinstance(kind, str) or not kind:
            scan.foreign(part)
            found = f"{kind_of(part)}, not a block with a type"
            scan.found("malformed-content", index, scan.content_path(index, place), found)
            continue
        if kind not in texts:
            kind = borrowed_part(scan, index, scan.content_path(index, place), part)
        if kind.endswith("text"):
            check_text(scan, index, place, part.get("text"), role)
        elif kind in ("tool_use", "tool-call"):
            mark = "c"
        elif kind in ("tool_result", "tool-result"):
            mark = "r"
    return mark


def read_system(scan: Scan, index: int, message: dict[str, Any]) -> str:
    """A system or developer message of OpenAI's."""
    content = message.get("content")
    if not isinstance(content, str | list | tuple) or not content:
        return no_content(scan, index, content, "s")
    scan.prompt_in(content)
    return "s"


def tool_fields(scan: Scan, index: int, message: dict[str, Any]) -> str:
    """The mark of a message with Chat's `tool_calls` or role tool in another dialect; "" without them."""
    calls = message.get("tool_calls")
    native = scan.dialect == "anthropic"
    if message.get("role") == "tool":
        form = "a tool_result block in a user message" if native else "an item of type function_call_output"
        scan.foreign_block(index, scan.path(index), "a message of role tool", f"a result is {form}")
        scan.answer(message.get("tool_call_id"))
        return "r"
    if not isinstance(calls, list | tuple) or not calls:
        return ""
    form = "a tool_use block of its content" if native else "an item of type function_call"
    scan.foreign_block(index, f"{scan.path(index)}.tool_calls", "`tool_calls`", f"a call is {form}")
    for call in calls:
        scan.foreign_call(call.get("id") if isinstance(call, dict) else None, index, -1)
    content = message.get("content")
    if isinstance(content, str) and content and not content.isspace():
        scan.assistant_text(index, content, -1)
    return "c"
