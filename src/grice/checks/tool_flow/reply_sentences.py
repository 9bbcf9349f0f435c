"""The sentences of a reply, cut into clauses by the reader of claims."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import attrgetter

import msgspec

from grice.checks.tool_flow.vocabulary import english, word_list
from grice.claims.lexicon import Lexicon
from grice.claims.passage import Clause
from grice.claims.passage_parsing import parse_passage
from grice.claims.terms import parse_text
from grice.text.normalised import Normalised
from grice.text.words import Word

_MAX_SENTENCE = 2_000
"""The characters of a sentence that are looked at, so that no text takes more than linear time."""


_MAX_OBJECT = 12
_END = re.compile(
    r"[.!?;:\n(),\u00a4](?!\w)|\s-\s|\b(?:but|because|so|if|while|before|after|once|until|or)\b"
)


class ReplySentence(msgspec.Struct, frozen=True):
    """A sentence of a reply: its number, its place in the prose, its text with its case and without, its
    words with their stems, the places of those that it denies, its clauses, and whether it asks.
    """

    number: int
    start: int
    cased: str
    text: str
    tokens: Sequence[Word]
    stems: Sequence[str]
    denied: frozenset[int]
    clauses: Sequence[Clause]
    asks: bool

    def denies(self, place: int) -> bool:
        """Whether the word that stands at an offset in the sentence is denied."""
        at = bisect_right(self.tokens, self.start + place, key=_by_start) - 1
        return at >= 0 and self.tokens[at].start in self.denied

    def index(self, place: int) -> int:
        """The number of the first word that begins at an offset in the sentence or behind it."""
        return bisect_left(self.tokens, self.start + place, key=_by_start)

    def clause_end(self, number: int) -> int:
        """The number of the word before which the clause of a word ends."""
        found = _END.search(self.text, self.tokens[number].end - self.start)
        return self.index(found.start()) if found is not None else len(self.tokens)

    def has(self, words: frozenset[str], first: int, last: int) -> bool:
        """Whether one of some words is among those with these numbers."""
        return any(one.text in words for one in self.tokens[first:last])

    def things(self, first: int, last: int, *, whole: bool = False) -> tuple[frozenset[str], frozenset[str]]:
        """The stems of the nouns among words, up to a preposition unless `whole`, and the names."""
        nouns: set[str] = set()
        names: set[str] = set()
        behind = False
        last = min(last, first + _MAX_OBJECT)
        for word, stem in zip(self.tokens[first:last], self.stems[first:last], strict=True):
            shown = self.cased[word.start - self.start]
            if word.text in english().prepositions or word.text == "to":
                behind = not whole
            elif word.text in word_list("adverbs") | english().stop_words:
                continue
            elif (shown.isupper() and word.start > self.start) or any(map(str.isdigit, word.text)):
                names.add(word.text.removesuffix("'s"))
            elif not behind and not word.text.endswith("ly"):
                nouns.add(stem)
        return frozenset(nouns), frozenset(names)


_by_start = attrgetter("start")


def read_reply(said: str, lexicon: Lexicon) -> list[ReplySentence]:
    """The sentences of an English prose text, cut into clauses by the reader of claims.

    It cuts no questions: they are given to it as statements, and `asks` tells them apart.
    """
    stated = said.replace("?", ".")
    prose = Normalised(stated, stated, range(len(said)), range(1, len(said) + 1))
    reading = parse_text(stated, lexicon)
    denied = frozenset(one.start for one in reading.terms if one.denied)
    found: list[ReplySentence] = []
    for one in parse_passage(prose, lexicon).sentences:
        first = bisect_left(reading.tokens, one.start, key=_by_start)
        end = min(one.end, one.start + _MAX_SENTENCE)
        last = bisect_left(reading.tokens, end, key=_by_start)
        cased = said[one.start : end]
        lowered = "".join(each.lower()[:1] for each in cased).replace("\n", " ")
        tokens, stems = reading.tokens[first:last], reading.stems[first:last]
        clauses = [clause for clause in one.clauses if clause.end <= end]
        asks = cased.rstrip("\"')* \u00a4").endswith("?")
        found.append(
            ReplySentence(len(found), one.start, cased, lowered, tokens, stems, denied, clauses, asks)
        )
    return found
