"""What `grice run` prints while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import msgspec

from grice.records import Outcome, Result
from grice.reporting.console import Screen, print_line, print_result
from grice.running.events import ConversationFinished, Event, RunFinished, RunStarted

MANY = 50
"""From so many conversations of tests and sets on, those that pass have no line of their own."""

_WIDEST = 60


class NobodyReads(Exception):
    """The output has no reader any more, as in `grice run . | head -1`."""


def labelled(result: Result, names: Mapping[str, str]) -> Result:
    """The result under the name that it is shown with: its key, or what `names` has by stable id."""
    name = label(names.get(result.id, result.key), result.repeat)
    return result if name == result.key else msgspec.structs.replace(result, key=name)


def label(name: str, repeat: int) -> str:
    """The name with the number of the repeat, from the second on."""
    return f"{name} (repeat {repeat})" if repeat > 1 else name


@dataclass
class RunShown:
    """An observer of a run that prints each result, with its transcript when it did not pass.

    `names` are those to print in place of keys, by stable id; `widest` is the length of the longest. `many`
    leaves out the lines of those that passed, unless `verbose`: the progress stands for them, a bar on a
    terminal and a line at each tenth elsewhere. Raises NobodyReads when a result could not be written because
    its reader has left.
    """

    console: Screen
    names: Mapping[str, str] = field(default_factory=dict)
    widest: int = 0
    many: bool = False
    verbose: bool = False
    hints: Callable[[Result], bool] = lambda _: False
    """Whether the causes on the record of a result that did not pass are shown."""
    ends_blank: bool = True
    """Whether nothing was printed since an empty line."""

    def __post_init__(self) -> None:
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
            shown = labelled(result, self.names)
            self.ends_blank = print_result(
                self.console,
                shown,
                verbose=self.verbose,
                key_width=min(_WIDEST, self.widest),
                notes=notes,
                causes=self.hints(result),
            )
        self._progress(event)
        if self.console.quiet:
            raise NobodyReads
