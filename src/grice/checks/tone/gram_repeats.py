"""Find repeats, by characters, in scripts that are written without spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import ceil

from grice.checks.tone.repeats import Repeat

GRAM = 6
MIN_CLAUSE = 6
CHARACTERS_A_SHARE = 120
"""For so many characters a run may stand once more than once is told."""

_UNSPACED = (
    "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff"
    "\u1000-\u109f\u1780-\u17ff\U00020000-\U0003ffff"
)
_ONE_UNSPACED = re.compile(f"[{_UNSPACED}]")
_LETTER = re.compile(r"[^\W\d_]")
_RUN = re.compile(f"[{_UNSPACED}]+")
_LOOP = re.compile(f"([{_UNSPACED}]{{2,20}}?)(?:[\\s,.!?\u3001\u3002\uff0c\uff01\uff1f]*\\1){{2,}}")


def is_written_without_spaces(text: str) -> bool:
    """Whether most letters of the text are of a script that puts no spaces between words."""
    unspaced = len(_ONE_UNSPACED.findall(text))
    return unspaced > 0 and 2 * unspaced > len(_LETTER.findall(text))


def gram_repeats(text: str, at_most: int) -> Iterator[Repeat]:
    """Find what a text without spaces says again.

    Clauses of six characters or more that stand twice, phrases that follow upon themselves three times, and
    runs of six characters that stand more than `at_most` times, once more for every 120 characters.
    """
    clauses: dict[str, list[tuple[int, int]]] = {}
    grams: dict[str, list[int]] = {}
    total = 0
    for run in _RUN.finditer(text):
        total += len(run[0])
        if len(run[0]) >= MIN_CLAUSE:
            clauses.setdefault(run[0], []).append(run.span())
        for place in range(run.start(), run.end() - GRAM + 1):
            grams.setdefault(text[place : place + GRAM], []).append(place)
    for places in clauses.values():
        if len(places) > 1:
            yield Repeat("the clause", len(places), tuple(places))
    for loop in _LOOP.finditer(text):
        if len(set(loop[1])) > 1:
            times = loop[0].count(loop[1])
            yield Repeat("the words", times, (loop.span(1), loop.span()))
    allowed = max(at_most, at_most - 1 + ceil(total / CHARACTERS_A_SHARE))
    for starts in grams.values():
        if len(starts) > allowed:
            yield Repeat("the words", len(starts), tuple((start, start + GRAM) for start in starts))
