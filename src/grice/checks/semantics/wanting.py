"""A constraint made ready to be looked for: its words as stems, its range in base units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import NamedTuple

import msgspec

from grice.checks.semantics.constraints import Constraint
from grice.text.languages import pack_for
from grice.text.packs.pack import LanguagePack
from grice.text.quantities import Quantity, quantities
from grice.text.words import content_words, stem, words

__all__ = [
    "MONEY_FIELDS", "UNSAID", "Limit", "Wanted", "between", "currency_of", "inside", "number_of", "pack_of",
    "stem_of", "wanted",
]  # fmt: skip

MONEY_FIELDS = frozenset({"price", "cost", "budget", "amount", "preis", "kosten"})
ABOUT = Decimal("0.1")
"""How far "about" reaches, as a share."""

MAX_NAME = 60
"""The characters of a name up to which words that mean the same are looked for."""

UNSAID = frozenset({"no", "not", "non", "without", "never", "kein", "keine", "keinen", "ohne", "nicht"})


class Limit(NamedTuple):
    """A range in the base unit of its dimension, and the bare numbers as they were given."""

    low: Decimal | None
    high: Decimal | None
    dimension: str
    currency: str
    bare_low: Decimal | None
    bare_high: Decimal | None


class Wanted(msgspec.Struct, frozen=True):
    """A constraint made ready: `right` and `wrong` are phrases, each as stems; `limit` is a range.

    `field` are the words of the field's name, () where any part of a product will do.
    """

    constraint: Constraint
    right: tuple[tuple[str, ...], ...]
    wrong: tuple[tuple[str, ...], ...]
    limit: Limit | None
    field: tuple[str, ...]


def wanted(one: Constraint, synonyms: Mapping[str, Sequence[str]]) -> Wanted:
    """The constraint with its synonyms; a text may rule out ("no leather") or be a range ("under $400")."""
    pack = pack_of(" ".join((one.name, *one.one_of, *one.never)))
    others = [*one.synonyms, *_synonyms_of(one, synonyms)]
    if one.is_range:
        right = [_phrase(name, pack) for name in (one.name, *others)]
        return Wanted(one, tuple(filter(None, right)), (), _limit_of(one, pack), _phrase(one.name, pack))
    if one.one_of:
        right = [_phrase(text, pack) for text in (*one.one_of, *others)]
        return Wanted(one, tuple(filter(None, right)), (), None, _phrase(one.name, pack))
    if one.never:
        wrong = [_phrase(text, pack) for text in (*one.never, *others)]
        return Wanted(one, (), tuple(filter(None, wrong)), None, _phrase(one.name, pack))
    return _free(one, others, pack)


def _free(one: Constraint, others: Sequence[str], pack: LanguagePack | None) -> Wanted:
    found = [number for number in quantities(one.name, pack) if _is_limit(number)]
    if len(found) == 1:
        number = found[0]
        rest = one.name[: number.start] + " " + one.name[number.end :]
        field = ("price",) if number.dimension == "money" else _phrase(rest, pack)
        right = tuple(filter(None, [_phrase(rest, pack), *(_phrase(text, pack) for text in others)]))
        return Wanted(one, right, (), _limit_said(number, one.name), field)
    said = words(one.name)
    if len(said) > 1 and said[0].text in UNSAID:
        rest = one.name[said[0].end :]
        return Wanted(
            one, (), tuple(filter(None, (_phrase(text, pack) for text in (rest, *others)))), None, ()
        )
    right = tuple(filter(None, (_phrase(text, pack) for text in (one.name, *others))))
    return Wanted(one, right, (), None, ())


def _is_limit(number: Quantity) -> bool:
    """Whether a number in a free text limits something: under $400, 16 GB; size 42 and 100 % are words."""
    measured = bool(number.unit) and number.dimension != "percent"
    return number.dimension != "name" and (bool(number.comparison) or measured)


def _limit_said(number: Quantity, text: str) -> Limit:
    low, high = number.low, number.high
    bare = number_of(text[number.start : number.end])
    if number.approximate:
        low, high = (low and low * (1 - ABOUT), high and high * (1 + ABOUT))
        bare = None
    return Limit(
        low,
        high,
        number.dimension,
        currency_of(number),
        bare if low is not None else None,
        bare if high is not None else None,
    )


def _synonyms_of(one: Constraint, synonyms: Mapping[str, Sequence[str]]) -> list[str]:
    names = {text.casefold() for text in (one.name, *one.one_of, *one.never)}
    given = [other for word, others in synonyms.items() if word.casefold() in names for other in others]
    return [*given, *(other for name in names for other in _same_words(name))]


@lru_cache(maxsize=512)
def _same_words(name: str) -> tuple[str, ...]:
    """The words that mean the same as a constraint of few words: grey and gray, cordless and wireless."""
    from grice.claims.lexicon import lexicon_for

    lexicon = lexicon_for(name, "en")
    if isinstance(lexicon, str) or len(name) > MAX_NAME:
        return ()
    own = lexicon.stems(name)
    meant = [
        (phrase, stood) for found in lexicon.phrases.values() for phrase, stood, denied in found if not denied
    ]
    stands = next((stood for phrase, stood in meant if phrase == own), " ".join(own))
    alike = [" ".join(phrase) for phrase, stood in meant if stood == stands and phrase != own]
    return (*alike, stands) if alike or stands != " ".join(own) else ()


# -- ranges


def _limit_of(one: Constraint, pack: LanguagePack | None) -> Limit:
    money = any(word.text in MONEY_FIELDS for word in words(one.name))
    low, high = (_read(bound, pack, money=money) for bound in (one.at_least, one.at_most))
    kinds = [side for side in (low, high) if side is not None]
    dimension = next((side.dimension for side in kinds if side.dimension), "")
    currency = next((currency_of(side) for side in kinds if currency_of(side)), "")
    return Limit(
        low.low if low else None,
        high.high if high else None,
        dimension,
        currency,
        number_of(one.at_least),
        number_of(one.at_most),
    )


def _read(bound: object, pack: LanguagePack | None, *, money: bool) -> Quantity | None:
    if bound is None:
        return None
    if isinstance(bound, str):
        found = next((one for one in quantities(bound, pack) if one.dimension != "name"), None)
        if found is not None and (found.dimension or not money):
            return found
    number = number_of(bound)
    return Quantity(number, number, "", "money" if money else "", 0, 0)


def number_of(value: object) -> Decimal | None:
    """The one number of a value, without regard to its unit; None for none and several."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        found = [word.text for word in words(value) if word.text[0].isdigit()]
        value = found[0].replace(",", "") if len(found) == 1 else value
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def currency_of(number: Quantity) -> str:
    """The currency of a number, "" for what is no money."""
    return number.unit if number.dimension == "money" else ""


