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
MAX_NODES = 1_000_000
MAX_INT_BITS = 10_000  # Python refuses to print much longer integers

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
        # NaN is encoded as null, and depth shows as brackets: only then is a closer look needed.
        if b"null" not in encoded and encoded.count(b"[") + encoded.count(b"{") <= MAX_DEPTH:
            return _decode(encoded)
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        pass
    return _Cleaner().clean(value, MAX_DEPTH)


class _Cleaner:
    """Copies one value; stops at a number of parts, so that a cycle with many arms ends too."""

    def __init__(self) -> None:
        self._left = MAX_NODES

    def clean(self, value: object, depth: int) -> JsonValue:
        self._left -= 1
        if value is None or isinstance(value, bool | int | float | str):
            return _clean_scalar(value)
        if depth == 0 or self._left < 0:
            return "...too deep" if depth == 0 else "...too large"
        if isinstance(value, Mapping):
            return {_key(key): self.clean(item, depth - 1) for key, item in value.items()}
        if isinstance(value, bytes | bytearray):
            return clean_text(bytes(value).decode("utf-8", "backslashreplace"))
        if isinstance(value, AbstractSet):
            return sorted((self.clean(item, depth - 1) for item in value), key=repr)
        if isinstance(value, Sequence):
            return [self.clean(item, depth - 1) for item in value]
        return self._clean_object(value, depth)

    def _clean_object(self, value: object, depth: int) -> JsonValue:
        dump = getattr(value, "model_dump", None)  # pydantic models, and SDK objects made of them
        try:
            if callable(dump) and not isinstance(value, type):
                return self.clean(dump(), depth - 1)
            return self.clean(msgspec.to_builtins(value), depth - 1)
        except Exception:  # somebody's object: whatever it raises, its repr has to do
            return clean_text(_repr(value))


def _clean_scalar(value: bool | float | str | None) -> JsonValue:
    if isinstance(value, str):
        return clean_text(str(value))
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if isinstance(value, int) and value.bit_length() > MAX_INT_BITS:
        return f"...an integer of {value.bit_length()} bits"
    return value


def _repr(value: object) -> str:
    try:
        return repr(value)
    except Exception:
        return f"<{type(value).__name__}>"


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
