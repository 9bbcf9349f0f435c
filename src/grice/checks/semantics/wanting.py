"""Whether words say that a constraint is met, and whether a record of a product meets it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

import msgspec

from grice.checks.semantics.constraints import Constraint
from grice.text.languages import pack_for
from grice.text.money import read_money
from grice.text.negation import negated
from grice.text.packs.pack import LanguagePack
from grice.text.quantities import Quantity, quantities
from grice.text.words import Word, content_words, stem, words

__all__ = ["Wanted", "meets", "mention_in", "wanted"]

MONEY_FIELDS = frozenset({"price", "cost", "budget", "amount", "preis", "kosten"})
MAX_FACTS = 2_000
MAX_NESTING = 8
_UNSAID = frozenset({"no", "not", "non", "without", "never", "kein", "keine", "keinen", "ohne", "nicht"})


class _Limit(NamedTuple):
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
    limit: _Limit | None
    field: tuple[str, ...]


def wanted(one: Constraint, synonyms: Mapping[str, Sequence[str]]) -> Wanted:
    """The constraint with its synonyms; a text may rule out ("no leather") or be a range ("under $400")."""
    pack = _pack(" ".join((one.name, *one.one_of, *one.never)))
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
    found = [
        number for number in quantities(one.name, pack) if number.comparison and number.dimension != "name"
    ]
    if len(found) == 1:
        number = found[0]
        rest = one.name[: number.start] + " " + one.name[number.end :]
        limit = _Limit(number.low, number.high, number.dimension, _currency(number), number.low, number.high)
        field = ("price",) if number.dimension == "money" else _phrase(rest, pack)
        right = tuple(filter(None, [_phrase(rest, pack), *(_phrase(text, pack) for text in others)]))
        return Wanted(one, right, (), limit, field)
    said = words(one.name)
    if len(said) > 1 and said[0].text in _UNSAID:
        rest = one.name[said[0].end :]
        return Wanted(
            one, (), tuple(filter(None, (_phrase(text, pack) for text in (rest, *others)))), None, ()
        )
    right = tuple(filter(None, (_phrase(text, pack) for text in (one.name, *others))))
    return Wanted(one, right, (), None, ())


def _synonyms_of(one: Constraint, synonyms: Mapping[str, Sequence[str]]) -> list[str]:
    names = {text.casefold() for text in (one.name, *one.one_of, *one.never)}
    return [other for word, others in synonyms.items() if word.casefold() in names for other in others]


# -- what words say


def mention_in(text: str, want: Wanted) -> tuple[int, int] | None:
    """Where a text says that the constraint is met, in the text; None where it does not."""
    pack = _pack(text)
    said = words(text)
    denied = _denied(text, said, pack)
    if want.limit is not None:
        return _range_in(text, want, said, denied, pack)
    stems = [_stem(word.text, pack) for word in said]
    for phrase in want.right:
        place = _place_of(phrase, said, stems, denied, wanted=False)
        if place is not None:
            return place
    for phrase in want.wrong:
        if _place_of(phrase, said, stems, denied, wanted=False) is not None:
            return None
        place = _place_of(phrase, said, stems, denied, wanted=True)
        if place is not None:
            return place
    return None


def _place_of(
    phrase: tuple[str, ...],
    said: Sequence[Word],
    stems: Sequence[str],
    denied: Sequence[bool],
    *,
    wanted: bool,
) -> tuple[int, int] | None:
    """Where all words of the phrase stand, near one another, each denied or not as wanted."""
    places: list[int] = []
    for one in phrase:
        found = [at for at, other in enumerate(stems) if other == one and denied[at] is wanted]
        if not found:
            return None
        nearest = min(found, key=lambda at: abs(at - places[-1])) if places else found[0]
        places.append(nearest)
    return said[min(places)].start, said[max(places)].end


def _range_in(
    text: str, want: Wanted, said: Sequence[Word], denied: Sequence[bool], pack: LanguagePack | None
) -> tuple[int, int] | None:
    limit = want.limit
    assert limit is not None
    stems = [_stem(word.text, pack) for word in said]
    named = next(
        (place for one in want.right if (place := _place_of(one, said, stems, denied, wanted=False))), None
    )
    broken = False
    for number in quantities(text, pack):
        alike = limit.dimension == number.dimension if limit.dimension else bool(named)
        if not alike or number.dimension == "name":
            continue
        inside = _inside(number.low, number.high, _currency(number), limit)
        if inside and not any(
            denied[at] for at, word in enumerate(said) if number.start <= word.start < number.end
        ):
            return number.start, number.end
        broken = broken or inside is False
    if broken:
        return None
    if limit.dimension == "money":
        for at, word in enumerate(said):
            if word.text in MONEY_FIELDS and not denied[at] and _is_within(said, at):
                return word.start, word.end
        return None
    return None


def _is_within(said: Sequence[Word], at: int) -> bool:
    """Whether words before a "budget" say that it is kept: under your budget, within it, fits it."""
    return any(
        word.text
        in ("under", "within", "below", "inside", "fits", "fit", "in", "on", "unter", "im", "innerhalb")
        for word in said[max(0, at - 4) : at]
    )


def _denied(text: str, said: Sequence[Word], pack: LanguagePack | None) -> list[bool]:
    """For each word whether it is denied: by a negation before it, or as in leather-free and non-leather."""
    denied = list(negated(text, said, pack)) if pack is not None else [False] * len(said)
    for at, word in enumerate(said):
        if at + 1 < len(said) and _takes_away(text, word, said[at + 1]):
            denied[at] = not denied[at]
        if at and said[at - 1].text == "non":
            denied[at] = True
    return denied


def _takes_away(text: str, word: Word, after: Word) -> bool:
    """Whether the word after it says that it is not there: leather-free, and leather free at an end."""
    between, rest = text[word.end : after.start], text[after.end : after.end + 1]
    if after.text == "less":
        return between == "-"
    return after.text in ("free", "frei") and (
        between == "-" or (between == " " and rest in ("", ".", ",", ";", "!", ")"))
    )


# -- what a record says


def meets(record: Mapping[str, Any], want: Wanted) -> bool | None:
    """Whether the record of a product meets the constraint; None where it does not say."""
    facts = list(_facts(record))
    if want.field:
        facts = [fact for fact in facts if _is_field(fact.key, want.field)]
    if want.limit is not None:
        found = [_within(fact, want.limit, record) for fact in facts]
        known = [one for one in found if one is not None]
        return all(known) if known else None
    if want.wrong:
        if not facts:
            return None
        return not any(_says(fact, phrase) for fact in facts for phrase in want.wrong)
    if not facts:
        return None
    if any(_says(fact, phrase) for fact in facts for phrase in want.right):
        return True
    denied = any(_denies(fact, phrase) for fact in facts for phrase in want.right)
    return False if denied or want.field else None


class _Fact(NamedTuple):
    """One value of a record: the words of its key and their stems, the key's last word, and the value."""

    key: tuple[str, ...]
    last: str
    value: Any


