"""The fields of what tools returned, and which of them a value in a reply contradicts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

import msgspec
from msgspec import UNSET

from grice.checks.contradiction.facts.conflicts import clash
from grice.checks.contradiction.facts.mentions import Mention
from grice.checks.contradiction.facts.stated_reading import Statement, Value
from grice.checks.contradiction.facts.stated_results import moment_key
from grice.checks.contradiction.facts.stated_words import StatedWords
from grice.checks.contradiction.facts.wording import COUNTING, MEASURED, MORE, STAGES
from grice.checks.evidence.facts import fact_sheet
from grice.checks.evidence.lexicon import Lexicon
from grice.checks.evidence.sheet import Fact
from grice.records import ToolCall, Turn
from grice.text.quantities import Quantity
from grice.text.times import Moment
from grice.text.words import stem
from grice.text.words import words as words_of

__all__ = ["Fields"]

MAX_FIELDS = 1_500
"""Fields of one result that are held against what is said."""

_PARTS = re.compile(r"[_\-\s/.]+|(?<=[a-z0-9])(?=[A-Z])")
_STATUS = frozenset(["status", "state", "stage", "availability"])
_VALUE = frozenset(["value", "amount", "available", "current", "total", "result", "number", "figure"])
_SWITCH = frozenset(["is", "has", "enabled", "active", "activated", "on", "included", "includes", "allowed"])
_ATTRIBUTES = {
    "dep": "depart",
    "arr": "arrive",
    "qty": "quantity",
    "cost": "price",
    "eta": "arrive",
    "amt": "amount",
}
_FILLING = frozenset(
    ["per", "in", "of", "the", "usd", "eur", "gbp", "unit", "base", "max", "min", "time", "date", "at"]
)
_PERIODS = frozenset(
    ["year", "month", "night", "week", "day", "days", "hours", "yearly", "monthly", "annual", "total"]
)
_STOCK = frozenset(["qty", "quantity", "stock"])
_PLAIN = frozenset(["on", "have", "available", "need", "open", "allow"])


class Field(msgspec.Struct, frozen=True):
    """A field: its fact, the words of its name, the attributes they name, and the words of its record."""

    fact: Fact
    leaf: tuple[str, ...]
    attributes: frozenset[str]
    record: frozenset[str]
    place: tuple[int, ...]


class _Told(msgspec.Struct, frozen=True):
    """What a call told: its fields, all its words and numbers, and those of the tool's name."""

    label: str
    turn: int
    fields: Sequence[Field]
    known: frozenset[str]
    numbers: frozenset[Decimal]
    moments: frozenset[str]
    tool: frozenset[str]
    attributes: frozenset[str]


