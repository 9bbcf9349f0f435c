"""Stopping calls that take too long."""

import threading
import time
from contextlib import suppress

import pytest

from grice.loops.deadline import DeadlineExceeded, Interruptible, call_within


@pytest.mark.slow
def test_a_call_that_starts_threads_can_be_interrupted_at_any_moment() -> None:
    """A thread that is just being started must not get the interrupt of the one that starts it."""
    for number in range(40):
        running = threading.Event()

        def work(running: threading.Event = running) -> None:
            running.set()
            while True:
                call_within(10.0, int)  # beside the main thread it is watched by one of its own

        call = Interruptible(work, ())

        def serve(call: Interruptible[None] = call) -> None:
            with suppress(DeadlineExceeded):
                call()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        assert running.wait(60)
        time.sleep(0.0001 * (number % 7))
        call.interrupt()
        thread.join(60)
        assert not thread.is_alive()
