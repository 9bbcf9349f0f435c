"""Reading what an agent returned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from grice.agents.errors import BadReturn, ReturnedNothing
from grice.formats import FormatError, read_message
from grice.records import AgentResponse, ToolCall, clean_json, clean_text, parse_arguments

__all__ = ["read_response", "read_tool_call"]


def read_response(value: object) -> AgentResponse:
    """What an agent returned as an AgentResponse.

    Takes an AgentResponse, a text, UTF-8 bytes, a dict with `text`, `tool_calls`, `data` and `metadata`, a
    message in a provider's shape (`role` and `content`), or an object with such attributes. Raises
    ReturnedNothing for None, and BadReturn for anything else.
    """
    if isinstance(value, AgentResponse):
        return _cleaned(value)
    if isinstance(value, str):
        return AgentResponse(clean_text(value))
    if value is None:
        raise ReturnedNothing("the agent returned None, expected a text or a response")
    if isinstance(value, bytes | bytearray):
        return AgentResponse(_decoded(bytes(value)))
    fields = _fields(value)
    if "role" in fields and "content" in fields:
        return _from_message(fields)
    if "text" not in fields and "tool_calls" not in fields and "data" not in fields:
        raise BadReturn(
            f"the agent returned {_shown(value)}, expected a text, an AgentResponse, "
            "or a dict with 'text' and 'tool_calls'"
        )
    return _from_fields(fields)


def read_tool_call(value: object) -> ToolCall:
    """A tool call as an agent reports it: a ToolCall, or a dict or object with `name`, `arguments` and so on.

    Raises BadReturn when it has no name.
    """
    if isinstance(value, ToolCall):
        return msgspec.structs.replace(
            value, arguments=clean_json(value.arguments), result=_result(value.result)
        )
    fields = _fields(value)
    function = fields.get("function")
    if isinstance(function, Mapping):
        fields = {**fields, **function}
    name = fields.get("name")
    if not isinstance(name, str) or not name:
        raise BadReturn(f"a tool call needs a name, found {_shown(value)}")
    raw = next((fields[key] for key in ("arguments", "args", "input") if fields.get(key) is not None), None)
    arguments, raw_arguments = parse_arguments(raw)
    error = fields.get("error")
    duration = fields.get("duration")
    return ToolCall(
        name=clean_text(name),
        arguments=arguments,
        id=clean_text(str(fields.get("id") or "")),
        raw_arguments=raw_arguments,
        result=_result(fields.get("result", UNSET)),
        error=None if error is None else clean_text(str(error)),
        duration=float(duration) if isinstance(duration, int | float) else None,
        metadata=_dict(fields.get("metadata")),
    )


def _from_fields(fields: Mapping[str, Any]) -> AgentResponse:
    text = fields.get("text")
    if text is not None and not isinstance(text, str):
        raise BadReturn(f"the response's text is {_shown(text)}, expected a string")
    calls = fields.get("tool_calls") or ()
    if isinstance(calls, str | Mapping) or not hasattr(calls, "__iter__"):
        raise BadReturn(f"the response's tool_calls is {_shown(calls)}, expected a list")
    return AgentResponse(
        text=clean_text(text or ""),
        tool_calls=tuple(read_tool_call(call) for call in calls),
        data=clean_json(fields.get("data")),
        metadata=_dict(fields.get("metadata")),
    )


def _from_message(fields: Mapping[str, Any]) -> AgentResponse:
    try:
        messages = read_message(clean_json(fields))
    except FormatError as error:
        raise BadReturn(f"the agent returned a message that cannot be read: {error}") from error
    texts = [message.content for message in messages if message.content]
    calls = tuple(call for message in messages for call in message.tool_calls)
    return AgentResponse("\n".join(texts), calls)


def _cleaned(response: AgentResponse) -> AgentResponse:
    if not isinstance(response.text, str):
        raise BadReturn(f"the response's text is {_shown(response.text)}, expected a string")
    return AgentResponse(
        text=clean_text(response.text),
        tool_calls=tuple(read_tool_call(call) for call in response.tool_calls),
        data=clean_json(response.data),
        metadata=clean_json(response.metadata),
    )


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        shown = raw[max(0, error.start - 20) : error.start + 20].decode("utf-8", "backslashreplace")
        raise BadReturn(
            f"the agent returned bytes that are not UTF-8 (at byte {error.start}): {shown!r}"
        ) from error


def _fields(value: object) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    dump = getattr(value, "model_dump", None)
    if callable(dump) and not isinstance(value, type):
        dumped = dump()
        return dumped if isinstance(dumped, Mapping) else {}
    names = (
        "text",
        "tool_calls",
        "data",
        "metadata",
        "role",
        "content",
        "name",
        "arguments",
        "id",
        "result",
        "error",
    )
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def _result(value: object) -> Any:
    return UNSET if value is UNSET else clean_json(value)


def _dict(value: object) -> dict[str, Any]:
    return clean_json(value) if isinstance(value, Mapping) else {}


def _shown(value: object) -> str:
    text = repr(value)
    return f"{text[:200]}... ({type(value).__name__})" if len(text) > 200 else text
