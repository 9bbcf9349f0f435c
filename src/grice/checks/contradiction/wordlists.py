"""The word lists of self-contradiction: the tables of `english.json`, ready for use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

import msgspec

from grice.claims.lexicon import Lexicon, lexicon_for, no_rules_for
from grice.claims.terms import Term, first_stem
from grice.text.languages import pack_for
from grice.text.packs import remembered, vocabulary
from grice.text.packs.records import ContradictionWords, Fact, SpeakerFacts, expanded
from grice.text.words import stem

QUOTED = re.compile(r"\"[^\"]{0,300}\"|(?<!\w)'[^'\n]{2,200}'(?!\w)")
"""What somebody else has said, or a word that is spoken of."""

MIN_ADVERB = 5
MIN_PLURAL, MIN_BASE = 4, 4
_SAYS_OF = re.compile(
    r"(?:(?<=\w )(?:is|are|was|were|be|been|am|isn't|aren't|not|as)|\b\w+'(?:s|re|m))"
    r"(?: \w+ly| very| really| so)? (?:an? )?$"
)
"""What stands before a word that says something of the subject: "it is (a) ..."."""

_OF_NOUN = re.compile(
    r"(?:^|^(?:is|are|was|were|do|does|should|can) |[,.;:!?]\s"
    r"|\b(?:an?|the|my|your|our|his|her|their|its|any|no|all|some|every|each)"
    r"|\b(?:of|for|with|without|in|on|and|or|return|buy))\s?$"
)
"""What stands before a word that may only describe the noun behind it."""

_OPPOSITE = re.compile(r"(?:un(?!der|i|til|less|cl|an|to)|non(?!stop))(?=.{4})")
MAX_BEFORE = 40
"""Characters before a word that say whether it only describes the noun behind it."""

MAX_WORDS = 16_384
"""Words that are remembered."""


class Slot(msgspec.Struct, frozen=True):
    """The patterns of one fact about the speaker.

    `pattern` has groups for its value (v, w, x), what it is of (k, l) and how many there are (n, m); `value`,
    `key` and `number` are given where the words have none. `cased` says that capitals count, `lower` is the
    pattern for who writes none, `count` says that it counts, `never` that it denies all, `ever` that it holds
    of the past too.
    """

    slot: str
    pattern: re.Pattern[str]
    lower: re.Pattern[str] | None = None
    value: str = ""
    key: str = ""
    number: str = ""
    cased: bool = False
    count: bool = False
    never: bool = False
    ever: bool = False


class SpeakerWords(msgspec.Struct, frozen=True):
    """The words and patterns of what people say of themselves.

    `slots` are the kinds of facts, `answers` what a question makes of an answer that is no sentence ("i
    live in" of "Chicago!"), `numbers` those in words. `kinds_of` gives of what kinds something is (a dog is a
    pet), `named` other names of one thing, `same` values that are the same. `places` are countries and
    states, `countable` finds what of a message may be counted, `jobs` are what people are.
    """

    slots: Sequence[Slot]
    answers: Sequence[tuple[re.Pattern[str], str]]
    numbers: Mapping[str, int]
    kinds_of: Mapping[str, frozenset[str]]
    named: Mapping[str, str]
    same: Mapping[str, str]
    places: frozenset[str]
    countable: re.Pattern[str]
    jobs: frozenset[str]


class _Patterns(dict[str, re.Pattern[str]]):
    """The named patterns, each compiled when it is first asked for: a talk needs few of them."""

    def __init__(self, parts: Mapping[str, Sequence[str]]) -> None:
        self._parts = parts

    def __missing__(self, name: str) -> re.Pattern[str]:
        made = self[name] = re.compile("|".join(self._parts[name]))
        return made


class Wordlists(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The lexicon, and the tables of this rule.

    `answers` gives for an opening ("probably not") its side: yes, no or neither; `leads` are what may stand
    before one. `meant` gives for a stem the one that stands for it, and whether it says the opposite;
    `empty` those that tell nothing, `light` those that part no question from another. `turning` are the
    words that may turn a statement round. `patterns` are the named patterns, `groups` the named groups of
    words as written, `facts` the tables of facts about oneself.
    """

    lexicon: Lexicon
    answers: Mapping[str, str]
    leads: frozenset[str]
    meant: Mapping[str, tuple[str, bool]]
    turning: frozenset[str]
    empty: frozenset[str]
    light: frozenset[str]
    patterns: Mapping[str, re.Pattern[str]]
    groups: Mapping[str, frozenset[str]]
    facts: SpeakerFacts

    @cached_property
    def speaker(self) -> SpeakerWords:
        """The words and patterns of what people say of themselves; made at first use."""
        return _speaker(self.facts)

    @cached_property
    def kinds(self) -> Mapping[str, frozenset[str]]:
        """For each stem the kinds that it is of."""
        kinds_of = _kinds_of(self.facts.kinds)
        return {_stem_of(one, self.lexicon): _stems(kinds, self.lexicon) for one, kinds in kinds_of.items()}

    def canonical(self, stem: str) -> tuple[str, bool]:
        """What a stem stands for, and whether it says the opposite: ("ethical", True) for unethical."""
        return _canonical(stem, self.meant)

    def meanings(self, terms: Sequence[Term], lowered: str) -> Iterator[tuple[Term, str, bool]]:
        """Each term of a text with what it stands for, and whether it says the opposite of that. What only
        describes a noun keeps its own meaning: "an unopened kettle" is a kind of kettle.
        """
        for place, term in enumerate(terms):
            stem, opposite = self.canonical(term.stem)
            if opposite:
                after = terms[place + 1 :][:1]
                before = lowered[max(0, term.start - MAX_BEFORE) : term.start]
                describes = after and lowered[term.end : after[0].start] == " " and _OF_NOUN.search(before)
                if is_adverb(lowered[term.start : term.end]) or (describes and not _SAYS_OF.search(before)):
                    stem, opposite = term.stem, False
            yield term, stem, opposite

    def side_of(self, option: str) -> str:
        """What a choice says: yes, no, neither, or itself without how much."""
        bare = self.patterns["degrees"].sub("", option).strip(" .") or option
        return self.answers.get(option) or self.answers.get(bare) or bare

    def reverses(self, said: str) -> bool:
        """Whether a word or phrase denies what it stands for: sold out, of being in stock."""
        stems = self.lexicon.stems(said)
        found = self.lexicon.phrases.get(stems[0], ()) if stems else ()
        return any(phrase == stems and reverses for phrase, _, reverses in found)

    def turns(self, tokens: Sequence[str]) -> bool:
        """Whether one of the words may turn a statement round: a negation, an antonym, a word of opposing."""
        return any(_word(one, self).turns for one in tokens)

    def with_kinds(self, stems: frozenset[str]) -> frozenset[str]:
        """Stems, and what they are kinds of: guitar, and instrument."""
        kinds = self.kinds
        return stems.union(*(kinds[one] for one in stems if one in kinds))

    def keys(self, tokens: Sequence[str]) -> frozenset[str]:
        """The stems that words are found by: of what they stand for, but for those that tell nothing."""
        phrases, found = self.lexicon.phrases, [_word(one, self) for one in tokens]
        keys = {one.key for one in found if one.key}
        for place, one in enumerate(found):
            for phrase, name, _ in phrases.get(one.stem, ()):
                said = found[place : place + len(phrase)]
                if len(phrase) > 1 and tuple(each.stem for each in said) == phrase:
                    keys.difference_update(each.key for each in said)
                    keys.add(self.canonical(name)[0])
        return frozenset(keys - self.empty)


