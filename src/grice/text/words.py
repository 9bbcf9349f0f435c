"""Words of a text: where they are, which carry meaning, and which are forms of one another."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import msgspec

from grice.text.packs.pack import LanguagePack

UNSPACED = (
    "\u0e00-\u0e3a\u0e40-\u0e4f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Characters of the scripts written without spaces, for a class of a pattern."""

_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-"
    "\u0963\u0966-\u0dff\u200c\u200d"
)
_ASCII_JOINTS = (
    r"(?:'(?=[A-Za-z])"
    r"|(?<=[0-9])[.,:/](?=[0-9])"
    r"|(?<=[A-Za-z])\.(?=[a-z])|(?<=[a-z])\.(?=[0-9])|(?<=[0-9])\.(?=[a-z])|(?<=\b[A-Z])\.(?=[A-Z]\b)"
    r"|[&@](?=[A-Za-z0-9])"
    r"|(?<=\b[A-Za-z])/(?=[A-Za-z]\b))"
)
_ASCII_WORD = rf"[A-Za-z0-9]+(?:{_ASCII_JOINTS}[A-Za-z0-9]+)*"
_LETTER = rf"(?:(?![{UNSPACED}])[^\W_]|[{_MARKS}])"
_ANY_WORD = (
    rf"[{UNSPACED}][{_MARKS}\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]*"
    rf"|(?![{UNSPACED}])[^\W_]{_LETTER}*"
    rf"(?:(?:['\u2019\u02bc\uff07](?=[^\W\d_])"
    rf"|(?<=\d)[.,:/](?=\d)"
    rf"|(?<=[^\W\d_])\.(?=[a-z])|(?<=[a-z])\.(?=\d)|(?<=\d)\.(?=[a-z])|(?<=\b[A-Z])\.(?=[A-Z]\b)"
    rf"|[&@](?=[^\W_])"
    rf"|(?<=\b[^\W\d_])/(?=[^\W\d_]\b)){_LETTER}+)*"
)
_CURLY = str.maketrans("\u2019\u02bc\uff07", "'''")
# Signs that part words, as this one of ASCII does; with curly apostrophes most texts have no other.
_PARTING = "\u00a0\u00a3\u00a4\u00b7\u2013\u2014\u2018\u201c\u201d\u2022\u2026\u20ac"
_SIGNS = _CURLY | dict.fromkeys(map(ord, _PARTING), "*")


class Word(msgspec.Struct, frozen=True, gc=False):
    """One word: `text` is casefolded, with a straight apostrophe; `start` and `end` are its place in the
    text that was cut.
    """

    text: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    """The words of a text in order, letters and digits of any script.

    An apostrophe inside (don't), a decimal point, thousands separator or colon between digits (1,299.99,
    14:30), and `&`, `@`, `.` in a name (R&D, example.com) stay with their word; `/` does between digits and
    single letters only (24/7, n/a), and a hyphen or underscore always cuts (beginner-friendly is two). A
    character of Chinese, Japanese or another script that is written without spaces is a word of its own.
    """
    return list(_words(text))


@lru_cache(maxsize=16)
def _words(text: str) -> tuple[Word, ...]:
    plain = text if text.isascii() else text.translate(_SIGNS)
    if plain.isascii():
        found = re.finditer(_ASCII_WORD, plain)
        lowered = plain.lower()
        return tuple([Word(lowered[one.start() : one.end()], one.start(), one.end()) for one in found])
    return tuple(
        [
            Word(one[0].casefold().translate(_CURLY), one.start(), one.end())
            for one in re.finditer(_ANY_WORD, text)
        ]
    )


def content_words(text: str, pack: LanguagePack | None = None) -> list[Word]:
    """The words that carry meaning: all but the stop words and contracted forms of the pack's language.

    Without a pack it is that of the text's language; a text in a language without one keeps all its words.
    """
    if pack is None:
        from grice.text.languages import pack_for

        found = pack_for(text)
        if isinstance(found, str):
            return words(text)
        pack = found
    stops, contracted = pack.stop_words, pack.contracted
    return [
        word
        for word in _words(text)
        if word.text not in stops
        and word.text not in contracted
        and not ("'" in word.text and word.text.partition("'")[0] in stops)
    ]


def stem(word: str, pack: LanguagePack | None = None) -> str:
    """The part of a casefolded word that its forms share: `bindings` and `binding` have the same.

    It is for comparing, not for showing. Without a pack it is that of English; a pack without a stemmer
    changes nothing.
    """
    if pack is None:
        from grice.text.packs import pack_of

        pack = pack_of("en")
    stemmer = pack.stemmer if pack is not None else None
    return word if stemmer is None else _stem(stemmer, word)


@lru_cache(maxsize=4096)
def _stem(stemmer: Callable[[str], str], word: str) -> str:
    return stemmer(word)
