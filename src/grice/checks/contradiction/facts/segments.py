"""The parts of a reply that say one thing each, and their words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import TypeVar

import msgspec

from grice.checks.contradiction.facts.stated_clauses import MAX_TEXT, Token, in_name
from grice.checks.contradiction.facts.stated_words import StatedWords
from grice.checks.contradiction.facts.wording import UNSURE
from grice.checks.evidence.lexicon import Lexicon
from grice.checks.evidence.terms import read_text
from grice.checks.tone.speech import prose, unquoted
from grice.text.negation import negated
from grice.text.normalised import Normalised
from grice.text.quantities import Quantity
from grice.text.sentences import sentence_spans
from grice.text.times import Moment
from grice.text.words import Word
from grice.text.words import stem as stem_of

__all__ = ["Page", "Segment", "page_of", "spans_of"]

MAX_SEGMENT = 400
_CUT = re.compile(
    r"[;\[\]]|,(?=\s)(?! that's\b)|\s-\s|\b(?:and|but|while|whereas|plus|though|although|so|because|since|as"
    r"|where|which)\b",
    re.IGNORECASE,
)
_LEADING = re.compile(r"(?i)\W*(?:with|without|for|after|before|on|in|during|under|from|within|by|through)\b")
_UNSURE = re.compile(UNSURE, re.IGNORECASE)
_IF = re.compile(r"(?i)^\W*(?:\w+ )?(?:if|in case|unless|when|whenever|should)\b")
_NEGATION = re.compile(
    r"(?i)n't\b|\b(?:no|not|never|cannot|without|none|neither|nor|hardly|non|nobody|nothing|unable|free|lacks?"
    r"|far from|yet to)\b"
)
_CONTRACTED = frozenset(["it", "that", "there", "what", "he", "she", "here", "who", "let"])
_TABLE = re.compile(r"[ \t]*\|")


class Segment(msgspec.Struct, frozen=True, gc=False):
    """A part of a sentence: its words, the amounts and moments in it, and its sentence.

    `text` is what is read, `sure` whether it says how things are. `number` counts sentences. `lead` is what
    the row and column of a table, or the heading of a list, add.
    """

    start: int
    end: int
    text: str
    tokens: Sequence[Token]
    quantities: Sequence[Quantity]
    moments: Sequence[Moment]
    sentence: tuple[int, int]
    number: int
    sure: bool
    lead: Sequence[Token] = ()
    cell: bool = False
    listed: bool = False


class Page(msgspec.Struct, frozen=True):
    """A reply as it is read. `amounts` are its quantities without the numbers of names."""

    normal: Normalised
    text: str
    tokens: Sequence[Token]
    amounts: Sequence[Quantity]
    moments: Sequence[Moment]
    segments: Sequence[Segment]


def page_of(text: str, words: StatedWords, lexicon: Lexicon) -> Page:
    """The segments of a reply; questions have none."""
    normal = prose(text[:MAX_TEXT])
    plain = unquoted(normal.text)
    reading = read_text(plain, lexicon)
    denied = negated(plain, reading.tokens, lexicon.pack)
    amounts = [one for one in reading.quantities if not in_name(plain, one)]
    spans = sorted(spans_of(amounts, reading.moments))
    starts = {start for start, _ in sentence_spans(plain, lexicon.pack.code)}
    tokens: list[Token] = []
    place = 0
    for word, stem, no in zip(reading.tokens, reading.stems, denied, strict=True):
        while place < len(spans) and spans[place][1] <= word.start:
            place += 1
        if place < len(spans) and spans[place][0] <= word.start:
            continue
        if word.text.endswith("'s") and word.text[:-2] not in _CONTRACTED:
            stem = stem_of(word.text[:-2], lexicon.pack)
            word = Word(word.text[:-2], word.start, word.end)
        name = _is_name(plain, word.start, word.end, starts)
        joined = _joined(plain, tokens, word.start, word.text)
        if joined is not None:
            tokens[-1] = Token(joined, joined, tokens[-1].start, word.end, no, True)
        else:
            tokens.append(Token(word.text, stem, word.start, word.end, no, name))
    page = Page(normal, plain, tokens, amounts, reading.moments, ())
    return msgspec.structs.replace(page, segments=list(_segments(page, lexicon.pack.code)))


def spans_of(amounts: Sequence[Quantity], moments: Sequence[Moment]) -> list[tuple[int, int]]:
    """Where the amounts and moments stand."""
    return [(one.start, one.end) for one in amounts] + [(one.start, one.end) for one in moments]


def _is_name(text: str, start: int, end: int, starts: set[int]) -> bool:
    written = text[start:end]
    if any(one.isdigit() for one in written):
        return True
    begins = start in starts or text[max(0, start - 1)] == "\n" or start == 0
    return written[:1].isupper() and (not begins or (len(written) > 1 and written.isupper()))


def _joined(text: str, tokens: Sequence[Token], start: int, word: str) -> str | None:
    """The name that a word makes with the one before: LX 318, VacPro 9."""
    if not tokens or not word[0].isdigit() or not 0 < start - tokens[-1].end + 1 <= 2:
        return None
    last = tokens[-1]
    written = text[last.start : last.end]
    if text[last.end : start] not in (" ", "-", "") or not written[:1].isupper():
        return None
    if last.text in ("terminal", "gate", "platform", "room", "seat", "order", "booking", "flight", "size"):
        return None
    if last.text in ("uk", "eu", "us", "in"):
        return None
    return f"{last.text}{word}"


_Measured = TypeVar("_Measured", Quantity, Moment, Token)


def _within(found: Sequence[_Measured], start: int, end: int) -> Sequence[_Measured]:
    key = attrgetter("start")
    return found[bisect_left(found, start, key=key) : bisect_left(found, end, key=key)]


def _segments(page: Page, language: str) -> Iterator[Segment]:
    number = 0
    header: list[tuple[int, int]] = []
    heading: Sequence[Token] = ()
    for start, end in _lines(page.text, language):
        number += 1
        if _in_table(page, start):
            cells = list(_cells(page.text, start, end))
            if not header:
                header = cells
            else:
                yield from _row(page, cells, header, number, (start, end))
            continue
        header = []
        sentence = page.text[start:end]
        if sentence.rstrip(" \"')*").endswith("?"):
            continue
        spans = list(_cuts(page, start, end))
        tokens = list(_within(page.tokens, start, end))
        listed = _is_item(page, start)
        bare = not _within(page.amounts, start, end) and not _within(page.moments, start, end)
        if bare and len(tokens) <= 6 and sentence[-1:] not in ".!" and ": " not in sentence:
            heading = heading if listed and not sentence.rstrip().endswith(":") else tokens
            if sentence.rstrip().endswith(":") or len(spans) == 1:
                continue
        key = re.match(r"(?!to |note|please)[^:.;,]{2,40}:(?=\s)", sentence, re.IGNORECASE)
        lead = (*(heading if listed else ()), *(_within(tokens, start, start + key.end()) if key else ()))
        unsure = _IF.search(sentence) is not None
        for one, other in spans:
            if other - one <= MAX_SEGMENT and page.text[one:other].strip():
                yield _segment(
                    page, one, other, (start, end), number, unsure, lead, listed or key is not None
                )


def _is_item(page: Page, start: int) -> bool:
    place = page.normal.offsets[start] if start < len(page.normal.offsets) else 0
    before = page.normal.original[max(0, place - 12) : place].rpartition("\n")[2]
    return re.fullmatch(r"[ \t>]*(?:[-*+\u2022\u2013]|\d{1,3}[.)])[ \t]+[*_`]*", before) is not None


def _segment(
    page: Page,
    start: int,
    end: int,
    sentence: tuple[int, int],
    number: int,
    unsure: bool,
    lead: Sequence[Token] = (),
    listed: bool = False,
) -> Segment:
    text = page.text[start:end]
    own = _within(page.tokens, start, end)
    lead = [token for token in lead if not start <= token.start < end]
    return Segment(
        start,
        end,
        text,
        _undenied(own, text),
        _within(page.amounts, start, end),
        _within(page.moments, start, end),
        sentence,
        number,
        not unsure and _UNSURE.search(text) is None,
        lead,
        listed=listed,
    )


def _undenied(tokens: Sequence[Token], text: str) -> Sequence[Token]:
    """The words, none denied where the negation stands in another part of the sentence."""
    if not any(token.denied for token in tokens) or _NEGATION.search(text):
        return tokens
    return [msgspec.structs.replace(token, denied=False) if token.denied else token for token in tokens]


def _lines(text: str, language: str) -> Iterator[tuple[int, int]]:
    for start, end in sentence_spans(text, language):
        place = start
        for line in text[start:end].split("\n"):
            if line.strip():
                yield place, place + len(line)
            place += len(line) + 1


def _cuts(page: Page, start: int, end: int) -> Iterator[tuple[int, int]]:
    cursor = start
    inside = [(one.start, one.end) for one in _within(page.amounts, start, end)]
    inside += [(one.start, one.end) for one in _within(page.moments, start, end)]
    leads = _LEADING.match(page.text, start, end) is not None  # "For two people, use 200 g"
    for cut in _CUT.finditer(page.text, start, end):
        if cut.start() <= cursor or any(one <= cut.start() < other for one, other in inside):
            continue
        if leads and cut[0] == ",":
            leads = False
            continue
        if cut[0] in (",", " - ") and _dated(page, cut.start(), cut.end()):
            continue
        yield cursor, cut.start()
        cursor = cut.end()
    if cursor < end:
        yield cursor, end


def _dated(page: Page, start: int, end: int) -> bool:
    """Whether a comma stands between a weekday and its date."""
    place = bisect_left(page.moments, start, key=attrgetter("start"))
    if not 0 < place < len(page.moments):
        return False
    before, after = page.moments[place - 1], page.moments[place]
    return not page.text[before.end : start].strip() and not page.text[end : after.start].strip()


def _in_table(page: Page, start: int) -> bool:
    place = page.normal.offsets[start] if start < len(page.normal.offsets) else 0
    line = page.normal.original[page.normal.original.rfind("\n", 0, place) + 1 : place + 1]
    return _TABLE.match(line) is not None


def _cells(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    place = start
    for cell in text[start:end].split(";"):
        yield place, place + len(cell)
        place += len(cell) + 1


def _row(
    page: Page,
    cells: list[tuple[int, int]],
    header: list[tuple[int, int]],
    number: int,
    line: tuple[int, int],
) -> Iterator[Segment]:
    """The cells of a row, each with what its column and its row are about."""
    if len(cells) < 2:
        return
    label = _within(page.tokens, *cells[0])
    for place, (start, end) in enumerate(cells[1:], 1):
        column = _within(page.tokens, *header[place]) if place < len(header) else ()
        one = _segment(page, start, end, line, number, unsure=False, lead=(*label, *column))
        yield msgspec.structs.replace(one, cell=True)
