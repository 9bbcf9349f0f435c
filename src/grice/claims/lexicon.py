"""The words of a language for reading claims: words that mean the same, opinions, framing phrases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from grice.text.languages import pack_for
from grice.text.packs import remembered, vocabulary
from grice.text.packs.pack import LanguagePack
from grice.text.packs.records import ClaimWords
from grice.text.words import stem, words

Synonyms = Mapping[str, str | Sequence[str]]
"""A word or phrase, and those that say the same: `{"waterproof": ["water resistant"]}`."""

Phrase = tuple[str, ...]


class Phrases(msgspec.Struct, frozen=True):
    """Phrases by their first stem, longest first."""

    by_first: Mapping[str, Sequence[Phrase]]

    def length(self, stems: Sequence[str], place: int = 0) -> int:
        """The length of the longest phrase that stands at a place of the stems, 0 for none."""
        if place >= len(stems):
            return 0
        for phrase in self.by_first.get(stems[place], ()):
            if len(phrase) == 1 or tuple(stems[place : place + len(phrase)]) == phrase:
                return len(phrase)
        return 0

    def begin(self, stems: Sequence[str]) -> bool:
        """Whether the stems begin with one of the phrases."""
        return self.length(stems) > 0

    def within(self, stems: Sequence[str]) -> bool:
        """Whether one of the phrases stands among the stems."""
        known = self.by_first
        return any(one in known and self.length(stems, place) > 0 for place, one in enumerate(stems))

    def with_more(self, more: Iterable[Phrase]) -> Phrases:
        """The same phrases with more of them."""
        return phrases_of([*(one for found in self.by_first.values() for one in found), *more])


def phrases_of(found: Iterable[Phrase]) -> Phrases:
    """Make an index of the phrases."""
    by_first: dict[str, list[Phrase]] = {}
    for one in sorted({one for one in found if one}, key=len, reverse=True):
        by_first.setdefault(one[0], []).append(one)
    return Phrases(by_first)


class Lexicon(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """The tables of one language, in stems.

    `phrases` gives for the first stem of a phrase all phrases that begin so, longest first, each with the
    stem it stands for and whether it denies that.
    """

    pack: LanguagePack
    phrases: Mapping[str, Sequence[tuple[Phrase, str, bool]]]
    opposites: Mapping[str, frozenset[str]]
    opinion: frozenset[str]
    frame: frozenset[str]
    silent: Phrases
    imperatives: frozenset[str]
    pointers: frozenset[str]
    soft: Phrases
    benefits: Phrases
    thresholds: frozenset[str]
    money: frozenset[str]
    nothing: frozenset[str]
    hedges: Phrases
    hypothetical: frozenset[str]
    telling: Phrases
    tight: tuple[str, ...]
    bounding: tuple[str, ...]
    conditions: Phrases
    topics: Phrases
    reporting: Phrases
    offers: Phrases
    anaphors: Phrases
    steps: frozenset[str]
    commanded: frozenset[str]
    states: frozenset[str]
    measures: Mapping[str, frozenset[str]]
    verbs: frozenset[str]
    predicates: frozenset[str]
    undecided: frozenset[str]

    def stems(self, text: str) -> Phrase:
        """The stems of a phrase's words."""
        return tuple(stem(word.text, self.pack) for word in words(text))


def lexicon_for(text: str, language: str | None = None, synonyms: Synonyms | None = None) -> Lexicon | str:
    """The lexicon for a text with the synonyms of the caller, or why there is none."""
    pack = pack_for(text, language)
    if isinstance(pack, str):
        return pack
    tables = vocabulary(ClaimWords, pack.code)
    if tables is None:
        return no_rules_for(pack)
    groups = tuple(
        (key, (said,) if isinstance(said, str) else tuple(said)) for key, said in (synonyms or {}).items()
    )
    return _lexicon(tables, pack, groups)


def no_rules_for(pack: LanguagePack) -> str:
    """Say why a rule cannot judge a text in a language that lacks the words it needs."""
    return f"the text is in {pack.name}, for which there are no rules: they are for English"


