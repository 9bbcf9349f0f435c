"""Stopping a synchronous call that takes too long, in the thread that makes it."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

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
    call = Interruptible(function, args)

    def watch() -> None:
        wait = seconds
        while not call.over.wait(wait):
            wait = REPEAT
            call.interrupt()

    _start(threading.Thread(target=watch, name="grice-deadline", daemon=True))
    return call()


class Interruptible(Generic[T]):
    """A call that other threads may interrupt with DeadlineExceeded while it lasts. `over` tells its end."""

    def __init__(self, function: Callable[..., T], args: tuple[Any, ...]) -> None:
        self.over = threading.Event()
        self._function = function
        self._args = args
        self._thread: int | None = None
        self._fired = False
        self._lock = threading.Lock()

    def __call__(self) -> T:
        """Make the call, once. Raises DeadlineExceeded when it was interrupted."""
        try:
            self._thread = threading.get_ident()
            if self._fired:
                raise DeadlineExceeded
            return self._function(*self._args)
        except Exception as error:
            if self._fired:
                raise DeadlineExceeded from error
            raise
        finally:
            try:
                with self._lock:
                    self.over.set()
            finally:
                self.over.set()  # the exception may arrive while this thread waits for the lock
                if self._fired:
                    _take_pending()

    def interrupt(self) -> None:
        """Raise DeadlineExceeded in the call when it next runs Python code."""
        with self._lock:
            if self.over.is_set():
                return
            self._fired = True
            if self._thread is not None:
                interrupt_thread(self._thread)

    def leave_behind(self) -> None:
        """Interrupt the call without waiting for it; one in a long system call is then left alone."""
        _start(threading.Thread(target=self._interrupt_once, name="grice-deadline", daemon=True))

    def _interrupt_once(self) -> None:
        self.interrupt()
        if self.over.wait(REPEAT):
            return
        with self._lock:
            if not self.over.is_set() and self._thread is not None:
                withdraw_interrupt(self._thread)


_starting = threading.Lock()
"""Held while a thread starts: until then it has the number of the one that starts it, in CPython up to 3.12,
and would be given what is meant for that one."""


def _start(thread: threading.Thread) -> None:
    with _starting:
        thread.start()


def interrupt_thread(thread: int) -> None:
    """Raise DeadlineExceeded in another thread when it next runs Python code."""
    with _starting:
        _set_async(thread, DeadlineExceeded)


def withdraw_interrupt(thread: int) -> None:
    """Take an interrupt back from a thread that has not run Python code since.

    CPython up to 3.12 keeps every thread checking for it otherwise, and then hangs under `sys.settrace`
    (debuggers, coverage, Hypothesis): only an exception that arrives ends that, so one is sent here.
    """
    _set_async(thread, None)
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


def _set_async(thread: int, error: type[BaseException] | None) -> None:
    """Have the thread raise the error when it next runs Python code, or take back what it was to raise."""
    import ctypes

    raised = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
