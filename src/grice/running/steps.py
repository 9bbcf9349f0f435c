"""What a conversation does next while a user is played or topics are followed, without doing it.

Generators yield steps, and are sent what came of each; the conversation makes them, waiting or awaiting.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from typing import Any, NamedTuple, TypeVar

from grice.loops.background_loop import LoopIsRunning, loop_is_running, result_later, result_of, start
from grice.loops.deadline import DeadlineExceeded

T = TypeVar("T")

LONGEST = 600.0
"""Seconds after which a wait is given up; LLMs have time-outs of their own, far shorter ones."""


class Say(NamedTuple):
    """The user says something: the agent's reply comes back."""

    text: str


class Wait(NamedTuple):
    """Something asynchronous is waited for: its result comes back."""

    run: Callable[[], Coroutine[Any, Any, Any]]
    close: Callable[[], None]

    @classmethod
    def on(cls, coroutine: Coroutine[Any, Any, Any]) -> Wait:
        """Wait for a coroutine that was made already."""
        return cls(lambda: coroutine, coroutine.close)


Step = Say | Wait
Steps = Generator[Step, Any, T]


def make(steps: Steps[T], say: Callable[[str], Any]) -> T:
    """Make the steps one after the other, waiting for each; the result of the last.

    What is asynchronous runs on Grice's own event loop. Raises what a step raises where nobody catches it,
    and LoopIsRunning inside a running event loop.
    """
    __tracebackhide__ = True
    try:
        step = next(steps)
        while True:
            try:
                came = say(step.text) if isinstance(step, Say) else _waited(step)
            except BaseException as error:
                step = steps.throw(error)
            else:
                step = steps.send(came)
    except StopIteration as stop:
        result: T = stop.value
        return result


async def make_later(steps: Steps[T], say: Callable[[str], Coroutine[Any, Any, Any]], *, here: bool) -> T:
    """The same in a coroutine; `here` has what is asynchronous run on the caller's own event loop."""
    __tracebackhide__ = True
    try:
        step = next(steps)
        while True:
            try:
                if isinstance(step, Say):
                    came = await say(step.text)
                else:
                    came = await _awaited(step, here=here)
            except BaseException as error:
                step = steps.throw(error)
            else:
                step = steps.send(came)
    except StopIteration as stop:
        result: T = stop.value
        return result


def cannot_say(text: str) -> Any:
    """The `say` of steps after the last turn."""
    raise RuntimeError(f"nothing more is said in a conversation that ends, found {text!r}")


async def _awaited(step: Wait, *, here: bool) -> Any:
    from grice.loops.caller import await_within  # few tests are async

    try:
        return await await_within(LONGEST, step.run() if here else result_later(start(step.run())))
    except DeadlineExceeded:
        raise _too_late() from None


def _too_late() -> TimeoutError:
    return TimeoutError(f"an LLM did not answer within {LONGEST:g} s")


def _waited(step: Wait) -> Any:
    if loop_is_running():
        step.close()
        raise LoopIsRunning(
            "the synchronous conversation has to wait for an LLM inside a running event loop: take the "
            "fixture async_conversation (`await async_conversation.simulate(...)`), or make the test a plain "
            "function"
        )
    future = start(step.run())
    try:
        return result_of(future, LONGEST)
    except DeadlineExceeded:
        raise _too_late() from None
    finally:
        future.cancel()
