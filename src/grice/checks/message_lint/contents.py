"""Roles and contents that cannot be read, the same in every dialect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grice.checks.message_lint.scan import Scan, kind_of
from grice.records import JsonValue
from grice.text import did_you_mean

__all__ = ["bad_role", "check_result", "no_content"]


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
