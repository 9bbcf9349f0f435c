"""Sentences of a reply, as a reader counts them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module

__all__ = ["sentences"]

_HEADING = re.compile(r"\s{0,3}#{1,6}(?:\s|$)")
_RULE = re.compile(r"[\s\-=*_|:+~`]*")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_MARKER = re.compile(r"\s*(?:>\s*)*(?:(?:[-*+•‣◦]|\(?(?P<number>[0-9]{1,9})[.)])\s+(?:\[[ xX]\]\s+)?)?")
_EMOJI_THEN_LETTER = re.compile("[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f]\\s*([^\\W\\d_])")
_WORD = re.compile(r"[^\W_]")


def sentences(text: str, language: str = "en") -> list[str]:
    """The sentences of a text in order, without the white space around them and without list markers.

    A new line ends a sentence, and so does an emoji before a capital letter. Markdown headings, rules and
    code fences are no sentences; an item of a list is one. Text without words (an emoji, "...") belongs to
    the sentence before it. The last sentence needs no full stop. `language` is an ISO 639 code; for one that
    is not known the general rules hold.
    """
    found: list[str] = []
    for line in text.splitlines():
        if _HEADING.match(line) or _FENCE.match(line) or _RULE.fullmatch(line):
            continue
        marker = _MARKER.match(line)
        if marker:  # it always matches, if only nothing
            found += _of_line(line[marker.end() :], language, int(marker["number"] or 0) + 1)
    return found


def _of_line(line: str, language: str, number: int) -> list[str]:
    """The sentences of one line: pieces without words join a neighbour, `1.` joins what it numbers.

    `number` is the next number of a list that goes on within the line.
    """
    found: list[str] = []
    before = ""
    for piece in _pieces(line, language):
        if piece in (f"{number}.", f"{number})"):
            before, number = f"{before}{piece} ", number + 1
        elif _WORD.search(piece):
            found.append(before + piece)
            before = ""
        elif found and not before:
            found[-1] += f" {piece}"
        else:
            before += f"{piece} "
    if before:
        found.append(before.strip())
    return found


def _pieces(line: str, language: str) -> Iterator[str]:
    segment: Callable[[str, str], list[str]] = import_module("sentencex").segment  # has no type stubs
    start = 0
    ends = [found.start(1) for found in _EMOJI_THEN_LETTER.finditer(line) if found[1].isupper()]
    for end in (*ends, len(line)):
        part = line[start:end]
        if not part.isascii():  # sentencex refuses lone surrogates
            part = part.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        yield from filter(None, map(str.strip, segment(language, part)))
        start = end
