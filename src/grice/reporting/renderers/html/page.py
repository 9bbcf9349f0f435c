"""A document as one HTML file: nothing in it is fetched, and nothing that a model said is markup."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from grice._version import __version__
from grice.files.writing import check_output
from grice.matching.failure import headline, shown_reason
from grice.matching.redacted import redacted_record
from grice.records import Outcome, Result, Verdict
from grice.reporting.document import (
    Conversations,
    Document,
    Part,
    Section,
)
from grice.reporting.figures_text import percent
from grice.reporting.renderers.html import NoJinja
from grice.reporting.renderers.html.conversation import WORST_FIRST, conversation_nodes, seconds
from grice.reporting.renderers.html.nodes import Node, element, html_of
from grice.reporting.renderers.html.parts import TEMPLATES, PartsDrawing, parts_environment
from grice.reporting.renderers.html.verdicts import CALM, SIGNS, badge
from grice.reporting.text import marked_turn
from grice.reporting.verdict_labels import label
from grice.text import plural, shorten
from grice.user_files import replacing

_MARK = "<!doctype html><!-- drawn by grice -->"
"""How every such file begins: by it Grice knows what it may write over."""
MAX_PAGE = 10_000_000
"""Bytes of conversations in a page, about; then it keeps those that did not pass, and leaves others out."""

_IN_WORDS = 6_000_000
"""Characters of conversations that did not pass which read without JavaScript; more of them are packed."""
_PACK = 500_000

_LONGEST_LINE = 300


def check_page(path: Path, inputs: Iterable[Path] = ()) -> None:
    """Raise OSError when no page can be written there, or it is one of `inputs`, and NoJinja without Jinja2.

    An earlier page may be written over.
    """
    _check_jinja()
    if not is_page(path):
        check_output(path, inputs)


def is_page(path: Path) -> bool:
    """Whether it is a page of Grice."""
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(len(_MARK)) == _MARK.encode()


def write_page(document: Document, path: Path) -> None:
    """Write the document as a page to a file, whole or not at all. Raises as `check_page` does."""
    check_page(path)
    with replacing(path) as stream:
        html_page(document, stream)


def _check_jinja() -> None:
    try:
        import jinja2  # noqa: F401
    except ImportError:
        raise NoJinja(
            "an HTML page needs Jinja2, which is not installed: pip install 'grice[html]'"
        ) from None


def html_page(document: Document, stream: BinaryIO, *, most: int = MAX_PAGE) -> None:
    """Write the document as a page of about `most` bytes of conversations.

    Those that did not pass are all in it, and read without JavaScript up to 6 MB of them; of those that
    passed as many as there is room for, packed. Secrets are redacted. Raises NoJinja.
    """
    _check_jinja()
    page = _Page(most)
    page.read(document.parts)
    content = (
        parts_environment()
        .get_template("page.html")
        .generate(
            document=document,
            page=page,
            mark=page.markup(_MARK),
            signs=SIGNS,
            filters=filters,
            version=__version__,
            **_shell(),
        )
    )
    for part in content:
        stream.write(part.encode("utf-8", "backslashreplace"))


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
            packed = gzip.compress(b"[" + b",".join(self._open) + b"]", 4, mtime=0)
            self.pieces.append(base64.b64encode(packed).decode())
            self.size += len(self.pieces[-1])
            self._open, self._length = [], 0


class _Page(PartsDrawing):
    """What a page has to know before its first line: every conversation, read once."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        self._lists: dict[int, list[_Entry]] = {}
        self.left_out = 0
        self.without_words = 0
        self._written = 0
        self._bad, self._good = _Packed("bad"), _Packed("good")

    def read(self, parts: Iterable[Part]) -> None:
        """Take in all conversations of the parts."""
        for part in _all_parts(parts):
            if isinstance(part, Conversations):
                entries = [self._entry(one, part.newly) for one in part.results]
                self._lists[id(part)] = sorted(entries, key=lambda one: one.rank)
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
        return [one for entries in self._lists.values() for one in entries]

    @property
    def contents(self) -> list[tuple[str, list[_Entry]]]:
        """The table of contents: what newly fails, then what else did not pass."""
        bad = [one for one in self.entries if one.bad]
        groups = (
            ("Newly fails", [one for one in bad if one.newly]),
            ("Did not pass", [one for one in bad if not one.newly]),
        )
        return [one for one in groups if one[1]]

    @property
    def pieces(self) -> Iterator[tuple[str, str]]:
        """What is packed, with its names."""
        for packed in (self._bad, self._good):
            for number, piece in enumerate(packed.pieces):
                yield f"{packed.name}{number}", piece

    def _entry(self, result: Result, newly: frozenset[str]) -> _Entry:
        result = redacted_record(result, Result)
        name = f"{result.key} (repeat {result.repeat})" if result.repeat > 1 else result.key
        anchor = self.anchor("c", name)
        bad = result.outcome not in CALM
        entry = _entry_of(result, name, anchor, newly=bad and result.id in newly)
        body = conversation_nodes(result, anchor, entry.turn)
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

    def listed(self, part: Conversations) -> list[_Entry]:
        """The conversations of a part."""
        return self._lists[id(part)]


