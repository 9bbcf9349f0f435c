"""The store of facts: what can be found by the words, names, values and records of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Any

import msgspec

from grice.claims.facts import Fact, Record, facts_in
from grice.claims.lexicon import Lexicon
from grice.text.words import stem, words

__all__ = ["FactStore", "Source", "kin_of", "store_of"]

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


class _Part(msgspec.Struct, frozen=True, gc=False):
    """The facts of one source with an index from stems to them.

    `by_word` finds facts by what they say or deny, `by_key` by their names, `by_joined` by two words written
    as one; `by_dimension` those with numbers by what these measure, "" for bare ones; `beside` by the path
    of the object they stand in. `named` finds names of records by stems that tell them from others of their
    group; `lengths` is how many such stems a name has. `kin` are the beginnings that stems share with
    relatives, `key_kin` those of names, `heads` the ends of words in names (board in Snowboard).
    """

    facts: Sequence[Fact]
    records: Sequence[Record]
    by_word: dict[str, list[Fact]]
    by_key: dict[str, list[Fact]]
    by_joined: dict[str, list[Fact]]
    by_dimension: dict[str, list[Fact]]
    dated: Sequence[Fact]
    beside: dict[str, list[Fact]]
    named: dict[str, list[Name]]
    lengths: dict[Name, int]
    kin: frozenset[str]
    key_kin: frozenset[str]
    heads: frozenset[str]


class FactStore(msgspec.Struct, frozen=True, gc=False):
    """Facts of some sources, found by their words, their names, their values."""

    parts: Sequence[_Part]
    lexicon: Lexicon

    @property
    def facts(self) -> list[Fact]:
        """All facts, in the order of their sources."""
        return [one for part in self.parts for one in part.facts]

    @property
    def order(self) -> dict[str, int]:
        """The sources by when they were told: a later one is newer."""
        return {part.facts[0].source: place for place, part in enumerate(self.parts)}

    @property
    def is_prose(self) -> bool:
        """Whether the facts are sentences."""
        return all(one.prose for part in self.parts for one in part.facts[:50])

    @property
    def records(self) -> list[Record]:
        """All records, in the order of their sources."""
        return [one for part in self.parts for one in part.records]

    def saying(self, stem_: str) -> list[Fact]:
        """The facts whose value says or denies a word."""
        return [one for part in self.parts for one in part.by_word.get(stem_, ())]

    def called(self, stem_: str) -> list[Fact]:
        """The facts with the word in their name."""
        return [one for part in self.parts for one in part.by_key.get(stem_, ())]

    def joined(self, stem_: str) -> list[Fact]:
        """The facts that have the word written as two."""
        return [one for part in self.parts for one in part.by_joined.get(stem_, ())]

    def numeric(self, *dimensions: str) -> list[Fact]:
        """The facts with numbers of these dimensions; with any number without one."""
        if dimensions:
            found = [
                one for part in self.parts for name in dimensions for one in part.by_dimension.get(name, ())
            ]
        else:
            found = [one for part in self.parts for some in part.by_dimension.values() for one in some]
        return list({id(one): one for one in found}.values())

    def dated(self) -> list[Fact]:
        """The facts with a date or time."""
        return [one for part in self.parts for one in part.dated]

    def beside(self, fact: Fact) -> list[Fact]:
        """The fields of the object that a fact stands in, and the same field of the objects beside that."""
        keys = (_parent(fact.path), _cousins(fact.path))
        found = [one for part in self.parts for key in keys for one in part.beside.get(key, ())]
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
        return any(stem_ in part.by_word for part in self.parts)

    def has_key(self, stem_: str) -> bool:
        """Whether a field has the word in its name."""
        return any(stem_ in part.by_key for part in self.parts)

    def has_pair(self, pair: str) -> bool:
        """Whether two words, written as one, stand side by side in a fact."""
        return any(pair in part.by_joined for part in self.parts)

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
            found.update(name[0] for name, count in hits.items() if count * 2 >= part.lengths[name])
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


def _parent(path: str) -> str:
    return path.rpartition(".")[0]


def _cousins(path: str) -> str:
    """What the paths of a field and of the one of that name in the objects beside its own share."""
    parent, _, leaf = path.rpartition(".")
    return f"{parent.rpartition('.')[0]}.*.{leaf}"


_KNOWN: dict[tuple[str, str | bytes, Lexicon], _Part] = {}
"""The last parts by what they were made of: the same results stand before every later turn."""


def store_of(sources: Iterable[Source], lexicon: Lexicon) -> FactStore:
    """The facts of sources; one that was read lately is not read again. Linear in the length of what is
    new.
    """
    parts = [_part(root, value, lexicon) for root, value in sources]
    return FactStore([one for one in parts if one.facts], lexicon)


def _part(root: str, value: Any, lexicon: Lexicon) -> _Part:
    key = _key(value)
    if not key:
        return _indexed(facts_in(value, lexicon, root=root), lexicon)
    known = _KNOWN.get((root, key, lexicon))
    if known is None:
        if len(_KNOWN) >= MAX_KEPT:
            _KNOWN.clear()
        known = _KNOWN[root, key, lexicon] = _indexed(facts_in(value, lexicon, root=root), lexicon)
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


def _indexed(facts: Sequence[Fact], lexicon: Lexicon) -> _Part:
    """The facts with their indexes. Linear in their number."""
    by_word: dict[str, list[Fact]] = {}
    by_key: dict[str, list[Fact]] = {}
    by_joined: dict[str, list[Fact]] = {}
    by_dimension: dict[str, list[Fact]] = {}
    beside: dict[str, list[Fact]] = {}
    records: dict[Record, None] = {}
    for fact in facts:
        records.update(dict.fromkeys(fact.records))
        for one in fact.words | fact.denied:
            by_word.setdefault(one, []).append(fact)
        for one in fact.keys:
            by_key.setdefault(one, []).append(fact)
        for one in fact.joined:
            by_joined.setdefault(one, []).append(fact)
        if fact.quantities or fact.number is not None:
            for dimension in {one.dimension for one in fact.quantities} or {""}:
                by_dimension.setdefault(dimension, []).append(fact)
        if not fact.prose:
            beside.setdefault(_parent(fact.path), []).append(fact)
            beside.setdefault(_cousins(fact.path), []).append(fact)
    named, lengths, heads = _names(list(records), lexicon)
    raw = frozenset().union(*(fact.names.raw for fact in facts)) if facts else frozenset()
    return _Part(
        facts,
        list(records),
        by_word,
        by_key,
        by_joined,
        by_dimension,
        [fact for fact in facts if fact.moments],
        beside,
        named,
        lengths,
        frozenset(map(kin_of, (*by_word, *by_key))),
        frozenset(kin_of(one) for one in raw if len(one) > MIN_HEAD),
        heads,
    )


def _names(
    records: Sequence[Record], lexicon: Lexicon
) -> tuple[dict[str, list[Name]], dict[Name, int], frozenset[str]]:
    """The stems in the names of each record that tell it from most others, their number, and all ends
    of stems.
    """
    stem_of = _stemmer(lexicon)
    stems = [[{stem_of(word.text) for word in words(name)} for name in record.names] for record in records]
    sizes: dict[str, int] = {}
    counts: dict[tuple[str, str], int] = {}
    for record, names in zip(records, stems, strict=True):
        sizes[record.group] = sizes.get(record.group, 0) + 1
        for one in set().union(*names):
            counts[record.group, one] = counts.get((record.group, one), 0) + 1
    named: dict[str, list[Name]] = {}
    lengths: dict[Name, int] = {}
    empty = lexicon.frame | lexicon.pack.stop_words
    for record, names in zip(records, stems, strict=True):
        for number, name in enumerate(names):
            few = max(2, sizes[record.group])
            telling = [one for one in name if counts[record.group, one] * 2 <= few and one not in empty]
            telling = telling or [one for one in name if counts[record.group, one] == 1 < sizes[record.group]]
            lengths[record, number] = len(telling)
            for one in telling:
                named.setdefault(one, []).append((record, number))
    all_stems = set().union(*(name for names in stems for name in names))
    heads = frozenset(one[place:] for one in all_stems for place in range(1, len(one) - MIN_HEAD + 1))
    return named, lengths, heads


@lru_cache(maxsize=16)
def _stemmer(lexicon: Lexicon) -> Callable[[str], str]:
    return lambda word: stem(word, lexicon.pack)
