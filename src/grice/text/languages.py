"""Which language and script a text is in, and the pack for it."""

from __future__ import annotations

import msgspec

from grice.text.packs.pack import LanguagePack

__all__ = ["Language", "language_of", "pack_for"]


class Language(msgspec.Struct, frozen=True, gc=False):
    """What a text is written in.

    `code` is ISO 639-1, "" where nobody can tell (too short, mixed, no words). `script` is that of most letters
    as Unicode names it ("Latin", "Cyrillic", "Han", "Arabic"), "" for a text without letters; `mixed` says that another script has a
    fifth of them or more.
    """

    code: str
    script: str
    mixed: bool = False


def language_of(text: str) -> Language:
    """The language of a text. Deterministic, never raises."""
    raise NotImplementedError


def pack_for(text: str, language: str | None = None) -> LanguagePack | str:
    """The pack for a text, or why there is none ("the text is in Chinese (Han), for which there is no language pack").

    `language` is the ISO 639 code when the caller knows it. A Latin text too short to tell has the English pack.
    """
    raise NotImplementedError
