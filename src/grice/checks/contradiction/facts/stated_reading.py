"""Statements, and what the reading of a reply goes by."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grice.checks.contradiction.facts.stated_clauses import Clause, Token
from grice.checks.contradiction.facts.stated_words import StatedWords
from grice.text.normalised import Normalised
from grice.text.quantities import Quantity
from grice.text.times import Moment

__all__ = [
    "BE",
    "Reader",
    "Said",
    "Statement",
    "Value",
    "is_alternative",
    "is_denied",
    "is_generic",
    "moment_text",
    "qualifiers_of",
    "shown_of",
    "stated",
    "subject_of",
    "topic_of",
]

Value = Quantity | Moment | bool | frozenset[str]


BE = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "it's",
        "that's",
        "they're",
        "we're",
        "he's",
        "she's",
        "there's",
        "isn't",
        "aren't",
        "wasn't",
        "'s",
        "'re",
    ]
)


SELF = frozenset(("i", "i've", "i'm", "me"))
_SIDES = frozenset(
    ["within", "outside", "inside", "without", "excluding", "except", "before", "after", "both"]
)
_PASTS = frozenset(("was", "were", "wasn't", "weren't"))


class Statement(msgspec.Struct, frozen=True, gc=False):
    """One thing that a reply states, or a field of a tool's result.

    `key` is the kind and the attribute, `topic` what the attribute is of, in stems, `names` those of it that
    look like names, `qualifiers` what else bounds the value (a period, a day). `definite` says that it is
    said of "the" or "your" thing. `start`, `end` are the place of its sentence in the reply.
    """

    kind: str
    attribute: str
    topic: frozenset[str]
    names: frozenset[str]
    qualifiers: frozenset[str]
    value: Value
    shown: str
    turn: int
    start: int
    end: int
    quote: str = ""
    titles: frozenset[str] = frozenset()
    definite: bool = False
    listed: bool = False
    inherited: bool = False
    path: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What makes two statements comparable, besides their topics."""
        return self.kind, self.attribute


class Reader(msgspec.Struct):
    """Where the reading of a reply stands: what the last clause, item and heading were about."""

    normal: Normalised
    words: StatedWords
    turn: int
    topic: frozenset[str]
    names: frozenset[str]
    head: frozenset[str] = frozenset()
    head_names: frozenset[str] = frozenset()
    sentence: tuple[int, int] = (-1, -1)
    around: frozenset[str] = frozenset()
    lead: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    having: bool = False


class Said(msgspec.Struct, frozen=True):
    """A clause with what it is about."""

    clause: Clause
    topic: frozenset[str]
    names: frozenset[str]
    definite: bool


def subject_of(clause: Clause, words: StatedWords) -> tuple[frozenset[str], frozenset[str]]:
    """The topic of the words before the first verb."""
    before: list[Token] = []
    for token in clause.tokens:
        if token.text in words.pack.clause_verbs or token.text in BE or token.text in words.predicates:
            break
        before.append(token)
    topic, names = topic_of(before, words)
    dated = _subject_moments(clause, words)
    return topic | dated, names | dated


def _subject_moments(clause: Clause, words: StatedWords, value: object = None) -> frozenset[str]:
    """The days and times that the subject of a clause has: the 9:15 train costs $35."""
    if not clause.moments:
        return frozenset()
    verbs = [
        token.start for token in clause.tokens if token.text in words.pack.clause_verbs or token.text in BE
    ]
    if not verbs:
        return frozenset()
    return frozenset(moment_text(one) for one in clause.moments if one is not value and one.end <= verbs[0])


def _titles(clause: Clause, words: StatedWords) -> frozenset[str]:
    """The names of the subject itself, not those of what stands behind a preposition."""
    before: list[Token] = []
    for token in clause.tokens:
        if token.text in words.pack.clause_verbs or token.text in BE or token.text in words.predicates:
            break
        if token.text in words.pack.prepositions or words.attributes.get(token.text) in words.kinds[
            "moment"
        ] - {"reservation"}:
            break
        before.append(token)
    return topic_of(before, words)[1]


