"""How much an action does, counted: a clock would tell of the machine too, and of what else runs on it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def calls_of(action: Callable[..., object], *arguments: object) -> int:
    """How many functions, of Python and of C, `action(*arguments)` calls in this thread.

    What is done once only, such as loading, is to be done before. What one function of C does is not seen.
    """
    return _events(sys.setprofile, sys.getprofile(), {"call", "c_call"}, action, arguments)


def lines_of(action: Callable[..., object], *arguments: object) -> int:
    """How many lines of Python it runs; so a loop that calls nothing counts too."""
    return _events(sys.settrace, sys.gettrace(), {"line"}, action, arguments)


def _events(
    observe: Callable[[Any], None],
    before: Any,
    counted: set[str],
    action: Callable[..., object],
    arguments: tuple[object, ...],
) -> int:
    count = 0

    def note(frame: object, event: str, argument: object) -> object:
        nonlocal count
        count += event in counted
        return note

    observe(note)
    try:
        action(*arguments)
    finally:
        observe(before)
    return count
