"""What the results of tools state: their fields as statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

import msgspec
from msgspec import UNSET

from grice.checks.contradiction.facts.stated_reading import Statement, Value
from grice.checks.contradiction.facts.stated_words import StatedWords
from grice.checks.evidence.facts import fact_sheet
from grice.checks.evidence.lexicon import Lexicon
from grice.checks.evidence.sheet import Fact, FactSheet
from grice.records import ToolCall
from grice.text.packs.pack import LanguagePack
from grice.text.packs.tables import listed
from grice.text.quantities import Quantity
from grice.text.words import stem
from grice.text.words import words as words_of

__all__ = ["Result", "result_of"]

MAX_CHOICE = 40
_SAYING_WHEN = listed(
    """
    date time day datetime when slot at
    """
)
_TELLING = listed(
    """
    type class category tier kind colour color variant size plan room cabin section
    """
)
"""Fields that tell a record from those beside it, where it has no name."""

_PLACES = frozenset(("destination", "address"))
_CUT = re.compile(r"[_\-\s/]+|(?<=[a-z0-9])(?=[A-Z])")
MAX_STATED = 2_000
"""Fields of one result that are held against what is said."""

_CHANGING = frozenset(
    [
        "update",
        "modify",
        "change",
        "cancel",
        "book",
        "create",
        "add",
        "remove",
        "delete",
        "set",
        "place",
        "submit",
        "pay",
        "refund",
        "reschedule",
        "rebook",
        "upgrade",
        "downgrade",
        "transfer",
        "exchange",
        "return",
        "reserve",
        "order",
        "assign",
        "move",
        "schedule",
        "confirm",
        "apply",
        "close",
        "open",
        "issue",
        "send",
    ]
)
"""Verbs in the names of tools that change something."""

_LOOKING = frozenset(
    [
        "get",
        "search",
        "find",
        "list",
        "lookup",
        "check",
        "fetch",
        "query",
        "read",
        "show",
        "view",
        "calculate",
        "think",
    ]
)


class Result(msgspec.Struct, frozen=True):
    """What a call told: the statements of its fields, all numbers, moments and words in it, and whether the
    call may have changed something. `known` are all words of the call and what it returned.
    """

    name: str
    statements: Sequence[Statement]
    numbers: frozenset[Decimal]
    moments: frozenset[str]
    known: frozenset[str]
    changes: bool


def result_of(call: ToolCall, number: int, turn: int, words: StatedWords, lexicon: Lexicon) -> Result:
    """What the call with this number of its name, from 1, told."""
    label = f"{call.name}#{number}"
    told = call.error if call.error is not None else None if call.result is UNSET else call.result
    sheet = fact_sheet(told, lexicon) if told is not None else None
    asked = fact_sheet(call.arguments, lexicon) if call.arguments else None
    parts = call.name.replace("-", "_").casefold().split("_")
    known = {stem(one, lexicon.pack) for one in parts}
    numbers: set[Decimal] = set()
    moments: set[str] = set()
    for one in (sheet, asked):
        for fact in one.facts if one is not None else ():
            known |= fact.words | fact.denied | fact.raw
            numbers |= _numbers(fact)
            moments |= {moment_key(moment) for moment in fact.moments}
    stated = [] if sheet is None or call.error is not None else list(_statements(sheet, label, turn, words))
    changes = not _LOOKING.intersection(parts) and bool(_CHANGING.intersection(parts))
    return Result(call.name, stated, frozenset(numbers), frozenset(moments), frozenset(known), changes)


def _numbers(fact: Fact) -> set[Decimal]:
    found = {one for quantity in fact.quantities for one in (quantity.low, quantity.high) if one is not None}
    return found | ({abs(fact.number)} if fact.number is not None else set())


def moment_key(one: object) -> str:
    """A moment as a word to look up."""
    kind = getattr(one, "kind", "")
    if kind == "time":
        return f"{(getattr(one, 'hour', 0) or 0) % 12}:{getattr(one, 'minute', 0) or 0}"
    if kind == "weekday":
        return f"weekday {getattr(one, 'weekday', None)}"
    return f"{getattr(one, 'month', None)}-{getattr(one, 'day', None)}"


def _statements(sheet: FactSheet, label: str, turn: int, words: StatedWords) -> Iterator[Statement]:
    naming = _naming(sheet, words)
    for fact in sheet.facts[:MAX_STATED]:
        if fact.prose or fact.size or fact.excluded or fact.listed:
            continue
        field = _field(fact, label, words, naming)
        for kind, value in _values(fact, words.pack):
            for one, attributes in _named(kind, value, field, words):
                yield _statement(fact, one, attributes, value, field, (label, turn), words)


class _Field(msgspec.Struct, frozen=True):
    """A field: the words of its path, of its last name, of the tool, and the stems that name its record."""

    parts: list[str]
    leaf: list[str]
    tool: list[str]
    names: frozenset[str]


def _field(fact: Fact, label: str, words: StatedWords, naming: dict[int, set[str]]) -> _Field:
    parts = [one for field in fact.path.removeprefix("$").split(".") for one in _parts(field)]
    names = {one for place in fact.records for one in naming.get(place, ())}
    return _Field(
        parts, _parts(fact.path.rpartition(".")[2]), _parts(label.partition("#")[0]), frozenset(names)
    )


def _naming(sheet: FactSheet, words: StatedWords) -> dict[int, set[str]]:
    """The stems that name each record."""
    found: dict[int, set[str]] = {}
    for place, record in enumerate(sheet.records):
        found[place] = {stem(word.text, words.pack) for name in record.names for word in words_of(name)}
    for fact in sheet.facts[:MAX_STATED]:
        if (
            not fact.records
            or fact.prose
            or fact.path.count(".") != sheet.records[fact.records[-1]].path.count(".") + 1
        ):
            continue
        if _TELLING.intersection(_parts(fact.path.rpartition(".")[2])[-1:]) and len(fact.shown) <= MAX_CHOICE:
            told = words_of(fact.shown.replace("_", " "))
            found[fact.records[-1]] |= {stem(word.text, words.pack) for word in told}
    return found


def _values(fact: Fact, pack: LanguagePack) -> Iterator[tuple[str, Value]]:
    for one in fact.quantities[:1]:
        yield ("money" if one.dimension == "money" else f"quantity {one.dimension}"), one
    if fact.number is not None and not fact.quantities:
        number = abs(fact.number)
        yield "number", Quantity(number, number, "", "", 0, 0)
    for moment in fact.moments[:2]:
        yield ("time" if moment.kind == "time" else "date"), moment
    if fact.truth is not None and fact.number is None:
        yield "yes_no", fact.truth
    told = fact.shown.strip("\"'")
    if fact.truth is None and 0 < len(told) <= MAX_CHOICE:
        value = frozenset(stem(word.text, pack) for word in words_of(told.replace("_", " ")))
        if value:
            yield "choice", value


def _named(
    kind: str, value: Value, field: _Field, words: StatedWords
) -> Iterator[tuple[str, frozenset[str]]]:
    """The attributes that a field can be of, each with the kind of the statement."""
    leaf = field.leaf
    if kind == "choice":
        yield from _chosen(value, field, words)
    elif kind == "yes_no":
        if {"available", "stock"} & set(leaf):
            yield "availability", frozenset(("available",))
        elif leaf[-1:] == ["open"]:
            yield "availability", frozenset(("open",))
        else:
            yield from (
                (kind, frozenset((words.predicates[one],)))
                for one in leaf[:1] + leaf[-1:]
                if one in words.predicates
            )
    elif kind in ("date", "time"):
        found = _among(leaf, words, "moment")
        if not found and _SAYING_WHEN.intersection(leaf):
            found = _among(field.parts, words, "moment") or _among(field.tool, words, "moment")
        yield from ((kind, found),) if found else ()
    else:
        dimensions = ("money", "") if kind == "number" else (kind.removeprefix("quantity "),)
        every = frozenset(words.attributes[one] for one in leaf if one in words.attributes)
        kinds = [_among(leaf, words, one) or _among(field.parts, words, one) for one in dimensions]
        if kind == "number":
            kinds += [every]
        for found in dict.fromkeys(_plain(one) for one in kinds if one):
            yield kind, found


def _chosen(value: Value, field: _Field, words: StatedWords) -> Iterator[tuple[str, frozenset[str]]]:
    last = field.leaf[-1] if field.leaf else ""
    if last in words.labels:
        yield "choice", frozenset((last,))
    elif last in words.choices:
        name = words.choices[last]
        coded = isinstance(value, frozenset) and all(len(one) <= MAX_CODE for one in value)
        if not (name in _PLACES and coded):  # the code of a city is not its name
            yield "choice", frozenset((name,))


MAX_CODE = 4


def _among(parts: Sequence[str], words: StatedWords, kind: str) -> frozenset[str]:
    allowed = words.kinds.get(kind, frozenset())
    return frozenset(words.attributes[one] for one in parts if words.attributes.get(one) in allowed)


def _plain(found: frozenset[str]) -> frozenset[str]:
    return found - {"price", "limit", "duration", "charge"} if len(found) > 1 else found


def _statement(
    fact: Fact,
    kind: str,
    attributes: frozenset[str],
    value: Value,
    field: _Field,
    told: tuple[str, int],
    words: StatedWords,
) -> Statement:
    label, turn = told
    rest = frozenset(
        words.attributes.get(one, stem(one, words.pack))
        for one in field.parts
        if one not in words.generic and one not in _UNITS
    )
    names = {words.attributes.get(one, one) for one in attributes} | {"price"}
    if kind == "yes_no":
        rest = frozenset(
            stem(one, words.pack) for one in field.leaf if words.predicates.get(one) not in attributes
        )
    path = fact.path.removeprefix("$").lstrip(".")
    return Statement(
        kind,
        "+".join(sorted(attributes)),
        rest - names - field.names,
        field.names,
        frozenset(),
        value,
        fact.shown,
        turn,
        0,
        0,
        quote=fact.line,
        path=f"{label}.{path}" if path and not path.startswith("[") else f"{label}{path}",
    )


_UNITS = listed(
    """
    usd eur gbp kg g lb gb mb tb pct percent months month days day hours minutes mins night per cm mm km
    """
)


def _parts(field: str) -> list[str]:
    """The words of the name of a field; check_in is one."""
    found = [part.casefold() for part in _CUT.split(field.partition("[")[0]) if part and not part.isdigit()]
    joined = {"check_in": "checkin", "check_out": "checkout", "pick_up": "pickup", "drop_off": "dropoff"}
    for place in range(len(found) - 1):
        one = joined.get("_".join(found[place : place + 2]))
        if one is not None:
            return [*found[:place], one, *found[place + 2 :]]
    return found