def _all_parts(parts: Iterable[Part]) -> Iterator[Part]:
    for one in parts:
        yield one
        if isinstance(one, Section):
            yield from _all_parts(one.parts)


@cache
def _shell() -> dict[str, Any]:
    """Style and script, and the policy that lets nothing else in."""
    from markupsafe import Markup

    style, script = ((TEMPLATES / f"page.{kind}").read_text("utf-8") for kind in ("css", "js"))
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    return {"style": Markup(style), "script": Markup(script), "policy": policy, "percent": percent}  # noqa: S704 - ours


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


@dataclass
class _Entry:
    """A conversation in a list. `body` is what it opens to, or it is `packed` elsewhere, or `left_out`.

    `turn` is where it is opened, None at its beginning; `soft` says that it passed, and a soft check did not.
    """

    name: str
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
        """What newly fails comes first, what passed last; those of one rank keep the order of the run."""
        return not self.newly, 0 if self.newly else WORST_FIRST.index(self.outcome), not self.soft

    @property
    def bad(self) -> bool:
        """Whether it did not pass, nor was skipped."""
        return self.outcome not in CALM


def _entry_of(result: Result, name: str, anchor: str, *, newly: bool) -> _Entry:
    """The result in a list, without its body."""
    notable = [one for one in result.verdicts if one.outcome not in CALM]
    notable.sort(key=lambda one: (one.outcome is not result.outcome, one.mode == "soft"))
    soft = result.outcome is Outcome.PASS and bool(notable)
    return _Entry(
        name,
        anchor,
        marked_turn(result.verdicts),
        result.outcome,
        newly,
        soft,
        html_of([_line(result, name, notable, newly=newly)]),
    )


def filters(entries: Sequence[_Entry]) -> list[tuple[str, str, int]]:
    """What the list can be cut down to: a name, its words, and how many that leaves."""
    newly = ("newly", "newly fails", sum(one.newly for one in entries))
    outcomes = [
        (one.value, f"{SIGNS[one]} {one.value}", sum(each.outcome is one for each in entries))
        for one in WORST_FIRST
    ]
    soft = ("soft", "\u25c7 soft only", sum(one.soft for one in entries))
    return [one for one in (newly, *outcomes, soft) if one[2]]


def _line(result: Result, name: str, notable: Sequence[Verdict], *, newly: bool) -> Node:
    taken = [plural(len(result.conversation.turns), "turn"), seconds(result.duration)]
    facts = [*taken, "" if result.counts else "does not count"]
    heading = element(
        "h3",
        "",
        badge(result.outcome),
        element("span", "name", name),
        element("span", "about", result.description if result.description != result.key else ""),
        element("span", "facts", " \u00b7 ".join(filter(None, facts))),
    )
    why = list(_why(result, notable, newly=newly))
    return element("summary", "", heading, element("span", "why", *why) if why else "")


def _why(result: Result, notable: Sequence[Verdict], *, newly: bool) -> Iterator[Node]:
    """What failed first, or why there is nothing to say of it."""
    if newly:
        yield element("b", "newly", "newly fails ")
    if notable and notable[0].mode == "soft":
        worst = notable[0]
        yield badge(worst.outcome, "soft", word=False)
        reason = f": {shown_reason(worst.reason)[0]}" if worst.reason else ""
        yield shorten(f" soft: {label(worst)}{reason}", _LONGEST_LINE)
    elif notable:
        yield shorten(headline(notable[0]), _LONGEST_LINE)
    elif not result.verdicts:
        yield "nothing was checked"
    elif result.outcome is Outcome.SKIPPED:
        yield shorten(next((one.reason for one in result.verdicts if one.reason), ""), _LONGEST_LINE)
