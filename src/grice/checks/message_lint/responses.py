"""Reading the items of a Responses request for the lint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grice.checks.message_lint.contents import (
    bad_role,
    check_result,
    no_content,
    read_parts,
    read_system,
    tool_fields,
)
from grice.checks.message_lint.inputs import check_arguments
from grice.checks.message_lint.lint_state import Scan, kind_of
from grice.text import value_text

_ROLES = ("system", "developer", "user", "assistant")
_CALL_ITEMS = frozenset({"custom_tool_call", "computer_call", "shell_call", "apply_patch_call"})
_OUTPUT_ITEMS = frozenset({"function_call_output", *(f"{name}_output" for name in _CALL_ITEMS)})
_SILENT_ITEMS = frozenset(
    {
        "reasoning", "item_reference", "compaction", "web_search_call", "file_search_call",
        "image_generation_call", "code_interpreter_call", "local_shell_call", "local_shell_call_output",
        "mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "mcp_call", "tool_search_call",
        "tool_search_output", "additional_tools", "compaction_trigger",
    }
)  # fmt: skip
_TEXTS = frozenset({"input_text", "output_text"})
_LOADING = frozenset({"tool_search_output", "additional_tools"})
"""Items that offer further tools."""


def read_responses(scan: Scan, items: Sequence[Any]) -> None:
    """Look at every item of Responses once."""
    instructions = scan.request.get("instructions")
    if instructions:
        scan.prompt_in(instructions)
    marks = scan.marks
    for index, item in enumerate(items):
        if item.__class__ is not dict:
            marks.append(scan.unread("message-not-object", index, scan.path(index), item))
            continue
        kind = item.get("type")
        if kind is not None and kind.__class__ is not str:
            scan.foreign(kind)
            kind = None
        if kind == "function_call":
            marks.append(_call(scan, index, item))
        elif kind in _OUTPUT_ITEMS:
            marks.append(_output(scan, index, item))
        elif kind in _CALL_ITEMS:
            scan.call(item.get("call_id"), item.get("name", ""), index, -1)
            marks.append("c")
        elif "role" in item or kind is None or kind == "message":
            marks.append(_item(scan, index, item))
        else:
            marks.append(_silent(scan, index, kind, item))


def _silent(scan: Scan, index: int, kind: str, item: dict[str, Any]) -> str:
    """An item that says nothing: reasoning, a search, a reference."""
    if kind in _LOADING:
        scan.offer(item.get("tools"))
    elif kind not in _SILENT_ITEMS:
        scan.found("unknown-item", index, scan.path(index), f"the type {value_text(kind)}")
    return "x"


def _call(scan: Scan, index: int, item: dict[str, Any]) -> str:
    name = item.get("name")
    scan.call(item.get("call_id"), name, index, -1)
    check_arguments(scan, item.get("arguments"), name, index, -1)
    if name.__class__ is not str or not name:
        scan.foreign(name)
        scan.found("malformed-tool-call", index, scan.path(index), f"{kind_of(name)} as name")
    return "c"


def _output(scan: Scan, index: int, item: dict[str, Any]) -> str:
    scan.result(item.get("call_id"), index, -1, -1)
    output = item.get("output")
    if output.__class__ is not str and item["type"] in ("function_call_output", "custom_tool_call_output"):
        check_result(scan, output, index, f"{scan.base}[{index}].output")
    return "r"


def _item(scan: Scan, index: int, item: dict[str, Any]) -> str:
    role, content = item.get("role"), item.get("content")
    if role == "tool" or "tool_calls" in item:
        mark = tool_fields(scan, index, item)
        if mark:
            return mark
    if role == "user":
        if content.__class__ is str and content and not content.isspace():
            scan.user_text(index, content, -1)
            return "u"
    elif role == "system" or role == "developer":
        return read_system(scan, index, item)
    elif role != "assistant":
        return bad_role(scan, index, item, _ROLES)
    mark = "u" if role == "user" else "a"
    if isinstance(content, list | tuple) and content:
        return read_parts(scan, index, content, role, _TEXTS)
    if not isinstance(content, str) or not content or content.isspace():
        return no_content(scan, index, content, mark)
    scan.assistant_text(index, content, -1)
    return mark
