"""Headings, lines and tables of reports on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rich.console import Console
from rich.text import Text

from grice.reporting.console import print_line
from grice.reporting.layout import cells
from grice.text import shorten, visible

__all__ = ["print_heading", "print_rule", "print_table", "print_title"]

_RULE = 66
_SHORTEST_NAME = 24


def print_title(console: Console, text: str) -> None:
    """The title of a report, underlined."""
    console.print(Text(text, style="bold"), soft_wrap=True)
    _print_line_of(console, "\u2501", "=")


def print_rule(console: Console) -> None:
    """A line between the parts of a report."""
    console.print()
    _print_line_of(console, "\u2500", "-")


def print_heading(console: Console, text: str) -> None:
    """The heading of a section, below an empty line; long ones go on under it."""
    console.print()
    print_line(console, visible(text, newlines=False), style="bold", hanging="  ")


def print_table(
    console: Console,
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    align: Sequence[Literal["left", "right"]],
    *,
    indent: str = "  ",
) -> None:
    """Rows of texts under their headers, with a line between; the first column is cut when it is long.

    Columns beyond `align` stand right.
    """
    others = [max(map(cells, column)) for column in zip(headers, *rows, strict=True)][1:]
    room = max(console.width - len(indent) - sum(others) - 2 * len(others), _SHORTEST_NAME)
    named = [(shorten(visible(first, newlines=False), room), *rest) for first, *rest in rows]
    widths = [max(map(cells, column)) for column in zip(headers, *named, strict=True)]
    sides: list[str] = [*align[: len(headers)], *["right"] * (len(headers) - len(align))]
    print_line(console, _row(headers, widths, sides), style="dim", indent=indent)
    line = _drawn(console, "\u2500", "-") * (sum(widths) + 2 * len(widths) - 2)
    console.print(Text(f"{indent}{line}"), soft_wrap=True)
    for row in named:
        console.print(Text(f"{indent}{_row(row, widths, sides)}"), soft_wrap=True)


def _row(row: Sequence[str], widths: Sequence[int], align: Sequence[str]) -> str:
    padded = [
        " " * (width - cells(cell)) + cell if side == "right" else cell + " " * (width - cells(cell))
        for cell, width, side in zip(row, widths, align, strict=True)
    ]
    return "  ".join(padded).rstrip()


def _print_line_of(console: Console, sign: str, plain: str) -> None:
    console.print(Text(_drawn(console, sign, plain) * min(_RULE, console.width)), soft_wrap=True)


def _drawn(console: Console, sign: str, plain: str) -> str:
    """The sign where the console can show it."""
    return sign if console.encoding.lower().startswith("utf") else plain
