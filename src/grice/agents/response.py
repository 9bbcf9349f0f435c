"""Read what an agent returned."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import UNSET

from grice.agents.errors import BadReturn, ReturnedNothing
from grice.formats import FormatError, anthropic, read_message
from grice.formats.content import TEXT_TYPES
from grice.records import AgentResponse, ToolCall, clean_json, clean_text, parse_arguments
from grice.text import did_you_mean, value_text

_FIELDS = ("text", "tool_calls", "data", "metadata", "role", "content")
CALL_FIELDS = ("name", "arguments", "id", "raw_arguments", "result", "error", "duration", "metadata")
CALL_ALIASES = ("args", "input", "function", "type", "source")
_MESSAGE_CALLS = ("tool_calls", "function_call", "tool_use")
_PLAIN_TYPES = (list, tuple, set, frozenset, bool, int, float, complex)


def read_response(value: object) -> AgentResponse:
    """Make an AgentResponse from what an agent returned.

    Takes an AgentResponse, a text, UTF-8 bytes, a dict with `text`, `tool_calls`, `data` and `metadata`, an
    assistant's message in a provider's shape (`role` and `content`), or an object with such attributes.
    Raises ReturnedNothing for None, and BadReturn for anything else, as for what would be lost: `content`
    that says other than `text`, and calls in fields or blocks that only look like those that are read.
    """
    if isinstance(value, str):
        return AgentResponse(clean_text(value))
    if value is None:
        raise ReturnedNothing("the agent returned None, expected a text or a response")
    if isinstance(value, bytes | bytearray):
        return AgentResponse(_decoded(bytes(value)))
    fields = _fields(value, _FIELDS)
    _refuse_second_text(fields)
    if "role" in fields and "content" in fields:
        if isinstance(value, dict):
            refuse_lookalikes(fields, "the message")
        return _from_message(fields)
    _refuse_unknown(value, "the response", _FIELDS)
    if "text" not in fields and "tool_calls" not in fields and "data" not in fields:
        raise BadReturn(
            f"the agent returned {_value_text(value)}, expected a text, an AgentResponse, "
            f"or a dict with 'text' and 'tool_calls'{_text_within(value)}"
        )
    text = fields.get("text")
    if text is not None and not isinstance(text, str):
        raise BadReturn(f"the response's text is {_value_text(text)}, expected a string")
    calls = fields.get("tool_calls") or ()
    if type(calls) is not list and not _are_listed(calls):
        raise BadReturn(f"the response's tool_calls is {_value_text(calls)}, expected a list")
    return AgentResponse(
        text=clean_text(text or ""),
        tool_calls=tuple([read_tool_call(call) for call in calls]) if calls else (),
        data=clean_json(fields.get("data")),
        metadata=_dict(fields.get("metadata")),
    )


_TEXT_FIELDS = ("output", "response", "answer", "reply", "message", "content", "result", "output_text", "raw")


def _text_within(value: object) -> str:
    """Where an object has what is likely its text."""
    if isinstance(value, _PLAIN_TYPES):
        return ""
    held = value if isinstance(value, Mapping) else getattr(value, "__dict__", {})
    name = next((one for one in _TEXT_FIELDS if isinstance(held.get(one), str)), None)
    if name is None:
        return ""
    place = f"[{name!r}]" if isinstance(value, Mapping) else f".{name}"
    return (
        f"; its text is likely {place}, so write\n"
        "    def agent(messages):\n"
        "        reply = ...  # what it returns now\n"
        f"        return reply{place}"
    )


def read_tool_call(value: object) -> ToolCall:
    """Read a tool call as an agent reports it: a ToolCall, or a dict or object with `name`, `arguments` and
    so on.

    Raises BadReturn when it has no name.
    """
    fields = _fields(value, CALL_FIELDS)
    _refuse_unknown(value, "a tool call", CALL_FIELDS + CALL_ALIASES)
    function = fields.get("function")
    if isinstance(function, Mapping):
        fields = {**fields, **function}
    name = fields.get("name")
    if not isinstance(name, str) or not name:
        raise BadReturn(f"a tool call needs a name, found {_value_text(value)}")
    given = next((fields[key] for key in ("arguments", "args", "input") if fields.get(key) is not None), None)
    arguments, raw = parse_arguments(given)
    own_raw = fields.get("raw_arguments")
    duration = fields.get("duration")
    timed = isinstance(duration, int | float) and math.isfinite(duration)
    result = fields.get("result", UNSET)
    return ToolCall(
        name=clean_text(name),
        arguments=arguments,
        id=clean_text(str(fields.get("id") or "")),
        raw_arguments=clean_text(own_raw) if isinstance(own_raw, str) else raw,
        result=UNSET if result is UNSET else clean_json(result),
        error=_error(fields.get("error")),
        duration=float(duration) if timed else None,  # type: ignore[arg-type]
        metadata=_dict(fields.get("metadata")),
    )


def _from_message(fields: Mapping[str, Any]) -> AgentResponse:
    raw = {name: value for name, value in clean_json(fields).items() if name not in ("data", "metadata")}
    blocks = [block for block in _content_list(raw.get("content")) if isinstance(block, dict)]
    for block in blocks:
        _refuse_lost_call(block)
    called = any(map(anthropic.is_call, blocks))
    try:
        messages = read_message(raw, format="anthropic" if called else None)
    except FormatError as error:
        raise BadReturn(f"the agent returned a message that cannot be read: {error}") from error
    strange = next((message.role for message in messages if message.role != "assistant"), None)
    if strange is not None:
        raise BadReturn(f"the agent returned a message of role {strange!r}, expected one of the assistant")
    return AgentResponse(
        text="\n".join(message.content for message in messages if message.content),
        tool_calls=tuple(call for message in messages for call in message.tool_calls),
        data=clean_json(fields.get("data")),
        metadata=_dict(fields.get("metadata")),
    )


def _refuse_second_text(fields: Mapping[str, Any]) -> None:
    """Raise BadReturn for `content` that would be lost, beside another text or without a role."""
    text, content = fields.get("text"), fields.get("content")
    if content is None or content == text:
        return
    if text is not None:
        raise BadReturn("the response has both 'text' and 'content', expected one of them")
    if "role" not in fields:
        raise BadReturn("the response has 'content' without 'role', expected 'text', or 'role' and 'content'")


def _are_listed(calls: object) -> bool:
    return isinstance(calls, Iterable) and not isinstance(calls, str | bytes | Mapping)


def _content_list(content: object) -> list[Any]:
    return content if isinstance(content, list) else []


def _refuse_lost_call(block: dict[str, Any]) -> None:
    """Raise BadReturn for a content block that names a tool in a shape that is not read as a call."""
    kind = block.get("type")
    refuse_lookalikes({name: held for name, held in block.items() if name != "type"}, "a content block")
    read = anthropic.is_call(block) or anthropic.is_result(block) or kind in tuple(TEXT_TYPES)
    if not read and isinstance(block.get("name"), str):
        raise BadReturn(
            f"a content block has the type {_value_text(kind)} and the name {_value_text(block['name'])}, "
            "expected a call as 'tool_use', or in the message's 'tool_calls'"
        )


def refuse_lookalikes(fields: Mapping[str, Any], what: str) -> None:
    """Raise BadReturn for a filled field whose name is a misspelling of one that holds tool calls."""
    for name, held in fields.items():
        if not held or name in ("tool_calls", "function_call"):
            continue
        plain = re.sub(r"[\W_]", "", str(name)).lower()
        near = next((known for known in _MESSAGE_CALLS if _one_edit(plain, known.replace("_", ""))), None)
        if near is not None:
            meant = "tool_calls" if near == "tool_use" else near
            raise BadReturn(f"{what} has the unknown field {name!r} (did you mean {meant!r}?)")


def _one_edit(one: str, other: str) -> bool:
    """Whether at most one letter was changed, added or left out."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1:
        return False
    same = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return short[same + (len(short) == len(long)) :] == long[same + 1 :]


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        shown = raw[max(0, error.start - 20) : error.start + 20].decode("utf-8", "backslashreplace")
        raise BadReturn(
            f"the agent returned bytes that are not UTF-8 (at byte {error.start}): '{shown}'"
        ) from error


