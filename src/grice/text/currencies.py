"""Currencies as texts name them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import cache

import msgspec

from grice.text.packs import known_packs, pack_of
from grice.text.packs.tables import listed, named, pairs

__all__ = ["BETWEEN", "CLOSING", "OPENING", "Patterns", "currency_of", "patterns"]

_SYMBOLS = pairs(
    """
    US$: USD; U$S: USD; CA$: CAD; C$: CAD; CAD$: CAD; AU$: AUD; A$: AUD; NZ$: NZD; HK$: HKD; S$: SGD; SG$:
    SGD; R$: BRL; MX$: MXN; NT$: TWD; $: USD; \uff04: USD; \u20ac: EUR; \u00a3: GBP; CN\u00a5: CNY;
    JP\u00a5: JPY; \u00a5: JPY; \uffe5: JPY; \u20b9: INR; \u20bd: RUB; \u20a9: KRW; \u20ba: TRY; \u20ab:
    VND; \u20b4: UAH; \u20aa: ILS; \u20b1: PHP; \u20a6: NGN; \u0e3f: THB; \u20a1: CRC; \u20b5: GHS; \u20b8:
    KZT; \u20be: GEL; \u20b2: PYG; \u20bf: BTC
    """,
    fold=False,
)
_LETTERS = pairs(
    """
    Rs.: INR; Rs: INR; z\u0142: PLN; K\u010d: CZK; Ft: HUF; \u043b\u0432: BGN; \u0440\u0443\u0431: RUB;
    SFr.: CHF; Fr.: CHF; kr: ; kr.: ; \u5143: CNY; \u5186: JPY; \uc6d0: KRW
    """,
    fold=False,
)
_CODES = sorted(
    listed(
        """
        USD EUR GBP JPY CNY INR CHF CAD AUD NZD SEK NOK DKK PLN CZK HUF RON BGN TRY RUB UAH ILS AED SAR QAR
        KWD BHD OMR EGP ZAR NGN KES BRL MXN ARS CLP COP PEN THB IDR MYR SGD HKD TWD KRW VND PHP PKR BDT LKR
        ISK GEL KZT MAD TND JOD RMB
        """
    )
)
_LOWER_CODES = sorted(listed("usd eur gbp jpy cny inr chf cad aud nzd sek nok dkk pln czk brl mxn sgd hkd"))
_WORDS = named(
    """
    USD: dollar dollars buck bucks; EUR: euro euros; GBP: quid pound pounds sterling; INR: rupee rupees;
    JPY: yen; CNY: yuan renminbi; CHF: franc francs franken; SEK: kronor; PLN: zloty zlotys; BRL: reais;
    ZAR: rand; RUB: rubles roubles ruble rouble; AED: dirham dirhams; SAR: riyal riyals; ILS: shekel
    shekels; TRY: lira liras; THB: baht; MYR: ringgit; KRW: won; VND: dong; : kroner pesos peso cents cent
    crowns \u00a2 pence
    """
)
_DOLLARS = pairs(
    """
    us: USD; u.s.: USD; american: USD; canadian: CAD; australian: AUD; new zealand: NZD; singapore: SGD;
    hong kong: HKD
    """
)
_CENTS = frozenset({"cent", "cents", "\u00a2", "pence"})
_PRICE_CUE = re.compile(
    r"\b(?:costs?|prices?|priced|pay|paid|pays|spend|spent|budget|fees?|charged?|charges|worth|refund"
    r"|for only|save|discount)\b"
)
_SCALES = {
    name: Decimal(value)
    for name, value in pairs(
        """
        k: 1000; m: 1000000; mn: 1000000; bn: 1000000000; b: 1000000000; hundred: 100; thousand: 1000;
        million: 1000000; billion: 1000000000; lakh: 100000; lakhs: 100000; crore: 10000000; grand: 1000;
        tausend: 1000; millionen: 1000000
        """
    ).items()
}


class Patterns(msgspec.Struct, frozen=True):
    """Compiled patterns for amounts."""

    before: re.Pattern[str]
    behind: re.Pattern[str]
    words: frozenset[str]
    dash: re.Pattern[str]
    scale: re.Pattern[str]
    scales: dict[str, Decimal]
    period: re.Pattern[str]
    periods: dict[str, str]
    about: re.Pattern[str]

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
        return name.casefold().split(" ")[-1] in _CENTS


@cache
def _by_name() -> dict[str, str]:
    table = {name.casefold(): code for name, code in (_SYMBOLS | _LETTERS).items()}
    table |= {code: code.upper() for code in _CODES}
    table["rmb"] = "CNY"
    return table | {word: code.upper() for word, code in _WORDS.items()}


def currency_of(name: str) -> str:
    """The ISO 4217 code of a symbol, code or word, with the country before it or not ("Canadian dollars");
    "" when not known.
    """
    folded = " ".join(name.casefold().split())
    country, _, unit = folded.rpartition(" ")
    if country in _DOLLARS and unit.startswith("dollar"):
        return _DOLLARS[country]
    known = _by_name().get(unit, _by_name().get(folded))
    if known is None and re.fullmatch("[A-Za-z]{3}", name):
        return name.upper()
    return known or ""


def _either(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


@cache
def patterns() -> Patterns:
    """The patterns, compiled at first use."""
    packs = [pack for pack in map(pack_of, known_packs()) if pack is not None]
    periods = {name: period for pack in packs for name, period in pack.periods.items()}
    about = {phrase for pack in packs for phrase in pack.approximations}
    symbols, letters = _either(_SYMBOLS), _either(_LETTERS)
    codes = "|".join([*map(str.upper, _CODES), *_LOWER_CODES])
    spelled = [word for word in _WORDS if word.isalpha()]
    worded = (
        rf"(?P<kind>(?i:{_either(_DOLLARS)})\s)?(?:{_either([*spelled, *map(str.capitalize, spelled)])})\b"
    )
    scales = _either(name for name in _SCALES if len(name) > 3)
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
        words=frozenset(_WORDS),
        dash=re.compile(r"[.,][-\u2013\u2014]{1,2}(?![\w])"),
        scale=re.compile(
            rf"(?:[ -](?=[^\W\d_]{{4}}))?(k|K|M|m|mn|bn|B|{scales}|{scales.upper()})(?![^\W\d_])"
        ),
        scales=_SCALES,
        period=re.compile(
            rf"\s?(?:/\s?|(?:per|an?|each|every|pro|je|im)\s)(?P<name>{_either(periods)})\b"
            r"|\s(?P<alone>monthly|yearly|annually|daily|weekly|nightly|hourly|apiece|each|monatlich)\b",
            re.IGNORECASE,
        ),
        periods=periods,
        about=re.compile(rf"(?:\b(?:{_either(about)})\.?\s+(?:a |an |the )?|~\s?|\u2248\s?)$", re.IGNORECASE),
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
