"""A text as prose: without what only its display needs, and with a way back to the original."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import msgspec

# Anything that could change an ASCII text: marks of Markdown and HTML, white space other than single spaces,
# and what looks like a bullet or the number of a list.
_ASCII_MARKS = r"[*_`#<>&|\[\]\\~\x00-\x1f\x7f]|  |\A[ \-+(0-9]|\A[A-Za-z][.)] | \Z"


class Normalised(msgspec.Struct, frozen=True, gc=False):
    """The prose of a text.

    `text` is NFKC with straight quotes and apostrophes, plain dashes, one space for white space inside a
    line, one newline between lines that have words, no invisible characters, no Markdown marks (emphasis,
    headings, bullets, numbers of lists, table rules, link targets), no code blocks, no HTML tags, and HTML
    entities resolved. Its case is kept. `offsets[i]` is the offset in `original` of the character `text[i]`
    came from, and `ends[i]` where that ends.
    """

    original: str
    text: str
    offsets: Sequence[int]
    ends: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The place in the original of `text[start:end]`, which is not empty."""
        return self.offsets[start], self.ends[end - 1]


@lru_cache(maxsize=8)
def normalise(text: str) -> Normalised:
    """Make the prose of a text. Linear in its length; never raises.

    Some characters keep what NFKC would take: a fraction (2½ becomes 2 1/2), a power (10² becomes 10^2),
    and signs that are pictures (™, ①, ℹ). A long dash gets spaces (" - "), so that it is no hyphen. Cells
    of a table are parted by `;`. Underscores inside words and unpaired stars stay.
    """
    if text.isascii() and not re.search(_ASCII_MARKS, text):
        return Normalised(text, text, range(len(text)), range(1, len(text) + 1))
    from grice.text.marks import without_marks

    return Normalised(text, *without_marks(text))
