"""English."""

from __future__ import annotations

from grice.text.packs import english_measures as measures
from grice.text.packs import english_words as closed
from grice.text.packs.english_forms import singular, stem
from grice.text.packs.pack import LanguagePack

__all__ = ["PACK"]

_NOT = "do does did is are was were have has had would should could might must need"

_CONTRACTIONS = (
    ("i am", "i'm"), ("i will", "i'll"), ("i have", "i've"), ("i would", "i'd"), ("i had", "i'd"),
    ("you are", "you're"), ("you will", "you'll"), ("you have", "you've"), ("you would", "you'd"),
    ("he is", "he's"), ("she is", "she's"), ("it is", "it's"), ("he will", "he'll"), ("she will", "she'll"),
    ("it will", "it'll"), ("it has", "it's"), ("he has", "he's"), ("she has", "she's"), ("he would", "he'd"), ("she would", "she'd"),
    ("it would", "it'd"), ("we are", "we're"), ("we will", "we'll"), ("we have", "we've"), ("we would", "we'd"),
    ("they are", "they're"), ("they will", "they'll"), ("they have", "they've"), ("they would", "they'd"),
    ("that is", "that's"), ("that will", "that'll"), ("that would", "that'd"), ("this is", "this's"), ("there is", "there's"), ("here is", "here's"),
    ("who is", "who's"), ("what is", "what's"), ("where is", "where's"), ("when is", "when's"), ("how is", "how's"),
    ("what are", "what're"), ("who will", "who'll"), ("there will", "there'll"), ("there are", "there're"), ("let us", "let's"),
    ("cannot", "can't"), ("can not", "can't"), ("will not", "won't"), ("shall not", "shan't"),
    *((f"{verb} not", f"{verb}n't") for verb in _NOT.split()),
)  # fmt: skip

PACK = LanguagePack(
    code="en",
    name="English",
    stop_words=closed.STOP_WORDS,
    negations=closed.NEGATIONS,
    negation_endings=("n't",),
    noun_negations=closed.NOUN_NEGATIONS,
    word_negations=closed.WORD_NEGATIONS,
    negation_phrases=closed.NEGATION_PHRASES,
    not_negations=closed.NOT_NEGATIONS,
    clause_words=closed.CLAUSE_WORDS,
    pronouns=closed.PRONOUNS,
    joining_words=frozenset({"and", "or", "&"}),
    prepositions=closed.PREPOSITIONS,
    clause_verbs=closed.CLAUSE_VERBS,
    contractions=tuple(pair for pair in _CONTRACTIONS if pair[1] != "this's"),
    contracted=frozenset(short for _, short in _CONTRACTIONS)
    | frozenset("what'll what've who've who'd how'd y'all could've should've would've might've must've ain't "
                "where'd why's when'll how'll that've there've not've everyone's everything's something's nothing's".split()),
    modal_verbs=frozenset("can could may might must shall should will would ought".split()),
    number_words=measures.NUMBER_WORDS,
    multipliers=measures.MULTIPLIERS,
    fractions=measures.FRACTIONS,
    number_joiners=frozenset({"and"}),
    unit_articles=frozenset({"a", "an", "one"}),
    units=measures.UNITS,
    months=measures.MONTHS,
    weekdays=measures.WEEKDAYS,
    day_times=measures.DAY_TIMES,
    approximations=measures.APPROXIMATIONS,
    comparisons=measures.COMPARISONS,
    comparisons_after=measures.COMPARISONS_AFTER,
    range_words=measures.RANGE_WORDS,
    periods=measures.PERIODS,
    period_words=measures.PERIOD_WORDS,
    opinion_words=closed.OPINION_WORDS,
    comparatives=closed.COMPARATIVES,
    superlatives=closed.SUPERLATIVES,
    greetings=closed.GREETINGS,
    pleasantries=closed.PLEASANTRIES,
    closings=closed.CLOSINGS,
    irregular_plurals=closed.IRREGULAR_PLURALS,
    question_words=closed.QUESTION_WORDS,
    first_person=closed.FIRST_PERSON,
    second_person=closed.SECOND_PERSON,
    yes_words=closed.YES_WORDS,
    no_words=closed.NO_WORDS,
    stemmer=stem,
    singular=singular,
)  # fmt: skip
