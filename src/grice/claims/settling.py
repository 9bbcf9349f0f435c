"""A text before the facts: each of its claims is supported, contradicted, unsupported, ambiguous, or an
opinion.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

import msgspec

from grice.claims.claim_context import AROUND, CLAUSE, SENTENCE, ClaimContext
from grice.claims.clause_words import SettledWords, is_label, missing, settle_words, to_user
from grice.claims.fact_store import FactStore, UserStatements
from grice.claims.facts import Fact, Record
from grice.claims.findings import Finding, Point, Status, denied, worst
from grice.claims.overlap import overlap
from grice.claims.passage import Atom, Clause, Passage, Sentence, is_measure
from grice.claims.ranking import settle_ranking
from grice.claims.values import for_all, settle_code, settle_value, told_by
from grice.text.quantities import Quantity

__all__ = ["settle"]

VALUE_WEIGHT = 1.5
CLOSE = 0.5
"""How close a claim is to prose that says it, at least."""

MAX_SAID = 100
_ALL = frozenset(("all", "both", "each", "every"))
_RELATIVE = frozenset(("which", "who", "whose", "where"))
_OWN = "your "
"""What stands before an amount of the user's: your $150 budget."""


def settle(
    passage: Passage,
    store: FactStore,
    *,
    only: Sequence[Sentence] | None = None,
    focus: frozenset[Record] = frozenset(),
    compared: frozenset[Record] = frozenset(),
    user_statements: UserStatements | None = None,
    strict: bool = False,
) -> list[Finding]:
    """What becomes of every claim of a text, or of `only` these. Places are those in the original text.

    A record that a sentence names is what the next ones mean by "it". `focus` are the records that the text
    is about from its start, and no others. `compared` are those among which it ranks. `user_statements` is
    what the user said. With `strict` every word of a condition counts.
    """
    claims = passage.claims if only is None else only
    said: list[Atom] = []
    meant, before = focus, frozenset[str]()
    findings: list[Finding] = []
    for claim in claims:
        of_all = claim.clauses[0].stems[0] == "all"  # "all three desks" is not about the Nordic Desk
        named = frozenset() if of_all else store.meant_by(_naming(claim) | claim.topic)
        meant = focus if of_all else meant
        meant = named or meant if not focus else (named | focus if named else focus)
        own = _topic(claim)
        values = [atom for clause in claim.clauses for atom in clause.atoms]
        ctx = ClaimContext(
            passage.prose.text,
            store,
            claim.stems,
            own | claim.topic | before,
            focus=meant,
            hidden=store.beside_records(meant),
            user_statements=user_statements,
            compared=compared,
            said=said[-MAX_SAID:],
            values=values,
            told=told_by(values),
            strict=strict,
            denies=any(term.denied for clause in claim.clauses for term in clause.terms),
            fixed=bool(focus),
        )
        before = own
        findings.append(_placed(_settle_claim(claim, ctx), passage))
        said += values
    return findings


def _topic(claim: Sentence) -> frozenset[str]:
    """What a claim speaks of: its stems, and what they stand for."""
    return claim.stems.union(term.stem for clause in claim.clauses for term in clause.terms)


def _naming(claim: Sentence) -> frozenset[str]:
    """The stems of a claim that can name a record: not the 200 in "$200"."""
    counted = {
        clause.stems[place]
        for clause in claim.clauses
        for atom in clause.atoms
        if isinstance(atom.value, Quantity) and is_measure(atom.value.dimension)
        for place, word in enumerate(clause.tokens)
        if atom.start <= word.start < atom.end
    }
    return claim.stems - counted


def _placed(finding: Finding, passage: Passage) -> Finding:
    """The finding with places in the original text."""
    points = tuple(
        msgspec.structs.replace(one, start=span[0], end=span[1])
        for one in finding.points
        for span in (passage.span(one.start, one.end),)
    )
    start, end = passage.span(finding.start, finding.end)
    return msgspec.structs.replace(finding, start=start, end=end, points=points)


def _settle_claim(claim: Sentence, ctx: ClaimContext) -> Finding:
    """What becomes of a claim: the worst of its clauses decides."""
    points: list[Point] = []
    statuses: list[Status] = []
    known = asked = 0.0
    around = dict.fromkeys(ctx.topic, AROUND)
    for clause in claim.clauses:
        said = (one for one in _names_in(clause, ctx) if not any(sign.isdigit() for sign in one))
        around.update(dict.fromkeys(said, SENTENCE))
    for place, clause in enumerate(claim.clauses):
        status, found, weights = _settle_clause(clause, _seen_from(place, claim, around, ctx))
        statuses.append(status)
        points += found
        known, asked = known + weights[0], asked + weights[1]
    status = worst(statuses)
    if ctx.is_prose and status in ("supported", "opinion") and not all(one.soft for one in claim.clauses):
        status = _by_overlap(claim, ctx, points)
    return Finding(
        status, claim.text, claim.start, claim.end, tuple(points), known / asked if asked else None
    )


