"""Google's Agent Development Kit: invocations of eval cases, events of sessions, and Gemini's contents.

An invocation is a turn: what the user said, the events between, the final response. Fields are read in
snake_case and in camelCase, and written in snake_case. Calls are read from `invocation_events`, or from the
older `tool_uses` and `tool_responses`, which do not say in which step a call was made: they become one step.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec

from grice.formats.blocks import call_block, others, read_blocks, result_block
from grice.formats.calls import join_calls, without_user_calls
from grice.formats.content import as_list, as_mapping, identifier, json_text, result_text
from grice.formats.errors import FormatError, kind_of
from grice.records import JsonValue, Message

_CAMEL = {
    "user_content": "userContent",
    "final_response": "finalResponse",
    "intermediate_data": "intermediateData",
    "invocation_events": "invocationEvents",
    "tool_uses": "toolUses",
    "tool_responses": "toolResponses",
    "intermediate_responses": "intermediateResponses",
    "function_call": "functionCall",
    "function_response": "functionResponse",
}
_PARTS = ("text", "function_call", "functionCall", "function_response", "functionResponse", "inline_data")
_CONTENTS = ("user_content", "final_response")
_ROLES = {"user": "user", "function": "user", "tool": "user", "model": "assistant"}
_AGENT = "agent"
_PLAIN_AUTHORS = ("user", _AGENT, "model", "")


def is_own(raw: dict[str, Any]) -> bool:
    """Whether only ADK (or Gemini) has messages like this one."""
    if _get(raw, "user_content") is not None:
        return True
    content = raw if "parts" in raw and "content" not in raw else as_mapping(raw.get("content")) or {}
    parts = [as_mapping(part) or {} for part in as_list(content.get("parts")) or []]
    return any("type" not in part and any(key in part for key in _PARTS) for part in parts)


def read(raw: dict[str, Any]) -> list[Message]:
    """The neutral messages of one invocation, event or content; an event without content says nothing."""
    return read_blocks(in_blocks(raw))


def in_blocks(raw: dict[str, Any]) -> list[dict[str, Any]]:
    """What an invocation, an event or a content says, in blocks."""
    if _get(raw, "user_content") is not None or _get(raw, "final_response") is not None:
        return _invocation(raw)
    if "parts" in raw:
        return _said(raw, "user", rest=others(raw, ("role", "parts")))
    if "author" in raw or "content" in raw:
        return _event(raw)
    raise FormatError("is no invocation, event or content; expected user_content, author or parts")


def read_in_silence(raw: dict[str, Any]) -> frozenset[str]:
    """The fields in which an invocation, event or content that says nothing has nothing to lose."""
    said = () if raw.get("partial") is True else ("content",)
    return frozenset(("author", "role", "parts", *said, *_known(*_CONTENTS)))


def _get(raw: dict[str, Any], name: str) -> JsonValue:
    held = raw.get(name)
    return raw.get(_CAMEL[name]) if held is None else held


def _known(*names: str) -> tuple[str, ...]:
    return tuple(spelt for name in names for spelt in (name, _CAMEL[name]))


def _invocation(raw: dict[str, Any]) -> list[dict[str, Any]]:
    rest = others(raw, _known(*_CONTENTS, "intermediate_data"))
    between, last, unsaid = _between(raw)
    final: JsonValue = _get(raw, "final_response")
    written = _said(_get(raw, "user_content"), "user") + between
    if final != last or last is None:
        written += _said(final, "assistant")
    if written and (rest or unsaid):
        written[0] = {**unsaid, **rest, **written[0]}
    return written


def _between(raw: dict[str, Any]) -> tuple[list[dict[str, Any]], JsonValue, dict[str, Any]]:
    """What was said and done before the final response, the content of the last event, and other fields.

    Those are of events that say nothing, such as errors, and so have no message to be kept in.
    """
    data = as_mapping(_get(raw, "intermediate_data")) or {}
    unsaid = others(
        data, _known("invocation_events", "intermediate_responses", "tool_uses", "tool_responses")
    )
    written: list[dict[str, Any]] = []
    last: JsonValue = None
    for item in _items(data, "invocation_events"):
        event = as_mapping(item)
        if event is None:
            raise FormatError(f"has {kind_of(item)} in invocation_events; expected an object")
        said = _event(event)
        written += said
        unsaid |= {} if said else others(event, read_in_silence(event))
        last = event.get("content")
    for item in _items(data, "intermediate_responses"):
        author, parts = (as_list(item) or [None, None])[:2]
        written += _said({"parts": parts}, "assistant", name=author)
    uses = [{"function_call": call} for call in _items(data, "tool_uses")]
    answers = [{"function_response": answer} for answer in _items(data, "tool_responses")]
    written += _said({"parts": uses}, "assistant") + _said({"parts": answers}, "user")
    return written, last, unsaid


def _items(data: dict[str, Any], name: str) -> list[Any]:
    held = _get(data, name)
    items = [] if held is None else as_list(held)
    if items is None:
        raise FormatError(f"has {kind_of(held)} as {name}; expected a list")
    return items


def _event(raw: dict[str, Any]) -> list[dict[str, Any]]:
    author = identifier(raw.get("author"))
    role = "user" if author == "user" else "assistant"
    name = None if author in _PLAIN_AUTHORS else author
    content = None if raw.get("partial") is True else raw.get("content")
    return _said(content, role, name=name, own_role=not author, rest=others(raw, ("author", "content")))


def _said(
    content: JsonValue,
    role: str,
    *,
    name: JsonValue = None,
    own_role: bool = True,
    rest: dict[str, Any] | None = None,
) -> list[dict[str, Any]]:
    """A content in blocks, nothing when it has no parts. `own_role` says that its own role counts."""
    held = as_mapping(content)
    if held is None:
        if content is None:
            return []
        raise FormatError(f"has {kind_of(content)} as content; expected an object with parts")
    given = held.get("role")
    if own_role and given is not None:
        if not isinstance(given, str) or given not in _ROLES:
            raise FormatError(f"has the role {json_text(given)[:60]}; expected one of {', '.join(_ROLES)}")
        role = _ROLES[given]
    parts = held.get("parts")
    items = [] if parts is None else as_list(parts)
    if items is None:
        raise FormatError(f"has {kind_of(parts)} as parts; expected a list")
    blocks = [_block(part, place) for place, part in enumerate(items)]
    blocks = [block for block in blocks if block]
    return [{**(rest or {}), "role": role, "name": name, "content": blocks}] if blocks else []


def _block(item: JsonValue, place: int) -> dict[str, Any]:
    part = as_mapping(item)
    if part is None:
        raise FormatError(f"has {kind_of(item)} as parts[{place}]; expected a part (an object)")
    part = {key: value for key, value in part.items() if value is not None}
    call, answer = (as_mapping(_get(part, name)) for name in ("function_call", "function_response"))
    rest = others(part, ("text", *_known("function_call", "function_response")))
    if call is not None:
        more = others(call, ("id", "name", "args"))
        return {**rest, **more, **call_block(call.get("id"), call.get("name"), call.get("args"))}
    if answer is not None:
        more = others(answer, ("id", "response"))
        return {**rest, **more, **_result(answer.get("id"), answer.get("response"))}
    if part.get("thought") is True:
        return {"type": "thinking", **part}
    if "text" in part:
        return {**rest, "type": "text", "text": part["text"]}
    return {"type": next(iter(part)), **part} if part else {}


def _result(id: JsonValue, response: JsonValue) -> dict[str, Any]:  # noqa: A002
    """The result of a call; ADK wraps what is no object as `result`, Gemini as `output` or `error`."""
    match response:
        case {"error": error, **rest} if not rest and error is not None:
            return result_block(id, error, failed=True)
        case {"result": held, **rest} | {"output": held, **rest} if not rest:
            return result_block(id, held)
        case _:
            return result_block(id, response)


def write(messages: list[Message]) -> list[dict[str, Any]]:
    """The invocations that say the same, one for each user message; system messages have no place in them."""
    kept = [message for message in join_calls(without_user_calls(messages)) if message.role != "system"]
    names = {call.id: call.name for message in kept for call in message.tool_calls}
    starts = [place for place, message in enumerate(kept) if message.role == "user"]
    if kept and (not starts or starts[0]):
        starts.insert(0, 0)
    return [_write(kept[start:end], names) for start, end in pairwise([*starts, len(kept)])]


def _write(turn: list[Message], names: dict[str, str]) -> dict[str, Any]:
    said = [{"text": turn[0].content}] if turn[0].role == "user" else []
    rest = turn[1:] if said else turn
    final: dict[str, Any] | None = None
    last = rest[-1] if rest and rest[-1].role == "assistant" and not rest[-1].tool_calls else None
    events = _events(rest if last is None else rest[:-1], names)
    if last is not None:
        final = {"role": "model", "parts": [{"text": last.content}]}
        said_before = bool(events) and events[-1]["content"] == final  # which would be read as one
        if said_before or _author(last) != _AGENT:  # a final response names no agent, its event does
            events.append({"author": _author(last), "content": final})
        final = None if said_before else final
    raw: dict[str, Any] = {"user_content": {"role": "user", "parts": said}}
    if events:
        raw["intermediate_data"] = {"invocation_events": events}
    if final is not None:
        raw["final_response"] = final
    return raw


def _events(messages: list[Message], names: dict[str, str]) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    results: list[dict[str, Any]] | None = None
    for message in messages:
        if message.role == "tool":
            if results is None:
                results = []
                events.append({"author": _AGENT, "content": {"role": "user", "parts": results}})
            results.append({"function_response": _response(message, names)})
            continue
        results = None
        said = message.content or not message.tool_calls
        parts: list[dict[str, Any]] = [{"text": message.content}] if said else []
        parts += [
            {"function_call": {"id": call.id, "name": call.name, "args": call.arguments}}
            for call in message.tool_calls
        ]
        events.append({"author": _author(message), "content": {"role": "model", "parts": parts}})
    return events


def _author(message: Message) -> str:
    return message.name if message.name and message.name not in _PLAIN_AUTHORS else _AGENT


def _response(message: Message, names: dict[str, str]) -> dict[str, Any]:
    answers = message.tool_call_id or ""
    name = message.name or names.get(answers, "")
    return {"id": answers, "name": name, "response": _wrapped(message)}


def _wrapped(message: Message) -> dict[str, Any]:
    """The result as the object that it has to be: itself when it is one, else wrapped."""
    if message.is_error:
        return {"error": message.content}
    try:
        value = msgspec.json.decode(message.content)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        read_back = _result("", value)
        if not read_back["is_error"] and result_text(read_back["content"]) == message.content:
            return value
    return {"output": message.content}
