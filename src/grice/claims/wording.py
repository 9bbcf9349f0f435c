"""Words of a claim, bound to facts: one that says a word, denies it, or says that there is nothing of the
kind.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from operator import attrgetter

from msgspec.structs import replace

from grice.claims.claim_context import CLAUSE, SENTENCE, ClaimContext
from grice.claims.facts import Fact
from grice.claims.field_names import NAMING_KEYS
from grice.claims.findings import Point, Status
from grice.claims.passage import Clause, is_measure
from grice.claims.terms import Term
from grice.text.quantities import Quantity

__all__ = ["settle_word"]

MAX_ENUM = 3
"""Words up to which a value is one of a kind (soft, All-Mountain), and not a description."""

MAX_VALUE = 6
"""Words up to which a value may be the one of another field."""

MAX_SAYING = 16
"""Words up to which a sentence says one thing of what it speaks of."""

ASKED = ".asked with."
"""What is on the path of what a tool was asked with."""

MIN_REST = 3
MUCH, FEW = 1_000, 2
"""The words that a record shares with a claim about it, and those that a sentence may share by chance."""

_UN = ("un", "non", "in", "im", "ir", "dis")
_ADVERB_ENDS = ("ly", "li", "ally", "alli")


def settle_word(term: Term, ctx: ClaimContext, clause: Clause) -> Point | None:
    """What becomes of a word; None where no fact has anything to do with it."""
    return next((found for rule in _RULES if (found := rule(term, ctx, clause)) is not None), None)


def word_point(
    status: Status, term: Term, ctx: ClaimContext, fact: Fact, stands: Fact | None = None
) -> Point:
    """What a fact makes of a term."""
    return Point(status, ctx.text[term.start : term.end], term.start, term.end, fact, stands=stands)


def _settled(found: Iterable[Point]) -> Point | None:
    """The first that supports, else the last that does not."""
    last: Point | None = None
    for one in found:
        if one.status == "supported":
            return one
        last = one
    return last


def _of_one_row(point: Point, term: Term, ctx: ClaimContext) -> Point:
    """The point, ambiguous where it is true of one row, not of another, and nothing says which is meant."""
    fact = point.fact
    if point.status != "supported" or fact is None or not fact.records or ctx.focus or term.denied:
        return point
    for other in ctx.store.beside(fact):
        same = other.names == fact.names and other.source == fact.source and other.records
        if same and other.records[-1] != fact.records[-1] and not _says_the_same(other, fact):
            return replace(point, status="ambiguous", fact=other, stands=fact)
    return point


def _says_the_same(one: Fact, other: Fact) -> bool:
    return one.truth is other.truth and (one.words == other.words or one.truth is not None)


def _by_truth(term: Term, ctx: ClaimContext, clause: Clause) -> Point | None:
    """A field that is true or false: waterproof."""

    def told() -> Iterable[Point]:
        for fact in ctx.called(term.stem):
            if fact.truth is None or fact.size or _is_free_elsewhere(term, fact, ctx):
                continue
            names = {one.lstrip("!") for one in fact.names.leaf}
            if term.stem not in names or not names <= ctx.stems | {term.stem}:
                continue
            denied = term.denied or any(one.denied for one in clause.terms if one.stem in names)
            denied ^= any(one.startswith("!") for one in fact.names.leaf)
            yield word_point("supported" if denied is not fact.truth else "contradicted", term, ctx, fact)

    point = _settled(told())
    return None if point is None else _of_one_row(point, term, ctx)


def _is_free_elsewhere(term: Term, fact: Fact, ctx: ClaimContext) -> bool:
    """Whether something else is free than what is spoken of: returns, where it is repairs."""
    if term.stem not in ctx.lexicon.gratis or fact.records:
        return False
    about = fact.keys - ctx.lexicon.frame - {term.stem}
    return bool(about) and about.isdisjoint(ctx.topic)


def _by_count(term: Term, ctx: ClaimContext, clause: Clause) -> Point | None:
    """How many there are: what is in stock is more than none, whatever the number."""
    counted = any(isinstance(one.value, Quantity) for one in clause.atoms)
    if term.stem not in ctx.lexicon.counts or counted:
        return None

    def told() -> Iterable[Point]:
        for fact in ctx.called(term.stem):
            if fact.number is None or fact.size or fact.truth:
                continue
            if _is_of_other(term, fact, ctx, clause):
                continue
            denied = term.denied or any(one.denied for one in clause.terms if one.stem in fact.names.label)
            yield word_point("supported" if denied is (fact.number <= 0) else "contradicted", term, ctx, fact)

    return _settled(told())


def _is_of_other(term: Term, fact: Fact, ctx: ClaimContext, clause: Clause) -> bool:
    """Whether something else with a field of its own is said to be there: support is available."""
    return not ctx.focus and any(
        one.start < term.start
        and one.stem not in fact.keys
        and one.stem not in ctx.lexicon.counting
        and one.stem not in NAMING_KEYS
        and ctx.called(one.stem)
        for one in clause.terms
    )


def _by_value(term: Term, ctx: ClaimContext, _clause: Clause) -> Point | None:
    """A value that says the word, or denies it; of sentences the one that shares most with the claim
    decides.
    """
    best: dict[bool, tuple[int, Fact]] = {}
    for fact in ctx.saying(term.stem):
        if fact.excluded:
            point = _by_exclusion(term, fact, ctx)
            if point is not None:
                return point
            continue
        shared = len((fact.words | fact.denied) & ctx.stems) if fact.prose else MUCH + ctx.nearness(fact)
        agrees = (term.stem in fact.words) is not term.denied or term.stem in fact.words & fact.denied
        agrees = agrees or (fact.titled and fact.size_in_words > 1 and fact.words <= ctx.stems)
        if agrees not in best or best[agrees][0] < shared:
            best[agrees] = (shared, fact)
    if True in best and (False not in best or best[True][0] + _news(best, ctx) >= best[False][0]):
        fact = best[True][1]
        other = None if term.denied else _displaced(term, fact, ctx)
        status: Status = "contradicted" if other else "supported"
        point = word_point(status, term, ctx, other or fact, fact if other else None)
        return _of_one_row(point, term, ctx) if term.stem in ctx.lexicon.states else point
    if False in best and best[False][0] > FEW:
        return word_point("contradicted", term, ctx, best[False][1])
    return None


def _news(best: dict[bool, tuple[int, Fact]], ctx: ClaimContext) -> int:
    """What it counts that the fact which agrees was told later than the one which does not."""
    order = ctx.store.order
    agrees, opposes = (order.get(best[one][1].source, 0) for one in (True, False))
    return CLAUSE if agrees > opposes else 0


def _displaced(term: Term, fact: Fact, ctx: ClaimContext) -> Fact | None:
    """The field that the clause names, where it gives it the value of another."""
    if fact.prose:
        return _said_of_another(term, ctx) if ctx.is_prose else None
    if fact.listed or fact.titled or fact.size_in_words > MAX_VALUE:
        return None
    near = ctx.nearness(fact, fact.words)
    found: tuple[int, Fact] | None = None
    called = (one for stem, weight in ctx.context.items() if weight >= CLAUSE for one in ctx.called(stem))
    for other in dict.fromkeys((*ctx.store.beside(fact), *called)):
        if other is fact or not _is_alike(other, fact, ctx):
            continue
        nearness = ctx.nearness(other, other.words | fact.words)
        ahead = nearness - near
        named = ahead > 0 and ctx.is_in_clause(other) and not ctx.is_in_clause(fact)
        if (named or ahead >= CLAUSE) and (found is None or nearness > found[0]):
            found = (nearness, other)
    return None if found is None else found[1]


def _said_of_another(term: Term, ctx: ClaimContext) -> Fact | None:
    """The sentence on what the clause speaks of, where only ones on something else say the word."""
    if term.stem in ctx.lexicon.frame - ctx.lexicon.states:
        return None
    saying = ctx.saying(term.stem)
    if any(term.stem in one.subject < one.words or one.size_in_words > MAX_SAYING for one in saying):
        return None  # it names what is spoken of, or nobody can tell of what it is said

    about = {one for one, near in ctx.context.items() if near >= CLAUSE} - {term.stem}

    def shared(fact: Fact) -> int:
        return len(fact.subject & about)

    own = max((one for stem in about for one in ctx.saying(stem)), key=shared, default=None)
    if own is None or any(
        shared(one) >= shared(own) or about.isdisjoint(own.subject - one.words) for one in saying
    ):
        return None
    return own


def _is_alike(other: Fact, fact: Fact, ctx: ClaimContext) -> bool:
    """Whether a field may have been given the value of another: both say what kind, and its own is not
    said.
    """
    names = not other.names.label.isdisjoint(NAMING_KEYS)
    if (
        names
        or other.source != fact.source
        or ASKED in other.path
        or other.prose
        or other.listed
        or other.titled
        or not other.words
    ):
        return False
    if other.truth is not None or other.number is not None:
        return False
    if other.size_in_words > MAX_VALUE or other.values or not other.words.isdisjoint(fact.words | ctx.stems):
        return False
    if other.names.label == fact.names.label:
        return True
    named = any(ctx.context.get(one, 0) >= CLAUSE for one in other.names.leaf)
    same = (other.names.leaf & fact.names.leaf) - ctx.lexicon.frame
    return named and (bool(same) or other.shown[:1].isupper() == fact.shown[:1].isupper())


def _by_exclusion(term: Term, fact: Fact, ctx: ClaimContext) -> Point | None:
    """What is excepted from a field that the sentence is about: final sale items, from returns."""
    about = any(one in ctx.topic for one in fact.keys if one not in ctx.lexicon.exclusions)
    if not about or term.stem in ctx.lexicon.frame:
        return None
    return word_point("supported" if ctx.denies else "contradicted", term, ctx, fact)


def _by_nothing(term: Term, ctx: ClaimContext, clause: Clause) -> Point | None:
    """ "No fee", "free returns": a field that is zero or empty, or is not."""
    if term.stem in ctx.lexicon.gratis and not term.denied:
        return _by_price(term, ctx, clause)
    if not term.denied:
        return None
    against: Fact | None = None
    for fact in ctx.called(term.stem):
        if fact.number == 0 or fact.truth is False:
            return word_point("supported", term, ctx, fact)
        priced = _is_priced(fact, ctx) and not fact.names.raw & ctx.lexicon.thresholds
        if fact.number and priced:
            against = against or fact
    return None if against is None else word_point("contradicted", term, ctx, against)


def _is_priced(fact: Fact, ctx: ClaimContext) -> bool:
    """Whether a fact says what something costs: not how many days a refund takes."""
    others = any(one.dimension not in ("money", "") for one in fact.quantities)
    return bool(fact.names.leaf & ctx.lexicon.money) and not others


def _by_price(term: Term, ctx: ClaimContext, clause: Clause) -> Point | None:
    """What is said to be free: its price is nothing, or it is free from some amount on."""
    stems = dict.fromkeys([*(one.stem for one in clause.terms if one is not term), *clause.stems])
    fields = [fact for one in stems if one != term.stem for fact in ctx.called(one)]
    if not fields and len(clause.terms) == 1:  # "it's free"
        price = ctx.lexicon.stems("price")[0]
        fields = [fact for fact in ctx.called(price) if fact.names.leaf == {price}]
    money = ctx.lexicon.money
    nothing = [one for one in fields if one.names.leaf & money and one.number == 0]
    gated = [one for one in fields if one.number and term.stem in one.keys]
    shared = [max((len(one.keys & stems.keys()) for one in each), default=0) for each in (nothing, gated)]
    if shared[0] and shared[0] >= shared[1]:
        costly = [one for one in fields if one.names.leaf & money and one.number]
        nearer = next((one for one in costly if len(one.keys & stems.keys()) > shared[0]), None)
        return word_point("contradicted" if nearer else "supported", term, ctx, nearer or nothing[0])
    for fact in gated:
        fits = _is_gated(fact, clause, ctx) or not fact.names.raw & ctx.lexicon.thresholds
        return word_point("supported" if fits else "contradicted", term, ctx, fact)
    priced = [
        one for one in fields if one.names.leaf & money and (one.number is not None or one.truth is False)
    ]
    return _settled(
        word_point("contradicted" if one.number else "supported", term, ctx, one) for one in priced
    )


def _is_gated(fact: Fact, clause: Clause, ctx: ClaimContext) -> bool:
    """Whether the claim says from what amount on something is free, not only how long it takes."""
    measured = {one.dimension for one in fact.quantities} | {"money"}
    said = [one.value for one in clause.atoms if isinstance(one.value, Quantity)]
    if any(one.dimension in measured or not is_measure(one.dimension) for one in said):
        return True
    return fact.number is not None and f"{fact.number:f}" in ctx.stems  # in another clause


def _by_opposite(term: Term, ctx: ClaimContext, _clause: Clause) -> Point | None:
    """A value, or a field that is true, that says the opposite."""
    others = ctx.lexicon.opposites.get(term.stem)
    if not others or any(fact.number is not None for fact in ctx.called(term.stem)):
        return None
    for other in others:
        for fact in ctx.called(other):
            if fact.truth is not None and fact.names.leaf == {other} and not fact.size:
                return word_point(
                    "supported" if fact.truth is term.denied else "contradicted", term, ctx, fact
                )
        for fact in ctx.saying(other):
            if fact.prose or fact.size_in_words > MAX_ENUM or other not in fact.words or fact.listed:
                continue
            if _is_beside(fact, frozenset((term.stem,)), ctx):
                continue  # the hours of Saturday are meant, not that Sunday is closed
            return word_point("supported" if term.denied else "contradicted", term, ctx, fact)
    return None


def _is_beside(fact: Fact, own: frozenset[str], ctx: ClaimContext) -> bool:
    """Whether the claim is rather about another field of the same object, but for its own words."""
    near, parent = ctx.nearness(fact, own), fact.path.rpartition(".")[0]
    return any(
        one.path.rpartition(".")[0] == parent and ctx.nearness(one, own) - near >= SENTENCE
        for one in ctx.store.beside(fact)
    )


def _by_form(term: Term, ctx: ClaimContext, clause: Clause) -> Point | None:
    """A word made of another: unpadded (padded, denied), internationally (international)."""
    plain = [
        replace(term, stem=term.stem.removeprefix(one), denied=not term.denied)
        for one in _UN
        if term.stem.startswith(one)
    ]
    plain += [
        replace(term, stem=term.stem.removesuffix(one)) for one in _ADVERB_ENDS if term.stem.endswith(one)
    ]
    for one in plain:
        if len(one.stem) < MIN_REST or not (ctx.called(one.stem) or ctx.saying(one.stem)):
            continue
        wider = replace(ctx, stems=ctx.stems | {one.stem})
        found = _by_truth(one, wider, clause) or _by_value(one, wider, clause)
        if found is not None:
            return found
    return None


def _by_joining(term: Term, ctx: ClaimContext, clause: Clause) -> Point | None:
    """One word here and two there, or the reverse: rain cover and raincover."""
    if term.denied:
        return None
    facts = ctx.seen(ctx.store.joined(term.stem))
    if not facts:
        place = bisect_left(clause.terms, term.start, key=attrgetter("start"))
        behind = bisect_left(clause.tokens, term.end, key=attrgetter("start"))
        pairs = [f"{term.stem}{one.stem}" for one in clause.terms[place + 1 : place + 2]]
        pairs += [f"{one.stem}{term.stem}" for one in clause.terms[max(0, place - 1) : place]]
        pairs += [f"{term.stem}{one}" for one in clause.stems[behind : behind + 1]]  # shut-off
        facts = [
            fact
            for pair in pairs
            for fact in ctx.saying(pair) or [one for one in ctx.called(pair) if one.truth]
        ]
    return word_point("supported", term, ctx, facts[0]) if facts else None


def _by_other_row(term: Term, ctx: ClaimContext, _clause: Clause) -> Point | None:
    """A value that the field has in a row beside the one that is meant."""
    if term.denied:
        return None
    for other in ctx.of_others(term.stem):
        if other.prose or other.size_in_words > MAX_ENUM or other.listed or not other.names.leaf:
            continue
        for key in other.names.leaf:
            for fact in ctx.called(key):
                if fact.names.leaf == other.names.leaf and fact.words and not fact.listed:
                    return word_point("contradicted", term, ctx, fact, other)
    return None


_RULES: tuple[Callable[[Term, ClaimContext, Clause], Point | None], ...] = (
    _by_truth,
    _by_count,
    _by_value,
    _by_nothing,
    _by_opposite,
    _by_form,
    _by_joining,
    _by_other_row,
)
"""What can settle a word, the surest first."""
