"""What the text rules know of a language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import ClassVar

import msgspec

Phrases = tuple[str, ...]
"""Words or runs of words, casefolded, with straight apostrophes and one space between words."""


class Vocabulary(msgspec.Struct, frozen=True, forbid_unknown_fields=True, eq=False, kw_only=True):
    """A kind of vocabulary: the record of the file that a language has for it, `<language>/<file>.json`.

    Every field may be left out: a file of a project has only what it adds.
    """

    file: ClassVar[str] = ""


class Words(Vocabulary, frozen=True, eq=False, kw_only=True):
    """The words of a language that every rule may need, casefolded, with straight apostrophes.

    A rule whose table is empty for a language does not apply to texts in it.

    `stop_words` carry no meaning of their own. `contractions` are pairs of what is
    written out and what is said ("i am", "i'm"); `contracted` are all words that are such a form.
    `comparisons` stand before a number ("at most": "<="), `comparisons_after` behind it ("or less": "<=").
    `units` give for a word its name, its dimension and the factor to the base unit (second, metre, gram,
    litre, byte, watt, joule; for "temperature" the factor is 1 and the unit decides). `number_words` have
    values below 100; `multipliers` are the larger steps ("hundred": 100).
    """

    file: ClassVar[str] = "words"
    stop_words: frozenset[str] = frozenset()
    negations: frozenset[str] = frozenset()
    """Words that deny the rest of their clause: not, never, nobody."""
    negation_endings: Phrases = ()
    """Ends of words that deny: n't."""
    noun_negations: frozenset[str] = frozenset()
    """Words that deny only the noun behind them, not what a preposition adds: no, without."""
    word_negations: frozenset[str] = frozenset()
    """Words that deny the next word only: non."""
    negation_phrases: Phrases = ()
    """Runs of words that deny the rest of their clause: far from, unable to."""
    not_negations: Phrases = ()
    """Runs of words that deny nothing although they begin like it: not only, no problem."""
    clause_words: frozenset[str] = frozenset()
    """Words that begin a clause anywhere: but, because, unless."""
    pronouns: frozenset[str] = frozenset()
    """Subjects that begin a clause behind a comma or "and"."""
    joining_words: frozenset[str] = frozenset()
    """and, or: what joins words as well as clauses."""
    prepositions: frozenset[str] = frozenset()
    clause_verbs: frozenset[str] = frozenset()
    """Finite verbs that show, behind a comma or "and", that a clause of its own has begun."""
    contractions: tuple[tuple[str, str], ...] = ()
    contracted: frozenset[str] = frozenset()
    number_words: Mapping[str, Decimal] = {}
    multipliers: Mapping[str, Decimal] = {}
    fractions: Mapping[str, Decimal] = {}
    """half, quarter: counted only before a unit, or behind a number and "and"."""
    number_joiners: frozenset[str] = frozenset()
    """Words inside a number: and ("one hundred and five")."""
    unit_articles: frozenset[str] = frozenset()
    """a, an, one: a number only before a unit."""
    decimal_comma: bool = False
    """Whether 1,5 is one and a half, and 1.500 fifteen hundred."""
    units: Mapping[str, tuple[str, str, Decimal]] = {}
    work_words: frozenset[str] = frozenset()
    """business, working: days of work are no days of the calendar."""
    filling_words: frozenset[str] = frozenset()
    """Words between a number and its unit that change nothing: more, full, calendar."""
    label_words: frozenset[str] = frozenset()
    """Words whose number is a name: room, step, version."""
    months: Mapping[str, int] = {}
    weekdays: Mapping[str, int] = {}
    day_times: Mapping[str, int] = {}
    """Words for an hour: noon is 12."""
    clock_steps: Mapping[str, int] = {}
    """What stands before an hour, and the minutes that it adds: half past is 30, quarter to is -15."""
    clock_leads: frozenset[str] = frozenset()
    """Words behind which a number in words, with nothing counted, is an hour: at, until."""
    day_parts: Mapping[str, int] = {}
    """What stands behind an hour, and the hour from which it counts: "in the evening" is 12."""
    approximations: Phrases = ()
    comparisons: Mapping[str, str] = {}
    comparisons_after: Mapping[str, str] = {}
    range_words: frozenset[str] = frozenset()
    """Words between the ends of a range: to, or."""
    periods: Mapping[str, str] = {}
    """What stands behind "per" or "a", and what it is a period of: month, night."""
    period_words: frozenset[str] = frozenset()
    """per, a, each."""
    opinion_words: frozenset[str] = frozenset()
    greetings: Phrases = ()
    pleasantries: Phrases = ()
    """Openings and closings without content: sure, of course, happy to help."""
    closings: Phrases = ()
    """Runs of words that close a reply: let me know, anything else."""
    question_words: frozenset[str] = frozenset()
    first_person: frozenset[str] = frozenset()
    second_person: frozenset[str] = frozenset()
    no_words: Phrases = ()
    case_endings: Phrases = ()
    """What cases and plurals add to a word, longest first."""
    irregular_plurals: Mapping[str, str] = {}
    ie_plurals: frozenset[str] = frozenset()
    """Plurals whose singular ends in ie: cookies."""
    irregular_verbs: Mapping[str, str] = {}
    """Forms of a verb, and its base: kept, keep."""
    no_participles: frozenset[str] = frozenset()
    """Words in -ing that are no form of a verb: evening."""


class LanguagePack(Words, frozen=True, eq=False, kw_only=True):
    """The words of a language, and its grammar in code. `code` is ISO 639-1."""

    code: str
    name: str
    stemmer: Callable[[str], str] | None = None
    """The part of a word that its forms share."""
    singular: Callable[[str], str] | None = None
    """The singular of a noun, for names of what is counted."""
