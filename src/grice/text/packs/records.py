"""The kinds of vocabulary: for each file of a language its record, which is its schema."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

import msgspec

from grice.text.packs.pack import Vocabulary, Words

WordSet = frozenset[str]
Runs = tuple[str, ...]
"""Runs of words, casefolded, with one space between words."""

Group = tuple[str, ...]
Groups = tuple[Group, ...]
"""Groups of words that belong together; the first stands for the others."""


def _wrong_pattern(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        return f"expected a regular expression, found {pattern!r}: {error}"
    return ""


Pattern = Annotated[str, msgspec.Meta(extra={"check": _wrong_pattern})]
"""A regular expression. `<name>` in it stands for a part of `lists`, where the record has these."""


def expanded(pattern: str, lists: Mapping[str, str]) -> str:
    """A pattern with its named parts: `<city>` stands for `lists["city"]`."""

    def part(found: re.Match[str]) -> str:
        return f"(?:{expanded(lists[found[1]], lists)})"

    return re.sub(r"(?<!P)<(\w+)>", part, pattern)


class QuestionWords(Vocabulary, frozen=True, eq=False):
    """The words that mark questions, offers and answers.

    Runs that are looked for among words are written as `spoken_words` gives them (no ß), those that are
    looked for in a text (`no_answer`, `any_answer`, `failed`, `unavailable`, `over`, `refusing`) as `fold`
    does.
    """

    file: ClassVar[str] = "questions"
    no_answer: Runs = ()
    """They say that a message answers nothing: not sure, can you repeat."""
    any_answer: Runs = ()
    """They leave the choice to the assistant, which is an answer: no preference."""
    idle: WordSet = frozenset()
    """A message of these alone says nothing."""
    asking_back: WordSet = frozenset()
    """A sentence that begins so and ends in a question mark asks back."""
    not_budget: WordSet = frozenset()
    """An amount beside these is no budget: shipping, paid."""
    budget_words: WordSet = frozenset()
    """An amount beside these is one: under, spend."""
    past: WordSet = frozenset()
    """A date beside these is past: ordered, last."""
    no_place: WordSet = frozenset()
    """Capital words that are no place: Monday."""
    travel: WordSet = frozenset()
    """Beside these "to" and "from" are of a journey."""
    offers: Runs = ()
    """A question that begins so asks what to do next: shall i."""
    leads: WordSet = frozenset()
    """Words before a question: great, and."""
    little: WordSet = frozenset()
    """Words that do not tell questions apart."""
    not_asked: WordSet = frozenset()
    """Before a noun they say that it is only named: within your budget."""
    before_bare: WordSet = frozenset()
    """A question of these and a noun asks for the noun: and your budget?"""
    requests: Runs = ()
    """What follows is asked for: please provide."""
    generic: WordSet = frozenset()
    """Words that do not tell what a question is about."""
    failed: Runs = ()
    """A reply with these asks again because what was given did not work."""
    unavailable: Runs = ()
    """A reply with these asks again because what was wanted cannot be had: out of stock."""
    seeking: Runs = ()
    """A user's question with these wants what it names: do you have it in green?"""
    affirming: WordSet = frozenset()
    """A message of these alone says yes, and gives no value: yes i did."""
    others: WordSet = frozenset()
    """They name somebody else than the user: whose size is it?"""
    new: WordSet = frozenset()
    """A question with these is for something else than before: another."""
    over: Runs = ()
    """A message with these takes back what was said: start over."""
    opening: WordSet = frozenset()
    """With the name of a slot, these take it back: change the date."""
    yes_no: WordSet = frozenset()
    common_options: WordSet = frozenset()
    """Answers to choose that fit any question: show me more."""
    wh: Runs = ()
    """A noun behind these is what is asked for: which color."""
    wanting: Runs = ()
    """So is one behind these in a question: do you have a size in mind."""
    any_words: WordSet = frozenset()
    """So is one behind these near the beginning of a question: any allergies?"""
    anyone: WordSet = frozenset()
    having: WordSet = frozenset()
    """Behind one of `anyone`, these ask for what follows: does anyone have allergies?"""
    alternatives: WordSet = frozenset()
    """They stand between options: or."""
    joining: WordSet = frozenset()
    """They stand between two questions in one: and."""
    conditions: WordSet = frozenset()
    """Behind a request they begin something else than what is requested: let me know if."""
    promises: Runs = ()
    """With these a request goes over into what the assistant does: and i will."""
    second_person: WordSet = frozenset()
    first_person: WordSet = frozenset()
    offer_leads: Runs = ()
    """A question that begins so, and gives no choice, is an offer: would you like to."""
    pointing: WordSet = frozenset()
    """A question with these is about what is shown: these."""
    last_offers: Runs = ()
    """A question that ends so is an offer: sound good?"""
    label_questions: WordSet = frozenset()
    """A clarifier that begins so is a question without its mark."""
    confirming: WordSet = frozenset()
    """A question that ends so has something confirmed: right?"""
    still: WordSet = frozenset()
    exact: WordSet = frozenset()
    refusing: Runs = ()
    """A reply with these says that something cannot be had."""
    limits: WordSet = frozenset()
    """A bare number beside these is money."""
    born: WordSet = frozenset()
    ago: WordSet = frozenset()
    none: WordSet = frozenset()
    """A message that begins so answers any question."""
    denying: WordSet = frozenset()
    phone_words: WordSet = frozenset()
    asking_leads: WordSet = frozenset()
    """They may stand before a question of a user: sorry, what?"""
    number_of: Runs = ()
    """Between the last word of a noun and the first: the number of your order."""
    endings: WordSet = frozenset()
    """What the forms of a noun or an option add to it."""
    fillers: WordSet = frozenset()
    """Words that may stand anywhere in a question and change nothing: denn."""
    inverted: WordSet = frozenset()
    """Verbs that stand before "you" in a question and behind it in an indirect one: when you were born."""
    unstressed: WordSet = frozenset()
    """Those of them that an indirect question leaves out: where you live."""
    compounds: bool = False
    """Whether words are written together, so that a noun may be the end of one: Wunschfarbe."""


