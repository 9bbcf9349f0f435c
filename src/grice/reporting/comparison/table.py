"""Measures of a comparison as a table on a terminal, as wide as that is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from grice.experiments.comparison.records import Measure
from grice.reporting.comparison.measure_words import delta, figure, interval, title
from grice.reporting.layout import cells, wrapped

__all__ = ["DECISION_STYLES", "drawn", "has_symbols", "print_measures"]

DECISION_STYLES = {"improved": "green", "regressed": "bold red"}
_SHORTEST_NAME = 9
_INDENT = "  "
_PLAIN = str.maketrans(
    {
        "✓": "ok",
        "○": "o",
        "⚠": "!",
        "✗": "x",
        "▲": "^",
        "▼": "v",
        "△": "(^)",
        "▽": "(v)",
        "─": "-",
        "━": "=",
        "→": "->",
        "±": "+-",
    }
)


def has_symbols(console: Console) -> bool:
    """Whether the encoding of the terminal or file has arrows and marks."""
    return console.encoding.lower().startswith("utf")


def drawn(console: Console, text: str) -> str:
    """The text with arrows and marks in ASCII where the console cannot write them."""
    return text if has_symbols(console) else text.translate(_PLAIN)


class _Column(NamedTuple):
    """One column: heading, a cell a row, whether they stand right; `kept` ones are never left out."""

    heading: str
    rows: tuple[str, ...]
    right: bool = False
    kept: bool = True

    @property
    def width(self) -> int:
        """That of the widest cell."""
        return max(cells(one) for one in (self.heading, *self.rows))


def print_measures(console: Console, first: str, measures: Sequence[Measure]) -> None:
    """A line a measure under the heading `first`.

    What does not fit is left out: the decision in words (the arrow has it), then how many were evaluated. A
    name that is too long for its column goes over several lines.
    """
    names = [title(one) for one in measures]
    columns = _fitting(console, _columns(console, measures), max(map(cells, (first, *names))))
    room = max(console.width - _width(columns) - len(_INDENT), _SHORTEST_NAME)
    width = min(max(map(cells, (first, *names))), room)
    heading = _row(columns, [one.heading for one in columns])
    console.print(Text(f"{_INDENT}{_padded(first, width)}{heading}".rstrip(), style="dim"), soft_wrap=True)
    for number, (name, measure) in enumerate(zip(names, measures, strict=True)):
        *above, last = wrapped(name, width)
        for part in above:
            console.print(Text(f"{_INDENT}{part}"), soft_wrap=True)
        row = _row(columns, [one.rows[number] for one in columns])
        start = Text(f"{_INDENT}{_padded(last, width)}")
        start.append(row.rstrip(), style=DECISION_STYLES.get(measure.decision, ""))
        console.print(start, soft_wrap=True)


def _columns(console: Console, measures: Sequence[Measure]) -> list[_Column]:
    def column(heading: str, texts: Sequence[str], *, right: bool = False, kept: bool = True) -> _Column:
        return _Column(heading, tuple(drawn(console, one) for one in texts), right, kept)

    found = [
        column("Baseline", [figure(one, one.baseline) for one in measures], right=True),
        column("Current", [figure(one, one.current) for one in measures], right=True),
        column("Delta", [delta(one) for one in measures], right=True),
        column("95 % interval", [interval(one) for one in measures]),
        column("", [one.arrow for one in measures]),
    ]
    if any(one.baseline_count or one.current_count for one in measures):
        counts = [_evaluated(one) for one in measures]
        found.insert(2, column("Evaluated", counts, right=True, kept=False))
    decided = [one.decision if one.decision in DECISION_STYLES else "" for one in measures]
    if any(decided):
        found.append(column("", decided, kept=False))
    return found


def _evaluated(measure: Measure) -> str:
    before, after = measure.baseline_count, measure.current_count
    if before is None and after is None:
        return "-"
    return f"{before[1] if before else '-'}, {after[1] if after else '-'}"


def _fitting(console: Console, columns: list[_Column], name: int) -> list[_Column]:
    """The columns without as many of the last that are not kept as it takes for the names to fit."""
    spare = [one for one in columns if not one.kept]
    while spare and len(_INDENT) + name + _width(columns) > console.width:
        left_out = spare.pop()
        columns = [one for one in columns if one is not left_out]
    return columns


def _width(columns: Sequence[_Column]) -> int:
    return sum(one.width + 2 for one in columns)


def _row(columns: Sequence[_Column], texts: Sequence[str]) -> str:
    parts: list[str] = []
    for column, text in zip(columns, texts, strict=True):
        blank = " " * (column.width - cells(text))
        parts.append(f"  {blank}{text}" if column.right else f"  {text}{blank}")
    return "".join(parts)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))
