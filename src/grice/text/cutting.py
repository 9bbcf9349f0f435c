"""Cutting a reply into sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from importlib import import_module

from grice.text.lines import lines

_EMOJI_THEN_LETTER = re.compile("[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f]\\s*([^\\W\\d_])")
# Full stops of scripts that put no space behind them, with quotes and brackets that close there.
_FULL_STOP = re.compile(
    "[\u3002\uff01\uff1f\uff61\u061f\u06d4\u0964]+[\"'\u201d\u2019\u300d\u300f\uff09)\\]]*\\s*(?=\\S)|\u2026\\s+(?=[^\\W\\d_a-z])"
)
_UNUSUAL_SPACE = re.compile(r"[^\S ]")
_WORD = re.compile(r"[^\W_]")
# Words that the library takes for abbreviations: "No. It is late.", "He told me. Then he left."
_ANSWER = re.compile(r"No\.\s+(?=[^\W\d_])|\b(?:no|me|id|may|ok|ill|fed|art|miss)\.[\"')\]]*\s+(?=[A-Z])")
# Capitals that the library takes for abbreviations: "Bring your ID. Parking is free."
_CAPITALS = re.compile(
    r"\b(?!(?:ST|DR|MR|MRS|MS|JR|SR|MT|FT|NO|VS|LT|COL|GEN|REV|PROF|CAPT)\.)[A-Z]{2,6}\.\s+(?=[A-Z])"
)
# What is never the end, what is not before a number, and what is not before a small letter.
_NEVER_ENDS = re.compile(
    r"(?<![^\W_])(?<![.'-])(?:(?-i:Dr|Mr|Mrs|Ms|Prof)"
    r"|approx|incl|excl|resp|vs|ca|inkl|exkl|zzgl|bzw|evtl|ggf|sog|vgl)\.$",
    re.IGNORECASE,
)
_DOMAIN_END = re.compile(
    r"(?:com|org|net|io|co|edu|gov|de|eu|uk|ch|at|info|shop|app|dev|ai)(?=[/\s.,;:!?)]|$)", re.IGNORECASE
)
_OPEN_END = re.compile(
    r"(?<![\w.'-])(?:max|min|est|tel|ext|nr|qty|rm|apt|ste|fl|vol|ver|pp?|fig|avg|acct|ref|mind)\.$",
    re.IGNORECASE,
)
_CUT_SHORT = re.compile(
    r"(?<![\w.'-])(?:(?-i:Mon|Tues?|Wed|Thurs?|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
    r"|appts?|depts?|est|max|mins?|hrs?|secs|lbs?|oz|ft|yrs?|mos?|wks?|pcs?|pers|qty|tel|ext|etc"
    r"|st|ave|rd|blvd|ln|hwy|apt|ste|bldg|fl|rm|inc|ltd|corp|co|bros|jr|sr|vol|avg|acct"
    r"|mr|mrs|ms|dr|prof|assoc|mgr|mgmt|govt|intl|misc|std|orig|usw|str|mind|mio|mrd|tgl)\.$",
    re.IGNORECASE,
)
_NUMBER_AHEAD = re.compile(r"[~\u2248]?[$\u20ac\u00a3\u00a5\u20b9]?\s?\d")
# "am 24. Dezember", "im 3. Stock": an ordinal number, which needs something before it.
_ORDINAL_END = re.compile(
    r"\b(?:a[mb]|i[mn]|de[nmrs]|die|das|vom|zu[mr]|bis|seit|jede[nrms]?|ihr(?:e[nmrs]?)?)\s+[0-9]{1,2}\.$",
    re.IGNORECASE,
)
_DAY_END = re.compile(r"(?<!\d)[0-9]{1,2}\.$")
_GERMAN_MONTH = re.compile(
    r"(?:Januar|Februar|M\u00e4rz|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b"
)
_TIME_END = re.compile(r"\b[ap]\.m\.$", re.IGNORECASE)
_AFTER_TIME = re.compile(
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
    r"|(?:[ECMP][SD]?T|GMT|UTC|CEST|CET|BST|IST)\b|[A-Z][a-z]+ time\b"
)

_LOOKED_AT = 16
_Span = tuple[int, int]


@lru_cache(maxsize=8)
def cut(text: str, language: str) -> tuple[_Span, ...]:
    """Where the sentences of a text stand, in order; see `grice.text.sentences`."""
    return tuple(
        span
        for line in lines(text)
        if line.kind == "prose"
        for span in _of_line(text, line.start, line.end, language, line.number + 1)
    )


def _of_line(text: str, start: int, end: int, language: str, number: int) -> list[_Span]:
    """The sentences of one line: pieces without words join a neighbour, `1.` joins what it numbers.

    `number` is the next number of a list that goes on within the line.
    """
    found: list[_Span] = []
    opened = -1
    for first, last in _pieces(text, start, end, language):
        piece = text[first:last]
        if piece in (f"{number}.", f"{number})"):
            opened, number = first if opened < 0 else opened, number + 1
        elif _WORD.search(piece):
            if found and _goes_on(text, found[-1], piece, language, joined=first == found[-1][1]):
                opened = found.pop()[0]
            found.append((opened if opened >= 0 else first, last))
            opened = -1
        elif found and opened < 0:
            found[-1] = (found[-1][0], last)
        else:
            opened = first if opened < 0 else opened
    if opened >= 0:
        found.append((opened, end))
    return found


def _goes_on(text: str, before: _Span, piece: str, language: str, *, joined: bool) -> bool:
    """Whether a piece belongs to the one before: "approx. $5", "Mon. to Fri.", "5 p.m. Monday"."""
    ending = text[max(before[0], before[1] - _LOOKED_AT) : before[1]]
    if _NEVER_ENDS.search(ending) or (joined and _DOMAIN_END.match(piece)):  # EXAMPLE.COM
        return True
    if _NUMBER_AHEAD.match(piece):
        return _OPEN_END.search(ending) is not None
    if piece[0].islower():
        return _CUT_SHORT.search(ending) is not None
    if language == "de" and (
        _ORDINAL_END.search(ending) or (_DAY_END.search(ending) and _GERMAN_MONTH.match(piece))
    ):
        return True
    return _AFTER_TIME.match(piece) is not None and _TIME_END.search(ending) is not None


def _pieces(text: str, start: int, end: int, language: str) -> Iterator[_Span]:
    line = text[start:end]
    ends = {found.end() for found in _ANSWER.finditer(line)}
    ends |= {found.end() for found in _CAPITALS.finditer(line)}
    if not line.isascii():
        ends |= {found.start(1) for found in _EMOJI_THEN_LETTER.finditer(line) if found[1].isupper()}
        ends |= {found.end() for found in _FULL_STOP.finditer(line)}
    place = 0
    for stop in (*sorted(ends), len(line)):
        for length in _lengths(line[place:stop], language):
            piece = line[place : place + length]
            first = place + len(piece) - len(piece.lstrip())
            last = place + len(piece.rstrip())
            if first < last:
                yield start + first, start + last
            place += length
        place = stop


@cache
def _segment() -> Callable[[str, str], list[str]]:
    """The library's function, loaded when the first text is cut."""
    segment: Callable[[str, str], list[str]] = import_module("sentencex").segment  # has no type stubs
    return segment


def _lengths(part: str, language: str) -> Iterator[int]:
    """How long the pieces are that the library cuts a part into."""
    segment = _segment()
    if not part.isascii() or not part.isprintable():
        # The library refuses lone surrogates, and in English panics on a no-break space behind an initial.
        part = _UNUSUAL_SPACE.sub(" ", part)
        part = part.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    yield from map(len, segment(language, part))
