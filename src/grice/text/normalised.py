"""A text as prose: without what only its display needs, and with the way back to the original."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

__all__ = ["Normalised", "normalise"]


class Normalised(msgspec.Struct, frozen=True, gc=False):
    """The prose of a text.

    `text` is NFKC with straight quotes and apostrophes, plain dashes, one space for white space inside a line,
    one newline between lines that have words, no invisible characters, no Markdown marks (emphasis, headings,
    bullets, numbers of lists, table rules, link targets), no code blocks, no HTML tags, and HTML entities
    resolved. Its case is kept. `offsets[i]` is the offset in `original` of the character `text[i]` came from.
    """

    original: str
    text: str
    offsets: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The place in the original of `text[start:end]`, which is not empty."""
        return self.offsets[start], self.offsets[end - 1] + 1


def normalise(text: str) -> Normalised:
    """The prose of a text. Linear in its length; never raises."""
    raise NotImplementedError
