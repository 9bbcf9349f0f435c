"""Trajectories of tau2-bench: chat messages in which the user has tools too.

A call by the user's tools, and its result, have `metadata["requestor"] == "user"`.
"""

from __future__ import annotations

from typing import Any

from grice.formats.blocks import call_block, others, read_blocks, result_block
from grice.formats.calls import REQUESTOR, arguments_text, join_calls, read_calls
from grice.formats.content import as_list, as_mapping, blocks_of, role_of
from grice.formats.errors import FormatError, kind_of
from grice.records import Message, ToolCall


def is_own(raw: dict[str, Any]) -> bool:
    """Whether only tau2 writes messages like this one."""
    if REQUESTOR in raw or "tool_messages" in raw or ("turn_idx" in raw and "timestamp" in raw):
        return True
    calls = as_list(raw.get("tool_calls")) or []
    return any(REQUESTOR in (as_mapping(call) or {}) for call in calls)


def read(raw: dict[str, Any]) -> list[Message]:
    """The neutral messages of one message: several when it holds several results."""
    return read_blocks(in_blocks(raw))


def in_blocks(raw: dict[str, Any]) -> list[dict[str, Any]]:
    """The message in blocks."""
    role = role_of(raw)
    if role == "tool":
        return _results(raw)
    blocks = blocks_of(raw.get("content"))
    calls = [
        call_block(call.id, call.name, call.arguments if call.raw_arguments is None else arguments_text(call))
        for call in read_calls(raw)
    ]
    rest = others(raw, ("role", "content", "tool_calls"))
    return [{**rest, "role": role, "content": blocks + calls if calls else raw.get("content")}]


def _results(raw: dict[str, Any]) -> list[dict[str, Any]]:
    if raw.get("tool_messages") is None:
        return [_result(raw)]
    items = as_list(raw["tool_messages"])
    if items is None:
        raise FormatError(f"has {kind_of(raw['tool_messages'])} as tool_messages; expected a list")
    results: list[dict[str, Any]] = []
    for place, item in enumerate(items):
        result = as_mapping(item)
        if result is None:
            raise FormatError(f"has {kind_of(item)} as tool_messages[{place}]; expected an object")
        results.append(_result(result))
    return results


def _result(raw: dict[str, Any]) -> dict[str, Any]:
    rest = others(raw, ("id", "role", "content", "error", "tool_call_id", REQUESTOR))
    answers = raw.get("id") if raw.get("tool_call_id") is None else raw["tool_call_id"]
    result = result_block(answers, raw.get("content"), failed=raw.get("error") is True)
    by_user = raw.get(REQUESTOR) == "user"
    return {**rest, "role": "user", "content": [result], **({REQUESTOR: "user"} if by_user else {})}


def write(messages: list[Message]) -> list[dict[str, Any]]:
    """The messages that say the same."""
    return [_write(message) for message in join_calls(messages)]


def _write(message: Message) -> dict[str, Any]:
    if message.role == "tool":
        return {
            "id": message.tool_call_id or "",
            "role": "tool",
            "content": message.content,
            REQUESTOR: message.metadata.get(REQUESTOR, "assistant"),
            "error": message.is_error,
        }
    raw: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        raw["content"] = message.content or None
        raw["tool_calls"] = [_call(call, message.role) for call in message.tool_calls]
    return raw


def _call(call: ToolCall, by: str) -> dict[str, Any]:
    return {"id": call.id, "name": call.name, "arguments": call.arguments, REQUESTOR: by}
