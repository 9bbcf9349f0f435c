"""Prices within the user's budget, or a little over for products that are really better.

Labelled examples are in `budget.examples.jsonl` beside this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from grice.checks.product_records import Records, product_records
from grice.checks.profiles import Profile
from grice.checks.shop.card_prices import Offer, offers_of
from grice.checks.shop.price_limit import PriceBudget, read_budget
from grice.checks.shop.prose_prices import spoken_offers
from grice.checks.structure.envelope_parts import (
    Envelope,
    EnvelopeShape,
    Product,
    Shape,
    all_prose,
    envelope_of,
    read_shape,
)
from grice.claims.value_agreement import agree, holds, named
from grice.matching.argument_types import AtLeastZero, Text
from grice.matching.context import Context
from grice.matching.json_text import json_text
from grice.matching.matcher import Unsuitable, matcher
from grice.matching.subjects import Speech
from grice.records import Evidence, Outcome, Reply, Turn, Verdict, failed, fold_all, inconclusive, passed
from grice.text import value_text
from grice.text.quantities import quantities

MAX_SHOWN = 20

Budget = Annotated[PriceBudget | float | Decimal | str | Mapping[str, Any], read_budget]

_Direction = Literal["higher", "lower"]
Drivers = Mapping[Text, _Direction | Annotated[Sequence[str], Meta(min_length=2)]]
"""For each property which way is better: more of it, less of it, or its values from worst to best."""
_INSIDE = ("attributes", "specs", "specifications", "properties")
_NUMBER = re.compile(r"[-\u2212]?\d[\d,]*(?:\.\d+)?")
_Rank = tuple[str, Decimal]
"""What is measured ("mass"; "" without a unit), and how good the value is, more being better."""


def _describe(budget: object, **_: Any) -> str:
    if isinstance(budget, str):
        return f"stay within the budget {value_text(budget)}"
    limit = read_budget(budget)
    return f"stay within the budget of {limit.max} {limit.currency}".rstrip()


@matcher("toStayWithinBudget", layer=1, describe=_describe)
def stay_within_budget(
    subject: Speech | Mapping[str, Any],
    ctx: Context,
    budget: Budget,
    *,
    drivers: Drivers | None = None,
    min_drivers: AtLeastZero = 2,
    records: Records | None = None,
    shape: Shape | None = None,
    profile: Profile = "robust",
) -> Verdict:
    """Every product of the reply costs at most the budget, or is worth what it costs over that.

    At most `budget.tolerance` over (a fifth, inclusive) is right with at least `min_drivers` of the `drivers`
    in which the product beats the best one within the budget, of this reply or else of `records` (those that
    tools returned, unless given). Drivers are `{"rating": "higher", "weight_g": "lower", "flex": ["soft",
    "stiff"]}`, values from worst to best. `robust` reads prices of any format, takes a missing one from
    the record, and also judges prices in the prose; one that nobody knows, or in another currency, is
    `inconclusive`, and one that differs from the record `fails`. `seed` compares as JavaScript does and
    counts reasons for drivers. No prices at all are `inconclusive`. Examples:
    budget.examples.jsonl.
    """
    if not isinstance(subject, str | Reply | Turn | Mapping):
        raise Unsuitable(f"a text, an object, a Reply or a Turn, found {value_text(subject)}")
    limit, form = read_budget(budget), read_shape(shape)
    envelope = envelope_of(subject, form)
    if profile == "seed":
        return _seed(envelope, limit, form)
    known = product_records(records, subject, ctx)
    cards = envelope.products if isinstance(envelope, Envelope) else ()
    text = all_prose(subject, form)
    offers = [*offers_of(cards, known, form), *spoken_offers(text, cards, known, limit, form)]
    if not offers:
        why = f"; {envelope}" if isinstance(envelope, str) else ""
        return inconclusive(f"there are no products and no prices to compare with the budget{why}")
    if limit.total:
        return _total(offers, limit)
    return _folded([_judged(one, offers, known, limit, drivers, min_drivers) for one in offers])


def _judged(
    offer: Offer,
    offers: Sequence[Offer],
    known: Mapping[str, Mapping[str, Any]],
    limit: PriceBudget,
    drivers: Drivers | None,
    needed: int,
) -> Verdict:
    evidence = (offer.evidence,)
    if offer.fault:
        return failed(f"{offer.name}: {offer.fault}", evidence=evidence)
    unknown = _unknown(offer, limit)
    if unknown:
        return inconclusive(f"{offer.name}: {unknown}", evidence=evidence)
    assert offer.money is not None
    price, most = limit.amount(offer.money), offer.money.most
    if not holds(limit.least, most):
        return failed(
            f"{offer.name}: {_amount_text(most)} is below the least of {_amount_text(limit.min)}",
            evidence=evidence,
        )
    if agree(limit.limit, price) == "same":
        return passed(f"{offer.name} {_amount_text(most)}")
    over = (most - limit.max) / limit.max * 100
    said = f"{offer.name}: {_amount_text(most)} is {over:.1f} % over the budget of {_amount_text(limit.max)}"
    if agree(limit.upsell, price) != "same":
        return failed(f"{said}, more than the {limit.tolerance * 100:.0f} % of an upsell", evidence=evidence)
    return _upsell(offer, said, offers, known, limit, drivers, needed)


def _upsell(
    offer: Offer,
    said: str,
    offers: Sequence[Offer],
    known: Mapping[str, Mapping[str, Any]],
    limit: PriceBudget,
    drivers: Drivers | None,
    needed: int,
) -> Verdict:
    """Whether a product a little over the budget is worth it."""
    evidence = (offer.evidence,)
    if not drivers:
        if offer.product is not None and len(offer.product.reasons) < needed:
            count = len(offer.product.reasons)
            return failed(f"{said}, with {count} of {needed} reasons", evidence=evidence)
        return inconclusive(
            f"{said}, and no drivers are given by which it could be better", evidence=evidence
        )
    rivals = [one.fields for one in offers if one is not offer and _is_within(one, limit)]
    rivals = rivals or [one.fields for one in offers_of_records(known, offer) if _is_within(one, limit)]
    if not rivals:
        return inconclusive(f"{said}, and no product within it is known to compare with", evidence=evidence)
    better, open_ = beaten(offer.fields, rivals, drivers)
    names = ", ".join(better) or "none"
    if len(better) >= needed:
        return passed(f"{said}, and better in {names}", evidence=evidence)
    said = f"{said}; better than the best within it in {names}, expected at least {needed} drivers"
    if len(better) + len(open_) >= needed:
        return inconclusive(f"{said}; nobody knows {', '.join(open_)}", evidence=evidence)
    return failed(said, evidence=evidence)


def offers_of_records(known: Mapping[str, Mapping[str, Any]], but: Offer) -> list[Offer]:
    """The records as products of their own, without the one that is judged."""
    cards = [
        Product(
            key, str(record.get("title") or record.get("name") or key), None, (), record, f"records[{key}]"
        )
        for key, record in known.items()
        if but.product is None or key != but.product.id
    ]
    return list(offers_of(cards, known, read_shape(None)))


def _is_within(offer: Offer, limit: PriceBudget) -> bool:
    if offer.fault or offer.money is None or _unknown(offer, limit):
        return False
    return agree(limit.limit, limit.amount(offer.money)) == "same"


def _unknown(offer: Offer, limit: PriceBudget) -> str:
    """Why nobody can tell whether the price is within the budget; "" when that can be told."""
    if offer.unknown:
        return offer.unknown
    money = offer.money
    if money is None:
        return "it has no price"
    price = limit.amount(money)
    if money.period and money.period != limit.per:
        return f"its price is per {money.period}, the budget {f'per {limit.per}' if limit.per else 'is not'}"
    if agree(limit.limit, named(price)) == "not comparable":
        return f"its price is in {money.currency}, the budget in {limit.currency}"
    if offer.mixed and not limit.currency:
        return f"its price is in {money.currency}, others are not, and the budget names no currency"
    if money.high is None:
        return "" if agree(limit.upsell, price) == "different" else "its price has no upper end"
    if money.high < 0:
        return f"its price is negative: {money.high}"
    variants = offer.variants
    if variants is not None and agree(limit.limit, price) == "same" != agree(limit.limit, variants):
        return f"its price depends on the variant, up to {_amount_text(variants.high)}"
    return ""


def _total(offers: Sequence[Offer], limit: PriceBudget) -> Verdict:
    """The sum of all products against a budget for all of them."""
    cards = [one for one in offers if one.product is not None] or list(offers)
    faults = [f"{one.name}: {one.fault}" for one in cards if one.fault]
    if faults:
        return failed("\n".join(faults), evidence=tuple(one.evidence for one in cards if one.fault))
    unknown = [f"{one.name}: {why}" for one in cards if (why := _unknown(one, limit))]
    counts = [limit.quantities.get(one.product.id, 1) if one.product else 1 for one in cards]
    known = [
        one.money.most * count
        for one, count in zip(cards, counts, strict=True)
        if one.money is not None and not _unknown(one, limit)
    ]
    total = sum(known, Decimal(0))
    spent = msgspec.structs.replace(limit.limit, low=total, high=total, comparison="", approximate=False)
    shown = f"{_amount_text(total)} in all, for {len(cards)} product{'' if len(cards) == 1 else 's'}"
    if agree(limit.limit, spent) == "different":
        evidence = tuple(one.evidence for one in cards[:MAX_SHOWN])
        return failed(f"{shown}, is over the budget of {_amount_text(limit.max)}", evidence=evidence)
    return inconclusive("\n".join(unknown)) if unknown else passed(shown)


def _folded(verdicts: Sequence[Verdict]) -> Verdict:
    outcome = fold_all(one.outcome for one in verdicts)
    telling = [one for one in verdicts if one.outcome is outcome]
    reasons = [one.reason for one in telling[:MAX_SHOWN]]
    if len(telling) > MAX_SHOWN:
        reasons.append(f"... and {len(telling) - MAX_SHOWN} more")
    evidence = tuple(part for one in telling[:MAX_SHOWN] for part in one.evidence)
    return Verdict(outcome, ("; " if outcome is Outcome.PASS else "\n").join(reasons), evidence)


def _amount_text(amount: Decimal | None) -> str:
    return f"{amount or 0:,.2f}".removesuffix(".00")


def _seed(envelope: Envelope | str, limit: PriceBudget, shape: EnvelopeShape) -> Verdict:
    """The documented rule, with JavaScript's comparison of a number and anything else."""
    if isinstance(envelope, str):
        return inconclusive(f"profile 'seed' reads the products of an envelope: {envelope}")
    faults = list(_seed_faults(envelope.products, limit, shape))
    if not faults:
        return passed(f"{len(envelope.products)} products")
    evidence = tuple(Evidence(path=product.path) for product, _ in faults[:MAX_SHOWN])
    return failed(
        "\n".join(f"{product.path}: {said}" for product, said in faults[:MAX_SHOWN]), evidence=evidence
    )


