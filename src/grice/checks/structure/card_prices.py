"""What the products of a reply cost: on their cards, in their records, and in the prose around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from typing import Any

import msgspec

from grice.checks.structure.price_limit import PriceBudget
from grice.checks.structure.reading import EnvelopeShape, Product
from grice.matching.json_text import json_text
from grice.records import Evidence
from grice.text import fold, value_text
from grice.text.money import Money, money_in, read_money
from grice.text.normalised import normalise

__all__ = ["Offer", "offers_of", "spoken_offers"]

_VARIANTS = ("variants", "options", "skus", "offers")
_SENTENCE = re.compile(r"[^.!?\n;]*(?:\.(?=\S)[^.!?\n;]*)*[.!?\n;]?")
# An amount that such words stand before or behind is not what a product costs.
_BEFORE = re.compile(
    r"\b(?:save[sd]?|saving|savings of|discount(?: of)?|coupon(?: for)?|refund(?: of)?|credit of|deposit of|"
    r"fees? of|tax of|budget(?: of| is)?|limit(?: of)?|your|was|were|originally|normally|usually|regularly|"
    r"from|reduced from|list price|rrp|msrp|retails? (?:at|for)|worth|than|under|below|over|above|within|"
    r"between|up to|to your|spend|spending|value(?: of)?|ships? for|shipping(?: is| costs)?|"
    r"delivery(?: is| costs)?|extra|additional|another|orders?|max(?:imum)?(?: of)?|most|at least|"
    r"minimum(?: of)?|stay(?:ing)? (?:at|near))\W*"
    r"(?:of |is |about |around |just |only |roughly )?\W*$",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"\W{0,3}(?:usd |dollars? |eur |euros? )?"
    r"(?:off|in savings|shipping|delivery|discount|coupon|voucher|gift card|refund|credit|store credit|"
    r"deposit|fee|fees|tax|taxes|budget|limit|range|mark|ceiling|over|above|below|under|more|less|cheaper|"
    r"extra|outside|savings|upgrade|warranty|value|"
    r"(?:is |would be |'s )?(?:a (?:bit|little) )?(?:over|above|outside|beyond) (?:your|the))\b",
    re.IGNORECASE,
)
_TOLD_OFF = re.compile(
    r"\b(?:over|above|outside|beyond|out of|exceeds?|past|more than|higher than) (?:of )?"
    r"(?:your|the|that|this) (?:\w+ )?(?:budget|limit|range|max\w*|price)|\bover[- ]budget\b|"
    r"\btoo (?:expensive|much|pricey)\b|\bbudget\b.{0,40}\?\s*$",
    re.IGNORECASE,
)
# What an amount may be for besides a product: said before it in its clause, or right behind it.
_SERVICE = (
    r"(?:shipping|delivery|refund\w*|deposit|warranty|protection plan|tune-up|tuning|installation|"
    r"gift cards?|per month|a month|monthly|installments?|payments)\b"
)
_SERVICE_BEFORE = re.compile(rf"\b{_SERVICE}[^,;:(]*$", re.IGNORECASE)
_SERVICE_BEHIND = re.compile(
    rf"[\s-]{{0,2}}(?:(?:for|of|towards) (?:(?:the|an?|your|our|this|that|any|express|standard|extended|full|"
    rf"\d[\w-]*) ){{0,3}})?{_SERVICE}",
    re.IGNORECASE,
)
# A range that such words stand before is what something costs, unless it is the user's, or what it cost.
_RANGE_BEFORE = re.compile(r"\b(?:from|between|at)\W*$", re.IGNORECASE)
_NO_PRICE = re.compile(
    r"\b(?:reduced|down|cut|dropped|lowered|up|went) from\W*$|\b(?:you|your|budget|limit|spend(?:ing)?)\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r";|:|,? but |,? (?:while|whereas|however|though|although|and the) ", re.IGNORECASE)
_STRUCK_OUT = re.compile(r"[\s*_]*(?:~~|</(?:s|del|strike)>)", re.IGNORECASE)  # what closes behind it
_FREE = frozenset(("free", "free of charge", "no charge", "gratis", "kostenlos", "complimentary"))
_BEFORE_SALE = re.compile(
    r"~~[^~]{1,40}~~|[(\[,;]?\s*\b(?:was|reg(?:ular(?:ly)?)?|orig(?:inally)?|rrp|msrp|uvp|list(?: price)?|"
    r"instead of|statt|vorher|before|down from|reduced from|usually|normally)\b[.:]?\s*(?:price\s*)?"
    r"[^\d\s]{0,4}\s?\d[\d.,']*(?:\s?(?:[\u20ac\u00a3$]|usd|eur|gbp))?\s*[)\]]?",
    re.IGNORECASE,
)
MAX_PRICE_TEXT = 200
MAX_TEXT = 100_000
MAX_OFFERS = 200
AROUND = 300
"""The characters around an amount in which its sentence is looked at."""


class Offer(msgspec.Struct, frozen=True):
    """One product with its price.

    `high` is what it costs at most; None where nobody knows. `dearest` is its dearest variant. `fields` are
    those of the record and the card. `fault` says that two prices of it do not agree, `unknown` why it has
    none, `mixed` that its currency is not that of all.
    """

    name: str
    evidence: Evidence
    money: Money | None = None
    high: Decimal | None = None
    dearest: Decimal | None = None
    fields: Mapping[str, Any] = {}
    product: Product | None = None
    fault: str = ""
    unknown: str = ""
    mixed: bool = False


def offers_of(
    cards: Sequence[Product], known: Mapping[str, Mapping[str, Any]], shape: EnvelopeShape
) -> list[Offer]:
    """The products of the cards, each with its price."""
    offers = [_of_card(card, known.get(card.id, {}) if card.id else {}, shape) for card in cards]
    currencies = {one.money.currency for one in offers if one.money is not None and one.money.currency}
    if len(currencies) < 2:
        return offers
    return [msgspec.structs.replace(one, mixed=bool(one.money and one.money.currency)) for one in offers]


def _of_card(card: Product, record: Mapping[str, Any], shape: EnvelopeShape) -> Offer:
    where = f"{card.path}.{shape.product_price[0]}"
    name = f"{where} ({value_text(card.title or card.id)})" if card.title or card.id else where
    evidence = Evidence(json_text(card.price) if card.price is not None else "", path=where)
    fields = {**record, **card.raw}
    own = _price_said(card.price, _currency(card.raw) or _currency(record))
    stored = read_money(_price_of(record, shape), _currency(record))
    money = own or stored
    if own is not None and own.high is not None and own.high < 0 and stored is not None:
        money = stored
    unknown = ""
    if money is None:
        found = "missing" if card.price is None else f"unreadable: {json_text(card.price)}"
        unknown = f"its price is {found}{'' if record else ', and no record of it has one'}"
    fault = _disagree(own, stored)
    prices = list(_variants(card.raw)) or list(_variants(record))
    high = money.high if money is not None else None
    if prices and money is not None and high is not None:
        least = min(prices)
        if least > high:
            fault = fault or f"the card says {high}, and its cheapest variant costs {least}"
    return Offer(name, evidence, money, high, max(prices, default=None), fields, card, fault, unknown)


def _price_said(value: Any, currency: str) -> Money | None:
    """The price in a field of a card: also one beside the price before a sale, and "free"."""
    found = read_money(value, currency)
    if found is not None or not isinstance(value, str) or len(value) > MAX_PRICE_TEXT:
        return found
    if " ".join(fold(value).strip(" .!").split()) in _FREE:
        return Money(Decimal(0), Decimal(0), currency.upper())
    now = _BEFORE_SALE.sub(" ", value)
    return read_money(now, currency) if now != value else None


def _price_of(record: Mapping[str, Any], shape: EnvelopeShape) -> Any:
    return next(
        (record[name] for name in (*shape.product_price, "price") if record.get(name) is not None), None
    )


def _currency(fields: Mapping[str, Any]) -> str:
    found = next(
        (fields[name] for name in ("currency", "currency_code", "currencyCode") if name in fields), ""
    )
    return found if isinstance(found, str) else ""


def _disagree(own: Money | None, stored: Money | None) -> str:
    """How the price of the card differs from that of the record; "" where it does not."""
    if own is None or stored is None or own.high is None or own.high < 0 or stored.high is None:
        return ""
    if own.currency and stored.currency and own.currency != stored.currency:
        return ""
    low = stored.low if stored.low is not None else stored.high
    if low <= own.high <= stored.high:
        return ""
    return f"the card says {own.high}, the record of the product {stored.high}"


def _variants(fields: Mapping[str, Any]) -> Iterator[Decimal]:
    for name in _VARIANTS:
        found = fields.get(name)
        for one in found if isinstance(found, list) else ():
            money = read_money(one.get("price")) if isinstance(one, Mapping) else None
            if money is not None and money.high is not None:
                yield money.high


def spoken_offers(
    text: str,
    cards: Sequence[Product],
    known: Mapping[str, Mapping[str, Any]],
    limit: PriceBudget,
    shape: EnvelopeShape,
) -> list[Offer]:
    """What the prose says that products cost, where no card says the same."""
    prose = normalise(text[:MAX_TEXT])
    shown = [one for one in (read_money(card.price) for card in cards) if one is not None]
    prices = {one.high for one in shown} | {one.low for one in shown}
    offers: list[Offer] = []
    for piece in _SENTENCE.finditer(prose.text):
        if len(offers) >= MAX_OFFERS or not any(map(str.isdigit, piece[0])):
            continue
        for money in islice(money_in(piece[0]), MAX_OFFERS):
            bound = money.high if money.high is not None else money.low
            if (
                bound is None
                or bound in prices
                or bound in (limit.max, limit.min)
                or money.period != limit.per
            ):
                continue
            span = prose.span(piece.start() + money.start, piece.start() + money.end)
            if _STRUCK_OUT.match(text, span[1]):
                continue
            offer = _of_words(piece[0], money, text[slice(*span)], span, cards, known, shape)
            if offer is not None and len(offers) < MAX_OFFERS:
                offers.append(offer)
    return offers


def _of_words(
    sentence: str,
    money: Money,
    quote: str,
    span: tuple[int, int],
    cards: Sequence[Product],
    known: Mapping[str, Mapping[str, Any]],
    shape: EnvelopeShape,
) -> Offer | None:
    """A price in a sentence, with the product that it names; None for an amount that is no price."""
    before, behind = sentence[max(0, money.start - 40) : money.start], sentence[money.end : money.end + 40]
    is_range = money.low is not None and money.high is not None and money.low < money.high
    priced = is_range and _RANGE_BEFORE.search(before) and not _NO_PRICE.search(before)
    clause = _clause(sentence, money)
    sentence = sentence[max(0, money.start - AROUND) : money.end + AROUND]
    if (_BEFORE.search(before) and not priced) or _BEHIND.match(behind) or _TOLD_OFF.search(clause):
        return None
    if _SERVICE_BEFORE.search(before) or _SERVICE_BEHIND.match(behind):
        return None
    evidence = Evidence(quote, start=span[0], end=span[1])
    name = f"{value_text(quote)} in the text"
    bound = money.high if money.high is not None else money.low
    named = [card for card in cards if _names(sentence, card.title)]
    if len(named) == 1:
        own = read_money(named[0].price, _currency(named[0].raw))
        if own is not None and own.high is not None and bound is not None and bound != own.high:
            fault = f"the card of {value_text(named[0].title)} says {own.high}"
            return Offer(name, evidence, money, bound, None, named[0].raw, None, fault)
    record = next(
        (one for one in known.values() if _names(sentence, str(one.get("title") or one.get("name") or ""))),
        {},
    )
    stored = read_money(_price_of(record, shape), _currency(record)) if record else None
    return Offer(name, evidence, money, bound, None, record, None, _disagree(money, stored))


def _clause(sentence: str, money: Money) -> str:
    """The clause in which the amount stands: what is said of another amount is not said of this one."""
    first, last = max(0, money.start - AROUND), min(len(sentence), money.end + AROUND)
    begins = [one.end() for one in _CLAUSE_END.finditer(sentence, first, money.start)]
    ends = _CLAUSE_END.search(sentence, money.end, last)
    return sentence[begins[-1] if begins else first : ends.start() if ends else last]


def _names(sentence: str, title: str) -> bool:
    return len(title) > 2 and fold(title) in fold(sentence)
