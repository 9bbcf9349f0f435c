"""The background event loop on which asynchronous agents run."""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import ExitStack, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from grice.loops.deadline import DeadlineExceeded, interrupt_thread, withdraw_interrupt

if TYPE_CHECKING:
    from concurrent.futures import Future

POLL = 0.05
GRACE = 1.0
"""Seconds that a cancelled agent has to clean up before its loop is given up."""

T = TypeVar("T")


class LoopIsRunning(RuntimeError):
    """Something that waits was used from inside a running event loop."""

    __module__ = "grice"


def loop_is_running() -> bool:
    """Whether an event loop runs in this thread, asyncio's or trio's."""
    asyncio = sys.modules.get("asyncio")
    return (asyncio is not None and asyncio._get_running_loop() is not None) or in_trio()


def in_trio() -> bool:
    """Whether this is called from a task of trio."""
    trio = sys.modules.get("trio")
    if trio is None:
        return False
    try:
        trio.lowlevel.current_task()
    except (RuntimeError, AttributeError):  # the latter while another thread imports it
        return False
    return True


def start(coroutine: Coroutine[Any, Any, T]) -> Future[T]:
    """The future of a coroutine that runs on the background loop from now on, in the caller's context."""
    return _started_portal().start(_KeepsLoop(coroutine))  # type: ignore[no-any-return]


class _KeepsLoop(Coroutine[Any, Any, T]):
    """A coroutine that does not end its loop, whatever it raises.

    No coroutine around it: one that is cancelled before it begins would leave it behind, never awaited.
    """

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self._coroutine = coroutine

    def __await__(self) -> Any:
        return self._coroutine.__await__()

    def send(self, value: Any) -> Any:
        return self._step(self._coroutine.send, value)

    def throw(self, *args: Any) -> Any:
        return self._step(self._coroutine.throw, *args)

    def close(self) -> None:
        self._coroutine.close()

    def _step(self, step: Callable[..., Any], *args: Any) -> Any:
        try:
            return step(*args)
        except (KeyboardInterrupt, SystemExit) as error:
            raise RuntimeError(f"a task on the background loop raised {type(error).__name__}") from error


def result_of(future: Future[T], seconds: float) -> T:
    """The result of what was started, or what it raised; the wait polls, so that signals get through.

    Raises DeadlineExceeded after `seconds` (the task goes on), RuntimeError when the task was cancelled, and
    LoopIsRunning on the background loop's own thread, which would wait for itself.
    """
    from concurrent.futures import CancelledError

    _refuse_on_portal()
    end = time.monotonic() + seconds
    while True:
        try:
            return future.result(timeout=max(0, min(POLL, end - time.monotonic())))
        except TimeoutError:
            if future.done():  # the task's own
                raise
            if time.monotonic() >= end:
                raise DeadlineExceeded from None
        except CancelledError as error:
            raise RuntimeError("the task on the background loop was cancelled") from error


async def result_later(future: Future[T]) -> T:
    """`result_of` for a coroutine on any loop of asyncio or trio; the task is cancelled when the wait is."""
    waiting = _trio_wait if in_trio() else _asyncio_wait
    try:
        await waiting(future)
    except BaseException:
        future.cancel()
        raise
    if future.cancelled():
        raise RuntimeError("the task on the background loop was cancelled")
    return future.result()


async def _asyncio_wait(future: Future[Any]) -> None:
    import asyncio

    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def tell(_: object) -> None:
        with suppress(RuntimeError):  # the waiting loop is closed: nobody waits any more
            loop.call_soon_threadsafe(done.set)

    future.add_done_callback(tell)
    await done.wait()


async def _trio_wait(future: Future[Any]) -> None:
    trio = sys.modules["trio"]
    token, done = trio.lowlevel.current_trio_token(), trio.Event()

    def tell(_: object) -> None:
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(done.set)

    future.add_done_callback(tell)
    await done.wait()