def _seed_faults(
    products: Sequence[Product], limit: PriceBudget, shape: EnvelopeShape
) -> Iterator[tuple[Product, str]]:
    for product in products:
        there = [product.raw[name] for name in shape.product_price if name in product.raw]
        price = _as_number(there[0]) if there else None
        if price is not None and price <= limit.max:
            continue
        over = None if price is None else (price - limit.max) / limit.max * 100
        if over is not None and over <= 20 and len(product.reasons) >= 2:
            continue
        found = json_text(there[0]) if there else "none"
        yield product, f"price {found} is over {_amount_text(limit.max)}, with {len(product.reasons)} reasons"


def _as_number(value: object) -> Decimal | None:
    """What JavaScript's Number() makes of a value of JSON; None for NaN."""
    if value is None or value is False:
        return Decimal(0)
    if value is True:
        return Decimal(1)
    if isinstance(value, str):
        text = value.strip()
        try:
            number = Decimal(text or "0")
        except ArithmeticError:
            return None
        return number if number.is_finite() and "_" not in text else None
    if isinstance(value, int | float):
        number = Decimal(str(value))
        return None if number.is_nan() else number
    return None


def beaten(
    product: Mapping[str, Any], rivals: Sequence[Mapping[str, Any]], drivers: Drivers
) -> tuple[list[str], list[str]]:
    """The drivers in which the product beats every rival, and those of which nobody knows the values.

    Values with units are compared by their units: 900 g is less than 1.2 kg.
    """
    better: list[str] = []
    unknown: list[str] = []
    for name, direction in drivers.items():
        mine = _rank(_value(product, name), direction)
        theirs = [rank for rival in rivals if (rank := _rank(_value(rival, name), direction)) is not None]
        if mine is None or not theirs or any(kind != mine[0] for kind, _ in theirs):
            unknown.append(name)
        elif all(mine > one for one in theirs):
            better.append(name)
    return better, unknown


