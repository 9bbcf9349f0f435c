"""Stopping a synchronous call that takes too long, in the thread that makes it."""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["DeadlineExceeded", "call_within", "interrupt_thread", "withdraw_interrupt"]

REPEAT = 1.0
"""Seconds after which a call that swallowed the exception is interrupted again; time for it to clean up."""

T = TypeVar("T")


class DeadlineExceeded(BaseException):
    """The call took too long. Not an Exception, so that an agent's `except Exception` cannot swallow it."""


def call_within(seconds: float, function: Callable[..., T], *args: Any) -> T:
    """What `function(*args)` returns. Raises DeadlineExceeded in this thread when it takes longer.

    In the main thread on Unix a blocking system call is interrupted too, unless an earlier alarm of somebody
    else runs, which goes first. Elsewhere the exception arrives when the thread next runs Python code. A call
    that swallowed it all the same is interrupted again, and raises it at its end.
    """
    if seconds <= 0:
        raise DeadlineExceeded
    end = time.monotonic() + seconds
    in_main_thread = threading.current_thread() is threading.main_thread()
    stop = _alarmed if in_main_thread and hasattr(signal, "setitimer") else _watched
    result = stop(seconds, function, args)
    if time.monotonic() > end:
        raise DeadlineExceeded
    return result


# Both ways below are plain functions with one `finally`: the exception can arrive between any two
# instructions, and in a context manager it could arrive before `__exit__` has begun to clean up.


def _alarmed(seconds: float, function: Callable[..., T], args: tuple[Any, ...]) -> T:
    global _running_call
    outer, interval = signal.getitimer(signal.ITIMER_REAL)
    if 0 < outer <= seconds:
        return function(*args)  # somebody else's earlier alarm, such as pytest-timeout's
    started = time.monotonic()
    call, outer_call = _Call(), _running_call
    handler = _get_handler(signal.SIGALRM)
    if handler is not _expire:
        signal.signal(signal.SIGALRM, _expire)
    try:
        _running_call = call
        signal.setitimer(signal.ITIMER_REAL, seconds, REPEAT)
        return function(*args)
    except Exception as error:
        if call.fired:
            raise DeadlineExceeded from error
        raise
    finally:
        _running_call = None  # from here on the alarm raises nothing
        signal.setitimer(signal.ITIMER_REAL, 0)
        if callable(handler) and handler is not _expire:
            signal.signal(signal.SIGALRM, handler)
        if outer:
            left = outer - (time.monotonic() - started)
            signal.setitimer(signal.ITIMER_REAL, max(1e-3, left), interval)
        _running_call = outer_call


try:  # what `signal.getsignal` wraps: the wrapper turns the handler into an enum, which costs ten times more
    from _signal import getsignal as _get_handler  # type: ignore[import-not-found]
except ImportError:
    _get_handler = signal.getsignal


class _Call:
    """A call with an alarm, and whether that has gone off."""

    fired = False


_running_call: _Call | None = None


def _expire(*_: object) -> None:
    """The handler of the alarm. It is slow to install, so it stays when nobody else handles the alarm."""
    if _running_call is not None:
        _running_call.fired = True
        raise DeadlineExceeded


def _watched(seconds: float, function: Callable[..., T], args: tuple[Any, ...]) -> T:
    thread = threading.get_ident()
    over = threading.Event()
    lock = threading.Lock()
    fired = False

    def watch() -> None:
        nonlocal fired
        wait = seconds
        while not over.wait(wait):
            wait = REPEAT
            with lock:
                if not over.is_set():
                    fired = True
                    interrupt_thread(thread)

    threading.Thread(target=watch, name="grice-deadline", daemon=True).start()
    try:
        return function(*args)
    except Exception as error:
        if fired:
            raise DeadlineExceeded from error
        raise
    finally:
        try:
            with lock:
                over.set()
        finally:
            over.set()  # the exception may arrive while this thread waits for the lock
            if fired:
                _take_pending()


def interrupt_thread(thread: int) -> None:
    """Raise DeadlineExceeded in another thread when it next runs Python code."""
    _set_async(ctypes.c_ulong(thread), ctypes.py_object(DeadlineExceeded))


def withdraw_interrupt(thread: int) -> None:
    """Take an interrupt back from a thread that has not run Python code since.

    CPython up to 3.12 keeps every thread checking for it otherwise, and then hangs under `sys.settrace`
    (debuggers, coverage, Hypothesis): only an exception that arrives ends that, so one is sent here.
    """
    _set_async(ctypes.c_ulong(thread), None)
    try:
        interrupt_thread(threading.get_ident())
        _take_pending()
    except DeadlineExceeded:
        return


def _take_pending() -> None:
    """Let an exception arrive that was sent to this thread and is of no use any more."""
    try:
        for _ in range(100):
            time.sleep(0)
    except DeadlineExceeded:
        return


_set_async = ctypes.pythonapi.PyThreadState_SetAsyncExc
