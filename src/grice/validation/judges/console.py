"""Measurements of judges on a terminal; what agents and judges say is shown as text, never as markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from grice.text import visible
from grice.validation.judges.decisions import Decision
from grice.validation.judges.measuring import JudgeMeasured
from grice.validation.judges.own_examples import CriteriaMeasured, CriterionMeasured, Trial
from grice.validation.judges.wording import (
    CRITERIA_HEADINGS,
    CRITERIA_NOTES,
    JUDGE_HEADINGS,
    criteria_cells,
    criteria_summary,
    disagreement_lines,
    judge_rows,
    judge_summary,
    judges_text,
    other_rows,
    trial_heading,
    trial_lines,
)

__all__ = ["AskingProgress", "print_criteria", "print_judge"]

_LABEL = 8
_SHOWN = 20
_STEPS = 10
_MANY = 20
"""From so many answers on progress is told where there is no terminal."""

_TEXTS = ("criterion",)
_RED, _GREEN, _YELLOW = "bold red", "bold green", "yellow"


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


# -- criteria


def print_criteria(console: Console, found: CriteriaMeasured, *, verbose: bool = False) -> None:
    """The table, and every example that is judged otherwise; with `verbose` every example."""
    if found.measured:
        _print_summary(console, criteria_summary(found), good=found.all_right and found.complete)
        console.print()
        console.print(_criteria_table(found.measured))
        console.print()
        for note in (visible(judges_text(found), newlines=False), *CRITERIA_NOTES):
            _print_line(console, note, style="dim")
    for one in found.measured:
        for note in (one.kappa_note, *one.problems):
            if note:
                _print_note(console, f"{one.criterion.name}: {note}")
    if found.without:
        names = ", ".join(found.without)
        count = len(found.without)
        _print_note(console, f"without examples, so not tried: {count} ({names})")
    shown = [(one, trial) for one in found.measured for trial in one.trials if verbose or not trial.right]
    for one, trial in shown[: None if verbose else _SHOWN]:
        _print_trial(console, one, trial)
    _print_more(console, len(shown) - _SHOWN, verbose=verbose)


def _criteria_table(measured: Sequence[CriterionMeasured]) -> Table:
    table = _table(CRITERIA_HEADINGS, lefts=_TEXTS)
    for one in measured:
        cells = [visible(cell, newlines=False) for cell in criteria_cells(one)]
        table.add_row(*cells, style=_RED if one.wrong or one.broken else "")
    return table


def _print_trial(console: Console, one: CriterionMeasured, trial: Trial) -> None:
    style = _GREEN if trial.right else _RED
    _print_block(console, trial_heading(one, trial), trial_lines(trial), style)


# -- a judge


def print_judge(console: Console, measured: JudgeMeasured, *, verbose: bool = False) -> None:
    """The figures, and what there is to know of them; with `verbose` every disagreement with people."""
    _print_summary(console, judge_summary(measured), good=None)
    console.print()
    table = _table(JUDGE_HEADINGS, lefts=JUDGE_HEADINGS)
    for row in judge_rows(measured):
        table.add_row(*row)
    console.print(table)
    console.print()
    others = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for label, text in other_rows(measured):
        others.add_row(visible(label, newlines=False), visible(text, newlines=False))
    console.print(others)
    console.print()
    _print_about_split(console, measured)
    for note in measured.notes:
        _print_note(console, note)
    apart = measured.disagreements
    if not apart:
        return
    silent = sum(one.value is None for one in apart)
    share = f"{len(apart) - silent:,} of {len(measured.decisions):,}"
    told = f"{share} items judged otherwise than by most people"
    told += f", {silent:,} without an answer" if silent else ""
    _print_line(console, told if verbose else f"{told}; --verbose shows them")
    for one in apart if verbose else ():
        _print_decision(console, one)


def _print_about_split(console: Console, measured: JudgeMeasured) -> None:
    shown = visible(str(measured.split), newlines=False)
    said = (
        f"Held out: the items that count, {measured.held.n:,} of them. dev: those on which prompt and "
        f"criterion may be tuned. Which is which follows from the cluster and the key ({shown}). "
        "95 % intervals."
    )
    _print_line(console, said, style="dim")


def _print_decision(console: Console, one: Decision) -> None:
    half = "dev" if one.dev else "held out"
    style = _YELLOW if one.value is not None else _RED
    _print_block(console, f"{one.item}  {half}", disagreement_lines(one), style)


# -- shared


def _table(headings: Sequence[str], *, lefts: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in headings:
        table.add_column(name, justify="left" if name in lefts else "right", overflow="fold")
    return table


def _print_line(console: Console, text: str, *, style: str = "", hanging: str = "") -> None:
    """One line of plain text, wrapped under `hanging` when it is longer than the console is wide."""
    start = ""
    for piece in Text(text, style=style).wrap(console, max(console.width - len(hanging), 24)):
        console.print(Text(start) + piece, soft_wrap=True)
        start = hanging


def _print_summary(console: Console, text: str, *, good: bool | None) -> None:
    style = "bold" if good is None else _GREEN if good else _RED
    _print_line(console, visible(text, newlines=False), style=style)


def _print_note(console: Console, text: str) -> None:
    _print_line(console, visible(text, newlines=False), style=_YELLOW, hanging="  ")


def _print_block(console: Console, heading: str, lines: Iterable[tuple[str, str]], style: str) -> None:
    console.print()
    console.print(Text(visible(heading, newlines=False), style=style), soft_wrap=True)
    for label, text in lines:
        start = Text(f"  {label:<{_LABEL}}", style="dim")
        room = max(console.width - _LABEL - 2, 24)
        for piece in Text(visible(text), overflow="fold").wrap(console, room):
            console.print(start + piece, soft_wrap=True)
            start = Text(" " * (_LABEL + 2))


def _print_more(console: Console, more: int, *, verbose: bool) -> None:
    if more > 0 and not verbose:
        console.print(f"\nand {more:,} more, shown with --verbose")
