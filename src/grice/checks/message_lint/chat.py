"""Reading a message array of Chat Completions for the lint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grice.checks.message_lint.contents import bad_role, check_result, no_content, read_parts, read_system
from grice.checks.message_lint.inputs import check_arguments, check_input
from grice.checks.message_lint.lint_state import Scan, kind_of
from grice.checks.message_lint.other_api import refuse_format
from grice.records import JsonValue
from grice.text import value_text

_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_TEXTS = frozenset({"text"})


def read_chat(scan: Scan, messages: Sequence[Any]) -> None:
    """Look at every message of Chat Completions once."""
    marks = scan.marks
    legacy = False
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
        if role == "user":
            mark = _user(scan, index, message)
            marks.append(mark)
            if mark == "r":
                continue  # a result under a wrong role
        elif role == "assistant":
            marks.append(_assistant(scan, index, message))
            legacy = legacy or "function_call" in message
        elif role == "system" or role == "developer":
            marks.append(read_system(scan, index, message))
        elif role == "function":
            legacy = True
            marks.append("r")
        else:
            marks.append(bad_role(scan, index, message, _ROLES))
        group = index
    if legacy:
        _pair_functions(scan, messages)


def _tool(scan: Scan, index: int, message: dict[str, Any], group: int) -> str:
    scan.result(message.get("tool_call_id"), index, -1, group)
    content = message.get("content")
    if content.__class__ is not str:
        check_result(scan, content, index, f"{scan.base}[{index}].content")
    return "r"


def _user(scan: Scan, index: int, message: dict[str, Any]) -> str:
    content = message.get("content")
    if len(message) > 2:
        if message.get("tool_calls"):
            path = f"{scan.path(index)}.tool_calls"
            scan.found("tool-block-in-wrong-role", index, path, "tool_calls in a message of role user")
            calls = message["tool_calls"]
            scan.loose_calls += [
                (index, place, "") for place in range(len(calls) if isinstance(calls, list) else 1)
            ]
        if message.get("tool_call_id") is not None:
            return _result_of(scan, index, message, "user")
    if content.__class__ is str and content and not content.isspace():
        scan.user_text(index, content, -1)
        return "u"
    if not isinstance(content, list | tuple) or not content:
        return no_content(scan, index, content, "u")
    return read_parts(scan, index, content, "user", _TEXTS)


def _result_of(scan: Scan, index: int, message: dict[str, Any], role: str) -> str:
    """A result whose message has another role than tool."""
    found = (
        f"a result of id {value_text(message['tool_call_id'])} in a message of role {role}; give it role tool"
    )
    path = f"{scan.path(index)}.role"
    scan.found("tool-block-in-wrong-role", index, path, found, fix="give the result's message the role tool")
    scan.answer(message["tool_call_id"])
    return "r"


def _assistant(scan: Scan, index: int, message: dict[str, Any]) -> str:
    calls = function = None
    content = message.get("content")
    if len(message) > 2 or content is None:
        calls, function = message.get("tool_calls"), message.get("function_call")
        if calls is None and message.get("tool_call_id") is not None:
            return _result_of(scan, index, message, "assistant")
        if calls is not None:
            _calls(scan, index, calls)
        if function:
            _function_call(scan, index, function)
    mark = "a"
    if content.__class__ is str and content and not content.isspace():
        scan.assistant_text(index, content, -1)
    elif isinstance(content, list | tuple) and content:
        mark = read_parts(scan, index, content, "assistant", _TEXTS)
    elif not (calls or function or message.get("refusal") or message.get("audio")):
        return no_content(scan, index, content, "a")
    elif content is not None and not isinstance(content, str | list | tuple):
        return scan.unread("malformed-content", index, f"{scan.path(index)}.content", content)
    return "c" if calls or function else mark


def _function_call(scan: Scan, index: int, call: JsonValue) -> None:
    """A call as it was before there were `tool_calls`: one a message, without id."""
    path = f"{scan.path(index)}.function_call"
    if call.__class__ is not dict:
        scan.foreign(call)
        scan.found("malformed-tool-call", index, path, kind_of(call))
        return
    name = call.get("name")
    if name.__class__ is not str or not name:
        scan.foreign(name)
        scan.found("malformed-tool-call", index, path, f"{kind_of(name)} as name")
    check_arguments(scan, call.get("arguments"), name, index, -1, "function_call.arguments")
    if "functions" in scan.request:
        scan.called_name(scan.request["functions"], name, index, path)


def _pair_functions(scan: Scan, messages: Sequence[Any]) -> None:
    """Pair each `function_call` with the message of role function behind it."""
    for index, message in enumerate(messages):
        if message.__class__ is not dict:
            continue
        call = message.get("function_call") if message.get("role") == "assistant" else None
        if call.__class__ is dict and call and not _answers(messages, index + 1):
            found = f"a function_call of {value_text(call.get('name'))}"
            scan.found("unanswered-tool-call", index, f"{scan.path(index)}.function_call", found)
        if message.get("role") == "function" and not _is_asked(messages, index, message.get("name")):
            found = f"a function message of name {value_text(message.get('name'))} behind no call of it"
            scan.found("orphan-tool-result", index, scan.path(index), found)


def _answers(messages: Sequence[Any], index: int) -> bool:
    message: JsonValue = messages[index] if index < len(messages) else None
    if not isinstance(message, dict):
        return message is not None
    return message.get("role") == "function"  # one of another name is found there


def _is_asked(messages: Sequence[Any], index: int, name: JsonValue) -> bool:
    before: JsonValue = messages[index - 1] if index else None
    call: JsonValue = before.get("function_call") if isinstance(before, dict) else None
    if not isinstance(call, dict):
        return False
    return call.get("name") == name or not isinstance(call.get("name"), str)


def _calls(scan: Scan, index: int, calls: JsonValue) -> None:
    path = f"{scan.base}[{index}].tool_calls"
    if not isinstance(calls, list | tuple) or not calls:
        scan.foreign(calls)
        scan.found("malformed-tool-call", index, path, kind_of(calls), value=calls)
        scan.unread_calls.add(index)
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
    if "requestor" in call and scan.told:
        refuse_format([{"tool_calls": [call]}])
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
