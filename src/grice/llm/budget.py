"""The budget of LLMs: tokens and money."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import NamedTuple

from grice.matching.protocols import BudgetSpent
from grice.text import did_you_mean, value_text

MILLION = 1_000_000


class Spent(NamedTuple):
    """The cost of `answers` answers. `money` is None when one came from a model without a price.

    Of `estimated` answers the server did not say how many tokens they took, so that they were estimated.
    """

    tokens: int = 0
    money: float | None = 0.0
    answers: int = 0
    estimated: int = 0


class Budget:
    """A limit of tokens, of money, or both, for all clients that share it.

    `prices` are `{model: (input, output)}` in money for a million tokens; every model needs one where `money`
    is limited. What answers report is counted, those of retries and repairs too. Once the budget is spent,
    each further request raises BudgetSpent; requests in flight then still count, and `str()` and the
    error say how much it came to. Raises ValueError for what is no budget.
    """

    def __init__(
        self,
        tokens: int | None = None,
        money: float | None = None,
        *,
        prices: Mapping[str, tuple[float, float]] | None = None,
    ) -> None:
        for name, value in (("tokens", tokens), ("money", money)):
            if value is not None and not _is_amount(value):
                raise ValueError(f"{name}: expected a number from 0, found {value_text(value)}")
        if tokens is None and money is None:
            raise ValueError("a budget limits tokens, money, or both, found neither")
        self.tokens = tokens
        self.money = money
        self.prices = _read_prices(prices if prices is not None else {})
        self._spent = Spent()
        self._lock = threading.Lock()

    @property
    def spent(self) -> Spent:
        """What has been spent so far."""
        return self._spent

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left."""
        spent = self._spent
        return (self.tokens is not None and spent.tokens >= self.tokens) or (
            self.money is not None and (spent.money is None or spent.money >= self.money)
        )

    def check_price(self, model: str) -> None:
        """Raise ValueError when money is limited and this model has no price."""
        if self.money is not None and model not in self.prices:
            known = f"; there are prices for {', '.join(self.prices)}" if self.prices else ""
            raise ValueError(
                f"budget: money is limited, and the model {model!r} has no price"
                f"{did_you_mean(model, self.prices)}{known}: give prices={{{model!r}: (input, output)}}, "
                "each for a million tokens"
            )

    def check_left(self) -> None:
        """Raise BudgetSpent when nothing is left."""
        if self.is_spent:
            raise BudgetSpent(f"the budget is spent: {self}")

    def count(self, model: str, input_tokens: int, output_tokens: int, *, estimated: bool = False) -> None:
        """Count one answer of a model."""
        price = self.prices.get(model)
        with self._lock:
            before = self._spent
            money = None
            if price is not None and before.money is not None:
                cost = price[0] * input_tokens + price[1] * output_tokens
                money = before.money + cost / MILLION
            self._spent = Spent(
                before.tokens + input_tokens + output_tokens,
                money,
                before.answers + 1,
                before.estimated + estimated,
            )

    def __str__(self) -> str:
        spent = self._spent
        parts = []
        if self.tokens is not None:
            over = spent.tokens - self.tokens
            more = f" ({over:,} over: requests were in flight when it was spent)" if over > 0 else ""
            parts.append(f"{spent.tokens:,} of {self.tokens:,} tokens{more}")
        if self.money is not None and spent.money is None:
            parts.append(f"an amount that is not known of {self.money:.4g} in money")
        elif self.money is not None and spent.money is not None:
            above = spent.money - self.money
            more = f" ({above:.4g} over: requests were in flight when it was spent)" if above > 0 else ""
            parts.append(f"{spent.money:.4g} of {self.money:.4g} in money{more}")
        answers = "answer" if spent.answers == 1 else "answers"
        guessed = f", {spent.estimated} of them estimated" if spent.estimated else ""
        return f"{' and '.join(parts)} in {spent.answers:,} {answers}{guessed}"


def _is_amount(value: object) -> bool:
    """Whether this is a finite number from 0."""
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return plain and 0 <= value < float("inf")  # type: ignore[operator]


def _read_prices(prices: object) -> dict[str, tuple[float, float]]:
    if not isinstance(prices, Mapping):
        raise ValueError(f"prices: expected models and their prices, found {value_text(prices)}")
    read = {}
    for model, price in prices.items():
        pair = tuple(price) if isinstance(price, list | tuple) else ()
        if len(pair) != 2 or not all(map(_is_amount, pair)):
            raise ValueError(
                f"prices.{model}: expected two numbers, the price of a million input tokens and that of a "
                f"million output tokens, found {value_text(price)}"
            )
        read[str(model)] = (float(pair[0]), float(pair[1]))
    return read
