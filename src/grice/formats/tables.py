"""The rows of a table: comma-separated values with a header. Streams, so a file may have any size."""

from __future__ import annotations

import csv
import re
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import BinaryIO, Literal, NamedTuple

from grice.formats.lines import UTF8_MARK
from grice.text import shorten, visible
from grice.user_files import SAVE_AS_UTF8

_SAMPLED = 200
"""The lines that tell whether quotes mean something."""
_MAX_LINE = 10_000_000
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BRACKETS = {"[": "]", "{": "}"}


class TableRow(NamedTuple):
    """A row that is not empty: the `line` on which it begins, from 1, and as many `cells` as the header has.

    `problem` says what is wrong with it, at the `at` line and `column`; its cells are not to be used then.
    `number` counts the rows from 0.
    """

    number: int
    line: int
    cells: list[str]
    problem: str = ""
    at: int = 0
    column: int = 1


class Table:
    """A table that is read from the bytes of a file: iterate over it for its rows.

    `names` are those of its columns, without white space around them; `line` is where they stand. `problems`
    say what is wrong with them, and there are no rows then. An empty file has no names and no problems.
    Garbage is never raised: what cannot be read is a row with a problem, the last one where reading on would
    not make sense.

    With `of_log` the header says what separates the cells, a column without a name is "column 3", and behind
    a row that cannot be read the next line is read as one. Tabs may separate text as databases write it: a
    quote is a quote there, and `\\N` an empty cell.
    """

    def __init__(self, stream: BinaryIO, *, of_log: bool = False) -> None:
        self._lines = _Lines(stream)
        self._of_log = of_log
        self._rows = self._read()
        first = next(self._rows, None)
        self.names: tuple[str, ...] = ()
        self.line = 1
        self.problems: list[TableRow] = []
        if first is not None:
            self.line = first.line
            self.names = tuple(cell.strip() for cell in first.cells)
            if of_log and any(map(_VALUE.fullmatch, self.names)):  # a row, no header
                self._rows = chain([first], self._rows)
                self.names = ("",) * len(self.names)
            if of_log:
                self.names = tuple(name or f"column {n}" for n, name in enumerate(self.names, start=1))
            told = [first._replace(number=0)] if first.problem else []
            self.problems = told or [
                TableRow(0, first.line, [], one, first.line) for one in _header_problems(self.names)
            ]

    def __iter__(self) -> Iterator[TableRow]:
        if self.problems:
            return
        for row in self._rows:
            yield self._checked(row)

    def _checked(self, row: TableRow) -> TableRow:
        if row.problem or len(row.cells) == len(self.names):
            return row
        long = len(row.cells) > len(self.names)
        hint = "; a cell with a comma in it needs double quotes" if long else ""
        problem = f"a row of {len(row.cells)} cells, expected {len(self.names)} as in the header{hint}"
        return row._replace(problem=problem, at=row.line)

    def _read(self) -> Iterator[TableRow]:
        lines = self._lines
        style = self._style() if self._of_log else _COMMAS
        reader = csv.reader(
            lines,
            strict=True,
            delimiter=style.delimiter,
            quoting=style.quoting,
            escapechar="\\" if style.has_escapes else None,
            doublequote=not style.has_escapes,
        )
        index = -1  # the header
        while True:
            line = lines.begin()
            cells: list[str] = []
            problem = ""
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                problem = _explained(error)
            if style.is_escaped:
                cells = [unescaped(cell) for cell in cells]
            why, at, column = lines.bad or (problem, line if problem else 0, 1)
            is_long = index >= 0 and self._of_log and len(lines.row) > 1 and len(cells) != len(self.names)
            if why or is_long or any(cell.strip() for cell in cells):
                yield TableRow(index, line, cells, why, at, column)
                index += 1
            if lines.ended or (problem and not (self._of_log and index > 0)):
                return
            if (problem or is_long) and lines.bad is None:
                lines.again(1)  # a quote that should open nothing may have opened the row

    def _style(self) -> _Style:
        """How the table of a log is written, by its first lines."""
        sample = [*islice(self._lines, _SAMPLED)]
        above = _above(sample)
        header = sample[above] if sample else ""
        delimiter = delimiter_of(header.encode("utf-8", "surrogatepass")) or ","
        style = _COMMAS._replace(delimiter=delimiter)
        if delimiter != "\t":
            text = "".join(sample)
            style = style._replace(
                has_escapes='\\"' in text and '""' not in text.replace(f'{delimiter}""', "")
            )
        if delimiter == "\t":
            rows = [line.rstrip("\r\n").split("\t") for line in sample[above + 1 :]]
            is_escaped = any("\\N" in cells for cells in rows)
            if is_escaped or _is_unquoted(rows):
                style = _Style(delimiter, csv.QUOTE_NONE, is_escaped)
        self._lines.again(above)
        return style


class _Style(NamedTuple):
    delimiter: str
    quoting: Literal[0, 3]
    is_escaped: bool
    has_escapes: bool = False


_COMMAS = _Style(",", csv.QUOTE_MINIMAL, False)


def _above(lines: Sequence[str]) -> int:
    """How many lines stand above the header: Excel's own, comments, and a title with a blank line below."""
    above = 0
    for place, line in enumerate(lines[:8]):
        if "".join(lines[: place + 1]).count('"') % 2:
            continue  # a blank line within a cell
        below = lines[place + 1].strip(_EMPTY) if place + 1 < len(lines) else "none"
        if line.lower().startswith(("sep=", "#")) or not line.strip(_EMPTY) or not below:
            above = place + 1
    return above if above < len(lines) else 0


