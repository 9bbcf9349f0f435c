"""A value as JSON on one line, for messages: never long, never harmful, never an exception."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from grice.matching.values import MISSING
from grice.text import value_text, visible

MAX_TEXT = 200
MAX_DEPTH = 20
MAX_BARE = 1 << 64
_quoted = json.JSONEncoder(ensure_ascii=False).encode


def json_text(value: object, limit: int = MAX_TEXT) -> str:
    """The value as JSON in at most about `limit` characters; what is cut ends in "...".

    MISSING is `undefined`; what JSON does not know is its repr. Only the part that is shown is looked at.
    Never raises.
    """
    if type(value) is int and -MAX_BARE < value < MAX_BARE:
        return str(value)
    if type(value) is str and len(value) <= limit and value.isprintable() and value.isascii():
        return _quoted(value)
    parts: list[str] = []
    try:
        room = _write(value, parts, limit, 0)
    except Exception:  # somebody's mapping
        return f"<{type(value).__name__}>"
    text = "".join(parts)
    if room < 0 and not isinstance(value, str) and not text.endswith("..."):
        text = f"{text[:limit]}..."
    return text if text.isascii() and text.isprintable() else visible(text, newlines=False)


def _write(value: object, parts: list[str], room: int, depth: int) -> int:
    """Add the value's text to the parts; returns how much room is left, below 0 when it was cut."""
    if isinstance(value, str):
        return _add(_string(value, room), parts, room)
    if value is None or isinstance(value, bool | float) or (isinstance(value, int) and abs(value) < MAX_BARE):
        return _add(_number(value), parts, room)
    if value is MISSING:
        return _add("undefined", parts, room)
    if depth < MAX_DEPTH and isinstance(value, Mapping):
        members: Any = value.items()
        return _write_all("{}", members, parts, room, depth)
    if depth < MAX_DEPTH and isinstance(value, list | tuple):
        return _write_all("[]", ((None, one) for one in value), parts, room, depth)
    return _add("..." if isinstance(value, Mapping | list | tuple) else value_text(value), parts, room)


def _write_all(brackets: str, members: Any, parts: list[str], room: int, depth: int) -> int:
    room = _add(brackets[0], parts, room)
    for place, (key, one) in enumerate(members):
        if room <= 0:
            parts.append("...")
            return -1
        if place:
            room = _add(", ", parts, room)
        if key is not None or brackets == "{}":
            room = _add(f"{_string(str(key), room)}: ", parts, room)
        room = _write(one, parts, room, depth + 1)
    return _add(brackets[1], parts, room)


def _add(text: str, parts: list[str], room: int) -> int:
    parts.append(text)
    return room - len(text)


def _string(text: str, room: int) -> str:
    room = max(room, 20)
    if len(text) > room:
        return f"{_quoted(text[:room])}... ({len(text):,} characters)"
    return _quoted(text)


def _number(value: object) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return json.dumps(value)
