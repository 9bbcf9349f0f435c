"""The background event loop on which asynchronous agents run."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Awaitable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any

from grice.running.deadline import DeadlineExceeded

__all__ = ["await_result", "close_portal", "loop_is_running"]

POLL = 0.05

_lock = threading.Lock()
_portal: Any = None
_manager: Any = None


def loop_is_running() -> bool:
    """Whether an event loop runs in this thread."""
    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and asyncio._get_running_loop() is not None


def await_result(awaitable: Awaitable[Any], seconds: float) -> Any:
    """The result of the awaitable, run on the background loop; the wait polls, so that signals get through.

    Raises DeadlineExceeded after `seconds`, and whatever the awaitable raises. The task is cancelled when
    the wait ends early.
    """
    import time

    async def run() -> Any:
        return await awaitable

    future: Future[Any] = _started_portal().start_task_soon(run)
    end = time.monotonic() + seconds
    try:
        while True:
            left = end - time.monotonic()
            if left <= 0:
                raise DeadlineExceeded
            try:
                return future.result(timeout=min(POLL, left))
            except FutureTimeout:
                if future.done():
                    raise
    finally:
        if not future.done():
            future.cancel()


def _started_portal() -> Any:
    global _portal, _manager
    with _lock:
        if _portal is None:
            from anyio.from_thread import start_blocking_portal

            _manager = start_blocking_portal()
            _portal = _manager.__enter__()
        return _portal


def close_portal() -> None:
    """Stop the background loop when it was started; running tasks are cancelled."""
    global _portal, _manager
    with _lock:
        manager, portal, _portal, _manager = _manager, _portal, None, None
    if manager is not None:
        portal.start_task_soon(portal.stop, True)
        manager.__exit__(None, None, None)


def _forget_after_fork() -> None:
    global _portal, _manager, _lock
    _portal = _manager = None
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)
