"""How much a long reply speaks for what was asked, by what it says for and against."""

from __future__ import annotations

from grice.checks.contradiction.speaking import Said
from grice.checks.contradiction.wordlists import Wordlists

__all__ = ["LEAST", "argues", "weight_of"]

MIN_WORDS, MIN_REASONS = 60, 6
"""Words of a reply that argues, and how many of them are for or against something."""

LEAST = 0.1
"""A weight nearer to nothing takes no side: the reply only weighs up."""

STANDS, DENIES, CONCEDES = 0.2, 0.1, 0.2
"""What it adds or takes that a reply stands by its view, finds fault, or opens with a concession; the
balance of its words for and against is from -1 to 1.
"""

MAX_STANDS, MAX_DENIES = 2, 3
HEAD = 350
"""Characters with which a reply opens."""


def argues(one: Said, words: Wordlists) -> bool:
    """Whether a reply argues at length: what is asked is its matter, and not each thing that it says."""
    return weight_of(one, words) is not None


def weight_of(one: Said, words: Wordlists) -> float | None:
    """How much a reply speaks for what was asked, from about -2 to 2; None where it argues nothing."""
    if sum(map(len, one.tokens)) < MIN_WORDS:
        return None
    speaks_for, speaks_against = (
        sum(word in words.groups[side] for said in one.tokens for word in said)
        for side in ("speaks_for", "speaks_against")
    )
    if speaks_for + speaks_against < MIN_REASONS:
        return None
    text, patterns = one.prose.text.lower(), words.patterns
    head = text[:HEAD]
    weight = (speaks_for - speaks_against) / (speaks_for + speaks_against)
    weight += STANDS * min(MAX_STANDS, sum(1 for _ in patterns["stands_by"].finditer(text)))
    weight -= DENIES * min(MAX_DENIES, sum(1 for _ in patterns["finds_fault"].finditer(text)))
    return weight - CONCEDES * (patterns["opens_conceding"].search(head) is not None)