def _facts(record: Mapping[str, Any]) -> Iterator[_Fact]:
    waiting: list[tuple[str, Any, int]] = [("", record, 0)]
    for _ in range(MAX_FACTS):
        if not waiting:
            return
        name, value, depth = waiting.pop()
        if isinstance(value, Mapping):
            if depth < MAX_NESTING:
                waiting += [(str(key), one, depth + 1) for key, one in value.items()]
            if not (depth and {"amount", "value", "price"} & {str(key) for key in value}):
                continue
        elif isinstance(value, list | tuple):
            waiting += [(name, one, depth + 1) for one in value] if depth < MAX_NESTING else []
            continue
        said = [word.text for word in words(_spaced(name))]
        yield _Fact((*said, *(_stem(word, _pack(name)) for word in said)), said[-1] if said else "", value)


def _spaced(name: str) -> str:
    """A name of a field as words: maxPrice and max_price are two."""
    parts = []
    for before, sign in zip(" " + name, name, strict=False):
        parts.append(f" {sign}" if sign.isupper() and before.islower() else " " if sign in "_-." else sign)
    return "".join(parts)


def _is_field(key: Sequence[str], field: Sequence[str]) -> bool:
    if field and set(field) <= MONEY_FIELDS:
        return bool(MONEY_FIELDS & set(key))
    return set(field) <= set(key)


