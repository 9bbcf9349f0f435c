"""Stopping a synchronous call that takes too long, in the thread that makes it."""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["DeadlineExceeded", "deadline"]


class DeadlineExceeded(BaseException):
    """The call took too long. Not an Exception, so that an agent's `except Exception` cannot swallow it."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise DeadlineExceeded in this thread when the block runs longer than `seconds`.

    In the main thread on Unix a blocking system call is interrupted too. Elsewhere the exception arrives
    when the thread next runs Python code. A block that swallowed it all the same raises it at its end.
    """
    if seconds <= 0:
        raise DeadlineExceeded
    started = time.monotonic()
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
        with _alarm(seconds):
            yield
    else:
        with _injected(seconds):
            yield
    if time.monotonic() - started > seconds:
        raise DeadlineExceeded


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    before_remaining, before_interval = signal.getitimer(signal.ITIMER_REAL)
    if before_remaining and before_remaining <= seconds:
        yield  # somebody else's earlier alarm, such as pytest-timeout's, goes first
        return

    def expire(signum: int, frame: object) -> None:
        raise DeadlineExceeded

    started = time.monotonic()
    handler = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if before_remaining:
            left = max(1e-3, before_remaining - (time.monotonic() - started))
            signal.setitimer(signal.ITIMER_REAL, left, before_interval)


@contextmanager
def _injected(seconds: float) -> Iterator[None]:
    thread = ctypes.c_ulong(threading.get_ident())
    lock = threading.Lock()
    done = False

    def expire() -> None:
        with lock:
            if not done:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(DeadlineExceeded))

    timer = threading.Timer(seconds, expire)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            done = True
        timer.cancel()
