"""What is said when a message cannot be read."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["FormatError", "kind_of", "nearest"]

_SHOWN = 60


class FormatError(ValueError):
    """A conversation that cannot be read: which message, what was found, what was expected.

    `detail` is the sentence without the place; `index` counts messages from 0 and is None when the fault is
    not in one message of a list.
    """

    def __init__(self, detail: str, index: int | None = None) -> None:
        self.detail = detail
        self.index = index
        super().__init__(detail if index is None else f"messages[{index}]: {detail}")


def kind_of(value: object) -> str:
    """What a JSON value is, in the words of JSON, with its text when that is short."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "a number"
        case str():
            return f"the text {value[:_SHOWN]!r}"
        case list():
            return "a list"
        case _:
            return "an object"


def nearest(word: str, known: Iterable[str]) -> str:
    """The words `; did you mean "x"?`, or nothing when no known name is near."""
    close = difflib.get_close_matches(word[:_SHOWN].lower(), list(known), n=1)
    return f'; did you mean "{close[0]}"?' if close else ""
