"""What the results of tools state: their fields as statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

import msgspec
from msgspec import UNSET

from grice.checks.contradiction.stated_facts import Statement, Value
from grice.checks.contradiction.stated_words import StatedWords
from grice.checks.evidence.facts import fact_sheet
from grice.checks.evidence.lexicon import Lexicon
from grice.checks.evidence.sheet import Fact, FactSheet
from grice.records import ToolCall
from grice.text.packs.pack import LanguagePack
from grice.text.quantities import Quantity
from grice.text.words import stem
from grice.text.words import words as words_of

__all__ = ["Result", "result_of"]

MAX_CHOICE = 40
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
    parts = [stem(one, lexicon.pack) for one in call.name.replace("-", "_").casefold().split("_")]
    known = set(parts)
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
    for fact in sheet.facts[:MAX_STATED]:
        if fact.prose or fact.size or fact.excluded or fact.listed:
            continue
        for kind, value in _values(fact, words.pack):
            one = _statement(fact, kind, value, sheet, label, turn, words)
            if one is not None:
                yield one


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
        if value and not (told.isupper() and told.isalpha()):  # the code of a city is not its name
            yield "choice", value


def _statement(
    fact: Fact, kind: str, value: Value, sheet: FactSheet, label: str, turn: int, words: StatedWords
) -> Statement | None:
    parts = [one for field in fact.path.removeprefix("$").split(".") for one in _parts(field)]
    leaf = _parts(fact.path.rpartition(".")[2])
    table = words.predicates if kind == "yes_no" else words.attributes
    if kind == "choice":
        named = [leaf[-1]] if leaf and leaf[-1] in words.labels else []
        named = named or [words.choices[one] for one in leaf[-1:] if one in words.choices]
        leaf = leaf[-1:]
    else:
        named = [table[one] for one in leaf if one in table]
    if not named and kind in ("money", "number"):
        named = [table[one] for one in parts if one in table][-1:]
    if kind == "yes_no" and {"available", "stock"} & set(leaf):
        kind, named = "availability", ["available"]
    elif kind == "yes_no" and leaf[-1:] == ["open"]:
        kind, named = "availability", ["open"]
    if not named:
        return None
    names = frozenset(
        stem(word.text, words.pack)
        for place in fact.records
        for name in sheet.records[place].names
        for word in words_of(name)
    )
    rest = frozenset(
        stem(one, words.pack) for one in parts if table.get(one) not in named and one not in words.generic
    )
    path = fact.path.removeprefix("$").lstrip(".")
    return Statement(
        kind, "+".join(sorted(set(named))), rest, names, frozenset(), value, fact.shown, turn, 0, 0,
        quote=fact.line, path=f"{label}.{path}" if path and not path.startswith("[") else f"{label}{path}",
    )  # fmt: skip


def _parts(field: str) -> list[str]:
    found = [part.casefold() for part in _CUT.split(field.partition("[")[0]) if part and not part.isdigit()]
    joined = {"check_in": "checkin", "check_out": "checkout", "pick_up": "pickup", "drop_off": "dropoff"}
    for place in range(len(found) - 1):
        one = joined.get("_".join(found[place : place + 2]))
        if one is not None:
            return [*found[:place], one, *found[place + 2 :]]
    return found
