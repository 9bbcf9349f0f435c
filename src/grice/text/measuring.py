"""Find the quantities of a text: its numbers, what they measure, and what is said of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from unicodedata import numeric

import msgspec

from grice.text.money import money_in
from grice.text.numerals import DIGITS, Numeral, read_digits, spelled_numbers
from grice.text.packs.pack import LanguagePack
from grice.text.quantities import Comparison, Quantity
from grice.text.times import moments
from grice.text.units import UnitFound, counted_noun, unit_at
from grice.text.words import Word, words

_Span = tuple[int, int]

_ADDRESSES = re.compile(r"(?:https?://|www\.)[^\s<>]+|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{1,64}")
_NAMES = re.compile(
    r"24/7(?:/365)?\b|50/50\b|9/11\b"
    r"|v?\d+(?:\.\d+){2,}[\w.-]*(?<![.-])|v\d+(?:\.\d+)?\b"  # versions
    r"|\+?\(?\d{1,4}\)?(?:-\d{3,4}){1,3}(?<=\d{4})(?<=-\d{4})(?!\w)(?<!\d[02468]00-\d{4})"  # telephones
    r"|(?:#|\u2116)\w*\d\w*"
    r"|(?!\$)[^\W\d_]+[-_]?\d\w*(?:[-_]\w+)*"  # A4, WD-40, HAT001
    r"|\d+[-_]?[A-Z]{1,2}\d\w*"  # 158W2
    r"|0\d+(?![\w.,:/])|\d{9,}(?![.,]?\d)"
)
_CHUNK_WITH_DIGIT = re.compile(r"(?<!\S)[^\s\d]*\d\S*")
_BEFORE_NAME = "([\"'*\u201c\u2018/"
_FRACTION = re.compile(
    r"(?<![\w./])(?:(?P<whole>\d+)[ -])?(?P<over>\d{1,3})/(?P<under>\d{1,3})(?![\w/]|\.\d)"
)
_VULGAR = re.compile("(?:(?<![\\w.,])(?P<whole>\\d+)\\s?)?(?P<part>[\u00bc-\u00be\u2150-\u215e])")
_SCALE = re.compile(r"(?P<short>k|K|M|bn|B)(?![\w])|[ -](?P<long>[^\W\d_]+)")
_SCALES = {
    "k": Decimal(1000),
    "K": Decimal(1000),
    "M": Decimal(10**6),
    "bn": Decimal(10**9),
    "B": Decimal(10**9),
}
_RANGE = re.compile(r"\s{0,2}(?:(?P<dash>[-\u2013\u2014\u2212])|(?P<word>[^\W\d_]+(?: to)?))\s{0,2}")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_OUT_OF = re.compile(r"\s?(?:out of|/|von)\s?(?P<of>5|10|100)\b(?:\s?stars?)?")
_SIGN_BEFORE = re.compile(r"(?:(?P<sign>[<>]=?|[\u2264\u2265])|(?P<about>~|\u2248))\s?$")


class _Part(msgspec.Struct, frozen=True, gc=False):
    """A number with its unit, before ranges and comparisons are looked at."""

    numeral: Numeral
    unit: UnitFound | None
    end: int


@lru_cache(maxsize=16)
def measured(text: str, pack: LanguagePack) -> tuple[Quantity, ...]:
    """Find the quantities of a text, in order."""
    if re.search(r"[\d\u00bc-\u00be\u2150-\u215e]", text) is None and not _has_number_word(text, pack):
        return ()
    found = words(text)
    amounts = money_in(text)
    named = _names(text)
    taken = sorted(
        [(one.start, one.end) for one in amounts]
        + [(one.start, one.end) for one in moments(text, pack)]
        + named
    )
    result = [_with_qualifiers(text, one.quantity, pack) for one in amounts]
    beside_money = _Free(sorted((one.start, one.end) for one in amounts))
    result += [
        Quantity(None, None, "", "name", start, end)
        for start, end in named
        if not beside_money.covers(start, end)
    ]
    free = _Free(taken)
    parts = [_part(text, numeral, pack) for numeral in _numerals(text, found, pack, free)]
    result += _joined(text, [part for part in parts if part is not None], pack)
    return tuple(sorted(result, key=lambda one: (one.start, one.end)))


def _names(text: str) -> list[_Span]:
    """Where names with numbers in them stand: addresses, versions, ids, telephone numbers."""
    found: list[_Span] = []
    if "@" in text or "www." in text or "://" in text:
        found += [one.span() for one in _ADDRESSES.finditer(text)]
    for chunk in _CHUNK_WITH_DIGIT.finditer(text):
        start = chunk.start()
        while start < chunk.end() and text[start] in _BEFORE_NAME:
            start += 1
        one = _NAMES.match(text, start)
        if one is not None:
            found.append(one.span())
    return found


def _has_number_word(text: str, pack: LanguagePack) -> bool:
    known = pack.number_words.keys() | pack.multipliers.keys() | pack.fractions.keys() | pack.unit_articles
    return any(word.text in known for word in words(text))


class _Free:
    """Which places of a text no date, name or amount has taken. They are given in order."""

    def __init__(self, taken: Sequence[_Span]) -> None:
        self._taken = taken
        self._starts = [start for start, _ in taken]
        self._furthest: list[int] = []
        furthest = 0
        for _, end in taken:
            furthest = max(furthest, end)
            self._furthest.append(furthest)

    def has(self, start: int, end: int) -> bool:
        from bisect import bisect_left

        place = bisect_left(self._starts, end)
        return place == 0 or self._furthest[place - 1] <= start

    def covers(self, start: int, end: int) -> bool:
        """Whether one that took its place has all of these."""
        from bisect import bisect_right

        place = bisect_right(self._starts, start)
        return place > 0 and self._furthest[place - 1] >= end


def _numerals(text: str, found: Sequence[Word], pack: LanguagePack, free: _Free) -> Iterator[Numeral]:
    """The numbers that no date, name or amount has, in order of their places."""
    result: list[Numeral] = []
    fractions: list[_Span] = []
    for fraction in _FRACTION.finditer(text) if "/" in text else ():
        numeral = _fraction(fraction)
        if numeral is not None and free.has(*fraction.span()):
            result.append(numeral)
            fractions.append(fraction.span())
    for fraction in () if text.isascii() else _VULGAR.finditer(text):
        value = Decimal(fraction["whole"] or 0) + Decimal(str(round(numeric(fraction["part"]), 6)))
        result.append(Numeral(value, *fraction.span()))
        fractions.append(fraction.span())
    unfractioned = _Free(sorted(fractions))
    for token in re.finditer(DIGITS, text):
        start, end = token.span()
        whole = (
            _digits(text, *span, pack)
            for span in _cut(text, start, end, pack)
            if free.has(*span) and unfractioned.has(*span)
        )
        result += [one for one in whole if one is not None]
    ends = {one.end for one in result}  # "3 hundred" is read from its digits
    result += [
        one
        for one in spelled_numbers(text, found, pack)
        if one.end not in ends and free.has(one.start, one.end)
    ]
    yield from sorted(result, key=lambda one: one.start)


def _cut(text: str, start: int, end: int, pack: LanguagePack) -> list[_Span]:
    """Digits with plain spaces are one number only before a unit: 10 000 km."""
    if " " not in text[start:end] or unit_at(text, end, pack) is not None:
        return [(start, end)]
    return [
        (start + part.start(), start + part.end())
        for part in re.finditer(r"\d+(?:[.,]\d+)*", text[start:end])
    ]


def _fraction(found: re.Match[str]) -> Numeral | None:
    over, under = int(found["over"]), int(found["under"])
    if under not in (2, 3, 4, 8, 16) or over >= under * 4:
        return None
    whole = Decimal(found["whole"] or 0)
    return Numeral(whole + Decimal(over) / Decimal(under), found.start(), found.end())


def _digits(text: str, start: int, end: int, pack: LanguagePack) -> Numeral | None:
    before = text[start - 1 : start]
    if before.isalpha() or before == "_":
        return None
    value = read_digits(text[start:end], dot_groups=pack.decimal_comma, comma_groups=not pack.decimal_comma)
    if value is None:
        return None
    scale = _SCALE.match(text, end)
    if scale is not None:
        factor = (
            _SCALES.get(scale["short"]) if scale["short"] else pack.multipliers.get(scale["long"].casefold())
        )
        if factor is not None and not (text[end] == "K" and value < 10):  # 4K is a picture
            value, end = value * factor, scale.end()
    if before in ("-", "\u2212") and (start < 2 or text[start - 2] in " \t\n(:"):
        value, start = -value, start - 1
    return Numeral(value, start, end)


def _part(text: str, numeral: Numeral, pack: LanguagePack) -> _Part | None:
    unit = unit_at(text, numeral.end, pack)
    more = _AND_A_HALF.match(text, unit.end) if unit is not None and numeral.value == 1 else None
    if unit is not None and more is not None:
        half = msgspec.structs.replace(numeral, value=Decimal("1.5"), only_before_unit=False)
        return _Part(half, unit, more.end())
    if numeral.only_before_unit and (unit is None or not _unit_article(text, numeral, unit)):
        return None
    rated = _OUT_OF.match(text, numeral.end)
    if rated is not None:
        return _Part(numeral, UnitFound(f"/{rated['of']}", "rating", Decimal(1), rated.end()), rated.end())
    return _Part(numeral, unit, numeral.end if unit is None or unit.shared else unit.end)


_AND_A_HALF = re.compile(r"\s+and\s+a\s+half\b")

_DURING = frozenset(
    [
        "within",
        "in",
        "for",
        "after",
        "than",
        "about",
        "under",
        "over",
        "takes",
        "take",
        "lasts",
        "last",
        "around",
        "nearly",
        "almost",
        "least",
        "most",
        "every",
        "once",
        "innerhalb",
        "nach",
    ]
)


_MEASURED = re.compile(r"\s+(?:long|away|ago|later|earlier)\b")


def _unit_article(text: str, numeral: Numeral, unit: UnitFound) -> bool:
    """Whether "a week" is a length of time and no manner of speaking: it is behind within, in, for, takes, or
    before long, away."""
    if text[numeral.start : numeral.end].casefold() == "one":
        return True
    before = re.search(r"(\w+)\s+$", text[max(0, numeral.start - 20) : numeral.start])
    during = before is not None and before[1].casefold() in _DURING
    return unit.dimension == "time" and (during or _MEASURED.match(text, unit.end) is not None)


def _joined(text: str, parts: list[_Part], pack: LanguagePack) -> Iterator[Quantity]:
    """The quantities of the numbers, two joined where they are the ends of a range."""
    place, end = 0, 0
    while place < len(parts):
        one = parts[place]
        if one.numeral.start < end:  # the 5 of "4.5 out of 5"
            place += 1
            continue
        other = parts[place + 1] if place + 1 < len(parts) else None
        if other is not None and _is_range(text, one, other, pack):
            yield _quantity(text, one, other, pack)
            place, end = place + 2, other.end
        else:
            yield _quantity(text, one, one, pack)
            place, end = place + 1, one.end


def _is_range(text: str, one: _Part, other: _Part, pack: LanguagePack) -> bool:
    if other.numeral.start - one.end > 12 or other.numeral.start < one.end:
        return False
    between = _RANGE.fullmatch(text, one.end, other.numeral.start)
    if between is None:
        return (
            text[one.end : other.numeral.start] == ""
            and other.numeral.value < 0
            and -other.numeral.value > one.numeral.value
        )
    if one.unit is not None and other.unit is not None and one.unit.dimension != other.unit.dimension:
        return False
    first, second = one.numeral.value, abs(other.numeral.value)
    if one.unit is not None and other.unit is not None:
        first, second = one.unit.base(first), other.unit.base(second)
    elif one.unit is not None:
        return False  # "5 kg to 10" says nothing about the 10
    if between["dash"]:
        return first < second
    word = between["word"].casefold()
    if word == "and" or word == "und":
        before = text[max(0, one.numeral.start - 12) : one.numeral.start].casefold().rstrip()
        return first < second and before.endswith(("between", "zwischen"))
    if word in ("or", "oder"):
        return second == first + 1 or (one.unit is not None and first < second)
    return word in pack.range_words and first < second


def _quantity(text: str, one: _Part, other: _Part, pack: LanguagePack) -> Quantity:
    unit = other.unit or one.unit
    start, end = one.numeral.start, other.end
    low, high = one.numeral.value, abs(other.numeral.value) if other is not one else other.numeral.value
    if unit is not None:
        first = one.unit or unit
        low, high = first.base(low), unit.base(high)
        name, dimension = unit.unit, unit.dimension
        return _with_qualifiers(text, Quantity(low, high, name, dimension, start, end), pack)
    ordinal = _ORDINAL.match(text, end)
    if ordinal is not None:
        return Quantity(low, high, "", "", start, ordinal.end(), ordinal=True)
    dimension, end = counted_noun(text, start, end, high, pack)
    if dimension == "name":
        return Quantity(None, None, "", "name", start, end)
    return _with_qualifiers(text, Quantity(low, high, "", dimension, start, end), pack)


@lru_cache(maxsize=8)
def _saying(pack: LanguagePack) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    def either(phrases: Sequence[str]) -> str:
        return "|".join(map(re.escape, sorted(phrases, key=len, reverse=True))) or "(?!)"

    about = rf"\b(?:{either(pack.approximations)})\.?(?:\s+(?:a|an|the|just|only))?\s+$"
    filling = rf"(?:(?:about|around|just|only|the|a|an|exactly|{either(pack.approximations)})\s+)*"
    before = rf"\b(?P<phrase>{either(tuple(pack.comparisons))})(?:\s+of)?\s+{filling}$"
    after = rf"\s?\(?(?P<plus>\+)(?!\w)|[\s-](?P<phrase>{either(tuple(pack.comparisons_after))})\b"
    period = (
        rf"\s?(?:/\s?|(?:{either(tuple(pack.period_words))})\s)(?P<name>{either(tuple(pack.periods))})\b"
        r"|\s(?P<alone>monthly|yearly|annually|daily|weekly|nightly|hourly|each)\b"
    )
    flags = re.IGNORECASE
    return (
        re.compile(before, flags),
        re.compile(about, flags),
        re.compile(after, flags),
        re.compile(period, flags),
    )


_SIGNS = {
    "<": "<",
    ">": ">",
    "<=": "<=",
    ">=": ">=",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2264=": "<=",
    "\u2265=": ">=",
}


def _compared(table: Mapping[str, str], phrase: str) -> Comparison:
    """What a phrase of comparison says."""
    said = table[phrase.casefold()]
    return ("<=" if said[1:] else "<") if said[0] == "<" else (">=" if said[1:] else ">")


def _with_qualifiers(text: str, bare: Quantity, pack: LanguagePack) -> Quantity:
    """The quantity with what the words around it say: under, at least, about, per month."""
    before, about, after, period = _saying(pack)
    low, high, start, end, comparison = bare.low, bare.high, bare.start, bare.end, bare.comparison
    rate, approximate = bare.period, bare.approximate
    offset = max(0, start - 40)
    ahead = text[offset:start]
    if not rate:
        timed = period.match(text, end)
        if timed is not None:
            rate, end = pack.periods.get((timed["name"] or timed["alone"]).casefold(), "unit"), timed.end()
    sign = _SIGN_BEFORE.search(ahead)
    if about.search(ahead) or (sign and sign["about"]) or re.match(r"-?ish\b|\sor so\b", text[end : end + 7]):
        approximate = True
    compared = before.search(ahead)
    behind = after.match(text, end) or after.match(text, bare.end)
    if sign and sign["sign"]:
        comparison = _compared(_SIGNS, sign["sign"])
        start = offset + sign.start("sign")
    elif compared and low == high:
        comparison = _compared(pack.comparisons, compared["phrase"])
        start = offset + compared.start()
    elif behind and (low == high or comparison):
        comparison = ">=" if behind["plus"] else _compared(pack.comparisons_after, behind["phrase"])
        end = max(end, behind.end())
    elif low == high and re.search(r"\d\+[ -]?[^\W\d_]*$", text[start:end]):
        comparison = ">="
    if comparison and low is not None and high is not None:
        low, high = (low, None) if comparison[0] == ">" else (None, high)
    return Quantity(low, high, bare.unit, bare.dimension, start, end, comparison, approximate, rate)
