"""Amounts of money, in texts and in fields of records."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache

import msgspec

from grice.text.currencies import BETWEEN, CLOSING, OPENING, currency_of, patterns
from grice.text.numerals import DIGITS, read_digits
from grice.text.quantities import Comparison, Quantity


class Money(msgspec.Struct, frozen=True, gc=False):
    """An amount of money, or a range of it.

    `low` and `high` are equal for one amount; None for a side that is open ("from $50", "up to 80 EUR").
    `currency` is an ISO 4217 code, "" where nobody says; a bare `$` is "USD" and `symbol` keeps "$", since
    it may be another dollar. `period` is "month", "year", "day", "week", "hour", "night", "unit" for a
    rate, "" for none. `start`, `end` are its place in the text (0, 0 for a value).
    """

    low: Decimal | None
    high: Decimal | None
    currency: str = ""
    symbol: str = ""
    period: str = ""
    approximate: bool = False
    start: int = 0
    end: int = 0

    @property
    def most(self) -> Decimal:
        """The highest amount; of a range that is open above, the amount where it begins."""
        return next(side for side in (self.high, self.low, Decimal(0)) if side is not None)

    @property
    def quantity(self) -> Quantity:
        """The same as a quantity, an open side as a bound."""
        comparison: Comparison = ">=" if self.high is None else "<=" if self.low is None else ""
        return Quantity(
            self.low,
            self.high,
            self.currency,
            "money",
            self.start,
            self.end,
            comparison,
            self.approximate,
            self.period,
        )


class _Amount(msgspec.Struct, frozen=True, gc=False):
    """One number that may be money: `currency` is None where none stands beside it; `behind` says it stands
    after the number.
    """

    value: Decimal
    currency: str | None
    symbol: str
    start: int
    end: int
    behind: bool = False


def money_in(text: str) -> list[Money]:
    """The amounts of money in a text: symbols, ISO codes and words before or after, separators of any
    country, ranges.

    Only what names a currency is money. A price "under $300" is 300; what a word compares with is said by
    `grice.text.quantities`. "free" is no amount.
    """
    return list(_money_in(text))


@lru_cache(maxsize=16)
def _money_in(text: str) -> tuple[Money, ...]:
    amounts = list(_in_digits(text))
    taken = {one.end for one in amounts}  # "20 thousand dollars" is read from its digits
    amounts += [one for one in _in_words(text) if one.end not in taken]
    amounts.sort(key=lambda one: one.start)
    found: list[Money] = []
    place = 0
    while place < len(amounts):
        one = amounts[place]
        both = _range(text, one, amounts[place + 1]) if place + 1 < len(amounts) else None
        if both is not None:
            found.append(both)
            place += 2
            continue
        if one.currency is not None:
            found.append(_single(text, one))
        place += 1
    return tuple(found)


def _in_digits(text: str) -> Iterator[_Amount]:
    """Every number in digits, with the currency beside it."""
    if re.search(r"\d", text) is None:
        return
    for token in re.finditer(DIGITS, text):
        written = token[0]
        if " " in written and not _one_number(text, token):
            for part in re.finditer(r"\d+(?:[.,]\d+)*", written):
                yield from _beside(text, token.start() + part.start(), token.start() + part.end())
        else:
            yield from _beside(text, token.start(), token.end())


def _one_number(text: str, token: re.Match[str]) -> bool:
    """Whether digits with spaces are one number: 1 299,00 kr is; $50 300 people is not."""
    if patterns().behind.match(text, token.end()):
        return True
    before = patterns().before.search(text[max(0, token.start() - 16) : token.start()])
    return before is not None and before["currency"][-1] not in "$\u00a3"


def _beside(text: str, start: int, end: int) -> Iterator[_Amount]:
    """The number at a place with its currency, sign and scale, unless it is part of a word."""
    known = patterns()
    written = text[start:end]
    offset = max(0, start - 16)
    before = known.before.search(text[offset:start])
    first = offset + before.start("currency") if before else start
    last = end
    dash = known.dash.match(text, last)
    if dash:
        last = dash.end()
    scale = known.scale.match(text, last)
    factor = Decimal(1)
    if scale:
        factor, last = known.scales[scale[1].casefold()], scale.end()
    behind = known.behind.match(text, last)
    if before is None and behind is None and not _stands_alone(text, start, last):
        return
    if behind is not None and not known.is_money(text, behind, start, written):
        behind = None
    value = read_digits(written, dot_groups=True)
    if value is None:
        return
    value *= factor
    currency, symbol = _currency_beside(before, behind)
    if behind is not None:
        last = behind.end()
        value /= 100 if known.is_cent(behind["currency"]) else 1
    negative = bool(before and before["sign"]) or (first > 0 and _signed(text, first))
    if negative:
        first -= 0 if before and before["sign"] and not _signed(text, first) else 1
    yield _Amount(-value if negative else value, currency, symbol, first, last, before is None)


def _currency_beside(before: re.Match[str] | None, behind: re.Match[str] | None) -> tuple[str | None, str]:
    """The currency beside a number, None without one, and how it is written; in "$20 CAD" the code counts."""
    if before is None:
        return (None, "") if behind is None else (currency_of(behind["currency"]), behind["currency"])
    symbol = before["currency"]
    if behind is not None and symbol[-1] == "$":
        return currency_of(behind["currency"]), symbol
    return currency_of(symbol), symbol


def _signed(text: str, start: int) -> bool:
    """Whether a minus stands right before a place, and is no hyphen or dash of a range."""
    if start < 1 or text[start - 1] not in "-\u2212":
        return False
    return start < 2 or text[start - 2] in " \t\n(:\u00a0"


def _stands_alone(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() or before in ("_", ".") or after.isalnum() or after == "_")


def _in_words(text: str) -> Iterator[_Amount]:
    """Amounts whose number is in words: four hundred dollars."""
    from grice.text.currencies import currency_of, patterns
    from grice.text.languages import pack_for
    from grice.text.numerals import spelled_numbers
    from grice.text.words import words

    known = patterns()
    found = words(text)
    if not any(word.text in known.words for word in found):
        return
    pack = pack_for(text)
    if isinstance(pack, str):
        return
    for numeral in spelled_numbers(text, found, pack):
        behind = known.behind.match(text, numeral.end)
        if (
            behind is not None
            and text[numeral.end : numeral.end + 1].isspace()
            and known.is_money(text, behind, numeral.start, "")
        ):
            value = numeral.value / 100 if known.is_cent(behind["currency"]) else numeral.value
            symbol = behind["currency"]
            yield _Amount(value, currency_of(symbol), symbol, numeral.start, behind.end(), True)


def _range(text: str, one: _Amount, other: _Amount) -> Money | None:
    """The two amounts as a range, if they are one."""
    known = patterns()
    if other.start - one.end > 12 or (one.currency is None and other.currency is None):
        return None
    between = BETWEEN.fullmatch(text, one.end, other.start)
    if between is None or one.value > abs(other.value) or one.value < 0:
        return None
    opened = OPENING.search(text[max(0, one.start - 12) : one.start])
    if between["and"] and not (opened and opened["between"]):
        return None
    if other.currency is None:
        word = re.match(r"\s?([^\W\d_]+)", text[other.end : other.end + 30])
        if between["word"] and word and word[1].endswith("s") and word[1] not in ("as", "is", "plus"):
            return None
    elif (
        one.currency is None and (not other.behind or (between["dash"] and between[0] != between[0].strip()))
    ) or (one.currency and other.currency and one.currency != other.currency):
        return None
    named = one if one.currency is not None else other
    period, end = known.period_at(text, other.end)
    return Money(
        min(one.value, abs(other.value)),
        abs(other.value),
        (one.currency or other.currency or ""),
        named.symbol,
        period,
        known.approximate(text, one.start, end),
        one.start,
        end,
    )


def _single(text: str, one: _Amount) -> Money:
    """One amount, open at a side where a word or a plus says so."""
    known = patterns()
    low: Decimal | None = one.value
    high: Decimal | None = one.value
    opened = OPENING.search(text[max(0, one.start - 20) : one.start])
    after = CLOSING.match(text, one.end)
    period, end = known.period_at(text, one.end)
    if after is None:
        after = CLOSING.match(text, end)
    changes = re.match(r"\s(?:down |up )?to\s", text[one.end : one.end + 10])  # from $500 to $400
    if (opened and opened["from"] and not changes) or (after and after["up"]):
        high = None
    elif (opened and opened["to"]) or (after and after["down"]):
        low = None
    if after and after.end() > end:
        end = after.end()
    return Money(
        low,
        high,
        one.currency or "",
        one.symbol,
        period,
        known.approximate(text, one.start, end),
        one.start,
        end,
    )


_AMOUNT_FIELDS = ("amount", "value", "price")
_CURRENCY_FIELDS = ("currency", "currencyCode", "currency_code")


def read_money(value: object, currency: str = "") -> Money | None:
    """The amount in a field of a record: a number, a text ("350", "$1,299.00", "1.299,00 EUR"), or an
    object.

    Objects are read as {amount|value|price, currency|currencyCode|currency_code}. `currency` is that of the
    record, where the field has none. None for what is no amount: null, true, NaN, text without one number,
    a list.
    """
    if isinstance(value, Mapping):
        named = next((value[name] for name in _CURRENCY_FIELDS if isinstance(value.get(name), str)), currency)
        inner = next((value[name] for name in _AMOUNT_FIELDS if value.get(name) is not None), None)
        if isinstance(inner, Mapping) and any(
            isinstance(inner.get(name), Mapping) for name in _AMOUNT_FIELDS
        ):
            return None  # no amount nests deeper
        return read_money(inner, named)
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float | Decimal):
        return _of_number(value, currency)
    if isinstance(value, str) and len(value) <= 200:
        return _of_text(value, currency)
    return None


def _of_number(value: float | Decimal, currency: str) -> Money | None:
    if (isinstance(value, float) and not math.isfinite(value)) or (
        isinstance(value, Decimal) and not value.is_finite()
    ):
        return None
    amount = Decimal(str(value)) if isinstance(value, float) else Decimal(value)
    return Money(amount, amount, _code(currency), "")


def _of_text(text: str, currency: str) -> Money | None:
    found = money_in(text)
    if len(found) == 1:
        only = msgspec.structs.replace(found[0], start=0, end=0)
        if currency and only.symbol == "$":
            return msgspec.structs.replace(only, currency=_code(currency))
        return only if only.currency else msgspec.structs.replace(only, currency=_code(currency))
    bare = re.fullmatch(rf"\s*([-\u2212]?)({DIGITS})(?:[.,][-\u2013]{{1,2}})?\s*", text)
    if found or bare is None:
        return None
    amount = read_digits(bare[2], dot_groups=True)
    if amount is None:
        return None
    amount = -amount if bare[1] else amount
    return Money(amount, amount, _code(currency), "")


def _code(currency: str) -> str:
    """The ISO code for what a record calls its currency: "usd", "$", "euro"."""
    return currency_of(currency.strip()) if currency.strip() else ""