def _value(product: Mapping[str, Any], name: str) -> Any:
    found = _at(product, name)
    for inside in _INSIDE:
        part = product.get(inside)
        if found is None and isinstance(part, Mapping):
            found = _at(part, name)
    return found


def _at(value: Any, name: str) -> Any:
    if isinstance(value, Mapping) and name in value:
        return value[name]
    for step in name.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _rank(value: Any, direction: _Direction | Sequence[str]) -> _Rank | None:
    """How good a value is; None for one that cannot be compared."""
    if not isinstance(direction, str):
        order = [one.casefold() for one in direction]
        key = value.strip().casefold().replace("_", " ") if isinstance(value, str) else ""
        places = [place for place, one in enumerate(order) if one.replace("_", " ") == key]
        return ("", Decimal(places[0])) if places else None
    measured = _measured(value)
    if measured is None or direction == "higher":
        return measured
    return measured[0], -measured[1]


def _measured(value: Any) -> _Rank | None:
    if isinstance(value, bool):
        return "", Decimal(int(value))
    if isinstance(value, int | float):
        number = Decimal(str(value))
        return ("", number) if number.is_finite() else None
    if not isinstance(value, str) or len(value) > 200:
        return None
    first = next(iter(quantities(value)), None)
    if first is not None and first.dimension != "name" and first.number is not None:
        kind = first.unit if first.dimension == "money" else first.dimension
        return ("" if kind == "rating" else kind), first.number  # 4.8 stars, or a bare 4.8
    found = _NUMBER.search(value)
    return ("", Decimal(found[0].replace(",", "").replace("\u2212", "-"))) if found else None
