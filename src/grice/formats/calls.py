"""Tool calls in the shapes they come in, and the arguments they go out with."""

from __future__ import annotations

from typing import Any

import msgspec

from grice.formats.content import as_list, as_mapping, identifier, json_text
from grice.formats.errors import FormatError, kind_of
from grice.records import JsonValue, Message, ToolCall, parse_arguments

CUSTOM = "custom"
"""The metadata that marks a call of a custom tool, which takes any text: its value is true."""

REQUESTOR = "requestor"
"""The metadata that marks a call by the user's own tools, and its result: its value is "user"."""


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
    made = make_call(nested.get("name"), arguments, call.get("id"))
    return as_custom(made) if nested is call.get("custom") else made


def as_custom(call: ToolCall) -> ToolCall:
    """The call, marked as one of a custom tool."""
    return msgspec.structs.replace(call, metadata={**call.metadata, CUSTOM: True})


def is_custom(call: ToolCall) -> bool:
    """Whether the call is one of a custom tool."""
    return call.metadata.get(CUSTOM) is True


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
        if last is not None and _continues(message, last):
            joined[-1] = msgspec.structs.replace(
                last,
                tool_calls=last.tool_calls + message.tool_calls,
                metadata={**last.metadata, **message.metadata},
            )
        else:
            joined.append(message)
    return joined


def _continues(message: Message, last: Message) -> bool:
    calling = message.tool_calls and not message.content and message.name in (None, last.name)
    return bool(calling) and last.role == message.role == "assistant"


def without_user_calls(messages: list[Message]) -> list[Message]:
    """The messages without calls of the user's own tools and their results, for formats that have none."""
    own = {call.id for message in messages if message.role == "user" for call in message.tool_calls}
    kept: list[Message] = []
    for message in messages:
        if message.role == "user" and message.tool_calls:
            if message.content:
                kept.append(msgspec.structs.replace(message, tool_calls=()))
        elif not _is_for_user(message, own):
            kept.append(message)
    return kept


def _is_for_user(message: Message, own: set[str]) -> bool:
    if message.role != "tool":
        return False
    return message.metadata.get(REQUESTOR) == "user" or message.tool_call_id in own