def _canonical(stem: str, meant: Mapping[str, tuple[str, bool]]) -> tuple[str, bool]:
    if (found := meant.get(stem)) is not None:
        return found
    base = stem.removesuffix("s") if not stem.endswith(("ss", "us")) and len(stem) > MIN_PLURAL else stem
    for ending in ("abl", "ibl"):  # what can be transferred is transferable
        base = base.removesuffix(ending) if len(base) >= len(ending) + MIN_BASE else base
    if (found := meant.get(base)) is not None:
        return found
    opposite = _OPPOSITE.match(base)
    return (base, False) if opposite is None else (_canonical(base[opposite.end() :], meant)[0], True)


class _Word(msgspec.Struct, frozen=True):
    """A word: its stem, the key that it is found by ("" for none), and whether it may turn a statement
    round.
    """

    stem: str
    key: str
    turns: bool


@lru_cache(maxsize=MAX_WORDS)
def _word(word: str, words: Wordlists) -> _Word:
    pack = words.lexicon.pack
    found = stem(word, pack)
    names = [name for phrase, name, _ in words.lexicon.phrases.get(found, ()) if len(phrase) == 1]
    told = not (word in pack.stop_words or "'" in word or is_adverb(word))
    name = names[0] if names else found
    key = words.canonical(name)[0] if told and name not in words.empty else ""
    turns = word in words.turning or word.endswith(pack.negation_endings) or words.canonical(name)[1]
    return _Word(found, key, turns)


