"""The store of facts: what can be found by the words, names, values and records of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Any

import msgspec

from grice.claims.facts import Fact, Record, facts_in
from grice.claims.lexicon import Lexicon
from grice.claims.terms import stems_in

__all__ = ["FactStore", "Source", "UserStatements", "kin_of"]

Source = tuple[str, Any]
"""Where facts come from, as their paths begin ("$", "get_order#1"), and the JSON value or text."""

Name = tuple[Record, int]
"""A record, and which of its names."""

KIN_END, KIN_LENGTH = 3, 5
MIN_HEAD = 4
MIN_SHARED = 2
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
    def by_joined(self) -> dict[str, list[Fact]]:
        """Facts by two of their words written as one."""
        found: dict[str, list[Fact]] = {}
        for fact in self.facts:
            for one in fact.joined:
                found.setdefault(one, []).append(fact)
        return found

    @cached_property
    def by_dimension(self) -> dict[str, list[Fact]]:
        """Facts with numbers by what these measure, "" for bare ones."""
        found: dict[str, list[Fact]] = {}
        for fact in self.facts:
            if fact.quantities or fact.number is not None:
                for dimension in {one.dimension for one in fact.quantities} or {""}:
                    found.setdefault(dimension, []).append(fact)
        return found

    @cached_property
    def dated(self) -> list[Fact]:
        """Facts with dates or times."""
        return [fact for fact in self.facts if fact.moments]

    @cached_property
    def by_place(self) -> dict[str, list[Fact]]:
        """Fields by the path of the object they stand in, and of the objects beside that."""
        found: dict[str, list[Fact]] = {}
        for fact in self.facts:
            if not fact.prose:
                found.setdefault(_parent(fact.path), []).append(fact)
                found.setdefault(_cousins(fact.path), []).append(fact)
        return found

    @cached_property
    def kin(self) -> frozenset[str]:
        """The beginnings that stems share with relatives."""
        return frozenset(map(kin_of, (*self.by_word, *self.by_key)))

    @cached_property
    def key_kin(self) -> frozenset[str]:
        """The beginnings that words in names of fields share with relatives."""
        raw = frozenset[str]().union(*(fact.names.raw for fact in self.facts))
        return frozenset(kin_of(one) for one in raw if len(one) > MIN_HEAD)

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

    @cached_property
    def heads(self) -> frozenset[str]:
        """The ends of words in names (board in Snowboard)."""
        stems = frozenset[str]().union(*(name for names in self._stems.values() for name in names))
        return frozenset(one[place:] for one in stems for place in range(1, len(one) - MIN_HEAD + 1))


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
    def order(self) -> dict[str, int]:
        """The sources by when they were told: a later one is newer."""
        return {part.facts[0].source: place for place, part in enumerate(self.parts)}

    @cached_property
    def is_prose(self) -> bool:
        """Whether the facts are sentences."""
        return all(one.prose for part in self.parts for one in part.facts[:50])

    @cached_property
    def records(self) -> list[Record]:
        """All records, in the order of their sources."""
        return [one for part in self.parts for one in part.records]

    @cached_property
    def _found(self) -> tuple[dict[str, list[Fact]], dict[str, list[Fact]], dict[str, list[Fact]]]:
        """What was looked up by word, by name and by two words as one: each word is asked for many times."""
        return {}, {}, {}

    def saying(self, stem_: str) -> Sequence[Fact]:
        """The facts whose value says or denies a word."""
        known = self._found[0]
        if stem_ not in known:
            known[stem_] = [one for part in self.parts for one in part.by_word.get(stem_, ())]
        return known[stem_]

    def called(self, stem_: str) -> Sequence[Fact]:
        """The facts with the word in their name."""
        known = self._found[1]
        if stem_ not in known:
            known[stem_] = [one for part in self.parts for one in part.by_key.get(stem_, ())]
        return known[stem_]

    def joined(self, stem_: str) -> Sequence[Fact]:
        """The facts that have the word written as two."""
        known = self._found[2]
        if stem_ not in known:
            known[stem_] = [one for part in self.parts for one in part.by_joined.get(stem_, ())]
        return known[stem_]

    def numeric(self, *dimensions: str) -> Sequence[Fact]:
        """The facts with numbers of these dimensions; with any number without one."""
        known = self._measuring
        if dimensions not in known:
            found = [
                one
                for part in self.parts
                for name in dimensions or part.by_dimension
                for one in part.by_dimension.get(name, ())
            ]
            known[dimensions] = list({id(one): one for one in found}.values())
        return known[dimensions]

    @cached_property
    def _measuring(self) -> dict[tuple[str, ...], list[Fact]]:
        """What was looked up by dimensions."""
        return {}

    @cached_property
    def dated(self) -> list[Fact]:
        """The facts with a date or time."""
        return [one for part in self.parts for one in part.dated]

    def beside(self, fact: Fact) -> list[Fact]:
        """The fields of the object that a fact stands in, and the same field of the objects beside that."""
        keys = (_parent(fact.path), _cousins(fact.path))
        found = [one for part in self.parts for key in keys for one in part.by_place.get(key, ())]
        if fact.records:
            group = fact.records[-1].group
            same = (one for key in list(fact.names.leaf)[:1] for one in self.called(key.lstrip("!")))
            found += [
                one
                for one in same
                if one.records and one.records[-1].group == group and one.names == fact.names
            ]
        return [one for one in found if one is not fact]

    def has_word(self, stem_: str) -> bool:
        """Whether a fact says or denies a word."""
        return bool(self.saying(stem_))

    def has_key(self, stem_: str) -> bool:
        """Whether a field has the word in its name."""
        return bool(self.called(stem_))

    def has_pair(self, pair: str) -> bool:
        """Whether two words, written as one, stand side by side in a fact."""
        return bool(self.joined(pair))

    def has_kin(self, stem_: str) -> bool:
        """Whether a relative of the word is in a fact."""
        beginning = kin_of(stem_)
        return any(beginning in part.kin for part in self.parts)

    def has_key_kin(self, stem_: str) -> bool:
        """Whether a relative of the word is in the name of a field."""
        beginning = kin_of(stem_)
        return any(beginning in part.key_kin for part in self.parts)

    def is_head(self, stem_: str) -> bool:
        """Whether names of records end with the word: board of Snowboard."""
        return any(stem_ in part.heads for part in self.parts)

    def named(self, stem_: str) -> list[Record]:
        """The records that the word helps to name."""
        return [name[0] for part in self.parts for name in part.named.get(stem_, ())]

    def meant_by(self, stems: Iterable[str]) -> frozenset[Record]:
        """The records that a text names: by at least half of the words of a name that tell it from others."""
        given = set(stems)
        found: set[Record] = set()
        for part in self.parts:
            hits: dict[Name, int] = {}
            for one in given & part.named.keys():
                for name in part.named[one]:
                    hits[name] = hits.get(name, 0) + 1
            found.update(name[0] for name, count in hits.items() if count * 2 >= len(part.telling[name]))
        return frozenset(found)

    def described_by(self, stems: AbstractSet[str]) -> frozenset[Record]:
        """The one record of its group whose values have most of the words, two at least: navy, size M."""
        shared: dict[str, list[tuple[int, Record]]] = {}
        for one in self.records:
            shared.setdefault(one.group, []).append((len(one.words & stems), one))
        found: set[Record] = set()
        for counted in shared.values():
            most = max(count for count, _ in counted)
            first = [one for count, one in counted if count == most]
            if most >= MIN_SHARED and len(first) == 1 < len(counted):
                found.add(first[0])
        return frozenset(found)

    def beside_records(self, meant: frozenset[Record]) -> frozenset[Record]:
        """The records that are not meant when these are: the others of their groups."""
        groups = {one.group for one in meant}
        if not groups:
            return frozenset()
        return frozenset(one for one in self.records if one.group in groups and one not in meant)


class UserStatements(msgspec.Struct, frozen=True, dict=True):
    """What the user said. Mostly its words are asked for, so that its facts are read only when these are."""

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


def _parent(path: str) -> str:
    return path.rpartition(".")[0]


def _cousins(path: str) -> str:
    """What the paths of a field and of the one of that name in the objects beside its own share."""
    parent, _, leaf = path.rpartition(".")
    return f"{parent.rpartition('.')[0]}.*.{leaf}"


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
