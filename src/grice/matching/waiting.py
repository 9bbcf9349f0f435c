"""Waiting for async checks in a synchronous test, or not waiting yet."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from grice.loops.background_loop import LoopIsRunning, loop_is_running, result_later, result_of, start
from grice.loops.deadline import DeadlineExceeded
from grice.records import Evidence, JsonValue, Judgement, Outcome, Selection, Verdict, errored
from grice.records.verdict import Mode

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")

LONGEST = 600.0
"""Seconds after which an async check is given up; LLMs have time-outs of their own, far shorter ones."""

GRACE = 1.0
"""Seconds that an event loop has to notice that."""


def waited(run: Callable[[], Coroutine[Any, Any, Verdict]], close: Callable[[], None]) -> Verdict:
    """What becomes of an async check, which is run on Grice's own event loop.

    Closes it and raises LoopIsRunning inside a running event loop, which must not be held up.
    """
    if loop_is_running():
        close()
        raise LoopIsRunning(
            "an async check, such as an LLM's, was made by a synchronous expect() in a running event "
            "loop: use `from grice.aio import expect` and `await expect(...)`, as with async_conversation"
        )
    return _result(_started(run, close))


async def awaited(
    run: Callable[[], Coroutine[Any, Any, T]], close: Callable[[], None] = lambda: None
) -> T | Verdict:
    """What becomes of an async check that runs on Grice's own event loop, for a coroutine on any other."""
    try:
        return await result_later(_started(run, close))
    except RuntimeError as error:
        return _broken_off(error)


def _started(run: Callable[[], Coroutine[Any, Any, T]], close: Callable[[], None]) -> Future[T | Verdict]:
    """The future of a check that runs for as long as it may from now on; one that never began is closed."""
    begun = threading.Event()

    async def in_time() -> T | Verdict:
        import asyncio

        begun.set()
        try:
            async with asyncio.timeout(LONGEST):
                return await run()
        except TimeoutError:
            return _too_late()

    try:
        future = start(in_time())
    except BaseException:
        close()
        raise
    future.add_done_callback(lambda _: None if begun.is_set() else close())
    return future


def _result(future: Future[Verdict]) -> Verdict:
    try:
        return result_of(future, LONGEST + GRACE)
    except DeadlineExceeded:  # something holds up the loop
        future.cancel()
        return _too_late()
    except LoopIsRunning:
        raise
    except RuntimeError as error:
        return _broken_off(error)


def _too_late() -> Verdict:
    return errored(f"the check did not answer within {LONGEST:g} s")


def _broken_off(error: RuntimeError) -> Verdict:
    """For a check that was cancelled, such as by the end of the loop that it ran on."""
    return errored(f"the check was broken off before it answered: {error}")


_ELSEWHERE = "the check was begun before os.fork(), and runs in the other process only"


class PendingVerdict:
    """The verdict of a soft check that still runs in the background.

    It settles inside the test at the latest; asking it for anything waits for it. The fields are those of
    `Verdict`.
    """

    __slots__ = ("_complete", "_future", "_process", "_settled")

    outcome: Outcome
    reason: str
    evidence: tuple[Evidence, ...]
    matcher: str
    claim: str
    negated: bool
    mode: Mode
    turn: int | None
    unresolved: bool
    criterion: str
    layer: int | None
    score: float | None
    judgement: Judgement | None
    uncalibrated: bool
    parts: tuple[Verdict, ...]
    visit: int | None
    detail: dict[str, JsonValue]
    trivially_true: bool
    selection: Selection | None

    def __init__(
        self,
        run: Callable[[], Coroutine[Any, Any, Verdict]],
        close: Callable[[], None],
        complete: Callable[[Verdict], Verdict],
    ) -> None:
        self._complete = complete
        self._future = _started(run, close)
        self._process = os.getpid()
        self._settled: Verdict | None = None

    def settle(self) -> Verdict:
        """The verdict, waited for; `error` when the check does not answer."""
        if self._settled is None:
            forked = self._process != os.getpid() and not self._future.done()
            settled = errored(_ELSEWHERE) if forked else _result(self._future)
            self._settled = settled if settled.claim else self._complete(settled)
        return self._settled

    def give_up(self) -> None:
        """Cancel the check, which nobody waits for any more."""
        self._future.cancel()

    def __getattr__(self, name: str) -> Any:
        if name in Verdict.__struct_fields__:
            return getattr(self.settle(), name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __bool__(self) -> bool:
        __tracebackhide__ = True
        return bool(self.settle())

    def __repr__(self) -> str:
        return repr(self._settled) if self._settled is not None else "<PendingVerdict>"
