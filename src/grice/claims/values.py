"""Numbers, amounts and dates of a claim, bound to the facts that they are about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

import msgspec
from msgspec.structs import replace

from grice.claims.agreeing import agree, holds, is_one
from grice.claims.claim_context import AROUND, CLAUSE, SENTENCE, ClaimContext
from grice.claims.computing import computed
from grice.claims.facts import Fact
from grice.claims.field_names import CURRENCIES
from grice.claims.findings import Point, Status
from grice.claims.passage import Atom, Value, is_measure
from grice.text.quantities import Quantity
from grice.text.times import Moment
from grice.text.words import stem, words

__all__ = ["for_all", "settle_code", "settle_value", "told_by"]

MAX_BEFORE = 20


def settle_value(atom: Atom, ctx: ClaimContext) -> Point:
    """What becomes of a value: of all facts that it can be held against, the one it is about decides.

    That is the one whose names and whose record the words around the value name best. Where it agrees, the
    value is supported; where it does not and another fact has the value, the reason says which.
    """
    ctx = _without_own(atom, ctx)
    agreeing, opposing = _held_against(atom, ctx)
    best = max(agreeing, key=lambda one: one[:2], default=None)
    if best is not None and not opposing:
        opposing = _same_field(best, atom, ctx)
    if best is not None:
        opposing = _not_older(opposing, best[2], ctx)
    label = best[2].names.label if best is not None else None
    rival = max(opposing, key=lambda one: (one[0], one[2].names.label == label, one[1]), default=None)
    if best is not None and (rival is None or not _is_nearer(rival, best, ctx)):
        if rival is not None and _is_ambiguous(rival, best, ctx):
            return _point("ambiguous", atom, rival[2], stands=best[2])
        if ctx.strict and best[0] <= 0 and _is_elsewhere(best[2], ctx):
            return _point("unsupported", atom, best[2], note=f"only {best[2].line} has it")
        return _point("supported", atom, best[2])
    if best is not None and rival is not None:
        return _point("contradicted", atom, rival[2], stands=best[2])
    return _unbound(atom, ctx, rival)


def _unbound(atom: Atom, ctx: ClaimContext, rival: _Held | None) -> Point:
    """What becomes of a value that no fact has: it may be a word of one, or follow from several."""
    named = None if rival is not None and rival[0] >= CLAUSE else _as_word(atom, ctx)
    if named is not None:
        return _point("supported", atom, named)
    note = "" if rival is not None and _is_meant(rival[2], ctx) else _computed(atom, ctx, rival)
    if note:
        return _point("supported", atom, rival[2] if rival else None, note=note)
    if rival is not None and rival[0] >= CLAUSE and not isinstance(atom.value, Moment):
        return _point("contradicted", atom, rival[2])
    if rival is not None and rival[0] >= CLAUSE + SENTENCE:
        return _point("contradicted", atom, rival[2])
    return _point("unsupported", atom, rival[2] if rival is not None and rival[0] > 0 else None)


def _is_meant(fact: Fact, ctx: ClaimContext) -> bool:
    """Whether the clause says the whole name of a field and nothing that compares or counts up: "the refund
    is $1200".
    """
    lexicon = ctx.lexicon
    near = {one for one, weight in ctx.context.items() if weight >= CLAUSE}
    units = lexicon.pack.units.keys() - lexicon.pack.periods.keys()
    told = {one for one in fact.names.label - units - lexicon.frame if one.upper() not in CURRENCIES}
    plain = not fact.records and not (near & lexicon.derived) - fact.names.label
    return plain and bool(told) and told <= near


_Held = tuple[int, int, Fact]
"""How surely a claim is about a fact, the words of its name that are missing (less is more), and the fact."""


def _point(
    status: Status, atom: Atom, fact: Fact | None, *, stands: Fact | None = None, note: str = ""
) -> Point:
    return Point(status, atom.said, atom.start, atom.end, fact, note, stands)


def _without_own(atom: Atom, ctx: ClaimContext) -> ClaimContext:
    """The ctx without the words of the value itself."""
    own = {stem(word.text, ctx.lexicon.pack) for word in words(atom.said)}
    context = {one: near for one, near in ctx.context.items() if one not in own}
    return msgspec.structs.replace(ctx, stems=ctx.stems - own, topic=ctx.topic - own, context=context)


def _held_against(atom: Atom, ctx: ClaimContext) -> tuple[list[_Held], list[_Held]]:
    """The facts that agree with a value, and those that do not."""
    value = atom.value
    if isinstance(value, Moment):
        facts: Sequence[Fact] = ctx.store.dated
    elif isinstance(value, Quantity):
        also = ("temperature",) if value.dimension == "angle" else ()
        facts = ctx.store.numeric(value.dimension, *also, "") if value.dimension else ctx.store.numeric()
    else:
        return [], []
    facts = ctx.seen(facts) if ctx.fixed else facts
    noun = _noun(value, ctx) if isinstance(value, Quantity) else ""
    agreeing: list[_Held] = []
    opposing: list[_Held] = []
    for fact in facts:
        agrees = _agrees(atom, fact, ctx, noun)
        if agrees is None:
            continue
        near = ctx.nearness(fact) + (CLAUSE * 2 if noun and noun in fact.keys else 0)
        if agrees and (near > 0 or not fact.size):
            agreeing.append((near, -ctx.misses(fact), fact))
        elif not agrees and not fact.size and _may_oppose(fact, atom, ctx):
            opposing.append((near, -ctx.misses(fact), fact))
    return agreeing, opposing


def _same_field(best: _Held, atom: Atom, ctx: ClaimContext) -> list[_Held]:
    """The other numbers of the field that agrees, in the objects beside its own."""
    value, fact = atom.value, best[2]
    if not isinstance(value, Quantity) or fact.number is None or ctx.fixed:
        return []
    return [
        (ctx.nearness(one), -ctx.misses(one), one)
        for one in ctx.store.beside(fact)
        if one.names.label == fact.names.label
        and one.number is not None
        and not holds(value, one.number)
        and not _is_said(one, atom, ctx)
    ]


def _not_older(opposing: list[_Held], fact: Fact, ctx: ClaimContext) -> list[_Held]:
    """The facts without those that an earlier source told: what was so is not held against what is."""
    if len(ctx.store.parts) == 1:
        return opposing
    order = ctx.store.order
    since = order.get(fact.source, 0)
    return [one for one in opposing if order.get(one[2].source, 0) >= since]


def _may_oppose(fact: Fact, atom: Atom, ctx: ClaimContext) -> bool:
    """Whether a fact can speak against a value: not where the sentence says it too, nor the price of one row
    against a total; one of nothing only where it is named.
    """
    if (fact.number == 0 and not _is_named(fact, ctx)) or _is_said(fact, atom, ctx):
        return False
    totals = ctx.lexicon.totals
    summed = any(ctx.context.get(one, 0) >= CLAUSE for one in totals)
    return not (summed and fact.records and totals.isdisjoint(fact.keys))


def told_by(values: Iterable[Atom]) -> dict[object, list[Atom]]:
    """The values of a sentence by what they come to, so that who says a fact is found at once."""
    found: dict[object, list[Atom]] = {}
    for one in values:
        for key in _keys(one.value):
            found.setdefault(key, []).append(one)
    return found


def _keys(value: Value) -> set[object]:
    """What a value is found by: the ends of a quantity, the day or the time of a moment."""
    if isinstance(value, Quantity):
        return {one for one in (value.low, value.high) if one is not None}
    if isinstance(value, Moment):
        hour = None if value.hour is None else value.hour % 12
        return {(value.kind, value.month, value.day, hour, value.minute, value.weekday)}
    return set()


def _is_said(fact: Fact, atom: Atom, ctx: ClaimContext) -> bool:
    """Whether another value of the sentence is that of a fact: one that is said of the field, the row and the
    subject of the fact, as far as the clause names these.
    """
    keys = set().union(*map(_keys, fact.values)) if fact.values else set()
    if fact.number is not None:
        keys.add(fact.number)
    others = [one for key in keys for one in ctx.told.get(key, ()) if one.start != atom.start]
    parts = (fact.names.label, fact.subject, *(one.words for one in fact.records[-1:]))
    parts = (*parts, fact.keys - fact.subject if fact.prose else frozenset())
    near = {one for one, weight in ctx.context.items() if weight >= CLAUSE and one.isalpha()}
    near -= ctx.lexicon.pack.stop_words
    named = [part for part in parts if not near.isdisjoint(part)]
    return any(all(_is_about(one, part, ctx) for part in named) for one in others)


def _is_about(atom: Atom, part: frozenset[str], ctx: ClaimContext) -> bool:
    """Whether a value is said of what some words name."""
    measures = ctx.lexicon.measures
    return any(one in part or not part.isdisjoint(measures.get(one, ())) for one in atom.about)


def _is_nearer(rival: _Held, best: _Held, ctx: ClaimContext) -> bool:
    """Whether the claim is about a fact that does not agree rather than about the one that does."""
    if _is_named(best[2], ctx) and not _is_named(rival[2], ctx):
        return False
    mine, other = ctx.is_in_clause(best[2]), ctx.is_in_clause(rival[2])
    if mine is not other:
        return other
    same = rival[2].names.label == best[2].names.label and not (ctx.is_prose or best[2].records)
    if rival[0] - best[0] >= (AROUND if same else SENTENCE):
        return True
    if ctx.is_prose:
        return rival[0] == best[0] and _has_subject(rival[2], ctx) and not _has_subject(best[2], ctx)
    return rival[0] == best[0] >= SENTENCE and rival[1] == 0 > best[1]


def _has_subject(fact: Fact, ctx: ClaimContext) -> bool:
    """Whether the sentence has all words of what a fact speaks of."""
    return bool(fact.subject) and fact.subject <= ctx.context.keys()


def _is_called_in_full(fact: Fact, ctx: ClaimContext) -> bool:
    """Whether the clause has all words of the last name on the path of a fact."""
    return all(ctx.context.get(one, 0) >= CLAUSE for one in fact.names.label)


def _is_named(fact: Fact, ctx: ClaimContext) -> bool:
    """Whether the clause has a word of the last name on the path of a fact."""
    return any(ctx.context.get(one, 0) >= CLAUSE for one in fact.names.label)


def _is_ambiguous(rival: _Held, best: _Held, ctx: ClaimContext) -> bool:
    """Whether two facts of one kind are meant alike, and only one agrees."""
    one, other = rival[2], best[2]
    if rival[0] != best[0] or ctx.is_prose or ctx.fixed:
        return False
    if one.records and other.records:
        beside = one.records[-1].group == other.records[-1].group and one.records[-1] != other.records[-1]
        return beside and one.names == other.names and not ctx.focus
    own = one.keys ^ other.keys
    shared = (one.keys & other.keys) - ctx.lexicon.frame
    return bool(own and shared) and rival[1] == best[1] and shared <= ctx.context.keys()


def _agrees(atom: Atom, fact: Fact, ctx: ClaimContext, noun: str) -> bool | None:
    """Whether a value is that of a fact; None when they do not measure the same."""
    value = atom.value
    if isinstance(value, Moment):
        return _any_agrees(atom, fact.moments)
    if not isinstance(value, Quantity):
        return None
    limit = not ctx.lexicon.thresholds.isdisjoint(fact.names.raw)
    known = fact.quantities
    if noun and noun in fact.keys:  # films are limited to 4
        known = tuple(replace(one, dimension=one.dimension or value.dimension) for one in known)
    found = _any_agrees(atom, known, limit=limit)
    if found is not None:
        return found
    if limit and value.comparison and not fact.keys.isdisjoint(ctx.lexicon.gratis):
        return _is_free_from(value, fact)
    if fact.number is None:
        return None
    return _agrees_with_bare(value, fact, ctx, limit=limit)


def _any_agrees(
    atom: Atom, known: Sequence[Quantity] | Sequence[Moment], *, limit: bool = False
) -> bool | None:
    """Whether a value is one of several; None when it can be held against none."""
    answers = {agree(atom, one, limit=limit) for one in known}
    return True if "same" in answers else False if "different" in answers else None


def _agrees_with_bare(value: Quantity, fact: Fact, ctx: ClaimContext, *, limit: bool) -> bool | None:
    """Whether a value is the number of a fact that says no unit."""
    number = abs(fact.number or Decimal(0))
    if value.dimension == "money" and not fact.quantities:
        if fact.names.label and fact.names.label <= ctx.lexicon.money:
            return holds(value, number)
        if not fact.size and fact.keys & ctx.topic:
            held = (number in (value.low, value.high)) if limit else holds(value, number)
            return held if held or _is_called_in_full(fact, ctx) else None
        return None
    bare = fact.number or Decimal(0)
    if any(one.dimension for one in fact.quantities) or value.dimension in ("money", "percent"):
        return True if not value.dimension and holds(value, bare) else None  # "40 hours, the other 30"
    satisfied = holds(value, bare)
    if not value.dimension or stem(value.dimension.split()[-1], ctx.lexicon.pack) in fact.keys:
        return satisfied
    named = _is_named(fact, ctx)
    if fact.listed or (is_measure(value.dimension) and not named):
        return None  # sizes, steps, a number of something else
    return satisfied if satisfied or named else None


def _is_free_from(one: Quantity, fact: Fact) -> bool | None:
    """Whether a bound without a currency, or with one, is that from which on something is free."""
    if is_measure(one.dimension) and one.dimension != "money":
        return None
    known = {
        side for other in fact.quantities for side in (other.low, other.high) if other.dimension == "money"
    }
    known |= {abs(fact.number)} if fact.number is not None else set()
    return not known.isdisjoint((one.low, one.high)) if known else None


def _noun(one: Quantity, ctx: ClaimContext) -> str:
    """The stem of what is counted; "" of what is measured."""
    if is_measure(one.dimension) or not one.dimension.strip():
        return ""
    return stem(one.dimension.split()[-1], ctx.lexicon.pack)


def _is_elsewhere(fact: Fact, ctx: ClaimContext) -> bool:
    """Whether a fact is of another section than the one that the clause names."""
    section = _section(fact)
    near = (one for one, weight in ctx.context.items() if weight >= SENTENCE)
    named = {_section(one) for stem_ in near for one in ctx.called(stem_)} - {""}
    return bool(section and named) and section not in named


def _section(fact: Fact) -> str:
    """The first name on the path of a fact that lies deeper."""
    names = fact.path.removeprefix("$").lstrip(".").split(".")
    return names[0] if len(names) > 1 else ""


def _as_word(atom: Atom, ctx: ClaimContext) -> Fact | None:
    """A fact that holds the number as a word, as in the name of a product or a flight, and does not count
    the same with it.
    """
    value = atom.value
    if isinstance(value, Quantity) and is_measure(value.dimension):
        return None
    if isinstance(value, Quantity) and is_one(value) and value.low is not None:
        times = next(iter(ctx.saying(f"{value.low:f}x")), None)  # 2x USB-C
        if times is not None:
            return times
    if isinstance(value, Moment) and value.kind == "weekday":
        day = stem(atom.said.casefold(), ctx.lexicon.pack)
        return next(iter((*ctx.called(day), *ctx.saying(day))), None)
    found = [word.text for word in words(atom.said) if any(one.isdigit() for one in word.text)]
    facts = [[fact for fact in ctx.saying(one) if fact.number is None] for one in found]
    return facts[0][0] if facts and all(facts) else None


def _computed(atom: Atom, ctx: ClaimContext, rival: _Held | None) -> str:
    """How a value follows from others, "" where it does not."""
    if computed(atom, ctx):
        return "computed from other numbers"
    value = atom.value
    if not isinstance(value, Quantity) or not is_one(value):
        return ""
    tally = (rival is None or rival[0] < CLAUSE) and _is_tally(atom, value, ctx)
    return "counted the records" if tally else ""


def _is_tally(atom: Atom, one: Quantity, ctx: ClaimContext) -> bool:
    """Whether a count is that of the records of a kind, or of those that say what is counted."""
    if is_measure(one.dimension):
        return False
    noun, store = _noun(one, ctx), ctx.store
    before = ctx.text[max(0, atom.start - MAX_BEFORE) : atom.start].rstrip().casefold()
    every = not noun or noun in ctx.lexicon.frame or store.is_head(noun) or before.endswith("all")
    every = every or not (store.has_word(noun) or store.has_key(noun))
    having: dict[str, set[int]] = {}
    for record in store.records if every else ():
        having.setdefault(record.group, set()).add(id(record))
    for fact in store.saying(noun):
        for record in fact.records:
            having.setdefault(record.group, set()).add(id(record))
    return any(len(records) > 1 and len(records) == one.low for records in having.values())


_CODE = re.compile(r"#?([A-Za-z]{1,5})-?\d{2,}")


def settle_code(atom: Atom, ctx: ClaimContext) -> Point | None:
    """What becomes of a code (HAT999): unsupported where facts have others of its kind, and not this one."""
    shape = _CODE.fullmatch(atom.said.rstrip("."))
    if shape is None:
        return None
    names = [word.text for word in words(atom.said)]
    if all(ctx.store.has_word(name) or ctx.store.has_key(name) for name in names):
        return None
    if ctx.user_statements is not None and all(map(ctx.user_statements.has_word, names)):
        return None
    kind = shape[1].casefold()
    alike = (_CODE.fullmatch(name) for record in ctx.store.records for name in record.names)
    if not any(other is not None and other[1].casefold() == kind for other in alike):
        return None
    return _point("unsupported", atom, None)


def for_all(point: Point, atom: Atom, ctx: ClaimContext) -> Point:
    """What becomes of an amount that is said of all records, not of one: "both are under $300"."""
    fact, value = point.fact, atom.value
    if point.status not in ("supported", "ambiguous") or fact is None or not fact.records or atom.ends:
        return point
    if not isinstance(value, Quantity):
        return point
    for other in ctx.store.numeric(value.dimension, ""):
        beside = other.records and other.records[-1].group == fact.records[-1].group
        if beside and other.names.leaf == fact.names.leaf and _agrees(atom, other, ctx, "") is False:
            return msgspec.structs.replace(point, status="contradicted", fact=other, stands=None)
    return point
