r"""One character of a JavaScript pattern, or what an escape in it stands for."""

from __future__ import annotations

import re
from typing import NoReturn

from grice.matching.patterns.classes import (
    DIGITS,
    SPACES,
    Property,
    Ranges,
    complement,
    property_named,
    words,
)
from grice.text import shorten, value_text

__all__ = ["BACK_REFERENCE", "EscapeReader", "PatternError"]

_PROPERTY = re.compile(r"\\[pP]\{([^{}]*)\}")
_HEX = re.compile(r"\\(?:u\{(?P<braced>[0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))")
_LOW_HALF = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_SIMPLE = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D}
_SIMPLE_IN_CLASS = _SIMPLE | {"b": 0x08, "-": 0x2D}
_SYNTAX = frozenset("^$\\.*+?()[]{}|/")
BACK_REFERENCE = "uses a back-reference; RE2 has none, so that no text can make it hang: write the text out"


class PatternError(ValueError):
    """A pattern that cannot be used: too long, not a pattern, or beyond what RE2 can express.

    `position` is the character where it goes wrong, None when that is no one place.
    """

    __module__ = "grice"  # where users find it

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.position = position


class EscapeReader:
    """Reads characters and escapes from `at` on, and goes on behind them."""

    def __init__(self, source: str, flags: str, *, properties: bool) -> None:
        self.source = _joined(source)
        self.at = 0
        self.unicode = "u" in flags
        self.properties = properties or self.unicode
        word = words(folds_like_unicode=self.unicode and "i" in flags)
        self._sets = {"d": DIGITS, "s": SPACES, "w": word}

    def read_character(self) -> int:
        """The character here, as it stands, and go on behind it."""
        code = ord(self.source[self.at])
        if 0xD800 <= code <= 0xDFFF:
            self._refuse_half()
        self.at += 1
        return code

    def read_escape(self, *, in_class: bool) -> int | Ranges | Property:
        """The character or set of characters that the escape here stands for, and go on behind it."""
        letter = self.source[self.at + 1 : self.at + 2]
        if not letter:
            self.refuse("is not a pattern: nothing follows the last \\")
        if letter in "dsw":
            self.at += 2
            return self._sets[letter]
        if letter in "DSW":
            self.at += 2
            return complement(self._sets[letter.lower()])
        if letter in "pP":
            return self._property(letter)
        simple = _SIMPLE_IN_CLASS if in_class else _SIMPLE
        if letter in simple:
            self.at += 2
            return simple[letter]
        return self._escaped_character(letter, in_class)

    def _escaped_character(self, letter: str, in_class: bool) -> int:
        follows = self.source[self.at + 2 : self.at + 3]
        if letter in "0123456789":
            if letter != "0" and not in_class:
                self.refuse(BACK_REFERENCE)
            if letter != "0" or (follows.isascii() and follows.isdigit()):
                self.refuse(r"has an octal escape; write \xHH")
            self.at += 2
            return 0
        if letter == "k":
            self.refuse(BACK_REFERENCE)
        if letter == "c":
            if not (follows.isascii() and follows.isalpha()):
                self.refuse(r"uses \c without a letter; a backslash itself is written \\")
            self.at += 3
            return ord(follows) & 31
        number = _HEX.match(self.source, self.at)
        if number is not None:
            return self._number(number)
        if self.unicode and letter not in _SYNTAX:
            self.refuse(f"is not a pattern: with flag u there is no \\{letter}; write {letter}")
        self.at += 1
        return self.read_character()

    def _number(self, found: re.Match[str]) -> int:
        if found["braced"] and not self.unicode:
            self.refuse(r"uses \u{...}, which needs flag u")
        code = int(found[found.lastindex or 0], 16)
        if code > 0x10FFFF:
            self.refuse(r"is not a pattern: the last character is \u{10ffff}")
        end = found.end()
        if 0xD800 <= code < 0xDC00 and not found["braced"]:
            low = _LOW_HALF.match(self.source, end)
            if low is not None:
                end = low.end()
                code = 0x10000 + ((code & 0x3FF) << 10) + (int(low[1], 16) & 0x3FF)
        if 0xD800 <= code < 0xE000:
            self._refuse_half()
        self.at = end
        return code

    def _property(self, letter: str) -> Property:
        if not self.properties:
            self.refuse(rf"uses \{letter}{{...}}, which needs flag u")
        found = _PROPERTY.match(self.source, self.at)
        if found is None:
            self.refuse(rf"is not a pattern: \{letter} is followed by a property, as in \{letter}{{L}}")
        named = property_named(found[1])
        if named is None:
            self.refuse(
                rf"uses \{letter}{{{shorten(found[1], 50)}}}; RE2 knows general categories and scripts, "
                r"as in \p{Lu}, \p{Letter} and \p{Script=Greek}"
            )
        self.at = found.end()
        return named.negated() if letter == "P" else named

    def _refuse_half(self) -> NoReturn:
        self.refuse(r"has half a character; write it whole, or as \u{...} with flag u")

    def refuse(self, why: str, position: int | None = None) -> NoReturn:
        """Raise the PatternError for what is at `position`, or here."""
        where = self.at if position is None else position
        raise PatternError(f"{value_text(self.source)} {why} (at character {where})", where)


def _joined(source: str) -> str:
    """The source with surrogate pairs as the characters they are."""
    try:
        source.encode()
    except UnicodeEncodeError:
        return source.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return source
