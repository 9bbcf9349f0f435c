"""Remove the marks of Markdown and HTML from a text and unify its characters, with the way back."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from grice.text.lines import lines

_TAGS = frozenset(
    re.findall(
        r"\w+",
        """
    a abbr address article aside audio b big blockquote body br button caption center cite code col dd del
    details div dl dt em figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe
    img input ins kbd label li link main mark meta nav ol option p picture pre q s samp script section
    select small source span strike strong style sub summary sup svg table tbody td textarea tfoot th thead
    time title tr tt u ul var video wbr
        """,
    )
)
_BREAKING = frozenset(
    re.findall(
        r"\w+",
        """
    address article aside blockquote br caption dd details div dl dt figcaption figure footer form h1 h2 h3
    h4 h5 h6 header hr li main nav ol option p pre section summary table tbody td tfoot th thead title tr ul
        """,
    )
)
_SHOWN = re.compile(
    r"(?P<image>!\[(?P<alt>[^\[\]\n]*)\]\((?:[^()\s\[\]]|\([^()\s]*\))*(?:\s+[\"'][^\"'\n]*[\"'])?\))"
    r"|(?P<link>\[(?P<name>[^\[\]\n]*)\](?:\((?:[^()\s\[\]]|\([^()\s]*\))*(?:\s+[\"'][^\"'\n]*[\"'])?\)|\[[^\[\]\n]*\]))"
    r"|(?P<auto><(?P<target>(?:https?://|mailto:|www\.)[^<>\s]*)>)"
    rf"|(?P<tag></?(?P<element>{'|'.join(sorted(_TAGS, key=lambda tag: (-len(tag), tag)))})(?:\s[^<>]*)?/?>)"
    r"|(?P<entity>&(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});)"
    r"|(?P<escape>\\(?=[!-/:-@\[-`{-~]))"
    r"|(?P<tick>`+)"
    r"|(?P<run>\*+|_+|~~+)",
    re.IGNORECASE,
)
_INLINE = re.compile(rf"(?P<hidden><!--|<(?:script|style)\b[^<>]*>)|{_SHOWN.pattern}", re.IGNORECASE)
_HIDDEN = {
    opening: re.compile(pattern, re.IGNORECASE)
    for opening, pattern in (
        ("<!--", r"<!--.*?-->"),
        ("<scr", r"<script\b[^<>]*>.*?</script\s*>"),
        ("<sty", r"<style\b[^<>]*>.*?</style\s*>"),
    )
}

_BREAK = "\n\n"  # a line break that a tag stands for; no line has one in it

_Piece = tuple[str, int, int]
"""A text and the place in the original it stands for; equally long when it is copied."""


def without_marks(text: str) -> tuple[str, list[int], list[int]]:
    """The text as prose; for each of its characters where that begins and ends in the original."""
    written = _Prose()
    for line in lines(text):
        written.new_line()
        for piece in _of_line(text, line.start, line.end, is_row=line.kind == "row"):
            written.add(*piece)
    return written.finished()


class _Prose:
    """Prose that is being written, with white space folded."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self._newline = False
        self._space: tuple[int, int] | None = None

    def new_line(self) -> None:
        self._newline = bool(self.parts)

    def add(self, piece: str, start: int, end: int) -> None:
        if piece == _BREAK:
            self.new_line()
        elif piece.isascii() and end - start == len(piece):
            self._add_copied(piece, start)
        else:
            for unified, first, last in _unified(piece, start, end):
                self._add_unified(unified, first, last)

    def _add_unified(self, unified: str, first: int, last: int) -> None:
        if last - first == len(unified) > 1:
            self._add_copied(unified, first)
            return
        for one in re.split(r"( )", unified):
            if one == " ":
                self._space = self._space or (first, last)
            elif one:
                self._put(one, [first] * len(one), [last] * len(one))

    def _add_copied(self, piece: str, start: int) -> None:
        """Add characters that stand for themselves, white space folded."""
        if "  " not in piece and piece.isprintable() and piece.strip() == piece and piece:
            self._put(piece, range(start, start + len(piece)), range(start + 1, start + len(piece) + 1))
            return
        end = 0
        for found in re.finditer(r"[^\s\x00-\x1f\x7f]+(?: [^\s\x00-\x1f\x7f]+)*", piece):
            first, last = start + found.start(), start + found.end()
            if found.start() > end and re.search(r"\s", piece[end : found.start()]):
                self._space = self._space or (start + end, first)
            self._put(found[0], range(first, last), range(first + 1, last + 1))
            end = found.end()
        if re.search(r"\s", piece[end:]):
            self._space = self._space or (start + end, start + len(piece))

    def _put(self, text: str, starts: list[int] | range, ends: list[int] | range) -> None:
        before = "\n" if self._newline else " " if self._space and self.parts else ""
        if before:
            place = self._space or (starts[0], starts[0])
            if self._newline:
                place = (self.ends[-1], max(starts[0], self.ends[-1]))
            self.parts.append(before)
            self.starts.append(place[0])
            self.ends.append(place[1])
        self._newline, self._space = False, None
        self.parts.append(text)
        self.starts.extend(starts)
        self.ends.extend(ends)

    def finished(self) -> tuple[str, list[int], list[int]]:
        return "".join(self.parts), self.starts, self.ends


