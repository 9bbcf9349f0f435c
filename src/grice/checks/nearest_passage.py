"""The passage of a long text that is nearest to a short one that does not occur in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher, get_close_matches

from grice.text import fold

MAX_WORDS = 50
MAX_CANDIDATES = 20
MAX_VOCABULARY = 2_000
MAX_WORD = 40

_WORD = re.compile(r"\S+")
_PUNCTUATION = ".,;:!?\"'()[]{}*_`#"


def nearest_passage(wanted: str, text: str) -> tuple[int, int] | None:
    """Find the passage that has most words in common with `wanted`; None when none has half of them.

    A passage has as many words as `wanted`, of which the first 50 count. Case, quotes, invisible characters,
    white space and punctuation do not matter. For a single word it is the one spelled most alike. The time
    grows with the length of the text only.
    """
    words = [_bare(word) for word in wanted.split()[:MAX_WORDS]]
    spans = [found.span() for found in _WORD.finditer(text)]
    if not words or not spans:
        return None
    folded = [_bare(text[start:end]) for start, end in spans]
    size = min(len(words), len(folded))
    if len(words) == 1 and words[0] not in folded:
        place = _alike(words[0], folded)
    else:
        place = _most_shared(words, folded, size)
    return None if place is None else (spans[place][0], spans[place + size - 1][1])


def _bare(word: str) -> str:
    return fold(word).strip(_PUNCTUATION)


def _alike(word: str, folded: Sequence[str]) -> int | None:
    vocabulary = [one for one in dict.fromkeys(folded) if len(one) <= MAX_WORD][:MAX_VOCABULARY]
    found = get_close_matches(word, vocabulary, n=1) if len(word) <= MAX_WORD else []
    return folded.index(found[0]) if found else None


def _most_shared(words: Sequence[str], folded: Sequence[str], size: int) -> int | None:
    """Where the run of `size` words begins that shares most with `words`, at least half of them."""
    wanted, inside = Counter(words), Counter[str]()
    best, shared, places = -(-len(words) // 2), 0, list[int]()
    for place, word in enumerate(folded):
        inside[word] += 1
        shared += inside[word] <= wanted[word]
        if place >= size:
            left = folded[place - size]
            shared -= inside[left] <= wanted[left]
            inside[left] -= 1
        if place < size - 1 or shared < best:
            continue
        if shared > best:
            best, places = shared, []
        if len(places) < MAX_CANDIDATES:
            places.append(place - size + 1)
    return max(places, key=lambda place: _likeness(words, folded[place : place + size]), default=None)


def _likeness(words: Sequence[str], others: Sequence[str]) -> float:
    """How alike two runs of words are, letter by letter where they are short."""
    one, other = " ".join(words), " ".join(others)
    if len(one) > MAX_WORD * 5 or len(other) > MAX_WORD * 5:
        return SequenceMatcher(None, words, others).ratio()
    return SequenceMatcher(None, one, other).ratio()
