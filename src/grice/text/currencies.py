"""Currencies as texts name them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache, cached_property

import msgspec

from grice.text.packs import known_packs, pack_of, remembered, shared

_PRICE_CUE = re.compile(
    r"\b(?:costs?|prices?|priced|pay|paid|pays|spend|spent|budget|fees?|charged?|charges|worth|refund"
    r"|for only|save|discount)\b"
)


class Currencies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Currencies by symbol, code and word; `dollars` are the countries that stand before one.

    `letters` are symbols that are letters, `lower_codes` codes that people write small, `scales` what
    multiplies an amount.
    """

    symbols: Mapping[str, str]
    letters: Mapping[str, str]
    codes: tuple[str, ...]
    lower_codes: tuple[str, ...]
    words: Mapping[str, str]
    dollars: Mapping[str, str]
    cents: frozenset[str]
    scales: Mapping[str, Decimal]


@cache
def _currencies() -> Currencies:
    return shared("currencies", Currencies)


class Patterns(msgspec.Struct, frozen=True, dict=True):
    """Patterns for amounts; those of what stands around one are compiled when the first is found."""

    before: re.Pattern[str]
    behind: re.Pattern[str]
    words: frozenset[str]
    dash: re.Pattern[str]
    scale: re.Pattern[str]
    scales: Mapping[str, Decimal]
    periods: dict[str, str]
    approximations: frozenset[str]

    @cached_property
    def period(self) -> re.Pattern[str]:
        """What says by which time or unit an amount counts."""
        return re.compile(
            rf"\s?(?:/\s?|(?:per|an?|each|every|pro|je|im)\s)(?P<name>{_either(self.periods)})\b"
            r"|\s(?P<alone>monthly|yearly|annually|daily|weekly|nightly|hourly|apiece|each|monatlich)\b",
            re.IGNORECASE,
        )

    @cached_property
    def about(self) -> re.Pattern[str]:
        """What says before an amount that it is about that."""
        said = _either(self.approximations)
        return re.compile(rf"(?:\b(?:{said})\.?\s+(?:a |an |the )?|~\s?|\u2248\s?)$", re.IGNORECASE)

    def period_at(self, text: str, place: int) -> tuple[str, int]:
        """The period a rate has at a place, and where it ends; "" and the place without one."""
        found = self.period.match(text, place)
        if found is None:
            return "", place
        name = (found["name"] or found["alone"]).casefold()
        return self.periods.get(name, "unit"), found.end()

    def approximate(self, text: str, start: int, end: int) -> bool:
        """Whether a word before or after an amount says about."""
        if self.about.search(text[max(0, start - 30) : start]):
            return True
        return re.match(r"\s?(?:ish\b|or so\b|-ish\b)", text[end : end + 8]) is not None

    def is_money(self, text: str, behind: re.Match[str], start: int, written: str) -> bool:
        """Whether a word behind a number that has other meanings too is money here: pounds, won."""
        name = behind["currency"].casefold()
        if name in ("pound", "pounds") and not behind["kind"]:
            if text[behind.end() : behind.end() + 9].casefold() == " sterling":
                return True
            return _PRICE_CUE.search(text[max(0, start - 40) : start].casefold()) is not None
        if name == "won":
            return sum(one.isdigit() for one in written) > 3
        return True

    def is_cent(self, name: str) -> bool:
        """Whether an amount is in hundredths."""
        return name.casefold().split(" ")[-1] in _currencies().cents


@cache
def _by_name() -> dict[str, str]:
    known = _currencies()
    table = {name.casefold(): code for name, code in {**known.symbols, **known.letters}.items()}
    table |= {code: code.upper() for code in known.codes}
    table["rmb"] = "CNY"
    return table | {word: code.upper() for word, code in known.words.items()}


def currency_of(name: str) -> str:
    """The ISO 4217 code of a symbol, code or word, with the country before it or not ("Canadian dollars");
    "" when not known.
    """
    folded = " ".join(name.casefold().split())
    country, _, unit = folded.rpartition(" ")
    dollars = _currencies().dollars
    if country in dollars and unit.startswith("dollar"):
        return dollars[country]
    known = _by_name().get(unit, _by_name().get(folded))
    if known is None and re.fullmatch("[A-Za-z]{3}", name):
        return name.upper()
    return known or ""


def _either(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


@remembered
def patterns() -> Patterns:
    """The patterns, compiled at first use."""
    known = _currencies()
    packs = [pack for pack in map(pack_of, known_packs()) if pack is not None]
    periods = {name: period for pack in packs for name, period in pack.periods.items()}
    about = {phrase for pack in packs for phrase in pack.approximations}
    symbols, letters = _either(known.symbols), _either(known.letters)
    codes = "|".join([*map(str.upper, known.codes), *known.lower_codes])
    spelled = [word for word in known.words if word.isalpha()]
    names = _either([*spelled, *map(str.capitalize, spelled)])
    worded = rf"(?P<kind>(?i:{_either(known.dollars)})\s)?(?:{names})\b"
    scales = _either(name for name in known.scales if len(name) > 3)
    return Patterns(
        before=re.compile(
            rf"(?P<currency>{symbols}|(?<![^\W\d_])(?:{letters})|(?<![^\W\d_])(?:{codes})\$?)"
            r"[ \u00a0\u202f]{0,2}(?P<sign>[-\u2212])?$"
        ),
        behind=re.compile(
            rf"(?:[ \u00a0\u202f]|-(?=[a-z]))?(?P<currency>(?:{symbols}|\u00a2)(?!\s?\d)"
            rf"|(?:{letters})(?![^\W\d_])"
            rf"|(?:{codes})(?![A-Za-z0-9])|{worded})"
        ),
        words=frozenset(known.words),
        dash=re.compile(r"[.,][-\u2013\u2014]{1,2}(?![\w])"),
        scale=re.compile(
            rf"(?:[ -](?=[^\W\d_]{{4}}))?(k|K|M|m|mn|bn|B|{scales}|{scales.upper()})(?![^\W\d_])"
        ),
        scales=known.scales,
        periods=periods,
        approximations=frozenset(about),
    )


BETWEEN = re.compile(
    r"\s{0,2}(?:(?P<dash>[-\u2013\u2014\u2212])|(?P<word>to|up to|through|bis)|(?P<and>and|und|&))\s{0,2}",
    re.IGNORECASE,
)
"""What stands between the ends of a range."""

OPENING = re.compile(
    r"(?:\b(?P<from>from|starting at|starting from|starts at|start at|starts from|as low as|as little as|ab)"
    r"|\b(?P<to>up to|as much as|bis zu|bis)|\b(?P<between>between|zwischen))\s+"
    r"(?:just |only |about |around |a )?$",
    re.IGNORECASE,
)
"""What stands before an amount that is open at a side, or before a range."""

CLOSING = re.compile(
    r"(?P<up>\+(?!\w)|\s(?:and up|or more|and above|and over|or above|upwards|and more|or higher)\b)"
    r"|(?P<down>\s(?:or less|or under|or below|and under|or lower)\b)"
)
"""What stands behind an amount that is open at a side."""
