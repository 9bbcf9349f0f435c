"""Which language and script a text is in, and the pack for it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import lru_cache

import msgspec

from grice.text.packs import code_of, known_packs, languages, pack_of
from grice.text.packs.pack import LanguagePack

MAX_LOOKED_AT = 20_000
"""How many characters of a text are looked at."""


class Language(msgspec.Struct, frozen=True, gc=False):
    """The language and script of a text.

    `code` is ISO 639-1, "" where nobody can tell (too short, mixed, no words). `script` is that of most
    letters as Unicode names it ("Latin", "Cyrillic", "Han", "Arabic"), "" for a text without letters;
    `mixed` says that another script has a fifth of them or more.
    """

    code: str
    script: str
    mixed: bool = False


@lru_cache(maxsize=16)
def language_of(text: str) -> Language:
    """The language of a text: by its script, and in Latin and Cyrillic script by its frequent words.
    Deterministic, never raises.

    Latin texts are told apart as far as they have words that only some languages use; a name, a title or a
    code has none.
    """
    text = text[:MAX_LOOKED_AT]
    if text.isascii():
        if re.search("[A-Za-z]", text) is None:
            return Language("", "")
        script, mixed = "Latin", False
    else:
        counts = Counter(_script(one) for one in text if one.isalpha())
        if not counts:
            return Language("", "")
        japanese = counts["Hiragana"] + counts["Katakana"]
        (script, _), *_ = counts.most_common(1)
        if japanese and script in ("Han", "Hiragana", "Katakana"):
            script = "Han" if counts["Han"] >= japanese else "Hiragana"
        others = [count for name, count in counts.items() if name not in _TOGETHER.get(script, (script,))]
        mixed = max(others, default=0) * 5 >= sum(counts.values())
        if japanese and script in ("Han", "Hiragana"):
            return Language("ja", script, mixed)
    if script == "Latin":
        from grice.text.latin import latin_language

        return Language(latin_language(text), script, mixed)
    return Language(_of_script(script, text), script, mixed)


def pack_for(text: str, language: str | None = None) -> LanguagePack | str:
    """The pack for a text, or why there is none ("the text is in Chinese (Han), for which there is no
    language pack").

    `language` is the ISO 639 code when the caller knows it. A Latin text too short to tell has the English
    pack, and so has one without letters.
    """
    if language is not None:
        known = " and ".join(known_packs())
        return pack_of(language) or (
            f"there is no language pack for {language_name(language)}; there are {known}"
        )
    found = language_of(text)
    if found.code:
        return pack_of(found.code) or (
            f"the text is in {language_name(found.code)} ({found.script}), "
            "for which there is no language pack"
        )
    if found.script in ("", "Latin"):
        english = pack_of("en")
        if english is not None:
            return english
    return f"the text is in {found.script} script, and there is no language pack for it"


def language_name(code: str) -> str:
    """The English name of a language by its ISO 639-1 code; a code without a known name is shown as it is."""
    return languages().names.get(code_of(code), repr(code))


_TOGETHER = {
    "Han": ("Han", "Hiragana", "Katakana"),
    "Hiragana": ("Han", "Hiragana", "Katakana"),
    "Hangul": ("Hangul", "Han"),
}


@lru_cache(maxsize=1)
def _starts() -> tuple[list[int], list[str]]:
    """Where the letters of a script begin, and its name; "-" is no script we know."""
    return list(languages().scripts), list(languages().scripts.values())


def _script(letter: str) -> str:
    starts, scripts = _starts()
    place = bisect_right(starts, ord(letter)) - 1
    return scripts[place] if place >= 0 else "-"


def _of_script(script: str, text: str) -> str:
    if script == "Cyrillic":
        for code, letters in (
            ("uk", "[іїєґІЇЄҐ]"),
            ("be", "[ўЎ]"),
            ("sr", "[ђћџјљњЂЋЏЈЉЊ]"),
            ("ru", "[ыэёЫЭЁ]"),
        ):
            if re.search(letters, text):
                return code
        return (
            "bg"
            if re.search(r"\b(?:съм|това|няма|може|можете|за|да|не е|ще|се)\b", text) and "ъ" in text
            else "ru"
        )
    if script == "Arabic":
        for code, letters in (("ur", "[ٹڈڑےں]"), ("fa", "[پچژگ]")):
            if re.search(letters, text):
                return code
        return "ar"
    return languages().of_script.get(script, "")
