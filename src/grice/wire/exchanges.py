"""Where recorded exchanges go: the conversation whose turn is running."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Protocol

from grice.records import Exchange

__all__ = ["SINK", "ExchangeSink"]


class ExchangeSink(Protocol):
    """Takes the exchanges of one conversation, each with the model that was asked, and its problems."""

    def add_exchange(self, exchange: Exchange, model: object) -> None: ...  # noqa: D102
    def add_problem(self, problem: str) -> None: ...  # noqa: D102


SINK: ContextVar[ExchangeSink | None] = ContextVar("grice_exchange_sink", default=None)
"""The conversation whose agent is running, for models that are bound to none."""
