"""What runs on the background loop, and waiting for it from threads and other loops."""

import asyncio
import contextvars
import gc
import threading

import pytest

from grice.loops.background_loop import (
    LoopIsRunning,
    await_result,
    close_portal,
    result_later,
    result_of,
    start,
)
from grice.loops.deadline import DeadlineExceeded

SHOP = contextvars.ContextVar("shop", default="")


async def later(value):
    await asyncio.sleep(0.01)
    return value


async def fails():
    raise OSError("no model")


def test_what_is_started_runs_in_the_callers_context_without_being_waited_for():
    done = threading.Event()

    async def note():
        done.set()
        return SHOP.get(), threading.current_thread().name

    token = SHOP.set("Blue")
    future = start(note())
    SHOP.reset(token)
    assert done.wait(60)
    assert result_of(future, 60) == ("Blue", "grice-agents")


def test_the_result_may_be_asked_for_twice_and_an_exception_is_raised():
    future = start(later(5))
    assert [result_of(future, 60), result_of(future, 60)] == [5, 5]
    with pytest.raises(OSError, match="no model"):
        result_of(start(fails()), 60)


def test_the_wait_ends_after_its_seconds_and_the_task_goes_on():
    go = threading.Event()

    async def waits():
        while not go.is_set():
            await asyncio.sleep(0.01)
        return "done"

    future = start(waits())
    with pytest.raises(DeadlineExceeded):
        result_of(future, 0.05)
    go.set()
    assert result_of(future, 60) == "done"


def test_a_time_out_of_the_task_is_its_own():
    async def times_out():
        raise TimeoutError("the model")

    with pytest.raises(TimeoutError, match="the model"):
        result_of(start(times_out()), 60)


def test_a_cancelled_task_is_an_error():
    future = start(asyncio.sleep(30))
    future.cancel()
    with pytest.raises(RuntimeError, match="was cancelled"):
        result_of(future, 60)


def test_what_would_end_the_loop_is_an_error_of_the_task():
    async def exits():
        raise SystemExit(2)

    with pytest.raises(RuntimeError, match="raised SystemExit"):
        result_of(start(exits()), 60)
    assert result_of(start(later(1)), 60) == 1


def test_waiting_on_the_background_loop_itself_is_refused_at_once():
    started = start(later(1))

    async def waits_for_result():
        return result_of(started, 60)

    async def waits_for_awaitable():
        return await_result(later(1), 60)

    for waits in (waits_for_result, waits_for_awaitable):
        with pytest.raises(LoopIsRunning, match="await it there, or make the call from a thread"):
            result_of(start(waits()), 60)


def test_another_loop_awaits_what_was_started():
    async def main():
        future = start(later(7))
        return await result_later(future), await result_later(future)

    assert asyncio.run(main()) == (7, 7)
    with pytest.raises(OSError, match="no model"):
        asyncio.run(result_later(start(fails())))


def test_the_wait_of_another_loop_does_not_hold_it_up():
    async def main():
        ticks = 0

        async def tick():
            nonlocal ticks
            while True:
                await asyncio.sleep(0)
                ticks += 1

        ticking = asyncio.create_task(tick())
        await result_later(start(later(1)))
        ticking.cancel()
        return ticks

    assert asyncio.run(main()) > 1


def test_cancelling_the_wait_cancels_the_task():
    begun, cancelled = threading.Event(), threading.Event()

    async def hangs():
        begun.set()
        try:
            await asyncio.sleep(300)
        finally:
            cancelled.set()

    async def waits():
        await result_later(start(hangs()))

    async def main():
        waiting = asyncio.create_task(waits())
        while not begun.is_set():
            await asyncio.sleep(0.001)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(main())
    assert cancelled.wait(60)


def test_trio_awaits_what_was_started():
    trio = pytest.importorskip("trio")
    begun, cancelled = threading.Event(), threading.Event()

    async def hangs():
        begun.set()
        try:
            await asyncio.sleep(300)
        finally:
            cancelled.set()

    async def main():
        with trio.CancelScope() as scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(leave_once_begun, scope)
                await result_later(start(hangs()))
        return await result_later(start(later(7)))

    async def leave_once_begun(scope):
        while not begun.is_set():
            await trio.sleep(0.001)
        scope.cancel()

    assert trio.run(main) == 7
    assert cancelled.wait(60)


@pytest.mark.slow
def test_a_task_that_is_cancelled_before_it_begins_leaves_nothing_behind():
    async def main():
        begun = [start(later(n)) for n in range(50)]
        for future in begun:
            future.cancel()

    asyncio.run(main())
    assert await_result(later(7), 60) == 7
    gc.collect()  # a coroutine that nobody awaited would warn


def test_no_time_at_all_gives_no_healthy_loop_up():
    other = start(later(8))
    for _ in range(20):
        with pytest.raises(DeadlineExceeded):
            await_result(asyncio.sleep(30), 0)
    assert result_of(other, 60) == 8


def test_closing_the_loop_ends_every_wait():
    def waits():
        try:
            await_result(asyncio.sleep(30), 30)
        except RuntimeError as error:
            ended.append(str(error))

    ended = []
    threads = [threading.Thread(target=waits) for _ in range(5)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        close_portal()
        threads[0].join(0.05)
    assert ended == ["the agent's task was cancelled"] * 5
    assert await_result(later(7), 60) == 7
