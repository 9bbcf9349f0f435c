"""The words of a clause before the facts: what each says, names, or leaves unknown."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter

import msgspec

from grice.claims.claim_context import ClaimContext
from grice.claims.facts import Fact
from grice.claims.findings import Point
from grice.claims.passage import Clause
from grice.claims.terms import Term
from grice.claims.wording import settle_word

__all__ = ["SettledWords", "is_label", "missing", "settle_words", "to_user"]

KEY_WEIGHT = 0.5
MAX_LABEL = 8
MAX_AUDIENCE = 4
"""Words that say for whom something is."""

_YOU = frozenset(("you", "your", "you're", "you'd", "you've"))


class SettledWords(msgspec.Struct):
    """What the words of a clause came to. `named` are the fields it names, by the place of the term."""

    points: list[Point]
    unknown: list[tuple[int, Term]]
    named: dict[int, Sequence[Fact]]

    def known(self, names: frozenset[int] = frozenset()) -> float:
        """How much of it facts say; the words at some places only name what is spoken of."""
        said = sum(one.status == "supported" and one.start not in names for one in self.points)
        return said + KEY_WEIGHT * len(self.named)


def is_label(start: int, clause: Clause, ctx: ClaimContext) -> bool:
    """Whether a number only counts things up, as in flight 1:"""
    place = bisect_left(clause.tokens, start, key=attrgetter("start"))
    listed = 0 < place < len(clause.tokens) and clause.tokens[place - 1].text in ctx.lexicon.listed
    behind = ctx.text[start : start + MAX_LABEL].lstrip("0123456789")[:1]
    return listed and ctx.text[start].isdigit() and behind in (":", ")")


def missing(unknown: Sequence[tuple[int, Term]], ctx: ClaimContext) -> list[Point]:
    """What is in no fact, neighbours in one."""
    runs: list[list[Term]] = []
    for place, (number, term) in enumerate(unknown):
        if place and number == unknown[place - 1][0] + 1:
            runs[-1].append(term)
        else:
            runs.append([term])
    return [
        Point("unsupported", ctx.text[run[0].start : run[-1].end], run[0].start, run[-1].end) for run in runs
    ]


def settle_words(clause: Clause, ctx: ClaimContext, covered: frozenset[int]) -> SettledWords:
    """What becomes of each word of a clause; `covered` are the places of those that are settled."""
    found = SettledWords([], [], {})
    lexicon = ctx.lexicon
    plain = [
        term
        for term in clause.terms
        if not (term.counted or term.start in covered or is_label(term.start, clause, ctx))
    ]
    terms = _with_predicate(plain, clause, ctx)
    for place, term in enumerate(terms):
        if any(record in ctx.focus for record in ctx.store.named(term.stem)):
            continue  # it names what the sentence is about
        point = settle_word(term, ctx, clause)
        if point is not None and point.status == "contradicted" and term.denied is not plain[place].denied:
            point = point if _is_state(point) else settle_word(plain[place], ctx, clause)
        if point is not None:
            found.points.append(point)
        elif fields := _fields(term, ctx):
            found.named[place] = fields
        elif not (
            term.stem in lexicon.opinion
            or _is_vague(term, ctx)
            or _says_nothing(term, clause, ctx)
            or _is_audience(place, terms, ctx)
        ):
            found.unknown.append((place, term))
    if found.unknown:
        # what is said of the word is not known: "insurance cannot be added later" denies no insurance
        found.points = [one for one in found.points if one.status != "contradicted" or not _is_verbal(one)]
    return found


def _fields(term: Term, ctx: ClaimContext) -> list[Fact]:
    """The fields that a term names; that something is free names only those of what is spoken of."""
    fields = [one for one in ctx.called(term.stem) if term.denied or not one.is_null]
    if term.stem not in ctx.lexicon.gratis:
        return fields
    return [one for one in fields if (one.keys - {term.stem}) & ctx.topic or not one.keys - {term.stem}]


def _is_state(point: Point) -> bool:
    """Whether a fact is of what is or is not so, and so can be denied by the verb: "pets aren't allowed"."""
    fact = point.fact
    return fact is not None and (fact.truth is not None or fact.number is not None or fact.prose)


def _is_verbal(point: Point) -> bool:
    """Whether only a negation, or its absence, sets the claim against the fact."""
    fact = point.fact
    if fact is None or point.stands is not None:
        return False
    return fact.truth is not None or fact.number is not None or point.said.casefold() in fact.shown.casefold()


def _with_predicate(terms: Sequence[Term], clause: Clause, ctx: ClaimContext) -> Sequence[Term]:
    """The terms, those denied too whose verb is: "pets aren't allowed"."""
    verb = next((term.start for term in terms if term.denied and term.stem in ctx.lexicon.frame), -1)
    if clause.tokens[-1].text in ctx.lexicon.pack.negations:
        verb = clause.end  # "but dogs are not"
    if clause.tokens[-1].text in ctx.lexicon.nothing and ":" in ctx.text[clause.start : clause.end]:
        verb = clause.end  # "travel insurance: no"
    if verb < 0:
        return terms
    return [msgspec.structs.replace(term, denied=True) if term.start < verb else term for term in terms]


def _is_audience(place: int, terms: Sequence[Term], ctx: ClaimContext) -> bool:
    """Whether it says, alone or before such a word, for whom something is: heavy coffee drinkers."""
    for step, one in enumerate(terms[place : place + MAX_AUDIENCE]):
        if step and ctx.text[terms[place + step - 1].end : one.start] != " ":
            return False
        if one.stem in ctx.lexicon.people:
            return True
    return False


def _is_vague(term: Term, ctx: ClaimContext) -> bool:
    """Whether it measures, without a number, what a fact gives the number of: lightweight."""
    fields = ctx.lexicon.gradable.get(term.stem, ())
    return any(fact.quantities or fact.number is not None for field in fields for fact in ctx.called(field))


def _says_nothing(term: Term, clause: Clause, ctx: ClaimContext) -> bool:
    """Whether it carries the sentence, says what kind of thing a record is, or repeats the user."""
    lexicon = ctx.lexicon
    if term.stem in lexicon.frame or ctx.store.is_head(term.stem):
        return True
    if term.stem in lexicon.money and any(one.kind == "money" for one in clause.atoms):
        return True  # the amount decides: "you were charged $550"
    if any(ctx.called(one) for one in lexicon.measures.get(term.stem, ())) and clause.atoms:
        return True  # the value decides: "it is 72 cm tall"
    if term.denied and term.stem == "cover":
        return True  # what is not covered is excluded
    if ctx.strict and ctx.store.has_key_kin(term.stem):
        return True  # "we deliver" where the card has a field delivery
    return _is_heard(term, clause, ctx)


def _is_heard(term: Term, clause: Clause, ctx: ClaimContext) -> bool:
    """Whether it repeats the user: a name, or anything in a sentence to the user (what you need for
    skiing).
    """
    named = term.start > clause.start + 1 and ctx.text[term.start].isupper() and not ctx.text.isupper()
    if ctx.user_statements is None or not (named or clause.soft or to_user(ctx)):
        return False
    return ctx.user_statements.has_word(term.stem)


def to_user(ctx: ClaimContext) -> bool:
    """Whether the sentence speaks to the user."""
    return bool(ctx.stems & _YOU)
