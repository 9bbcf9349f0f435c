"""The OpenAI Chat Completions dialect: reply bodies, the chunks of a stream, errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from grice.records import JsonValue
from grice.wire.replies import ModelReply
from grice.wire.stream_pieces import arguments_text, completed, pieces, used_tokens

_FINISH = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "refusal": "content_filter",
}
_KINDS = {401: "authentication_error", 429: "rate_limit_error"}
DONE = "[DONE]"


def reply_body(reply: ModelReply, request: Mapping[str, JsonValue], number: int) -> dict[str, JsonValue]:
    """The body of the reply to the request `number` (from 1), with one choice."""
    calls = [
        ({"id": call.id} if call.id else {}) | {"function": {"name": call.name, "arguments": call.input}}
        for call in reply.calls
    ]
    message: dict[str, Any] = {"content": reply.text or (None if calls else "")}
    if calls:
        message["tool_calls"] = calls
    choice = {"message": message, "finish_reason": _FINISH.get(reply.stop_reason or "", reply.stop_reason)}
    given = reply.given if reply.dialect == "openai_chat" else {}
    choices = [_whole(one, place, number) for place, one in enumerate(given.get("choices", [choice]))]
    return {
        "id": f"chatcmpl-{number:04}",
        "object": "chat.completion",
        "created": 0,
        "model": request.get("model", "scripted"),
        "choices": choices,
        **(given | {"choices": choices, "usage": _usage(reply, request, given)}),
    }


def _whole(choice: Mapping[str, Any], place: int, number: int) -> dict[str, Any]:
    """A choice of a scripted body, with what it leaves out."""
    message = {"role": "assistant", "content": None, "refusal": None, **choice["message"]}
    if message.get("tool_calls"):
        message["tool_calls"] = [
            {
                "id": f"call_{number:04}_{at}",
                "type": "function",
                **call,
                "function": _function(call["function"]),
            }
            for at, call in enumerate(message["tool_calls"], 1)
        ]
    reason = choice.get("finish_reason") or ("tool_calls" if message.get("tool_calls") else "stop")
    return {"index": place, "logprobs": None, **choice, "message": message, "finish_reason": reason}


def _function(function: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": "", **function, "arguments": arguments_text(function.get("arguments", {}))}


def _usage(
    reply: ModelReply, request: Mapping[str, JsonValue], given: Mapping[str, Any]
) -> dict[str, Any] | None:
    if "usage" in given and given["usage"] is None:
        return None  # this API may leave it out
    asked, said = used_tokens(request, reply)
    estimate = {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
    return completed(given.get("usage"), estimate)


def events(body: Mapping[str, Any], request: Mapping[str, JsonValue]) -> Iterator[tuple[str, object]]:
    """The chunks of the reply as a stream, and the mark of its end; chunks have no event name.

    The usage is in a chunk of its own when the request's `stream_options` ask for it.
    """
    head = {name: body[name] for name in ("id", "created", "model") if name in body}
    head["object"] = "chat.completion.chunk"
    asked = request.get("stream_options")
    counts = isinstance(asked, dict) and asked.get("include_usage") is True
    if counts:
        head["usage"] = None
    for choice in body["choices"]:
        place = {"index": choice.get("index", 0), "logprobs": None}
        for delta in _deltas(choice["message"]):
            yield "", {**head, "choices": [{**place, "delta": delta, "finish_reason": None}]}
        yield "", {**head, "choices": [{**place, "delta": {}, "finish_reason": choice["finish_reason"]}]}
    if counts:
        yield "", {**head, "choices": [], "usage": body.get("usage")}
    yield "", DONE


def _deltas(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    text = message.get("content")
    yield {"role": "assistant", "content": None if text is None else "", "refusal": None}
    for piece in pieces(text or ""):
        yield {"content": piece}
    for piece in pieces(message.get("refusal") or ""):
        yield {"refusal": piece}
    for index, call in enumerate(message.get("tool_calls") or ()):
        function = {"name": call["function"]["name"], "arguments": ""}
        yield {"tool_calls": [{"index": index, "id": call["id"], "type": "function", "function": function}]}
        for piece in pieces(call["function"]["arguments"]):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def error_body(status: int, message: str) -> dict[str, JsonValue]:
    """The body of an error; the Responses API has the same."""
    kind = _KINDS.get(status, "invalid_request_error" if status < 500 else "server_error")
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}
