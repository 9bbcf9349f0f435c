"""The store of facts, found by the words, names, values and records of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from grice.claims.facts import Fact, Record, facts_in
from grice.claims.lexicon import Lexicon
from grice.claims.terms import stems_in

Source = tuple[str, Any]
"""Where facts come from, as their paths begin ("$", "get_order#1"), and the JSON value or text."""

Name = tuple[Record, int]
"""A record, and which of its names."""

KIN_END, KIN_LENGTH = 3, 5
MAX_KEPT = 256
MAX_KEY = 500_000


def kin_of(stem_: str) -> str:
    """What a stem shares with its relatives (founder, founded): its beginning."""
    return stem_[: max(KIN_LENGTH, len(stem_) - KIN_END)]


class _Part(msgspec.Struct, frozen=True, dict=True):
    """The facts of one source, with indexes that are made when they are asked for."""

    facts: Sequence[Fact]
    lexicon: Lexicon

    @cached_property
    def records(self) -> list[Record]:
        """The records that the facts stand in."""
        return list(dict.fromkeys(record for fact in self.facts for record in fact.records))

    @cached_property
    def by_word(self) -> dict[str, list[Fact]]:
        """Facts by what they say or deny."""
        found: dict[str, list[Fact]] = {}
        for fact in self.facts:
            for one in fact.words | fact.denied:
                found.setdefault(one, []).append(fact)
        return found

    @cached_property
    def by_key(self) -> dict[str, list[Fact]]:
        """Facts by the words of their names."""
        found: dict[str, list[Fact]] = {}
        for fact in self.facts:
            for one in fact.keys:
                found.setdefault(one, []).append(fact)
        return found

    @cached_property
    def kin(self) -> frozenset[str]:
        """The beginnings that stems share with relatives."""
        keys = (key for fact in self.facts if not fact.is_null for key in fact.keys)
        return frozenset(map(kin_of, (*self.by_word, *keys)))

    @cached_property
    def named(self) -> dict[str, list[Name]]:
        """Names of records by the stems that tell them from most others of their group."""
        found: dict[str, list[Name]] = {}
        for name, stems in self.telling.items():
            for one in stems:
                found.setdefault(one, []).append(name)
        return found

    @cached_property
    def telling(self) -> dict[Name, list[str]]:
        """The stems in each name of a record that tell it from most others."""
        sizes = Counter(record.group for record in self.records)
        counts = Counter(
            (record.group, one)
            for record, names in self._stems.items()
            for one in frozenset[str]().union(*names)
        )
        empty = self.lexicon.frame | self.lexicon.pack.stop_words
        found: dict[Name, list[str]] = {}
        for record, names in self._stems.items():
            size = sizes[record.group]
            for number, name in enumerate(names):
                few = max(2, size)
                telling = [one for one in name if counts[record.group, one] * 2 <= few and one not in empty]
                found[record, number] = telling or [
                    one for one in name if counts[record.group, one] == 1 < size
                ]
        return found

    @cached_property
    def _stems(self) -> dict[Record, list[frozenset[str]]]:
        return {
            record: [frozenset(self.lexicon.stems(name)) for name in record.names] for record in self.records
        }


class FactStore(msgspec.Struct, frozen=True, dict=True):
    """Facts of some sources, found by their words, their names, their values. Sources are read when they are
    asked for the first time; one that was read lately is not read again.
    """

    sources: Sequence[Source]
    lexicon: Lexicon

    @cached_property
    def parts(self) -> list[_Part]:
        """The facts of each source that has any, with their indexes; of the same source once."""
        parts = (_part(root, value, self.lexicon) for root, value in self.sources)
        return list({id(one): one for one in parts if one.facts}.values())

    @cached_property
    def facts(self) -> list[Fact]:
        """All facts, in the order of their sources."""
        return [one for part in self.parts for one in part.facts]

    @cached_property
    def is_prose(self) -> bool:
        """Whether the facts are sentences."""
        return all(one.prose for part in self.parts for one in part.facts[:50])

    @cached_property
    def valued(self) -> list[Fact]:
        """The facts that values can be held against: numbers, dates, codes."""
        return [one for one in self.facts if one.values or one.number is not None or _has_digit(one.shown)]

    @cached_property
    def records(self) -> list[Record]:
        """All records, in the order of their sources."""
        return [one for part in self.parts for one in part.records]

    def saying(self, stem_: str) -> list[Fact]:
        """The facts whose value says or denies a word."""
        return [one for part in self.parts for one in part.by_word.get(stem_, ())]

    def called(self, stem_: str) -> list[Fact]:
        """The facts with the word in their name."""
        return [one for part in self.parts for one in part.by_key.get(stem_, ())]

    def has_word(self, stem_: str) -> bool:
        """Whether a fact says or denies a word."""
        return bool(self.saying(stem_))

    def has_key(self, stem_: str) -> bool:
        """Whether a field has the word in its name."""
        return bool(self.called(stem_))

    def has_kin(self, beginning: str) -> bool:
        """Whether a relative of a word is in a fact, by the beginning that they share."""
        return any(beginning in part.kin for part in self.parts)

    def meant_by(self, stems: Iterable[str]) -> frozenset[Record]:
        """The records that a text names, by at least half of the words that tell a name from others."""
        given = set(stems)
        found: set[Record] = set()
        for part in self.parts:
            hits: dict[Name, int] = {}
            for one in given & part.named.keys():
                for name in part.named[one]:
                    hits[name] = hits.get(name, 0) + 1
            found.update(name[0] for name, count in hits.items() if count * 2 >= len(part.telling[name]))
        return frozenset(found)

    def beside_records(self, meant: frozenset[Record]) -> frozenset[Record]:
        """The records that are not meant when these are: the others of their groups."""
        groups = {one.group for one in meant}
        if not groups:
            return frozenset()
        return frozenset(one for one in self.records if one.group in groups and one not in meant)


class UserStatements(msgspec.Struct, frozen=True, dict=True):
    """What the user said. Its facts are made only when they are asked for: mostly its words are enough."""

    sources: Sequence[Source]
    lexicon: Lexicon

    @cached_property
    def store(self) -> FactStore:
        """What was said as facts."""
        return FactStore(self.sources, self.lexicon)

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems of what was said."""
        said = (one for _, value in self.sources for one in _scalars(value))
        return frozenset[str]().union(*(stems_in(f"{one}", self.lexicon) for one in said))

    def has_word(self, stem_: str) -> bool:
        """Whether the user said a word."""
        return stem_ in self.words


