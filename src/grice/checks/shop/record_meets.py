"""Whether the record of a product meets a constraint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from grice.checks.shop.constraint_terms import PRICES, PreparedConstraint, is_within
from grice.claims.facts import Fact, facts_in
from grice.claims.lexicon import Lexicon, Phrase, plain_lexicon
from grice.claims.value_agreement import holds
from grice.text.quantities import Quantity
from grice.text.words import words

MAX_TOLD = 2_000
"""The characters of a record that tell its language."""


class RecordFacts(msgspec.Struct, frozen=True):
    """The record of a product as facts."""

    facts: Sequence[Fact]
    lexicon: Lexicon

    def meets(self, want: PreparedConstraint) -> bool | None:
        """Whether the product meets the constraint; None where its record does not say."""
        facts = [fact for fact in self.facts if self._is_field(fact, want)]
        if want.limit is not None:
            answers = [_within(fact, want, want.limit) for fact in facts]
            known = [one for one in answers if one is not None]
            return (all if want.field or want.priced else any)(known) if known else None
        if not facts:
            return None
        if want.wrong:
            return not any(self._says(fact, phrase) for fact in facts for phrase in want.wrong)
        if any(self._says(fact, phrase) for fact in facts for phrase in want.right):
            return True
        denied = any(self._denies(fact, phrase) for fact in facts for phrase in want.right)
        return False if denied or want.field else None

    def _is_field(self, fact: Fact, want: PreparedConstraint) -> bool:
        if want.priced:
            return any(one in fact.keys for name in PRICES for one in self.lexicon.stems(name))
        return fact.keys.issuperset(want.field)

    def _says(self, fact: Fact, phrase: Phrase) -> bool:
        """Whether a fact says a phrase, in its value or by its name, and its value does not deny it."""
        left = frozenset(phrase) - fact.keys
        if not left:
            return not self._is_denial(fact)
        return left <= fact.words or phrase == self.lexicon.stems(fact.shown)

    def _denies(self, fact: Fact, phrase: Phrase) -> bool:
        if fact.keys.issuperset(phrase):
            return self._is_denial(fact)
        return fact.denied.issuperset(phrase)

    def _is_denial(self, fact: Fact) -> bool:
        """Whether the value of a field says that what the field names is not there: no, none, 0."""
        if fact.truth is not None or fact.number is not None or fact.size:
            return not (fact.truth or fact.number)
        first = next((word.text for word in words(fact.shown)), "no")
        pack = self.lexicon.pack
        known = (self.lexicon.nothing, pack.negations, pack.noun_negations, pack.word_negations)
        return first in pack.no_words or any(first in one for one in known)


def known_of(record: Mapping[str, Any]) -> RecordFacts:
    """The facts of a record, read in the language of its texts."""
    told = [value for value in record.values() if isinstance(value, str)]
    lexicon = plain_lexicon(" ".join(told)[:MAX_TOLD])
    return RecordFacts(facts_in(record, lexicon), lexicon)


def _within(fact: Fact, want: PreparedConstraint, limit: Quantity) -> bool | None:
    """Whether a number of a record is in a range; None for what is no number, or of another kind.

    Where no field is named ("27-inch"), only a number with a unit of that kind says anything.
    """
    if fact.size:
        return None
    if limit.dimension == "money" and fact.number is not None and fact.number < 0:
        return None  # no price is below nothing
    alike = [one for one in fact.quantities if one.dimension == limit.dimension]
    if alike:
        return is_within(alike[0], limit)
    if fact.number is None or want.bare is None or (limit.dimension and not (want.field or want.priced)):
        return None
    return holds(want.bare, fact.number)
