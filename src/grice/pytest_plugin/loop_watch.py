"""Waiting for what an event loop in another thread does, while nobody holds that loop up."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from typing import TypeVar

from grice.loops.background_loop import LoopThread, result_of
from grice.loops.deadline import REPEAT, DeadlineExceeded, interrupt_thread, withdraw_interrupt

T = TypeVar("T")


class LoopWatch:
    """Waits for results of a loop. An agent that holds it up for `limit` seconds is interrupted."""

    def __init__(self, thread: LoopThread, limit: float) -> None:
        self._thread = thread
        self._limit = limit
        self._alive = threading.Event()
        self._alive.set()
        self._asked = 0.0
        self._interrupted = False

    def result(self, future: Future[T]) -> T:
        """The result of what was started on the loop, or what it raised.

        Raises TimeoutError when the loop cannot be got back from who holds it up: it is left behind then.
        """
        while True:
            try:
                return result_of(future, min(REPEAT, self._limit))
            except DeadlineExceeded:
                self._look()

    def _look(self) -> None:
        """Ask the loop for a sign of life, or see to it that it gives the one that it was asked for."""
        now = time.monotonic()
        ident = self._thread.thread.ident
        if not self._thread.thread.is_alive():
            raise TimeoutError("the event loop on which the conversations are held beforehand has ended")
        if self._alive.is_set():
            self._alive.clear()
            self._asked, self._interrupted = now, False
            self._thread.loop.call_soon_threadsafe(self._alive.set)
        elif now - self._asked > self._limit and ident is not None:
            if self._interrupted:
                self._leave_behind(ident)
            self._interrupted = True
            self._asked = now - self._limit + min(REPEAT, self._limit)
            interrupt_thread(ident)

    def _leave_behind(self, ident: int) -> None:
        withdraw_interrupt(ident)
        self._thread.given_up = True
        self._thread.loop.set_exception_handler(lambda *_: None)  # what becomes of it concerns nobody
        self._thread.stop()
        raise TimeoutError(
            f"an asynchronous agent held up its event loop for more than {self._limit:g} s without awaiting "
            "anything, and all conversations on it: await what takes long, or make the agent a plain function"
        )
