"""The forms of German words."""

from __future__ import annotations

from grice.text.packs.pack import Words

__all__ = ["stem"]


def stem(word: str, words: Words) -> str:
    """The part a casefolded word shares with its forms: endings of cases and plurals go, umlauts too."""
    if len(word) < 5 or not word.isalpha():
        return word
    for suffix in words.case_endings:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            word = word[: -len(suffix)]
            break
    return word.translate(str.maketrans("äöü", "aou"))
