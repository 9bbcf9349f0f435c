"""How close a text is to facts in its words: a figure for ranking replies, where a verdict is for one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from grice.claims.fact_store import FactStore
from grice.claims.terms import Term

__all__ = ["overlap"]

KIN = 0.7
"""What a word counts of which the facts have a relative only (founder, founded)."""

SHARED_WEIGHT = 2
PAIR_WEIGHT = 0.5
NUMBER_WEIGHT = 0.6


def overlap(terms: Sequence[Term], text: str, store: FactStore) -> float:
    """How much of a text the facts say, from 0 to 1.

    The share of its words that the facts have, plain and weighed by their length, since long ones are rare;
    the share that is in the one fact that has most; of its pairs of neighbours the share; and of its
    numbers.
    """
    if not terms:
        return 0.0
    shares = SHARED_WEIGHT * _shared(terms, store) + _covered(terms, store) + _best(terms, store)
    more = PAIR_WEIGHT * _pairs(terms, store) + NUMBER_WEIGHT * _numbers(terms, text, store)
    return (shares + more) / (2 + SHARED_WEIGHT + PAIR_WEIGHT + NUMBER_WEIGHT)


def _shared(terms: Sequence[Term], store: FactStore) -> float:
    stems = {term.stem for term in terms}
    return sum(map(store.has_word, stems)) / len(stems)


def _covered(terms: Sequence[Term], store: FactStore) -> float:
    whole = sum(len(term.stem) for term in terms)
    known = 0.0
    for term in terms:
        if store.has_word(term.stem) or store.has_key(term.stem):
            known += len(term.stem)
        elif store.has_kin(term.stem):
            known += KIN * len(term.stem)
    return known / whole if whole else 0.0


def _best(terms: Sequence[Term], store: FactStore) -> float:
    """The largest share of the words that one fact has."""
    stems = {term.stem for term in terms}
    counts: dict[int, int] = {}
    for one in stems:
        for fact in store.saying(one):
            counts[id(fact)] = counts.get(id(fact), 0) + 1
    return max(counts.values(), default=0) / len(stems)


def _pairs(terms: Sequence[Term], store: FactStore) -> float:
    pairs = [f"{one.stem}{two.stem}" for one, two in pairwise(terms)]
    return sum(map(store.has_pair, pairs)) / len(pairs) if pairs else 0.0


def _numbers(terms: Sequence[Term], text: str, store: FactStore) -> float:
    """The share of the numbers that the facts have; half where there is none."""
    found = [text[term.start : term.end] for term in terms if text[term.start].isdigit()]
    if not found:
        return 0.5
    return sum(map(store.has_word, found)) / len(found)
