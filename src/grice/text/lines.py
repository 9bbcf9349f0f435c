"""The lines of a reply: which are prose, and where their marks end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

_FENCE = re.compile(r"[ \t]*(?:>[ \t]*)*(```|~~~)")
_RULE = re.compile(r"[\s\-=*_|:+~`]*")
_TABLE_ROW = re.compile(r"\s*\|.*\|\s*")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)+\|?\s*|\s*\|\s*:?-+:?\s*\|\s*")
_LINK_DEFINITION = re.compile(r"\s{0,3}\[[^\]\n]{1,100}\]:\s+\S+\s*(?:[\"'(].*)?")
_HEADING = re.compile(r"\s{0,3}(?:>\s*)*#{1,6}(?:\s|$)")
_MARKER = re.compile(
    r"\s*(?:>\s*)*(?:#{1,6}\s+)?"
    r"(?:(?:[-*+\u2022\u2023\u25e6\u25aa\u25cf\u00b7\u2013\u2014]"
    r"|\(?(?P<number>[0-9]{1,3})[.)]|[A-Za-z]\))\s+)?"
    r"(?:\[[ xX]\]\s+)?(?:#{1,6}\s+)?"
)
_CLOSING_HASHES = re.compile(r"\s+#+\s*$")


class Line(NamedTuple):
    """A line with words or signs of its own: its place without markers and white space around.

    `kind` is "prose", "heading", or "row" for a row of a table. `number` is that of an item in a numbered
    list, else 0.
    """

    start: int
    end: int
    kind: Literal["prose", "heading", "row"]
    number: int = 0


def lines(text: str) -> Iterator[Line]:
    """The lines of a text without blank ones, rules, code blocks and definitions of links."""
    split = text.splitlines(keepends=True)
    fence, in_table = "", False
    start = 0
    for place, line in enumerate(split):
        begin, start = start, start + len(line)
        if line[0].isalpha() and line[1:2] != ")" and "|" not in line:  # no mark begins like a word
            if not fence:
                in_table = False
                yield Line(begin, begin + len(line.rstrip()), "prose")
            continue
        opened = _FENCE.match(line)
        if opened and (not fence or opened[1] == fence) and (fence or opened[1] not in line[opened.end() :]):
            fence = "" if fence else opened[1]
            continue
        if fence:
            continue
        has_bar = "|" in line
        if has_bar and _TABLE_RULE.fullmatch(line):
            in_table = True
            continue
        following = split[place + 1] if place + 1 < len(split) else ""
        heads_table = has_bar and "|" in following and _TABLE_RULE.fullmatch(following) is not None
        in_table = in_table and has_bar
        if _RULE.fullmatch(line) or _LINK_DEFINITION.fullmatch(line):
            continue
        is_row = has_bar and (in_table or heads_table or _TABLE_ROW.fullmatch(line) is not None)
        found = _placed(line, begin, is_row=is_row)
        if found.start < found.end:
            yield found


def _placed(line: str, begin: int, *, is_row: bool) -> Line:
    marker = _MARKER.match(line)
    first = marker.end() if marker else 0
    heading = _HEADING.match(line) is not None
    closing = _CLOSING_HASHES.search(line) if heading else None
    last = closing.start() if closing else len(line.rstrip())
    number = int(marker["number"]) if marker and marker["number"] else 0
    return Line(begin + first, begin + last, "heading" if heading else "row" if is_row else "prose", number)