class Fields:
    """What tools told so far. The calls of the last turn that called any are what a reply is held against."""

    def __init__(self, words: StatedWords, lexicon: Lexicon) -> None:
        self._words, self._lexicon = words, lexicon
        self._last: list[_Told] = []
        self._calls: dict[str, int] = {}
        self._known: set[str] = set()
        self._numbers: set[Decimal] = set()
        self._moments: set[str] = set()
        self._user: set[str] = set()

    def add(self, turn: Turn) -> None:
        """Note the calls of a turn, and what the user says in it."""
        self._user.update(stem(one.text, self._lexicon.pack) for one in words_of(turn.user[:4_000]))
        self._user.update(_compact(turn.user[:4_000]))
        told = []
        for call in turn.tool_calls:
            self._calls[call.name] = self._calls.get(call.name, 0) + 1
            if call.error is None and call.result is not UNSET and call.result is not None:
                told.append(self._told(call, turn.number))
        if turn.tool_calls:
            self._last = told
        for one in told:
            self._known |= one.known
            self._numbers |= one.numbers
            self._moments |= one.moments

    def _told(self, call: ToolCall, turn: int) -> _Told:
        label = f"{call.name}#{self._calls[call.name]}"
        sheet = fact_sheet(call.result, self._lexicon)
        asked = fact_sheet(call.arguments, self._lexicon) if call.arguments else None
        parts = frozenset(_parts(call.name))
        known: set[str] = {stem(one, self._lexicon.pack) for one in parts}
        numbers: set[Decimal] = set()
        moments: set[str] = set()
        given: frozenset[str] = frozenset()
        for one in (sheet, asked):
            for fact in one.facts if one is not None else ():
                known |= fact.words | fact.denied | fact.raw | set(_compact(fact.shown[:200]))
                numbers |= {abs(fact.number)} if fact.number is not None else set()
                numbers |= {b for q in fact.quantities for b in (q.low, q.high) if b is not None}
                moments |= {key for moment in fact.moments for key in (moment_key(moment), _dated(moment))}
                if one is asked:
                    given |= fact.words | fact.raw
        fields = [
            self._field(fact, given)
            for fact in sheet.facts[:MAX_FIELDS]
            if not (fact.prose or fact.excluded or fact.listed)
        ]
        return _Told(
            label,
            turn,
            fields,
            frozenset(known),
            frozenset(numbers),
            frozenset(moments),
            parts,
            self._named(parts),
        )

    def _named(self, parts: Sequence[str] | frozenset[str]) -> frozenset[str]:
        """The attributes that the words of a name stand for."""
        found = {
            _ATTRIBUTES.get(one) or MORE.get(one) or self._words.attributes.get(one, "") for one in parts
        }
        joined = "_".join(parts)
        found |= {name for name in ("checkin", "checkout") if name in joined.replace("_", "")}
        return frozenset(found - {""})

    def _field(self, fact: Fact, given: frozenset[str]) -> Field:
        leaf = tuple(_parts(fact.path.rpartition(".")[2].partition("[")[0]))
        path = _parts(fact.path.removeprefix("$"))
        attributes = self._named(leaf) or self._named([one for one in path if not one.isdigit()])
        return Field(fact, leaf, attributes, given | fact.raw, fact.records)

    def against(
        self, one: Mention, numbers: set[Decimal], moments: set[str]
    ) -> tuple[Statement, Statement] | None:
        """The field that a value contradicts, if exactly one fits what is said of it."""
        if not self._last or self._is_known(one, numbers, moments) or self._is_foreign(one):
            return None
        fitting = [(told, field, value) for told in self._last for field, value in self._fitting(one, told)]
        if not fitting:
            return None
        values = {str(value) for _, _, value in fitting}
        if len(fitting) > 1 and len(values) > 1:
            fitting = self._named_most(one, fitting)
            if len(fitting) != 1:
                return None
        told, field, value = fitting[0]
        statement = _statement(told, field, value, one)
        apart = _apart(statement, one)
        return (statement, one.statement) if apart else None

    def _named_most(
        self, one: Mention, fitting: Sequence[tuple[_Told, Field, Value]]
    ) -> list[tuple[_Told, Field, Value]]:
        """Those whose field or record has most words of what is said: several, and nobody can tell."""
        said = one.words | one.modifier
        counts = [
            len(said & {stem(part, self._lexicon.pack) for part in field.leaf})
            + len(
                said
                & {word for other in told.fields if other.place == field.place for word in other.fact.words}
            )
            for told, field, _ in fitting
        ]
        most = max(counts)
        return [each for each, count in zip(fitting, counts, strict=True) if count == most > 0]

    def _is_known(self, one: Mention, numbers: set[Decimal], moments: set[str]) -> bool:
        value = one.statement.value
        if isinstance(value, Moment):
            return _dated(value) in self._moments or (not value.year and _dated(value) in moments)
        if isinstance(value, Quantity):
            told = [each for each in (value.low, value.high) if each is not None]
            raw = [each for each in told if each in self._numbers or each in numbers]
            return bool(raw) or value.approximate or bool(value.comparison) or not told
        if isinstance(value, frozenset):
            return value <= self._known
        return False

    def _is_foreign(self, one: Mention) -> bool:
        """Whether a value is of something that no tool and no user has named."""
        around = self._known | self._user
        coded = {name for name in one.names if any(map(str.isdigit, name))}
        return bool(coded - around) or bool(one.names and not one.names & around)

    def _fitting(self, one: Mention, told: _Told) -> Iterator[tuple[Field, Value]]:
        value = one.statement.value
        for field in told.fields:
            if isinstance(value, bool):
                yield from self._truths(one, field)
            elif isinstance(value, Quantity):
                yield from self._amounts(one, value, field, told)
            elif isinstance(value, Moment):
                yield from self._moments_of(one, value, field)
            elif one.statement.attribute in field.leaf[-1:] and 0 < len(field.fact.shown) <= 12:
                shown = field.fact.shown.strip("\"'").casefold()
                yield field, frozenset((shown,))

    def _truths(self, one: Mention, field: Field) -> Iterator[tuple[Field, Value]]:
        shown = field.fact.shown.strip("\"'").casefold().replace("-", "_")
        if _STATUS.intersection(field.leaf[-1:]):
            stage = STAGES.get(shown, {}).get(one.statement.attribute)
            if stage is not None:
                yield field, stage
        elif field.fact.truth is not None and field.fact.number is None:
            pack = self._lexicon.pack
            told = {stem(part, pack) for part in field.leaf if part not in _SWITCH}
            said = one.words | one.wide & {"two"} | {stem(one.statement.attribute, pack)}
            if one.statement.attribute == "available":
                said |= {stem("stock", pack), stem("available", pack)}
            if one.statement.attribute == "refund":
                said |= {stem("refundable", pack)}
            attribute = stem(one.statement.attribute, pack)
            plain = one.statement.attribute in _PLAIN or any(
                part.startswith(attribute) for part in field.leaf
            )
            if plain and told and told <= said:
                yield field, field.fact.truth
        elif (
            one.statement.attribute == "available"
            and field.fact.number is not None
            and _STOCK & set(field.leaf)
        ):
            yield field, field.fact.number > 0

    def _amounts(
        self, one: Mention, value: Quantity, field: Field, told: _Told
    ) -> Iterator[tuple[Field, Value]]:
        number = field.fact.number
        measured = [each for each in field.fact.quantities if each.dimension == value.dimension]
        if number is None and not measured:
            return
        if not measured and (value.low != value.high or not _same_scale(value, field)):
            return
        known = measured[0] if measured else msgspec.structs.replace(value, low=number, high=number)
        if one.statement.kind == "quantity count":
            pack = self._lexicon.pack
            noun = one.modifier | {one.statement.attribute, stem(one.statement.attribute, pack)}
            path = {stem(part, pack) for part in field.leaf}
            counts = bool(COUNTING.intersection(field.leaf)) and len(field.leaf) == 1
            about = {stem(part, pack) for part in told.tool} | field.record
            if noun & path or (counts and noun & {stem(each, pack) for each in about}):
                yield field, known
            return
        attribute = one.statement.attribute
        fits = attribute in field.attributes or (attribute == "fee" and "charge" in field.attributes)
        if not fits and attribute in told.attributes:
            fits = bool(_VALUE.intersection(field.leaf))
        if (
            fits
            and self._about(field, one)
            and (not value.period or self._has_period(value.period, field, told))
        ):
            yield field, known

    def _about(self, field: Field, one: Mention) -> bool:
        """Whether the name of a field says nothing that is not said of the value: total_baggages."""
        pack = self._lexicon.pack
        named = [one for one in field.leaf if not (self._named([one]) or one in _VALUE or one in _FILLING)]
        said = one.wide | one.asked | {one.statement.attribute}
        return all(stem(part, pack) in said or part in _PERIODS for part in named)

    def _has_period(self, period: str, field: Field, told: _Told) -> bool:
        forms = {
            "year": ("year", "annual", "annum"),
            "month": ("month",),
            "night": ("night",),
            "week": ("week",),
            "day": ("day", "daili"),
        }.get(period, (period,))
        around = {*field.record, *told.known, *field.leaf}
        return any(word.startswith(form) for word in around for form in forms)

    def _moments_of(self, one: Mention, value: Moment, field: Field) -> Iterator[tuple[Field, Value]]:
        attribute = one.statement.attribute
        plain = attribute == "event" and {"date", "time", "day", "start", "at"} & set(field.leaf)
        if attribute not in field.attributes and not plain:
            return
        for moment in field.fact.moments:
            if moment.kind == value.kind:
                yield field, moment


