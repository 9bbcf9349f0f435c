"""Numbers and dates of a claim, held against those of the facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

import msgspec

from grice.checks.evidence.findings import Atom
from grice.checks.evidence.scene import Scene
from grice.checks.evidence.sheet import Fact
from grice.text.quantities import Quantity, same_quantity
from grice.text.times import Moment
from grice.text.words import stem, words

__all__ = ["is_measure", "weigh_moment", "weigh_quantity"]

NEAR, FAR = 2, 1
"""What a shared word counts in the same clause, and in the same sentence."""


def weigh_quantity(one: Quantity, near: Iterable[str], scene: Scene) -> Atom:
    """Whether a quantity is that of a fact.

    Of the facts that measure the same, those whose name shares most words with what stands around the quantity decide.
    """
    said = scene.text[one.start : one.end]
    stems = frozenset(near)
    noun = _noun(one, scene)
    best, agreeing, opposed = 0, None, None
    loose: Fact | None = None
    for fact in scene.numeric():
        agrees = _agrees(one, fact, said, scene)
        if agrees is None:
            continue
        weight = _overlap(fact, stems, scene, noun)
        if agrees and loose is None and not (fact.size and not weight):
            loose = fact
        if weight > best:
            best, agreeing, opposed = weight, None, None
        if weight == best and weight and not (fact.size and not agrees):
            agreeing = agreeing or (fact if agrees else None)
            opposed = opposed or (None if agrees else fact)
    if agreeing is None and loose is None and not is_measure(one.dimension):
        agreeing = _as_word(said, scene)
    if agreeing is not None:
        return Atom("supported", said, one.start, one.end, agreeing)
    if opposed is not None and best >= NEAR and not (loose is not None and scene.is_prose):
        return Atom("contradicted", said, one.start, one.end, opposed)
    if loose is not None:
        return Atom("supported", said, one.start, one.end, loose)
    return Atom("unsupported", said, one.start, one.end, opposed)


def is_measure(dimension: str) -> bool:
    """Whether a quantity of the dimension measures something, where others count."""
    return dimension in _MEASURES


_MEASURES = frozenset(
    "money time length mass volume temperature data percent power energy speed area".split()
)


def weigh_moment(one: Moment, scene: Scene) -> Atom:
    """Whether a date or time is that of a fact."""
    said = scene.text[one.start : one.end]
    for fact in scene.dated():
        if any(one.agrees_with(other) for other in fact.moments):
            return Atom("supported", said, one.start, one.end, fact)
    agreeing = _as_word(said, scene)
    if agreeing is not None:
        return Atom("supported", said, one.start, one.end, agreeing)
    return Atom("unsupported", said, one.start, one.end)


def _agrees(one: Quantity, fact: Fact, said: str, scene: Scene) -> bool | None:
    """Whether a quantity is that of a fact; None when they do not measure the same."""
    found: bool | None = None
    for other in fact.quantities:
        same = _same(one, other, fact, said)
        if same:
            return True
        found = found if same is None else False
    if found is not None or fact.number is None:
        return found
    if any(other.dimension for other in fact.quantities) or one.dimension in ("money", "percent"):
        return None
    holds = _holds(one, fact.number)
    return holds if holds or not one.dimension or _noun(one, scene) in fact.keys else None


def _noun(one: Quantity, scene: Scene) -> str:
    """The stem of what is counted."""
    return stem(one.dimension, scene.lexicon.pack) if one.dimension else ""


def _same(one: Quantity, other: Quantity, fact: Fact, said: str) -> bool | None:
    if one.dimension == other.dimension == "money" and not (one.unit and other.unit):
        one, other = (msgspec.structs.replace(each, unit=one.unit or other.unit) for each in (one, other))
    if one.comparison or other.comparison:
        if _bounds(one) == _bounds(other) and one.dimension == other.dimension:
            # "orders over $50" is what free_shipping_over: 50 says; "under $300" is not what price: 300 says
            return (
                True
                if other.comparison or one.comparison in ("<=", ">=")
                else _is_limit(fact) or same_quantity(one, other)
            )
        if other.comparison and one.dimension == other.dimension:
            return same_quantity(other, one) if not one.comparison else False
        if one.comparison and _is_limit(fact) and one.dimension == other.dimension:
            return False
    same = same_quantity(one, other)
    if same is False and one.dimension != "money":
        return _rounds_to(one, other, said)
    return same


def _bounds(one: Quantity) -> frozenset[Decimal]:
    return frozenset(side for side in (one.low, one.high) if side is not None)


def _is_limit(fact: Fact) -> bool:
    return bool(fact.raw & _LIMITS)


_LIMITS = frozenset(("over", "abov", "above", "min", "minimum", "threshold", "max", "maximum", "limit", "from", "under", "below", "least", "most", "cap", "window", "within"))  # fmt: skip


def _holds(one: Quantity, number: Decimal) -> bool:
    """Whether a bare number satisfies a quantity."""
    if one.low is not None and one.low == one.high and not one.comparison:
        return one.low == number
    low = one.low is None or (number > one.low if one.comparison == ">" else number >= one.low)
    high = one.high is None or (number < one.high if one.comparison == "<" else number <= one.high)
    return low and high


def _rounds_to(one: Quantity, other: Quantity, said: str) -> bool:
    """Whether a quantity is another one, rounded to the decimals that it shows (2.5 kg for 2460 g)."""
    if one.low is None or one.low != one.high or other.low is None or other.low != other.high or not one.low:
        return False
    digits = sum(character.isdigit() for character in said)
    return (
        digits > 1
        and abs(one.low - other.low) / abs(one.low) <= Decimal("0.5") / Decimal(10) ** (digits - 1) / 10 * 9
    )


def _overlap(fact: Fact, stems: frozenset[str], scene: Scene, noun: str) -> int:
    """How much of what stands around a quantity the fact is about."""
    names = fact.keys | fact.words if fact.prose else fact.keys
    weight = NEAR * len(names & stems) + FAR * len(names & (scene.stems - stems))
    return weight + NEAR * 2 if noun and noun in names else weight


def _as_word(said: str, scene: Scene) -> Fact | None:
    """A fact that holds the number as a word, as in the name of a product or a flight."""
    found: Sequence[str] = [word.text for word in words(said) if any(one.isdigit() for one in word.text)]
    facts = [[fact for fact in scene.saying(one) if fact.number is None] for one in found]
    return facts[0][0] if facts and all(facts) else None
