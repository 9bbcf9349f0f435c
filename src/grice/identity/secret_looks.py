"""Whether a text looks like a secret by itself."""

from __future__ import annotations

import re

LEAST = 6
"""Fewer characters are not taken for a secret by their looks."""
_MANY = 24
"""So many letters in a row are no word."""
_LOOKED_AT = 500
"""So many characters of a text tell."""
_ORDINARY = re.compile(
    r"_*[^\W\d_]+(?:['\u2019/_.,:&+-]+[^\W\d_]+)*_*"  # words, also joined: case-sensitive, and/or, first_name
    r"|[^a-zA-Z0-9]+"  # nothing but signs: ********
    r"|\d+-[a-z]+"  # 16-digit
    r"|\d{1,6}(?:[.,:/-]\d{1,6})*(?:[a-z]{1,3}|%)?"  # 24.99, 2026-01-31, 10:30am, 15min
    r"|\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?"
    r"|[^@\s]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}"  # somebody's address
    r"|(?:[a-z+]{2,10}:)?//\S+"
    r"|[a-zA-Z_][\w.]*\(.*"  # a call in source code
    r"|[$%]?\{.*\}|<[\w -]+>",  # what is to be filled in
)
_NUMBER = re.compile(r"\d{6,}")
_TURN = re.compile(r"[a-z](?=[A-Z])")


def looks_secret(text: str) -> bool:
    """Whether a text of at least six characters is no ordinary word, number, date, address or expression.

    So are `hunter2`, `p@ssword`, a number of six or more digits, and letters in a row that are too many or
    change their case too often for a word or a name in source code.
    """
    if len(text) < LEAST:
        return False
    if is_unusual(text) or _NUMBER.fullmatch(text):
        return True
    turns = len(_TURN.findall(text))
    return text.isascii() and text.isalpha() and (turns * 5 > len(text) or (not turns and len(text) >= _MANY))


def is_unusual(text: str) -> bool:
    """Whether a text is no ordinary word, number, date, address or expression."""
    return bool(text) and _ORDINARY.fullmatch(text[:_LOOKED_AT]) is None