_EMPTY = ";,\t| \r\n"


def _is_unquoted(rows: Sequence[Sequence[str]]) -> bool:
    """Whether quotes mean nothing in lines, given as the cells between their tabs."""
    if not rows or any(len(cells) != len(rows[0]) for cells in rows):
        return False
    return any(cell.startswith('"') and not _QUOTED.fullmatch(cell) for cells in rows for cell in cells)


_VALUE = re.compile(r"[-+]?\d+(?:[.,]\d+)?|\d[\d:.,/TZ +-]{5,}|(?:\S+\s+){5,}\S+.*")
"""A cell that holds a value: no name of a column is a number, a time or a sentence."""
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}


def unescaped(cell: str) -> str:
    """A cell as databases write it: `\\N` is none."""
    return "" if cell == "\\N" else _ESCAPED.sub(lambda found: _ESCAPES.get(found[1], found[1]), cell)


class _Lines:
    """The lines as text, with their ends, which are part of a value in quotes. They can be read again.

    `row` has those that were read since `begin`, `number` counts them. `bad` is what is wrong with the first
    bad one of the row: why, where and in which column. It has ended where reading on would make no sense.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._waiting: deque[str] = deque()
        self._problems: dict[int, tuple[str, int, int]] = {}
        self._last = -1
        self.number = 0
        self.row: list[str] = []
        self.bad: tuple[str, int, int] | None = None

    @property
    def ended(self) -> bool:
        return self.number == self._last

    def begin(self) -> int:
        """Begin a row; the number of its first line."""
        self.row = []
        self.bad = None
        return self.number + 1

    def again(self, first: int = 0) -> None:
        """Have the lines of this row from the first of these on read again."""
        self._waiting.extendleft(reversed(self.row[first:]))
        self.number -= len(self.row) - first

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self.number == self._last:
            raise StopIteration
        line = self._waiting.popleft() if self._waiting else self._next()
        self.number += 1
        self.row.append(line)
        if self._problems and self.bad is None:
            self.bad = self._problems.get(self.number)
        return line

    def _next(self) -> str:
        try:
            raw = self._stream.readline(_MAX_LINE + 1)
            long = len(raw) > _MAX_LINE
            if long:
                self._skip(raw)
        except (OSError, EOFError, zlib.error) as error:
            self._last = self.number + 1
            return self._bad(f"cannot be read after line {self.number}: {error}", max(1, self.number))
        if not raw:
            raise StopIteration
        if self.number == 0:
            raw = raw.removeprefix(UTF8_MARK)
        if long:
            return self._bad(f"a line longer than {_MAX_LINE // 1_000_000} MB")
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            is_utf_16 = self.number == 0 and raw.startswith(_UTF_16)
            self._last = 1 if is_utf_16 else self._last
            hint = "; it looks like UTF-16" if is_utf_16 else ""
            why = f"not UTF-8: byte 0x{raw[error.start]:02x}{hint}{SAVE_AS_UTF8}"
            instead = self._bad(why, column=len(raw[: error.start].decode("utf-8", "replace")) + 1)
            return instead if is_utf_16 else raw.decode("utf-8", "replace")
        if "\0" in text:
            self._bad("a NUL byte; expected text", column=text.index("\0") + 1)
        return text

    def _bad(self, why: str, at: int = 0, column: int = 1) -> str:
        """Remember what is wrong with the next line; the text that stands for it."""
        self._problems[self.number + 1] = (why, at or self.number + 1, column)
        return "?\n"

    def _skip(self, raw: bytes) -> None:
        while raw and not raw.endswith(b"\n"):
            raw = self._stream.readline(1_000_000)


def delimiter_of(header: bytes) -> str:
    """What separates the names in the header of a table, "" for a text with one name."""
    counts = {mark: header.count(mark.encode()) for mark in (",", ";", "\t", "|")}
    most = max(counts, key=lambda mark: counts[mark])
    return most if counts[most] else ""


def holds_json(cell: str) -> bool:
    """Whether a cell begins with `[` or `{` and ends with its counterpart, as JSON does."""
    bare = cell.strip()
    return bool(bare) and bare[-1] == _BRACKETS.get(bare[0])


def _header_problems(names: tuple[str, ...]) -> list[str]:
    if len(names) == 1 and any(mark in names[0] for mark in ";\t|"):
        return [f"the header is one column {names[0]!r}: expected commas between the columns"]
    problems: list[str] = []
    seen: set[str] = set()
    for number, name in enumerate(names, start=1):
        if not name:
            problems.append(f"column {number} has no name: the first row names the columns")
        elif name in seen:
            shown = shorten(visible(name, newlines=False), 60)
            problems.append(f"column {number}: the column {shown!r} is there twice")
        seen.add(name)
    return problems


def _explained(error: csv.Error) -> str:
    said = str(error)
    if "field limit" in said:
        limit = f"{csv.field_size_limit():,}"
        return f"a cell is longer than {limit} characters; is a quote open that begins in this row?"
    if "new-line character" in said:
        return "its lines end with a carriage return alone: save it with line feeds"
    if "end of data" in said:
        return 'not valid CSV: a quote that opens in this row is not closed: end the cell with "'
    if "expected after" in said:
        return 'not valid CSV: a cell ends at a quote within it: write a quote in a cell twice, ""'
    return f"not valid CSV: {said}; is a quote open that begins in this row?"
