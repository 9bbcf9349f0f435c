"""What `grice run` prints while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import msgspec
from rich.console import Console

from grice.records import Outcome, Result
from grice.reporting.console import print_line, print_result
from grice.running.events import ConversationFinished, Event, RunFinished, RunStarted
from grice.text import visible

MANY = 50
"""From so many conversations of tests and sets on, those that pass have no line of their own."""

_WIDEST = 60


class NobodyReads(Exception):
    """The output has no reader any more, as in `grice run . | head -1`."""


def labelled(result: Result, labels: Mapping[tuple[str, int], str]) -> Result:
    """The result under the name that it is shown with."""
    label = labels.get((result.id, result.repeat), result.key)
    return msgspec.structs.replace(result, key=label)


@dataclass
class RunShown:
    """An observer of a run that prints each result, with its transcript when it did not pass.

    `labels` are the names to print, by stable id and repeat. `many` leaves out the lines of those that
    passed, unless `verbose`: the progress stands for them, a bar on a terminal and a line at each tenth
    elsewhere. Raises NobodyReads when a result could not be written because its reader has left.
    """

    console: Console
    labels: Mapping[tuple[str, int], str]
    many: bool = False
    verbose: bool = False
    hints: Callable[[Result], bool] = lambda _: False
    """Whether the causes on the record of a result that did not pass are shown."""
    ends_blank: bool = True
    """Whether nothing was printed since an empty line."""
    _width: int = field(init=False)

    def __post_init__(self) -> None:
        self._width = min(_WIDEST, max(map(_length, self.labels.values()), default=0))
        self._progress: Callable[[Event], None] = lambda _: None
        if self.many or self.console.is_terminal:
            from grice.reporting.progress import progress_on

            self._progress = progress_on(self.console, quiet=False, bare=True)

    def __call__(self, event: Event) -> None:
        """Print what there is to tell."""
        if isinstance(event, ConversationFinished):
            self._result(event)
            return
        if isinstance(event, RunStarted) and event.finished_before:
            print_line(self.console, f"{event.finished_before} of {event.planned} were finished before")
        if isinstance(event, RunFinished) and not self.ends_blank:
            self.console.print()
        self._progress(event)

    def _result(self, event: ConversationFinished) -> None:
        """Print a result that is finished, with notes on it."""
        result, notes = event.result, event.notes
        if not self.many or self.verbose or notes or result.outcome is not Outcome.PASS:
            shown = labelled(result, self.labels)
            self.ends_blank = print_result(
                self.console,
                shown,
                verbose=self.verbose,
                key_width=self._width,
                notes=notes,
                causes=self.hints(result),
            )
        self._progress(event)
        if self.console.quiet:
            raise NobodyReads


def _length(label: str) -> int:
    return len(visible(label, newlines=False))
