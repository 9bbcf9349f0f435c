"""What a report says, as parts that a renderer draws: for a terminal, as Markdown, as a page.

A document is built once for each kind of report (`reporting/documents/`) and knows nothing of columns, markup
or files. Texts are plain: whatever a model, a file or a user wrote in them is shown and never read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from grice.records import Result, Turn, Verdict
from grice.reporting.figures_text import counted_rate, percent, span
from grice.reporting.graph_drawing import DrawnGraph
from grice.stats.rates import Share

Tone = Literal["", "strong", "faint", "good", "warn", "bad", "mark", "code"]
"""How words are meant: `good`, `warn`, `bad` are what an outcome is, `mark` is evidence in a text."""

Align = Literal["left", "right"]


class Span(msgspec.Struct, frozen=True):
    """Some words in a tone of their own."""

    text: str
    tone: Tone = ""


Words = str | tuple[Span, ...]


def plain(words: Words) -> str:
    """The words without their tones."""
    return words if isinstance(words, str) else "".join(one.text for one in words)


class Line(msgspec.Struct, frozen=True):
    """A line of text; lines `under` it belong to it. A `bullet` has a mark of its own in a list.

    A brief report says `brief`, where there is one, in place of the line and what is under it. `command` is
    what to paste to go on from it, which a page shows with it.
    """

    words: Words
    tone: Tone = ""
    bullet: bool = False
    under: tuple[Line, ...] = ()
    brief: Words = ""
    command: str = ""


class Note(msgspec.Struct, frozen=True):
    """What a reader has to know before the figures."""

    words: Words
    tone: Tone = "warn"


class Figure(msgspec.Struct, frozen=True):
    """A rate with what it is of. `low` and `high` are its 95 % interval (0 to 1), None where there is none.

    `word` stands behind the numbers, as in `78.7% (37/47 passed)`.
    """

    name: str
    passed: int
    of: int
    low: float | None = None
    high: float | None = None
    word: str = ""

    @property
    def rate(self) -> str:
        """`78.7% (37/47)`, `-` of nothing."""
        return counted_rate(Share(self.passed, self.of), self.word)

    @property
    def interval(self) -> str:
        """`65.1% to 88.0%`, "" where there is none."""
        return span(self.low, self.high) if self.of and self.low is not None and self.high is not None else ""

    @property
    def text(self) -> str:
        """`Completion Rate: 78.7% (37/47), 95 % interval 65.1% to 88.0%`."""
        sure = f", 95 % interval {self.interval}" if self.interval else ""
        return f"{self.name}: {self.rate}{sure}"


class Table(msgspec.Struct, frozen=True):
    """Rows of words under their headers; without headers the columns speak for themselves.

    `align` has a side for each column, left beyond it. `first` is how many rows a brief report shows, 0 for
    all; `tones` has a tone for each row, where rows have one. `spare` are the columns that are left out, the
    last first, where there is no room for all. An `overview` says in short what stands in full below it; a
    page leaves it out, which lists that anyhow.
    """

    headers: tuple[str, ...]
    rows: tuple[tuple[Words, ...], ...]
    align: tuple[Align, ...] = ()
    first: int = 0
    tones: tuple[Tone, ...] = ()
    spare: tuple[int, ...] = ()
    overview: bool = False

    def __post_init__(self) -> None:
        width = len(self.headers) or (len(self.rows[0]) if self.rows else 0)
        if any(len(row) != width for row in self.rows):
            raise ValueError(f"every row of the table has {width} cells")


class Code(msgspec.Struct, frozen=True):
    """What can be pasted into a terminal or a file."""

    text: str


class Verdicts(msgspec.Struct, frozen=True):
    """Verdicts with their claims, reasons and judges."""

    verdicts: tuple[Verdict, ...]


class Transcript(msgspec.Struct, frozen=True):
    """Turns of a conversation, the `marked` one set apart, with verdicts at the turns they are about."""

    turns: tuple[Turn, ...]
    marked: int | None = None
    verdicts: tuple[Verdict, ...] = ()


@dataclass(frozen=True)
class Conversations:
    """Results with their conversations, read when they are drawn, once.

    `newly` are the ids of those that failed now and passed before. A brief report shows of those that did not
    pass the turn that failed; `more` did not pass either and are not among the results.
    """

    results: Iterable[Result]
    more: int = 0
    newly: frozenset[str] = frozenset()


class Graph(msgspec.Struct, frozen=True):
    """A topic graph with what happened on it."""

    graph: DrawnGraph


class Point(msgspec.Struct, frozen=True):
    """A rate (0 to 1) of one run in a trend, None where it has none, with its 95 % interval.

    `words` say what it is where that is no rate but an amount, of which this is the share of the largest.
    """

    name: str
    rate: float | None
    low: float | None = None
    high: float | None = None
    words: str = ""

    @property
    def text(self) -> str:
        """`Prompt v2: 78.7%`, `Prompt v2: -`."""
        return f"{self.name}: {self.shown}"

    @property
    def shown(self) -> str:
        """`78.7%`, `-` of nothing."""
        return self.words or percent(self.rate)


class Trend(msgspec.Struct, frozen=True):
    """A figure over runs, the earliest first. `most` says what the top is where that is not 100 %."""

    name: str
    points: tuple[Point, ...]
    most: str = ""


@dataclass(frozen=True)
class Section:
    """Parts under a heading. `folded` ones are evidence, which a page and Markdown open on demand.

    A `quiet` heading leads a part of a section and is no section of its own. `first` is how many parts a
    brief report shows, 0 for all, and none of a section that is `detail`.
    """

    title: str
    parts: tuple[Part, ...]
    folded: bool = True
    quiet: bool = False
    first: int = 0
    detail: bool = False

    def __bool__(self) -> bool:
        """Whether it says anything: it has a part that is no empty section."""
        return any(not isinstance(one, Section) or one for one in self.parts)


Part = Line | Note | Figure | Table | Code | Verdicts | Transcript | Conversations | Graph | Trend | Section


class Answer(msgspec.Struct, frozen=True):
    """The one sentence that a reader wants first, how it is meant, and `more` of it."""

    words: str
    tone: Tone = ""
    more: str = ""


@dataclass(frozen=True)
class Document:
    """A report. `kind` is `experiment`, `comparison`, `gates`, `findings`, `validation`, `drift`, `labels` or
    `scan-comparison`.

    `notes` say what cannot be trusted, and stand directly under the answer. `about` says what it is of,
    `parts` are its evidence, the nearest first, and `steps` what to do next. `pages` are its pages in groups
    with a title: what a link says, and its address, "" for the page itself.
    """

    kind: str
    title: str
    answer: Answer
    about: tuple[Line, ...] = ()
    parts: tuple[Part, ...] = ()
    notes: tuple[Note, ...] = ()
    steps: tuple[Line, ...] = ()
    pages: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()


def lines(texts: Sequence[str], *, bullet: bool = False, tone: Tone = "") -> tuple[Line, ...]:
    """A line for each text."""
    return tuple(Line(text, tone, bullet) for text in texts)


def labelled(label: str, words: Words, width: int = 0) -> Words:
    """The words behind `label:`, which stands in a column of its own where several have one width."""
    spans = (Span(words),) if isinstance(words, str) else words
    return (Span(f"{label + ':':<{width}} ", "faint"), *spans)


def marked_words(
    text: str, marks: Iterable[tuple[int, int]], shown: Callable[[str], str] = str
) -> tuple[Span, ...]:
    """The text with the places of the marks, in order, set apart; each piece as `shown` gives it."""
    spans: list[Span] = []
    position = 0
    for start, end in marks:
        if start >= position:  # else it lies inside the one before it
            spans += [Span(shown(text[position:start])), Span(shown(text[start:end]), "mark")]
            position = end
    return (*spans, Span(shown(text[position:])))