def plain_lexicon(text: str) -> Lexicon:
    """The lexicon for a text of any language, for what needs no more than its grammar: numbers, units, names
    of fields, denial. Words that mean the same are known in English only.
    """
    pack = pack_for(text)
    return _with_grammar("en" if isinstance(pack, str) else pack.code)


@remembered
def _with_grammar(code: str) -> Lexicon:
    english, pack = lexicon_for("", "en"), pack_for("", code)
    assert isinstance(english, Lexicon)
    return english if isinstance(pack, str) else msgspec.structs.replace(english, pack=pack)


@remembered
def _lexicon(
    tables: ClaimWords, pack: LanguagePack, groups: tuple[tuple[str, tuple[str, ...]], ...]
) -> Lexicon:
    def stems(text: str) -> Phrase:
        return tuple(stem(word.text, pack) for word in words(text))

    def phrases(texts: Iterable[str]) -> Phrases:
        return phrases_of(map(stems, texts))

    def singles(texts: Iterable[str]) -> frozenset[str]:
        return frozenset(one[0] for text in texts if len(one := stems(text)) == 1) | frozenset(texts)

    meant = _meanings([*tables.synonyms, *((key, *said) for key, said in groups)], tables.reversed, stems)
    opposites: dict[str, set[str]] = {}
    for pair in tables.opposites:
        one, other = (_single(stems(text), meant) for text in pair)
        opposites.setdefault(one, set()).add(other)
        opposites.setdefault(other, set()).add(one)
    plain: dict[str, Any] = {name: phrases(getattr(tables, name)) for name in _PHRASES}
    plain |= {name: singles(getattr(tables, name)) for name in _STEMS}
    plain |= {name: frozenset(getattr(tables, name)) for name in _WORDS}
    return Lexicon(
        pack=pack,
        phrases=meant,
        opposites={key: frozenset(found) for key, found in opposites.items()},
        tight=tables.tight,
        bounding=tables.bounding,
        states=frozenset(_single(stems(text), meant) for text in tables.states),
        measures={
            _single(stems(key), meant): frozenset(_single(stems(one), meant) for one in said)
            for key, said in tables.measures.items()
        },
        verbs=(pack.clause_verbs | frozenset(tables.verbs)) - frozenset(tables.no_verbs),
        **plain,
    )


_PHRASES = (
    *("silent", "soft", "benefits", "hedges", "telling", "conditions", "topics", "reporting", "offers"),
    "anaphors",
)
"""Tables of phrases, compared by their stems."""

_STEMS = (
    *("opinion", "frame", "thresholds", "money"),
    *(),
)
"""Tables of words, compared by their stems."""

_WORDS = (
    *("imperatives", "pointers", "nothing", "hypothetical", "steps", "commanded", "predicates"),
    "undecided",
)
"""Tables of words, compared as they are written."""


def _meanings(
    groups: Iterable[Sequence[str]], reversed_: Mapping[str, str], stems: Any
) -> dict[str, list[tuple[Phrase, str, bool]]]:
    """What each phrase stands for. Groups that share a phrase are one group; its first phrase names it."""
    name_of: dict[Phrase, str] = {}
    for group in groups:
        members = [one for text in group if (one := stems(text))]
        known = next(
            (name_of[one] for one in members if one in name_of), " ".join(members[0]) if members else ""
        )
        merged = {name_of[one] for one in members if one in name_of} - {known}
        for one, name in name_of.items():
            if name in merged:
                name_of[one] = known
        name_of.update(dict.fromkeys(members, known))
    found: dict[str, list[tuple[Phrase, str, bool]]] = {}
    for phrase, name in name_of.items():
        if phrase != (name,):
            found.setdefault(phrase[0], []).append((phrase, name, False))
    for text, meant in reversed_.items():
        phrase = stems(text)
        found.setdefault(phrase[0], []).append((phrase, name_of.get(stems(meant), meant), True))
    for entries in found.values():
        entries.sort(key=lambda entry: len(entry[0]), reverse=True)
    return found


def _single(phrase: Phrase, meant: Mapping[str, Sequence[tuple[Phrase, str, bool]]]) -> str:
    """The stem that a phrase stands for, itself when it has no other meaning."""
    return next((name for one, name, _ in meant.get(phrase[0], ()) if one == phrase), " ".join(phrase))
