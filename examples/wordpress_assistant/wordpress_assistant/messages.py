"""The message array of a request, in the Anthropic Messages shape.

A history entry is `{"role", "content"}` with role `user` or `assistant`, or a tool's answer:
`{"role": "tool_result", "tool_call_id", "content", "is_error"}`. Entries of role `system` are left out, since
their text belongs in the system prompt.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

JsonDict = dict[str, Any]


def build_tool_result_messages(
    history: Sequence[Mapping[str, Any]] | None,
    pending_tool_calls: Sequence[Mapping[str, Any]] | None,
    tool_results: Sequence[Mapping[str, Any]],
) -> list[JsonDict]:
    """The history, the assistant message that made the calls, and the user message that answers them.

    A call is `{"id", "name", "input"}`; a result is `{"tool_call_id", "result"}`, with optional `is_error`.
    Without pending calls they are made up from the results (their `name`, or "unknown") with empty input.
    Raises ValueError, which names the ids, when calls and results do not pair up one to one.
    """
    calls = pending_tool_calls or [_call_behind(result) for result in tool_results]
    results = _results_by_call(calls, tool_results)
    return [
        *history_messages(history),
        {"role": "assistant", "content": [tool_use_block(call) for call in calls]},
        {"role": "user", "content": [_result_block(results[call["id"]]) for call in calls]},
    ]


def history_messages(history: Sequence[Mapping[str, Any]] | None) -> list[JsonDict]:
    """The history as messages for the model; an assistant entry that says nothing is left out."""
    entries = (entry for entry in history or () if entry.get("role") != "system" and not _is_silent(entry))
    return [_history_message(entry) for entry in entries]


def assistant_content(text: str, calls: Sequence[Mapping[str, Any]]) -> list[JsonDict]:
    """The blocks of an assistant message that calls tools: what it says, if anything, then the calls."""
    said = [{"type": "text", "text": text}] if text else []
    return [*said, *map(tool_use_block, calls)]


def joined(*parts: str | None) -> str:
    """The parts that say something, as one message."""
    return " ".join(part.strip() for part in parts if part and part.strip())


def tool_use_block(call: Mapping[str, Any]) -> JsonDict:
    """The block with which the assistant made this call."""
    return {
        "type": "tool_use",
        "id": _required(call, "id", "tool call"),
        "name": _required(call, "name", "tool call"),
        "input": as_object(call.get("input")),
    }


def as_object(value: object) -> JsonDict:
    """A tool's input as the object it must be: PHP writes an empty one as `[]`."""
    return dict(value) if isinstance(value, Mapping) else {}


def _history_message(entry: Mapping[str, Any]) -> JsonDict:
    content = entry.get("content")
    match entry.get("role"):
        case "tool_result":
            block = _tool_result_block(
                _required(entry, "tool_call_id", "tool result"), content, entry.get("is_error")
            )
            return {"role": "user", "content": [block]}
        case "assistant" if isinstance(content, list):
            return {"role": "assistant", "content": [_assistant_block(block) for block in content]}
        case "user" | "assistant" as role:
            return {"role": role, "content": content if isinstance(content, list) else _as_text(content)}
        case role:
            raise ValueError(
                f"history entry has role {role!r}; expected user, assistant, tool_result or system"
            )


def _is_silent(entry: Mapping[str, Any]) -> bool:
    return entry.get("role") == "assistant" and not entry.get("content")


def _assistant_block(block: object) -> JsonDict:
    if not isinstance(block, Mapping):
        raise ValueError(f"history entry has a content block that is not an object: {block!r}")
    return tool_use_block(block) if block.get("type") == "tool_use" else dict(block)


def _result_block(result: Mapping[str, Any]) -> JsonDict:
    return _tool_result_block(result["tool_call_id"], result.get("result"), result.get("is_error"))


def _tool_result_block(call_id: str, content: object, is_error: object) -> JsonDict:
    return {
        "type": "tool_result",
        "tool_use_id": call_id,
        "content": _as_text(content),
        "is_error": bool(is_error),
    }


def _required(item: Mapping[str, Any], key: str, what: str) -> str:
    value = item.get(key)
    if not isinstance(value, str) or not value:
        raise ValueError(f"a {what} has no {key}: {item}")
    return value


def _as_text(content: object) -> str:
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _call_behind(result: Mapping[str, Any]) -> JsonDict:
    call_id = _required(result, "tool_call_id", "tool result")
    return {"id": call_id, "name": result.get("name") or "unknown", "input": {}}


def _results_by_call(
    calls: Sequence[Mapping[str, Any]], results: Sequence[Mapping[str, Any]]
) -> dict[str, Mapping[str, Any]]:
    """The results by the id of their call, when each call has exactly one."""
    call_ids = _unique("pending tool calls", [_required(call, "id", "tool call") for call in calls])
    result_ids = _unique(
        "tool results", [_required(result, "tool_call_id", "tool result") for result in results]
    )
    if unknown := _missing_from(call_ids, result_ids):
        raise ValueError(f"tool results answer no pending call: {unknown}")
    if unanswered := _missing_from(result_ids, call_ids):
        raise ValueError(f"pending tool calls have no result: {unanswered}")
    if not call_ids:
        raise ValueError("there is no tool result to send")
    return dict(zip(result_ids, results, strict=True))


def _unique(what: str, ids: list[str]) -> list[str]:
    if repeated := [id_ for id_, count in Counter(ids).items() if count > 1]:
        raise ValueError(f"{what} share an id: {', '.join(repeated)}")
    return ids


def _missing_from(ids: Sequence[str], wanted: Sequence[str]) -> str:
    return ", ".join(id_ for id_ in wanted if id_ not in ids)
