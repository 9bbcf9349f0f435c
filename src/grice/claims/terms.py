"""A text as terms: what it names, what it denies, and the quantities and moments in it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

import msgspec

from grice.claims.lexicon import Lexicon
from grice.text.negation import negated
from grice.text.normalised import normalise
from grice.text.packs.pack import LanguagePack
from grice.text.quantities import Quantity, quantities
from grice.text.times import Moment, moments
from grice.text.words import Word, stem, words

MAX_CACHED = 2_000
_KEPT = 4_096
_KEPT_LONG = 8
_KEPT_SAID = 256


class Term(msgspec.Struct, frozen=True, gc=False):
    """A word that carries meaning, or a phrase that stands for one.

    `stem` is what its forms and synonyms share. `denied` says that it stands in a negation. `joined` says
    that a hyphen ties it to the term before it; `counted` that it is part of a quantity or moment. `start`,
    `end` are its place.
    """

    stem: str
    start: int
    end: int
    denied: bool = False
    joined: bool = False
    counted: bool = False


class ParsedText(msgspec.Struct, frozen=True, dict=True):
    """The terms of a text. `tokens` are all its words in order, with `stems` beside them; `codes` are the
    names that have numbers in them: versions, ids, addresses.
    """

    text: str
    tokens: Sequence[Word]
    stems: Sequence[str]
    terms: Sequence[Term]
    quantities: Sequence[Quantity]
    moments: Sequence[Moment]
    codes: Sequence[Quantity] = ()

    @cached_property
    def said(self) -> frozenset[str]:
        """The stems that the text does not deny."""
        return frozenset([term.stem for term in self.terms if not term.denied])

    @cached_property
    def denied(self) -> frozenset[str]:
        """The stems that the text denies."""
        return frozenset([term.stem for term in self.terms if term.denied])

    @cached_property
    def joined(self) -> frozenset[str]:
        """Its neighbouring stems, written as one."""
        return frozenset([f"{one.stem}{two.stem}" for one, two in pairwise(self.terms)])


def parse_text(text: str, lexicon: Lexicon) -> ParsedText:
    """The terms, quantities and moments of prose. Short texts are remembered: facts repeat; of long ones
    the last few, since several checks look at one reply.
    """
    return _remembered(text, lexicon) if len(text) <= MAX_CACHED else _remembered_long(text, lexicon)


def read_value(value: str, lexicon: Lexicon) -> ParsedText:
    """Parse the prose of a value, which may have marks."""
    return (_value if len(value) <= MAX_CACHED else _long_value)(value, lexicon)


@lru_cache(maxsize=_KEPT)
def _value(value: str, lexicon: Lexicon) -> ParsedText:
    return _long_value(value, lexicon)


def _long_value(value: str, lexicon: Lexicon) -> ParsedText:
    return parse_text(normalise(value).text.strip(), lexicon)


@lru_cache(maxsize=_KEPT_SAID)
def stems_in(text: str, lexicon: Lexicon) -> frozenset[str]:
    """The stems of what a text names, whether it denies it or not."""
    prose = normalise(text).text
    found = words(prose)
    stems = [stem(word.text, lexicon.pack) for word in found]
    return frozenset(one.stem for one in _terms(prose, found, stems, [False] * len(found), lexicon))


def first_stem(text: str, lexicon: Lexicon) -> str:
    """The stem of the first thing that a text names, of its last word where it names nothing."""
    found = words(text)
    stems = [stem(word.text, lexicon.pack) for word in found]
    terms = _terms(text, found, stems, [False] * len(found), lexicon)
    return terms[0].stem if terms else stems[-1]


@lru_cache(maxsize=_KEPT_LONG)
def _remembered_long(text: str, lexicon: Lexicon) -> ParsedText:
    return _read(text, lexicon)


@lru_cache(maxsize=_KEPT)
def _remembered(text: str, lexicon: Lexicon) -> ParsedText:
    return _read(text, lexicon)


def _read(text: str, lexicon: Lexicon) -> ParsedText:
    found = words(text)
    stems = [stem(word.text, lexicon.pack) for word in found]
    counted: Sequence[Quantity] = ()
    codes: Sequence[Quantity] = ()
    dated: Sequence[Moment] = ()
    alone = len(found) == 1 and found[0].text not in lexicon.pack.weekdays
    if not alone or any(character.isdigit() for character in text):
        numbers = quantities(text, lexicon.pack)
        counted = _compounds(text, [one for one in numbers if one.dimension != "name"])
        codes = [one for one in numbers if one.dimension == "name"]
        dated = moments(text, lexicon.pack)
    denied = negated(text, found, lexicon.pack) if len(found) > 1 else [False] * len(found)
    terms = _terms(text, found, stems, denied, lexicon)
    spans = sorted([*((one.start, one.end) for one in counted), *((one.start, one.end) for one in dated)])
    return ParsedText(text, found, stems, _marked(terms, spans), counted, dated, codes)


_ENDS = ("", ".", ",", ";", "!")
_COMPOUND = frozenset(("time", "length", "mass"))
_BETWEEN = frozenset(("", " ", " and ", ", "))


def _compounds(text: str, found: Sequence[Quantity]) -> list[Quantity]:
    """The quantities, those of one measure that stand together added up: 7 hours 45 minutes."""
    joined: list[Quantity] = []
    for one in found:
        last = joined[-1] if joined else None
        if last is not None and _continues(text, last, one):
            total = last.low + one.low if last.low is not None and one.low is not None else None
            joined[-1] = msgspec.structs.replace(last, low=total, high=total, unit=one.unit, end=one.end)
        else:
            joined.append(one)
    return joined


def _continues(text: str, one: Quantity, other: Quantity) -> bool:
    if one.dimension not in _COMPOUND or one.dimension != other.dimension or one.unit == other.unit:
        return False
    if one.low is None or one.low != one.high or other.low is None or other.low != other.high:
        return False
    bare = not (other.comparison or one.period or other.period)
    return bare and text[one.end : other.start] in _BETWEEN and other.low < one.low


_GONE = ("free", "frei")
"""What says behind a word that it is not there: fragrance-free."""


def _terms(
    text: str, found: Sequence[Word], stems: Sequence[str], denied: Sequence[bool], lexicon: Lexicon
) -> list[Term]:
    terms: list[Term] = []
    phrases = lexicon.phrases
    place = 0
    while place < len(found):
        word = found[place]
        one = stems[place]
        phrase = _phrase_at(stems, place, lexicon) if one in phrases else None
        means = _means(word.text, lexicon.pack) or len(found) == 1
        means = means or _is_letter(text, word, place) or _is_predicate(text, found, place, lexicon)
        if phrase is None and word.text not in _GONE and not means:
            place += 1
            continue
        joined = place > 0 and text[found[place - 1].end : word.start] in ("-", "_")
        if phrase is not None:
            length, name, reverses = phrase
            denies = denied[place] ^ reverses
            terms.append(Term(name, word.start, found[place + length - 1].end, denies, joined))
            place += length
            continue
        if word.text in _GONE and terms and (joined or place == len(found) - 1 == 1):
            terms[-1] = msgspec.structs.replace(terms[-1], denied=not terms[-1].denied)  # fragrance-free
        elif means:
            terms.append(Term(one, word.start, word.end, denied[place], joined))
        place += 1
    return terms


def _is_letter(text: str, word: Word, place: int) -> bool:
    """Whether a word is a capital letter that names something: size M."""
    return place > 0 and word.end - word.start == 1 and text[word.start].isupper() and word.text not in "ai"


def _is_predicate(text: str, found: Sequence[Word], place: int, lexicon: Lexicon) -> bool:
    """Whether a word says a state, between a verb and the end of its clause: the alarm is on."""
    word = found[place]
    told = word.text in lexicon.predicates and place > 0 and found[place - 1].text in lexicon.verbs
    return told and text[word.end : word.end + 1] in _ENDS


@lru_cache(maxsize=_KEPT)
def _means(word: str, pack: LanguagePack) -> bool:
    """Whether a word carries meaning: no stop word, no contracted form, no negation."""
    if (
        word in pack.stop_words
        or word in pack.contracted
        or word in pack.negations
        or word in pack.word_negations
    ):
        return False
    head, mark, _ = word.partition("'")
    return not (mark and head in pack.stop_words)


def _phrase_at(stems: Sequence[str], place: int, lexicon: Lexicon) -> tuple[int, str, bool] | None:
    """The length and meaning of the longest known phrase that begins here, and whether it denies that."""
    for phrase, name, reverses in lexicon.phrases.get(stems[place], ()):
        if tuple(stems[place : place + len(phrase)]) == phrase:
            return len(phrase), name, reverses
    return None


def _marked(terms: list[Term], spans: Sequence[tuple[int, int]]) -> list[Term]:
    """The terms, those within a quantity or moment marked."""
    if not spans:
        return terms
    marked: list[Term] = []
    place = 0
    for term in terms:
        while place < len(spans) and spans[place][1] <= term.start:
            place += 1
        inside = place < len(spans) and spans[place][0] <= term.start
        marked.append(msgspec.structs.replace(term, counted=True) if inside else term)
    return marked
