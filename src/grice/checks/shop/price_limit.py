"""A budget: a limit on prices, as a record or in a user's words."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import msgspec

from grice.matching.matcher import ArgumentError
from grice.text import did_you_mean, value_text
from grice.text.currencies import currency_of
from grice.text.money import Money, read_money
from grice.text.quantities import Quantity, quantities

_DOLLARS = frozenset(("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN"))
_FIELDS = ("max", "min", "currency", "tolerance", "per", "approximate", "total", "quantities")


class PriceBudget(msgspec.Struct, frozen=True, omit_defaults=True):
    """A limit on prices.

    `max` and `min` are amounts of `currency` (ISO 4217; "" takes any, as long as it is one). `tolerance` is
    the share over `max` that an upsell with reasons may cost. `per` is the period of a rate ("month",
    "night"), "" for a price paid once. An `approximate` one ("around $400") is kept up to a tenth over.
    With `total` it limits the sum of all products, each `quantities[id]` times, and there is no upsell.
    """

    max: Decimal
    min: Decimal | None = None
    currency: str = ""
    tolerance: Decimal = Decimal("0.2")
    per: str = ""
    approximate: bool = False
    total: bool = False
    quantities: Mapping[str, int] = {}

    @property
    def limit(self) -> Quantity:
        """All prices that are within the budget."""
        return Quantity(None, self.max, self.currency, "money", 0, 0, "<=", self.approximate, self.per)

    @property
    def least(self) -> Quantity:
        """The lower bound of the budget: all prices that are high enough."""
        return msgspec.structs.replace(self.limit, low=self.min, high=None, comparison=">=")

    @property
    def upsell(self) -> Quantity:
        """All prices that an upsell may have."""
        return msgspec.structs.replace(self.limit, high=self.max * (1 + self.tolerance), approximate=False)

    def amount(self, money: Money) -> Quantity:
        """Read a price in the currency of the budget: a bare `$` is the budget's dollar."""
        is_own = money.symbol == "$" and self.currency in _DOLLARS
        return msgspec.structs.replace(money.quantity, unit=self.currency) if is_own else money.quantity


def read_budget(given: object) -> PriceBudget:
    """The budget of a record, a number, a text (`under 500 EUR`) or an object. Raises ArgumentError."""
    if isinstance(given, PriceBudget):
        budget = msgspec.structs.replace(
            given, max=_amount("max", given.max), tolerance=_amount("tolerance", given.tolerance)
        )
    elif isinstance(given, Mapping):
        budget = _of_object(given)
    elif isinstance(given, str):
        budget = _of_text(given)
    else:
        budget = PriceBudget(_amount("", given))
    if (
        budget.max <= 0
        or budget.tolerance < 0
        or (budget.min is not None and not 0 <= budget.min <= budget.max)
    ):
        raise ArgumentError(
            "a budget has a max above 0, a min up to that and a tolerance from 0 up, "
            f"found {value_text(given)}"
        )
    return msgspec.structs.replace(budget, currency=_currency(budget.currency))


def _currency(given: str) -> str:
    """The ISO 4217 code of a currency as it was given: USD, usd, $, dollars. Raises ArgumentError."""
    code = currency_of(given) if given else ""
    if given and not code:
        raise ArgumentError(f"budget.currency is a code like 'USD', found {value_text(given)}")
    return code


def _amount(name: str, value: object) -> Decimal:
    found = read_money(value) if not isinstance(value, str) or name else None
    if found is None or found.high is None:
        what = f"budget.{name}" if name else "budget"
        raise ArgumentError(f"{what} is an amount, found {value_text(value)}")
    return found.high


def _of_object(given: Mapping[Any, Any]) -> PriceBudget:
    for name in given:
        if name not in _FIELDS:
            hint = did_you_mean(str(name), _FIELDS) or f"; known are {', '.join(_FIELDS)}"
            raise ArgumentError(f"budget has an unknown field {value_text(name)}{hint}")
    if given.get("max") is None:
        raise ArgumentError(f"budget has no max, found {value_text(given)}")
    amounts = {
        name: _amount(name, given[name])
        for name in ("max", "min", "tolerance")
        if given.get(name) is not None
    }
    rest = {
        name: given[name]
        for name in given
        if name not in ("max", "min", "tolerance") and given[name] is not None
    }
    try:
        read = msgspec.convert({**rest, "max": 1}, PriceBudget)
    except msgspec.ValidationError as error:
        raise ArgumentError(f"budget: {error}") from None
    currency = read.currency or next((one.currency for one in [read_money(given["max"])] if one), "")
    return msgspec.structs.replace(read, **amounts, currency=currency)


def _of_text(text: str) -> PriceBudget:
    """What a user says of a budget: its highest amount, and its currency."""
    found = [one for one in quantities(text) if one.high is not None and not one.ordinal]
    for dimension in ("money", ""):
        for one in found:
            if one.dimension == dimension and one.high is not None:
                approximate = one.approximate and one.low == one.high
                return PriceBudget(one.high, None, one.unit, per=one.period, approximate=approximate)
    raise ArgumentError(f"budget names no highest amount, found {value_text(text)}")
