"""Call a user's function, which may block, without holding up the loop or the end of the process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")


def in_own_thread(function: Callable[[], T]) -> Future[T]:
    """Call a function in a daemon thread of its own, which is never cancelled; what it returns or raises.

    What no loop may meet, such as SystemExit, is wrapped in a RuntimeError.
    """
    from concurrent.futures import Future

    outcome: Future[T] = Future()
    outcome.set_running_or_notify_cancel()  # from now on cancel() has no effect

    def run() -> None:
        try:
            outcome.set_result(function())
        except BaseException as error:
            ends_loops = isinstance(error, StopIteration) or not isinstance(error, Exception)
            outcome.set_exception(RuntimeError(repr(error)) if ends_loops else error)

    threading.Thread(target=run, name="grice-otherwise", daemon=True).start()
    return outcome
