"""The outcome of a tool call: success, pending, error, or none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import msgspec

from grice.checks.message_events import events_of
from grice.matching.matcher import Unsuitable
from grice.matching.subjects import Speech
from grice.records import Exchange, JsonValue, Reply, ToolCall

ToolStatus = Literal["success", "pending", "error", "none"]
STATUSES: tuple[ToolStatus, ...] = get_args(ToolStatus)
MAX_JSON = 10_000_000
"""The characters up to which a result that is JSON text is read."""

_PENDING = (
    "pending",
    "pending_confirmation",
    "awaiting_confirmation",
    "requires_confirmation",
    "confirmation_required",
)
_FAILED = ("error", "failed", "failure", "rejected", "declined", "denied", "cancelled", "canceled")
_ASKING = ("requires_confirmation", "confirmation_required")
_HTTP_ERROR = 400
_JSON_OPENINGS = ("{", "[", '"')
_ERROR_TEXTS = ("error:", "failed:", "traceback (most recent call last)")


def tool_status_of(calls: Sequence[ToolCall]) -> ToolStatus:
    """The status of the last answered call of a turn: success, pending, error, or none without any."""
    for call in reversed(calls):
        if call.answered:
            return "error" if call.error is not None else status_of_result(call.result)
    return "none"


def status_of_result(result: JsonValue) -> ToolStatus:
    """The status that a tool's result speaks of: success, pending or error.

    A text that starts with `Error:` or `Failed:` (as tools of agents that know only text answer), `success`
    or `ok` that is false, `error` or `errors` that hold something, `isError: true`, a status such as rejected
    or a number from 400 is an error; a status such as pending and `requires_confirmation: true` are pending;
    any other result is a success. JSON text counts as what it says, text blocks as their texts. An object
    that says nothing itself may hold another as `result` or `data`, or blocks as `content` (MCP).
    """
    while not isinstance(result, list):
        if isinstance(result, str):
            parsed = _parsed(result)
            if parsed is None:
                return "error" if result[:60].lstrip().lower().startswith(_ERROR_TEXTS) else "success"
            result = parsed
        elif isinstance(result, dict):
            status = _status_in(result)
            if status is not None:
                return status
            result = _held_in(result)
        else:
            return "success"
    texts = (block.get("text") for block in result if isinstance(block, dict) and block.get("type") == "text")
    for text in texts:
        if isinstance(text, str) and (status := status_of_result(text)) != "success":
            return status
    return "success"


def _status_in(result: Mapping[str, JsonValue]) -> ToolStatus | None:
    """What an object says itself, without what it holds; None when that is nothing bad."""
    status = result.get("status")
    word = re.sub(r"[\s-]+", "_", status.strip().lower()) if isinstance(status, str) else ""
    if word in _PENDING or any(result.get(field) is True for field in _ASKING):
        return "pending"
    if word in _FAILED or (isinstance(status, int | float) and status >= _HTTP_ERROR):
        return "error"
    if any(result.get(field) for field in ("error", "errors")) or any(
        _is_false(result.get(field)) for field in ("success", "ok")
    ):
        return "error"
    return "error" if result.get("is_error") is True or result.get("isError") is True else None


def _is_false(value: JsonValue) -> bool:
    return value is False or (isinstance(value, str) and value.strip().lower() == "false")


def _held_in(result: Mapping[str, JsonValue]) -> JsonValue:
    """What an object holds that says nothing itself: an object before other values."""
    for field in ("result", "data"):
        if isinstance(result.get(field), dict):
            return result[field]
    return result["result"] if result.get("result") is not None else result.get("content")


def _parsed(text: str) -> JsonValue:
    """The object, list or text that JSON text stands for; None for any other text."""
    if not text[:60].lstrip().startswith(_JSON_OPENINGS) or len(text) > MAX_JSON:
        return None
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return None


def status_for(subject: Speech, given: ToolStatus | None) -> ToolStatus:
    """The status that a check goes by: the one given, else that of the turn's last answered call."""
    if given is not None:
        return given
    if isinstance(subject, str):
        return "none"
    turn = subject.turn if isinstance(subject, Reply) else subject
    if any(call.answered for call in turn.tool_calls):
        return tool_status_of(turn.tool_calls)
    return _status_sent(turn.exchanges)


def _status_sent(exchanges: Sequence[Exchange]) -> ToolStatus:
    """The status of the last tool result that the model was sent, for an agent that reports no calls.

    Only requests that end with a result count: others may carry results of earlier turns.
    """
    for exchange in reversed(exchanges):
        last = exchange.messages[-1:]
        if any(map(_is_text_of_user, last)):  # as nearly every request ends
            continue
        try:
            events = events_of(last)
        except Unsuitable:
            continue
        results = [event for event in events if event.kind == "tool_result"]
        if results:
            return status_of_result(results[-1].said)
    return "none"


def _is_text_of_user(message: object) -> bool:
    fields: Any = message
    return (
        type(message) is dict
        and fields.keys() == {"role", "content"}
        and fields["role"] == "user"
        and type(fields["content"]) is str
    )
