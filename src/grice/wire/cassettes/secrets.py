"""Taking secrets out of what goes into a cassette."""

from __future__ import annotations

from typing import cast

from grice.identity import redact
from grice.records import JsonValue

__all__ = ["first_secret", "without_secrets"]


def without_secrets(value: JsonValue) -> JsonValue:
    """The value as `redact` gives it by names and shapes alone.

    A request is found again by what it says, also when an answer before it was played: that has lost its
    secrets, so nothing may depend on knowing them.
    """
    return redact(value, elsewhere=False)


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