def _scalars(value: Any) -> Iterator[Any]:
    """The texts and numbers in a JSON value."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            waiting += one.values()
        elif isinstance(one, list | tuple):
            waiting += one
        elif one is not None:
            yield one


def _has_digit(shown: str) -> bool:
    return any(map(str.isdigit, shown))


_KNOWN: dict[tuple[str, str | bytes, Lexicon], _Part] = {}
"""The last parts by what they were made of: the same results stand before every later turn."""


def _part(root: str, value: Any, lexicon: Lexicon) -> _Part:
    key = _key(value)
    known = _KNOWN.get((root, key, lexicon)) if key else None
    if known is None:
        known = _Part(facts_in(value, lexicon, root=root), lexicon)
        if key:
            _KNOWN[root, key, lexicon] = known
            if len(_KNOWN) > MAX_KEPT:
                del _KNOWN[next(iter(_KNOWN))]
    return known


def _key(value: Any) -> str | bytes:
    """The value as text or bytes; nothing for what is too long to keep, or no JSON."""
    if isinstance(value, str):
        return value if len(value) <= MAX_KEY else ""
    try:
        key = msgspec.json.encode(value)
    except (TypeError, ValueError, RecursionError, OverflowError):
        return b""
    return key if len(key) <= MAX_KEY else b""
