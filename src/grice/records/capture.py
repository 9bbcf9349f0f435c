"""Making what agents and models hand over safe to keep: plain JSON values and valid Unicode."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from numbers import Integral, Real
from typing import Any

import msgspec

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
    """A private copy of `value` as a JSON value that every reader can take. Never raises.

    NaN and the infinities become the strings "NaN", "Infinity" and "-Infinity"; lone surrogates become
    U+FFFD; keys become strings; tuples and sets become lists (sets in the order of their reprs), bytes become
    text; anything else that JSON does not know becomes its `repr`. Nesting deeper than 200 levels becomes
    the string "...too deep", a container inside itself "...a cycle", what follows a million parts
    "...too large", and an integer of over 10,000 bits a string that gives its size.
    """
    if value is None or value is True or value is False:
        return value
    try:
        encoded = _encode(value)
        decoded = _decode(encoded)
        # What msgspec would change silently (NaN, sets, bytes, keys) comes back different.
        if decoded == value and (
            encoded.count(b"[") + encoded.count(b"{") <= MAX_DEPTH or _is_shallow(decoded)
        ):
            return decoded
    except Exception:  # noqa: S110 - not plain JSON, or somebody's object: a closer look finds out
        pass
    try:
        return _Cleaner().clean(value, MAX_DEPTH)
    except RecursionError:  # little of the stack is left
        return "...too deep"


def _is_shallow(decoded: JsonValue) -> bool:
    level = [decoded]
    for _ in range(MAX_DEPTH + 1):
        level = [
            item
            for one in level
            for item in (one.values() if type(one) is dict else one)
            if type(item) is dict or type(item) is list
        ]
        if not level:
            return True
    return False


class _Cleaner:
    """Copies one value; stops at a number of parts, and where a container is inside itself."""

    def __init__(self) -> None:
        self._left = MAX_NODES
        self._open: set[int] = set()

    def clean(self, value: object, depth: int) -> JsonValue:
        self._left -= 1
        if value is None or isinstance(value, bool | int | float | str):
            return _clean_scalar(value)
        if id(value) in self._open:
            return "...a cycle"
        if depth == 0 or self._left < 0:
            return "...too deep" if depth == 0 else "...too large"
        self._open.add(id(value))
        try:
            return self._clean_container(value, depth - 1)
        except RecursionError:
            raise
        except Exception:  # somebody's object: whatever it raises, its repr has to do
            return clean_text(_repr(value))
        finally:
            self._open.discard(id(value))

    def _clean_container(self, value: object, depth: int) -> JsonValue:
        if isinstance(value, Mapping):
            return {_key(key): self.clean(value[key], depth) for key in self._some(value)}
        if isinstance(value, bytes | bytearray | memoryview):
            return bytes(value).decode("utf-8", "backslashreplace")
        if isinstance(value, AbstractSet):
            return sorted((self.clean(item, depth) for item in self._some(value)), key=repr)
        if isinstance(value, Sequence):
            return [self.clean(item, depth) for item in self._some(value)]
        return self._clean_object(value, depth)

    def _some(self, items: Iterable[Any]) -> Iterator[Any]:
        """The items up to the first that is too many."""
        for item in items:
            yield item
            if self._left < 0:
                return

    def _clean_object(self, value: object, depth: int) -> JsonValue:
        if isinstance(value, Integral):  # numpy's numbers
            return _clean_scalar(int(value))
        if isinstance(value, Real):
            return _clean_scalar(float(value))
        dump = getattr(value, "model_dump", None)  # pydantic models, and SDK objects made of them
        plain = dump() if callable(dump) and not isinstance(value, type) else msgspec.to_builtins(value)
        if not isinstance(plain, dict | list | str | int | float | None):
            raise TypeError("a model_dump() of another kind, such as a mock's")
        return self.clean(plain, depth)


def _clean_scalar(value: Any) -> JsonValue:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clean_text(str.__str__(value))  # of a member of an enum, its value
    if isinstance(value, float):
        number = float.__float__(value)
        if math.isfinite(number):
            return number
        return "NaN" if math.isnan(number) else ("Infinity" if number > 0 else "-Infinity")
    size = int.bit_length(value)
    return int.__int__(value) if size <= MAX_INT_BITS else f"...an integer of {size} bits"


def _repr(value: object) -> str:
    try:
        return repr(value)
    except Exception:
        return f"<{type(value).__name__}>"


def _key(key: object) -> str:
    cleaned = _clean_scalar(key) if isinstance(key, bool | int | float | str | None) else _repr(key)
    return clean_text(cleaned) if isinstance(cleaned, str) else _encode(cleaned).decode()


def parse_arguments(raw: object) -> tuple[dict[str, JsonValue], str | None]:
    """The arguments of a tool call, and the raw text when it is not a JSON object.

    `raw` is what a model sent: JSON text (OpenAI) or a value already parsed (Anthropic). The raw text is
    None when the arguments were good; a malformed call is a finding, not a crash.
    """
    if raw is None:
        return {}, None
    if isinstance(raw, bytes | bytearray):
        raw = bytes(raw).decode("utf-8", "backslashreplace")
    if not isinstance(raw, str):
        cleaned = clean_json(raw)
        return (cleaned, None) if isinstance(cleaned, dict) else ({}, _encode(cleaned).decode())
    try:
        parsed = _decode(raw) if raw else {}
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return {}, clean_text(raw)
    return (clean_json(parsed), None) if isinstance(parsed, dict) else ({}, clean_text(raw))
