"""Ctrl-C while a scan goes on: it comes between two steps, never inside one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class Stopping:
    """Holds Ctrl-C back while a step must be whole. A context manager, of the main thread only."""

    def __init__(self) -> None:
        self._held = False
        self._asked = False
        self._before: Any = None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let nothing come between. Raises KeyboardInterrupt at its end for a Ctrl-C that came meanwhile."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
        if self._asked:
            self._asked = False
            raise KeyboardInterrupt

    def over(self) -> None:
        """Ask for no more: what is left is the report."""
        self._held = True

    def __enter__(self) -> Stopping:
        current = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is threading.main_thread() and current is signal.default_int_handler:
            self._before = current
            signal.signal(signal.SIGINT, self._interrupted)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None

    def _interrupted(self, _number: int, _frame: FrameType | None) -> None:
        self._asked = True
        if not self._held:
            self._asked = False
            raise KeyboardInterrupt
