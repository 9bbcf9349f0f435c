"""Placeholders in texts: `${env:NAME}`, and other names where they mean something."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import msgspec

from grice.records import JsonValue
from grice.text import did_you_mean, value_text

PLACEHOLDER = re.compile(r"\$\$\{|\$\{(?P<name>[^{}]*)\}|\$\{")


def check_text(text: object, field: str, *, names: tuple[str, ...] = ()) -> None:
    """Raise ValueError for a text with other placeholders than `${env:NAME}` and these."""
    if not isinstance(text, str):
        raise ValueError(f"{field}: expected a text, found {value_text(text)}")
    for name in placeholders(text, field):
        if name.startswith("env:") and len(name) > len("env:"):
            continue
        if name not in names:
            raise ValueError(unknown_placeholder(field, name, ("env:NAME", *names)))


def fill_text(text: str, value_of: Callable[[str], JsonValue]) -> str:
    """Fill the placeholders of the text by `value_of`."""
    return PLACEHOLDER.sub(
        lambda found: "${" if found["name"] is None else _text(value_of(found["name"])), text
    )


def placeholders(text: str, field: str) -> Iterator[str]:
    """The names in the text's placeholders. Raises ValueError for one that is not closed."""
    for found in PLACEHOLDER.finditer(text):
        if found["name"] is not None:
            yield found["name"]
        elif found[0] == "${":
            raise ValueError(
                f"{field}: ${{ in {value_text(text)} is not closed by }}; $${{ stands for itself"
            )


def unknown_placeholder(field: str, name: str, known: Iterable[str]) -> str:
    """The message for an unknown name."""
    known = list(known)
    return (
        f"{field}: unknown placeholder ${{{name}}}{did_you_mean(name, known)}; known are {', '.join(known)}"
    )


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
