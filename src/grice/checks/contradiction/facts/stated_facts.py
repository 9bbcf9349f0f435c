"""What a reply states: attributes of subjects with their values."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from grice.checks.contradiction.facts.stated_amounts import gratis, no_charge, of_moment, of_quantity
from grice.checks.contradiction.facts.stated_choices import choices, numbers, people
from grice.checks.contradiction.facts.stated_clauses import Clause, Token, clauses_of
from grice.checks.contradiction.facts.stated_reading import (
    BE,
    SELF,
    Reader,
    Said,
    Statement,
    shown_of,
    subject_of,
    topic_of,
)
from grice.checks.contradiction.facts.stated_states import states, yes_no
from grice.checks.contradiction.facts.stated_words import StatedWords
from grice.checks.evidence.lexicon import Lexicon
from grice.text.normalised import Normalised

__all__ = ["REGRET", "statements_of"]

REGRET = frozenset(["afraid", "sorry", "glad", "happy", "pleased"])


_AT = frozenset(["from", "at", "in", "to", "is"])


_LABELS = frozenset(
    ["room", "gate", "terminal", "platform", "seat", "track", "counter", "carousel", "row", "hall"]
)


def statements_of(
    text: str,
    turn: int,
    words: StatedWords,
    lexicon: Lexicon,
    focus: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset()),
    asked: str = "",
) -> tuple[list[Statement], tuple[frozenset[str], frozenset[str]], frozenset[str]]:
    """What a reply states, what it is about in the end, and all names it is about.

    `focus` is what the talk was about before, in stems and names; `asked` is what the user said last, for
    what a "yes" says.
    """
    normal, clauses = clauses_of(text, words, lexicon)
    reader = Reader(normal, words, turn, *focus)
    found: list[Statement] = []
    subjects: set[str] = set()
    if asked and clauses is not None:
        found += _answered(normal, asked, reader, lexicon)
    for clause in clauses:
        found += _of_clause(clause, reader)
        subjects |= subject_of(clause, words)[1]
    return found, (reader.topic, reader.names), frozenset(subjects)


_ANSWERS = re.compile(
    r"(?i)\W*(?:(?P<yes>yes|yep|yeah|absolutely|of course|certainly|definitely|correct|that's right"
    r"|it (?:is|does))"
    r"|(?P<no>no|nope|unfortunately not|i'm afraid not|not at all|it (?:isn't|doesn't)))\b(?!\s+problem)"
)


_ASKS = re.compile(
    r"(?i)(?:^|[.!?,;\n]\s*|\b(?:and|so|but|hi|hello|ok|okay|thanks)\W+)"
    r"((?:is|are|was|does|do|did|can|has|have|will)\b[^.!?\n]{3,120})\?\s*$"
)


_DO = re.compile(r"(?i)^(?:do|does|did)\s+")


def _answered(normal: Normalised, asked: str, reader: Reader, lexicon: Lexicon) -> Iterator[Statement]:
    """What a "yes" or "no" says of what the user asked."""
    answer, question = _ANSWERS.match(normal.text), _ASKS.search(asked)
    if answer is None or question is None or not normal.text.strip():
        return
    own, clauses = clauses_of(f"{_DO.sub('', question[1])}.", reader.words, lexicon)
    end = len(re.split(r"[.!?\n]", normal.text, maxsplit=1)[0])
    start, stop = normal.span(0, max(1, end))
    told = Reader(own, reader.words, reader.turn, reader.topic, reader.names)
    for clause in clauses[:1]:
        for one in _of_clause(clause, told):
            if isinstance(one.value, bool):
                value = one.value == bool(answer["yes"])
                yield msgspec.structs.replace(
                    one,
                    value=value,
                    shown=shown_of(value),
                    start=start,
                    end=stop,
                    quote=normal.original[start:stop],
                )


def _of_clause(clause: Clause, reader: Reader) -> Iterator[Statement]:
    if clause.tokens and clause.tokens[0].text == "which":  # of what stands before it, not of the subject
        return
    topic, names = topic_of(clause.tokens, reader.words)
    if clause.sentence != reader.sentence:
        reader.sentence, reader.around = clause.sentence, frozenset()
        reader.attributes, reader.having = frozenset(), False
        reader.lead = topic_of(_key_tokens(clause), reader.words)[0] if clause.key else frozenset()
    if clause.number:
        reader.head = topic or frozenset({f"#{reader.turn}.{clause.start}"})
        reader.head_names = names
    elif not (clause.listed or clause.key):
        reader.head, reader.head_names = frozenset(), frozenset()
    if not clause.number and topic and _is_heading(clause, reader):
        reader.head, reader.head_names = topic, names
    subject = frozenset(token.text for token in clause.tokens[:3])
    topic, names = topic - _places(clause), names - _places(clause)
    said = Said(clause, topic, names, bool(subject & {"your", "the", "this", "our"}))
    yield from _values(said, reader)
    reader.around = names or reader.around
    if topic and not clause.pronoun:
        own = subject_of(clause, reader.words)
        if own[0]:
            reader.topic, reader.names = own


MAX_HEADING = 6
"""Words of a line that stands over others, at most."""


def _is_heading(clause: Clause, reader: Reader) -> bool:
    """Whether a line says only what the lines below it are about."""
    if not clause.first or clause.quantities or clause.moments or clause.key:
        return False
    verbs = reader.words.pack.clause_verbs | BE
    if any(token.text in verbs for token in clause.tokens):
        return False
    closed = reader.normal.text[clause.sentence[1] - 1] in ".!?"
    return clause.listed or (len(clause.tokens) <= MAX_HEADING and not closed)


def _key_tokens(clause: Clause) -> list[Token]:
    """The words before the colon of "Economy prices: $130"."""
    return [token for token in clause.tokens if token.end <= clause.start + len(clause.key) + 2]


def _places(clause: Clause) -> frozenset[str]:
    """The gates, seats and the like that a clause says something is at: they are no part of its topic."""
    found = [
        following.stem
        for before, label, following in zip(clause.tokens, clause.tokens[1:], clause.tokens[2:], strict=False)
        if label.text in _LABELS and before.text in _AT and following.name
    ]
    return frozenset(found)


def _values(said: Said, reader: Reader) -> Iterator[Statement]:
    clause = said.clause
    lead = [token.text for token in clause.tokens[:3]]
    asks_others = bool(SELF.intersection(lead[:2])) and not REGRET.intersection(lead)
    yield from states(said, reader)
    yield from choices(said, reader)
    yield from gratis(said, reader)
    yield from people(said, reader)
    yield from no_charge(said, reader)
    yield from numbers(said, reader)
    if not asks_others:
        yield from yes_no(said, reader)
    for quantity in clause.quantities:
        one = of_quantity(quantity, said, reader)
        if one is not None:
            yield one
    for moment in clause.moments:
        one = of_moment(moment, said, reader)
        if one is not None:
            yield one
