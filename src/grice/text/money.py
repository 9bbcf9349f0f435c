"""Amounts of money, in texts and in fields of records."""

from __future__ import annotations

from decimal import Decimal

import msgspec

__all__ = ["Money", "money_in", "read_money"]


class Money(msgspec.Struct, frozen=True, gc=False):
    """An amount of money, or a range of it.

    `low` and `high` are equal for one amount; None for a side that is open ("from $50", "up to 80 EUR").
    `currency` is an ISO 4217 code, "" where nobody says; a bare `$` is "USD" and `symbol` keeps "$", since it
    may be another dollar. `period` is "month", "year", "day", "week", "hour", "night", "unit" for a rate, "" for none.
    `start`, `end` are its place in the text (0, 0 for a value).
    """

    low: Decimal | None
    high: Decimal | None
    currency: str = ""
    symbol: str = ""
    period: str = ""
    approximate: bool = False
    start: int = 0
    end: int = 0


def money_in(text: str) -> list[Money]:
    """The amounts of money in a text: symbols, ISO codes and words before or after, separators of any country, ranges."""
    raise NotImplementedError


def read_money(value: object, currency: str = "") -> Money | None:
    """The amount in a field of a record: a number, a text ("350", "$1,299.00", "1.299,00 EUR"), or an object.

    Objects are read as {amount|value|price, currency|currencyCode|currency_code}. `currency` is that of the record, where the field has none. None for what is
    no amount: null, true, NaN, text without one number, a list.
    """
    raise NotImplementedError
