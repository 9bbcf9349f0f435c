"""Whether the record of a product meets a constraint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from grice.checks.semantics.mentions import denied_words, place_of
from grice.checks.semantics.wanting import (
    MONEY_FIELDS,
    UNSAID,
    Limit,
    Wanted,
    between,
    inside,
    number_of,
    pack_of,
    stem_of,
)
from grice.text.money import read_money
from grice.text.quantities import quantities
from grice.text.words import words

__all__ = ["meets"]

MAX_FACTS = 2_000
MAX_NESTING = 8


def meets(record: Mapping[str, Any], want: Wanted) -> bool | None:
    """Whether the record of a product meets the constraint; None where it does not say."""
    facts = list(_facts(record))
    if want.field:
        facts = [fact for fact in facts if _is_field(fact.key, want.field)]
    if want.limit is not None:
        found = [_within(fact, want, want.limit, record) for fact in facts]
        known = [one for one in found if one is not None]
        return (all if want.field else any)(known) if known else None
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
        yield _Fact(
            (*said, *(stem_of(word, pack_of(name)) for word in said)), said[-1] if said else "", value
        )


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
    """Whether a fact says a phrase: in its text, or by its name where the value does not deny it."""
    if isinstance(fact.value, bool) or not isinstance(fact.value, str | int | float):
        return fact.value is True and set(phrase) <= set(fact.key)
    if set(phrase) <= set(fact.key):
        return not _is_denial(fact.value)
    return _in_text(str(fact.value), phrase, wanted=False, key=fact.key)


def _denies(fact: _Fact, phrase: Sequence[str]) -> bool:
    if set(phrase) <= set(fact.key):
        return fact.value is False or (isinstance(fact.value, str | int | float) and _is_denial(fact.value))
    return isinstance(fact.value, str) and _in_text(fact.value, phrase, wanted=True)


def _is_denial(value: str | int | float) -> bool:
    """Whether the value of a field says that what the field names is not there: no, none, 0."""
    if not isinstance(value, str):
        return not value
    said = words(value)
    return not said or said[0].text in UNSAID or said[0].text in ("none", "false", "0", "nein")


def _in_text(text: str, phrase: Sequence[str], *, wanted: bool, key: Sequence[str] = ()) -> bool:
    spaced = text.replace("_", " ")
    pack = pack_of(spaced)
    said = words(spaced)
    stems = [stem_of(word.text, pack) for word in said]
    denied = denied_words(spaced, said, pack)
    left = tuple(one for one in phrase if one not in key) or tuple(phrase)
    return place_of(left, said, stems, denied, wanted=wanted) is not None


def _within(fact: _Fact, want: Wanted, limit: Limit, record: Mapping[str, Any]) -> bool | None:
    """Whether a number of a record is in a range; None for what is no number, or of another kind.

    Where no field is named ("27-inch"), only a number with a unit of that kind says anything.
    """
    if limit.dimension == "money" or (not limit.dimension and MONEY_FIELDS & set(fact.key)):
        currency = record.get("currency")
        money = read_money(fact.value, currency if isinstance(currency, str) else "")
        if money is None or (money.high is not None and money.high < 0):
            return None  # no price is below nothing
        return inside(money.low, money.high, money.currency, limit)
    value = fact.value
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = value if isinstance(value, str) else f"{value} {fact.last}"
    found = [one for one in quantities(text, pack_of(text)) if one.dimension == limit.dimension]
    if limit.dimension and found:
        return inside(found[0].low, found[0].high, "", limit)
    if limit.dimension and not want.field:
        return None
    number = number_of(value)
    if number is None or (limit.bare_low is None and limit.bare_high is None):
        return None
    return between(number, number, limit.bare_low, limit.bare_high)
