"""How close a text is to facts in its words: a figure for ranking replies, where a verdict is for one."""

from __future__ import annotations

from collections.abc import Sequence

from grice.claims.fact_store import FactStore
from grice.claims.terms import Term


def overlap(terms: Sequence[Term], store: FactStore) -> float:
    """The share of a text's words that the facts have, from 0 to 1; numbers are words too."""
    stems = {term.stem for term in terms}
    return sum(store.has_word(one) or store.has_key(one) for one in stems) / len(stems) if stems else 0.0
