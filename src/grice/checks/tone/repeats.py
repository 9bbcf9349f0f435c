"""What a text says more than once: sentences, phrases in a row, pairs of words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

import msgspec

from grice.text.normalised import Normalised
from grice.text.packs.pack import LanguagePack
from grice.text.sentences import sentence_spans
from grice.text.words import Word, words

MIN_SENTENCE = 4
MIN_PHRASE = 4
LONGEST_PHRASE = 60
MAX_PLACES = 10
MOST_ROWS = 10
PHRASE = 6
MIN_CONTENT = 3
"""A phrase that is noticed wherever it stands has so many words, and so many of content among them."""

WORDS_A_SHARE = 150
"""For so many words a phrase may stand once more."""

CONTENT_A_SHARE = 15
"""For so many words of content a pair may stand once more: a longer text repeats the terms of its subject."""

_ROW = re.compile(
    "\\s*(?:>\\s*)*(?:[-*+\u2022\u2023\u25e6\u2013\u25aa\u00b7]\\s|\\(?[0-9]{1,3}[.)]|[A-Za-z][.)]\\s|\\|)"
)
_HEADING = re.compile(r"\s*(?:#{1,6}\s|(?:\*\*|__)[^*_\n]{1,80}(?:\*\*|__)\s*$)")
_BOLD_LABEL = re.compile(r"\s*(?:\*\*|__)[^*_\n]{1,60}(?::(?:\*\*|__)|(?:\*\*|__):)")
_LABELLED = re.compile(r"[^.!?\n]{1,50}:(?:\s|$)")
_LONGEST_LABELLED = 90
_REFERS_BACK = frozenset(
    "it they this these that those both each he she there es sie das dies beide".split()  # noqa: SIM905
)


class Passage(msgspec.Struct, frozen=True, gc=False):
    """One line of a text: its words, where it begins, and whether it is a row of a list or table."""

    text: str
    start: int
    words: Sequence[Word]
    row: bool
    table: bool = False


class Repeat(msgspec.Struct, frozen=True, gc=False):
    """Words that stand more than once: the places are (start, end) in the normalised text, two or more."""

    what: str
    count: int
    places: tuple[tuple[int, int], ...]


def passages_of(normal: Normalised) -> list[Passage]:
    """The lines of a text that have words, in order."""
    found: list[Passage] = []
    start = 0
    for line in normal.text.split("\n"):
        cut = words(line)
        if cut:
            shifted = [Word(word.text, word.start + start, word.end + start) for word in cut]
            original = _original_line(normal, start + cut[0].start)
            table = original.count("|") > 1
            found.append(Passage(line, start, shifted, table or _is_row(original, line), table))
        start += len(line) + 1
    return found


def _original_line(normal: Normalised, place: int) -> str:
    offset = normal.offsets[place]
    start = max(normal.original.rfind("\n", 0, offset) + 1, offset - 200)
    end = normal.original.find("\n", offset, offset + 200)
    return normal.original[start : end if end >= 0 else offset + 200]


def _is_row(original: str, line: str) -> bool:
    if _ROW.match(original) or _BOLD_LABEL.match(original):
        return True
    if _HEADING.match(original):
        return not line.rstrip().endswith((".", "!", "?"))
    return len(line) <= _LONGEST_LABELLED and _LABELLED.match(line) is not None


def repeated_sentences(passages: Sequence[Passage], language: str) -> Iterator[Repeat]:
    """The sentences of prose that stand there twice: in a row, or long enough to be noticed anywhere."""
    seen: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    latest: tuple[str, ...] = ()
    adjacent: set[tuple[str, ...]] = set()
    for passage in passages:
        if passage.row:
            latest = ()
            continue
        for cut in _sentences(passage, language):
            key = tuple(word.text for word in cut)
            seen.setdefault(key, []).append((cut[0].start, cut[-1].end))
            if key == latest and len(key) > 1:
                adjacent.add(key)
            latest = key
    for key, places in seen.items():
        if len(places) < 2:
            continue
        noticed = len(key) >= MIN_SENTENCE and (key[0] not in _REFERS_BACK or len(places) > 2)
        if noticed or key in adjacent or (len(places) > 2 and len(key) > 1):
            yield Repeat("the sentence", len(places), tuple(places))


def _sentences(passage: Passage, language: str) -> Iterator[Sequence[Word]]:
    """The words of each sentence of a line."""
    starts = [word.start for word in passage.words]
    first = 0
    for _, end in sentence_spans(passage.text, language):
        last = bisect_left(starts, passage.start + end)
        if last > first:
            yield passage.words[first:last]
        first = last


def stutters(passages: Sequence[Passage], at_most: int) -> Iterator[Repeat]:
    """Find phrases repeated in a row: a word four times, a few words three times, a longer phrase twice.

    Where more than two times are allowed, short phrases may be said as often. A row of a list follows upon
    itself when it is said three times.
    """
    line: list[Word] = []
    for passage in passages:
        if passage.table:
            continue
        if passage.row:
            yield from _stutters(passage.words, at_most, in_row=True)
        else:
            line += passage.words
    yield from _stutters(line, at_most, in_row=False)
    yield from _same_rows(passages)


def _stutters(cut: Sequence[Word], at_most: int, *, in_row: bool) -> Iterator[Repeat]:
    texts = [word.text for word in cut]
    for size in range(1, min(LONGEST_PHRASE, len(texts) // 2) + 1):
        needed = 2 if size >= MIN_PHRASE and not in_row else max(4 if size == 1 else 3, at_most + 1)
        run = 0
        for place in range(len(texts) - size + 1):
            if place + size < len(texts) and texts[place] == texts[place + size]:
                run += 1
                continue
            if run // size + 1 >= needed:
                found = _stutter(cut[place - run : place + size], size)
                if found is not None:
                    yield found
            run = 0


def _stutter(cut: Sequence[Word], size: int) -> Repeat | None:
    """The phrase of so many words that these words say again and again; None when it is no phrase."""
    phrase = [word.text for word in cut[:size]]
    if not any(one.isalpha() and len(one) > 1 for one in phrase) or (size > 1 and len(set(phrase)) == 1):
        return None
    times = len(cut) // size
    places = tuple((cut[size * n].start, cut[size * n + size - 1].end) for n in range(min(times, MAX_PLACES)))
    return Repeat("the words" if size > 1 else "the word", times, places)


def _same_rows(passages: Sequence[Passage]) -> Iterator[Repeat]:
    """Rows that stand three times one below the other, alone or several; long ones that stand there twice."""
    rows = [passage for passage in passages if passage.row and not passage.table]
    texts = [[word.text for word in passage.words] for passage in rows]
    for size in range(1, min(MOST_ROWS, len(rows) // 2) + 1):
        run = 0
        for place in range(len(rows) - size + 1):
            if place + size < len(rows) and texts[place] == texts[place + size]:
                run += 1
                continue
            found = rows[place - run : place + size]
            needed = 2 if size == 1 and len(texts[place]) >= MIN_SENTENCE else 3
            if run // size + 1 >= needed and (
                size == 1 or len({tuple(one) for one in texts[place - run : place + size]}) > 1
            ):
                parts = [found[n : n + size] for n in range(0, len(found) - size + 1, size)][:MAX_PLACES]
                places = tuple((part[0].words[0].start, part[-1].words[-1].end) for part in parts)
                yield Repeat("the row" if size == 1 else "the rows", len(found) // size, places)
            run = 0


def repeated_phrases(
    passages: Sequence[Passage], text: str, pack: LanguagePack, at_most: int
) -> Iterator[Repeat]:
    """Find phrases of six words and more that prose has more than `at_most` times, whatever stands around
    them.

    Capitalised words and numbers are no content: the route of a flight may be named in each sentence.
    """
    places: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    total = 0
    for passage in passages:
        cut = passage.words
        total += len(cut)
        if passage.row or len(cut) < PHRASE:
            continue
        counts = [
            word.text not in pack.stop_words and word.text.isalpha() and not text[word.start].isupper()
            for word in cut
        ]
        for first in range(len(cut) - PHRASE + 1):
            if sum(counts[first : first + PHRASE]) >= MIN_CONTENT:
                inside = cut[first : first + PHRASE]
                at = places.setdefault(tuple(word.text for word in inside), [])
                if not at or at[-1][1] <= inside[0].start:
                    at.append((inside[0].start, inside[-1].end))
    allowed = at_most + total // WORDS_A_SHARE
    for found in places.values():
        if len(found) > allowed:
            yield Repeat("the phrase", len(found), tuple(found))


def repeated_pairs(
    passages: Sequence[Passage], text: str, pack: LanguagePack, at_most: int
) -> Iterator[Repeat]:
    """Find pairs of content words that stand side by side in prose more than `at_most` times.

    Pairs with a number and names (both words capitalised) do not count. A long text may say its terms more
    often.
    """
    places: dict[tuple[str, str], list[tuple[int, int]]] = {}
    content = 0
    for passage in passages:
        if passage.row:
            continue
        for word, following in zip(passage.words, passage.words[1:], strict=False):
            if word.text in pack.stop_words:
                continue
            content += 1
            if _is_pair(word, following, text, pack):
                places.setdefault((word.text, following.text), []).append((word.start, following.end))
    allowed = at_most + content // CONTENT_A_SHARE
    for found in places.values():
        if len(found) > allowed and not _is_name(found, text):
            yield Repeat("the words", len(found), tuple(found))


def _is_pair(word: Word, following: Word, text: str, pack: LanguagePack) -> bool:
    if following.text in pack.stop_words or not word.text.isalpha() or not following.text.isalpha():
        return False
    return text[word.end : following.start] in (" ", "-")  # no comma or full stop between them


def _is_name(places: Sequence[tuple[int, int]], text: str) -> bool:
    """Whether the two words are always capitalised, in a text that is not all capitals."""
    if text.isupper():
        return False
    return all(all(word[:1].isupper() for word in text[start:end].split()) for start, end in places)
