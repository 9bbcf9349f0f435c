"""Amounts, prices, dates and times that a clause states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

import msgspec

from grice.checks.contradiction.facts.stated_clauses import Token
from grice.checks.contradiction.facts.stated_reading import (
    BE,
    SELF,
    Reader,
    Said,
    Statement,
    is_alternative,
    is_denied,
    qualifiers_of,
    stated,
)
from grice.checks.contradiction.facts.stated_words import StatedWords
from grice.text.quantities import Quantity
from grice.text.times import Moment

__all__ = ["gratis", "names_subject", "no_charge", "of_moment", "of_quantity"]

MAX_BARE = 2
"""Words besides its value that a clause has at most that goes on with the attribute of the one before."""


_CARRIED = frozenset(
    ["percent", "data", "length", "mass", "speed", "temperature", "power", "energy", "area", "volume"]
)
"""What is measured of a thing: such a quantity counts without a name for what is measured, too."""


_COUNTED_BESIDE = frozenset(
    [
        "option",
        "flight",
        "result",
        "item",
        "product",
        "thing",
        "detail",
        "way",
        "step",
        "reason",
        "question",
        "choice",
        "match",
    ]
)


_CHARGES = frozenset(("fee", "deposit", "fine", "charge", "copay"))


_FREE = frozenset(("free", "complimentary", "gratis"))


_RECURRING = frozenset(["open", "close", "breakfast", "lunch", "dinner"])


_PREPOSITION = re.compile(r"(?i)\b(from|until|till|through|to|by|before|after|since|between|and|-)\s*\Z")


def of_quantity(one: Quantity, said: Said, reader: Reader) -> Statement | None:
    """What is stated by a quantity of a clause; None where no attribute of it can be told."""
    dimension = one.dimension
    allowed = reader.words.kinds.get(dimension)
    if one.ordinal or dimension in ("name", "size") or is_denied(one, said.clause):
        return None
    if is_alternative(one, reader):
        return None
    if allowed is None:
        return _of_count(one, said, reader)
    attributes = _attributes(one, said, reader, allowed)
    if not attributes and dimension == "length" and " from " in reader.normal.text[one.end : one.end + 6]:
        attributes = frozenset(("distance",))
    if not attributes and dimension in reader.words.defaults:
        attributes = frozenset((reader.words.defaults[dimension],))
    if not attributes and dimension in _CARRIED and len(said.topic) > 1 and (said.definite or said.names):
        attributes = frozenset(("amount",))
    if not attributes:
        return None
    if len(attributes) > 1:
        attributes -= {"price", "limit", "duration", "charge"}
    qualifiers = qualifiers_of(said, without=one) | ({f"per {one.period}"} if one.period else frozenset())
    return stated(
        "money" if dimension == "money" else f"quantity {dimension}",
        attributes,
        qualifiers,
        one,
        said,
        reader,
    )


_HAVING = frozenset(
    [
        "has",
        "have",
        "includes",
        "include",
        "included",
        "comes",
        "offers",
        "allows",
        "allowed",
        "holds",
        "accommodates",
        "seats",
        "sleeps",
        "contains",
        "entitled",
        "covers",
    ]
)


def _of_count(one: Quantity, said: Said, reader: Reader) -> Statement | None:
    """A count of a noun, where something is said to have that many."""
    clause = said.clause
    verbs = [token.start for token in clause.tokens if token.text in _HAVING]
    noun = one.dimension
    if (
        not (verbs or (reader.having and not clause.first))
        or noun in _COUNTED_BESIDE
        or " " in noun
        or one.unit not in ("", noun)
    ):
        return None
    subject = [one for one in clause.tokens if verbs and one.start < verbs[0] and one.text not in SELF]
    if (clause.first and not subject) or "will" in {token.text for token in clause.tokens}:
        return None
    reader.having = True
    return stated("quantity count", frozenset((noun,)), qualifiers_of(said, without=one), one, said, reader)


def of_moment(one: Moment, said: Said, reader: Reader) -> Statement | None:
    """What is stated by a date or time of a clause; None where no attribute of it can be told."""
    if is_denied(one, said.clause) or is_alternative(one, reader):
        return None
    if names_subject(one, said.clause.tokens, reader.normal.text, reader.words):
        return None
    attributes = _attributes(one, said, reader, reader.words.kinds["moment"])
    if not attributes:
        return None
    date = one.kind != "time"
    if date and attributes & _RECURRING:
        return None
    if len(attributes) > 1:
        attributes -= {"reservation", "appointment", "meeting", "cancel", "expire"}
    bound = _preposition(one, reader.normal.text)
    if "close" in attributes:
        attributes, bound = attributes - {"close"} | {"open"}, "to"
    elif "open" in attributes and not date:
        bound = bound or "from"
    qualifiers = qualifiers_of(said, without=one, moments=not date) | (
        {f"@{bound}"} if bound else frozenset()
    )
    return stated("date" if date else "time", attributes, qualifiers, one, said, reader)


def names_subject(one: Moment, tokens: Sequence[Token], text: str, words: StatedWords) -> bool:
    """Whether a time names what is spoken of: the 8:05 train."""
    after = next((token for token in tokens if token.start >= one.end), None)
    if after is None or after.start != one.end + 1 or one.kind != "time":
        return False
    if re.search(r"(?i)\b(?:the|an?|your|this) \Z", text[max(0, one.start - 6) : one.start]) is None:
        return False
    return not (after.text in BE or after.text in words.attributes or after.text in words.pack.prepositions)


def _preposition(one: Moment, text: str) -> str:
    """What the word before a moment makes of it: the beginning or the end of a time, or a limit."""
    found = _PREPOSITION.search(text[max(0, one.start - 10) : one.start])
    if found is None:
        opens = re.match(r"\s*(?:-|to|until|through)\s*\d", text[one.end : one.end + 12])
        return "from" if opens else ""
    word = found[1].casefold()
    if word in ("to", "and", "-"):
        ranged = re.search(
            r"(?:\d|[ap]\.?m\.?|\bnoon|\bmidnight)\s*(?:to|and|-)\s*\Z",
            text[max(0, one.start - 14) : one.start],
            re.IGNORECASE,
        )
        return "to" if ranged else ""
    return {"until": "to", "till": "to", "through": "to", "before": "by", "between": "from", "since": ""}.get(
        word, word
    )


def _attributes(
    one: Quantity | Moment, said: Said, reader: Reader, allowed: frozenset[str]
) -> frozenset[str]:
    """The attributes that the words around a value name: those between the value before it and this one,
    else those of the clause that stand before it, else those behind it.
    """
    named = [
        (token.start, name) for token, name in _named(said.clause.tokens, reader.words) if name in allowed
    ]
    others = [other.end for other in said.clause.quantities if other.end <= one.start]
    others += [other.end for other in said.clause.moments if other.end <= one.start]
    last = max(others, default=said.clause.start)
    near = frozenset(name for place, name in named if last <= place < one.start)
    before = near or frozenset(name for place, name in named if place < one.start)
    found = before or frozenset(name for place, name in named if place >= one.end)
    if found:
        reader.attributes = found
    elif not said.clause.first and len(said.clause.tokens) <= MAX_BARE:
        found = reader.attributes & allowed  # at 10:15 and at 10:45
    return found


def _named(tokens: Sequence[Token], words: StatedWords) -> Iterator[tuple[Token, str]]:
    for place, token in enumerate(tokens):
        following = tokens[place + 1].text if place + 1 < len(tokens) else ""
        phrase = words.phrases.get((token.text, following))
        if phrase is not None:
            yield token, phrase
        elif token.text in words.attributes:
            yield token, words.attributes[token.text]


def gratis(said: Said, reader: Reader) -> Iterator[Statement]:
    """What is free costs nothing."""
    tokens = said.clause.tokens
    for place, token in enumerate(tokens):
        following = tokens[place + 1].text if place + 1 < len(tokens) else "of"
        before = {one.text for one in tokens[max(0, place - 3) : place]}
        if (
            token.text not in _FREE
            or not before & BE
            or not (following == "of" or following in reader.words.pack.prepositions)
        ):
            continue
        if token.denied or "from" in before:
            return
        topic = said.topic - {token.stem, "charg", "charge"}
        one = msgspec.structs.replace(said, topic=topic)
        value = Quantity(Decimal(0), Decimal(0), "", "money", token.start, token.end)
        yield stated("money", frozenset(("price",)), qualifiers_of(said), value, one, reader)
        return


def no_charge(said: Said, reader: Reader) -> Iterator[Statement]:
    """There is no annual fee: it is nothing."""
    clause = said.clause
    if clause.quantities or clause.moments:
        return
    for token in clause.tokens:
        name = reader.words.attributes.get(token.text, "")
        if token.denied and name in _CHARGES:
            one = msgspec.structs.replace(said, topic=said.topic - {name, "charg"})
            value = Quantity(Decimal(0), Decimal(0), "", "money", token.start, token.end)
            yield stated("money", frozenset((name,)), frozenset(), value, one, reader, "none")
            return
