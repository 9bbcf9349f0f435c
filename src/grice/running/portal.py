"""The background event loop on which asynchronous agents run."""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
from collections.abc import Awaitable, Coroutine
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any

from grice.running.deadline import DeadlineExceeded, interrupt_thread, withdraw_interrupt

__all__ = ["LoopIsRunning", "await_result", "close_portal", "loop_is_running"]

POLL = 0.05
GRACE = 1.0
"""Seconds that a cancelled agent has to clean up before its loop is given up."""


class LoopIsRunning(RuntimeError):
    """The synchronous conversation was used from inside a running event loop."""

    __module__ = "grice"


def loop_is_running() -> bool:
    """Whether an event loop runs in this thread."""
    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and asyncio._get_running_loop() is not None


def await_result(awaitable: Awaitable[Any], seconds: float) -> Any:
    """The result of the awaitable, run on the background loop; the wait polls, so that signals get through.

    Raises DeadlineExceeded after `seconds`, and whatever the awaitable raises. It is cancelled when the wait
    ends early; notes that it adds to its CancelledError are then notes of DeadlineExceeded.
    """
    portal = _started_portal()
    begun, ended = threading.Event(), threading.Event()
    late = DeadlineExceeded()

    async def run() -> tuple[Any, BaseException | None]:
        begun.set()
        try:
            return await awaitable, None
        except BaseException as error:  # handed over as a value: raised here, some would end the loop
            _copy_notes(error, late)
            return None, error
        finally:
            ended.set()

    future = portal.start(run())
    end = time.monotonic() + seconds
    try:
        while True:
            try:
                value, error = future.result(timeout=max(0, min(POLL, end - time.monotonic())))
                break
            except FutureTimeout:
                if time.monotonic() >= end:
                    raise late from None
    finally:
        if not future.done():
            future.cancel()
            if not ended.wait(GRACE):
                _give_up(portal)
                _close_unless(begun, awaitable)
    if error is None:
        return value
    if type(error).__name__ == "CancelledError":
        raise RuntimeError("the agent's task was cancelled") from error
    raise error


def _close_unless(begun: threading.Event, awaitable: Awaitable[Any]) -> None:
    """Close a coroutine that has not begun, on a loop that was given up: it never will."""
    if not begun.is_set() and isinstance(awaitable, Coroutine):
        awaitable.close()


def _copy_notes(source: BaseException, target: BaseException) -> None:
    for note in getattr(source, "__notes__", ()):
        target.add_note(note)


class _Portal:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        import asyncio

        self.loop = asyncio.new_event_loop()
        self.given_up = False
        self.thread = threading.Thread(target=self._serve, name="grice-agents", daemon=True)
        self.thread.start()

    def start(self, coroutine: Any) -> Any:
        """The future of a coroutine that runs from now on, in the context of the caller."""
        import asyncio

        return asyncio.run_coroutine_threadsafe(coroutine, self.loop)

    def stop(self) -> None:
        """Cancel what still runs and end the loop, as far as it listens."""
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.loop.stop)

    def _serve(self) -> None:
        import asyncio

        try:
            with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
                runner.get_loop().run_forever()
        except BaseException:
            if not self.given_up:
                raise


_lock = threading.Lock()
_portal: _Portal | None = None


def _started_portal() -> _Portal:
    global _portal
    with _lock:
        if _portal is None:
            _portal = _Portal()
            atexit.register(close_portal)
        return _portal


def _give_up(portal: _Portal) -> None:
    """Leave a loop behind whose agent does not react, so that it cannot hold up other conversations."""
    global _portal
    with _lock:
        if _portal is portal:
            _portal = None
    portal.given_up = True
    portal.loop.set_exception_handler(lambda *_: None)  # what becomes of it concerns nobody
    portal.stop()
    thread = portal.thread
    if thread.ident is not None:
        interrupt_thread(thread.ident)
        thread.join(POLL)
        if thread.is_alive():  # it waits in a system call: there is nothing to interrupt
            withdraw_interrupt(thread.ident)


def close_portal() -> None:
    """Stop the background loop and cancel what runs on it; the next use starts a new one."""
    global _portal
    atexit.unregister(close_portal)
    with _lock:
        portal, _portal = _portal, None
    if portal is not None:
        portal.stop()
        portal.thread.join(GRACE)


def _forget_after_fork() -> None:
    global _portal, _lock
    _portal = None
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)
