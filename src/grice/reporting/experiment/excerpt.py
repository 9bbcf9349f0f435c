"""A result in a few lines: the turn that failed, and why at its place."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from grice.experiments.attempts import UNSEEN, why_not_counted
from grice.matching.failure import headline
from grice.records import Outcome, Result, Turn
from grice.reporting.console import STYLES, Screen, print_line, print_text
from grice.reporting.layout import cells, transcript_rows
from grice.reporting.lines import Line
from grice.reporting.text import marked_turn, reason_text, told_first
from grice.text import shorten, visible

_FIRST, _LAST = 3, 4
"""How many rows of a turn are shown, where it has more than one beyond these."""

_ROWS_OF_A_MESSAGE = 2
_LONGEST_REASON = 400
_MARGIN = "  "


def print_excerpt(console: Screen, result: Result, *, newly: bool = False) -> None:
    """The turn that a report marks, else the last one, folded, with the verdict that decided below it.

    `newly` says that the result failed, and passed in the run before.
    """
    again = f"  (repeat {result.repeat})" if result.repeat > 1 else ""
    mark = "  newly fails" if newly else ""
    key = visible(result.key, newlines=False)
    print_line(console, f"{key}{again}{mark}", style="bold", indent=_MARGIN, hanging=f"{_MARGIN}  ")
    turn = _turn_of(result)
    if turn is not None:
        for row in _folded(turn, console.width - len(_MARGIN)):
            style = "red" if row.startswith(">") else ""
            console.print(Line(f"{_MARGIN}{row}", style=style), soft_wrap=True)
    for outcome, why in _reasons(result, turn):
        start = Line(f"{_MARGIN}     ").append(f"{outcome.value:<10} ", style=STYLES[outcome])
        hanging = " " * cells(start.plain)
        print_text(console, start, shorten(why, _LONGEST_REASON), style="yellow", hanging=hanging)
    if not result.counts:
        said = f"not counted in completion: {why_not_counted(result)}"
        print_line(
            console, shorten(reason_text(said), _LONGEST_REASON), style="yellow", indent=f"{_MARGIN}     "
        )


def _turn_of(result: Result) -> Turn | None:
    turns = result.conversation.turns
    marked = marked_turn(result.verdicts)
    return next((one for one in turns if one.number == marked), turns[-1] if turns else None)


def _folded(turn: Turn, width: int) -> list[str]:
    """The turn in a few rows: how it begins, how many are left out, how it ends."""
    rows = transcript_rows((turn,), marked=turn.number, width=width, rows_each=_ROWS_OF_A_MESSAGE)
    left_out = len(rows) - _FIRST - _LAST
    if left_out <= 1:
        return rows
    return [*rows[:_FIRST], f"> {'':14}... {left_out} more lines", *rows[-_LAST:]]


def _reasons(result: Result, turn: Turn | None) -> Iterator[tuple[Outcome, str]]:
    """What decided, and why, unless the turn says it already."""
    if not result.verdicts:
        unseen = UNSEEN if result.outcome is Outcome.INCONCLUSIVE else "nothing was checked"
        yield result.outcome, unseen
    for verdict in sorted(result.verdicts, key=told_first):
        if verdict.outcome is result.outcome and verdict.mode == "hard":
            failure = turn.failure if turn is not None else None
            if failure is None or failure.message != verdict.reason:
                yield result.outcome, headline(msgspec.structs.replace(verdict, outcome=Outcome.FAIL))
            return
