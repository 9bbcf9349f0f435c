"""Reading OpenAI's message arrays for the lint: Chat Completions messages and Responses items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grice.checks.message_lint.contents import bad_role, check_result, no_content
from grice.checks.message_lint.inputs import check_arguments, check_input
from grice.checks.message_lint.scan import Scan, kind_of
from grice.records import JsonValue

__all__ = ["read_chat", "read_responses"]

_CHAT_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_ITEM_ROLES = ("system", "developer", "user", "assistant")
_CALL_ITEMS = frozenset({"custom_tool_call", "computer_call", "shell_call", "apply_patch_call"})
_OUTPUT_ITEMS = frozenset({"function_call_output", *(f"{name}_output" for name in _CALL_ITEMS)})
_TEXTS = frozenset({"text", "input_text", "output_text"})


def read_chat(scan: Scan, messages: Sequence[Any]) -> None:
    """Look at every message of Chat Completions once."""
    marks = scan.marks
    group = -1  # the last message that is no tool message: the results behind it answer its calls
    for index, message in enumerate(messages):
        if message.__class__ is not dict:
            marks.append(scan.unread("message-not-object", index, scan.path(index), message))
            group = index
            continue
        role = message.get("role")
        if role == "tool":
            marks.append(_tool(scan, index, message, group))
            continue
        group = index
        if role == "user":
            marks.append(_user(scan, index, message))
        elif role == "assistant":
            marks.append(_assistant(scan, index, message))
        elif role == "system" or role == "developer":
            marks.append(_system(scan, index, message))
        else:
            marks.append("x" if role == "function" else bad_role(scan, index, message, _CHAT_ROLES))


def _tool(scan: Scan, index: int, message: dict[str, Any], group: int) -> str:
    scan.result(message.get("tool_call_id"), index, -1, group)
    content = message.get("content")
    if content.__class__ is not str:
        check_result(scan, content, index, f"{scan.base}[{index}].content")
    return "r"


def _system(scan: Scan, index: int, message: dict[str, Any]) -> str:
    content = message.get("content")
    if not isinstance(content, str | list | tuple) or not content:
        return no_content(scan, index, content, "s")
    scan.prompt_in(content)
    return "s"


def _user(scan: Scan, index: int, message: dict[str, Any]) -> str:
    content = message.get("content")
    if message.get("tool_calls"):
        path = f"{scan.path(index)}.tool_calls"
        scan.found("tool-block-in-wrong-role", index, path, "tool_calls in a message of role user")
        scan.loose_calls += [(index, place, "") for place, _ in enumerate(message["tool_calls"])]
    if content.__class__ is str and content and not content.isspace():
        scan.user_text(index, content, -1)
        return "u"
    if not isinstance(content, list | tuple) or not content:
        return no_content(scan, index, content, "u")
    _parts(scan, index, content, "user")
    return "u"


def _assistant(scan: Scan, index: int, message: dict[str, Any]) -> str:
    calls = message.get("tool_calls")
    content = message.get("content")
    if calls is not None:
        _calls(scan, index, calls)
    if content.__class__ is str and content and not content.isspace():
        if scan.prompts:
            scan.repeated(index, content, -1)
    elif isinstance(content, list | tuple) and content:
        _parts(scan, index, content, "assistant")
    elif not (calls or message.get("function_call") or message.get("refusal") or message.get("audio")):
        return no_content(scan, index, content, "a")
    elif content is not None and not isinstance(content, str | list | tuple):
        return scan.unread("malformed-content", index, f"{scan.path(index)}.content", content)
    return "c" if calls else "a"


def _parts(scan: Scan, index: int, content: Sequence[Any], role: str) -> None:
    """The blocks of a message."""
    for place, part in enumerate(content):
        kind = part.get("type") if part.__class__ is dict else None
        path = f"{scan.base}[{index}].content[{place}]"
        if kind.__class__ is str and kind in _TEXTS:
            text = part.get("text")
            if text.__class__ is not str:
                scan.foreign(text)
                scan.found("malformed-content", index, path, f"{kind_of(text)} as text")
            elif not text or text.isspace():
                scan.found("empty-content", index, path, kind_of(text))
            elif role == "user":
                scan.user_text(index, text, place)
            elif scan.prompts:
                scan.repeated(index, text, place)
        elif not isinstance(kind, str) or not kind:
            scan.foreign(part)
            scan.found("malformed-content", index, path, f"{kind_of(part)}, not a block with a type")


def _calls(scan: Scan, index: int, calls: JsonValue) -> None:
    path = f"{scan.base}[{index}].tool_calls"
    if not isinstance(calls, list | tuple) or not calls:
        scan.foreign(calls)
        scan.found("malformed-tool-call", index, path, kind_of(calls))
        return
    for place, call in enumerate(calls):
        if call.__class__ is not dict:
            scan.foreign(call)
            scan.found("malformed-tool-call", index, f"{path}[{place}]", kind_of(call))
            scan.loose_calls.append((index, place, ""))
            continue
        held = call.get("function")
        if held.__class__ is dict:
            name = held.get("name")
            check_arguments(scan, held.get("arguments"), name, index, place)
        else:
            name = _flat(scan, index, place, call)
        scan.call(call.get("id"), name, index, place)
        if name.__class__ is not str or not name:
            scan.foreign(name)
            scan.found("malformed-tool-call", index, f"{path}[{place}]", f"{kind_of(name)} as name")


def _flat(scan: Scan, index: int, place: int, call: dict[str, Any]) -> JsonValue:
    """A call of a custom tool, whose input is any text; or one without `function`, as logs keep them."""
    held = call.get("custom")
    if isinstance(held, dict):
        return held.get("name")
    key = next((key for key in ("arguments", "args", "input") if key in call), None)
    name = call.get("name")
    if key is not None and isinstance(name, str):
        value = call[key]
        check = check_arguments if isinstance(value, str) else check_input
        check(scan, value, name, index, place, key)
    return name


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
            name = item.get("name")
            scan.call(item.get("call_id"), name, index, -1)
            check_arguments(scan, item.get("arguments"), name, index, -1)
            if name.__class__ is not str or not name:
                scan.foreign(name)
                scan.found("malformed-tool-call", index, scan.path(index), f"{kind_of(name)} as name")
            marks.append("c")
        elif kind in _OUTPUT_ITEMS:
            marks.append(_output(scan, index, item))
        elif kind in _CALL_ITEMS:
            scan.call(item.get("call_id"), item.get("name", ""), index, -1)
            marks.append("c")
        elif "role" in item or kind is None or kind == "message":
            marks.append(_item(scan, index, item))
        else:
            marks.append("x")  # reasoning, a search, a reference


def _output(scan: Scan, index: int, item: dict[str, Any]) -> str:
    scan.result(item.get("call_id"), index, -1, -1)
    output = item.get("output")
    if output.__class__ is not str and item["type"] in ("function_call_output", "custom_tool_call_output"):
        check_result(scan, output, index, f"{scan.base}[{index}].output")
    return "r"


def _item(scan: Scan, index: int, item: dict[str, Any]) -> str:
    role, content = item.get("role"), item.get("content")
    if role == "user":
        if content.__class__ is str and content and not content.isspace():
            scan.user_text(index, content, -1)
            return "u"
    elif role == "system" or role == "developer":
        return _system(scan, index, item)
    elif role != "assistant":
        return bad_role(scan, index, item, _ITEM_ROLES)
    mark = "u" if role == "user" else "a"
    if isinstance(content, list | tuple) and content:
        _parts(scan, index, content, role)
    elif not isinstance(content, str) or not content or content.isspace():
        return no_content(scan, index, content, mark)
    elif scan.prompts:
        scan.repeated(index, content, -1)
    return mark
