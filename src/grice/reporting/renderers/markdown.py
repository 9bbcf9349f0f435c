"""A document as Markdown: the answer, its figures, the rest folded away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch
from itertools import groupby

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
from grice.reporting.markdown import code, details, escape, fence, inline, table
from grice.reporting.text import result_text, verdict_lines
from grice.text import shorten

__all__ = ["document_markdown", "mark_of", "parts_markdown"]

_SIGNS: dict[Tone, str] = {"good": "\u2713 ", "bad": "\u2717 ", "warn": "\u25cb "}
_ROWS = 30
_CONVERSATIONS, _LONGEST_CONVERSATION = 10, 4_000
_LONGEST_LINE = 300
_WIDTH = 100


def mark_of(kind: str) -> str:
    """How the Markdown of such a document begins: a job finds by it what it may write over."""
    return f"<!-- grice.{kind} -->"


def document_markdown(document: Document, *, verbose: bool = False) -> str:
    """The document for a pull request or the summary of a job: the answer, its figures, the rest folded away.

    It is brief, and tables and lists have at most 30 rows, so that it fits into a comment; `verbose` shows
    all. Ends with a newline.
    """
    answer = document.answer
    heading = f"### {_SIGNS.get(answer.tone, '')}Grice: {_words(answer.words)}"
    about = "  \n".join(map(_about, document.about))
    notes = _parts(document.notes, verbose=verbose)
    shown = [mark_of(document.kind), heading, _words(answer.more), *notes, about]
    parts = _parts((*document.parts, *document.steps), verbose=verbose)
    return "\n\n".join(part for part in (*shown, *parts) if part) + "\n"


def parts_markdown(parts: Iterable[Part]) -> str:
    """The whole of some parts, for a page that has words of its own around them."""
    return "\n\n".join(part for part in _parts(parts, verbose=True, inner=True) if part)


def _about(line: Line) -> str:
    """The line with what is under it."""
    return "; ".join(_words(one.words) for one in (line, *line.under))


def _parts(parts: Iterable[Part], *, verbose: bool, inner: bool = False) -> Iterator[str]:
    """Each part; neighbours of one kind share a list or a table."""
    most = None if verbose else _ROWS
    for kind, group in groupby(map(_plainest, parts), key=type):
        same = list(group)
        if kind is Line:
            yield _lines([one for one in same if isinstance(one, Line)], most)
        elif kind is Figure:
            yield _figures([one for one in same if isinstance(one, Figure)])
        else:
            for one in same:
                if isinstance(one, Section):
                    yield _section(one, verbose=verbose, inner=inner)
                else:
                    yield _part(one, most)


def _plainest(part: Part) -> Part:
    """A rate without an interval is a line, and stands in the list of its neighbours."""
    return Line(part.text) if isinstance(part, Figure) and not part.interval else part


@singledispatch
def _part(part: Part, _most: int | None) -> str:
    raise TypeError(f"a document has no part of type {type(part).__name__}")


@_part.register
def _(part: Note, _most: int | None) -> str:
    said = _words(part.words)
    return said if part.tone == "faint" else f"**{said}**"


@_part.register
def _(part: Table, most: int | None) -> str:
    headers = list(map(_clean, part.headers or ("",) * len(part.rows[0] if part.rows else ())))
    rows = [list(map(_clean, row)) for row in part.rows[:most]]
    return _with_rest(table(headers, rows, part.align), len(part.rows), most)


@_part.register
def _(part: Code, _most: int | None) -> str:
    return fence(redact_text(part.text))


@_part.register
def _(part: Verdicts, _most: int | None) -> str:
    return fence(redact_text("\n".join(verdict_lines(part.verdicts, turns=True))))


@_part.register
def _(part: Transcript, _most: int | None) -> str:
    rows = transcript_rows(part.turns, marked=part.marked, width=_WIDTH, keep=len(part.turns))
    return fence("\n".join(rows))


@_part.register
def _(part: Conversations, _most: int | None) -> str:
    """What did not pass, each folded under what failed first."""
    shown: list[str] = []
    left_out = part.more
    for one in part.results:
        if one.outcome is Outcome.SKIPPED or (one.outcome is Outcome.PASS and one.counts):
            continue
        if len(shown) < _CONVERSATIONS:
            shown.append(_conversation(one, newly=one.id in part.newly))
        else:
            left_out += 1
    return "\n\n".join([*shown, *([f"and {left_out:,} more that did not pass"] if left_out else [])])


@_part.register
def _(part: Graph, most: int | None) -> str:
    rows = tuple((one.name, one.words) for one in part.graph.topics)
    return _part(Table(("Topic", "Visits"), rows), most)


@_part.register
def _(part: Trend, most: int | None) -> str:
    rows = tuple((one.name, one.shown) for one in part.points)
    return _part(Table((part.name, "Rate"), rows, ("left", "right")), most)


def _section(section: Section, *, verbose: bool, inner: bool) -> str:
    shown = section.parts if verbose or not section.first else section.parts[: section.first]
    left_out = len(section.parts) - len(shown)
    told = (*_parts(shown, verbose=verbose, inner=True), f"and {left_out:,} more lines" if left_out else "")
    body = "\n\n".join(filter(None, told))
    if not body:
        return ""
    title = _clean(section.title)
    if section.quiet or inner:
        return f"{escape(title)}\n\n{body}" if title else body
    return details(title, body) if section.folded else f"#### {escape(title)}\n\n{body}"


def _heading(title: str) -> list[str]:
    return [f"#### {escape(_clean(title))}"] if title else []


def _lines(found: Sequence[Line], most: int | None) -> str:
    shown = [row for one in found[:most] for row in _line(one, most is not None, 0)]
    return _with_rest("\n".join(shown), len(found), most)


def _line(line: Line, brief: bool, depth: int) -> Iterator[str]:
    words, under = (line.brief, ()) if line.brief and brief else (line.words, line.under)
    yield f"{'  ' * depth}- {_words(words)}"
    for one in under:
        yield from _line(one, brief, depth + 1)


def _figures(found: Sequence[Figure]) -> str:
    rows = [(_clean(one.name), one.rate, one.interval) for one in found]
    return table(["", "Rate", "95 % interval"], rows, ["left", "right", "right"])


def _with_rest(shown: str, count: int, most: int | None) -> str:
    return shown if most is None or count <= most else f"{shown}\n\nand {count - most:,} more"


def _conversation(result: Result, *, newly: bool) -> str:
    said = redact_text(result_text(result))
    again = f" (repeat {result.repeat})" if result.repeat > 1 else ""
    mark = " newly fails" if newly else ""
    headline = said.split("\n", 1)[0]
    summary = _clean(f"{result.key}{again}{mark}: {headline}")
    return details(summary, fence(shorten(said, _LONGEST_CONVERSATION)))


def _clean(words: Words) -> str:
    """The words without secrets, cut where they are long; not yet Markdown."""
    return shorten(redact_text(plain(words)), _LONGEST_LINE)


def _words(words: Words) -> str:
    if isinstance(words, str) or redact_text(plain(words)) != plain(words):
        return escape(_clean(words))
    return "".join(_toned(shorten(one.text, _LONGEST_LINE), one.tone) for one in words)


def _toned(text: str, tone: Tone) -> str:
    if tone == "code":
        return code(text)
    said = inline(text)
    return f"**{said}**" if tone in ("strong", "mark", "bad") and said.strip() == said and said else said
