"""Reading an Anthropic message array for the lint: user and assistant messages of text and blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grice.checks.message_lint.contents import bad_role, check_result, check_text, no_content, tool_fields
from grice.checks.message_lint.inputs import check_input
from grice.checks.message_lint.lint_state import Scan, kind_of
from grice.checks.message_lint.other_api import borrowed_part
from grice.records import JsonValue
from grice.text import value_text


def read_anthropic(scan: Scan, messages: Sequence[Any]) -> None:
    """Look at every message once."""
    system = scan.request.get("system")
    if system:
        _system(scan, system)
    marks = scan.marks
    last = len(messages) - 1
    for index, message in enumerate(messages):
        if message.__class__ is not dict:
            marks.append(scan.unread("message-not-object", index, scan.path(index), message))
            continue
        role = message.get("role")
        if role == "user":
            marks.append(_user(scan, index, message.get("content")))
        elif role == "assistant":
            marks.append(_assistant(scan, index, message, index == last))
        elif role == "system":
            scan.found("system-role-in-array", index, scan.path(index), kind_of(message.get("content")))
            marks.append("s")
        elif role == "tool":
            marks.append(tool_fields(scan, index, message))
        else:
            marks.append(bad_role(scan, index, message, ("user", "assistant")))


def _system(scan: Scan, system: JsonValue) -> None:
    scan.prompt_in(system)
    for place, block in enumerate(system if isinstance(system, list | tuple) else ()):
        text = block.get("text") if block.__class__ is dict else None
        if isinstance(text, str) and (not text or text.isspace()):
            scan.found("empty-content", None, f"system[{place}]", kind_of(text))


def _user(scan: Scan, index: int, content: JsonValue) -> str:
    if content.__class__ is str and content and not content.isspace():
        scan.user_text(index, content, -1)
        return "u"
    if not isinstance(content, list | tuple) or not content:
        return no_content(scan, index, content, "u")
    results = 0
    for place, block in enumerate(content):
        kind = block.get("type") if block.__class__ is dict else None
        if kind == "tool_result":
            if place and not results:
                found = f"a {value_text(_type_of(content[0]))} block before the results"
                scan.found("text-before-tool-result", index, scan.path(index, 0), found)
            results += 1
            scan.result(block.get("tool_use_id"), index, place, _asked_at(scan, index))
            answer = block.get("content", "")
            if answer.__class__ is not str:
                check_result(scan, answer, index, f"{scan.path(index, place)}.content")
        elif kind == "text":
            check_text(scan, index, place, block.get("text"), "user")
        else:
            _other_block(scan, index, place, block, "user")
    return "r" if results else "u"


def _asked_at(scan: Scan, index: int) -> int:
    """The message whose calls the results answer: the one before them, user messages with results aside.

    Anthropic joins user messages in a row into one.
    """
    index -= 1
    while index > 0 and scan.marks[index] == "r":
        index -= 1
    return index


def _assistant(scan: Scan, index: int, message: dict[str, Any], is_last: bool) -> str:
    content = message.get("content")
    mark = tool_fields(scan, index, message) if "tool_calls" in message else ""
    if mark:
        return mark
    if content.__class__ is str and content and not content.isspace():
        scan.assistant_text(index, content, -1)
        return "a"
    if not isinstance(content, list | tuple) or not content:
        # Only the last one may be empty: the model goes on from there.
        return "a" if is_last and content in ("", []) else no_content(scan, index, content, "a")
    return _said_in(scan, index, content)


def _said_in(scan: Scan, index: int, content: Sequence[Any]) -> str:
    """The blocks of an assistant message; its mark."""
    calls, first, served = 0, -1, False
    for place, block in enumerate(content):
        kind = block.get("type") if block.__class__ is dict else None
        if kind == "tool_use":
            first = place if first < 0 else first
            calls += 1
            _call(scan, index, place, block)
        elif kind == "text":
            check_text(scan, index, place, block.get("text"), "assistant")
        elif _other_block(scan, index, place, block, "assistant"):
            served = True
    if not calls:
        return "x" if served else "a"
    if first + calls != len(content):
        _text_behind(scan, index, content, first)
    return "c"


def _text_behind(scan: Scan, index: int, content: Sequence[Any], first: int) -> None:
    for place in range(first + 1, len(content)):
        kind = _type_of(content[place])
        if kind in ("text", "image"):
            found = f"a {value_text(kind)} block behind a tool_use block"
            scan.found("text-after-tool-call", index, scan.path(index, place), found)
            return


def _call(scan: Scan, index: int, place: int, block: dict[str, Any]) -> None:
    name = block.get("name")
    scan.call(block.get("id"), name, index, place)
    value = block.get("input")
    if value or value.__class__ is not dict:
        check_input(scan, value, name, index, place)
    if name.__class__ is not str or not name:
        scan.foreign(name)
        scan.found("malformed-tool-call", index, scan.path(index, place), f"{kind_of(name)} as name")


def _type_of(block: JsonValue) -> JsonValue:
    return block.get("type") if isinstance(block, dict) else None


def _other_block(scan: Scan, index: int, place: int, block: JsonValue, role: str) -> bool:
    """A block that is neither text nor of this role's tools; whether it is of a tool of the server."""
    kind = _type_of(block)
    if not isinstance(kind, str) or not kind:
        scan.foreign(block)
        found = f"{kind_of(block)}, not a block with a type"
        scan.found("malformed-content", index, scan.path(index, place), found)
        return False
    if kind in ("tool_use", "tool_result"):
        found = f"a {kind} block in a message of role {role}"
        scan.found("tool-block-in-wrong-role", index, scan.path(index, place), found)
        if kind == "tool_use":
            scan.loose_calls.append((index, place, ""))
        else:
            scan.answer(block.get("tool_use_id"))
        return False
    borrowed = borrowed_part(scan, index, scan.path(index, place), block) if isinstance(block, dict) else ""
    if borrowed:
        if borrowed.endswith("_text") and isinstance(block, dict):
            check_text(scan, index, place, block.get("text"), role)
        return False
    if kind == "compaction":
        scan.begins = False  # the API leaves out what stands before it
    if kind.endswith("tool_use"):
        check_input(scan, block.get("input"), block.get("name"), index, place)
        return True
    return kind.endswith("tool_result")
