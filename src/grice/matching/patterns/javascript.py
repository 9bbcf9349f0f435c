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
from typing import NamedTuple

from grice.matching.patterns.classes import (
    LINE_ENDS,
    Property,
    Ranges,
    class_source,
    folded,
    hold,
    merged,
)
from grice.matching.patterns.escapes import BACK_REFERENCE, EscapeReader, PatternError
from grice.text import shorten

__all__ = ["PatternError", "Translation", "translate"]

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
