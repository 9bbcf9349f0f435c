"""The OpenAI Responses dialect: reply bodies and the events of a stream."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from grice.records import JsonValue
from grice.wire.replies import ModelReply, Part, as_call
from grice.wire.stream_pieces import arguments_text, completed, pieces, used_tokens

_ECHOED: dict[str, JsonValue] = {
    "instructions": None,
    "max_output_tokens": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "reasoning": {"effort": None, "summary": None},
    "temperature": 1.0,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_p": 1.0,
    "truncation": "disabled",
}
"""What a response says of its request, with the API's defaults."""


def reply_body(reply: ModelReply, request: Mapping[str, JsonValue], number: int) -> dict[str, JsonValue]:
    """The body of the reply to the request `number` (from 1): an item for each text and each call."""
    given = reply.given if reply.dialect == "openai_responses" else {}
    cut = _CUT.get(reply.stop_reason or "")
    items = given.get("output", [item for part in reply.parts for item in _items(part)])
    output = [_whole(item, number, place) for place, item in enumerate(items, 1)]
    return {
        "id": f"resp_{number:04}",
        "object": "response",
        "created_at": 0,
        "status": "incomplete" if cut else "completed",
        "error": None,
        "incomplete_details": {"reason": cut} if cut else None,
        "model": request.get("model", "scripted"),
        "output": output,
        **{name: request.get(name, default) for name, default in _ECHOED.items()},
        **(given | {"output": output, "usage": _usage(reply, request, given)}),
    }


def _items(part: Part) -> Iterator[dict[str, Any]]:
    """The item that a part of a reply is, none when this API has nothing of the kind."""
    call = as_call(part)
    if call is not None:
        yield {"type": "function_call", "name": call.name, "arguments": call.input} | (
            {"call_id": call.id} if call.id else {}
        )
    elif isinstance(part, str) or (isinstance(part, dict) and part["type"] == "text"):
        text = part if isinstance(part, str) else part.get("text", "")
        yield {"type": "message", "content": [{"type": "output_text", "text": text}]}
    elif isinstance(part, dict) and part["type"] == "thinking":
        yield {"type": "reasoning", "summary": [{"type": "summary_text", "text": part.get("thinking", "")}]}


def _whole(item: dict[str, Any], number: int, place: int) -> dict[str, Any]:
    """An item of a scripted body, with what it leaves out."""
    match item.get("type"):
        case "message":
            content = [{**_PART.get(part.get("type", ""), {}), **part} for part in item.get("content") or ()]
            made = {"id": f"msg_{number:04}_{place}", "status": "completed", "role": "assistant"}
            return made | item | {"content": content}
        case "function_call":
            made = {"id": f"fc_{number:04}_{place}", "status": "completed", "name": ""}
            made["call_id"] = f"call_{number:04}_{place}"
            return made | item | {"arguments": arguments_text(item.get("arguments", {}))}
        case "reasoning":
            return {"id": f"rs_{number:04}_{place}", "summary": []} | item
        case _:
            return item


_PART: dict[str, dict[str, Any]] = {"output_text": {"annotations": [], "logprobs": []}}
_CUT = {"max_tokens": "max_output_tokens", "refusal": "content_filter"}


def _usage(
    reply: ModelReply, request: Mapping[str, JsonValue], given: Mapping[str, Any]
) -> dict[str, Any] | None:
    if "usage" in given and given["usage"] is None:
        return None  # this API may leave it out
    asked, said = used_tokens(request, reply)
    estimate = {
        "input_tokens": asked,
        "input_tokens_details": {"cache_write_tokens": 0, "cached_tokens": 0},
        "output_tokens": said,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": asked + said,
    }
    return completed(given.get("usage"), estimate)


def events(body: Mapping[str, Any], request: Mapping[str, JsonValue]) -> Iterator[tuple[str, object]]:  # noqa: ARG001 - one signature for all dialects
    """The named events of the reply as a stream, numbered from 0."""
    for number, event in enumerate(_events(body)):
        yield event["type"], {**event, "sequence_number": number}


def _events(body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    begun = {**body, "status": "in_progress", "output": [], "usage": None, "incomplete_details": None}
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    for index, item in enumerate(body["output"]):
        yield from _item_events(item, index)
    ended = "completed" if body.get("status") == "completed" else str(body.get("status"))
    yield {"type": f"response.{ended}", "response": body}


def _item_events(item: Mapping[str, Any], index: int) -> Iterator[dict[str, Any]]:
    place = {"output_index": index, "item_id": item.get("id")}
    opening: dict[str, Any] = {**item, "status": "in_progress"} if "status" in item else dict(item)
    if item.get("type") == "message":
        opening["content"] = []
    elif item.get("type") == "function_call":
        opening["arguments"] = ""
    yield {"type": "response.output_item.added", "output_index": index, "item": opening}
    if item.get("type") == "function_call":
        for piece in pieces(item["arguments"]):
            yield {"type": "response.function_call_arguments.delta", **place, "delta": piece}
        whole = {"arguments": item["arguments"], "name": item["name"]}
        yield {"type": "response.function_call_arguments.done", **place, **whole}
    for content_index, part in enumerate(item.get("content") or () if item.get("type") == "message" else ()):
        yield from _part_events(part, {**place, "content_index": content_index})
    yield {"type": "response.output_item.done", "output_index": index, "item": item}


def _part_events(part: Mapping[str, Any], place: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    kind, field = part.get("type"), "refusal" if part.get("type") == "refusal" else "text"
    said = part.get(field)
    if not isinstance(said, str):
        return
    logprobs: dict[str, Any] = {"logprobs": []} if kind == "output_text" else {}
    yield {"type": "response.content_part.added", **place, "part": {**part, field: ""}}
    for piece in pieces(said):
        yield {"type": f"response.{kind}.delta", **place, "delta": piece, **logprobs}
    yield {"type": f"response.{kind}.done", **place, field: said, **logprobs}
    yield {"type": "response.content_part.done", **place, "part": part}
