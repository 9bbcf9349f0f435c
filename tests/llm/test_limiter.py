"""How many requests run at once: up, down, in order, across loops and threads, and cancelled."""

import asyncio
import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.llm.limiter import Limiter


def run(limiter, steps):
    """Requests one after the other: True is an answer, False an overload."""

    async def go():
        for step in steps:
            async with limiter.slot() as slot:
                slot.answered() if step else slot.overloaded()

    asyncio.run(go())
    return limiter.limit


def test_an_overload_halves_the_limit_and_answers_raise_it_by_one_a_round():
    limiter = Limiter(100)
    assert run(limiter, [False]) == 50
    assert run(limiter, [False, False]) == 12
    assert run(limiter, [True] * 14) == 13
    assert run(limiter, [True] * 10_000) == 100


@given(st.integers(1, 20), st.lists(st.booleans(), max_size=60))
def test_the_limit_stays_between_one_and_the_most(most, steps):
    limiter = Limiter(most)
    assert 1 <= run(limiter, steps) <= most
    assert limiter.running == 0


def test_requests_that_ran_together_lower_it_once():
    async def go():
        limiter = Limiter(64)
        together = asyncio.Barrier(10)

        async def one():
            async with limiter.slot() as slot:
                await together.wait()
                slot.overloaded()

        await asyncio.gather(*(one() for _ in range(10)))
        return limiter.limit

    assert asyncio.run(go()) == 32


def test_a_lower_limit_holds_for_who_comes_next():
    async def go():
        limiter, at_once, most = Limiter(8), 0, []

        async def one():
            nonlocal at_once
            async with limiter.slot():
                at_once += 1
                most.append(at_once)
                await asyncio.sleep(0)
                at_once -= 1

        async with limiter.slot() as slot:
            slot.overloaded()
        await asyncio.gather(*(one() for _ in range(40)))
        return max(most), limiter.running

    assert asyncio.run(go()) == (4, 0)


def test_the_first_to_wait_is_the_first_to_run():
    async def go():
        limiter, order = Limiter(1), []

        async def one(number):
            async with limiter.slot():
                order.append(number)
                await asyncio.sleep(0)

        await asyncio.gather(*(one(number) for number in range(10)))
        return order

    assert asyncio.run(go()) == list(range(10))


@pytest.mark.parametrize("after_release", [False, True])
def test_who_is_cancelled_while_waiting_takes_no_place(after_release):
    async def go():
        limiter = Limiter(1)

        async def one():
            async with limiter.slot():
                return "ran"

        held = limiter.slot()
        await held.__aenter__()
        waiting = [asyncio.create_task(one()) for _ in range(3)]
        await asyncio.sleep(0)
        if after_release:  # the first has its place already, and has not woken yet
            await held.__aexit__(None, None, None)
            waiting[0].cancel()
        else:
            waiting[0].cancel()
            await asyncio.sleep(0)
            await held.__aexit__(None, None, None)
        results = await asyncio.gather(*waiting, return_exceptions=True)
        return results, limiter.running

    (first, *others), running = asyncio.run(go())
    assert isinstance(first, asyncio.CancelledError)
    assert (others, running) == (["ran", "ran"], 0)


def test_an_exception_gives_the_place_back():
    async def go():
        limiter = Limiter(1)
        for _ in range(3):
            with pytest.raises(RuntimeError):
                async with limiter.slot():
                    raise RuntimeError
        return limiter.running

    assert asyncio.run(go()) == 0


def test_several_loops_in_several_threads_share_it():
    limiter, lock, at_once, most, done = Limiter(3), threading.Lock(), 0, [], []

    async def one():
        nonlocal at_once
        async with limiter.slot() as slot:
            with lock:
                at_once += 1
                most.append(at_once)
            await asyncio.sleep(0)
            with lock:
                at_once -= 1
            slot.answered()
        done.append(1)

    async def go():
        await asyncio.gather(*(one() for _ in range(50)))

    threads = [threading.Thread(target=lambda: asyncio.run(go())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert (len(done), limiter.running) == (200, 0)
    assert max(most) <= 3


def test_a_loop_that_ends_leaves_no_place_taken():
    limiter = Limiter(1)

    async def leave():
        task = asyncio.create_task(wait())
        async with limiter.slot():
            await asyncio.sleep(0)
        return task  # asyncio.run cancels it

    async def wait():
        async with limiter.slot():
            await asyncio.sleep(20)

    asyncio.run(leave())
    assert run(limiter, [True]) == 1
    assert limiter.running == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # that a process with threads forks
def test_what_runs_in_another_process_takes_no_place():
    limiter = Limiter(1)

    async def forks():
        async with limiter.slot():
            child = os.fork()
            if child == 0:
                os._exit(limiter.running)
            return os.waitpid(child, 0)[1]

    assert asyncio.run(forks()) == 0
    assert limiter.running == 0
