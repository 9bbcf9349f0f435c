"""English."""

from __future__ import annotations

from grice.text.packs import english_measures as measures
from grice.text.packs import english_words as closed
from grice.text.packs.english_forms import singular, stem
from grice.text.packs.pack import LanguagePack

__all__ = ["PACK"]

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
    contractions=closed.CONTRACTIONS,
    contracted=closed.CONTRACTED,
    number_words=measures.NUMBER_WORDS,
    multipliers=measures.MULTIPLIERS,
    fractions=measures.FRACTIONS,
    number_joiners=frozenset({"and"}),
    unit_articles=frozenset({"a", "an", "one"}),
    units=measures.UNITS,
    work_words=closed.WORK_WORDS,
    filling_words=closed.FILLING_WORDS,
    label_words=closed.LABEL_WORDS,
    months=measures.MONTHS,
    weekdays=measures.WEEKDAYS,
    day_times=measures.DAY_TIMES,
    clock_steps=measures.CLOCK_STEPS,
    clock_leads=measures.CLOCK_LEADS,
    day_parts=measures.DAY_PARTS,
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
    question_words=closed.QUESTION_WORDS,
    first_person=closed.FIRST_PERSON,
    second_person=closed.SECOND_PERSON,
    yes_words=closed.YES_WORDS,
    no_words=closed.NO_WORDS,
    stemmer=stem,
    singular=singular,
)  # fmt: skip
