"""When two sayings are of the same thing, and differ in one value."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import msgspec

from grice.checks.contradiction.facts.sayings import Saying
from grice.checks.contradiction.facts.values import Value
from grice.checks.contradiction.facts.vocabulary import Vocabulary
from grice.claims.agreeing import Agreement, agree
from grice.claims.passage import Atom
from grice.text.quantities import Quantity

__all__ = ["Conflict", "Difference", "agreement", "difference"]

MAX_MORE, MAX_MORE_ON_BOTH, MAX_MORE_OF_NAMED = 4, 3, 5
"""Words that a denial may have more than what it denies, or each more than the other."""

FREE = frozenset(("price", "fee"))


class Difference(msgspec.Struct, frozen=True, gc=False):
    """In what two sayings differ: `name` is the attribute of two values, or the word that one of them denies.

    `same` says that they agree in it.
    """

    name: str
    earlier: Value | None = None
    later: Value | None = None
    same: bool = False


class Conflict(msgspec.Struct, frozen=True, gc=False):
    """Two sayings that cannot both hold."""

    earlier: Saying
    later: Saying
    difference: Difference


def difference(one: Saying, other: Saying, words: Vocabulary) -> Difference | None:
    """In what the later of two sayings of one thing differs from the earlier, or agrees with it."""
    pairs = _pairs(one, other, words)
    apart = [pair for pair in pairs if agreement(*pair) == "different"]
    same = [pair for pair in pairs if agreement(*pair) == "same"]
    flipped = frozenset(stem for stem, flag in other.terms.items() if one.terms.get(stem, flag) != flag)
    if len({pair[0].measure for pair in apart}) > 1:
        return None
    if apart or (same and not flipped):
        earlier, later = (apart or same)[-1]
        if (flipped and later.measure == "number") or not _is_same_thing(one, other, earlier, words):
            return None
        return Difference(later.attribute or later.measure, earlier, later, same=not apart)
    if not flipped or not _is_denial(one, other, flipped, words):
        return None
    return Difference(next(stem for stem in other.terms if stem in flipped))


def agreement(earlier: Value, later: Value) -> Agreement:
    """Whether two values agree. A rate and a sum are not comparable, but nothing is neither."""
    mine, theirs = later.value, earlier.value
    if isinstance(mine, str) or isinstance(theirs, str):
        return "same" if earlier.said.casefold() == later.said.casefold() else "different"
    if isinstance(mine, Quantity) and isinstance(theirs, Quantity):
        if mine.dimension == "money" and 0 in (mine.low, theirs.low):
            return "same" if mine.low == theirs.low else "different"
        if mine.period != theirs.period:
            return "not comparable"
    results = {agree(_atom(later), theirs), agree(_atom(earlier), mine)}
    return "same" if "same" in results else "different" if results == {"different"} else "not comparable"


def _atom(one: Value) -> Atom:
    return Atom("quantity", one.value, one.said, one.start, one.end, ends=one.ends)


def _pairs(one: Saying, other: Saying, words: Vocabulary) -> list[tuple[Value, Value]]:
    """The values of one measure and attribute: those that agree, else all where each says one."""
    found: list[tuple[Value, Value]] = []
    for measure in {value.measure for value in one.values} & {value.measure for value in other.values}:
        mine, theirs = ([value for value in each.values if value.measure == measure] for each in (one, other))
        known = {words.stem_of(name) for name in FREE} | (one.words & other.words)
        pairs = [(a, b) for a in mine for b in theirs if _is_of_one(a, b, known)]
        same = [pair for pair in pairs if agreement(*pair) == "same"]
        several = any(len({each.said for each in some}) > 1 for some in zip(*pairs, strict=True))
        found += same or ([] if several and measure != "date" else pairs)
    return found


def _is_of_one(a: Value, b: Value, known: AbstractSet[str]) -> bool:
    """Whether two values have one attribute, or one of them is free of charge and the other costs."""
    lows = [each.value.low for each in (a, b) if isinstance(each.value, Quantity)]
    return a.attribute == b.attribute or (0 in lows and {a.attribute, b.attribute} <= known)


def _is_apart(one: Saying, other: Saying, said: frozenset[str], words: Vocabulary) -> bool:
    """Whether two sayings are of two things: by a name, what stands before a noun, an opposite."""
    left, right = one.words - other.words - said, other.words - one.words - said
    if (left | right) & words.stems["apart"] or (one.names - other.words and other.names - one.words):
        return True
    if (one.marks ^ other.marks) & words.tokens["contrasts"]:
        return True
    if any(not right.isdisjoint(words.lexicon.opposites.get(stem, ())) for stem in left):
        return True
    for noun in one.before.keys() & other.before.keys():
        if noun in (one.words & other.words) | said and not one.before[noun] & other.before[noun]:
            return True
    return False


def _is_same_thing(one: Saying, other: Saying, value: Value, words: Vocabulary) -> bool:
    """Whether two sayings, with a value of one attribute, are surely of the same thing."""
    kinds = words.attributes.get(value.measure, frozenset())
    said = frozenset((value.attribute,))
    if value.measure not in ("time", "business day") and (one.marks ^ other.marks) & words.tokens["times"]:
        return False
    known = said | kinds if value.attribute else said
    if _is_apart(one, other, known, words):
        return False
    left, right = one.words - other.words - known, other.words - one.words - known
    shared = one.words & other.words - said
    names = shared & (one.names | other.names)
    if (one.listed or other.listed) and not names:
        told = value.attribute in kinds and bool(shared) and not (one.listed and other.listed)
        if not told and not (value.attribute and one.keyed != other.keyed):
            return False
    whose = bool(one.marks & other.marks & {"you", "we"})
    if not left or not right:
        return bool(one.words & other.words) or (bool(value.attribute) and whose)
    subjects = one.subject | other.subject
    if not value.attribute:
        return bool(shared & one.subject & other.subject) and len(left) + len(right) < MAX_MORE_ON_BOTH
    if shared & subjects or whose:
        return True
    few = len(left) + len(right) <= MAX_MORE_ON_BOTH and value.measure != "money"
    return bool(names) or (few and not (one.names or other.names) and not subjects.isdisjoint(said))


def _is_denial(one: Saying, other: Saying, flipped: frozenset[str], words: Vocabulary) -> bool:
    """Whether one of two sayings denies what the other says of the same thing."""
    if (one.marks | other.marks) & {"i", "weighs"} or _is_apart(one, other, flipped, words):
        return False
    shared = one.words & other.words - flipped
    names = shared & (one.names | other.names)
    if not all(_may_deny(each, flipped, named=bool(names)) for each in (one, other)) or _are_of_two(
        one, other
    ):
        return False
    if one.subject and other.subject and not names and not (shared | flipped) & one.subject & other.subject:
        return False
    if flipped <= one.subject | other.subject and not (one.keyed or other.keyed):
        return False
    left, right = one.words - other.words - flipped, other.words - one.words - flipped
    most = MAX_MORE_OF_NAMED if names else MAX_MORE_ON_BOTH if left and right else MAX_MORE
    return len(left) + len(right) <= most


def _may_deny(one: Saying, flipped: frozenset[str], *, named: bool) -> bool:
    """Whether a saying can be one side of a denial: no mere line; what it denies first is flipped."""
    denied = [stem for stem, flag in one.terms.items() if flag]
    if not flipped.isdisjoint(denied) and denied[0] not in flipped:
        return False  # no perfect solution is one still
    if one.keyed:
        return bool(denied or (one.states and named))
    return named or not one.listed


def _are_of_two(one: Saying, other: Saying) -> bool:
    """Whether two sayings have values of one measure, and none agrees: open on Friday, closed on Saturday."""
    for measure in {value.measure for value in one.values} & {value.measure for value in other.values}:
        mine, theirs = ([value for value in each.values if value.measure == measure] for each in (one, other))
        if all(agreement(a, b) == "different" for a in mine for b in theirs):
            return True
    return False