def inside(low: Decimal | None, high: Decimal | None, currency: str, limit: Limit) -> bool | None:
    """Whether a number is in a range, both in base units; None in another currency."""
    if currency and limit.currency and currency != limit.currency:
        return None
    return between(low, high, limit.low, limit.high)


def between(
    low: Decimal | None, high: Decimal | None, least: Decimal | None, most: Decimal | None
) -> bool | None:
    """Whether a range lies in another; None where a side that is limited is open."""
    if (least is not None and low is None) or (most is not None and high is None):
        return None
    under = most is None or (high is not None and high <= most)
    over = least is None or (low is not None and low >= least)
    return under and over


# -- words


def _phrase(text: str, pack: LanguagePack | None) -> tuple[str, ...]:
    """The stems of the words of a text that carry meaning; of all its words where none does."""
    found = content_words(text, pack) or words(text)
    return tuple(stem_of(word.text, pack) for word in found)


def stem_of(word: str, pack: LanguagePack | None) -> str:
    """The stem of a casefolded word without its possessive."""
    bare = word.removesuffix("'s").removesuffix("s'") or word
    return stem(bare, pack)


def pack_of(text: str) -> LanguagePack | None:
    """The language pack for a text, None without one."""
    found = pack_for(text)
    return None if isinstance(found, str) else found
