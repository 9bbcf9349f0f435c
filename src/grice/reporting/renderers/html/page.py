"""A document as one HTML file: nothing in it is fetched, and nothing that a model said is markup."""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from itertools import count, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec

from grice._version import __version__
from grice.identity import redact_text
from grice.matching.redacted import redacted_record
from grice.records import Evidence, Outcome, Result
from grice.reporting.document import (
    Code,
    Conversations,
    Document,
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
from grice.reporting.figures_text import percent
from grice.reporting.graph_svg import svg
from grice.reporting.renderers.html.conversation import (
    CALM,
    SIGNS,
    Row,
    Shown,
    conversation_nodes,
    conversation_row,
    turn_nodes,
    verdict_list,
)
from grice.reporting.renderers.html.nodes import Node, element, html_of
from grice.reporting.text import marked_turn
from grice.reporting.trend_svg import trend_svg
from grice.text import visible

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["MARK", "MAX_PAGE", "NoJinja", "check_jinja", "html_page"]

MARK = "<!doctype html><!-- drawn by grice -->"
"""How every such file begins: by it Grice knows what it may write over."""
MAX_PAGE = 10_000_000
"""Bytes of conversations in a page, about; then it keeps those that did not pass, and leaves others out."""

_IN_WORDS = 6_000_000
"""Characters of conversations that did not pass which read without JavaScript; more of them are packed."""
_PACK = 500_000
_NOT_ID = re.compile(r"[^a-z0-9]+")
_RANKS = (Outcome.FAIL, Outcome.ERROR, Outcome.INCONCLUSIVE, Outcome.PASS, Outcome.SKIPPED)


class NoJinja(Exception):
    """Jinja2 is not installed; the message says what to do."""


def check_jinja() -> None:
    """Raise NoJinja when pages cannot be made."""
    try:
        import jinja2  # noqa: F401
    except ImportError:
        raise NoJinja("an HTML page needs Jinja2, which is not installed: pip install 'grice[html]'") from None


def html_page(document: Document, stream: BinaryIO, *, most: int = MAX_PAGE) -> None:
    """Write the document as a page of about `most` bytes of conversations.

    Those that did not pass are all in it, and read without JavaScript up to 6 MB of them; of those that
    passed as many as there is room for, packed. Secrets are redacted. Raises NoJinja.
    """
    check_jinja()
    page = _Page(most)
    page.read(document.parts)
    content = page.environment.get_template("page.html").generate(
        document=document, page=page, mark=page.markup(MARK), signs=SIGNS, version=__version__, **_shell()
    )
    for part in content:
        stream.write(part.encode("utf-8", "backslashreplace"))


@dataclass
class _Listed:
    """The conversations of a part as they stand in the page, the worst first."""

    entries: list[_Entry] = field(default_factory=list)

    @property
    def counts(self) -> list[tuple[str, str, int]]:
        """Filters with their words and how many they let through."""
        found = [("newly", "newly fails", sum(one.newly for one in self.entries))]
        found += [(one.value, f"{SIGNS[one]} {one.value}", sum(each.outcome is one for each in self.entries)) for one in _RANKS]
        found.append(("soft", "\u25c7 soft only", sum(one.soft for one in self.entries)))
        return [one for one in found if one[2]]


@dataclass
class _Entry:
    """A conversation in a list: its line, and its body or where it is packed."""

    name: str
    why: str
    anchor: str
    turn: int | None
    outcome: Outcome
    newly: bool
    soft: bool
    line: str
    body: str = ""
    packed: tuple[str, int] | None = None
    left_out: bool = False

    @property
    def rank(self) -> tuple[bool, int, bool]:
        """What newly fails first, what passed last."""
        return not self.newly, _RANKS.index(self.outcome), not self.soft

    @property
    def bad(self) -> bool:
        """Whether it did not pass, nor was skipped."""
        return self.outcome not in CALM


class _Packed:
    """Conversations as compressed JSON in pieces, each of which can be read by itself."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.pieces: list[str] = []
        self.size = 0
        self._open: list[bytes] = []
        self._length = 0

    def add(self, body: Sequence[Node]) -> tuple[str, int]:
        """Take in the body of a conversation; the piece and its place there."""
        encoded = msgspec.json.encode(body)
        at = f"{self.name}{len(self.pieces)}", len(self._open)
        self._open.append(encoded)
        self._length += len(encoded)
        if self._length >= _PACK:
            self.close()
        return at

    def close(self) -> None:
        """Compress what is open."""
        if self._open:
            packed = gzip.compress(b"[" + b",".join(self._open) + b"]", 5, mtime=0)
            self.pieces.append(base64.b64encode(packed).decode())
            self.size += len(self.pieces[-1])
            self._open, self._length = [], 0


class _Page:
    """What a page has to know before its first line: every conversation, read once."""

    def __init__(self, most: int) -> None:
        from markupsafe import Markup

        self.markup = Markup
        self.most = most
        self.lists: dict[int, _Listed] = {}
        self.left_out = 0
        self.without_words = 0
        self._anchors: dict[str, int] = {}
        self._sections: dict[int, str] = {}
        self._numbers = count(1)
        self._written = 0
        self._bad, self._good = _Packed("bad"), _Packed("good")
        self.environment = _environment(self)

    def read(self, parts: Iterable[Part]) -> None:
        """Take in all conversations of the parts."""
        for part in _all_parts(parts):
            if isinstance(part, Conversations):
                entries = [self._entry(one, part.newly) for one in part.results]
                self.lists[id(part)] = _Listed(sorted(entries, key=lambda one: one.rank))
        self._bad.close()
        self._good.close()
        kept = {f"{self._bad.name}{number}" for number in range(len(self._bad.pieces))}
        room = self.most - self._written - self._bad.size
        for number, piece in enumerate(self._good.pieces):
            room -= len(piece)
            if room < 0:
                del self._good.pieces[number:]
                break
            kept.add(f"{self._good.name}{number}")
        for one in self.entries:
            if one.packed is not None and one.packed[0] not in kept:
                one.packed, one.left_out = None, True
                self.left_out += 1

    @property
    def entries(self) -> list[_Entry]:
        """Those of all lists."""
        return [one for listed in self.lists.values() for one in listed.entries]

    @property
    def contents(self) -> list[tuple[str, list[_Entry]]]:
        """The table of contents: what newly fails, then what else did not pass."""
        bad = [one for one in self.entries if one.bad]
        groups = (("Newly fails", [one for one in bad if one.newly]), ("Did not pass", [one for one in bad if not one.newly]))
        if not groups[0][1]:
            groups = (groups[0], ("Did not pass", bad))
        return [one for one in groups if one[1]]

    @property
    def pieces(self) -> Iterator[tuple[str, str]]:
        """What is packed, with its names."""
        for packed in (self._bad, self._good):
            for number, piece in enumerate(packed.pieces):
                yield f"{packed.name}{number}", piece

    def _entry(self, result: Result, newly: frozenset[str]) -> _Entry:
        result = redacted_record(result, Result)
        bad = result.outcome not in CALM
        row = Row(result, bad and result.id in newly, marked_turn(result.verdicts))
        anchor = self._anchor("c", row.name)
        entry = _Entry(
            row.name, row.why, anchor, row.turn, result.outcome, row.newly, row.soft, html_of([conversation_row(row)])
        )
        body = conversation_nodes(result, anchor)
        if bad and self._written < min(_IN_WORDS, self.most):
            entry.body = html_of(body)
            self._written += len(entry.body)
        elif bad:
            entry.packed = self._bad.add(body)
            self.without_words += 1
        elif self._written + self._bad.size + self._good.size < self.most:
            entry.packed = self._good.add(body)
        else:
            entry.left_out = True
            self.left_out += 1
        return entry

    def _anchor(self, kind: str, name: str) -> str:
        """An id that is made of the name, and of no character that means anything."""
        slug = f"{kind}-{_NOT_ID.sub('-', name.lower()).strip('-')[:60]}".rstrip("-")
        number = self._anchors[slug] = self._anchors.get(slug, 0) + 1
        return slug if number == 1 else f"{slug}--{number}"

    # What the templates ask for.

    def kind(self, part: object) -> str:
        """The name of its macro."""
        return type(part).__name__.lower()

    def grouped(self, parts: Iterable[Part]) -> list[list[Part]]:
        """Lines and figures that follow each other belong together."""
        groups: list[list[Part]] = []
        for _, same in groupby(parts, key=lambda one: (type(one), one.bullet if isinstance(one, Line) else False)):
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

    def listed(self, part: Conversations) -> _Listed:
        """The conversations of a part."""
        return self.lists[id(part)]

    def verdicts(self, part: Verdicts) -> Any:
        """A list of verdicts."""
        return self.markup(html_of([verdict_list(redacted_record(part, Verdicts).verdicts)]))

    def transcript(self, part: Transcript) -> Any:
        """Turns that stand by themselves."""
        clean = redacted_record(part, Transcript)
        unfound: dict[int, list[Evidence]] = {}
        nodes = turn_nodes(clean.turns, clean.verdicts, f"t{next(self._numbers)}", Shown(), unfound, marked=clean.marked)
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
            known = self._sections[id(section)] = self._anchor("s", section.title)
        return known

    def safe(self, html: str) -> Any:
        """What was drawn here already."""
        return self.markup(html)


def _span(span: Span) -> Node:
    tags = {"mark": "mark", "code": "code", "strong": "b"}
    return element(tags[span.tone], "", span.text) if span.tone in tags else element("span", span.tone, span.text)


def _all_parts(parts: Iterable[Part]) -> Iterator[Part]:
    for one in parts:
        yield one
        if isinstance(one, Section):
            yield from _all_parts(one.parts)


def _environment(page: _Page) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: visible(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )


_TEMPLATES = Path(__file__).parent / "templates"


@cache
def _shell() -> dict[str, Any]:
    """Style and script, and the policy that lets nothing else in."""
    from markupsafe import Markup

    style, script = ((_TEMPLATES / f"page.{kind}").read_text("utf-8") for kind in ("css", "js"))
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    return {"style": Markup(style), "script": Markup(script), "policy": policy, "percent": percent}  # noqa: S704 - ours


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"
