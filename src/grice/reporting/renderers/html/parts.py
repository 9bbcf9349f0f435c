"""The parts of a document drawn as HTML: for the page of a report, and for pages that a server makes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import count, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grice.identity import redact_text
from grice.matching.redacted import redacted_record
from grice.reporting.document import (
    Figure,
    Graph,
    Line,
    Part,
    Section,
    Span,
    Table,
    Transcript,
    Trend,
    Verdicts,
    Words,
    plain,
)
from grice.reporting.graph_svg import svg
from grice.reporting.renderers.html.conversation import Room, turn_nodes
from grice.reporting.renderers.html.nodes import Node, element, html_of
from grice.reporting.renderers.html.verdicts import Margin, verdict_list
from grice.reporting.trend_svg import trend_svg
from grice.text import visible

if TYPE_CHECKING:
    from jinja2 import Environment


TEMPLATES = Path(__file__).parent / "templates"
"""Where `parts.html` and `page.css` are."""
_NOT_ID = re.compile(r"[^a-z0-9]+")


class PartsDrawing:
    """What the macros of `parts.html` ask for, as `page`. One is of one page: ids are told apart in it."""

    def __init__(self) -> None:
        from markupsafe import Markup

        self.markup = Markup
        self._anchors: dict[str, int] = {}
        self._sections: dict[int, str] = {}
        self._numbers = count(1)

    def anchor(self, kind: str, name: str) -> str:
        """An id that is made of the name, and of no character that means anything."""
        slug = f"{kind}-{_NOT_ID.sub('-', name.lower()).strip('-')[:60]}".rstrip("-")
        number = self._anchors[slug] = self._anchors.get(slug, 0) + 1
        return slug if number == 1 else f"{slug}--{number}"

    def kind(self, part: object) -> str:
        """The name of its macro."""
        return type(part).__name__.lower()

    def grouped(self, parts: Iterable[Part]) -> list[list[Part]]:
        """Lines and figures that follow each other belong together; overviews are left out."""
        groups: list[list[Part]] = []
        parts = (one for one in parts if not (isinstance(one, Table) and one.overview))
        for _, same in groupby(
            parts, key=lambda one: (type(one), one.bullet if isinstance(one, Line) else False)
        ):
            found = list(same)
            groups += [found] if isinstance(found[0], (Line, Figure)) else [[one] for one in found]
        return groups

    def words(self, words: Words) -> Any:
        """Words in their tones, without secrets."""
        spans = (Span(words),) if isinstance(words, str) else words
        clean = redact_text(plain(words))
        if clean != plain(words):
            spans = (Span(clean),)
        return self.markup(html_of(_span(one) for one in spans))

    def clean(self, text: str) -> str:
        """A text without secrets."""
        return redact_text(text)

    def verdicts(self, part: Verdicts) -> Any:
        """A list of verdicts."""
        return self.markup(html_of([verdict_list(redacted_record(part, Verdicts).verdicts)]))

    def transcript(self, part: Transcript) -> Any:
        """Turns that stand by themselves."""
        clean = redacted_record(part, Transcript)
        margin, anchor = Margin(clean.verdicts), f"t{next(self._numbers)}"
        nodes = turn_nodes(clean.turns, margin, anchor, Room(), at=clean.marked)
        return self.markup(html_of(nodes))

    def graph(self, part: Graph) -> Any:
        """The picture of a graph."""
        return self.markup(svg(part.graph, f"g{next(self._numbers)}-"))

    def trend(self, part: Trend) -> Any:
        """The picture of a trend."""
        return self.markup(trend_svg(part, f"g{next(self._numbers)}"))

    def heading(self, section: Section) -> str:
        """The id of a section, the same whenever it is asked for."""
        known = self._sections.get(id(section))
        if known is None:
            known = self._sections[id(section)] = self.anchor("s", section.title)
        return known

    def safe(self, html: str) -> Any:
        """What was drawn here already."""
        return self.markup(html)


def _span(span: Span) -> Node:
    tags = {"mark": "mark", "code": "code", "strong": "b"}
    return (
        element(tags[span.tone], "", span.text)
        if span.tone in tags
        else element("span", span.tone, span.text)
    )


@cache
def parts_environment(*more: Path) -> Environment:
    """Templates of parts, and those of the folders `more`; whatever is put into one is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader((*more, TEMPLATES)),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: visible(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
