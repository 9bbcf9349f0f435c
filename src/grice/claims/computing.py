"""Values that no fact has and that follow from several: sums, differences, shares, as many as are said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from grice.claims.agreeing import is_one
from grice.claims.claim_context import AROUND, CLAUSE, ClaimContext
from grice.claims.facts import Fact
from grice.claims.passage import Atom, is_measure
from grice.text.quantities import Quantity

__all__ = ["computed"]

MAX_NUMBERS = 200
MAX_FEW = 8
"""Amounts of which two are added up in the head, at most."""

MAX_DATED = 40
HOUR, DAY = 3_600, 86_400
MONTHS = Decimal(12)


def computed(atom: Atom, ctx: ClaimContext) -> bool:
    """Whether a value follows from numbers of facts, with those that the text and the user say.

    An amount is the sum or difference of two, as many of one as are said, a share of one, or the sum of a
    field over all rows; a measure is the sum, difference or multiple of others, or the time between two; a
    count the difference of two where words such as left say so.
    """
    value = atom.value
    if not isinstance(value, Quantity) or not is_one(value) or not value.low:
        return False
    said = list(_said(atom, ctx))
    if value.dimension == "money":
        return _is_amount(value.low, said, ctx)
    if not is_measure(value.dimension):
        return _is_derived(ctx) and _is_left(value.low, ctx)
    if value.dimension == "time" and not ctx.strict and _is_between(value.low, ctx):
        return True
    known = set(_numbers(ctx.seen(ctx.store.numeric(value.dimension)), value.dimension))
    counts = {_count(one, ctx) for one in said if one.dimension not in ("percent", value.dimension)}
    combined = _is_derived(ctx) and _is_pair(value.low, known)
    return combined or any(value.low == one * count for one in known for count in counts)


def _is_derived(ctx: ClaimContext) -> bool:
    """Whether words near a value say that it is computed: left, more, total."""
    near = CLAUSE if ctx.strict else AROUND
    return any(weight >= near and one in ctx.lexicon.derived for one, weight in ctx.context.items())


def _said(atom: Atom, ctx: ClaimContext) -> Iterator[Quantity]:
    """The single numbers that the text says besides, up to the end of the sentence, and those of the user."""
    for one in (*ctx.said, *ctx.values):
        if one.start != atom.start and isinstance(one.value, Quantity) and is_one(one.value):
            yield one.value
    if ctx.user_statements is not None:
        for fact in ctx.user_statements.store.numeric()[:MAX_NUMBERS]:
            yield from (one for one in fact.quantities if is_one(one))


def _numbers(facts: Iterable[Fact], dimension: str) -> Iterator[Decimal]:
    """The numbers of facts in a dimension."""
    for fact in list(facts)[:MAX_NUMBERS]:
        for one in fact.quantities:
            if one.dimension == dimension and one.low:
                yield one.low


def _is_amount(value: Decimal, said: Sequence[Quantity], ctx: ClaimContext) -> bool:
    facts = ctx.seen(ctx.store.numeric("money"))
    known = {*_numbers(facts, "money")}
    known |= {
        abs(fact.number)
        for fact in ctx.store.numeric("")[:MAX_NUMBERS]
        if fact.number and not fact.size
        if fact.names.label & ctx.lexicon.money or ctx.nearness(fact) > 0
    }
    told = {one.low for one in said if one.dimension == "money" and one.low}
    counts = {_count(one, ctx) for one in said if one.dimension not in ("money", "percent")} | {MONTHS}
    if any(value in (one * count, one / count) for one in known for count in counts if count > 1):
        return True
    shares = {*_numbers(ctx.store.numeric("percent"), "percent")}
    shares |= {one.low for one in said if one.dimension == "percent" and one.low}
    if any(value == one * share / 100 for one in known | told for share in shares):
        return True
    if _is_derived(ctx):  # it may be about more than the row that is meant: how much it saves
        every = known | told | {*_numbers(ctx.store.numeric("money"), "money")}
        if _is_pair(value, every) or _is_sum_of_said(value, said):
            return True
    few = known if len(known) <= MAX_FEW else set[Decimal]()
    added = (one + other for one in few for other in few if one < other)
    return (not ctx.strict and value in added) or _is_total(value, facts)


def _is_pair(value: Decimal, known: set[Decimal]) -> bool:
    """Whether a number is the sum or difference of two others."""
    return any((value - one in known and value != one * 2) or value + one in known for one in known)


def _is_sum_of_said(value: Decimal, said: Sequence[Quantity]) -> bool:
    """Whether an amount is the sum of the last ones that were said."""
    amounts = [one.low for one in said if one.dimension == "money" and one.low is not None]
    return any(sum(amounts[place:]) == value for place in range(len(amounts) - 1))


def _is_total(value: Decimal, facts: Sequence[Fact]) -> bool:
    """Whether an amount is the sum of a field over all records that have it."""
    totals: dict[tuple[str, frozenset[str]], list[Decimal]] = {}
    for fact in facts:
        if fact.records:
            same = totals.setdefault((fact.records[-1].group, fact.names.label), [])
            same += [one.low for one in fact.quantities if one.low is not None]
    return any(len(same) > 1 and sum(same) == value for same in totals.values())


def _count(one: Quantity, ctx: ClaimContext) -> Decimal:
    """How many of its unit, or of what is counted, a quantity says."""
    unit = ctx.lexicon.pack.units.get(one.unit)
    return (one.low or Decimal(0)) / (unit[2] if unit is not None and unit[2] else 1)


def _is_left(value: Decimal, ctx: ClaimContext) -> bool:
    """Whether a count is the difference of two numbers that stand side by side: 18 of 25, 7 left."""
    beside: dict[str, set[Decimal]] = {}
    for fact in ctx.store.numeric()[:MAX_NUMBERS]:
        money = any(one.dimension == "money" for one in fact.quantities)
        if fact.number is not None and not fact.size and not money:
            beside.setdefault(fact.path.rpartition(".")[0], set()).add(fact.number)
    return any(one + value in numbers for numbers in beside.values() for one in numbers)


def _is_between(value: Decimal, ctx: ClaimContext) -> bool:
    """Whether a duration is the time between two clock times, or two dates, of facts."""
    found = [moment for fact in ctx.seen(ctx.store.dated)[:MAX_DATED] for moment in fact.moments]
    clock = {moment.hour * HOUR + (moment.minute or 0) * 60 for moment in found if moment.hour is not None}
    days = {moment.day * DAY for moment in found if moment.day is not None and moment.month == found[0].month}
    return any(other + int(value) in times for times in (clock, days) for other in times)