def _dated(one: Moment) -> str:
    """A moment as a word to look up, with its year if it has one."""
    return f"{one.year}-{moment_key(one)}" if one.year else moment_key(one)


def _same_scale(value: Quantity, field: Field) -> bool:
    """Whether a bare number can be in the unit of what is said."""
    if value.dimension == "money" or value.dimension not in MEASURED:
        return True
    return value.unit in field.leaf or f"{value.unit}s" in field.leaf or value.unit in ("%", "day", "/5")


def _apart(told: Statement, one: Mention) -> bool:
    value, said = told.value, one.statement.value
    if isinstance(value, bool) or isinstance(said, bool):
        return value != said
    if isinstance(value, Quantity) and isinstance(said, Quantity) and said.unit == "day" != value.unit:
        return value.low != said.low
    return clash(told, one.statement) is True


def _statement(told: _Told, field: Field, value: Value, one: Mention) -> Statement:
    path = field.fact.path.removeprefix("$").lstrip(".")
    nothing: frozenset[str] = frozenset()
    return Statement(
        one.statement.kind,
        one.statement.attribute,
        nothing,
        nothing,
        nothing,
        value,
        field.fact.shown,
        told.turn,
        0,
        0,
        quote=field.fact.line,
        path=f"{told.label}.{path}" if path and not path.startswith("[") else f"{told.label}{path}",
    )


def _parts(name: str) -> list[str]:
    return [part.casefold() for part in _PARTS.split(name.replace("[", ".").replace("]", "")) if part]


def _compact(text: str) -> Iterator[str]:
    """The codes of a text as one word each: LX 318, H-5512."""
    for found in re.finditer(r"\b([A-Za-z]{1,3})[ -]?(\d{1,6})\b", text):
        yield (found[1] + found[2]).casefold()
    for word in re.finditer(r"\b\w*\d\w*\b", text):
        yield word[0].casefold()
