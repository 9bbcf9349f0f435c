"""LangChain messages: objects, their dumps, and the dicts of `messages_to_dict` and `dumpd`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grice.formats import anthropic
from grice.formats.blocks import call_block, others, read_blocks, result_block
from grice.formats.calls import join_calls, read_calls, without_user_calls
from grice.formats.content import as_list, as_mapping, blocks_of, identifier, role_of
from grice.formats.errors import FormatError, kind_of
from grice.records import JsonValue, Message

_KINDS = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool", "function": "tool"}
_NAMES = {"user": "human", "assistant": "ai", "system": "system", "tool": "tool"}
_FIELDS = (
    "type",
    "role",
    "content",
    "tool_calls",
    "invalid_tool_calls",
    "tool_call_id",
    "status",
    "name",
    "id",
    "additional_kwargs",
    "response_metadata",
    "usage_metadata",
    "artifact",
)
_READ = ("type", "role", "content", "tool_calls", "invalid_tool_calls", "tool_call_id", "status", "name")
_OLDER = ("tool_calls", "function_call", "invalid_tool_calls", "refusal")


def fields_of(value: object) -> object:
    """A message object without `model_dump`, as those of older releases, as a dict; else the value."""
    if isinstance(value, Mapping) or hasattr(value, "model_dump") or not hasattr(value, "content"):
        return value
    if not isinstance(getattr(value, "type", None), str):
        return value
    return {name: getattr(value, name) for name in _FIELDS if hasattr(value, name)}


def is_own(raw: dict[str, Any]) -> bool:
    """Whether only LangChain writes messages like this one."""
    if raw.get("type") == "constructor":
        return as_mapping(raw.get("kwargs")) is not None and "lc" in raw
    if raw.get("role") is not None and raw.get("type") != "chat":
        return False
    return _kind(raw) in (*_KINDS, "chat") and ("content" in raw or as_mapping(raw.get("data")) is not None)


def read(raw: dict[str, Any]) -> list[Message]:
    """The neutral messages of one LangChain message."""
    return read_blocks(in_blocks(raw))


def in_blocks(raw: dict[str, Any]) -> list[dict[str, Any]]:
    """The message in blocks."""
    data = _unwrapped(raw)
    rest = others(data, _READ)
    if "additional_kwargs" in rest:
        older = as_mapping(rest["additional_kwargs"]) or {}
        lost = {"refusal": older["refusal"]} if older.get("refusal") and _refusal(data) is None else {}
        rest["additional_kwargs"] = {**others(older, _OLDER), **lost}
    role = _KINDS.get(_kind(data)) or role_of(others(data, ("type",)))
    written = {**rest, "role": role, "name": data.get("name")}
    if role == "tool":
        failed = data.get("status") == "error"
        answers, name = data.get("tool_call_id"), data.get("name")
        result = result_block(answers, data.get("content"), name=name, failed=failed)
        return [{**written, "role": "user", "content": [result]}]
    return [{**written, "content": _content(data) if role == "assistant" else data.get("content")}]


def _kind(raw: dict[str, Any]) -> str:
    """The type of a message; that of a piece of a stream is the type of the message."""
    return identifier(raw.get("type")).removesuffix("MessageChunk").lower()


def _unwrapped(raw: dict[str, Any]) -> dict[str, Any]:
    """The fields of a message: those inside `data` or, as `dumpd` writes them, inside `kwargs`."""
    data = as_mapping(raw.get("data"))
    if data is not None and "content" not in raw:
        return {"type": raw.get("type"), **data}
    kwargs = as_mapping(raw.get("kwargs")) if raw.get("type") == "constructor" else None
    if kwargs is None:
        return raw
    path = as_list(raw.get("id")) or [""]
    kind = identifier(path[-1]).removesuffix("Chunk").removesuffix("Message").lower()
    return {"type": kind, **kwargs}


def _content(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The content of an assistant's message, and its calls as blocks.

    Calls in the content repeat those of `tool_calls`, so they count only where these are missing.
    """
    blocks = blocks_of(data.get("content"))
    older = as_mapping(data.get("additional_kwargs")) or {}
    refusal = _refusal(data)
    if refusal is not None:
        blocks = [*blocks, {"type": "refusal", "refusal": refusal}]
    calls = [block for listed in ("tool_calls", "invalid_tool_calls") for block in _calls(data, listed)]
    if not data.get("invalid_tool_calls"):  # where `convert_to_messages` puts them
        calls += _calls(older, "invalid_tool_calls")
    if not calls:
        calls = [
            call_block(
                call.id, call.name, call.arguments if call.raw_arguments is None else call.raw_arguments
            )
            for call in read_calls(older)
        ]
    if calls:
        return _placed(blocks, calls)
    return [_as_call(block) if _is_call(block) else block for block in blocks]