def await_result(awaitable: Awaitable[Any], seconds: float) -> Any:
    """The result of the awaitable, run on the background loop; the wait polls, so that signals get through.

    Raises DeadlineExceeded after `seconds`, and whatever the awaitable raises. It is cancelled when the wait
    ends early; notes that it adds to its CancelledError are then notes of DeadlineExceeded. Raises
    LoopIsRunning on the background loop's own thread, which would wait for itself.
    """
    _refuse_on_portal(awaitable)
    portal = _started_portal()
    begun, ended = threading.Event(), threading.Event()
    late = DeadlineExceeded()

    async def run() -> tuple[Any, BaseException | None]:
        begun.set()
        try:
            return await awaitable, None
        except BaseException as error:  # handed over as a value: raised here, some would end the loop
            copy_notes(error, late)
            return None, error
        finally:
            ended.set()

    from concurrent.futures import CancelledError

    future = portal.start(run())
    try:
        value, error = _polled(future, time.monotonic() + seconds, late)
    except CancelledError as cancelled:  # its loop was closed before it began
        raise RuntimeError("the agent's task was cancelled") from cancelled
    finally:
        if not future.done():
            future.cancel()
            if not _ends(portal, begun, ended):
                _give_up(portal)
        _close_unless(begun, awaitable)
    if error is None:
        return value
    if type(error).__name__ == "CancelledError":
        raise RuntimeError("the agent's task was cancelled") from error
    raise error


def _polled(future: Future[T], end: float, late: DeadlineExceeded) -> T:
    """The future's result. Raises `late` at the end, in seconds of the monotonic clock."""
    while True:
        try:
            return future.result(timeout=max(0, min(POLL, end - time.monotonic())))
        except TimeoutError:
            if time.monotonic() >= end:
                raise late from None


def _refuse_on_portal(awaitable: Awaitable[Any] | None = None) -> None:
    """Raise LoopIsRunning on the background loop's own thread, which would wait for itself."""
    if _portal is None or threading.get_ident() != _portal.thread.ident:
        return
    if isinstance(awaitable, Coroutine):
        awaitable.close()
    raise LoopIsRunning(
        "a synchronous call waits for something asynchronous inside asynchronous code that Grice runs: "
        "await it there, or make the call from a thread (asyncio.to_thread)"
    )


def _ends(portal: LoopThread, begun: threading.Event, ended: threading.Event) -> bool:
    """Whether a cancelled task ends in time; one that has not begun never does once its loop gets there."""
    reached = threading.Event()
    with suppress(RuntimeError):  # the loop is closed
        portal.loop.call_soon_threadsafe(reached.set)
    return reached.wait(GRACE) and (not begun.is_set() or ended.wait(GRACE))


def _close_unless(begun: threading.Event, awaitable: Awaitable[Any]) -> None:
    """Close a coroutine that has not begun, and never will."""
    if not begun.is_set() and isinstance(awaitable, Coroutine):
        awaitable.close()


def copy_notes(source: BaseException, target: BaseException) -> None:
    """Give one exception the notes of another."""
    for note in getattr(source, "__notes__", ()):
        target.add_note(note)


class LoopThread:
    """An event loop in a thread of its own."""

    def __init__(self, name: str) -> None:
        import asyncio

        self.loop = asyncio.new_event_loop()
        self.given_up = False
        self.thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self.thread.start()

    def start(self, coroutine: Any) -> Any:
        """The future of a coroutine that runs from now on, in the context of the caller."""
        import asyncio

        try:
            return asyncio.run_coroutine_threadsafe(coroutine, self.loop)
        except RuntimeError:  # the loop was closed in between
            coroutine.close()
            raise

    def stop(self) -> None:
        """Cancel what still runs and end the loop, as far as it listens."""
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.loop.stop)

    def _serve(self) -> None:
        try:
            with ExitStack() as ends:  # each of them whatever becomes of the one before
                ends.callback(self.loop.close)
                ends.callback(self._end_threads)
                ends.callback(self._run, self.loop.shutdown_asyncgens)  # they hold connections
                ends.callback(self._end_tasks)
                self.loop.run_forever()
        except BaseException:
            if not self.given_up:
                raise

    def _end_tasks(self) -> None:
        """Cancel what still runs, and wait for it; what does not listen is left behind."""
        import asyncio

        tasks = asyncio.all_tasks(self.loop)
        for task in tasks:
            task.cancel()
        if tasks:
            self._run(partial(asyncio.wait, tasks, timeout=GRACE))

    def _end_threads(self) -> None:
        if not self.given_up:
            self._run(self.loop.shutdown_default_executor)

    def _run(self, function: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        self.loop.run_until_complete(function())


_lock = threading.Lock()
_portal: LoopThread | None = None


def _started_portal() -> LoopThread:
    global _portal
    with _lock:
        if _portal is None or not _portal.thread.is_alive():  # something that nothing may stop ended it
            _portal = LoopThread("grice-agents")
            atexit.register(close_portal)
        return _portal


def _give_up(portal: LoopThread) -> None:
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
