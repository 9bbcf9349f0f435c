"""A comparison on a terminal: first what changed about the judges, then what they made of the anchors."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grice.judging.drift import Drift, Level
from grice.text import shorten, visible
from grice.validation.drifting.figures import (
    HEADINGS,
    MEANING,
    NUMBERS,
    cells,
    change_text,
    headline,
    noise_text,
    unexplained,
)

__all__ = ["change_lines", "print_drift"]

_STYLES: dict[Level, str] = {"steady": "", "info": "yellow", "warning": "bold yellow", "critical": "bold red"}
_MAX_CELL = 60
_MAX_CHANGE = 200


def print_drift(console: Console, drift: Drift) -> None:
    """What changed, the table of all scenarios, and each drop with how sure it is."""
    for line in change_lines(drift):
        _print(console, line, "bold")
    if not drift.shifts:
        return
    if not drift.changes:
        _print(console, unexplained(drift))
    calm = "bold yellow" if drift.problems else "bold green"
    _print(console, headline(drift), "bold red" if drift.drops else calm)
    console.print()
    console.print(_table(drift))
    console.print()
    _print(console, MEANING, "dim", hanging="")
    for drop in drift.drops:
        said = f"{drop.judge}, {drop.scenario}: {change_text(drop)}, {noise_text(drop)}"
        _print(console, _shown(said, _MAX_CHANGE * 2), "bold red")


def change_lines(drift: Drift) -> Iterator[str]:
    """A line for everything about a judge that is not as it was."""
    for one in drift.changes:
        judge, before, now = (_shown(text, _MAX_CHANGE) for text in (one.judge, one.before, one.now))
        yield f"Changed: the {one.what} of {judge}, {before} -> {now}"


def _table(drift: Drift) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in HEADINGS:
        table.add_column(name, justify="right" if name in NUMBERS else "left", overflow="fold")
    for one in drift.shifts:
        style = "green" if one.delta > 0 and one.level != "steady" else _STYLES[one.level]
        table.add_row(*(Text(_shown(cell, _MAX_CELL)) for cell in cells(one)), style=style)
    return table


def _print(console: Console, text: str, style: str = "", *, hanging: str = "  ") -> None:
    start = ""
    for piece in Text(text, style).wrap(console, max(console.width - len(hanging), 24)):
        console.print(Text(start) + piece, soft_wrap=True)
        start = hanging


def _shown(text: str, limit: int) -> str:
    return shorten(visible(text, newlines=False), limit)