def _placed(blocks: list[dict[str, Any]], calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The blocks with the calls in the places of those that they repeat, the others behind."""
    known = {identifier(call["id"]): call for call in reversed(calls)}
    placed: list[dict[str, Any]] = []
    for block in blocks:
        if not _is_call(block):
            placed.append(block)
        elif (call := known.pop(identifier(block.get("id")), None)) is not None:
            placed.append(call)
    return placed + [call for call in calls if not any(call is one for one in placed)]


def _refusal(data: dict[str, Any]) -> str | None:
    """The refusal beside the content, when it is all that the assistant says."""
    refusal = (as_mapping(data.get("additional_kwargs")) or {}).get("refusal")
    said = any(block.get("text") for block in blocks_of(data.get("content")))
    return refusal if isinstance(refusal, str) and not said else None


def _calls(data: dict[str, Any], listed: str) -> list[dict[str, Any]]:
    held: JsonValue = data.get(listed)
    if held is None:
        return []
    items = as_list(held)
    if items is None:
        raise FormatError(f"has {kind_of(held)} as {listed}; expected a list")
    calls: list[dict[str, Any]] = []
    for place, item in enumerate(items):
        call = as_mapping(item)
        if call is None:
            raise FormatError(f"has {kind_of(item)} as {listed}[{place}]; expected an object")
        calls.append(_as_call(call))
    return calls


def _is_call(block: dict[str, Any]) -> bool:
    return block.get("type") in ("tool_call", "invalid_tool_call") or anthropic.is_call(block)


def _as_call(call: dict[str, Any]) -> dict[str, Any]:
    nested = as_mapping(call.get("function")) or call
    given = next((nested[key] for key in ("args", "arguments", "input") if nested.get(key) is not None), None)
    rest = others(call, ("type", "id", "name", "args", "arguments", "input", "function"))
    return {**rest, **call_block(call.get("id"), nested.get("name"), given)}


def write(messages: list[Message]) -> list[dict[str, Any]]:
    """The LangChain messages that say the same, as the dicts that `convert_to_messages` takes."""
    return [_write(message) for message in join_calls(without_user_calls(messages))]


def _write(message: Message) -> dict[str, Any]:
    raw: dict[str, Any] = {"type": _NAMES[message.role], "content": message.content}
    if message.name:
        raw["name"] = message.name
    if message.role == "tool":
        raw["tool_call_id"] = message.tool_call_id or ""
        if message.is_error:
            raw["status"] = "error"
    good = [call for call in message.tool_calls if call.raw_arguments is None]
    if good:
        raw["tool_calls"] = [
            {"name": call.name, "args": call.arguments, "id": call.id, "type": "tool_call"} for call in good
        ]
    bad = [call for call in message.tool_calls if call.raw_arguments is not None]
    if bad:
        raw["invalid_tool_calls"] = [
            {"name": c.name, "args": c.raw_arguments, "id": c.id, "error": None, "type": "invalid_tool_call"}
            for c in bad
        ]
    return raw
