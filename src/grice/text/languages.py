"""Which language and script a text is in, and the pack for it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import lru_cache

import msgspec

from grice.text.packs import known_packs, pack_of
from grice.text.packs.pack import LanguagePack
from grice.text.packs.tables import pairs

__all__ = ["Language", "language_name", "language_of", "pack_for"]

MAX_LOOKED_AT = 20_000
"""How many characters of a text are looked at."""


class Language(msgspec.Struct, frozen=True, gc=False):
    """What a text is written in.

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
    return _NAMES.get(code.replace("_", "-").split("-", 1)[0].lower(), repr(code))


_NAMES = pairs(
    """
    ar: Arabic; be: Belarusian; bg: Bulgarian; bn: Bengali; ca: Catalan; cs: Czech; da: Danish; de: German;
    el: Greek; en: English; es: Spanish; et: Estonian; fa: Persian; fi: Finnish; fr: French; gu: Gujarati;
    he: Hebrew; hi: Hindi; hr: Croatian; hu: Hungarian; hy: Armenian; id: Indonesian; it: Italian; ja:
    Japanese; ka: Georgian; km: Khmer; kn: Kannada; ko: Korean; lo: Lao; lt: Lithuanian; lv: Latvian; ml:
    Malayalam; mr: Marathi; my: Burmese; nl: Dutch; no: Norwegian; pa: Punjabi; pl: Polish; pt: Portuguese;
    ro: Romanian; ru: Russian; sk: Slovak; sr: Serbian; sv: Swedish; ta: Tamil; te: Telugu; th: Thai; tr:
    Turkish; uk: Ukrainian; ur: Urdu; vi: Vietnamese; zh: Chinese; si: Sinhala; am: Amharic
    """
)

_TOGETHER = {
    "Han": ("Han", "Hiragana", "Katakana"),
    "Hiragana": ("Han", "Hiragana", "Katakana"),
    "Hangul": ("Hangul", "Han"),
}

# Where the letters of a script begin; "-" begins what is no script we know.
_RANGES = [
    (int(start, 16), script)
    for start, script in pairs(
        """
        41: Latin; 2B0: -; 370: Greek; 400: Cyrillic; 530: Armenian; 590: Hebrew; 600: Arabic; 700: -; 750:
        Arabic; 780: -; 8A0: Arabic; 900: Devanagari; 980: Bengali; A00: Gurmukhi; A80: Gujarati; B00:
        Oriya; B80: Tamil; C00: Telugu; C80: Kannada; D00: Malayalam; D80: Sinhala; E00: Thai; E80: Lao;
        F00: Tibetan; 1000: Myanmar; 10A0: Georgian; 1100: Hangul; 1200: Ethiopic; 13A0: -; 1780: Khmer;
        1800: Mongolian; 18B0: -; 1C80: Cyrillic; 1C90: Georgian; 1CC0: -; 1E00: Latin; 1F00: Greek; 2000:
        -; 2C60: Latin; 2C80: -; 2D00: Georgian; 2D30: -; 2DE0: Cyrillic; 2E00: -; 3005: Han; 3008: -; 3041:
        Hiragana; 30A0: Katakana; 3100: -; 3130: Hangul; 3190: -; 31F0: Katakana; 3200: -; 3400: Han; A000:
        -; A640: Cyrillic; A6A0: -; A720: Latin; A800: -; AC00: Hangul; D7B0: -; F900: Han; FB00: Latin;
        FB13: Armenian; FB1D: Hebrew; FB50: Arabic; FE00: -; FE70: Arabic; FF00: -; FF21: Latin; FF5B: -;
        FF66: Katakana; FFA0: Hangul; FFE0: -; 20000: Han; 40000: -
        """
    ).items()
]
_STARTS = [start for start, _ in _RANGES]

_ONE_LANGUAGE = pairs(
    """
    Greek: el; Armenian: hy; Hebrew: he; Bengali: bn; Gurmukhi: pa; Gujarati: gu; Tamil: ta; Telugu: te;
    Kannada: kn; Malayalam: ml; Sinhala: si; Thai: th; Lao: lo; Myanmar: my; Georgian: ka; Hangul: ko;
    Ethiopic: am; Khmer: km; Han: zh; Hiragana: ja; Katakana: ja; Devanagari: hi
    """,
    fold=False,
)


def _script(letter: str) -> str:
    place = bisect_right(_STARTS, ord(letter)) - 1
    return _RANGES[place][1] if place >= 0 else "-"


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
    return _ONE_LANGUAGE.get(script, "")
