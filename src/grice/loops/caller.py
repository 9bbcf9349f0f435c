"""Waiting on the caller's own event loop, asyncio's or trio's, which nothing here may block."""

from __future__ import annotations

import contextvars
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from grice.loops.background_loop import copy_notes, in_trio, result_later, start
from grice.loops.deadline import REPEAT, DeadlineExceeded, Interruptible

if TYPE_CHECKING:
    from concurrent.futures import Future

POLL = 0.01

T = TypeVar("T")


async def await_within(seconds: float, awaitable: Awaitable[T]) -> T:
    """The result of the awaitable, in this very task. Raises DeadlineExceeded after `seconds`.

    It is cancelled then; notes that it adds to its CancelledError are then notes of DeadlineExceeded. An
    awaitable that ends itself with a CancelledError of its own is a RuntimeError.
    """
    end = time.monotonic() + seconds
    waiting = _trio_within if in_trio() else _asyncio_within
    result = await waiting(seconds, awaitable)
    if time.monotonic() > end:
        raise DeadlineExceeded  # it blocked the loop, or swallowed the cancellation
    return result


async def _asyncio_within(seconds: float, awaitable: Awaitable[T]) -> T:
    import asyncio

    task = asyncio.current_task()
    deadline = _Deadline(asyncio.get_running_loop(), task, seconds)
    try:
        result = await awaitable
    except BaseException as error:
        deadline.end()
        own = isinstance(error, asyncio.CancelledError) and deadline.alone
        if deadline.passed and (own or _is_the_agents(error)):
            late = DeadlineExceeded()
            copy_notes(error, late)
            raise late from error
        if isinstance(error, asyncio.CancelledError) and not is_cancellation(error):
            raise RuntimeError("the agent's task was cancelled") from error
        raise
    deadline.end()
    return result


class _Deadline:
    """Cancels a task when its time is over, and again and again, in case that it swallows a cancellation.

    This is `asyncio.timeout` with one timer for both, which is made for each turn and each wait for an LLM.
    """

    __slots__ = ("_before", "_handle", "_loop", "_task", "_times", "passed")

    def __init__(self, loop: Any, task: Any, seconds: float) -> None:
        self.passed = False
        self._loop = loop
        self._task = task
        self._before = task.cancelling()
        self._times = 0
        self._handle = loop.call_later(seconds, self._cancel)

    def _cancel(self) -> None:
        self.passed = True
        self._times += 1
        self._task.cancel()
        self._handle = self._loop.call_later(REPEAT, self._cancel)

    def end(self) -> None:
        """Cancel no more, and take back what was."""
        self._handle.cancel()
        for _ in range(self._times):
            self._task.uncancel()

    @property
    def alone(self) -> bool:
        """Whether nobody else cancels the task; asked after the `end`."""
        return bool(self._task.cancelling() <= self._before)


async def _trio_within(seconds: float, awaitable: Awaitable[T]) -> T:
    trio, late = sys.modules["trio"], DeadlineExceeded()
    scope = trio.move_on_after(seconds)
    try:
        with scope:  # out of a group it takes what it cancelled itself
            try:
                return await awaitable
            except BaseException as error:
                copy_notes(error, late)
                raise
    except BaseException as error:
        if scope.cancel_called and _is_the_agents(error):
            raise late from error
        raise
    raise late


def _is_the_agents(error: BaseException) -> bool:
    return not isinstance(error, KeyboardInterrupt) and not is_cancellation(error)


def is_cancellation(error: BaseException) -> bool:
    """Whether the exception cancels the task that runs this, rather than being an agent's own.

    A group does that holds one such: what else is in it was raised while it was cancelled.
    """
    if isinstance(error, GeneratorExit):
        return True  # the coroutine is closed: its loop is gone
    if isinstance(error, BaseExceptionGroup):
        return any(map(is_cancellation, error.exceptions))
    trio, asyncio = sys.modules.get("trio"), sys.modules.get("asyncio")
    if trio is not None and isinstance(error, trio.Cancelled):
        return True
    if asyncio is None or not isinstance(error, asyncio.CancelledError):
        return False
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def await_on_asyncio(awaitable: Awaitable[T]) -> T:
    """The result of what only runs on asyncio: from a task of trio it runs on the background loop."""
    return await result_later(start(_coroutine(awaitable))) if in_trio() else await awaitable


async def _coroutine(awaitable: Awaitable[T]) -> T:
    return await awaitable


def caller_from_thread() -> Callable[..., Any]:
    """`run(function, *args)` for other threads: runs a coroutine function on this loop and waits for it."""
    if in_trio():
        trio = sys.modules["trio"]
        token = trio.lowlevel.current_trio_token()
        return lambda function, *args: trio.from_thread.run(function, *args, trio_token=token)
    import asyncio

    loop = asyncio.get_running_loop()
    return lambda function, *args: asyncio.run_coroutine_threadsafe(function(*args), loop).result()


async def call_in_thread(function: Callable[..., T], *args: Any) -> T:
    """What `function(*args)` returns, called in a thread of its own, in the context of the caller.

    When the wait is cancelled the call is interrupted, as far as it runs Python code, and left behind.
    """
    from concurrent.futures import Future  # with logging, which few runs need

    future: Future[T] = Future()
    future.set_running_or_notify_cancel()  # from here on nobody cancels it: the thread has the last word
    call = Interruptible(function, args)
    context = contextvars.copy_context()

    def serve() -> None:
        with suppress(DeadlineExceeded):  # one that comes after the end of the call
            try:
                result = context.run(call)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

    threading.Thread(target=serve, name="grice-agent", daemon=True).start()
    try:
        return await result_later(future)
    except BaseException:
        if not future.done():
            call.leave_behind()
        raise


async def until_over(over: threading.Event, seconds: float) -> None:
    """Wait until a thread that was left behind says that it is over, at most so long."""
    import asyncio

    end = time.monotonic() + seconds
    while not over.is_set() and time.monotonic() < end:
        await asyncio.sleep(POLL)
