r"""The character sets of JavaScript's patterns, written for RE2: ranges, \s \w \d, \p{...}, case."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

_Range = tuple[int, int]
Ranges = tuple[_Range, ...]
"""Characters as pairs of their first and last code, in any order."""

LAST = 0x10FFFF
LINE_ENDS = (0x0A, 0x0D, 0x2028, 0x2029)
DIGITS: Ranges = ((0x30, 0x39),)
SPACES: Ranges = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
_WORDS: Ranges = (*DIGITS, (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_LONG_S, _KELVIN = 0x17F, 0x212A  # the only characters beyond ASCII that fold to ASCII letters

_CATEGORIES: dict[str, str] = dict(
    re.findall(
        r"(\w+):(\w+)",
        "C:Other Cc:Control Cf:Format Cn:Unassigned Co:Private_Use Cs:Surrogate L:Letter "
        "LC:Cased_Letter Ll:Lowercase_Letter Lm:Modifier_Letter Lo:Other_Letter Lt:Titlecase_Letter "
        "Lu:Uppercase_Letter M:Mark Mc:Spacing_Mark Me:Enclosing_Mark Mn:Nonspacing_Mark N:Number "
        "Nd:Decimal_Number Nl:Letter_Number No:Other_Number P:Punctuation Pc:Connector_Punctuation "
        "Pd:Dash_Punctuation Pe:Close_Punctuation Pf:Final_Punctuation Pi:Initial_Punctuation "
        "Po:Other_Punctuation Ps:Open_Punctuation S:Symbol Sc:Currency_Symbol Sk:Modifier_Symbol "
        "Sm:Math_Symbol So:Other_Symbol Z:Separator Zl:Line_Separator Zp:Paragraph_Separator "
        "Zs:Space_Separator",
    )
)
_ALIASES = {"Combining_Mark": "M", "cntrl": "Cc", "digit": "Nd", "punct": "P"}
_CATEGORY = {**{name: name for name in _CATEGORIES}, **{long: name for name, long in _CATEGORIES.items()}}
_CATEGORY.update(_ALIASES)
# RE2 has no unassigned characters and leaves them out of C, so these are what the other categories are not.
_ASSIGNED = ("L", "M", "N", "P", "S", "Z")
_COMPLEMENTS = {"C": _ASSIGNED, "Cn": (*_ASSIGNED, "Cc", "Cf", "Co", "Cs")}
_WITH_SOME_LINE_ENDS = {"C", "Cc", "Z", "Zl", "Zp"}


class Property(NamedTuple):
    r"""What \p{...} stands for: the characters that are in a set RE2 knows by one of the names, or in none.

    `line_ends` says whether it holds all four line ends (True), none (False), or some (None).
    """

    names: tuple[str, ...]
    inverted: bool = False
    line_ends: bool | None = False

    def negated(self) -> Property:
        r"""The same for \P{...}."""
        return Property(self.names, not self.inverted, None if self.line_ends is None else not self.line_ends)


def property_named(text: str) -> Property | None:
    r"""The property that \p{...} names; None when it is neither a general category nor a script."""
    kind, equals, name = text.rpartition("=")
    if not equals and name == "Any":
        return Property((name,), line_ends=True)
    if kind in ("Script", "sc"):
        return Property((name,), line_ends=name == "Common") if _is_script(name) else None
    category = _CATEGORY.get(name) if kind in ("", "General_Category", "gc") else None
    if category is None or (equals and not kind):
        return None
    line_ends = None if category in _WITH_SOME_LINE_ENDS else False
    if category in _COMPLEMENTS:
        return Property(_COMPLEMENTS[category], inverted=True, line_ends=line_ends)
    return Property(("Lu", "Ll", "Lt") if category == "LC" else (category,), line_ends=line_ends)


@lru_cache(maxsize=256)
def _is_script(name: str) -> bool:
    if re.fullmatch("[A-Z][A-Za-z]+(?:_[A-Za-z]+)*", name) is None or len(name) < 3 or name == "Any":
        return False
    import re2

    options: Any = re2.Options()
    options.log_errors = False
    try:
        re2.compile(rf"\p{{{name}}}", options)
    except re2.error:
        return False
    return True


def words(*, folds_like_unicode: bool) -> Ranges:
    r"""The characters of \w; with the flags i and u also the two that fold to ASCII letters."""
    return (*_WORDS, (_LONG_S, _LONG_S), (_KELVIN, _KELVIN)) if folds_like_unicode else _WORDS


def complement(ranges: Ranges) -> Ranges:
    """All the other characters."""
    others: list[_Range] = []
    begin = 0
    for low, high in merged(ranges):
        if low > begin:
            others.append((begin, low - 1))
        begin = high + 1
    return (*others, (begin, LAST)) if begin <= LAST else tuple(others)


def hold(ranges: Ranges, code: int) -> bool:
    """Whether the character is among them."""
    return any(low <= code <= high for low, high in ranges)


def folded(ranges: Ranges, *, unicode: bool) -> Ranges:
    """The characters and all that JavaScript takes for the same with the flag i.

    Without the flag u it compares upper case, never across the border of ASCII; with it, the simple case
    folding of Unicode. (RE2 always does the latter, so its own flag is not used.)
    """
    swapped: list[_Range] = []
    for low, high in ranges:
        for first, last, other in ((0x41, 0x5A, 32), (0x61, 0x7A, -32)):
            if low <= last and high >= first:
                swapped.append((max(low, first) + other, min(high, last) + other))
    more = [(code, code) for group in _alike(ranges, unicode=unicode) for code in group]
    return (*ranges, *swapped, *more)


def _alike(ranges: Ranges, *, unicode: bool) -> Iterable[tuple[int, ...]]:
    """The groups of characters, not all of them ASCII, of which one is among the ranges."""
    if all(high < 0x80 for _, high in ranges):  # most patterns; spares the table
        small = ((0x4B, 0x6B, _KELVIN), (0x53, 0x73, _LONG_S)) if unicode else ()
        return [group for group in small if any(hold(ranges, code) for code in group)]
    return [group for group in _groups(unicode=unicode) if any(hold(ranges, code) for code in group)]


@lru_cache(maxsize=2)
def _groups(*, unicode: bool) -> tuple[tuple[int, ...], ...]:
    """All groups of characters beyond ASCII that differ in nothing but case."""
    canonical = _simple_fold if unicode else _simple_upper
    groups: dict[str, list[int]] = {}
    for code in range(0x1F000):  # no letters with case above
        character = chr(code)
        if character.lower() != character or character.upper() != character:
            groups.setdefault(canonical(character), []).append(code)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1 and group[-1] > 0x7F)


def _simple_upper(character: str) -> str:
    upper = character.upper()
    same = len(upper) > 1 or (character > "\x7f" >= upper)
    return character if same else upper


_FOLDS_SINCE_UNICODE_15_1 = {"\u1fd3": "\u0390", "\u1fe3": "\u03b0", "\ufb05": "\ufb06"}


def _simple_fold(character: str) -> str:
    if character in _FOLDS_SINCE_UNICODE_15_1:
        return _FOLDS_SINCE_UNICODE_15_1[character]
    for fold in (character.casefold(), character.lower()):
        if len(fold) == 1:
            return fold
    return character


def class_source(ranges: Ranges, properties: Iterable[str] = (), *, negated: bool = False) -> str:
    """The characters as a class of RE2; `properties` are written as they are."""
    inside = "".join(_written(low, high) for low, high in merged(ranges)) + "".join(properties)
    if inside:
        return f"[{'^' if negated else ''}{inside}]"
    return rf"[\x{{0}}-\x{{{LAST:x}}}]" if negated else rf"[^\x{{0}}-\x{{{LAST:x}}}]"


def merged(ranges: Ranges) -> Ranges:
    """The same characters in as few pairs as possible, in order."""
    few: list[_Range] = []
    for low, high in sorted(ranges):
        if few and low <= few[-1][1] + 1:
            few[-1] = (few[-1][0], max(few[-1][1], high))
        else:
            few.append((low, high))
    return tuple(few)


def _written(low: int, high: int) -> str:
    first = rf"\x{{{low:x}}}"
    return first if low == high else rf"{first}-\x{{{high:x}}}"
