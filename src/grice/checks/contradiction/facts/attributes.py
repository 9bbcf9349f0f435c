"""Which attribute a value has: the noun or verb that stands nearest to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from grice.checks.contradiction.facts.segments import Page, Segment, spans_of
from grice.checks.contradiction.facts.stated_clauses import Token
from grice.checks.contradiction.facts.stated_reading import Value, is_generic, moment_text
from grice.checks.contradiction.facts.stated_words import StatedWords
from grice.checks.contradiction.facts.wording import MORE, MORE_KINDS, PHRASES
from grice.text.quantities import Quantity
from grice.text.times import Moment

__all__ = [
    "Place",
    "attribute_of",
    "is_alternative",
    "is_denied",
    "is_price",
    "kinds_of",
    "name_of",
    "noun_of",
    "stems_of",
    "values_beside",
]


class Place(msgspec.Struct, frozen=True):
    """A segment in its reply."""

    segment: Segment
    tokens: Sequence[Token]
    before: Sequence[Segment]
    page: Page
    words: StatedWords
    turn: int
    asked: frozenset[str]
    near: frozenset[str]
    wide: frozenset[str]


def stems_of(tokens: Iterable[Token], words: StatedWords) -> frozenset[str]:
    """The stems of the words that mean something."""
    return frozenset(token.stem for token in tokens if not is_generic(token, words))


@lru_cache(maxsize=2)
def kinds_of(words: StatedWords) -> dict[str, frozenset[str]]:
    """The attributes that each dimension measures."""
    found = dict(words.kinds)
    for kind, names in MORE_KINDS.items():
        found[kind] = found.get(kind, frozenset()) | frozenset(names.split())
    found["moment"] -= {"return"}  # a return flight has a day of its own, and no name for it
    return found


@lru_cache(maxsize=1)
def _patterns() -> Sequence[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern, re.IGNORECASE), name) for pattern, name in PHRASES]


def attribute_of(one: Quantity | Moment, place: Place, allowed: frozenset[str]) -> tuple[str, int]:
    """The attribute of a value and where it is named: the nearest before it, else behind it, else what the
    part of the sentence before says, else what the user asked for.
    """
    segment, words = place.segment, place.words
    spots = _spots(segment, words, allowed)
    before = [spot for spot in spots if spot[0] < one.start]
    after = [spot for spot in spots if spot[0] >= one.end]
    others = [end for _, end in spans_of(segment.quantities, segment.moments) if end <= one.start]
    last = max(others, default=-1)
    near = [spot for spot in before if spot[0] >= last]
    next_ = min((other.start for other in segment.quantities if other.start >= one.end), default=1 << 60)
    close = [spot for spot in after if spot[0] < next_ and spot[0] - one.end < 30]
    specific = [spot for spot in near if spot[1] not in _LOOSE]
    if not specific and all(spot[1] in _LOOSE for spot in near):
        specific = [spot for spot in reversed(close) if spot[1] not in _LOOSE]
    for found in (specific[-1:], near[-1:], close[:1], before[-1:], after[:1]):
        if found:
            return found[0][1], found[0][0]
    return _from_around(one, place, allowed)


def _from_around(one: Quantity | Moment, place: Place, allowed: frozenset[str]) -> tuple[str, int]:
    """The attribute that the row and column, the part of the sentence before or the question names."""
    segment, words = place.segment, place.words
    for token in (*segment.lead,):
        name = name_of(token.text, words)
        if name in allowed:
            return name, -1
    for earlier in reversed(place.before):
        if earlier.quantities or (earlier.moments and isinstance(one, Quantity)):
            break
        spots = _spots(earlier, words, allowed)
        if spots:
            return spots[-1][1], spots[-1][0]
    if stems_of(segment.tokens, words) <= place.asked:  # a short answer
        for name in sorted(place.asked):
            known = name_of(name, words)
            if known in allowed and known not in _LOOSE:
                return known, -1
    return "", -1


_LOOSE = frozenset(
    [
        "price",
        "limit",
        "duration",
        "charge",
        "cancel",
        "expire",
        "event",
        "size",
        "open",
        "start",
        "end",
        "close",
    ]
)
"""Attributes that give way to a more exact one beside them."""


def name_of(text: str, words: StatedWords) -> str:
    """The attribute that a word names, "" for none."""
    found = MORE.get(text) or words.attributes.get(text, "")
    return "fee" if found == "charge" else found


def _spots(segment: Segment, words: StatedWords, allowed: frozenset[str]) -> list[tuple[int, str]]:
    """Where attributes are named in a segment."""
    found = []
    for token in segment.tokens:
        name = name_of(token.text, words)
        if (name in allowed or (name == "event" and "appointment" in allowed)) and not _is_anchor(
            token, segment
        ):
            found.append((token.start, name))
    for pattern, name in _patterns():
        hit = pattern.search(segment.text)
        if hit is not None and (name in allowed or (name == "event" and "appointment" in allowed)):
            found.append((segment.start + hit.start(), name))
    return sorted(found)


def _is_anchor(token: Token, segment: Segment) -> bool:
    """Whether a word says from when something counts: 30 days from delivery."""
    before = segment.text[max(0, token.start - segment.start - 12) : token.start - segment.start]
    counted = any(one.dimension == "time" and one.end <= token.start for one in segment.quantities)
    return (
        counted and re.search(r"(?i)\b(?:from|after|before|of|since)(?: the| your)? \Z", before) is not None
    )


_NOUN_BEFORE = re.compile(
    r"(?i)\b([a-z]{3,})(?:\s+(?:of|is|are|was)|:)\s*(?:up to |about |only |just |from )*\Z"
)


def noun_of(one: Quantity, place: Place) -> str:
    """The noun that says what an amount is of, where it is no known attribute: a range of 80 km."""
    start = max(place.segment.start, one.start - 40)
    found = _NOUN_BEFORE.search(place.page.text, start, one.start)
    if found is None:
        return ""
    token = next((each for each in place.segment.tokens if each.start == found.start(1)), None)
    plain = token is not None and not token.name and not is_generic(token, place.words)
    at_start = token is not None and place.segment.listed and not is_generic(token, place.words)
    return token.stem if token is not None and (plain or at_start) else ""


def is_alternative(one: Quantity | Moment, text: str) -> bool:
    """Whether a value is one of several: on Monday or Tuesday."""
    around = text[max(0, one.start - 4) : one.start], text[one.end : one.end + 4]
    return around[0].casefold().endswith(" or ") or around[1].casefold().startswith(" or ")


def is_denied(start: int, segment: Segment) -> bool:
    """Whether a value stands in a negation."""
    before = [token for token in segment.tokens if token.start < start]
    return any(token.denied for token in before[-6:]) or (
        bool(before) and before[-1].text in ("not", "isn't", "aren't", "than", "never", "no")
    )


_PRICED = frozenset(
    ["is", "are", "costs", "cost", "it's", "that's", "to", "at", "for", "only", "just", "now", "they're"]
)


def is_price(one: Quantity, place: Place) -> bool:
    """Whether an amount of money for which no word is there is a price: it is $40, but not a $40 voucher."""
    segment = place.segment
    before = [token for token in segment.tokens if token.end <= one.start]
    after = next((token for token in segment.tokens if token.start >= one.end), None)
    if after is not None and after.start <= one.end + 1 and not is_generic(after, place.words):
        return False
    said = {token.text for token in segment.tokens}
    if said & {"deducted", "remaining", "certificate", "voucher", "card", "paid", "left", "save", "refunded"}:
        return False
    return segment.cell or segment.listed or not before or any(token.text in _PRICED for token in before[-3:])


def values_beside(value: Value, segment: Segment) -> frozenset[str]:
    """The other amounts and moments in a segment."""
    found = {
        f"{one.low}/{one.high} {one.dimension}"
        for one in segment.quantities
        if one is not value
        and not (isinstance(value, Quantity) and one.dimension == "money" != value.dimension)
    }
    found |= {moment_text(one) for one in segment.moments if one is not value}
    return frozenset(found)
