"""A document on a terminal: the answer, what it is of, then its evidence; as wide as the terminal is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch
from typing import TYPE_CHECKING, TypeVar, cast

from rich.text import Text

from grice.identity import redact_text
from grice.records import Outcome
from grice.reporting.console import Screen, print_verdicts
from grice.reporting.document import (
    Code,
    Conversations,
    Document,
    Figure,
    Graph,
    Line,
    Note,
    Part,
    Section,
    Span,
    Table,
    Tone,
    Transcript,
    Trend,
    Verdicts,
    Words,
    plain,
)
from grice.reporting.layout import cells, transcript_rows
from grice.text import visible

if TYPE_CHECKING:
    from rich.console import Console

TONES: dict[Tone, str] = {
    "": "",
    "strong": "bold",
    "faint": "dim",
    "good": "green",
    "warn": "yellow",
    "bad": "bold red",
    "mark": "bold yellow",
    "code": "",
}
_ANSWERS: dict[Tone, str] = {"good": "bold green", "bad": "bold red", "warn": "bold yellow"}
_T = TypeVar("_T")
_RULE = 66
_NARROWEST = 24
_NARROWEST_COLUMN, _WIDEST_WORD, _WIDEST_MARK = 16, 40, 4
_GAP = 2
_PLAIN = str.maketrans(
    {
        "\u2713": "ok",
        "\u25cb": "o",
        "\u25cf": "*",
        "\u26a0": "!",
        "\u2717": "x",
        "\u25b2": "^",
        "\u25bc": "v",
        "\u25b3": "(^)",
        "\u25bd": "(v)",
        "\u2500": "-",
        "\u2501": "=",
        "\u2192": "->",
        "\u00b1": "+-",
        "\u00bb": ">>",
        "\u00ab": "<<",
    }
)


def print_document(console: Screen, document: Document, *, verbose: bool = False) -> None:
    """The whole document; tables and lists are cut unless it is `verbose`, and say what they left out."""
    bare = not _sets_itself_apart(document.parts)
    if document.answer.words:
        _print_answer(console, document, verbose=verbose)
        if document.title or document.about or bare:
            console.print()
    if document.title:
        _print_words(console, Text(), document.title, style="bold")
        _print_rule(console, "\u2501")
        console.print()
    if document.about:
        print_parts(console, document.about, verbose=verbose)
        if document.title:
            _print_line_between(console)
        elif bare:
            console.print()
    print_parts(console, document.parts, verbose=verbose)
    if document.steps and not console.quiet:
        _print_line_between(console)
        for step in document.steps:
            console.print()
            _print_part(step, console, 0, verbose)


def _print_answer(console: Screen, document: Document, *, verbose: bool) -> None:
    style = _ANSWERS.get(document.answer.tone, "bold")
    _print_words(console, Text(), document.answer.words, style=style)
    if document.answer.more:
        _print_words(console, Text(), document.answer.more)
    print_parts(console, document.notes, verbose=verbose)


def _sets_itself_apart(parts: Sequence[Part]) -> bool:
    """Whether nothing follows, or a part that begins with an empty line."""
    first = parts[0] if parts else Section("-", ())
    return isinstance(first, Section) and bool(first.title) and not first.quiet


def print_parts(console: Screen, parts: Iterable[Part], *, indent: int = 0, verbose: bool = False) -> None:
    """The parts below each other, moved in by so many columns."""
    for part in parts:
        if console.quiet:
            return
        _print_part(part, console, indent, verbose)


@singledispatch
def _print_part(part: Part, _console: Screen, _indent: int, _verbose: bool) -> None:
    raise TypeError(f"a document has no part of type {type(part).__name__}")


@_print_part.register(Line)
def _(part: Line, console: Screen, indent: int, verbose: bool) -> None:
    mark = "- " if part.bullet else ""
    start = Text(" " * indent + mark)
    words, under = (part.brief, ()) if part.brief and not verbose else (part.words, part.under)
    hanging = indent + (len(mark) + _label_width(words) if _label_width(words) else 2)
    _print_words(console, start, words, style=TONES[part.tone], hanging=hanging)
    for one in under:
        _print_part(one, console, indent + 2, verbose)


def _label_width(words: Words) -> int:
    """The columns of the label before the words, under which they do not go on; 0 where there is none."""
    label = words[0] if words and not isinstance(words, str) else Span("")
    return cells(label.text) if label.tone == "faint" and label.text.endswith(" ") else 0


@_print_part.register(Note)
def _(part: Note, console: Screen, indent: int, _verbose: bool) -> None:
    _print_words(console, Text(" " * indent), part.words, style=TONES[part.tone], hanging=indent + 2)


@_print_part.register(Figure)
def _(part: Figure, console: Screen, indent: int, verbose: bool) -> None:
    _print_part(Line(part.text), console, indent, verbose)


@_print_part.register(Code)
def _(part: Code, console: Screen, indent: int, _verbose: bool) -> None:
    for row in redact_text(part.text).split("\n"):
        console.print(Text(" " * indent + visible(row, newlines=False)), soft_wrap=True)


@_print_part.register(Verdicts)
def _(part: Verdicts, console: Screen, _indent: int, _verbose: bool) -> None:
    print_verdicts(console, part.verdicts, turns=True)


@_print_part.register(Transcript)
def _(part: Transcript, console: Screen, indent: int, _verbose: bool) -> None:
    width, keep = console.width - indent, len(part.turns)
    for row in transcript_rows(part.turns, marked=part.marked, width=width, keep=keep):
        style = "red" if row.startswith(">") else ""
        console.print(Text(f"{' ' * indent}{row}", style=style), soft_wrap=True)


@_print_part.register(Conversations)
def _(part: Conversations, console: Screen, indent: int, verbose: bool) -> None:
    from grice.reporting.experiment.excerpt import print_excerpt
    from grice.reporting.experiment.scenario import print_scenario

    for result in part.results:
        calm = result.outcome is Outcome.SKIPPED or (result.outcome is Outcome.PASS and result.counts)
        if verbose or not calm:
            console.print()
            show = print_scenario if verbose else print_excerpt
            show(console, result, newly=result.id in part.newly)
        if console.quiet:
            return
    if part.more:
        console.print()
        more = Line(f"and {part.more:,} more that did not pass; --verbose shows all")
        _print_part(more, console, indent, verbose)


@_print_part.register(Graph)
def _(part: Graph, console: Screen, indent: int, verbose: bool) -> None:
    """The topics with their visits; what a picture would show is told in words."""
    names = [visible(one.name, newlines=False) for one in part.graph.topics]
    width = max(map(cells, names), default=0)
    for name, topic in zip(names, part.graph.topics, strict=True):
        padded = name + " " * (width - cells(name))
        tone: Tone = "" if topic.visits or topic.left else "warn"
        _print_part(Line(f"{padded}  {topic.words}", tone), console, indent, verbose)


@_print_part.register(Trend)
def _(part: Trend, console: Screen, indent: int, verbose: bool) -> None:
    for point in part.points:
        _print_part(Line(point.text), console, indent, verbose)


@_print_part.register(Section)
def _(part: Section, console: Screen, indent: int, verbose: bool) -> None:
    if not part.parts or (part.detail and not verbose):
        return
    if part.title:
        if not part.quiet:
            console.print()
        style = "" if part.quiet else "bold"
        _print_words(console, Text(" " * indent), part.title, style=style, hanging=indent + 2)
    count = len(part.parts) if verbose or not part.first else part.first
    print_parts(console, part.parts[:count], indent=indent + 2, verbose=verbose)
    if count < len(part.parts):
        more = f"and {len(part.parts) - count:,} more lines; --verbose shows all"
        _print_part(Line(more, "faint"), console, indent + 2, verbose)


@_print_part.register(Table)
def _(part: Table, console: Screen, indent: int, verbose: bool) -> None:
    """The rows that are shown, under their headers; what does not fit goes on in its column, else below."""
    if not part.rows:
        return
    count = len(part.rows) if verbose or not part.first else part.first
    columns = len(part.rows[0])
    rows = [[_text(console, cell) for cell in row] for row in part.rows[:count]]
    headers = [_text(console, one) for one in part.headers]
    right = [place < len(part.align) and part.align[place] == "right" for place in range(columns)]
    widths = [
        max(cells(row[place].plain) for row in ([headers] if headers else []) + rows)
        for place in range(columns)
    ]
    least = [
        width if right[place] else _least(row[place] for row in rows) for place, width in enumerate(widths)
    ]
    shown = [*range(columns)]
    spare = list(part.spare)
    while (
        fitted := _fitted(_of(widths, shown), _of(least, shown), console.width - indent)
    ) is None and spare:
        shown.remove(spare.pop())
    if fitted is None:
        _print_stacked(console, headers, rows, indent)
    else:
        headers, right = _of(headers, shown) if headers else [], _of(right, shown)
        rows = [_of(row, shown) for row in rows]
        if headers and any(one.plain for one in headers):
            _print_row(console, headers, fitted, right, indent, "dim")
            line = _drawn(console, "\u2500") * (sum(fitted) + _GAP * (len(fitted) - 1))
            console.print(Text(f"{' ' * indent}{line}"), soft_wrap=True)
        tones = [*part.tones, *[""] * len(rows)]
        for row, tone in zip(rows, tones, strict=False):
            _print_row(console, row, fitted, right, indent, TONES[tone])  # type: ignore[index]
    if count < len(part.rows):
        more = f"and {len(part.rows) - count:,} more; --verbose shows all"
        _print_part(Line(more, "faint"), console, indent, verbose)


def _of(values: Sequence[_T], places: Sequence[int]) -> list[_T]:
    return [values[place] for place in places]


def _least(column: Iterable[Text]) -> int:
    """How narrow a column may be: no word of it is broken, and few lines have a single word."""
    words = [cells(word) for cell in column for word in cell.plain.split()]
    return min(max([_NARROWEST_COLUMN, *words]), _WIDEST_WORD)


def _fitted(widths: Sequence[int], least: Sequence[int], room: int) -> list[int] | None:
    """The widths with the widest columns made narrower until all fit; None where they cannot."""
    found = list(widths)
    excess = sum(found) + _GAP * (len(found) - 1) - room
    while excess > 0:
        spare = [place for place, width in enumerate(found) if width > least[place]]
        if not spare:
            return None
        widest = max(spare, key=lambda place: found[place])
        found[widest] -= 1
        excess -= 1
    return found


def _print_row(
    console: Screen,
    row: Sequence[Text],
    widths: Sequence[int],
    right: Sequence[bool],
    indent: int,
    style: str,
) -> None:
    wrapped = [list(_wrapped(console, cell, width)) for cell, width in zip(row, widths, strict=True)]
    for height in range(max(map(len, wrapped))):
        shown = Text(" " * indent, style=style)
        for place, (pieces, width) in enumerate(zip(wrapped, widths, strict=True)):
            piece = pieces[height] if height < len(pieces) else Text()
            blank = " " * (width - cells(piece.plain))
            gap = " " * _GAP if place else ""
            shown.append(gap + blank if right[place] else gap).append_text(piece)
            shown.append("" if right[place] else blank)
        shown.rstrip()
        console.print(shown, soft_wrap=True)


def _print_stacked(
    console: Screen, headers: Sequence[Text], rows: Sequence[Sequence[Text]], indent: int
) -> None:
    """A block for each row, where a terminal is too narrow for the columns: as many cells a line as fit."""
    names = [*headers] or [Text()] * len(rows[0])
    for first, *rest in rows:
        start, others = Text(" " * indent), names[1:]
        if cells(first.plain) <= _WIDEST_MARK and rest:  # never parted from what it is of
            start = start.append_text(first).append(" " * _GAP)
            first, rest, others = rest[0], rest[1:], others[1:]
        _print_text(console, start, first, indent + 2)
        line = Text()
        for name, cell in zip(others, rest, strict=True):
            said = Text(f"{name.plain}: " if name.plain else "").append_text(cell)
            if not cell.plain:
                continue
            if line.plain and cells(line.plain) + _GAP + cells(said.plain) > console.width - indent - 4:
                _print_text(console, Text(" " * (indent + 2)), line, indent + 4)
                line = Text()
            line = line.append(" " * _GAP).append_text(said) if line.plain else said
        if line.plain:
            _print_text(console, Text(" " * (indent + 2)), line, indent + 4)


def _print_words(
    console: Screen, start: Text, words: Words, *, style: str = "", hanging: int | None = None
) -> None:
    text = _text(console, words)
    text.style = style
    _print_text(console, start, text, cells(start.plain) if hanging is None else hanging)


def _print_text(console: Screen, start: Text, text: Text, hanging: int) -> None:
    """The text behind its start, wrapped under `hanging`."""
    room = max(console.width - max(cells(start.plain), hanging), _NARROWEST)
    for piece in _wrapped(console, text, room):
        console.print(start.copy().append_text(piece), soft_wrap=True)
        start = Text(" " * hanging)


def _wrapped(console: Screen, text: Text, room: int) -> Iterator[Text]:
    if cells(text.plain) <= room:
        yield text
        return
    for piece in text.wrap(cast("Console", console), max(room, 1), tab_size=4):
        piece.rstrip()
        yield piece


def _text(console: Screen, words: Words) -> Text:
    """The words on one line, without secrets and control characters; marks stand between `»` and `«`."""
    spans = (Span(words),) if isinstance(words, str) else words
    clean = redact_text(plain(words))
    if clean != plain(words):
        spans = (Span(clean),)
    found = Text(overflow="fold")
    for span in spans:
        said = _drawn(console, visible(span.text, newlines=False))
        found.append(
            _drawn(console, f"\u00bb{said}\u00ab") if span.tone == "mark" else said, TONES[span.tone]
        )
    return found


def _print_line_between(console: Screen) -> None:
    console.print()
    _print_rule(console, "\u2500")


def _print_rule(console: Screen, sign: str) -> None:
    console.print(Text(_drawn(console, sign) * min(_RULE, console.width)), soft_wrap=True)


def _drawn(console: Screen, text: str) -> str:
    """The text with signs and arrows in ASCII where the console cannot write them."""
    return text if text.isascii() or console.encoding.lower().startswith("utf") else text.translate(_PLAIN)
