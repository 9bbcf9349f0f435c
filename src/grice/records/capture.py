"""Making what agents and models hand over safe to keep: plain JSON values and valid Unicode."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import msgspec

__all__ = ["JsonValue", "clean_json", "clean_text", "parse_arguments"]

JsonValue = Any
"""A JSON value: None, bool, int, float, str, or lists and string-keyed dicts of these."""

MAX_DEPTH = 200

_encode = msgspec.json.encode
_decode = msgspec.json.decode


def clean_text(text: str) -> str:
    """The text with every lone surrogate replaced by U+FFFD; valid text comes back unchanged."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def clean_json(value: object) -> JsonValue:
    """A private copy of `value` as a JSON value that every reader can take.

    NaN and the infinities become the strings "NaN", "Infinity" and "-Infinity"; lone surrogates become
    U+FFFD; keys become strings; tuples and sets become lists; anything else that JSON does not know becomes
    its `repr`. Nesting deeper than 200 levels, and a cycle, become the string "...too deep".
    """
    try:
        encoded = _encode(value)
        if b"null" not in encoded:  # NaN is encoded as null, so only then is a closer look needed
            return _decode(encoded)
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        pass
    return _clean(value, MAX_DEPTH)


def _clean(value: object, depth: int) -> JsonValue:  # noqa: C901 - one case a JSON kind
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str):
        return clean_text(str(value))
    if isinstance(value, float):
        if math.isfinite(value):
            return float(value)
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if depth == 0:
        return "...too deep"
    if isinstance(value, Mapping):
        return {_key(key): _clean(item, depth - 1) for key, item in value.items()}
    if isinstance(value, bytes | bytearray):
        return clean_text(bytes(value).decode("utf-8", "backslashreplace"))
    if isinstance(value, AbstractSet):
        return sorted((_clean(item, depth - 1) for item in value), key=repr)
    if isinstance(value, Sequence):
        return [_clean(item, depth - 1) for item in value]
    dump = getattr(value, "model_dump", None)  # pydantic models, and SDK objects made of them
    if callable(dump) and not isinstance(value, type):
        return _clean(dump(), depth - 1)
    try:
        return _clean(msgspec.to_builtins(value), depth - 1)
    except (TypeError, ValueError, RecursionError):
        return clean_text(repr(value))


def _key(key: object) -> str:
    if isinstance(key, str):
        return clean_text(key)
    if isinstance(key, bool) or key is None:
        return {True: "true", False: "false", None: "null"}[key]
    return clean_text(str(key))


def parse_arguments(raw: object) -> tuple[dict[str, JsonValue], str | None]:
    """The arguments of a tool call, and the raw text when it is not a JSON object.

    `raw` is what a model sent: JSON text (OpenAI) or a value already parsed (Anthropic). The raw text is
    None when the arguments were good; a malformed call is a finding, not a crash.
    """
    if isinstance(raw, Mapping):
        return clean_json(raw), None
    if isinstance(raw, str):
        if not raw.strip():
            return {}, (raw or None)
        try:
            parsed = _decode(raw)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return {}, clean_text(raw)
        return (parsed, None) if isinstance(parsed, dict) else ({}, clean_text(raw))
    if raw is None:
        return {}, None
    return {}, _encode(clean_json(raw)).decode()
