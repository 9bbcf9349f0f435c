"""How close a text is to facts in its words: a figure for ranking replies, where a verdict is for one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from grice.checks.evidence.sheet import FactSheet, kin_of
from grice.checks.evidence.terms import Term

__all__ = ["closeness"]

KIN = 0.7
"""What a word counts of which the facts have a relative only (founder, founded)."""

PAIR_WEIGHT = 0.5
NUMBER_WEIGHT = 0.6


def closeness(terms: Sequence[Term], text: str, sheet: FactSheet) -> float:
    """How much of a text the facts say, from 0 to 1.

    Of its words, weighed by their length since long ones are rare, the share that is in the facts; the share
    that is in the one fact that has most; of its pairs of neighbours the share; and of its numbers.
    """
    if not terms:
        return 0.0
    numbers = _numbers(terms, text, sheet)
    parts = _covered(terms, sheet) + _best(terms, sheet) + PAIR_WEIGHT * _pairs(terms, sheet)
    return (parts + NUMBER_WEIGHT * numbers) / (2 + PAIR_WEIGHT + NUMBER_WEIGHT)


def _covered(terms: Sequence[Term], sheet: FactSheet) -> float:
    kin = sheet.kin
    whole = sum(len(term.stem) for term in terms)
    known = 0.0
    for term in terms:
        if term.stem in sheet.by_word or term.stem in sheet.by_key:
            known += len(term.stem)
        elif kin_of(term.stem) in kin:
            known += KIN * len(term.stem)
    return known / whole if whole else 0.0


def _best(terms: Sequence[Term], sheet: FactSheet) -> float:
    """The largest share of the words that one fact has."""
    stems = {term.stem for term in terms}
    counts: dict[int, int] = {}
    for stem in stems:
        for place in sheet.by_word.get(stem, ()):
            counts[place] = counts.get(place, 0) + 1
    return max(counts.values(), default=0) / len(stems)


def _pairs(terms: Sequence[Term], sheet: FactSheet) -> float:
    pairs = [f"{one.stem}{two.stem}" for one, two in pairwise(terms)]
    return sum(pair in sheet.by_joined for pair in pairs) / len(pairs) if pairs else 0.0


def _numbers(terms: Sequence[Term], text: str, sheet: FactSheet) -> float:
    """The share of the numbers that the facts have; half where there is none."""
    found = [text[term.start : term.end] for term in terms if text[term.start].isdigit()]
    if not found:
        return 0.5
    return sum(one in sheet.by_word for one in found) / len(found)
