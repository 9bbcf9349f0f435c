"""What is said when a message cannot be read."""

from __future__ import annotations

_SHOWN = 60


class FormatError(ValueError):
    """A conversation that cannot be read: which message, what was found, what was expected.

    `detail` is the sentence without the place; `index` counts messages from 0 and is None when the fault is
    not in one message of a list.
    """

    __module__ = "grice"

    def __init__(self, detail: str, index: int | None = None) -> None:
        super().__init__(detail, index)  # all of them: an exception is pickled by its arguments
        self.detail = detail
        self.index = index

    def __str__(self) -> str:
        return self.detail if self.index is None else f"messages[{self.index}]: {self.detail}"


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