def _says(fact: _Fact, phrase: Sequence[str]) -> bool:
    """Whether a fact says a phrase: in its text, or by its name where it is true."""
    if fact.value is True:
        return set(phrase) <= set(fact.key)
    if isinstance(fact.value, bool) or not isinstance(fact.value, str | int | float):
        return False
    return _in_text(str(fact.value), phrase, wanted=False, key=fact.key)


def _denies(fact: _Fact, phrase: Sequence[str]) -> bool:
    if fact.value is False:
        return set(phrase) <= set(fact.key)
    return isinstance(fact.value, str) and _in_text(fact.value, phrase, wanted=True)


def _in_text(text: str, phrase: Sequence[str], *, wanted: bool, key: Sequence[str] = ()) -> bool:
    spaced = text.replace("_", " ")
    pack = _pack(spaced)
    said = words(spaced)
    stems = [_stem(word.text, pack) for word in said]
    denied = _denied(spaced, said, pack)
    left = tuple(one for one in phrase if one not in key) or tuple(phrase)
    return _place_of(left, said, stems, denied, wanted=wanted) is not None


def _within(fact: _Fact, limit: _Limit, record: Mapping[str, Any]) -> bool | None:
    """Whether a number of a record is in a range; None for what is no number, or of another kind."""
    if limit.dimension == "money" or MONEY_FIELDS & set(fact.key):
        currency = record.get("currency")
        money = read_money(fact.value, currency if isinstance(currency, str) else "")
        return None if money is None else _inside(money.low, money.high, money.currency, limit)
    value = fact.value
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = value if isinstance(value, str) else f"{value} {fact.last}"
    found = [one for one in quantities(text, _pack(text)) if one.dimension == limit.dimension]
    if limit.dimension and found:
        return _inside(found[0].low, found[0].high, "", limit)
    number = _number(value)
    return None if number is None else _between(number, number, limit.bare_low, limit.bare_high)


# -- ranges


def _limit_of(one: Constraint, pack: LanguagePack | None) -> _Limit:
    money = any(word.text in MONEY_FIELDS for word in words(one.name))
    low, high = (_read(bound, pack, money=money) for bound in (one.at_least, one.at_most))
    kinds = [side for side in (low, high) if side is not None]
    dimension = next((side.dimension for side in kinds if side.dimension), "")
    currency = next((_currency(side) for side in kinds if _currency(side)), "")
    return _Limit(
        low.low if low else None,
        high.high if high else None,
        dimension,
        currency,
        _number(one.at_least),
        _number(one.at_most),
    )


def _read(bound: object, pack: LanguagePack | None, *, money: bool) -> Quantity | None:
    if bound is None:
        return None
    if isinstance(bound, str):
        found = next((one for one in quantities(bound, pack) if one.dimension != "name"), None)
        if found is not None and (found.dimension or not money):
            return found
    number = _number(bound)
    return Quantity(number, number, "", "money" if money else "", 0, 0)


def _number(value: object) -> Decimal | None:
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


def _currency(number: Quantity) -> str:
    return number.unit if number.dimension == "money" else ""


def _inside(low: Decimal | None, high: Decimal | None, currency: str, limit: _Limit) -> bool | None:
    if currency and limit.currency and currency != limit.currency:
        return None
    return _between(low, high, limit.low, limit.high)


def _between(
    low: Decimal | None, high: Decimal | None, least: Decimal | None, most: Decimal | None
) -> bool | None:
    if (least is not None and low is None) or (most is not None and high is None):
        return None
    under = most is None or (high is not None and high <= most)
    over = least is None or (low is not None and low >= least)
    return under and over


# -- words


def _phrase(text: str, pack: LanguagePack | None) -> tuple[str, ...]:
    """The stems of the words of a text that carry meaning; of all its words where none does."""
    found = content_words(text, pack) or words(text)
    return tuple(_stem(word.text, pack) for word in found)


def _stem(word: str, pack: LanguagePack | None) -> str:
    bare = word.removesuffix("'s").removesuffix("s'") or word
    return stem(bare, pack)


def _pack(text: str) -> LanguagePack | None:
    found = pack_for(text)
    return None if isinstance(found, str) else found
