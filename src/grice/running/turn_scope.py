"""The time in which an agent answers in a turn."""

from __future__ import annotations

import time
from contextlib import suppress
from contextvars import Token
from types import TracebackType

from grice.running.conversing import Conversing
from grice.running.turn import OpenTurn
from grice.wire import SINK, ExchangeSink

__all__ = ["TurnScope"]


class TurnScope:
    """The time in which an agent answers in a turn: it keeps the record right, however it ends.

    The agent's requests to models are recorded, its time counts, and its failure is kept and told.
    """

    __slots__ = ("_end", "_limit", "_live", "_rest", "_started", "_token", "_turn")

    def __init__(self, conversation: Conversing, turn: OpenTurn, limit: float) -> None:
        live = conversation
        self._live = live
        self._turn = turn
        self._limit = limit
        self._rest = live.timeout - live._spent

    @property
    def left(self) -> float:
        """The seconds that the agent still has."""
        return self._end - time.monotonic()

    def __enter__(self) -> TurnScope:
        live = self._live
        self._started = live._clock()
        self._turn.reopen()
        for model in live._models:
            model.join(live)
        live.running, live._record, live._termination = True, None, None
        self._token: Token[ExchangeSink | None] = SINK.set(live)
        self._end = time.monotonic() + min(self._limit, self._rest)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        __tracebackhide__ = True
        live, turn = self._live, self._turn
        try:
            if error is not None and live._stops(error):
                turn.stop()
                live._termination = "interrupted"
            elif error is not None:
                of_turn = self._limit <= self._rest
                about = f"{self._limit:g} s" if of_turn else f"the {live.timeout:g} s of the conversation"
                live._fail(turn, error, about)
        finally:
            with suppress(ValueError):  # a coroutine whose loop is gone is closed in another context
                SINK.reset(self._token)
            elapsed = live._clock() - self._started
            turn.duration += elapsed
            live._spent += elapsed
            live.running, live._record = False, None