def _of_line(text: str, start: int, end: int, *, is_row: bool) -> Iterator[_Piece]:
    """The pieces of a line without its inline marks."""
    line = text[start:end]
    found = list(_marks_in(line)) if re.search(r"[*_~`<&\\\[]", line) else []
    dropped = _paired(line, found)
    place = 0
    for one in found:
        if one.start() < place:
            continue
        replacement = _replaced(one, line, keep=one.start() not in dropped)
        if replacement is None:
            continue
        yield from _pieces_of_line(line, place, one.start(), start, is_row=is_row)
        for piece, first, last in replacement:
            if (
                last - first == len(piece) and piece == line[first:last]
            ):  # the text of a link, with marks of its own
                yield from _of_line(text, start + first, start + last, is_row=False)
            else:
                yield piece, start + first, start + last
        place = one.end()
    yield from _pieces_of_line(line, place, len(line), start, is_row=is_row)


def _marks_in(line: str) -> Iterator[re.Match[str]]:
    """The inline marks of a line. A comment, script or style is one mark with all that is in it."""
    never_closed: set[str] = set()  # what nothing closes here, nothing closes further on
    place = 0
    while (one := _INLINE.search(line, place)) is not None:
        place = one.end()
        if one["hidden"] is not None:
            kind = one["hidden"][:4].lower()
            whole = None if kind in never_closed else _HIDDEN[kind].match(line, one.start())
            if whole is None:
                never_closed.add(kind)
            one = whole or _SHOWN.match(line, one.start())
            if one is None:
                continue
            place = one.end()
        yield one


def _pieces_of_line(line: str, first: int, last: int, start: int, *, is_row: bool) -> Iterator[_Piece]:
    if not is_row or "|" not in line[first:last]:
        if first < last:
            yield line[first:last], start + first, start + last
        return
    place = first
    for found in re.finditer(r"\s*\|\s*", line[first:last]):
        bar, after = first + found.start(), first + found.end()
        if place < bar:
            yield line[place:bar], start + place, start + bar
        if bar > 0 and after < len(line):
            yield "; ", start + bar, start + after
        place = after
    if place < last:
        yield line[place:last], start + place, start + last


def _replaced(one: re.Match[str], line: str, *, keep: bool) -> list[_Piece] | None:
    """What stands instead of a mark; None where it is no mark and stays."""
    kind = one.lastgroup
    if kind in ("alt", "name", "target", "element"):
        kind = next(name for name in ("image", "link", "auto", "tag") if one[name] is not None)
    if kind == "run":
        return None if keep else []
    if kind == "tick":
        inside = (
            one.start() > 0 and line[one.start() - 1].isalpha() and line[one.end() : one.end() + 1].isalpha()
        )
        return [("'", one.start(), one.end())] if inside and len(one[0]) == 1 else []
    if kind == "entity":
        return _entity(one)
    if kind == "tag":
        breaks = one["element"].lower() in _BREAKING
        return [(_BREAK, one.start(), one.end())] if breaks else []
    if kind in ("image", "link", "auto"):
        name = {"image": "alt", "link": "name", "auto": "target"}[kind]
        return [(one[name], *one.span(name))]
    return []  # comments, scripts, the backslash of an escape


def _entity(one: re.Match[str]) -> list[_Piece] | None:
    from html import unescape

    meant = unescape(one[0])
    return None if meant == one[0] else [(meant, one.start(), one.end())]


