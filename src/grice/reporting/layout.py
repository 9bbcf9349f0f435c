"""Laying text out in columns: transcripts with hanging indents, tool results cut short."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, zip_longest

from grice.matching.transcript import MAX_TURNS, ROLE_WIDTH, transcript
from grice.records import Turn
from grice.text import shorten

_MARGIN = 5 + ROLE_WIDTH  # marker, turn number, two blanks, role
_TOOL_ROWS = 2
_LENGTH_TOLD = len("... (12,345 characters)")
_NARROWEST = 24


def transcript_rows(
    turns: tuple[Turn, ...], *, marked: int | None, width: int, keep: int = MAX_TURNS, rows_each: int = 0
) -> list[str]:
    """The transcript in rows of at most `width` columns (never under 24 of text).

    Long lines go on under the text's column and keep the `>` of the marked turn; a tool's result is cut to
    two rows, and with `rows_each` to one, and every other line to so many. At most `keep` turns are shown,
    the last ones up to the marked one.
    """
    room = max(width - _MARGIN, _NARROWEST)
    rows: list[str] = []
    role = ""
    for line in transcript(turns, marked=marked, keep=keep).split("\n"):
        margin, text = line[:_MARGIN], line[_MARGIN:]
        role = margin[5:].strip() or role
        if rows_each:
            most = 1 if role == "tool" else rows_each
            if next(islice(wrapped(text, room), most, None), None) is not None:
                text = shorten(text, most * room - _LENGTH_TOLD)
        elif role == "tool":
            text = shorten(text, _TOOL_ROWS * room)
        blank = margin[:1] + " " * (_MARGIN - 1)
        parts = zip_longest((margin,), wrapped(text, room), fillvalue=blank)
        rows += [(start + part).rstrip() for start, part in parts]
    return rows


def wrapped(text: str, room: int) -> Iterator[str]:
    """The line in pieces of at most `room` columns, cut at blanks where there are any."""
    start, length = 0, len(text)
    while (end := _fitting(text, start, room)) < length:
        blank = text.rfind(" ", start + 1, end + 1)
        cut = blank if blank > 0 and text[start:blank].strip() else end
        yield text[start:cut].rstrip()
        while cut < length and text[cut] == " ":
            cut += 1
        start = cut
    yield text[start:]


def cells(text: str) -> int:
    """How many columns of a terminal the text takes: two for East Asian wide characters and emoji."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(character: str) -> int:
    from unicodedata import combining, east_asian_width

    if combining(character) or character in "\u200c\u200d\ufe0e\ufe0f":
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def _fitting(text: str, start: int, room: int) -> int:
    """Up to where the characters from the start fit, at least one."""
    if text.isascii():
        return min(start + max(room, 1), len(text))
    used = 0
    for index in range(start, len(text)):
        used += _cells(text[index])
        if used > room:
            return max(index, start + 1)
    return len(text)