def _seen_from(place: int, claim: Sentence, around: Mapping[str, int], ctx: ClaimContext) -> ClaimContext:
    """The ctx of one clause: how near its words stand, and of several records in the sentence those that it
    names. `around` is how near those of the sentence stand. A relative clause speaks of what the one before
    it does.
    """
    clause = claim.clauses[place]
    context = {**around, **dict.fromkeys(_names_in(clause, ctx), CLAUSE)}
    if place and clause.tokens[0].text in _RELATIVE:
        context.update(dict.fromkeys(_names_in(claim.clauses[place - 1], ctx), CLAUSE))
    named = frozenset[Record]()
    if not ctx.fixed and len(ctx.focus) > 1:
        before = (ctx.store.meant_by(one.stems) for one in reversed(claim.clauses[: place + 1]))
        named = next(filter(None, before), named)
    elif not ctx.focus:
        named = ctx.store.described_by({term.stem for term in clause.terms})
    if not named or (ctx.focus and not named < ctx.focus):
        return msgspec.structs.replace(ctx, context=context)
    hidden = ctx.store.beside_records(named)
    return msgspec.structs.replace(ctx, context=context, focus=named, hidden=hidden)


def _names_in(clause: Clause, ctx: ClaimContext) -> Iterator[str]:
    """The stems by which a clause may name a fact, with those that a measure stands for."""
    counted = _numbers_in(clause, ctx.lexicon.derived)
    for word in {*(term.stem for term in clause.terms), *_outside_phrases(clause)}:
        if word not in counted:
            yield word
            yield from ctx.lexicon.measures.get(word, ())


def _outside_phrases(clause: Clause) -> list[str]:
    """The stems of a clause but those of phrases that stand for one word: date of birth."""
    ends = {word.start: word.end for word in clause.tokens}
    phrases = [(one.start, one.end) for one in clause.terms if ends.get(one.start) != one.end]
    if not phrases:
        return list(clause.stems)
    return [
        stem
        for word, stem in zip(clause.tokens, clause.stems, strict=True)
        if not any(start <= word.start < end for start, end in phrases)
    ]


def _numbers_in(clause: Clause, derived: frozenset[str]) -> set[str]:
    """The stems of the words of quantities in a clause: they name nothing, where those of dates may."""
    spans = [(one.start, one.end) for one in clause.atoms if isinstance(one.value, Quantity)]
    if not spans:
        return set()
    return {
        stem
        for word, stem in zip(clause.tokens, clause.stems, strict=True)
        if stem not in derived and any(start <= word.start < end for start, end in spans)
    }


def _by_overlap(claim: Sentence, ctx: ClaimContext, points: list[Point]) -> Status:
    """Whether prose says a claim: in other words perhaps, so that no word of it decides alone."""
    terms = [term for clause in claim.clauses for term in clause.terms]
    lexicon = ctx.lexicon
    plain = [term for term in terms if not (term.stem in lexicon.opinion or term.stem in lexicon.frame)]
    if not plain and not any(one.status == "supported" for one in points):
        return "opinion"
    values = [(one.start, one.end) for one in points if one.status == "supported"]
    said = [
        term
        for term in terms
        if ctx.store.has_word(term.stem) or not any(start <= term.start < end for start, end in values)
    ]
    if overlap(said, ctx.text, ctx.store) >= CLOSE:
        return "supported"
    unknown = [(place, term) for place, term in enumerate(plain) if not ctx.store.has_word(term.stem)]
    points += missing(unknown, ctx)
    return "unsupported"


def _settle_clause(clause: Clause, ctx: ClaimContext) -> tuple[Status, list[Point], tuple[float, float]]:
    """The status of a clause, its points, and how much of it is known, of how much."""
    if ctx.strict and clause.modality == "conditional":
        clause = msgspec.structs.replace(clause, modality="states")  # a condition is a claim
    ranked, covered = settle_ranking(clause, ctx)
    values = _without_factors(
        [
            (atom, _settled(atom, clause, ctx))
            for atom in clause.atoms
            if atom.kind in ("quantity", "money", "moment") and _counts(atom, clause, ctx, ranked)
        ]
    )
    codes = [settle_code(atom, ctx) for atom in clause.atoms if atom.kind == "code"]
    values += [one for one in codes if one is not None]
    values = [one for one in values if not _repeats(one, clause, ctx)] + ranked
    said = settle_words(clause, ctx, covered)
    points = values + said.points
    known = said.known() + VALUE_WEIGHT * sum(one.status == "supported" for one in values)
    unknown = len(said.unknown)
    asked = known + unknown + sum(one.status in ("contradicted", "unsupported") for one in points)
    weights = (known, asked)
    if any(one.status == "contradicted" for one in (values if clause.modality == "thinks" else points)):
        return "contradicted", points, weights
    for status in ("unsupported", "ambiguous"):
        if any(one.status == status for one in values):
            return status, points, weights
    if not clause.soft and any(one.status == "ambiguous" for one in said.points):
        return "ambiguous", points, weights
    if clause.soft:
        return ("supported" if values else "opinion"), values, (len(values), len(values))
    if said.unknown and (empty := _empty(clause, ctx)) is not None:
        text = ctx.text[clause.start : clause.end]
        return "supported", [*points, Point("supported", text, clause.start, clause.end, empty)], (1, 1)
    conditional = ctx.strict and ctx.lexicon.conditions.within(clause.stems)
    telling = known - said.known() + said.known(_named_only(said, clause))
    if said.unknown and (conditional or unknown >= telling) and not ctx.is_prose:
        return "unsupported", [*points, *missing(said.unknown, ctx)], weights
    return ("supported" if known else "opinion"), points, weights


