r"""JavaScript's regular expressions, read by their own grammar and written for RE2 with the same meaning.

What RE2 means by `.`, `$`, `\s`, `\a`, `\z`, `[[:alpha:]]` or the flag i is not what JavaScript means, so
nothing is handed on as it stands: every character set becomes a class, every other character a literal.

Where the meanings differ still:

- A text is characters, not UTF-16 units: without the flag u, too, an emoji is one character.
- With the flag m, `^` and `$` see the line ends \r, U+2028 and U+2029 only in patterns that do not tell one
  line end from another (`Translation.any_line_end`); in others, such as `^a\r$`, lines end at \n alone.
- `\b` with the flags i and u does not count U+017F and U+212A, which fold to s and k, as letters.
- A repeat whose body can match nothing, such as `(?:|a)*`, may match more in JavaScript, which has a rule
  against empty rounds. Whether and where a match begins is the same.
"""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from grice.matching.patterns.classes import (
    DIGITS,
    LINE_ENDS,
    SPACES,
    Property,
    Ranges,
    class_source,
    complement,
    folded,
    hold,
    merged,
    property_named,
    words,
)
from grice.text import shorten, value_text

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


MAX_REPEAT = 1_000  # RE2's own limit

MAX_COPIES = 2_500  # RE2 writes counted repeats out; with many more a long text takes it seconds

PROPERTY_COST = 50  # how many plain characters a \p{...} is worth there

_QUANTIFIER = re.compile(r"\{(\d+)(?:(,)(\d*))?\}", re.ASCII)

_INLINE_FLAGS = re.compile(r"\(\?(?=[a-zA-Z^-])\^?([a-zA-Z]*)(?:-[a-zA-Z]*)?[:)]")

_NAME = re.compile(r"\(\?<([\w$]*)>")

_ENDS = {"A": "^", "Z": "$", "z": "$"}

_LOOK_AROUND = (
    "uses look-around; say what must be there in one pattern and what must not in a second, negated one"
)

_OTHER_GROUPS = {
    "(?=": _LOOK_AROUND,
    "(?!": _LOOK_AROUND,
    "(?<=": _LOOK_AROUND,
    "(?<!": _LOOK_AROUND,
    "(?>": "uses an atomic group; RE2 never backtracks, so (?:...) will do",
    "(?P=": BACK_REFERENCE,
    "(?P": "uses (?P<name>...) of Python; write (?<name>...)",
    "(?#": "uses a comment; leave it out",
    "(?(": "uses a condition; RE2 has none: write both cases as alternatives",
}


class Translation(NamedTuple):
    r"""The pattern for RE2, without groups that capture.

    `inside_characters`: has a \B, which RE2 finds between the bytes of a character too.
    `any_line_end`: has a `^` or `$` of the flag m, and does not tell one line end from another.
    `most_repeats`: the largest number in its counted repeats.
    """

    source: str
    inside_characters: bool
    any_line_end: bool
    most_repeats: int


def translate(source: str, flags: str = "", *, properties: bool = False) -> Translation:
    r"""The pattern for RE2. `flags` are any of i, m, s, u; `properties` allows \p{...} without u.

    Raises PatternError that says where and how to mend it.
    """
    return _Reader(source, flags, properties).translation()


