"""Values as JavaScript writes them: profile `seed` compares with the text that `JSON.stringify` makes."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import msgspec

LARGE, SMALL = 1e21, 1e-6
"""From where on, and below which, JavaScript writes a number with an exponent."""


def json_text(value: Any) -> str:
    """The text of `JSON.stringify(value)`: no spaces, whole numbers without a fraction."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, int | float):
        return _number(value) if isinstance(value, int) or isfinite(value) else "null"
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{_quoted(str(key))}:{json_text(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(json_text, value)) + "]"
    return "null"


def js_string(value: Any) -> str:
    """The text of `String(value)`."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return "[object Object]"
    if isinstance(value, list | tuple):
        return ",".join("" if one is None else js_string(one) for one in value)
    if isinstance(value, float) and not isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    return json_text(value)


def _quoted(text: str) -> str:
    try:
        return msgspec.json.encode(text).decode()
    except UnicodeEncodeError:  # lone surrogates: JavaScript escapes these
        return "".join(
            _quoted(one)[1:-1] if not "\ud800" <= one <= "\udfff" else f"\\u{ord(one):04x}" for one in text
        ).join('""')


def _number(value: int | float) -> str:
    if isinstance(value, int):
        return str(value)
    if value == int(value) and abs(value) < LARGE:
        return str(int(value))
    if SMALL <= abs(value) < LARGE:
        from decimal import Decimal

        return f"{Decimal(repr(value)):f}"
    mantissa, _, exponent = repr(value).partition("e")
    return f"{mantissa.removesuffix('.0')}e{int(exponent):+d}"
