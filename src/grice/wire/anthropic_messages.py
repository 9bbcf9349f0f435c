"""The Anthropic Messages dialect: reply bodies, the events of a stream, errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from grice.records import JsonValue
from grice.wire.replies import ModelReply, ToolUse
from grice.wire.stream_pieces import arguments_text, completed, pieces, used_tokens

_KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


def reply_body(reply: ModelReply, request: Mapping[str, JsonValue], number: int) -> dict[str, JsonValue]:
    """The body of the reply to the request `number` (from 1)."""
    blocks = [_block(part, f"toolu_{number:04}_{place}") for place, part in enumerate(reply.parts, 1)]
    calls_tool = "tool_use" in [block["type"] for block in blocks]
    given = reply.given if reply.dialect == "anthropic" else {}
    asked, said = used_tokens(request, reply)
    told = reply.usage if reply.dialect in ("", "anthropic") else None
    return {
        "id": f"msg_{number:04}",
        "type": "message",
        "role": "assistant",
        "model": request.get("model", "scripted"),
        "content": blocks,
        "stop_reason": reply.stop_reason or ("tool_use" if calls_tool else "end_turn"),
        "stop_sequence": None,
        "usage": completed(told, {"input_tokens": asked, "output_tokens": said}),
        **given,
    }


def _block(part: object, id_: str) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if isinstance(part, ToolUse):
        return {"type": "tool_use", "id": part.id or id_, "name": part.name, "input": part.input}
    block: dict[str, Any] = part.copy()  # type: ignore[attr-defined]
    if block["type"] == "tool_use":
        block["id"] = block.get("id") or id_
    return block


def events(body: Mapping[str, Any], request: Mapping[str, JsonValue]) -> Iterator[tuple[str, object]]:  # noqa: ARG001 - one signature for all dialects
    """The named events of the reply as a stream."""
    usage = dict(body["usage"]) if isinstance(body.get("usage"), dict) else {}
    opening = {**body, "content": [], "stop_reason": None, "stop_sequence": None}
    opening["usage"] = {**usage, "output_tokens": min(1, usage.get("output_tokens", 0))}
    yield "message_start", {"type": "message_start", "message": opening}
    for index, block in enumerate(body["content"]):
        begun, deltas = _streamed(block)
        yield ("content_block_start", {"type": "content_block_start", "index": index, "content_block": begun})
        for delta in deltas:
            yield ("content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta})
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": body.get("stop_reason"), "stop_sequence": body.get("stop_sequence")}
    yield "message_delta", {"type": "message_delta", "delta": ending, "usage": usage}
    yield "message_stop", {"type": "message_stop"}


def _streamed(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """How a block begins in a stream, and the deltas that complete it."""
    match block["type"]:
        case "text":
            said = [{"type": "text_delta", "text": piece} for piece in pieces(block["text"])]
            return {**block, "text": ""}, said
        case "tool_use":
            sent = pieces(arguments_text(block.get("input")))
            return {**block, "input": {}}, [
                {"type": "input_json_delta", "partial_json": piece} for piece in sent
            ]
        case "thinking":
            thought = [{"type": "thinking_delta", "thinking": piece} for piece in pieces(block["thinking"])]
            signed = [{"type": "signature_delta", "signature": block.get("signature", "")}]
            return {**block, "thinking": "", "signature": ""}, thought + signed
        case _:
            return block, []


def error_body(status: int, message: str) -> dict[str, JsonValue]:
    """The body of an error."""
    kind = _KINDS.get(status, "invalid_request_error" if status < 500 else "api_error")
    return {"type": "error", "error": {"type": kind, "message": message}}
