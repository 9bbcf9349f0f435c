"""How the rules of profile `seed` read a text: as JavaScript reads it."""

from __future__ import annotations

import re

# \s of JavaScript, which is not that of Python.
_SPACE = re.compile("[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")
_FIRST_SENTENCE = re.compile(r"[^.!?]+[.!?]")


def seed_words(text: str) -> list[str]:
    """The lower-cased text cut at white space, punctuation kept; "" beyond white space at its ends."""
    return _SPACE.split(text.lower())


def seed_jaccard(one: str, other: str) -> float:
    """The share of words that two texts have in common; two empty texts have all in common."""
    first, second = set(seed_words(one)), set(seed_words(other))
    return len(first & second) / len(first | second)


def seed_opener(text: str) -> str:
    """The text up to and with its first `.`, `!` or `?`; all of it when it begins with one or has none."""
    found = _FIRST_SENTENCE.match(text)
    return found[0] if found else text
