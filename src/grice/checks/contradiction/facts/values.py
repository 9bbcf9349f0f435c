"""The values that a part of a sentence says, each with the word that says what it is of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

import msgspec
from msgspec.structs import replace

from grice.checks.contradiction.facts.vocabulary import Vocabulary
from grice.claims.passage import Atom, Clause, is_measure
from grice.claims.terms import ParsedText, Term
from grice.text.quantities import Quantity
from grice.text.times import Moment

__all__ = ["Value", "values_of", "verb_of", "with_attributes"]

NOTHING = Quantity(Decimal(0), Decimal(0), "", "money", 0, 0)
"""What something costs that is free of charge."""

MAX_ATOMS = 20
"""Values of a clause, the first ones; no more are compared."""

MAX_BETWEEN = 20
"""Characters between two times of which one is the end of the other."""

_NAME = r"(?P<name>(?:Dr\.? )?[A-Z]\w+(?: [A-Z]\w+)*)"
_CHOICES = (
    re.compile(
        rf"^\W*(?:[Tt]he|[Yy]our|[Oo]ur)\b.*?(?P<of>\w+) (?:is|are|was) (?:with |by |called )?{_NAME}\W*$"
    ),
    re.compile(rf"\b[Yy]ou(?:'re| are) (?:now )?(?:on |an? )?(?:the )?{_NAME} (?P<of>plan|tier|member)\b"),
)


class Value(msgspec.Struct, frozen=True, gc=False):
    """One value: `measure` is what it measures ("money", "clock", "date", "gate", "choice", what it counts),
    `attribute` the stem of what it is of, "" where nothing says so. `start` and `end` are its place.
    """

    measure: str
    value: Quantity | Moment | str
    said: str
    start: int
    end: int
    attribute: str = ""
    ends: bool = False

    @property
    def counts(self) -> bool:
        """Whether it counts things: 17 vacation days."""
        return isinstance(self.value, Quantity) and not is_measure(self.value.dimension)

    def hides(self, term: Term) -> bool:
        """Whether a term is a part of it that tells nothing else: not so what it counts."""
        return self.start <= term.start < self.end and not (self.counts and term.stem.isalpha())


def verb_of(clause: Clause, words: Vocabulary) -> int:
    """The place of the verb among the tokens of a clause, -1 for none. The month is no verb (6 May)."""
    dates = [(one.start, one.end) for one in clause.atoms[:MAX_ATOMS] if one.kind == "moment"]
    for place, word in enumerate(clause.tokens):
        if word.text in words.tokens["verbs"] and not any(start <= word.start < end for start, end in dates):
            return place
    said = [word.text for word in clause.tokens[:2]]
    return 1 if len(said) == 2 and said[0] in words.tokens["people"] else -1


def values_of(part: Sequence[Clause], reading: ParsedText, words: Vocabulary) -> list[Value]:
    """The values of clauses that belong together, in order, without what they are of."""
    found = [one for clause in part for one in _of_clause(clause, reading, words)]
    return [*found, *_choices(reading.text, part[0].start, part[-1].end, words)]


def _of_clause(clause: Clause, reading: ParsedText, words: Vocabulary) -> Iterator[Value]:
    text = reading.text
    for atom in clause.atoms[:MAX_ATOMS]:
        place = atom.said, atom.start, atom.end
        is_number = isinstance(atom.value, Quantity) and not atom.value.dimension
        if atom.kind == "state":
            if _is_free(atom, clause, words):
                yield Value("money", NOTHING, *place)
        elif isinstance(atom.value, Moment):
            yield Value("clock" if atom.value.kind == "time" else "date", atom.value, *place)
        elif (atom.kind == "code" or is_number) and (label := _label(atom, clause, words)):
            end = next((n for n in range(atom.end, len(text)) if not text[n].isalnum()), len(text))
            code = text[atom.start : end]
            yield Value(label, code, code, atom.start, end, words.stem_of(label))
        elif isinstance(atom.value, Quantity) and not _is_name(atom, text, words):
            yield Value(atom.value.dimension or "number", atom.value, *place, ends=atom.ends)


def _is_name(atom: Atom, text: str, words: Vocabulary) -> bool:
    """Whether a number names what stands before it, and counts no verb: flight 318 leaves."""
    before = text[max(0, atom.start - MAX_BETWEEN) : atom.start].split()[-1:]
    names = before != [] and (before[0][0].isupper() or before[0] in words.lexicon.pack.label_words)
    return names and atom.said.rpartition(" ")[2] in words.tokens["verbs"]


def _is_free(atom: Atom, clause: Clause, words: Vocabulary) -> bool:
    """Whether a state says that something costs nothing, and is no free room or free shuttle."""
    if atom.said.casefold() not in words.lexicon.gratis or atom.denied or verb_of(clause, words) < 0:
        return False
    place = next((n for n, word in enumerate(clause.tokens) if word.start >= atom.start), 0) + 1
    return place == len(clause.tokens) or clause.tokens[place].text in words.tokens["behind_free"]


def _label(atom: Atom, clause: Clause, words: Vocabulary) -> str:
    """What a code is the value of: from gate B12, your seat is 14C. Nothing where it names something."""
    said = [word.text for word in clause.tokens]
    place = next((n for n, word in enumerate(clause.tokens) if word.end > atom.start), 0)
    labels = words.tokens["labels"]
    if place > 1 and said[place - 1] == "is":
        label = said[place - 2]
        names = atom.kind == "code" and label not in words.lexicon.pack.label_words
        return label if label in labels or names else ""
    if place < 2 or said[place - 1] not in labels:
        return ""
    leads = words.tokens["towards"].isdisjoint((said[place - 2],))
    return "" if leads and words.tokens["verbs"].isdisjoint(said[: place - 1]) else said[place - 1]


def _choices(text: str, start: int, end: int, words: Vocabulary) -> Iterator[Value]:
    """What is said to be somebody or something with a name: your appointment is with Dr. Lee."""
    found = next((one for pattern in _CHOICES if (one := pattern.search(text[start:end]))), None)
    if found:
        first, last = (start + place for place in found.span("name"))
        name, attribute = found["name"], words.stem_of(found["of"].casefold())
        yield Value("choice", name, name, first, last, attribute)


def with_attributes(
    values: Sequence[Value], terms: Sequence[Term], text: str, words: Vocabulary
) -> Iterator[Value]:
    """The values with what each is of. "No fee" is a fee of nothing; "9 to 5" is an opening and a closing."""
    if all(one.measure != "money" for one in values):
        for term in terms:
            if term.denied and term.stem in words.stems["charges"]:
                yield Value("money", NOTHING, text[term.start : term.end], term.start, term.end, term.stem)
    last: Value | None = None
    for one in values:
        attribute = one.attribute or _attribute(one, terms, text, words)
        if one.measure == "clock":
            behind = max(last.end if last is not None else 0, one.start - MAX_BETWEEN)
            between = text[behind : one.start].split()
            if between and between[-1] in words.tokens["until"]:
                opens = attribute == words.stem_of("open")
                ends = last is not None and last.measure == "clock" and len(between) == 1
                attribute = words.stem_of("close") if opens else f"{attribute} end" if ends else attribute
        last = replace(one, attribute=attribute)
        yield last


def _attribute(value: Value, terms: Sequence[Term], text: str, words: Vocabulary) -> str:
    """The stem of what a value is of: of the words that may say so the nearest, before it or right behind."""
    known = words.attributes.get(value.measure, frozenset())
    near = [
        (term.stem in words.stems["weak"], _distance(value, term), term.stem)
        for term in terms
        if term.stem in known and not _is_beyond(value, text[value.end : term.start], words)
    ]
    if near:
        return min(near)[2]
    if value.measure == "money":
        return words.stem_of("price")
    return words.stem_of(value.measure) if value.counts and value.measure != "number" else ""


def _distance(value: Value, term: Term) -> int:
    return value.start - term.end if term.end <= value.start else 2 * (term.start - value.end)


def _is_beyond(value: Value, between: str, words: Vocabulary) -> bool:
    """Whether a word behind a value is something else: 30 days after delivery, $149 with delivery."""
    said = between.split()
    if value.measure == "money":
        return not words.tokens["adding"].isdisjoint(said)
    lasts = value.measure in ("time", "business day", "date")
    return lasts and len(said) in (1, 2) and said[0] in words.tokens["since"]