def _fields(value: object, names: tuple[str, ...]) -> Mapping[str, Any]:
    """The fields of a dict, of a pydantic model (as those of an SDK are), or of another object."""
    if type(value) is dict or isinstance(value, Mapping):
        return value
    if isinstance(value, _PLAIN_TYPES):
        return {}
    dump = getattr(value, "model_dump", None)
    if callable(dump) and not isinstance(value, type):
        dumped = dump()
        return dumped if isinstance(dumped, Mapping) else {}
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def _refuse_unknown(value: object, what: str, known: tuple[str, ...]) -> None:
    """Raise BadReturn for a plain dict with a field that nothing reads: what it says would be lost."""
    for name in value if isinstance(value, dict) else ():
        if name not in known:
            hint = did_you_mean(str(name), known)
            raise BadReturn(f"{what} has the unknown field {name!r}{hint}; known are {', '.join(known)}")


def _error(value: object) -> str | None:
    if value is None or value is False:
        return None
    if isinstance(value, BaseException):
        return clean_text(f"{type(value).__name__}: {value}")
    return clean_text(str(value))


def _dict(value: object) -> dict[str, Any]:
    return clean_json(value) if value is not None and isinstance(value, Mapping) else {}


def _value_text(value: object) -> str:
    return f"{value_text(value)} ({type(value).__name__})"
