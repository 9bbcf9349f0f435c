"""Superlatives and comparatives of a claim, computed over the records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

import msgspec

from grice.claims.claim_context import ClaimContext
from grice.claims.facts import Fact, Record
from grice.claims.field_names import NAMING_KEYS
from grice.claims.findings import Point, denied
from grice.claims.lexicon import Phrase, Ranking
from grice.claims.passage import Clause
from grice.text.quantities import Quantity
from grice.text.times import Moment

__all__ = ["settle_ranking"]

_Found = tuple[int, int, Ranking]


def settle_ranking(clause: Clause, ctx: ClaimContext) -> tuple[list[Point], frozenset[int]]:
    """What the superlatives and comparatives of a clause come to, and where the words stand that they
    took up.
    """
    points: list[Point] = []
    covered: set[int] = set()
    if ctx.is_prose:
        return points, frozenset()  # nothing to rank: a superlative is a word that the prose has or not
    for table, settle in ((ctx.lexicon.superlatives, _is_most), (ctx.lexicon.comparatives, _is_more)):
        for place, length, ranking in _ranked(clause.stems, table):
            ranking = _by_named_field(clause, place, length, ranking, ctx)
            if not ranking.keys or _is_word(clause.stems[place : place + length], ranking, ctx):
                continue
            point = settle(clause, ctx, place, length, ranking)
            if point is not None:
                points.append(denied(point) if _is_denied(clause, place, length) else point)
            covered.update(word.start for word in clause.tokens[place : place + length])
    return points, frozenset(covered)


def _is_denied(clause: Clause, place: int, length: int) -> bool:
    """Whether a clause denies what stands at some of its places: isn't the cheapest."""
    starts = {word.start for word in clause.tokens[place : place + length]}
    return any(term.denied and term.start in starts for term in clause.terms)


def _by_named_field(clause: Clause, place: int, length: int, ranking: Ranking, ctx: ClaimContext) -> Ranking:
    """The ranking by the field that is named behind the superlative: the longest runtime."""
    if place and clause.stems[place - 1] == "at":  # at most
        return ranking
    tokens = clause.tokens[place + length : place + length + NAMED]
    stems = {
        one.stem
        for one in clause.terms
        if any(one.start == word.start for word in tokens) and not one.counted
    }
    named = frozenset(
        stem
        for stem in stems
        for fact in ctx.called(stem)
        if _is_number(fact) and stem in fact.names.leaf and not fact.names.raw & NAMING_KEYS
    )
    return msgspec.structs.replace(ranking, keys=named, dated=False) if named else ranking


NAMED = 2
"""Words behind a superlative among which the name of a field is."""


def _is_number(fact: Fact) -> bool:
    return not fact.size and (fact.number is not None or len(fact.quantities) == 1)


def _ranked(stems: Sequence[str], table: Mapping[str, Sequence[tuple[Phrase, Ranking]]]) -> list[_Found]:
    found: list[_Found] = []
    for place, one in enumerate(stems):
        for phrase, ranking in table.get(one, ()):
            if tuple(stems[place : place + len(phrase)]) == phrase:
                found.append((place, len(phrase), ranking))
                break
    return found


def _is_word(stems: Sequence[str], ranking: Ranking, ctx: ClaimContext) -> bool:
    """Whether a superlative is in the facts as a word, or ranks by dates that no record has."""
    return all(map(ctx.saying, stems)) or (ranking.dated and not _values(ctx, ranking))


def _values(ctx: ClaimContext, ranking: Ranking) -> dict[Record, tuple[Decimal, Fact]]:
    """The number by which each record is ranked."""
    found: dict[Record, tuple[Decimal, Fact]] = {}
    if ranking.dated:
        for fact in ctx.store.dated:
            if fact.records and fact.keys & ranking.keys:
                found.setdefault(fact.records[-1], (_when(fact.moments), fact))
        return found
    for fact in ctx.store.numeric():
        if not fact.records or fact.size or not fact.keys & ranking.keys:
            continue
        number = fact.quantities[0].low if fact.quantities else fact.number
        if number is not None:
            found.setdefault(fact.records[-1], (number, fact))
    return found


def _when(found: Sequence[Moment]) -> Decimal:
    """A number that grows with the date, and with the time on it."""
    when = 0
    for name, size in (("year", 10_000), ("month", 13), ("day", 32), ("hour", 25), ("minute", 60)):
        when = when * size + next((value for one in found if (value := getattr(one, name)) is not None), 0)
    return Decimal(when)


def _said(clause: Clause, ctx: ClaimContext, place: int, length: int) -> tuple[str, int, int]:
    start, end = clause.tokens[place].start, clause.tokens[place + length - 1].end
    return ctx.text[start:end], start, end


def _is_most(clause: Clause, ctx: ClaimContext, place: int, length: int, ranking: Ranking) -> Point | None:
    """Whether the record in focus is the first of all, or of those compared."""
    said = _said(clause, ctx, place, length)
    values = _values(ctx, ranking)
    among = [record for record in values if not ctx.compared or record in ctx.compared]
    among = among if len(among) > 1 else list(values)
    mine = [record for record in values if record in ctx.focus]
    if not values and any(one.names.raw & ctx.lexicon.thresholds for one in ctx.store.numeric()):
        return None  # the longest term that there is: the value decides
    if values and not mine and not ctx.strict:
        return None  # nobody can tell which record is meant
    if len(among) < 2 or not mine:
        return Point("unsupported", *said, note="there are no records to compare it with")
    for records in (among, list(values)):
        numbers = [values[record][0] for record in records]
        best = max(numbers) if ranking.most else min(numbers)
        if all(values[record][0] == best for record in mine[:1]):
            return Point("supported", *said, fact=values[mine[0]][1])
    winner = next(record for record in among if values[record][0] == best or record == among[-1])
    other = (max if ranking.most else min)(among, key=lambda record: values[record][0])
    note = f"{values[mine[0]][1].line}, and {values[other][1].line}"
    return Point("contradicted", *said, fact=values[winner][1], note=note)


def _is_more(clause: Clause, ctx: ClaimContext, place: int, length: int, ranking: Ranking) -> Point | None:
    """Whether the record named before "than" is ahead of the one behind it."""
    said = _said(clause, ctx, place, length)
    rest = clause.stems[place + length :]
    if "than" not in rest:
        return None
    behind = ctx.store.meant_by(rest[rest.index("than") :])
    before = ctx.store.meant_by(clause.stems[:place]) or ctx.focus - behind
    values = _values(ctx, ranking)
    mine = [record for record in before if record in values]
    theirs = [record for record in behind if record in values]
    if not theirs and _has_amount(clause, place):
        return None  # the amount itself decides
    if not mine or not theirs:
        return Point("unsupported", *said, note="there are no records to compare")
    one, other = values[mine[0]], values[theirs[0]]
    ahead = one[0] > other[0] if ranking.most else one[0] < other[0]
    note = "" if ahead else f"{one[1].line}, and {other[1].line}"
    return Point("supported" if ahead else "contradicted", *said, fact=one[1], note=note)


def _has_amount(clause: Clause, place: int) -> bool:
    """Whether an amount takes up what stands at a place: lighter than 7 kg."""
    word = clause.tokens[place]
    return any(
        atom.start <= word.start < atom.end for atom in clause.atoms if isinstance(atom.value, Quantity)
    )