SlotKind = Literal[
    "money", "size", "words", "date", "time", "duration", "people", "number", "place", "address", "name",
    "email", "phone", "code", "free",
]  # fmt: skip
"""What a value of the slot looks like: `words` are one of its options, `free` is anything."""


class Slot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that is asked for.

    `nouns` name it; a question asks for it that says "what is your NOUN" or "please share your NOUN".
    `asks` are runs of words that ask for it, `...` standing for up to 6 more. `options` are answers. A
    `focused` one is told apart by what else the question names: the size of the boots is not that of the
    board. One that is `volunteered` is also answered by its options in passing; with `cues`, what is said in
    passing counts in a sentence with one of these words. A `personal` one is that of one person: the user's
    size is not that of a friend. A place stands behind its `preposition`. `alike` are stems of things that
    share a value: the size of boots is that of shoes.
    """

    name: str = ""
    kind: SlotKind = "free"
    nouns: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    focused: bool = False
    volunteered: bool = False
    preposition: str = ""
    cues: tuple[str, ...] = ()
    personal: bool = False
    alike: tuple[str, ...] = ()


class SlotWords(Vocabulary, frozen=True, eq=False):
    """What an assistant asks users for, by name."""

    file: ClassVar[str] = "slots"
    slots: Mapping[str, Slot] = {}


class SlotValuePatterns(Vocabulary, frozen=True, eq=False):
    """What values of slots look like in messages.

    `patterns` may name parts of `lists`: `<count>`. Where one has a group `a`, that is the value.
    `prepositions` has for that of a slot the words that stand before its places, `lower` the places of
    people who write without capitals.
    """

    file: ClassVar[str] = "slot_values"
    lists: Mapping[str, Pattern] = {}
    patterns: Mapping[str, Pattern] = {}
    prepositions: Mapping[str, str] = {}
    lower: Mapping[str, Pattern] = {}


class PriceWords(Vocabulary, frozen=True, eq=False):
    """The words that tell what an amount is.

    `little` stand between an amount and what it is. `no_price` are right beside an amount that is not what a
    product costs, `former` right before what it cost once, `services` anywhere before what costs extra.
    `costs` stand before a price that names no currency.
    `users` stand before a range that is the user's, or that of a change. `above` a `limits`, and too
    `too_dear`, is what is not offered.
    """

    file: ClassVar[str] = "prices"
    costs: WordSet = frozenset()
    little: WordSet = frozenset()
    services: WordSet = frozenset()
    no_price: WordSet = frozenset()
    former: WordSet = frozenset()
    users: WordSet = frozenset()
    above: WordSet = frozenset()
    limits: WordSet = frozenset()
    too_dear: WordSet = frozenset()


class RoboticFamily(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of robotic phrase: a pattern on prose with straight apostrophes, without regard to case.

    What repeats in it is bounded. `opens` says that the phrase begins a clause. `about_itself` marks what
    is an honest answer where the user asked whether they talk to a machine.
    """

    name: str
    pattern: Pattern
    opens: bool = False
    about_itself: bool = False


class RoboticPhrases(Vocabulary, frozen=True, eq=False):
    """Families of robotic wording, whose patterns may name parts of `lists`.

    `asks_who` finds a question for who, or what, one talks to.
    """

    file: ClassVar[str] = "robotic_phrases"
    lists: Mapping[str, Pattern] = {}
    families: tuple[RoboticFamily, ...] = ()
    asks_who: Pattern = ""


