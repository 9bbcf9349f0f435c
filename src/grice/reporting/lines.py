"""Lines of text with styles, and writing them where nobody may read any more. Loads nothing of rich."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.text import Text


class Line:
    """A line of text in pieces, each with its style. What rich has as `Text`, and prints as such."""

    def __init__(self, text: str = "", style: str = "") -> None:
        self.style = style
        self.pieces = [(text, "")]

    @property
    def plain(self) -> str:
        """The text without styles."""
        return "".join(text for text, _ in self.pieces)

    def append(self, text: str, style: str = "") -> Self:
        """Add a piece at the end."""
        self.pieces.append((text, style))
        return self

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text.assemble(*self.pieces, style=self.style)


def written(text: str, stream: IO[str]) -> bool:
    """Whether the text could be written. What follows goes nowhere when the stream's reader has left."""
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        leave(stream)
        return False
    return True


def leave(stream: IO[str]) -> None:
    """Have what is written to the stream from now on go nowhere: its reader has left."""
    with suppress(OSError, ValueError):  # else Python complains when it closes the stream at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
