"""One sentence before the facts that it may be about."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import msgspec

from grice.checks.evidence.lexicon import Lexicon
from grice.checks.evidence.sheet import Fact, FactSheet

__all__ = ["Scene"]


class Scene(msgspec.Struct, frozen=True, gc=False):
    """The facts in sight of a sentence.

    `text` is the whole prose, `stems` are those of the sentence, `topic` those too of the sentence before
    that an "it" goes back to. `focus` are the records it speaks of,
    `hidden` those that it then does not speak of. `heard` is what the user said: no fact, but no
    invention either. `compared` are the records among which a superlative ranks, all when empty;
    `is_prose` says that the facts are sentences, `strict` that every condition counts, `denies` that
    something in the sentence is denied.
    """

    text: str
    stems: frozenset[str]
    sheet: FactSheet
    focus: frozenset[int] = frozenset()
    hidden: frozenset[int] = frozenset()
    heard: FactSheet | None = None
    compared: frozenset[int] = frozenset()
    is_prose: bool = False
    strict: bool = False
    denies: bool = False
    fixed: bool = False
    topic: frozenset[str] = frozenset()
    said: Sequence[tuple[int, Decimal]] = ()

    @property
    def lexicon(self) -> Lexicon:
        """The words of the language."""
        return self.sheet.lexicon

    def saying(self, stem: str) -> Sequence[Fact]:
        """The facts in sight whose value says or denies a word."""
        places = self.sheet.by_word.get(stem)
        return self._seen(places) if places else ()

    def called(self, stem: str) -> Sequence[Fact]:
        """The facts in sight with the word in their name."""
        places = self.sheet.by_key.get(stem)
        return self._seen(places) if places else ()

    def joined(self, stem: str) -> Sequence[Fact]:
        """The facts in sight that have the word written as two."""
        places = self.sheet.by_joined.get(stem)
        return self._seen(places) if places else ()

    def numeric(self, dimension: str = "") -> Sequence[Fact]:
        """The facts in sight with a number; of a dimension only those that it can be held against."""
        if not dimension:
            return self._seen(self.sheet.numeric)
        measured = self.sheet.by_dimension
        return self._seen(sorted({*measured.get(dimension, ()), *measured.get("", ())}))

    def dated(self) -> Sequence[Fact]:
        """The facts in sight with a date or time."""
        return self._seen(self.sheet.dated)

    def of_others(self, stem: str) -> list[Fact]:
        """The facts of records out of sight that say a word."""
        if not self.hidden:
            return []
        return [
            fact
            for place in self.sheet.by_word.get(stem, ())
            if not self.hidden.isdisjoint((fact := self.sheet.facts[place]).records)
        ]

    def _seen(self, places: Sequence[int]) -> list[Fact]:
        facts, hidden = self.sheet.facts, self.hidden
        if not hidden:
            return [facts[place] for place in places]
        return [fact for place in places if hidden.isdisjoint((fact := facts[place]).records)]
