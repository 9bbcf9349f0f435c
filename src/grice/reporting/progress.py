"""How a run goes on, while it does: a line that lives on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, cast

from grice.records import Outcome, Result
from grice.reporting.console import STYLES, PlainScreen, Screen, counted
from grice.reporting.lines import Line
from grice.running.events import (
    ConversationFinished,
    ConversationStarted,
    Event,
    RunFinished,
    RunStarted,
)
from grice.text import shorten, visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

_STEPS = 10
_MANY = 20
"""From so many answers on progress is told where there is no terminal."""
_LONGEST = 160


def progress_on(console: Screen, *, quiet: bool = False, bare: bool = False) -> Callable[[Event], None]:
    """An observer that shows a run's progress on the console; with `quiet` one that shows nothing.

    On a terminal a bar with counts stays at the bottom, elsewhere a line is written at every tenth of the
    run. What does not pass is told as it comes, and first of all what is run; `bare` leaves both to others.
    It may be called from several threads.
    """
    if quiet:
        return _nothing
    if isinstance(console, PlainScreen) or not console.is_terminal:
        return ProgressLines(console, bare=bare)
    return _LiveProgress(console, bare=bare)


def _nothing(event: Event) -> None:
    """Show nothing."""


class _Counts:
    """What is known of a run so far."""

    def __init__(self) -> None:
        self.planned = self.before = self.done = self.in_flight = 0
        self.outcomes: Counter[Outcome] = Counter()

    def take(self, event: Event) -> None:
        """Count the event."""
        if isinstance(event, RunStarted):
            self.planned, self.before = event.planned, event.finished_before
            self.done = event.finished_before
        elif isinstance(event, ConversationStarted):
            self.in_flight += 1
        elif isinstance(event, ConversationFinished):
            self.in_flight = max(0, self.in_flight - 1)
            self.done += 1
            self.outcomes[event.result.outcome] += 1

    @property
    def words(self) -> str:
        """`12 passed, 1 failed`."""
        return ", ".join(counted(one, self.outcomes[one]) for one in Outcome if self.outcomes[one])


class ProgressLines:
    """Progress in plain lines, for logs: at most one for each tenth of the run, and what did not pass."""

    def __init__(self, console: Screen, *, bare: bool = False) -> None:
        self._console = console
        self._bare = bare
        self._counts = _Counts()
        self._told = 0
        self._lock = Lock()

    def __call__(self, event: Event) -> None:
        """Count the event, and write what there is to tell."""
        with self._lock:
            self._counts.take(event)
            if isinstance(event, RunStarted):
                if not self._bare:
                    self._console.print(_opening(event), soft_wrap=True)
                self._told = self._step()
            elif isinstance(event, ConversationFinished):
                if not self._bare:
                    _tell(self._console, event.result)
                if self._step() > self._told:
                    self._told = self._step()
                    self._say()
            elif isinstance(event, RunFinished) and not event.complete:
                self._say("stopped at ")

    def _step(self) -> int:
        return _STEPS * self._counts.done // max(self._counts.planned, 1)

    def _say(self, start: str = "") -> None:
        counts = self._counts
        words = f": {counts.words}" if counts.words else ""
        self._console.print(Line(f"{start}{counts.done}/{counts.planned}{words}"), soft_wrap=True)


class _LiveProgress:
    """A bar at the bottom of a terminal."""

    def __init__(self, console: Console, *, bare: bool = False) -> None:
        self._console = console
        self._bare = bare
        self._counts = _Counts()
        self._bar: Progress | None = None
        self._task = cast("TaskID", 0)
        self._lock = Lock()
        self._shown = 0.0

    def __call__(self, event: Event) -> None:
        """Count the event, and show it."""
        with self._lock:
            self._counts.take(event)
            if isinstance(event, RunStarted):
                if not self._bare:
                    self._console.print(_opening(event), soft_wrap=True)
                self._begin()
            elif isinstance(event, ConversationFinished):
                if not self._bare:
                    _tell(self._console, event.result)
                self._show()
            elif isinstance(event, ConversationStarted):
                self._show()
            elif isinstance(event, RunFinished):
                self._end()

    def _begin(self) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
        self._bar = Progress(*columns, console=self._console, transient=True, redirect_stdout=False)
        self._task = self._bar.add_task("", total=self._counts.planned, completed=self._counts.done)
        self._bar.start()

    def _show(self) -> None:
        now = time.monotonic()
        if self._bar is None or (now - self._shown < _PAUSE and self._counts.in_flight):
            return
        self._shown = now
        flying = f"{self._counts.in_flight} in flight" if self._counts.in_flight else ""
        said = "  ".join(filter(None, (self._counts.words, flying)))
        self._bar.update(self._task, completed=self._counts.done, description=said)

    def _end(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


_PAUSE = 0.05


def _opening(event: RunStarted) -> Line:
    before = f", {event.finished_before} finished before" if event.finished_before else ""
    conversations = f"{event.planned} conversation{'' if event.planned == 1 else 's'}"
    return Line(f"{_line(event.experiment)}: {conversations}{before}")


def _tell(console: Screen, result: Result) -> None:
    """A line for a result that did not pass, with the first reason."""
    if result.outcome in (Outcome.PASS, Outcome.SKIPPED):
        return
    again = f" (repeat {result.repeat})" if result.repeat > 1 else ""
    decided = [one for one in result.verdicts if one.mode == "hard" and one.outcome is result.outcome]
    why = next((one.claim for one in decided), "")
    line = Line().append(f"{result.outcome:<12} ", style=STYLES[result.outcome])
    line.append(f"{_line(result.key)}{again}")
    if why:
        line.append(f"  {shorten(_line(why), _LONGEST)}", style="dim")
    console.print(line, soft_wrap=True)


def _line(text: str) -> str:
    return visible(text, newlines=False)


class AskingProgress:
    """Shows how many answers have come: a bar on a terminal, elsewhere a line at each tenth."""

    def __init__(self, console: Screen) -> None:
        self._console = console
        self._bar: Progress | None = None
        self._told = 0

    def __call__(self, done: int, planned: int) -> None:
        """Tell it."""
        console = self._console
        if not isinstance(console, PlainScreen) and console.is_terminal:
            self._show(console, done, planned)
        elif planned >= _MANY and _STEPS * done // planned > self._told:
            self._told = _STEPS * done // planned
            console.print(Line(f"{done:,}/{planned:,} answers"), soft_wrap=True)

    def _show(self, console: Console, done: int, planned: int) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        if self._bar is None:
            columns = (TextColumn("asking"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._bar = Progress(*columns, console=console, transient=True, redirect_stdout=False)
            self._bar.add_task("", total=planned)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
