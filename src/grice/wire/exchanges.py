"""Where recorded exchanges go: the conversation whose turn is running."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Protocol

from grice.records import Exchange
from grice.wire.errors import ScriptError

__all__ = ["SINK", "ExchangeSink"]


class ExchangeSink(Protocol):
    """Takes the exchanges of one conversation, each with the model that was asked, and its problems.

    Its methods may be called from any thread. `running` says that it is in the middle of a turn.
    """

    @property
    def running(self) -> bool: ...  # noqa: D102
    def add_exchange(self, exchange: Exchange, model: object) -> None: ...  # noqa: D102
    def replace_exchange(self, old: Exchange, new: Exchange) -> None: ...  # noqa: D102
    def add_problem(self, problem: ScriptError) -> None: ...  # noqa: D102


SINK: ContextVar[ExchangeSink | None] = ContextVar("grice_exchange_sink", default=None)
"""The conversation whose agent is running, for models that are bound to none."""
