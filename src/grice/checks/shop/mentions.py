"""Whether words say that a constraint is met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grice.checks.shop.constraint_terms import PRICES, PreparedConstraint, is_within
from grice.claims.lexicon import Phrase, plain_lexicon
from grice.claims.terms import ParsedText, Term, parse_text
from grice.text.quantities import Quantity
from grice.text.words import Word

Place = tuple[int, int]

UNTOLD = ("", "data")
"""Dimensions of which only a name tells what is measured: RAM or disk. The number nearest to it counts."""

_WITHIN = frozenset(
    ("under", "within", "below", "inside", "fits", "fit", "in", "on", "unter", "im", "innerhalb")
)


def mention_in(text: str, want: PreparedConstraint) -> Place | None:
    """Where a text says that the constraint is met, in the text; None where it does not."""
    reading = parse_text(text, plain_lexicon(text))
    said = [*reading.terms, *_little_words(reading)]
    place = next((found for one in want.right if (found := _place_of(one, said))), None)
    if want.limit is not None:
        return _range_in(reading, want, want.limit, place)
    if place is not None or any(_place_of(one, said) for one in want.wrong):
        return place
    return next((found for one in want.wrong if (found := _place_of(one, said, denied=True))), None)


def _little_words(reading: ParsedText) -> Iterator[Term]:
    """The words that carry no meaning of their own: a size may be "m"."""
    terms = {term.start for term in reading.terms}
    for word, stem in zip(reading.tokens, reading.stems, strict=True):
        if word.start not in terms:
            yield Term(stem, word.start, word.end)


def _place_of(phrase: Phrase, terms: Sequence[Term], *, denied: bool = False) -> Place | None:
    """Where all words of the phrase stand, near one another, each denied or not as wanted."""
    places: list[Term] = []
    for one in phrase:
        found = [term for term in terms if term.stem == one and term.denied is denied]
        if not found:
            return None
        places.append(min(found, key=lambda term: abs(term.start - places[-1].start)) if places else found[0])
    return min(one.start for one in places), max(one.end for one in places)


def _range_in(
    reading: ParsedText, want: PreparedConstraint, limit: Quantity, named: Place | None
) -> Place | None:
    known = named is not None or not want.right
    alike = [one for one in reading.quantities if _is_alike(one, limit, named=known)]
    if named is not None and limit.dimension in UNTOLD:
        start, end = named
        alike = sorted(alike, key=lambda one: max(one.start - end, start - one.end))[:1]
    answers = [is_within(one, limit) for one in alike]
    denied = [term.start for term in reading.terms if term.denied]
    for one, within in zip(alike, answers, strict=True):
        if within and not any(one.start <= start < one.end for start in denied):
            return one.start, one.end
    if False in answers or limit.dimension != "money":
        return None
    said = reading.tokens
    return next((place for at in range(len(said)) if (place := _in_budget(said, at))), None)


def _is_alike(number: Quantity, limit: Quantity, *, named: bool) -> bool:
    """Whether a number is of what is limited; of plain numbers and of data only the name tells."""
    if not limit.dimension:
        return named
    return number.dimension == limit.dimension and (named or limit.dimension not in UNTOLD)


def _in_budget(said: Sequence[Word], at: int) -> Place | None:
    """The place of a "budget" that words before it say is kept: under your budget, within it, fits it."""
    kept = said[at].text in PRICES and any(word.text in _WITHIN for word in said[max(0, at - 4) : at])
    return (said[at].start, said[at].end) if kept else None