class OpenerWords(Vocabulary, frozen=True, eq=False):
    """What opens a reply without saying anything yet: names, with a pattern on small letters."""

    file: ClassVar[str] = "openers"
    markers: Mapping[str, Pattern] = {}


class ClaimWords(Vocabulary, frozen=True, eq=False):
    """The words of claims: words that mean the same, opinions, phrases that frame a claim.

    `synonyms` are groups, `opposites` pairs, `reversed` phrases with what they deny.
    """

    file: ClassVar[str] = "claims"
    synonyms: Groups = ()
    opposites: tuple[tuple[str, str], ...] = ()
    reversed: Mapping[str, str] = {}
    measures: Mapping[str, Runs] = {}
    verbs: Runs = ()
    no_verbs: Runs = ()
    undecided: Runs = ()
    predicates: Runs = ()
    opinion: Runs = ()
    frame: Runs = ()
    silent: Runs = ()
    imperatives: Runs = ()
    soft: Runs = ()
    benefits: Runs = ()
    thresholds: Runs = ()
    money: Runs = ()
    nothing: Runs = ()
    conditions: Runs = ()
    topics: Runs = ()
    hedges: Runs = ()
    pointers: Runs = ()
    hypothetical: Runs = ()
    telling: Runs = ()
    reporting: Runs = ()
    offers: Runs = ()
    anaphors: Runs = ()
    bounding: Runs = ()
    tight: Runs = ()
    steps: Runs = ()
    commanded: Runs = ()
    states: Runs = ()


class ContradictionWords(Vocabulary, frozen=True, eq=False):
    """The words of the self-contradiction rule.

    `answers` has for each side (yes, no, neither) what opens an answer, `leads` what may stand before it.
    The first of a group of `antonyms` is the opposite of the others. `empty` tell nothing, `light` part no
    question from another. `patterns` are alternatives under a name, `groups` words under one.
    """

    file: ClassVar[str] = "self_contradiction"
    answers: Mapping[str, Runs] = {}
    leads: Runs = ()
    synonyms: Mapping[str, Runs] = {}
    antonyms: Groups = ()
    empty: Runs = ()
    light: Runs = ()
    patterns: Mapping[str, tuple[Pattern, ...]] = {}
    groups: Mapping[str, Runs] = {}


class Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The patterns of one fact about the speaker.

    `pattern` has groups for its value (v, w, x), what it is of (k, l) and how many there are (n, m); `value`,
    `key` and `number` are given where the words have none. `cased` says that capitals count, `count` that it
    counts, `never` that it denies all, `ever` that it holds of the past too.
    """

    slot: str
    pattern: Pattern
    value: str = ""
    key: str = ""
    number: str = ""
    cased: bool = False
    count: bool = False
    never: bool = False
    ever: bool = False


class ToldAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What makes a sentence of an answer that is none: "i live in" before "Chicago!"."""

    question: Pattern
    says: str


class SpeakerFacts(Vocabulary, frozen=True, eq=False):
    """The words and patterns of what people say of themselves.

    `slots` are the kinds of facts, whose patterns may name `lists`, each of alternatives. `numbers` are
    those in words. `kinds` gives the things of a kind (pets are dogs), `named` other names of one thing,
    `same` values that are the same. `places` are countries and states, `countable` finds what of a message
    may be counted, `lower_city` is a city of people who write without capitals.
    """

    file: ClassVar[str] = "speaker"
    lists: Mapping[str, Runs] = {}
    slots: tuple[Fact, ...] = ()
    answers: tuple[ToldAnswer, ...] = ()
    numbers: Mapping[str, int] = {}
    kinds: Mapping[str, Runs] = {}
    named: Mapping[str, str] = {}
    same: Groups = ()
    places: WordSet = frozenset()
    countable: str = ""
    lower_city: str = ""


class ActionWords(Vocabulary, frozen=True, eq=False):
    """What an assistant does.

    `actions` are groups of verbs that come to the same, `nouns` those of actions by their verb, `irregular`
    forms, `states` those that only an action brings about, with its verbs, `lists` words under a name.
    """

    file: ClassVar[str] = "actions"
    actions: Groups = ()
    nouns: Mapping[str, Runs] = {}
    irregular: Mapping[str, Runs] = {}
    states: Mapping[str, Runs] = {}
    lists: Mapping[str, WordSet] = {}


KINDS: Mapping[str, type[Vocabulary]] = {
    one.file: one
    for one in (
        *(
            Words,
            QuestionWords,
            SlotWords,
            SlotValuePatterns,
            PriceWords,
            RoboticPhrases,
            OpenerWords,
            ClaimWords,
        ),
        *(ContradictionWords, SpeakerFacts, ActionWords),
    )
}
"""The record of each file that a language may have."""
