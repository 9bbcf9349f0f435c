"""A document as Markdown: the answer, its figures, the rest folded away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch
from itertools import groupby
from math import inf
from typing import NamedTuple

from grice.identity import redact_text
from grice.records import Outcome, Result
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
    Table,
    Tone,
    Transcript,
    Trend,
    Verdicts,
    Words,
    plain,
)
from grice.reporting.layout import transcript_rows
from grice.reporting.markdown import (
    DETAILS_END,
    code,
    details,
    details_start,
    escape,
    fence,
    inline,
    table,
)
from grice.reporting.text import result_text, verdict_lines
from grice.text import shorten

_SIGNS: dict[Tone, str] = {"good": "\u2713 ", "bad": "\u2717 ", "warn": "\u25cb "}
_WIDTH = 100
_MOST = 65_536
"""Characters of a comment on GitHub, which refuses longer ones. The summary of a job's step holds 1 MiB."""

_ROOM_FOR_THE_REST = 200


class _Cut(NamedTuple):
    """How much is shown, None for all: rows of a table or list, characters of a text, and conversations."""

    rows: int | None = None
    text: int | None = None
    conversations: int | None = None
    conversation: int | None = None


_BRIEF, _WHOLE = _Cut(30, 300, 10, 4_000), _Cut()


class _Block(NamedTuple):
    """A piece of Markdown; what is `inside` it stands between how it begins and how it ends."""

    text: str
    inside: tuple[_Block, ...] = ()
    end: str = ""


def mark_of(kind: str) -> str:
    """How the Markdown of such a document begins: a job finds by it what it may write over."""
    return f"<!-- grice.{kind} -->"


def document_markdown(document: Document, *, verbose: bool = False) -> str:
    """The document for a pull request or the summary of a job: the answer, its figures, the rest folded away.

    It is brief, so that it fits into a comment: tables and lists have at most 30 rows, and of what is more
    than 65,536 characters in all the first is shown, with a line that says how much was left out. `verbose`
    shows all. Ends with a newline.
    """
    answer, cut = document.answer, _WHOLE if verbose else _BRIEF
    heading = f"### {_SIGNS.get(answer.tone, '')}Grice: {_words(answer.words, cut)}"
    about = "  \n".join(_about(line, cut) for line in document.about)
    blocks = (
        *map(_Block, (mark_of(document.kind), heading, _words(answer.more, cut))),
        *_blocks(document.notes, cut),
        _Block(about),
        *_blocks((*document.parts, *document.steps), cut),
    )
    if verbose:
        return "\n\n".join(_fitted(blocks)[0]) + "\n"
    shown, left_out = _fitted(blocks, _MOST - _ROOM_FOR_THE_REST)
    rest = f"Left out: {left_out:,} characters, as a comment holds {_MOST:,}. --verbose or --html shows all."
    return "\n\n".join([*shown, *([rest] if left_out else [])]) + "\n"


def _fitted(blocks: Iterable[_Block], room: float = inf) -> tuple[list[str], int]:
    """What fits of the blocks, in order, and how many characters do not."""
    shown: list[str] = []
    left_out = 0
    for block in blocks:
        ends = len(block.text) + len(block.end) + _BETWEEN
        inside, missing = _fitted(block.inside, room - ends)
        if (block.inside and not inside) or ends > room:
            left_out += missing or len(block.text)
            continue
        left_out += missing
        text = "\n\n".join(filter(None, (block.text, *inside, block.end)))
        if text:
            shown.append(text)
            room -= len(text) + _BETWEEN
    return shown, left_out


_BETWEEN = len("\n\n" * 2)  # blocks, and a block and what is inside it


def _about(line: Line, cut: _Cut) -> str:
    """The line with what is under it."""
    return "; ".join(_words(one.words, cut) for one in (line, *line.under))


def _blocks(parts: Iterable[Part], cut: _Cut, *, inner: bool = False) -> Iterator[_Block]:
    """Each part; neighbours of one kind share a list or a table."""
    for kind, group in groupby(map(_plainest, parts), key=type):
        same = list(group)
        if kind is Line:
            yield _Block(_lines([one for one in same if isinstance(one, Line)], cut))
        elif kind is Figure:
            yield _Block(_figures([one for one in same if isinstance(one, Figure)], cut))
        else:
            for one in same:
                if isinstance(one, Section):
                    yield from _section(one, cut, inner=inner)
                elif isinstance(one, Conversations):
                    yield from _conversations(one, cut)
                else:
                    yield _Block(_part(one, cut))


def _plainest(part: Part) -> Part:
    """A rate without an interval is a line, and stands in the list of its neighbours."""
    return Line(part.text) if isinstance(part, Figure) and not part.interval else part


@singledispatch
def _part(part: Part, _cut: _Cut) -> str:
    raise TypeError(f"a document has no part of type {type(part).__name__}")


