"""What the name of a field says: its words, and the unit of the number in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from grice.claims.lexicon import Lexicon
from grice.claims.terms import parse_text
from grice.text.quantities import Quantity, quantities

NAMING_KEYS = frozenset(
    (
        *("id", "name", "title", "sku", "code", "flight", "number", "product", "model", "label"),
        *("username", "email", "slug", "handle", "no", "nr"),
    )
)
"""Last words of the names of fields that name what they stand in."""

SPOKEN_KEYS = frozenset(
    (
        *("merchant", "payee", "recipient", "vendor", "subject", "description", "hostname", "city"),
        *("restaurant", "plan", "tier", "service", "dish", "event", "course", "medication", "branch"),
    )
)
"""Fields by which people name records that only have an id."""

_IDS = frozenset(("id", "number", "no", "nr", "code", "sku"))
_SIGNS = {"pct": "%", "percent": "%", "percentage": "%"}
CURRENCIES = frozenset(
    (
        *("USD", "EUR", "GBP", "CHF", "CAD", "AUD", "NZD", "JPY", "CNY", "INR", "SEK", "NOK"),
        *("DKK", "PLN", "CZK", "HUF", "BRL", "MXN", "ZAR", "SGD", "HKD", "KRW", "TRY", "AED"),
    )
)
_MINOR = frozenset(("cents", "cent", "pence", "minor"))
"""Ends of names of amounts in the hundredth part of a currency."""

_VAGUE = frozenset(
    ("total", "amount", "balance", "discount", "payment", "budget", "premium", "refund", "tax")
)
"""Names that are money only where a currency is told: a total may be one of seats."""

_CURRENCY_KEYS = ("currency", "currencyCode", "currency_code")
_UNIT_KEYS = ("unit", "units")
_ENDS = frozenset(("min", "max", "minimum", "maximum", "before", "after", "ahead", "prior", "limit"))
"""Ends of names that are a bound, behind the unit."""

_UNTIL = frozenset(("before", "after", "ahead", "prior", "from", "until", "since"))
"""What leads on behind the unit in a name: `hours_before_check_in`."""

_BOUNDED = frozenset(
    ("age", "qty", "quantity", "order", "amount", "height", "size", "score", "rating", "guests", "people")
)
"""What a name with "min" behind it sets a bound to."""

_CLEAR = frozenset(("h", "hours", "days", "minutes", "kg", "cm", "mm", "km", "ml", "kwh"))
"""Units that mean nothing else in the middle of a name."""

_LEADING = frozenset(("minutes", "hours", "days", "weeks", "months", "seconds"))
"""Units that lead a name."""

_DEGREES = (("temperature",), ("temp",))
_CUT = re.compile(r"[_\-.\s/]+|(?<=[a-z0-9])(?=[A-Z])")


@lru_cache(maxsize=4_096)
def key_words(key: str) -> tuple[str, ...]:
    """The words of the name of a field: `windowDays` and `window_days` have the same."""
    return tuple(part.casefold() for part in _CUT.split(key) if part)


def is_id(key: str) -> bool:
    """Whether a field has a number or code that identifies its record."""
    return (key_words(key) or ("",))[-1] in _IDS


@lru_cache(maxsize=4_096)
def key_stems(fields: tuple[str, ...], lexicon: Lexicon) -> frozenset[str]:
    """The stems of the words in the names of the fields on a path."""
    readings = (parse_text(" ".join(key_words(one)), lexicon) for one in fields)
    return frozenset(term.stem for reading in readings for term in reading.terms)


def measured_field(
    number: Decimal, fields: tuple[str, ...], holder: Mapping[str, Any], lexicon: Lexicon
) -> Quantity | None:
    """The number with the unit that its field, or the object it stands in, names."""
    name, period = _without_rate(key_words(fields[-1]) if fields else (), lexicon)
    name = _up_to_unit(name, holder, lexicon)
    last = name[-1] if name else ""
    currency = currency_in(holder)
    if last in _MINOR:
        return _amount(number / 100, currency, period)
    unit = _SIGNS.get(last, last if last in lexicon.pack.units else "")
    unit = last.upper() if last.upper() in CURRENCIES else unit
    unit = f"{name[-2]} {unit}" if unit and name[-2:-1] in (("business",), ("working",)) else unit
    unit = f"\u00b0{unit or last}".upper() if last in ("c", "f") and name[-2:-1] in _DEGREES else unit
    unit = unit or _first_text(holder, _UNIT_KEYS)
    if unit in CURRENCIES:
        return _amount(number, unit, period)
    if _is_priced(name, fields, bool(unit), holder, lexicon) and (currency or last not in _VAGUE):
        return _amount(number, currency, period)
    if unit:
        return _unit_quantity(f"{number:f} {unit}", lexicon)
    above = key_words(fields[-2])[-1:] if len(fields) > 1 else ()  # window_days: {bikes: 45}
    if above and (above[0] in lexicon.pack.units or above[0].upper() in CURRENCIES):
        return measured_field(number, fields[:-1], holder, lexicon)
    return None


def _is_priced(
    name: tuple[str, ...],
    fields: tuple[str, ...],
    has_unit: bool,
    holder: Mapping[str, Any],
    lexicon: Lexicon,
) -> bool:
    """Whether the names say that a number is money: `price`, `prices.economy`, `fee_over`."""
    last = name[-1] if name else ""
    within = key_words(fields[-2])[-1:] if len(fields) > 1 and not has_unit else ()
    priced = bool(lexicon.money.intersection(lexicon.stems(" ".join((last, *within)))))
    limits = last in lexicon.thresholds and bool(lexicon.money & key_stems(fields, lexicon))
    return (priced or limits) and not (last in _VAGUE and _counts_beside(name, holder, lexicon))


def _up_to_unit(name: tuple[str, ...], holder: Mapping[str, Any], lexicon: Lexicon) -> tuple[str, ...]:
    """The words of a name as far as its unit, where what is behind that is a bound or tells when."""
    units = lexicon.pack.units
    cut = next((place for place, one in enumerate(name) if one in _UNTIL and name[place - 1] in units), 0)
    name = name[:cut] if cut else name
    while len(name) > 1 and name[-1] in _ENDS and not _are_minutes(name, holder, lexicon):
        name = name[:-1]  # days_min
    if name and not (name[-1] in units or name[-1] in _MINOR or name[-1].upper() in CURRENCIES):
        # battery_h_on
        last = max((place for place, one in enumerate(name) if place and one in _CLEAR), default=0)
        first = len(name) > 1 and name[0] in _LEADING  # MinutesTillPickup
        name = name[: last + 1] if last else name[:1] if first else name
    return name


def _are_minutes(name: tuple[str, ...], holder: Mapping[str, Any], lexicon: Lexicon) -> bool:
    """Whether "min" at the end of a name is minutes, and not the least of a range, an amount or a count."""
    before = name[-2] if name[-1] == "min" else ""
    if not before:
        return False
    bounded = before in lexicon.pack.units or before in _BOUNDED or before.upper() in CURRENCIES
    if bounded or not lexicon.money.isdisjoint(lexicon.stems(before)):
        return False
    return not any(key_words(str(key)) in ((*name[:-1], "max"), (*name[:-1], "maximum")) for key in holder)


def _counts_beside(name: tuple[str, ...], holder: Mapping[str, Any], lexicon: Lexicon) -> bool:
    """Whether a field beside it counts the same, and is no money: seats_used beside seats_total."""
    others = [key_words(str(key)) for key in holder] if len(name) > 1 else []
    return any(one[:-1] == name[:-1] and one[-1] not in lexicon.money for one in others if one)


def _amount(number: Decimal, currency: str, period: str) -> Quantity:
    """Money without its sign: what is taken from an account is an amount too."""
    return Quantity(abs(number), abs(number), currency.upper(), "money", 0, 0, period=period)


def _without_rate(name: tuple[str, ...], lexicon: Lexicon) -> tuple[tuple[str, ...], str]:
    """The words of a name without its rate, and that: `pricePerNight`, `eur_night`."""
    if len(name) > 2 and name[-2] == "per":
        return name[:-2], lexicon.pack.periods.get(name[-1], "")
    known = lexicon.pack.periods
    rate = name[-1] if len(name) > 1 and (name[-2] in _MINOR or name[-2].upper() in CURRENCIES) else ""
    if rate in known or rate in lexicon.pack.units:
        return name[:-1], known.get(rate, "")
    return name, ""


def currency_in(holder: Mapping[str, Any]) -> str:
    """The currency that an object names for its amounts, "" for none."""
    return _first_text(holder, _CURRENCY_KEYS)


def _first_text(holder: Mapping[str, Any], keys: Sequence[str]) -> str:
    """The text in the first of these fields that has one."""
    return next((holder[key] for key in keys if isinstance(holder.get(key), str)), "")


@lru_cache(maxsize=4_096)
def _unit_quantity(text: str, lexicon: Lexicon) -> Quantity | None:
    return next(iter(quantities(text, lexicon.pack)), None)
