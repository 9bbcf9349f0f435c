"""Many conversations at once: as many as are allowed, each kept as soon as it is finished."""

from __future__ import annotations

import asyncio
import gc
import inspect
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import length_hint

from grice.matching.verdicts import error_text
from grice.records import Result
from grice.running.events import ConversationFinished, ConversationStarted, Event
from grice.running.planned_conversations import NotHeld, Observe, Work
from grice.text import value_text

ALLOCATIONS = 300_000

"""After how many new objects Python looks for garbage while conversations are held."""

PULSE = 0.2

"""Seconds after which Ctrl-C is seen at the latest."""


class ObserverFailed(UserWarning):
    """An observer of a run raised; the run goes on without it."""

    __module__ = "grice"


async def hold_all(
    works: Iterable[Work],
    *,
    concurrency: int,
    finish: Callable[[Result], None],
    observe: Observe,
    begin: Callable[[Work], None] = lambda _: None,
) -> bool:
    """Hold every conversation, at most `concurrency` at once; whether none was left for want of a budget.

    Each work goes to `begin` first, and its result to `finish` before the next conversation begins in its
    place. The works are taken as they are needed. When this is cancelled, or `begin` or `finish` raises, all
    conversations that are going on are cancelled and left in an orderly way; they have no result.
    """
    left = iter(works)
    spent = False

    async def worker() -> None:
        nonlocal spent
        for work in left:
            begin(work)
            observe(ConversationStarted(work.id, work.key, work.repeat))
            try:
                held = await work.hold(observe)
            except NotHeld:
                continue
            if held is None:
                spent = True
            else:
                finish(held.result)
                observe(ConversationFinished(held.result, tuple(held.notes)))
            if spent:
                return

    pulse = asyncio.create_task(_pulse())
    try:
        with _fewer_collections():
            async with asyncio.TaskGroup() as group:
                for _ in range(min(concurrency, length_hint(works, concurrency))):
                    group.create_task(worker())
    except BaseExceptionGroup as errors:
        raise _first(errors) from None
    finally:
        pulse.cancel()
    return not spent


async def _pulse() -> None:
    """Wake up the loop now and then: it would see a Ctrl-C that came just before it waits only afterwards."""
    while True:
        await asyncio.sleep(PULSE)


@contextmanager
def _fewer_collections() -> Iterator[None]:
    """Python looks for garbage less often: conversations that go on are none, and cost each time."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], ALLOCATIONS) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _first(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def observed_by(observers: Sequence[Observe]) -> Observe:
    """One observer that tells all of these, one event at a time, whichever thread an event comes from.

    One that raises is told of in a warning, and then left out. Raises TypeError for what is no observer.
    """
    listening = list(observers)
    for one in listening:
        if not callable(one) or inspect.iscoroutinefunction(one):
            raise TypeError(f"an observer is a plain function of an event, found {value_text(one)}")
    telling = threading.RLock()

    def observe(event: Event) -> None:
        with telling:
            for one in tuple(listening):
                try:
                    one(event)
                except Exception as error:  # it is somebody's, and must not cost a conversation
                    listening.remove(one)
                    name = getattr(one, "__name__", type(one).__name__)
                    said = f"the observer {name} raised {error_text(error)}; it is told no more"
                    warnings.warn(ObserverFailed(said), stacklevel=2)

    return observe
