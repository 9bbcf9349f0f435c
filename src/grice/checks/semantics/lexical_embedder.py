"""Likeness of words: an embedder that needs no model, and says that it uses none."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from grice.text.languages import pack_for
from grice.text.normalised import normalise
from grice.text.words import content_words, stem

DIMENSIONS = 4_096
SPREAD = 4
"""The places a stem is hashed to: two different ones that meet at one of them are hardly alike."""

MAX_CHARACTERS = 20_000
"""Of a longer text the beginning: what follows hardly moves the vector."""

GRAM = 4
GRAM_WEIGHT = 0.7
"""What the pieces of a word weigh together, beside the 1 of its stem: misspellings share some of them."""


class LexicalEmbedder(msgspec.Struct, frozen=True, weakref=True):
    """Vectors of the words of a text: texts that share words lie close together, whatever they mean.

    Stems of content words and their pieces of four letters are hashed to places of the vector; a word that
    comes often counts by the logarithm of its number. Nothing knows how common a word is, nor any synonym:
    "trousers" and "pants" have nothing in common. Between `off_topic` and `threshold` nobody can tell. Both
    were measured, see `benchmarks/topicality.py`.
    """

    name: str = "lexical"
    threshold: float = 0.1
    off_topic: float = 0.06

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector of length 1 for each text; zeros for one without a content word."""
        return [_vector(text) for text in texts]


def _vector(text: str) -> list[float]:
    sums = [0.0] * DIMENSIONS
    for word, count in Counter(_stems(text[:MAX_CHARACTERS])).items():
        weight = 1.0 + math.log(count)
        for place, share in _places(word):
            sums[place] += weight * share
    length = math.hypot(*sums)
    return [value / length for value in sums] if length else sums


def _stems(text: str) -> Iterator[str]:
    prose = normalise(text).text
    pack = pack_for(prose)
    known = None if isinstance(pack, str) else pack
    for word in content_words(prose, known):
        yield stem(word.text, known)


@lru_cache(maxsize=20_000)
def _places(word: str) -> tuple[tuple[int, float], ...]:
    """The places of a word in the vector, and how much of it stands at each."""
    framed = f"<{word}>"
    grams = {framed[at : at + GRAM] for at in range(len(framed) - GRAM + 1)} if len(word) >= GRAM else set()
    share = GRAM_WEIGHT / math.sqrt(len(grams)) if grams else 0.0
    own = [(place, sign / math.sqrt(SPREAD)) for place, sign in _signed(word, SPREAD)]
    return (*own, *((at, sign * share) for gram in sorted(grams) for at, sign in _signed(gram, 1)))


def _signed(text: str, count: int) -> list[tuple[int, float]]:
    """So many places of a piece, each with a sign: what meets by chance cancels as often as it adds."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8 * count).digest()
    numbers = [int.from_bytes(digest[at : at + 8], "little") for at in range(0, 8 * count, 8)]
    return [(number % DIMENSIONS, -1.0 if number >> 63 else 1.0) for number in numbers]
