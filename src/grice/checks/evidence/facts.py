"""Records and texts as facts: where each stands, what it is called, and what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from itertools import pairwise
from typing import Any

import msgspec

from grice.checks.evidence.lexicon import Lexicon
from grice.checks.evidence.sheet import Fact, FactSheet, Record, sheet_of
from grice.checks.evidence.terms import Reading, read_text
from grice.formats.turns import parse_result
from grice.text import shorten
from grice.text.normalised import normalise
from grice.text.quantities import Quantity, quantities
from grice.text.sentences import sentences

__all__ = ["fact_sheet"]

MAX_FACTS = 50_000
MAX_SHOWN = 120
LONG_VALUE = 12
"""Words from which a value is read as prose, sentence by sentence."""

NAMING_KEYS = frozenset(
    (
        *("id", "name", "title", "sku", "code", "flight", "number", "product", "model", "label"),
        *("username", "email", "slug", "handle"),
    )
)
_IDS = frozenset(("id", "number", "code", "sku"))
_SPOKEN = frozenset(
    (
        *("merchant", "payee", "recipient", "vendor", "subject", "description", "hostname", "city"),
        *("restaurant", "plan", "tier", "service", "dish", "event", "course", "medication", "branch"),
    )
)
"""Fields by which people name records that only have an id."""

_TITLES = frozenset((one,) for one in ("name", "title", "product", "model", "label"))
_SIGNS = {"pct": "%", "percent": "%", "percentage": "%"}
_CURRENCIES = frozenset(
    (
        *("USD", "EUR", "GBP", "CHF", "CAD", "AUD", "NZD", "JPY", "CNY", "INR", "SEK", "NOK"),
        *("DKK", "PLN", "CZK", "HUF", "BRL", "MXN", "ZAR", "SGD", "HKD", "KRW", "TRY", "AED"),
    )
)
_ENDS = frozenset(("min", "max", "minimum", "maximum", "before", "after", "ahead", "prior", "limit"))
"""Ends of names that are a bound, behind the unit."""

_VAGUE = frozenset(
    ("total", "amount", "balance", "discount", "payment", "budget", "premium", "refund", "tax")
)
"""Names that are money only where a currency is told: a total may be one of seats."""

_CURRENCY_KEYS = ("currency", "currencyCode", "currency_code")
_UNIT_KEYS = ("unit", "units")
_CUT = re.compile(r"[_\-.\s/]+|(?<=[a-z0-9])(?=[A-Z])")


_Names = tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]


class _Place(msgspec.Struct, frozen=True):
    """Where the walk stands: the path, the names of fields on it, the object it is in, and the records
    around it.
    """

    path: str = "$"
    fields: tuple[str, ...] = ()
    holder: Mapping[str, Any] = {}
    records: tuple[int, ...] = ()
    listed: bool = False


def fact_sheet(source: Any, lexicon: Lexicon) -> FactSheet:
    """The facts of a JSON value or of a text, flattened once.

    A text that is JSON counts by what is in it, another by its sentences. Objects in a list, or in a mapping
    whose values are all objects, are records beside one another. Null says nothing; an empty list, and words
    like "none", say that there is nothing of the kind. At most 50,000 facts are read.
    """
    key = _key(source)
    known = _KNOWN.get((key, lexicon)) if key else None
    if known is not None:
        return known
    sheet = _sheet(source, lexicon)
    if key:
        if len(_KNOWN) >= MAX_KNOWN:
            _KNOWN.clear()
        _KNOWN[key, lexicon] = sheet
    return sheet


MAX_KNOWN, MAX_KEY = 32, 200_000
_KNOWN: dict[tuple[bytes, Lexicon], FactSheet] = {}
"""The last sheets by what they were made of: several checks look at one turn."""


def _key(source: Any) -> bytes:
    """The source as bytes; none for what is too long to keep, or no JSON."""
    try:
        key = msgspec.json.encode(source)
    except (TypeError, ValueError, RecursionError, OverflowError):
        return b""
    return key if len(key) <= MAX_KEY else b""


def _sheet(source: Any, lexicon: Lexicon) -> FactSheet:
    facts: list[Fact] = []
    unknown: list[Fact] = []
    records: list[Record] = []
    waiting: list[tuple[Any, _Place]] = [(source, _Place())]
    while waiting and len(facts) < MAX_FACTS:
        value, place = waiting.pop()
        if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
            parsed = parse_result(value)
            value = value if isinstance(parsed, str) else parsed
        if isinstance(value, Mapping):
            waiting += reversed(list(_of_mapping(value, place, records)))
        elif isinstance(value, list | tuple):
            waiting += reversed(list(_of_list(value, place, records)))
        elif value is None:
            unknown += _of_null(place, lexicon)
            continue
        else:
            facts += _of_scalar(value, place, lexicon)
            continue
        if isinstance(value, Mapping | list | tuple):
            facts += _of_container(value, place, lexicon)
    return sheet_of([*facts, *unknown] if facts else facts, records, lexicon)


def _of_mapping(
    value: Mapping[Any, Any], place: _Place, records: list[Record]
) -> Iterator[tuple[Any, _Place]]:
    table = not place.fields and _is_table(value)
    for key, one in value.items():
        path = f"{place.path}.{key}"
        if table:
            yield one, _record(one, path, place, records, (str(key),))
        else:
            yield one, _Place(path, (*place.fields, str(key)), value, place.records, False)


def _is_table(value: Mapping[Any, Any]) -> bool:
    """Whether all values of an object are objects of one kind, and not the sections of one thing: they
    share a field.
    """
    inner = [one for one in value.values() if isinstance(one, Mapping)]
    if len(inner) < 2 or len(inner) < len(value):
        return False
    return bool(frozenset(map(str, inner[0])).intersection(*(map(str, one) for one in inner[1:])))


def _of_list(value: Sequence[Any], place: _Place, records: list[Record]) -> Iterator[tuple[Any, _Place]]:
    for number, one in enumerate(value):
        path = f"{place.path}[{number}]"
        parsed = parse_result(one) if isinstance(one, str) and one.lstrip()[:1] in ("{", "[") else one
        if isinstance(parsed, Mapping):
            yield parsed, _record(parsed, path, place, records, ())
        else:
            yield parsed, _Place(path, place.fields, place.holder, place.records, True)


def _record(
    value: Mapping[Any, Any], path: str, place: _Place, records: list[Record], names: tuple[str, ...]
) -> _Place:
    """The place of an object that stands beside others of its kind."""
    named = [str(key) for key in value if (_key_words(str(key)) or ("",))[-1] in NAMING_KEYS]
    told = [
        str(value[key])
        for key in named
        if isinstance(value.get(key), str | int) and not isinstance(value[key], bool)
    ]
    if all((_key_words(key) or ("",))[-1] in _IDS for key in named):
        told += [one for key in value if key in _SPOKEN and isinstance(one := value[key], str)]
    kind = min(named, default="")  # whatever the order of the fields
    records.append(Record(path, f"{place.path}:{kind}", (*names, *told)))
    return _Place(path, (*place.fields, *names), value, (*place.records, len(records) - 1), False)


def _of_container(value: Any, place: _Place, lexicon: Lexicon) -> Iterator[Fact]:
    """What a list says as a whole: that there is nothing in it, or how many."""
    if place.path == "$" or (value and (isinstance(value, Mapping) or not place.fields)):
        return
    names = _names(place.fields, lexicon)
    yield Fact(
        place.path,
        f"{len(value)} items" if value else "empty",
        *names,
        truth=None if value else False,
        number=Decimal(len(value)),
        records=place.records,
        size=True,
    )


def _of_null(place: _Place, lexicon: Lexicon) -> Iterator[Fact]:
    """A field without a value: it can be spoken of."""
    if place.fields:
        yield Fact(place.path, "null", *_names(place.fields, lexicon), records=place.records, size=True)


def _of_scalar(value: Any, place: _Place, lexicon: Lexicon) -> Iterator[Fact]:
    names = _names(place.fields, lexicon)
    if isinstance(value, bool):
        shown = "true" if value else "false"
        yield Fact(place.path, shown, *names, truth=value, records=place.records)
    elif isinstance(value, str):
        yield from _of_text(value, place, lexicon)
    elif isinstance(value, int | float):
        number = _decimal(value)
        if number is not None:
            counted = _quantity(number, place, names[2], lexicon)
            yield Fact(
                place.path,
                f"{value}",
                *names,
                words=frozenset((str(value),)),
                quantities=(counted,) if counted else (),
                number=number,
                records=place.records,
                listed=place.listed,
            )


def _of_text(value: str, place: _Place, lexicon: Lexicon) -> Iterator[Fact]:
    names = _names(place.fields, lexicon)
    prose = normalise(value).text.strip()
    if not prose:
        return
    truth = _truth(prose.casefold(), lexicon)
    if place.fields and prose.count(" ") < LONG_VALUE:
        excluded = not lexicon.exclusions.isdisjoint(names[2])
        yield _from_reading(read_text(prose, lexicon), prose, place, names, truth, excluded=excluded)
        return
    for sentence in _cut(prose, lexicon.pack.code):
        yield _from_reading(read_text(sentence, lexicon), sentence, place, names, None, prose=True)


@lru_cache(maxsize=64)
def _cut(prose: str, code: str) -> tuple[str, ...]:
    """The sentences of a prose. They are remembered: the same prompt stands before every turn."""
    return tuple(sentences(prose, code))


def _from_reading(
    reading: Reading,
    shown: str,
    place: _Place,
    names: _Names,
    truth: bool | None,
    *,
    excluded: bool = False,
    prose: bool = False,
) -> Fact:
    counted = tuple(reading.quantities)
    plain = counted[0].low if len(counted) == 1 and len(reading.tokens) == 1 else None
    return Fact(
        place.path,
        shorten(shown, MAX_SHOWN),
        *names,
        words=frozenset(term.stem for term in reading.terms if not term.denied),
        denied=frozenset(term.stem for term in reading.terms if term.denied),
        joined=frozenset(f"{one.stem}{two.stem}" for one, two in pairwise(reading.terms)),
        quantities=counted,
        moments=tuple(reading.moments),
        truth=truth,
        excluded=excluded,
        number=plain,
        records=place.records,
        listed=place.listed,
        prose=prose or not place.fields,
        size_in_words=len(reading.tokens),
        names=not prose and bool(place.fields) and _key_words(place.fields[-1])[-1:] in _TITLES,
    )


def _truth(value: str, lexicon: Lexicon) -> bool | None:
    if value in lexicon.nothing:
        return False
    return True if value in ("yes", "true", "y") else None


def _decimal(value: int | float) -> Decimal | None:
    try:
        number = Decimal(str(value))
    except (InvalidOperation, ValueError):  # an int of too many digits
        return None
    return number if number.is_finite() else None


def _quantity(number: Decimal, place: _Place, raw: frozenset[str], lexicon: Lexicon) -> Quantity | None:
    """The number with the unit that its field, or the object it stands in, names."""
    name, period = _without_rate(_key_words(place.fields[-1]) if place.fields else (), lexicon)
    name = _up_to_unit(name, lexicon)
    last = name[-1] if name else ""
    if last in _MINOR:
        number, last = number / 100, name[-2] if len(name) > 1 else ""
        return _amount(number, _told(place.holder, _CURRENCY_KEYS), period)
    unit = _SIGNS.get(last, last if last in lexicon.pack.units else "")
    unit = last.upper() if last.upper() in _CURRENCIES else unit
    unit = f"{name[-2]} {unit}" if unit and name[-2:-1] in _WORKING else unit
    unit = unit or _told(place.holder, _UNIT_KEYS)
    within = _key_words(place.fields[-2])[-1:] if len(place.fields) > 1 and not unit else ()  # prices.economy
    priced = bool(lexicon.money.intersection(lexicon.stems(" ".join((last, *within)))))
    priced = priced or (last in lexicon.thresholds and bool(lexicon.money & raw))
    told = _told(place.holder, _CURRENCY_KEYS)
    priced = priced and not (last in _VAGUE and _counts_beside(name, place.holder, lexicon))
    if unit in _CURRENCIES or (priced and (told or last not in _VAGUE)):
        return _amount(number, unit if unit in _CURRENCIES else told, period)
    return _unit_quantity(f"{number:f} {unit}", lexicon) if unit else None


_WORKING = (("business",), ("working",))
_UNTIL = frozenset(("before", "after", "ahead", "prior", "from", "until", "since"))
"""What leads on behind the unit in a name: `hours_before_check_in`."""
_LASTING = (
    "time",
    "duration",
    "layover",
    "delay",
    "walk",
    "ride",
    "drive",
    "wait",
    "battery",
    "prep",
    "cook",
)
"""How names end that say how long something lasts: there "min" is minutes."""


def _up_to_unit(name: tuple[str, ...], lexicon: Lexicon) -> tuple[str, ...]:
    """The words of a name as far as its unit, where what is behind that is a bound or tells when."""
    units = lexicon.pack.units
    cut = next((place for place, one in enumerate(name) if one in _UNTIL and name[place - 1] in units), 0)
    name = name[:cut] if cut else name
    while len(name) > 1 and name[-1] in _ENDS and not (name[-1] == "min" and name[-2].endswith(_LASTING)):
        name = name[:-1]  # days_min
    return name


def _counts_beside(name: tuple[str, ...], holder: Mapping[str, Any], lexicon: Lexicon) -> bool:
    """Whether a field beside it counts the same, and is no money: seats_used beside seats_total."""
    others = [_key_words(str(key)) for key in holder] if len(name) > 1 else []
    return any(one[:-1] == name[:-1] and one[-1] not in lexicon.money for one in others if one)


def _amount(number: Decimal, currency: str, period: str) -> Quantity:
    """Money without its sign: what is taken from an account is an amount too."""
    return Quantity(abs(number), abs(number), currency.upper(), "money", 0, 0, period=period)


def _without_rate(name: tuple[str, ...], lexicon: Lexicon) -> tuple[tuple[str, ...], str]:
    """The words of a name without its rate, and that: `pricePerNight`."""
    if len(name) > 2 and name[-2] == "per" and name[-1] in lexicon.pack.periods:
        return name[:-2], lexicon.pack.periods[name[-1]]
    return name, ""


_MINOR = frozenset(("cents", "cent", "pence", "minor"))
"""Ends of names of amounts in the hundredth part of a currency."""


def _told(holder: Mapping[str, Any], keys: Sequence[str]) -> str:
    """The text in the first of these fields that has one."""
    return next((holder[key] for key in keys if isinstance(holder.get(key), str)), "")


@lru_cache(maxsize=4_096)
def _unit_quantity(text: str, lexicon: Lexicon) -> Quantity | None:
    return next(iter(quantities(text, lexicon.pack)), None)


@lru_cache(maxsize=4_096)
def _key_words(key: str) -> tuple[str, ...]:
    """The words of the name of a field: `windowDays` and `window_days` have the same."""
    return tuple(part.casefold() for part in _CUT.split(key) if part)


@lru_cache(maxsize=4_096)
def _names(fields: tuple[str, ...], lexicon: Lexicon) -> _Names:
    """The stems of all names on a path, of the last one, of all words in them, and in the last one."""
    readings = [read_text(" ".join(_key_words(one)), lexicon) for one in fields]
    keys = frozenset(term.stem for reading in readings for term in reading.terms)
    leaf = readings[-1].terms if readings else ()
    telling = frozenset(
        ("!" if term.denied else "") + term.stem for term in leaf if term.stem not in lexicon.frame
    )
    whole = telling or frozenset(("!" if term.denied else "") + term.stem for term in leaf)
    raw = frozenset(one for reading in readings for one in reading.stems)
    return keys, whole, raw, frozenset(readings[-1].stems if readings else ())
