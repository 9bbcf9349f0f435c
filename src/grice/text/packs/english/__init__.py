"""The forms of English words: the singular, and a light stem."""

from __future__ import annotations

import re

from grice.text.packs.pack import Words

__all__ = ["singular", "stem"]

_VOWEL = re.compile("[aeiouy]")
_VOWELS = re.compile("[aeiouy]+")
_DOUBLED = frozenset("bdgkmnprtv")
_KEPT_S = ("ss", "us", "is", "as", "os")


def singular(word: str, words: Words) -> str:
    """The singular of a casefolded noun: reviews, review; batteries, battery. What is no plural stays."""
    irregular = words.irregular_plurals.get(word)
    if irregular is not None:
        return irregular
    if len(word) < 4 or not word.endswith("s") or word.endswith(_KEPT_S):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + ("ie" if word in words.ie_plurals else "y")
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    return word[:-1]


def stem(word: str, words: Words) -> str:
    """The part a casefolded word shares with its forms. It is for comparing only: price, priced and pricing
    give pric.

    Plurals, -ing, -ed and a possessive 's go, irregular forms of verbs too (kept, keep); -er, -est, -ly,
    -less, -ful and prefixes stay, since they change the meaning.
    """
    word = word.removesuffix("'s").rstrip("'")
    word = words.irregular_verbs.get(word, word)
    if not word.isalpha() or len(word) < 4:
        return words.irregular_plurals.get(word, word)
    word = singular(word, words)
    if word.endswith("ing") and word not in words.no_participles:
        word = _cut(word, 3)
    elif word.endswith("ied") and len(word) > 4:
        word = f"{word[:-3]}y"
    elif word.endswith("ed") and not word.endswith("eed"):
        word = _cut(word, 2)
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 3 and word.endswith("y") and word[-2] not in "aeiou":
        word = f"{word[:-1]}i"
    if word.endswith("ll") and len(_VOWELS.findall(word)) > 1:
        word = word[:-1]  # cancelled and cancel, fulfil and fulfill
    return word


def _cut(word: str, length: int) -> str:
    """The word without its last letters, where what is left can be a word."""
    left = word[:-length]
    if len(left) < 3 or not _VOWEL.search(left):
        return word
    if left[-1] == left[-2] and left[-1] in _DOUBLED:
        return left[:-1]
    return left
