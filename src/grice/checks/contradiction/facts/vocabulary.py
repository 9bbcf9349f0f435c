"""The words of this rule: what says what a value is of, what tells things apart, what explains a change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import msgspec

from grice.claims.lexicon import Lexicon, lexicon_for, no_rules_for
from grice.claims.terms import parse_text
from grice.text.languages import pack_for
from grice.text.packs import remembered, vocabulary
from grice.text.packs.records import FactWords

__all__ = ["Vocabulary", "vocabulary_for"]


class Vocabulary(msgspec.Struct, frozen=True, eq=False):
    """The lexicon, and the tables of the language: groups of stems, of words and of phrases as written.

    `attributes` says for each measure what values may be of, `fields` how tools call that; `reversed` what a
    word says is not so; `leads` what may be put for the beginning of a sentence, or left out; `stages` what
    happens to an order, one after another; `written` how an attribute is called.
    """

    lexicon: Lexicon
    stems: Mapping[str, frozenset[str]]
    tokens: Mapping[str, frozenset[str]]
    phrases: Mapping[str, Sequence[str]]
    attributes: Mapping[str, frozenset[str]]
    fields: Mapping[str, frozenset[str]]
    reversed: Mapping[str, str]
    leads: Mapping[str, str]
    stages: Sequence[frozenset[str]]
    none: tuple[str, ...]
    written: Mapping[str, str]

    def stem_of(self, text: str) -> str:
        """The stem of a word, or what it is a synonym of."""
        return _stem_of(text, self.lexicon)

    def has(self, name: str, text: str) -> bool:
        """Whether one of a group of phrases stands in a text of words parted by spaces."""
        return any(f" {phrase} " in text for phrase in self.phrases[name])


def vocabulary_for(text: str, language: str | None) -> Vocabulary | str:
    """The words of the language of a text, or why there are none."""
    pack = pack_for(text, language)
    if isinstance(pack, str):
        return pack
    tables = vocabulary(FactWords, pack.code)
    if tables is None:
        return no_rules_for(pack)
    lexicon = lexicon_for("", pack.code, tables.synonyms)
    return lexicon if isinstance(lexicon, str) else _vocabulary(lexicon, tables)


@remembered
def _vocabulary(lexicon: Lexicon, tables: FactWords) -> Vocabulary:
    def stems(texts: Iterable[str]) -> frozenset[str]:
        return frozenset(_stem_of(text, lexicon) for text in texts)

    groups = {name: stems(texts) for name, texts in tables.stems.items()}
    attributes = {name: stems(texts) for name, texts in tables.attributes.items()}
    groups["known"] = groups["empty"].union(*attributes.values())
    tokens = {name: frozenset(texts) for name, texts in tables.tokens.items()}
    tokens["verbs"] = lexicon.verbs
    return Vocabulary(
        lexicon,
        groups,
        tokens,
        tables.phrases,
        attributes,
        {_stem_of(name, lexicon): stems(texts) for name, texts in tables.fields.items()},
        {said: _stem_of(meant, lexicon) for said, meant in tables.reversed.items()},
        tables.leads,
        [frozenset(texts) for texts in tables.stages],
        tuple(tables.none),
        {
            _stem_of(text, lexicon): text
            for texts in (*tables.attributes.values(), tables.reversed.values())
            for text in texts
        },
    )


@lru_cache(maxsize=4_096)
def _stem_of(text: str, lexicon: Lexicon) -> str:
    reading = parse_text(f"a {text}", lexicon)
    return reading.terms[0].stem if reading.terms else reading.stems[-1]