class _Reader(EscapeReader):
    """Reads one pattern from left to right, with a stack for its open groups."""

    def __init__(self, source: str, flags: str, properties: bool) -> None:
        super().__init__(source, flags, properties=properties)
        self.ignore_case, self.multiline, self.dot_all = (flag in flags for flag in "ims")
        self.written: list[str] = []
        self.open: list[int] = []  # where the open groups began
        self.copies = [0]  # for each of them how much is in it, written out
        self.last: int | None = None  # the same of what a quantifier would repeat; None: there is nothing
        self.names: set[str] = set()
        self.most_repeats = 0
        self.not_a_boundary = self.line_anchors = self.tells_line_ends = False

    def translation(self) -> Translation:
        """All of it."""
        while self.at < len(self.source):
            self._term(self.source[self.at])
        if self.open:
            self.refuse("is not a pattern: missing )", self.open[-1])
        any_line_end = self.line_anchors and not self.tells_line_ends
        return Translation("".join(self.written), self.not_a_boundary, any_line_end, self.most_repeats)

    def _term(self, character: str) -> None:
        match character:
            case "^" | "$":
                self._anchor(character)
            case "(" | ")":
                (self._group if character == "(" else self._close)()
            case "|":
                self._zero_width("|", 1)
            case "*" | "+" | "?":
                self._quantifier(character, 0, None, 1)
            case "{":
                self._brace()
            case ".":
                self._dot()
            case "[":
                self._class()
            case "\\":
                self._escape()
            case _:
                if self.unicode and character in "]}":
                    self.refuse(f"is not a pattern: with flag u a lone {character} is written \\{character}")
                self._character(self.read_character())

    # -- what has no width

    def _anchor(self, character: str) -> None:
        if self.multiline:
            self.line_anchors = True
            self._zero_width(f"(?m:{character})", 1)
        else:
            self._zero_width(r"\A" if character == "^" else r"\z", 1)

    def _zero_width(self, written: str, width: int) -> None:
        self.written.append(written)
        self.at += width
        self.last = None

    # -- groups

    def _group(self) -> None:
        self.open.append(self.at)
        if self.source.startswith("(?:", self.at):
            self.at += 3
        elif self.source.startswith("(?", self.at):
            self._named_group()
        else:
            self.at += 1
        self.copies.append(0)
        self.written.append("(?:")
        self.last = None

    def _named_group(self) -> None:
        for opening, why in _OTHER_GROUPS.items():
            if self.source.startswith(opening, self.at):
                self.refuse(why)
        inline = _INLINE_FLAGS.match(self.source, self.at)
        if inline is not None:
            flags = "".join(flag for flag in "imsu" if flag in inline[1])
            give = f"give them as flags={flags!r}" if flags else "leave them out"
            self.refuse(f"uses inline flags; {give}")
        named = _NAME.match(self.source, self.at)
        if named is None or not named[1].replace("$", "_").isidentifier():
            self.refuse("is not a pattern: a group begins with (, (?: or (?<name>")
        if named[1] in self.names:
            self.refuse(f"is not a pattern: two groups are called {shorten(named[1], 50)}")
        self.names.add(named[1])
        self.at = named.end()

    def _close(self) -> None:
        if not self.open:
            self.refuse(r"is not a pattern: nothing to close; the character itself is written \)")
        self.open.pop()
        cost = self.copies.pop()
        self.at += 1
        self._atom(")", cost)

    # -- repeats

    def _brace(self) -> None:
        found = _QUANTIFIER.match(self.source, self.at)
        if found is None:
            if self.unicode:
                self.refuse(r"is not a pattern: with flag u a lone { is written \{")
            self._character(self.read_character())
            return
        low = int(found[1])
        high = int(found[3]) if found[3] else low if found[2] is None else None
        written = f"{{{low}}}" if high == low else f"{{{low},{'' if high is None else high}}}"
        self._quantifier(written, low, high, len(found[0]))

    def _quantifier(self, written: str, low: int, high: int | None, width: int) -> None:
        if self.last is None:
            if written == "+" and self.source[: self.at].endswith(("*", "+", "?", "}")):
                self.refuse("uses a possessive quantifier; RE2 never backtracks, so leave the second one out")
            self.refuse("is not a pattern: nothing to repeat")
        if high is not None and high < low:
            self.refuse("is not a pattern: the numbers of the repeat are the wrong way round")
        most = max(low, high or 0)
        if most > MAX_REPEAT:
            self.refuse(f"repeats {shorten(str(most), 20)} times; RE2 repeats up to {MAX_REPEAT:,} times")
        self.most_repeats = max(self.most_repeats, most)
        self.copies[-1] += self.last * (max(most, 1) - 1)
        if self.copies[-1] > MAX_COPIES:
            self.refuse(
                f"repeats too much: RE2 writes counted repeats out, here over {MAX_COPIES:,} characters; "
                "use * or + or smaller numbers"
            )
        self.at += width
        if self.source.startswith("?", self.at):
            written += "?"
            self.at += 1
        self.written.append(written)
        self.last = None

    # -- characters and sets of them

    def _atom(self, written: str, cost: int) -> None:
        self.written.append(written)
        self.copies[-1] += cost
        self.last = cost

    def _character(self, code: int) -> None:
        """One character, which `self.at` is behind."""
        if code in LINE_ENDS:
            self.tells_line_ends = True
        if self.ignore_case:
            ranges = folded(((code, code),), unicode=self.unicode)
            if len(ranges) > 1:
                self._atom(class_source(ranges), 1)
                return
        character = chr(code)
        if character.isascii() and not character.isalnum():
            character = "\\" + character if character.isprintable() else rf"\x{{{code:x}}}"
        self._atom(character, 1)

    def _dot(self) -> None:
        self.at += 1
        if self.dot_all:
            self._atom("(?s:.)", 1)
        else:
            self._atom(class_source(tuple((code, code) for code in LINE_ENDS), negated=True), 1)

    def _escape(self) -> None:
        begin, letter = self.at, self.source[self.at + 1 : self.at + 2]
        if letter in ("b", "B"):
            self.not_a_boundary |= letter == "B"
            self._zero_width("\\" + letter, 2)
            return
        if letter in _ENDS:
            also = ", without flag m" if self.multiline else ""
            self.refuse(f"uses \\{letter}, which JavaScript does not have; write {_ENDS[letter]}{also}")
        found = self.read_escape(in_class=False)
        if isinstance(found, int):
            self._character(found)
        elif isinstance(found, Property):
            self._set((), [found], False, begin)
        else:
            self._set(found, [], False, begin)

    def _class(self) -> None:
        begin = self.at
        self.at += 1
        negated = self.source.startswith("^", self.at)
        self.at += negated
        plain: list[tuple[int, int]] = []
        sets: list[tuple[int, int]] = []
        properties: list[Property] = []
        while not self.source.startswith("]", self.at):
            low = self._class_atom(begin)
            atoms: tuple[int | Ranges | Property, ...] = (low,)
            if self._is_range():
                dash = self.at
                self.at += 1
                high = self._class_atom(begin)
                if isinstance(low, int) and isinstance(high, int):
                    if high < low:
                        self.refuse("is not a pattern: the range is the wrong way round", dash)
                    plain.append((low, high))
                    continue
                if self.unicode:
                    self.refuse(r"is not a pattern: no range begins or ends with a set; write \-", dash)
                atoms = (low, 0x2D, high)
            for atom in atoms:
                if isinstance(atom, int):
                    plain.append((atom, atom))
                elif isinstance(atom, Property):
                    properties.append(atom)
                else:
                    sets.extend(atom)
        self.at += 1
        ranges = folded(tuple(plain), unicode=self.unicode) if self.ignore_case else tuple(plain)
        self._set((*ranges, *sets), properties, negated, begin)

    def _is_range(self) -> bool:
        return self.source.startswith("-", self.at) and not self.source.startswith("-]", self.at)

    def _class_atom(self, begin: int) -> int | Ranges | Property:
        if self.at >= len(self.source):
            self.refuse("is not a pattern: missing ]", begin)
        return self.read_escape(in_class=True) if self.source[self.at] == "\\" else self.read_character()

    def _set(self, ranges: Ranges, properties: list[Property], negated: bool, begin: int) -> None:
        """A set of characters, which `self.at` is behind."""
        held = sum(hold(ranges, code) for code in LINE_ENDS)
        if held not in (0, len(LINE_ENDS)) or any(each.line_ends is None for each in properties):
            self.tells_line_ends = True
        names: list[str] = []
        for each in properties:
            if each.inverted and self.ignore_case:
                self.refuse(r"uses \P{...} with flag i, which takes in both cases; write [^\p{...}]", begin)
            if each.inverted and len(each.names) > 1:
                if len(properties) > 1 or ranges:
                    self.refuse("has a property in a class that RE2 knows on its own only", begin)
                negated = not negated
            letter = "P" if each.inverted and len(each.names) == 1 else "p"
            names += [rf"\{letter}{{{name}}}" for name in each.names]
        written = class_source(ranges, names, negated=negated)
        if self.ignore_case and names:  # only with flag u, whose rules are those of RE2
            written = f"(?i:{written})"
        self._atom(written, max(1, len(merged(ranges)) // 4) + PROPERTY_COST * len(names))
