"""Serving until the process is asked to end."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue

_ENDING = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def asked_to_end() -> Iterator[Callable[[], None]]:
    """A function that returns once the process was asked to end, by SIGINT or SIGTERM. Main thread only."""
    # A handler may run while this thread is inside the queue, whose `put` is made for that; an Event could
    # be locked by what was interrupted.
    asked: SimpleQueue[int] = SimpleQueue()

    def wait() -> None:
        while True:
            with suppress(Empty):  # Windows handles a signal only between two waits
                asked.get(timeout=0.5)
                return

    before = {each: signal.signal(each, lambda sign, _: asked.put(sign)) for each in _ENDING}
    try:
        yield wait
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
