"""An agent's own context manager, in which its conversation is held."""

from __future__ import annotations

import types
from collections.abc import Awaitable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from types import TracebackType
from typing import Any

from grice.agents import BadReturn
from grice.loops.background_loop import await_result
from grice.loops.deadline import DeadlineExceeded
from grice.text import value_text

LONGEST = 60.0
"""Seconds that an asynchronous `around()` has for either end."""


def plain_manager(value: Any) -> AbstractContextManager[Any]:
    """What `around()` returned; an asynchronous manager is entered and left on the background loop.

    Raises BadReturn for what no `with` statement takes.
    """
    manager = checked_manager(value)
    return manager if is_plain(manager) else _OnLoop(manager)


def is_plain(manager: Any) -> bool:
    """Whether a plain `with` takes the manager."""
    return hasattr(type(manager), "__enter__") and hasattr(type(manager), "__exit__")


def checked_manager(value: Any) -> Any:
    """What `around()` returned. Raises BadReturn for what no `with` or `async with` statement takes."""
    kind = type(value)
    if is_plain(value) or (hasattr(kind, "__aenter__") and hasattr(kind, "__aexit__")):
        return value
    if isinstance(value, types.CoroutineType):
        value.close()
    if any(hasattr(kind, name) for name in ("__await__", "__aiter__")):
        raise BadReturn(
            "around() is asynchronous, but no context manager: decorate it with "
            "contextlib.asynccontextmanager, or make it a plain one"
        )
    raise BadReturn(f"around() returned {value_text(value)}, expected a context manager")


class _OnLoop:
    """An asynchronous context manager for a plain `with`."""

    def __init__(self, manager: AbstractAsyncContextManager[Any]) -> None:
        self._manager = manager

    def __enter__(self) -> Any:
        return _done(self._manager.__aenter__())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return bool(_done(self._manager.__aexit__(kind, error, trace)))


def _done(awaitable: Awaitable[Any]) -> Any:
    try:
        return await_result(awaitable, LONGEST)
    except DeadlineExceeded:
        raise TimeoutError(f"it took more than {LONGEST:g} s") from None
