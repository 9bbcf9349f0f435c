"""Tool calls in the shapes they come in, and the arguments they go out with."""

from __future__ import annotations

from typing import Any

from grice.formats.content import as_list, as_mapping, identifier, json_text
from grice.formats.errors import FormatError, kind_of
from grice.records import JsonValue, Message, ToolCall, parse_arguments

__all__ = ["arguments_text", "join_calls", "make_call", "read_calls"]


def make_call(name: JsonValue, arguments: JsonValue, id: JsonValue = None) -> ToolCall:  # noqa: A002
    """The neutral call; an empty list of arguments is PHP's way to write an empty object."""
    parsed, raw = ({}, None) if arguments == [] else parse_arguments(arguments)
    return ToolCall(identifier(name), parsed, id=identifier(id), raw_arguments=raw)


def read_calls(raw: dict[str, Any]) -> tuple[ToolCall, ...]:
    """The calls in `tool_calls` (nested, custom or flat) or in the older `function_call` of a message."""
    listed = raw.get("tool_calls")
    if listed is None:
        legacy = as_mapping(raw.get("function_call"))
        return () if legacy is None else (make_call(legacy.get("name"), legacy.get("arguments")),)
    items = as_list(listed)
    if items is None:
        raise FormatError(f"has {kind_of(listed)} as tool_calls; expected a list")
    return tuple(_read_call(item, place) for place, item in enumerate(items))


def _read_call(item: JsonValue, place: int) -> ToolCall:
    call = as_mapping(item)
    if call is None:
        raise FormatError(f"has {kind_of(item)} as tool_calls[{place}]; expected an object")
    nested = as_mapping(call.get("function")) or as_mapping(call.get("custom")) or call
    arguments = next(
        (nested[key] for key in ("arguments", "args", "input") if nested.get(key) is not None), None
    )
    return make_call(nested.get("name"), arguments, call.get("id"))


def arguments_text(call: ToolCall) -> str:
    """The arguments as the JSON text that OpenAI's formats carry; malformed text goes out as it came."""
    return json_text(call.arguments) if call.raw_arguments is None else call.raw_arguments


def join_calls(messages: list[Message]) -> list[Message]:
    """The messages, with calls that follow an assistant message directly made part of it.

    Chat formats want all calls of one step in one message, where Responses has an item for each.
    """
    joined: list[Message] = []
    for message in messages:
        last = joined[-1] if joined else None
        if last and last.role == message.role == "assistant" and message.tool_calls and not message.content:
            calls = last.tool_calls + message.tool_calls
            joined[-1] = Message("assistant", last.content, tool_calls=calls, name=last.name)
        else:
            joined.append(message)
    return joined
