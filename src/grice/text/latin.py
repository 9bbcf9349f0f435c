"""Telling apart the languages written in Latin letters, by their frequent words."""

from __future__ import annotations

import re
from functools import cache

from grice.text.packs import languages

MAX_WORDS = 300


_WORDS = re.compile(r"(?<![\w'\u2019])[^\W\d_]+(?:['\u2019][^\W\d_]+)?(?![\w])")
Weights = tuple[tuple[str, float], ...]


@cache
def _table() -> tuple[dict[str, Weights], dict[str, str]]:
    """What each frequent word says for which language, and the language of each letter that few have."""
    codes_of: dict[str, list[str]] = {}
    for code, frequent in languages().frequent.items():
        for word in dict.fromkeys(frequent):
            codes_of.setdefault(word, []).append(code)
    letters = {letter: code for code, listed in languages().letters.items() for letter in listed}
    return {word: _weights(word, codes) for word, codes in codes_of.items()}, letters


def _weights(word: str, codes: list[str]) -> Weights:
    weight = 1.0 if len(codes) == 1 else 0.6 if "en" not in codes else 0.4
    weight = min(weight, 0.7) if word in languages().also_english else weight
    return tuple((code, weight) for code in codes)


def latin_language(text: str) -> str:
    """The ISO 639-1 code of a text in Latin letters, "" where its words do not tell."""
    by_word, by_letter = _table()
    found = _WORDS.findall(text)[:MAX_WORDS]
    if not text.isupper():
        found = [word for word in found if len(word) < 2 or not word.isupper()]  # codes and abbreviations
    scores: dict[str, float] = {}
    distinct: dict[str, set[str]] = {}
    for place, raw in enumerate(found):
        word = raw.casefold().replace("\u2019", "'")
        for code, weight in by_word.get(word, ()):
            share = 0.5 if place and raw[0].isupper() else 1.0  # El Pollo Loco is a name
            scores[code] = scores.get(code, 0.0) + weight * share
            distinct.setdefault(code, set()).add(word)
    if not text.isascii():
        for letter in set(text):
            code = by_letter.get(letter, "")
            if code:
                scores[code] = scores.get(code, 0.0) + (2.0 if letter in "¿¡" else 0.8)
                distinct.setdefault(code, set()).add(letter)
    return _decided(scores, distinct, len(found))


def _decided(scores: dict[str, float], distinct: dict[str, set[str]], count: int) -> str:
    english = scores.pop("en", 0.0)
    best = max(scores, key=lambda code: (scores[code], code), default="")
    foreign = scores.get(best, 0.0)
    if english >= foreign and english > 0:
        return "en"
    enough = 1.0 if count <= 3 else 1.5
    if (
        foreign >= enough
        and foreign > 1.5 * english
        and foreign >= 0.15 * count
        and (len(distinct.get(best, ())) > 1 or count <= 3)
    ):
        return best
    return "en" if english > 0 else ""