def is_adverb(word: str) -> bool:
    """Whether a word says only how: normally."""
    return word.endswith("ly") and len(word) > MIN_ADVERB


def wordlists_for(text: str, language: str | None) -> Wordlists | str:
    """The words of the language of a text, or why there are none."""
    pack = pack_for(text, language)
    if isinstance(pack, str):
        return pack
    tables, speaker = vocabulary(ContradictionWords, pack.code), vocabulary(SpeakerFacts, pack.code)
    if tables is None or speaker is None:
        return no_rules_for(pack)
    lexicon = lexicon_for("", pack.code, tables.synonyms)
    return lexicon if isinstance(lexicon, str) else _made(lexicon, tables, speaker)


@remembered
def _made(lexicon: Lexicon, tables: ContradictionWords, facts: SpeakerFacts) -> Wordlists:
    meant: dict[str, tuple[str, bool]] = {}
    for one, *others in tables.antonyms:
        base, _ = _canonical(_stem_of(one, lexicon), {})
        opposites = (_stem_of(other, lexicon) for other in others)
        meant.update({stem: (base, True) for stem in opposites if stem != base})
    return Wordlists(
        lexicon,
        {said: side for side, texts in tables.answers.items() for said in texts},
        frozenset(tables.leads),
        meant,
        _turning(tables, lexicon),
        _stems(tables.empty, lexicon),
        _stems(tables.light, lexicon),
        _Patterns(tables.patterns),
        {name: frozenset(texts) for name, texts in tables.groups.items()},
        facts,
    )


def _stem_of(text: str, lexicon: Lexicon) -> str:
    return first_stem(f"a {text}", lexicon)


def _stems(texts: Iterable[str], lexicon: Lexicon) -> frozenset[str]:
    return frozenset(stem for text in texts for stem in (_stem_of(text, lexicon), *lexicon.stems(text)[:1]))


def _speaker(tables: SpeakerFacts) -> SpeakerWords:
    lists = {name: "|".join(one) for name, one in tables.lists.items()}

    def pattern(text: str) -> re.Pattern[str]:
        return re.compile(expanded(text, lists))

    def slot(one: Fact) -> Slot:
        lower = one.pattern.replace("<city>", tables.lower_city).lower().replace("(?p<", "(?P<")
        fields = msgspec.structs.asdict(one)
        fields |= {"pattern": pattern(one.pattern), "lower": pattern(lower) if one.cased else None}
        return Slot(**fields)

    return SpeakerWords(
        [slot(one) for one in tables.slots],
        [(pattern(one.question), one.says) for one in tables.answers],
        tables.numbers,
        _kinds_of(tables.kinds),
        tables.named,
        {said: one[0] for one in tables.same for said in one},
        tables.places,
        pattern(tables.countable),
        frozenset(tables.lists["job"]),
    )


def _kinds_of(kinds: Mapping[str, Sequence[str]]) -> dict[str, frozenset[str]]:
    """For each word the kinds that it is of."""
    every = {part for parts in kinds.values() for part in parts}
    return {part: frozenset(kind for kind, parts in kinds.items() if part in parts) for part in every}


def _turning(tables: ContradictionWords, lexicon: Lexicon) -> frozenset[str]:
    """The words by which what turns a statement round is known: a negation, or the longest of a phrase."""
    pack = lexicon.pack
    known = frozenset(pack.negations) | pack.noun_negations | pack.word_negations
    phrases = [*pack.negation_phrases, *(one for pair in tables.antonyms for one in pair[1:])]
    phrases += tables.groups["turning"]
    telling = {max(one.split(), key=len) for one in phrases if known.isdisjoint(one.split())}
    return known | telling
