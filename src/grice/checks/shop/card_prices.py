"""What products on the cards of a reply cost, by their cards and by their records."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import msgspec

from grice.checks.structure.envelope_parts import EnvelopeShape, Product
from grice.claims.field_names import currency_in
from grice.claims.value_agreement import agree, holds
from grice.matching.json_text import json_text
from grice.records import Evidence
from grice.text import fold, value_text
from grice.text.money import Money, read_money
from grice.text.quantities import Quantity

_VARIANTS = ("variants", "options", "skus", "offers")
_FREE = frozenset(("free", "free of charge", "no charge", "gratis", "kostenlos", "complimentary"))
_BEFORE_SALE = re.compile(
    r"~~[^~]{1,40}~~|[(\[,;]?\s*\b(?:was|reg(?:ular(?:ly)?)?|orig(?:inally)?|rrp|msrp|uvp|list(?: price)?|"
    r"instead of|statt|vorher|before|down from|reduced from|usually|normally)\b[.:]?\s*(?:price\s*)?"
    r"[^\d\s]{0,4}\s?\d[\d.,']*(?:\s?(?:[\u20ac\u00a3$]|usd|eur|gbp))?\s*[)\]]?",
    re.IGNORECASE,
)
MAX_PRICE_TEXT = 200


class Offer(msgspec.Struct, frozen=True):
    """One product with its price.

    `money` is what it costs, None where nobody knows, `variants` what its variants do. `fields` are those of
    the record and the card. `fault` says that two prices of it do not agree, `unknown` why it has none,
    `mixed` that its currency is not that of all.
    """

    name: str
    evidence: Evidence
    money: Money | None = None
    variants: Quantity | None = None
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
    own = _price_said(card.price, currency_in(card.raw) or currency_in(record))
    stored = price_in(record, shape)
    if own is not None and stored is not None and own.high is not None and own.high < 0:
        own = None  # no price is below nothing
    money = own or stored
    unknown = ""
    if money is None:
        found = "missing" if card.price is None else f"unreadable: {json_text(card.price)}"
        unknown = f"its price is {found}{'' if record else ', and no record of it has one'}"
    fault = disagreement(own, stored)
    variants = _variants(card.raw) or _variants(record)
    if variants is not None and money is not None and money.high is not None and not fault:
        from_least = msgspec.structs.replace(variants, high=None, comparison=">=")
        if not holds(from_least, money.high):
            fault = f"the card says {money.high}, and its cheapest variant costs {variants.low}"
    return Offer(name, evidence, money, variants, fields, card, fault, unknown)


def _price_said(value: Any, currency: str) -> Money | None:
    """The price in a field of a card: also one beside the price before a sale, and "free"."""
    found = read_money(value, currency)
    if found is not None or not isinstance(value, str) or len(value) > MAX_PRICE_TEXT:
        return found
    if " ".join(fold(value).strip(" .!").split()) in _FREE:
        return Money(Decimal(0), Decimal(0), currency.upper())
    now = _BEFORE_SALE.sub(" ", value)
    return read_money(now, currency) if now != value else None


def price_in(record: Mapping[str, Any], shape: EnvelopeShape) -> Money | None:
    """The price of a product in its record."""
    names = (*shape.product_price, "price")
    told = next((record[name] for name in names if record.get(name) is not None), None)
    return read_money(told, currency_in(record))


def disagreement(own: Money | None, stored: Money | None) -> str:
    """Say how the price on a card differs from that of the record; "" where it does not. Either may be a
    range with the other in it.
    """
    if own is None or stored is None:
        return ""
    mine, theirs = own.quantity, stored.quantity
    if agree(mine, theirs) != "different" or agree(theirs, mine) != "different":
        return ""
    return f"the card says {own.most}, the record of the product {stored.most}"


def _variants(fields: Mapping[str, Any]) -> Quantity | None:
    """What the variants of a product cost, from the cheapest to the dearest; None without any."""
    lists = (found for name in _VARIANTS if isinstance(found := fields.get(name), list))
    amounts = (read_money(one.get("price")) for found in lists for one in found if isinstance(one, Mapping))
    prices = [one.high for one in amounts if one is not None and one.high is not None]
    return Quantity(min(prices), max(prices), "", "money", 0, 0) if prices else None
