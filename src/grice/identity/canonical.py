"""Canonical JSON (RFC 8785) and the fingerprints made of it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast

JsonValue = Any

_SAFE_INTEGER = 2**53 - 1


def canonical_json(value: JsonValue) -> bytes:
    """The one UTF-8 JSON text of a JSON value, by RFC 8785: equal values give equal bytes.

    What RFC 8785 cannot write becomes a string: NaN and the infinities as "NaN", "Infinity", "-Infinity",
    and integers beyond 2^53 - 1 as their digits. Tuples are lists; lone surrogates become U+FFFD. Raises
    TypeError for anything that is not JSON.
    """
    if _is_plain(value):
        import msgspec

        with suppress(UnicodeEncodeError):  # a lone surrogate
            return msgspec.json.encode(value, order="sorted")
    import rfc8785

    return rfc8785.dumps(_encodable(value))


def fingerprint(value: JsonValue) -> str:
    """`sha256:` and the 64 hex digits of the canonical JSON: changes exactly when the content does."""
    return f"sha256:{hashlib.sha256(canonical_json(value)).hexdigest()}"


def _is_plain(value: JsonValue) -> bool:
    """Whether a sorted JSON encoder writes the value as RFC 8785 does: no floats, and keys in ASCII.

    It is sixty times faster, and nearly every golden and scenario is so.
    """
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return True
    if kind is dict:
        for key, one in cast("dict[object, object]", value).items():
            if type(key) is not str or not key.isascii() or not (type(one) is str or _is_plain(one)):
                return False
        return True
    if kind is list:
        return all(map(_is_plain, cast("list[object]", value)))
    return kind is int and -_SAFE_INTEGER <= value <= _SAFE_INTEGER


def _encodable(value: JsonValue) -> JsonValue:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _valid(value)
    if isinstance(value, int):
        return int(value) if -_SAFE_INTEGER <= value <= _SAFE_INTEGER else str(int(value))
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return {_key(key): _encodable(item) for key, item in items}
    if isinstance(value, list | tuple):
        return [_encodable(item) for item in cast("list[object]", value)]
    raise TypeError(f"not a JSON value: {type(value).__name__}")


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"not a JSON object key: {type(key).__name__}")
    return _valid(key)


def _valid(text: str) -> str:
    """The text with lone surrogates made U+FFFD, as `grice.records.clean_text` does."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
