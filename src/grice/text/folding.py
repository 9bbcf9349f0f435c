"""Folding text for search that does not mind case, curly quotes or invisible characters."""

from __future__ import annotations

import re
from collections.abc import Sequence

_APOSTROPHES = "\u2018\u2019\u201a\u201b\u02bc\u2032\uff07"
_QUOTES = "\u201c\u201d\u201e\u201f\u2033\uff02"
_SPACES = "\u00a0\u2007\u202f"
_NOTHING = "\u00ad\u200b\u200c\u200d\u2060\ufe0e\ufe0f\ufeff"

_TABLE: dict[int, str | None] = {
    **{ord(c): "'" for c in _APOSTROPHES},
    **{ord(c): '"' for c in _QUOTES},
    **{ord(c): " " for c in _SPACES},
    **{ord(c): None for c in _NOTHING},
}
_BLANK = (
    f"{_NOTHING} \t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005"
    "\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_REMOVED = re.compile(f"[{_NOTHING}]")


def fold(text: str) -> str:
    """The text casefolded, with straight quotes, plain spaces for no-break ones, and nothing zero-width.

    Text of nothing but zero-width characters folds to "", which every text contains: callers that search
    must look at that case.
    """
    return text.lower() if text.isascii() else text.casefold().translate(_TABLE)


def is_blank(text: str) -> bool:
    """Whether the text shows nothing: it is empty, or white space and zero-width characters only."""
    return not text.strip(_BLANK)


def fold_with_offsets(text: str) -> tuple[str, Sequence[int]]:
    """The folded text, and for each of its characters the offset of the character it comes from.

    A hit `folded[a:b]` that is not empty is `text[offsets[a] : offsets[b - 1] + 1]` in the original.
    """
    folded = fold(text)
    if len(folded) == len(text) and not _REMOVED.search(text):
        return folded, range(len(text))  # nothing removed and nothing grown: character for character
    parts: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        part = fold(character)
        parts.append(part)
        offsets.extend([offset] * len(part))
    return "".join(parts), offsets
