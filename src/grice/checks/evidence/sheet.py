"""All facts that a claim is held against, with what is needed to find them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

import msgspec

from grice.checks.evidence.lexicon import Lexicon
from grice.text.quantities import Quantity
from grice.text.times import Moment
from grice.text.words import stem, words

__all__ = ["Fact", "FactSheet", "Record", "kin_of", "sheet_of"]


Name = tuple[int, int]
"""A record, and which of its names."""


class Fact(msgspec.Struct, frozen=True, gc=False):
    """One value: `path` and `shown` are for messages.

    `keys` are the stems of the names on its path, `leaf` those of the last name that tell something (with
    `!` where the name denies them: `gluten_free`), `raw` of all their words, `label` of all words of the
    last. `words` and `denied` are what the value says and what it denies, `joined` its neighbouring words
    written as one. `truth` is that of a boolean, and false for nothing. `size` marks how many items a
    list has, `prose` a sentence, `excluded` what is excepted from the field around it, `names` the
    name of what the record is. `records` are the
    records it stands in, outermost first.
    """

    path: str
    shown: str
    keys: frozenset[str] = frozenset()
    leaf: frozenset[str] = frozenset()
    raw: frozenset[str] = frozenset()
    label: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    denied: frozenset[str] = frozenset()
    joined: frozenset[str] = frozenset()
    quantities: tuple[Quantity, ...] = ()
    moments: tuple[Moment, ...] = ()
    truth: bool | None = None
    number: Decimal | None = None
    records: tuple[int, ...] = ()
    listed: bool = False
    prose: bool = False
    size: bool = False
    excluded: bool = False
    size_in_words: int = 0
    names: bool = False

    @property
    def is_null(self) -> bool:
        """Whether the field has no value: what is denied may be spoken of, nothing else."""
        return self.size and self.number is None

    @property
    def line(self) -> str:
        """The fact as a line: `price: 299.99`."""
        return f"{self.path.removeprefix('$').lstrip('.') or 'text'}: {self.shown}"


class Record(msgspec.Struct, frozen=True, gc=False):
    """An object among others of its kind: `group` is the same for these, `names` are its id, its title
    and the like.
    """

    path: str
    group: str
    names: tuple[str, ...] = ()


class FactSheet(msgspec.Struct, frozen=True, gc=False):
    """Facts with an index from stems to them.

    `by_word` finds facts by what they say or deny, `by_key` by their names, `by_joined` by two words
    written as one; `numeric` and `dated` are those with numbers and with moments, `by_dimension` those with
    numbers by what these measure, "" for bare ones. `named` finds names of records by stems that tell them
    from others of their group; `lengths` is how many such stems a name has. `kin` are the beginnings that
    their stems share with relatives (founder, founded), `key_kin` those of names, `heads` the ends of words
    in names (board in Snowboard).
    """

    facts: Sequence[Fact]
    records: Sequence[Record]
    by_word: Mapping[str, Sequence[int]]
    by_key: Mapping[str, Sequence[int]]
    by_joined: Mapping[str, Sequence[int]]
    numeric: Sequence[int]
    by_dimension: Mapping[str, Sequence[int]]
    dated: Sequence[int]
    named: Mapping[str, Sequence[Name]]
    lengths: Mapping[Name, int]
    kin: frozenset[str]
    key_kin: frozenset[str]
    heads: frozenset[str]
    lexicon: Lexicon

    def focus_of(self, stems: Iterable[str]) -> frozenset[int]:
        """The records that a text names: by at least half of the words of a name that tell it from others."""
        hits: dict[Name, int] = {}
        for one in set(stems):
            for name in self.named.get(one, ()):
                hits[name] = hits.get(name, 0) + 1
        return frozenset(name[0] for name, count in hits.items() if count * 2 >= self.lengths[name])

    def out_of_sight(self, focus: frozenset[int]) -> frozenset[int]:
        """The records that are not meant when these are: the others of their groups."""
        if not focus:
            return frozenset()
        groups = {self.records[one].group for one in focus}
        return frozenset(
            place
            for place, record in enumerate(self.records)
            if record.group in groups and place not in focus
        )


KIN_END, KIN_LENGTH = 3, 5
MIN_HEAD = 4


def kin_of(stem_: str) -> str:
    """What a stem shares with its relatives: its beginning."""
    return stem_[: max(KIN_LENGTH, len(stem_) - KIN_END)]


def sheet_of(facts: Sequence[Fact], records: Sequence[Record], lexicon: Lexicon) -> FactSheet:
    """The facts with their indexes. Linear in their number."""
    by_word: dict[str, list[int]] = {}
    by_key: dict[str, list[int]] = {}
    by_joined: dict[str, list[int]] = {}
    for place, fact in enumerate(facts):
        for one in fact.words | fact.denied:
            by_word.setdefault(one, []).append(place)
        for one in fact.keys:
            by_key.setdefault(one, []).append(place)
        for one in fact.joined:
            by_joined.setdefault(one, []).append(place)
    numeric = [place for place, fact in enumerate(facts) if fact.quantities or fact.number is not None]
    by_dimension: dict[str, list[int]] = {}
    for place in numeric:
        for dimension in {one.dimension for one in facts[place].quantities} or {""}:
            by_dimension.setdefault(dimension, []).append(place)
    named, lengths, heads = _names(records, lexicon)
    return FactSheet(
        facts,
        records,
        by_word,
        by_key,
        by_joined,
        numeric,
        by_dimension,
        [place for place, fact in enumerate(facts) if fact.moments],
        named,
        lengths,
        frozenset(kin_of(one) for one in (*by_word, *by_key)),
        frozenset(kin_of(one) for one in set().union(*(fact.raw for fact in facts)) if len(one) > MIN_HEAD),
        heads,
        lexicon,
    )


def _names(
    records: Sequence[Record], lexicon: Lexicon
) -> tuple[dict[str, list[Name]], dict[Name, int], frozenset[str]]:
    """The stems in the names of each record that tell it from most others, their number, and all ends
    of stems.
    """
    stems = [
        [{stem(word.text, lexicon.pack) for word in words(name)} for name in record.names]
        for record in records
    ]
    sizes: dict[str, int] = {}
    counts: dict[tuple[str, str], int] = {}
    for record, names in zip(records, stems, strict=True):
        sizes[record.group] = sizes.get(record.group, 0) + 1
        for one in set().union(*names):
            counts[record.group, one] = counts.get((record.group, one), 0) + 1
    named: dict[str, list[Name]] = {}
    lengths: dict[Name, int] = {}
    for place, (record, names) in enumerate(zip(records, stems, strict=True)):
        for number, name in enumerate(names):
            telling = [
                one
                for one in name
                if counts[record.group, one] * 2 <= max(2, sizes[record.group])
                and one not in lexicon.frame
                and one not in lexicon.pack.stop_words
            ]
            telling = telling or [one for one in name if counts[record.group, one] == 1 < sizes[record.group]]
            lengths[place, number] = len(telling)
            for one in telling:
                named.setdefault(one, []).append((place, number))
    all_stems = set().union(*(name for names in stems for name in names))
    heads = frozenset(one[place:] for one in all_stems for place in range(1, len(one) - MIN_HEAD + 1))
    return named, lengths, heads
