"""What the text rules know of a language."""

from __future__ import annotations

import msgspec

__all__ = ["LanguagePack"]


class LanguagePack(msgspec.Struct, frozen=True):
    """What the text rules know of one language. Words are casefolded, with straight apostrophes.

    A rule whose table is empty for a language does not apply to texts in it.
    """

    code: str
    name: str
    stop_words: frozenset[str]
    negations: frozenset[str]
