"""Names of tools, arguments and fields as messages show them: on one line, visible, and cut."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from grice.text import did_you_mean, shorten, value_text, visible

MAX_NAME = 100
MAX_NAMES = 200


def name_text(name: str) -> str:
    """One name, of which nobody knows who wrote it."""
    return shorten(visible(name, newlines=False), MAX_NAME)


def names_text(names: Iterable[str], limit: int = MAX_NAMES) -> str:
    """Names in a row: `search, book`."""
    return shorten(", ".join(map(name_text, names)), limit)


def meant(name: str, known: Iterable[str]) -> str:
    """` (did you mean 'book'?)` for the nearest known name, "" when none is near."""
    return did_you_mean(name, map(name_text, known))


def step_text(key: object) -> str:
    """The step of a path to a field: `.name`, or `['my name']`."""
    return f".{name_text(key)}" if isinstance(key, str) and key.isidentifier() else f"[{value_text(key)}]"


def condition_name(condition: Callable[..., object]) -> str:
    """How a message names a condition: by the name of its function."""
    name = getattr(condition, "__name__", None)
    return name_text(name) if isinstance(name, str) else value_text(condition)