@_part.register
def _(part: Note, cut: _Cut) -> str:
    said = _words(part.words, cut)
    return said if part.tone == "faint" else f"**{said}**"


@_part.register
def _(part: Table, cut: _Cut) -> str:
    headers = [_clean(one, cut) for one in part.headers or ("",) * len(part.rows[0] if part.rows else ())]
    rows = [[_clean(cell, cut) for cell in row] for row in part.rows[: cut.rows]]
    return _with_rest(table(headers, rows, part.align), len(part.rows), cut)


@_part.register
def _(part: Code, _cut: _Cut) -> str:
    return fence(redact_text(part.text))


@_part.register
def _(part: Verdicts, _cut: _Cut) -> str:
    return fence(redact_text("\n".join(verdict_lines(part.verdicts, turns=True))))


@_part.register
def _(part: Transcript, _cut: _Cut) -> str:
    rows = transcript_rows(part.turns, marked=part.marked, width=_WIDTH, keep=len(part.turns))
    return fence("\n".join(rows))


@_part.register
def _(part: Graph, cut: _Cut) -> str:
    rows = tuple((one.name, one.words) for one in part.graph.topics)
    return _part(Table(("Topic", "Visits"), rows), cut)


@_part.register
def _(part: Trend, cut: _Cut) -> str:
    rows = tuple((one.name, one.shown) for one in part.points)
    return _part(Table((part.name, "Rate"), rows, ("left", "right")), cut)


def _section(section: Section, cut: _Cut, *, inner: bool) -> Iterator[_Block]:
    shown = section.parts if cut is _WHOLE or not section.first else section.parts[: section.first]
    left_out = len(section.parts) - len(shown)
    more = _Block(f"and {left_out:,} more lines" if left_out else "")
    inside = tuple(one for one in (*_blocks(shown, cut, inner=True), more) if one.text or one.inside)
    if not inside:
        return
    title = _clean(section.title, cut)
    if section.quiet or inner:
        yield _Block(escape(title), inside)
    elif section.folded:
        yield _Block(details_start(title), inside, DETAILS_END)
    else:
        yield _Block(f"#### {escape(title)}", inside)


def _conversations(part: Conversations, cut: _Cut) -> Iterator[_Block]:
    """What did not pass, each folded under what failed first."""
    shown, left_out = 0, part.more
    for one in part.results:
        if one.outcome is Outcome.SKIPPED or (one.outcome is Outcome.PASS and one.counts):
            continue
        if cut.conversations is None or shown < cut.conversations:
            yield _conversation(one, cut, newly=one.id in part.newly)
            shown += 1
        else:
            left_out += 1
    yield _Block(f"and {left_out:,} more that did not pass" if left_out else "")


def _lines(found: Sequence[Line], cut: _Cut) -> str:
    shown = [row for one in found[: cut.rows] for row in _line(one, cut, 0)]
    return _with_rest("\n".join(shown), len(found), cut)


def _line(line: Line, cut: _Cut, depth: int) -> Iterator[str]:
    words, under = (line.brief, ()) if line.brief and cut is not _WHOLE else (line.words, line.under)
    yield f"{'  ' * depth}- {_words(words, cut)}"
    for one in under:
        yield from _line(one, cut, depth + 1)


def _figures(found: Sequence[Figure], cut: _Cut) -> str:
    rows = [(_clean(one.name, cut), one.rate, one.interval) for one in found]
    return table(["", "Rate", "95 % interval"], rows, ["left", "right", "right"])


def _with_rest(shown: str, count: int, cut: _Cut) -> str:
    return shown if cut.rows is None or count <= cut.rows else f"{shown}\n\nand {count - cut.rows:,} more"


def _conversation(result: Result, cut: _Cut, *, newly: bool) -> _Block:
    said = redact_text(result_text(result))
    again = f" (repeat {result.repeat})" if result.repeat > 1 else ""
    mark = " newly fails" if newly else ""
    headline = said.split("\n", 1)[0]
    summary = _clean(f"{result.key}{again}{mark}: {headline}", cut)
    return _Block(details(summary, fence(_shortened(said, cut.conversation))))


def _clean(words: Words, cut: _Cut) -> str:
    """The words without secrets, cut where they are long; not yet Markdown."""
    return _shortened(redact_text(plain(words)), cut.text)


def _shortened(text: str, longest: int | None) -> str:
    return text if longest is None else shorten(text, longest)


def _words(words: Words, cut: _Cut) -> str:
    if isinstance(words, str) or redact_text(plain(words)) != plain(words):
        return escape(_clean(words, cut))
    return "".join(_toned(_shortened(one.text, cut.text), one.tone) for one in words)


def _toned(text: str, tone: Tone) -> str:
    if tone == "code":
        return code(text)
    said = inline(text)
    return f"**{said}**" if tone in ("strong", "mark", "bad") and said.strip() == said and said else said
