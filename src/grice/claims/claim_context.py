"""One clause before the facts that it may be about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from grice.claims.fact_store import FactStore, UserStatements
from grice.claims.facts import Fact, Record
from grice.claims.lexicon import Lexicon
from grice.claims.passage import Atom

__all__ = ["AROUND", "CLAUSE", "SENTENCE", "ClaimContext"]

CLAUSE, SENTENCE, AROUND = 4, 2, 1
"""What a word counts towards the fact that it names: in the clause, in the sentence, around that."""


class ClaimContext(msgspec.Struct, frozen=True, gc=False):
    """A clause, what it is about, and the facts.

    `text` is the whole prose. `stems` are those of the sentence, `topic` those too of the sentence before it
    and of what it stands under; `context` says how near each word stands that may name a fact. `focus` are
    the records that the sentence speaks of, `hidden` those beside them; `fixed` says that it can speak of no
    others. `user_statements` is what the user said: no fact, but no invention either. `compared` are the
    records among which a superlative ranks, all when empty. `strict` says that every condition counts,
    `denies` that something in the sentence is denied. `said` are the values of the sentences before, `values`
    those of the sentence, `told` the same by what they come to.
    """

    text: str
    store: FactStore
    stems: frozenset[str]
    topic: frozenset[str]
    context: Mapping[str, int] = {}
    focus: frozenset[Record] = frozenset()
    hidden: frozenset[Record] = frozenset()
    user_statements: UserStatements | None = None
    compared: frozenset[Record] = frozenset()
    said: Sequence[Atom] = ()
    values: Sequence[Atom] = ()
    told: Mapping[object, Sequence[Atom]] = {}
    strict: bool = False
    denies: bool = False
    fixed: bool = False

    @property
    def is_prose(self) -> bool:
        """Whether the facts are sentences."""
        return self.store.is_prose

    @property
    def lexicon(self) -> Lexicon:
        """The words of the language."""
        return self.store.lexicon

    def saying(self, stem: str) -> Sequence[Fact]:
        """The facts in sight whose value says or denies a word."""
        return self.seen(self.store.saying(stem))

    def called(self, stem: str) -> Sequence[Fact]:
        """The facts in sight with the word in their name."""
        return self.seen(self.store.called(stem))

    def seen(self, facts: Sequence[Fact]) -> Sequence[Fact]:
        """The facts that are not of a record beside the one that is meant."""
        hidden = self.hidden
        return [fact for fact in facts if hidden.isdisjoint(fact.records)] if hidden else facts

    def of_others(self, stem: str) -> list[Fact]:
        """The facts of records out of sight that say a word."""
        if not self.hidden:
            return []
        return [fact for fact in self.store.saying(stem) if not self.hidden.isdisjoint(fact.records)]

    def nearness(self, fact: Fact, without: frozenset[str] = frozenset()) -> int:
        """How surely the clause is about a fact: the words that name it, by how near they stand."""
        context = self.context
        near = sum([context[one] for one in fact.meant_by(context.keys()) - without])
        near += sum([context[one] for one in fact.subject - without if one in context])
        if not fact.records:
            return near
        if not self.focus.isdisjoint(fact.records):
            return near + CLAUSE
        return near - CLAUSE if not self.hidden.isdisjoint(fact.records) else near

    def is_in_clause(self, fact: Fact) -> bool:
        """Whether the clause itself has a word that names a fact."""
        return any(self.context.get(one, 0) >= CLAUSE for one in fact.meant_by(self.context.keys()))

    def misses(self, fact: Fact) -> int:
        """How many words of its name the clause does not have."""
        return sum(one not in self.context for one in fact.names.keys)