def _paired(line: str, found: list[re.Match[str]]) -> set[int]:
    """Where runs of * _ ~ stand that emphasise: each opening one has a closing one behind it."""
    open_runs: dict[str, list[int]] = {}
    paired: set[int] = set()
    for one in found:
        if one.lastgroup != "run":
            continue
        mark, before, after = one[0][0], line[one.start() - 1 : one.start()], line[one.end() : one.end() + 1]
        if (before.isdigit() and after.isdigit()) or (before == "\\" and len(one[0]) == 1):
            continue
        opens, closes = bool(after.strip()), bool(before.strip())
        if mark == "_":
            opens, closes = opens and not before.isalnum(), closes and not after.isalnum()
        waiting = open_runs.setdefault(mark, [])
        if closes and waiting:
            paired |= {waiting.pop(), one.start()}
        elif opens:
            waiting.append(one.start())
        if mark == "*" and len(one[0]) > 1 and (opens or closes):
            paired.add(one.start())  # a double star is a mark even where its other half is missing
    return paired


_QUOTES = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u02bb\u2032\uff07\u00b4\u0060", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\uff02\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe58\ufe63\uff0d", "-"),
    **dict.fromkeys("\u2014\u2015", " - "),
    "\n": " ",
}
_KEPT = frozenset("\u2122\u2120\u2139\u2116\u24c2\u00aa\u00ba\u2103\u2109\u20a8\u3297\u3299")
_MARKS_CLASS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u1dc0-\u1dff\u20d0-\u20ff"
    "\u3099\u309a\u093c\uff9e\uff9f"
)
# What NFKC leaves alone: plain ASCII, Latin, Greek and Cyrillic letters, kana, Han and Hangul.
_STABLE = (
    "\x20-\x7e\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e\u0391-"
    "\u03a9\u03b1-\u03c9\u0400-\u0482\u048a-\u052f\u0620-\u064a\u0904-\u0939\u3001\u3002\u3041-\u3096"
    "\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3"
)
_CLUSTER = re.compile(rf"(?P<stable>[{_STABLE}]+)(?![{_MARKS_CLASS}])|[\s\S][{_MARKS_CLASS}]{{0,30}}|[\s\S]")


def _unified(piece: str, start: int, end: int) -> Iterator[_Piece]:
    """The piece in unified characters, cluster by cluster."""
    copied = end - start == len(piece)
    before = ""
    for found in _CLUSTER.finditer(piece):
        cluster = found[0]
        first, last = (start + found.start(), start + found.end()) if copied else (start, end)
        if (copied and found["stable"]) or (cluster.isascii() and cluster.isprintable()):
            yield cluster, first, last
        else:
            unified = _unify(cluster, before)
            if unified:
                yield unified, first, last
        before = cluster[-1]


def _unify(cluster: str, before: str) -> str:
    known = _QUOTES.get(cluster)
    if known is not None:
        return known
    code = ord(cluster[0])
    if cluster in _KEPT or 0x2460 <= code <= 0x24FF or 0x1F000 <= code <= 0x1FAFF:
        return cluster
    category = unicodedata.category(cluster[0])
    if category == "No" and len(cluster) == 1:
        return _number_form(cluster, before)
    if category in ("Cf", "Cc", "Mn") and len(cluster) == 1:
        return " " if cluster.isspace() else "" if category != "Mn" or not _is_letter_mark(code) else cluster
    if category in ("Zs", "Zl", "Zp"):
        return " "
    if cluster in ("\u3164", "\u115f", "\u1160", "\uffa0"):  # fillers that show nothing
        return ""
    return unicodedata.normalize("NFKC", cluster)


def _is_letter_mark(code: int) -> bool:
    """Whether a mark that stands alone belongs to a script's spelling, and is no selector or joiner."""
    return not (code == 0x034F or 0x180B <= code <= 0x180D or 0xFE00 <= code <= 0xFE0F or code >= 0xE0000)


def _number_form(character: str, before: str) -> str:
    """A fraction or power, which NFKC would glue to the number before it."""
    plain = unicodedata.normalize("NFKC", character).replace("\u2044", "/")
    if "/" in plain:
        return f" {plain}" if before.isdigit() else plain
    if plain.isdigit() and before.isdigit() and plain != character:
        return f"^{plain}"
    return plain