def _without_factors(found: Sequence[tuple[Atom, Point]]) -> list[Point]:
    """The points of values, without counts in no fact by which an amount is counted up: three jars for
    $36.
    """
    computed = any(atom.kind == "money" and point.note for atom, point in found)
    return [
        point
        for atom, point in found
        if not (computed and point.status == "unsupported" and atom.kind == "quantity")
    ]


def _counts(atom: Atom, clause: Clause, ctx: ClaimContext, ranked: Sequence[Point]) -> bool:
    """Whether a value is one to hold against facts: no label, not settled by a comparison, and in a clause
    that only thinks a measure.
    """
    value = atom.value
    if atom.denied and not _is_negated(atom, clause, ctx):
        return False  # "nothing at $200 or less" gives no value to anything
    if not isinstance(value, Quantity):
        return True
    if value.ordinal or any(one.start <= atom.start and atom.end <= one.end for one in ranked):
        return False
    return is_measure(value.dimension) or not (clause.soft or ranked or is_label(atom.start, clause, ctx))


def _settled(atom: Atom, clause: Clause, ctx: ClaimContext) -> Point:
    """What becomes of a value, or of the opposite where the clause says that it is not."""
    point = settle_value(atom, ctx)
    return denied(point) if _is_negated(atom, clause, ctx) else _of_all(point, atom, clause, ctx)


def _is_negated(atom: Atom, clause: Clause, ctx: ClaimContext) -> bool:
    """Whether a clause says of something that it is not a value: the price isn't $299."""
    place = bisect_left(clause.tokens, atom.start, key=attrgetter("start"))
    before = clause.tokens[place - 1].text if place else ""
    pack = ctx.lexicon.pack
    return before in pack.negations or before.endswith(pack.negation_endings)


def _of_all(point: Point, atom: Atom, clause: Clause, ctx: ClaimContext) -> Point:
    """The point of a value, held against all records where the clause is about all of them."""
    if ctx.fixed or ctx.hidden or clause.stems[0] not in _ALL or not isinstance(atom.value, Quantity):
        return point
    dimension = atom.value.dimension
    same = [
        one for one in clause.atoms if isinstance(one.value, Quantity) and one.value.dimension == dimension
    ]
    return for_all(point, atom, ctx) if len(same) == 1 else point


def _named_only(said: SettledWords, clause: Clause) -> frozenset[int]:
    """The places of the words that only name what the clause speaks of: all of a name stands in it."""
    stems = frozenset(clause.stems)
    return frozenset(
        one.start
        for one in said.points
        if one.fact is not None and one.fact.titled and one.fact.words <= stems
    )


def _empty(clause: Clause, ctx: ClaimContext) -> Fact | None:
    """The search that found nothing, where the clause says that there is nothing of a kind."""
    if not any(term.denied for term in clause.terms):
        return None
    return next((fact for fact in ctx.store.facts if fact.truth is False and not fact.keys), None)


def _repeats(point: Point, clause: Clause, ctx: ClaimContext) -> bool:
    """Whether an amount or date that is no fact is what the user said."""
    if point.status == "supported" or ctx.user_statements is None:
        return False
    computes = point.status == "unsupported" and not (ctx.strict or ctx.stems.isdisjoint(ctx.lexicon.derived))
    if not (clause.soft or to_user(ctx) or computes):
        return False
    own = ctx.text[max(0, point.start - len(_OWN)) : point.start].casefold() == _OWN
    for atom in clause.atoms:
        if atom.start != point.start:
            continue
        if atom.kind == "money" and not (clause.soft or own):
            return False
        known = msgspec.structs.replace(ctx, store=ctx.user_statements.store, hidden=frozenset(), context={})
        if settle_value(atom, known).status == "supported":
            return True
    return False
