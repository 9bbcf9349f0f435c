"""What a text says: its sentences, their clauses, and the atoms in these that facts can decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from grice.claims.terms import Term
from grice.text.normalised import Normalised
from grice.text.quantities import Quantity
from grice.text.times import Moment
from grice.text.words import Word

AtomKind = Literal["quantity", "money", "moment", "code", "state"]
Value = Quantity | Moment | str | bool
"""A quantity or amount, a date or time, a code as it is written, or whether a state holds."""

Modality = Literal["states", "thinks", "conditional", "offers"]
"""How a clause is meant. `states` is what facts settle; `thinks` is what the speaker thinks, does, did or
advises; `conditional` is what would or may be, and what something is good for; `offers` is what the user may
want. A sentence that asks or offers has no clauses."""

MEASURES = frozenset(
    [
        *("money", "time", "length", "mass", "volume", "temperature", "data", "percent", "power", "energy"),
        *("speed", "area"),
    ]
)
"""What quantities measure, where others count."""


def is_measure(dimension: str) -> bool:
    """Whether a quantity of the dimension measures something, where others count."""
    return dimension in MEASURES


class Atom(msgspec.Struct, frozen=True, gc=False):
    """One value that a clause says, with what it is about.

    `subject` are the stems before the verb of its clause, of what the clause speaks; `attribute` are the
    other stems of the part of the clause that stands around it. `denied` says that the clause denies it,
    `ends` that words before it make it the end of a range ("within 5 days"). `start` and `end` are its place
    in the prose.
    """

    kind: AtomKind
    value: Value
    said: str
    start: int
    end: int
    subject: frozenset[str] = frozenset()
    attribute: frozenset[str] = frozenset()
    denied: bool = False
    ends: bool = False
    modality: Modality = "states"

    @property
    def about(self) -> frozenset[str]:
        """All stems that say what the value is of."""
        return self.subject | self.attribute


class Clause(msgspec.Struct, frozen=True, gc=False):
    """A part of a sentence with one thing to say. `start` and `end` are its place in the prose.

    `terms` are its words that carry meaning, `tokens` all of them, with `stems` beside these, `atoms` its
    values; `subject` are the stems before its verb, of what it speaks.
    """

    start: int
    end: int
    modality: Modality
    terms: Sequence[Term]
    stems: Sequence[str]
    tokens: Sequence[Word]
    atoms: Sequence[Atom] = ()
    subject: frozenset[str] = frozenset()

    @property
    def soft(self) -> bool:
        """Whether only the amounts and dates of the clause are facts."""
        return self.modality != "states"


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """A sentence: its `text`, its place in the prose, its clauses, and all its stems.

    `topic` are the stems of the heading, or of the line ending in a colon, that it stands under. One without
    clauses claims nothing: it asks, greets, thanks or offers.
    """

    text: str
    start: int
    end: int
    clauses: Sequence[Clause]
    stems: frozenset[str]
    topic: frozenset[str] = frozenset()


class Passage(msgspec.Struct, frozen=True, gc=False):
    """A parsed text. The places in its sentences are those of `prose.text`."""

    prose: Normalised
    sentences: Sequence[Sentence]

    @property
    def claims(self) -> list[Sentence]:
        """The sentences that claim something."""
        return [one for one in self.sentences if one.clauses]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The place in the original text of a part of the prose; (0, 0) for none."""
        return self.prose.span(start, end) if start < end <= len(self.prose.text) else (0, 0)
