"""Words of a text: where they are, which carry meaning, and which are forms of one another."""

from __future__ import annotations

import msgspec

from grice.text.packs.pack import LanguagePack

__all__ = ["Word", "content_words", "stem", "words"]


class Word(msgspec.Struct, frozen=True, gc=False):
    """One word: `text` is casefolded, `start` and `end` are its place in the text that was cut."""

    text: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    """The words of a text in order, letters and digits of any script.

    An apostrophe inside (don't), a decimal point or thousands separator (1,299.99), and `&` `@` `/` in a name stay
    with their word; a hyphen cuts (beginner-friendly is two). A character of Chinese, Japanese or another
    script that is written without spaces is a word of its own.
    """
    raise NotImplementedError


def content_words(text: str, pack: LanguagePack | None = None) -> list[Word]:
    """The words that carry meaning: all but the stop words and contracted forms of the pack's language."""
    raise NotImplementedError


def stem(word: str, pack: LanguagePack | None = None) -> str:
    """The part of a casefolded word that its forms share: `bindings` and `binding` have the same."""
    raise NotImplementedError
