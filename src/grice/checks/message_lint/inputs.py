"""The arguments of tool calls: a JSON object, and no list inside it where an object belongs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from grice.checks.message_lint.lint_state import Scan, kind_of
from grice.checks.message_lint.schemas import schema_of, type_at
from grice.identity import redact_text
from grice.records import JsonValue
from grice.text import shorten, value_text

_Keys = tuple[str | int, ...]
_MAX_KEYS = 12
_MAX_KEY = 60
_PLAIN_KEY = re.compile(r"[A-Za-z_][\w-]{0,59}", re.ASCII)
_decode_object = msgspec.json.Decoder(dict[str, Any]).decode
_decode = msgspec.json.Decoder().decode


def check_input(
    scan: Scan, value: JsonValue, name: JsonValue, index: int, place: int, key: str = "input"
) -> None:
    """Arguments that are an object of their own, as Anthropic has them."""
    if value.__class__ is not dict:
        scan.foreign(value)
        scan.found("input-not-object", index, f"{scan.path(index, place)}.{key}", kind_of(value))
    elif value:
        _keep(scan, value, name, index, place, key)


def check_arguments(
    scan: Scan, text: JsonValue, name: JsonValue, index: int, place: int, key: str = ""
) -> None:
    """Arguments that are the text of a JSON object, as OpenAI has them."""
    try:
        value = _decode_object(text)
    except (TypeError, ValueError, RecursionError):
        scan.foreign(text)
        path = f"{scan.path(index, place)}.{key or _arguments_key(scan)}"
        scan.found("input-not-object", index, path, _why_no_object(text))
        return
    if value:
        _keep(scan, value, name, index, place, key or _arguments_key(scan))


def _arguments_key(scan: Scan) -> str:
    return "function.arguments" if scan.dialect == "openai_chat" else "arguments"


def _keep(scan: Scan, value: dict[str, Any], name: JsonValue, index: int, place: int, key: str) -> None:
    """Keep the arguments, and those with an empty list inside to be judged when all are known."""
    for item in value.values():
        if item.__class__ is list or item.__class__ is dict:
            scan.inputs.append(value)
            if _has_empty_list(value):
                scan.nested.append((index, place, key, name if isinstance(name, str) else "", value))
            return


def _why_no_object(text: JsonValue) -> str:
    if not isinstance(text, str):
        return f"{kind_of(text)}, not the text of a JSON object"
    try:
        _decode(text)
    except (ValueError, RecursionError):
        return f"{kind_of(text)}, which is not JSON" if text else "an empty text"
    return f"{kind_of(text)}, which is not the text of a JSON object"


def _has_empty_list(value: JsonValue) -> bool:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if one.__class__ is dict:
            waiting.extend(one.values())
        elif one.__class__ is list:
            if not one:
                return True
            waiting.extend(one)
    return False


def _empty_lists(value: JsonValue) -> Iterator[_Keys]:
    """Where the empty lists are: the keys that lead to each."""
    waiting: list[tuple[_Keys, Any]] = [((), value)]
    while waiting:
        keys, one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend(((*keys, key), item) for key, item in one.items())
        elif isinstance(one, list):
            if not one:
                yield keys
            waiting.extend(((*keys, n), item) for n, item in enumerate(one))


def judge_nested(scan: Scan) -> None:
    """Judge the empty lists inside arguments, by the tool's schema or by what other calls have there."""
    objects: set[str] | None = None
    for index, place, key, name, value in scan.nested:
        path = f"{scan.path(index, place)}.{key}"
        schema = schema_of(scan.request.get("tools"), name)
        for keys in sorted(_empty_lists(value), key=str):
            wanted = type_at(schema, keys)
            where = _where(path, keys)
            if wanted == "object":
                found = "an empty list where the tool's schema has an object"
                scan.found("nested-input-not-object", index, where, found)
            elif not wanted and isinstance(keys[-1], str):
                objects = _keys_of_objects(scan.inputs) if objects is None else objects
                if keys[-1] in objects:
                    found = f"an empty list; elsewhere {value_text(redact_text(keys[-1]))} is an object"
                    scan.found("nested-empty-list", index, where, found)


def _where(path: str, keys: _Keys) -> str:
    """The path of a place in arguments; keys are somebody's text, which may be long or hold a secret."""
    parts = [f"[{key}]" if isinstance(key, int) else _key(key) for key in keys]
    if len(parts) > _MAX_KEYS:
        parts[_MAX_KEYS // 2 : -_MAX_KEYS // 2] = ["..."]
    return path + "".join(parts)


def _key(key: str) -> str:
    shown = redact_text(key)
    return f".{shown}" if _PLAIN_KEY.fullmatch(shown) else f"[{value_text(shorten(shown, _MAX_KEY))}]"


def _keys_of_objects(inputs: list[dict[str, Any]]) -> set[str]:
    """The keys under which any call has an object."""
    found: set[str] = set()
    waiting: list[Any] = list(inputs)
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            found.update(key for key, item in one.items() if isinstance(item, dict))
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
    return found