def topic_of(tokens: Sequence[Token], words: StatedWords) -> tuple[frozenset[str], frozenset[str]]:
    """What tells this thing from others of its kind: stems of the words that are not generic."""
    stems: set[str] = set()
    names: set[str] = set()
    for place, token in enumerate(tokens):
        following = tokens[place + 1].start if place + 1 < len(tokens) else -1
        if token.text in _SIDES and following == token.end + 1:  # outside the EU, but not within 30 days
            stems.add(token.text)
        if is_generic(token, words):
            continue
        one = words.attributes.get(token.text, token.stem)
        stems.add(one)
        if token.name:
            names.add(one)
    return frozenset(stems), frozenset(names)


def is_generic(token: Token, words: StatedWords) -> bool:
    """Whether a word tells no thing from another of its kind."""
    if token.name and (not token.text.isalpha() or (len(token.text) == 1 and token.text not in "ai")):
        return False
    if token.name and token.text == "free":  # the Free plan
        return False
    pack = words.pack
    return (
        token.text in words.generic
        or token.stem in words.generic
        or token.text in pack.stop_words
        or token.text in pack.contracted
        or token.text in pack.opinion_words
        or token.text in pack.negations
        or "'" in token.text
    )


def is_denied(one: Quantity | Moment, clause: Clause) -> bool:
    """Whether the value stands in a negation: it is not $50."""
    return any(token.denied for token in clause.tokens if token.start < one.start)


def is_alternative(one: Quantity | Moment, reader: Reader) -> bool:
    """Whether a value is one of several: on Monday or Tuesday."""
    text = reader.normal.text
    around = text[max(0, one.start - 4) : one.start], text[one.end : one.end + 4]
    return around[0].casefold().endswith(" or ") or around[1].casefold().startswith(" or ")


def qualifiers_of(
    said: Said, *, without: object = None, moments: bool = True, quantities: bool = True
) -> frozenset[str]:
    """What else stands in the clause that bounds a value: amounts and days."""
    found: set[str] = set()
    for one in said.clause.quantities if quantities else ():
        if one is not without and one.dimension != "name":
            found.add(f"{one.low}/{one.high} {one.dimension}")
    for moment in said.clause.moments if moments else ():
        if moment is not without and not (isinstance(without, Moment) and moment.kind == without.kind):
            found.add(moment_text(moment))
    return frozenset(found)


def moment_text(one: Moment) -> str:
    """A moment as a word to compare."""
    if one.kind == "weekday":
        return f"weekday {one.weekday}"
    if one.kind == "date":
        return f"date {one.month}-{one.day}" if one.month else f"date {one.year}"
    return f"time {one.hour}:{one.minute}"


def stated(
    kind: str,
    attributes: frozenset[str],
    qualifiers: frozenset[str],
    value: Value,
    said: Said,
    reader: Reader,
    shown: str = "",
) -> Statement:
    """The statement that a clause makes of a value, with what it goes on about."""
    clause = said.clause
    dated = _subject_moments(clause, reader.words, value)
    topic, names = said.topic - attributes | dated, said.names | dated
    inherited = False
    if clause.pronoun or not (topic or clause.first or clause.listed):
        topic, names, inherited = topic | reader.topic - attributes, names | reader.names, True
    elif (clause.listed or clause.key) and not clause.number and reader.head:
        topic, names, inherited = topic | reader.head, names | reader.head_names, True
    if not clause.first:
        topic |= reader.lead - attributes
        if not names and not clause.pronoun:
            topic, names = topic | (reader.around - attributes), reader.around
    if clause.conditional:
        qualifiers |= {"if"}
    if isinstance(value, Quantity) and _PASTS.intersection(token.text for token in clause.tokens):
        qualifiers |= {"past"}
    start, end = reader.normal.span(*clause.sentence)
    shown = shown or (
        reader.normal.text[value.start : value.end]
        if isinstance(value, Quantity | Moment)
        else shown_of(value)
    )
    return Statement(
        kind,
        "+".join(sorted(attributes)),
        topic,
        names & topic,
        qualifiers,
        value,
        shown,
        reader.turn,
        start,
        end,
        reader.normal.original[start:end],
        _titles(clause, reader.words) & topic,
        said.definite,
        clause.listed or bool(clause.key),
        inherited,
    )


def shown_of(value: bool | frozenset[str]) -> str:
    """A value in words."""
    return ("yes" if value else "no") if isinstance(value, bool) else " ".join(sorted(value))
