"""Which language and script a text is in, and the pack for it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import lru_cache

import msgspec

from grice.text.packs import known_packs, pack_of
from grice.text.packs.pack import LanguagePack

__all__ = ["Language", "language_name", "language_of", "pack_for"]

MAX_LOOKED_AT = 20_000
"""How many characters of a text are looked at."""


class Language(msgspec.Struct, frozen=True, gc=False):
    """What a text is written in.

    `code` is ISO 639-1, "" where nobody can tell (too short, mixed, no words). `script` is that of most letters
    as Unicode names it ("Latin", "Cyrillic", "Han", "Arabic"), "" for a text without letters; `mixed` says that another script has a
    fifth of them or more.
    """

    code: str
    script: str
    mixed: bool = False


@lru_cache(maxsize=16)
def language_of(text: str) -> Language:
    """The language of a text: by its script, and in Latin and Cyrillic script by its frequent words. Deterministic, never raises.

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
        (script, most), *_ = counts.most_common(1)
        if japanese and script in ("Han", "Hiragana", "Katakana"):
            script, most = ("Han" if counts["Han"] >= japanese else "Hiragana"), japanese + counts["Han"]
        others = [count for name, count in counts.items() if name not in _TOGETHER.get(script, (script,))]
        mixed = max(others, default=0) * 5 >= sum(counts.values())
        if japanese and script in ("Han", "Hiragana"):
            return Language("ja", script, mixed)
    if script == "Latin":
        from grice.text.latin import latin_language

        return Language(latin_language(text), script, mixed)
    return Language(_of_script(script, text), script, mixed)


def pack_for(text: str, language: str | None = None) -> LanguagePack | str:
    """The pack for a text, or why there is none ("the text is in Chinese (Han), for which there is no language pack").

    `language` is the ISO 639 code when the caller knows it. A Latin text too short to tell has the English pack, and so has
    one without letters.
    """
    if language is not None:
        return pack_of(language) or (
            f"there is no language pack for {language_name(language)}; there are {' and '.join(known_packs())}"
        )
    found = language_of(text)
    if found.code:
        return pack_of(found.code) or (
            f"the text is in {language_name(found.code)} ({found.script}), for which there is no language pack"
        )
    if found.script in ("", "Latin"):
        english = pack_of("en")
        if english is not None:
            return english
    return f"the text is in {found.script} script, and there is no language pack for it"


def language_name(code: str) -> str:
    """The English name of a language by its ISO 639-1 code; a code without a known name is shown as it is."""
    return _NAMES.get(code.replace("_", "-").split("-", 1)[0].lower(), repr(code))


_NAMES = {
    "ar": "Arabic", "be": "Belarusian", "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan", "cs": "Czech", "da": "Danish",
    "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian", "fa": "Persian", "fi": "Finnish", "fr": "French",
    "gu": "Gujarati", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian",
    "it": "Italian", "ja": "Japanese", "ka": "Georgian", "km": "Khmer", "kn": "Kannada", "ko": "Korean", "lo": "Lao", "lt": "Lithuanian", "lv": "Latvian", "ml": "Malayalam",
    "mr": "Marathi", "my": "Burmese", "nl": "Dutch", "no": "Norwegian", "pa": "Punjabi", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sr": "Serbian", "sv": "Swedish", "ta": "Tamil", "te": "Telugu",
    "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese", "si": "Sinhala", "am": "Amharic",
}  # fmt: skip

_TOGETHER = {
    "Han": ("Han", "Hiragana", "Katakana"),
    "Hiragana": ("Han", "Hiragana", "Katakana"),
    "Hangul": ("Hangul", "Han"),
}

_RANGES = (
    (0x41, "Latin"), (0x2B0, ""), (0x370, "Greek"), (0x400, "Cyrillic"), (0x530, "Armenian"), (0x590, "Hebrew"),
    (0x600, "Arabic"), (0x700, ""), (0x750, "Arabic"), (0x780, ""), (0x8A0, "Arabic"), (0x900, "Devanagari"), (0x980, "Bengali"),
    (0xA00, "Gurmukhi"), (0xA80, "Gujarati"), (0xB00, "Oriya"), (0xB80, "Tamil"), (0xC00, "Telugu"), (0xC80, "Kannada"),
    (0xD00, "Malayalam"), (0xD80, "Sinhala"), (0xE00, "Thai"), (0xE80, "Lao"), (0xF00, "Tibetan"), (0x1000, "Myanmar"),
    (0x10A0, "Georgian"), (0x1100, "Hangul"), (0x1200, "Ethiopic"), (0x13A0, ""), (0x1780, "Khmer"), (0x1800, "Mongolian"), (0x18B0, ""),
    (0x1C80, "Cyrillic"), (0x1C90, "Georgian"), (0x1CC0, ""), (0x1E00, "Latin"), (0x1F00, "Greek"), (0x2000, ""), (0x2C60, "Latin"), (0x2C80, ""),
    (0x2D00, "Georgian"), (0x2D30, ""), (0x2DE0, "Cyrillic"), (0x2E00, ""), (0x3005, "Han"), (0x3008, ""), (0x3041, "Hiragana"), (0x30A0, "Katakana"), (0x3100, ""),
    (0x3130, "Hangul"), (0x3190, ""), (0x31F0, "Katakana"), (0x3200, ""), (0x3400, "Han"), (0xA000, ""), (0xA640, "Cyrillic"), (0xA6A0, ""), (0xA720, "Latin"), (0xA800, ""),
    (0xAC00, "Hangul"), (0xD7B0, ""), (0xF900, "Han"), (0xFB00, "Latin"), (0xFB13, "Armenian"), (0xFB1D, "Hebrew"), (0xFB50, "Arabic"), (0xFE00, ""),
    (0xFE70, "Arabic"), (0xFF00, ""), (0xFF21, "Latin"), (0xFF5B, ""), (0xFF66, "Katakana"), (0xFFA0, "Hangul"), (0xFFE0, ""), (0x20000, "Han"), (0x40000, ""),
)  # fmt: skip
_STARTS = [start for start, _ in _RANGES]

_ONE_LANGUAGE = {
    "Greek": "el", "Armenian": "hy", "Hebrew": "he", "Bengali": "bn", "Gurmukhi": "pa", "Gujarati": "gu", "Tamil": "ta", "Telugu": "te",
    "Kannada": "kn", "Malayalam": "ml", "Sinhala": "si", "Thai": "th", "Lao": "lo", "Myanmar": "my", "Georgian": "ka", "Hangul": "ko",
    "Ethiopic": "am", "Khmer": "km", "Han": "zh", "Hiragana": "ja", "Katakana": "ja", "Devanagari": "hi",
}  # fmt: skip


def _script(letter: str) -> str:
    place = bisect_right(_STARTS, ord(letter)) - 1
    return _RANGES[place][1] or "other" if place >= 0 else "other"


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
