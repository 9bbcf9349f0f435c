"""Limit how many requests run at once to what the server takes."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from concurrent.futures import Future
from typing import Self
from weakref import WeakSet

BACK_OFF = 0.5
"""What is left of the limit when the server is overloaded."""


_LIMITERS: WeakSet[Limiter] = WeakSet()


class Limiter:
    """Lets from 1 to `most` requests run at once, from any number of event loops and threads.

    The limit begins at `most`. A server that is overloaded halves it, once for all the requests that were
    running together; as many answers as the limit is raise it by one.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._limit = float(most)
        self._round = 0
        self._running = 0
        self._waiting: deque[Future[None]] = deque()
        self._lock = threading.Lock()
        _LIMITERS.add(self)

    @property
    def limit(self) -> int:
        """How many may run at once now."""
        return int(self._limit)

    @property
    def running(self) -> int:
        """How many run now."""
        return self._running

    def slot(self) -> Slot:
        """A place for one request, taken with `async with`; the first to wait is the first to get one."""
        return Slot(self)

    @property
    def round(self) -> int:
        """The number of times it was slowed down."""
        return self._round

    async def enter(self) -> None:
        """Wait for a place."""
        with self._lock:
            if not self._waiting and self._running < self.limit:
                self._running += 1
                return
            place: Future[None] = Future()
            place.set_running_or_notify_cancel()  # who gives places does not mind who still waits
            self._waiting.append(place)
        try:
            await asyncio.wrap_future(place)
        except BaseException:
            with self._lock:
                waits = place in self._waiting
                if waits:
                    self._waiting.remove(place)
            if not waits:  # it was given a place at the same moment
                self.leave()
            raise

    def leave(self) -> None:
        """Give a place back."""
        with self._lock:
            self._running -= 1
            places = self._next_places()
        for place in places:
            place.set_result(None)

    def _next_places(self) -> list[Future[None]]:
        """The places that can be given now; they count as taken."""
        places = []
        while self._waiting and self._running < self.limit:
            self._running += 1
            places.append(self._waiting.popleft())
        return places

    def forget(self) -> None:
        """Forget running and waiting requests after a fork: they are those of the other process."""
        self._lock = threading.Lock()
        self._running = 0
        self._waiting.clear()

    def slow_down(self, begun_in: int) -> None:
        """Note an overload that a request of that round met."""
        with self._lock:
            if begun_in == self._round:
                self._round += 1
                self._limit = max(1.0, self._limit * BACK_OFF)

    def speed_up(self) -> None:
        """Note an answer."""
        with self._lock:
            self._limit = min(float(self._most), self._limit + 1 / self._limit)


class Slot:
    """The place of a request while it runs; one of the two methods tells what became of it."""

    __slots__ = ("_limiter", "_round")

    def __init__(self, limiter: Limiter) -> None:
        self._limiter = limiter
        self._round = 0

    async def __aenter__(self) -> Self:
        await self._limiter.enter()
        self._round = self._limiter.round
        return self

    async def __aexit__(self, *_: object) -> None:
        self._limiter.leave()

    def answered(self) -> None:
        """The server answered."""
        self._limiter.speed_up()

    def overloaded(self) -> None:
        """The server was overloaded, or gave no answer in time."""
        self._limiter.slow_down(self._round)


def _forget_after_fork() -> None:
    for limiter in list(_LIMITERS):
        limiter.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)
