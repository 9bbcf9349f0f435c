"""A constraint made ready to be looked for: its words as stems, its range as a quantity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

import msgspec

from grice.checks.shop.constraints import Bound, Constraint
from grice.claims.lexicon import Lexicon, Phrase, plain_lexicon
from grice.claims.terms import parse_text
from grice.claims.value_agreement import agree, holds, named
from grice.text.quantities import Quantity
from grice.text.words import words

PRICES = frozenset(("price", "cost", "budget", "amount", "preis", "kosten"))
"""The names of fields that have a price, in all languages."""


class PreparedConstraint(msgspec.Struct, frozen=True):
    """A constraint made ready: `right` and `wrong` are phrases, each as stems; `limit` is a range.

    `bare` is that range in the numbers as they are given, for fields that name no unit. `field` are the
    stems of the field's name, () where any part of a product will do; `priced` says that it is the price.
    """

    constraint: Constraint
    right: tuple[Phrase, ...] = ()
    wrong: tuple[Phrase, ...] = ()
    limit: Quantity | None = None
    bare: Quantity | None = None
    field: Phrase = ()
    priced: bool = False


def wanted(one: Constraint, synonyms: Mapping[str, Sequence[str]]) -> PreparedConstraint:
    """The constraint with its synonyms; a text may rule out ("no leather") or be a range ("under $400")."""
    bounds = [side for side in (one.at_least, one.at_most) if isinstance(side, str)]
    lexicon = plain_lexicon(" ".join((one.name, *one.one_of, *one.never, *bounds)))
    names = {text.casefold() for text in (one.name, *one.one_of, *one.never)}
    given = (other for word, others in synonyms.items() if word.casefold() in names for other in others)
    others = (*one.synonyms, *given)
    field = _stems(one.name, lexicon)
    if one.is_range:
        right = _phrases((one.name, *others), lexicon)
        limit, bare = _range_of(one, lexicon)
        priced = PRICES.issuperset(word.text for word in words(one.name))
        return PreparedConstraint(one, right, (), limit, bare, field, priced)
    if one.one_of:
        return PreparedConstraint(one, _phrases((*one.one_of, *others), lexicon), field=field)
    if one.never:
        return PreparedConstraint(one, (), _phrases((*one.never, *others), lexicon), field=field)
    return _free(one, others, lexicon)


def _free(one: Constraint, others: Sequence[str], lexicon: Lexicon) -> PreparedConstraint:
    reading = parse_text(one.name, lexicon)
    limits = [number for number in reading.quantities if _is_limit(number)]
    if len(limits) == 1:
        [said] = limits
        limit = _between(said.low, said.high, said)
        rest = f"{one.name[: limit.start]} {one.name[limit.end :]}"
        priced = limit.dimension == "money"
        field = () if priced else _stems(rest, lexicon)
        bare = None if limit.approximate else _bare(one.name[limit.start : limit.end], limit)
        return PreparedConstraint(one, _phrases((rest, *others), lexicon), (), limit, bare, field, priced)
    if reading.terms and all(term.denied for term in reading.terms):
        spelled = lexicon.stems(one.name)  # "gluten free and organic" denies no gluten
        return PreparedConstraint(one, (spelled,), _phrases((one.name, *others), lexicon))
    return PreparedConstraint(one, _phrases((one.name, *others), lexicon))


def _is_limit(number: Quantity) -> bool:
    """Whether a number in a free text limits something: under $400, 16 GB; size 42 and 100 % are words."""
    return bool(number.comparison) or (bool(number.unit) and number.dimension != "percent")


def _stems(text: str, lexicon: Lexicon) -> Phrase:
    """The stems of the words of a text that carry meaning; of all its words where none does."""
    reading = parse_text(text, lexicon)
    return tuple(term.stem for term in reading.terms) or tuple(reading.stems)


def _phrases(texts: Iterable[str], lexicon: Lexicon) -> tuple[Phrase, ...]:
    return tuple(filter(None, (_stems(text, lexicon) for text in texts)))


# -- ranges


def _range_of(one: Constraint, lexicon: Lexicon) -> tuple[Quantity, Quantity | None]:
    """The range of a constraint, with its units, and in the numbers as they are given."""
    money = any(word.text in PRICES for word in words(one.name))
    low, high = (_read(bound, lexicon, money=money) for bound in (one.at_least, one.at_most))
    measured = next((side for side in (low, high) if side is not None and side.dimension), low or high)
    assert measured is not None
    limit = _between(low.low if low else None, high.high if high else None, measured)
    return limit, _between(
        _number(one.at_least), _number(one.at_most), msgspec.structs.replace(measured, dimension="", unit="")
    )


def _read(bound: Bound | None, lexicon: Lexicon, *, money: bool) -> Quantity | None:
    """The end of a range as a quantity; a number without a unit is an amount where that is limited."""
    if bound is None:
        return None
    found = parse_text(bound, lexicon).quantities if isinstance(bound, str) else ()
    if found and (found[0].dimension or not money):
        return found[0]
    number = _number(bound)
    return Quantity(number, number, "", "money" if money else "", 0, 0)


def _between(low: Decimal | None, high: Decimal | None, like: Quantity) -> Quantity:
    side = "" if low is not None and high is not None else ">=" if high is None else "<="
    return msgspec.structs.replace(like, low=low, high=high, comparison=side)


def _bare(said: str, limit: Quantity) -> Quantity | None:
    """A limit in the one number that is written in it."""
    number = _number(said)
    if number is None:
        return None
    low, high = (None if side is None else number for side in (limit.low, limit.high))
    return _between(low, high, msgspec.structs.replace(limit, dimension="", unit=""))


def _number(bound: Bound | None) -> Decimal | None:
    """A number, or the one that is written in a text, without its unit."""
    if not isinstance(bound, str):
        return None if bound is None else Decimal(str(bound))
    found = [word.text for word in words(bound) if word.text[0].isdigit()]
    try:
        return Decimal(found[0].replace(",", "")) if len(found) == 1 else None
    except ArithmeticError:
        return None


def is_within(said: Quantity, limit: Quantity) -> bool | None:
    """Whether a quantity, a bound as the number it names, is in a range; None for what is not comparable."""
    if not limit.dimension:
        return all(holds(limit, side) for side in (said.low, said.high) if side is not None)
    agreed = agree(limit, named(said))
    return None if agreed == "not comparable" else agreed == "same"
