"""How many answers of a judge are there, while they are asked for."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

__all__ = ["AskingProgress"]

_STEPS = 10
_MANY = 20
"""From so many answers on progress is told where there is no terminal."""


class AskingProgress:
    """How many answers are there: a bar on a terminal, elsewhere a line at each tenth of many answers."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar: Progress | None = None
        self._told = 0

    def __call__(self, done: int, planned: int) -> None:
        """Tell it."""
        if self._console.is_terminal:
            self._show(done, planned)
        elif planned >= _MANY and _STEPS * done // planned > self._told:
            self._told = _STEPS * done // planned
            self._console.print(Text(f"{done:,}/{planned:,} answers"), soft_wrap=True)

    def _show(self, done: int, planned: int) -> None:
        if self._bar is None:
            columns = (TextColumn("asking"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._bar = Progress(*columns, console=self._console, transient=True, redirect_stdout=False)
            self._bar.add_task("", total=planned)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
