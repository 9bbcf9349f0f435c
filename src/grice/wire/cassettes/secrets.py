"""Taking secrets out of what goes into a cassette, also out of JSON that is written in a text."""

from __future__ import annotations

import json
import re
from typing import cast

from grice.identity import redact, redact_text
from grice.records import JsonValue

__all__ = ["first_secret", "without_secrets"]

MAX_BROKEN = 200
"""More braces that begin no JSON are not tried: each may be read to the end of its text."""

_NAMES = re.compile(r"(?i)auth|cookie|pass|key|token|secret|credential|\\u")
_DECODER = json.JSONDecoder(strict=False)


def without_secrets(value: JsonValue) -> JsonValue:
    """The value as `redact` gives it, with JSON objects that are written in texts redacted like objects.

    So a tool call loses the same secrets as an object, as the text in a message, and in a judge's prompt.
    """
    return _inside(redact(value))


def first_secret(value: JsonValue, clean: JsonValue, path: str = "") -> str | None:
    """The path of the first place where `clean`, the value without secrets, is another; None when none is."""
    if value == clean:
        return None
    if isinstance(value, dict) and isinstance(clean, dict):
        fields = cast("dict[str, JsonValue]", value)
        for name, item in fields.items():
            if name not in clean:
                return f"the name of a field in {path or 'the line'}"
            below = first_secret(item, clean[name], f"{path}.{name}" if path else name)
            if below is not None:
                return below
    elif isinstance(value, list) and isinstance(clean, list):
        for place, (item, cleaned) in enumerate(zip(value, clean, strict=False)):
            below = first_secret(item, cleaned, f"{path}[{place}]")
            if below is not None:
                return below
    return path


def _inside(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return _objects_redacted(value) if "{" in value and _NAMES.search(value) else value
    if isinstance(value, dict):
        return {name: _inside(item) for name, item in cast("dict[str, JsonValue]", value).items()}
    if isinstance(value, list):
        return [_inside(item) for item in value]
    return value


def _objects_redacted(text: str) -> str:
    """The text with each JSON object in it redacted, those that hold no secret left as they are written."""
    parts: list[str] = []
    broken = copied = 0
    place = text.find("{")
    while place >= 0 and broken < MAX_BROKEN:
        try:
            inner, end = _DECODER.raw_decode(text, place)
            clean = without_secrets(inner)
        except (ValueError, RecursionError):
            broken, end = broken + 1, place + 1
        else:
            if clean != inner:
                parts += (text[copied:place], json.dumps(clean, ensure_ascii=False, separators=(",", ":")))
                copied = end
        place = text.find("{", end)
    return redact_text("".join([*parts, text[copied:]])) if parts else text
