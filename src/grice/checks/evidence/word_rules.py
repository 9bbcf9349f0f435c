"""What settles a word of a claim: a fact that says it, denies it, or says there is nothing of the kind."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from operator import attrgetter

import msgspec

from grice.checks.evidence.amounts import is_measure
from grice.checks.evidence.claims import Clause
from grice.checks.evidence.facts import NAMING_KEYS
from grice.checks.evidence.findings import Atom, Status
from grice.checks.evidence.scene import Scene
from grice.checks.evidence.sheet import Fact
from grice.checks.evidence.terms import Term

__all__ = ["MAX_ENUM", "WORD_RULES", "word_atom"]

MAX_ENUM = 3
"""Words up to which a value is one of a kind (soft, All-Mountain), and not a description."""

MIN_REST = 3
_UN = ("un", "non", "in", "im", "ir", "dis")


def _by_truth(term: Term, scene: Scene, clause: Clause) -> Atom | None:
    """A field that is true or false: waterproof."""
    found: Atom | None = None
    for fact in scene.called(term.stem):
        if fact.truth is None or fact.size or _is_free_elsewhere(term, fact, scene):
            continue
        names = {one.lstrip("!") for one in fact.leaf}
        if term.stem not in names or not _all_said(names - scene.stems - {term.stem}, scene.stems):
            continue
        denied = term.denied or any(one.denied for one in clause.terms if _is_one_of(one.stem, names))
        denied ^= any(one.startswith("!") for one in fact.leaf)
        status: Status = "supported" if denied is not fact.truth else "contradicted"
        if found is None or status == "supported":
            found = word_atom(status, term, scene, fact)
    return found


def _is_free_elsewhere(term: Term, fact: Fact, scene: Scene) -> bool:
    """Whether something else is free than what is spoken of: returns, where it is repairs."""
    if term.stem not in scene.lexicon.gratis or fact.records:
        return False
    about = fact.keys - scene.lexicon.frame - {term.stem}
    return bool(about) and about.isdisjoint(scene.topic)


def _all_said(names: set[str], stems: frozenset[str]) -> bool:
    """Whether each of the names has a relative among the stems: returnable, return."""
    return not names or all(any(_is_form(name, one) for one in stems) for name in names)


def _is_one_of(stem: str, names: set[str]) -> bool:
    return stem in names or any(_is_form(name, stem) for name in names)


def _is_form(name: str, stem: str) -> bool:
    """Whether a name is a verb with an ending: returnable."""
    return len(stem) > MIN_REST and name.startswith(stem) and name[len(stem) :] in _ABLE


_ABLE = frozenset(("abl", "able", "ibl", "ible"))


def _by_value(term: Term, scene: Scene, clause: Clause) -> Atom | None:
    """A value that says the word, or denies it; of sentences the one that shares most with the claim
    decides.
    """
    best: dict[bool, tuple[int, Fact]] = {}
    for fact in scene.saying(term.stem):
        if fact.excluded:
            atom = _by_exclusion(term, fact, scene)
            if atom is not None:
                return atom
            continue
        shared = len((fact.words | fact.denied) & scene.stems) if fact.prose else MUCH
        agrees = (term.stem in fact.words) is not term.denied or term.stem in fact.words & fact.denied
        agrees = agrees or (fact.names and fact.size_in_words > 1 and fact.words <= scene.stems)
        if agrees not in best or best[agrees][0] < shared:
            best[agrees] = (shared, fact)
    if True in best and (False not in best or best[True][0] >= best[False][0]):
        return word_atom("supported", term, scene, best[True][1])
    if False in best and best[False][0] > FEW:
        return word_atom("contradicted", term, scene, best[False][1])
    return None


MUCH, FEW = 1_000, 2
"""The words that a record shares with a claim about it, and those that a sentence may share by chance."""


def _by_exclusion(term: Term, fact: Fact, scene: Scene) -> Atom | None:
    """What is excepted from a field that the sentence is about: final sale items, from returns."""
    about = any(one in scene.topic for one in fact.keys if one not in scene.lexicon.exclusions)
    if not about or term.stem in scene.lexicon.frame:
        return None
    return word_atom("supported" if scene.denies else "contradicted", term, scene, fact)


def _by_nothing(term: Term, scene: Scene, clause: Clause) -> Atom | None:
    """ "No fee", "free returns": a field that is zero or empty, or is not."""
    gratis = term.stem in scene.lexicon.gratis and not term.denied
    if gratis:
        return _by_price(term, scene, clause)
    if not term.denied:
        return None
    against: Fact | None = None
    for fact in scene.called(term.stem):
        if fact.number == 0 or fact.truth is False:
            return word_atom("supported", term, scene, fact)
        priced = _is_priced(fact, scene) and not fact.raw & scene.lexicon.thresholds
        if fact.number and (priced or _is_length_of(fact, term, scene)):
            against = against or fact
    return None if against is None else word_atom("contradicted", term, scene, against)


def _is_priced(fact: Fact, scene: Scene) -> bool:
    """Whether a fact says what something costs: not how many days a refund takes."""
    others = any(one.dimension not in ("money", "") for one in fact.quantities)
    return bool(fact.leaf & scene.lexicon.money) and not others


def _is_length_of(fact: Fact, term: Term, scene: Scene) -> bool:
    """Whether a fact says how long that lasts which there is said not to be: no contract."""
    ends = scene.text[term.end : term.end + 1] in _CLOSE
    lasts = any(one.dimension == "time" for one in fact.quantities)
    units = {scene.lexicon.stems(one)[-1:] for one in scene.lexicon.pack.units}
    alone = all(one == term.stem or (one,) in units or one in _LENGTHS for one in fact.leaf)
    return ends and lasts and alone and not fact.raw & scene.lexicon.thresholds


_LENGTHS = frozenset(("length", "term", "duration", "period"))
_CLOSE = frozenset(("", ".", ",", ";", ":", "!"))


def _by_price(term: Term, scene: Scene, clause: Clause) -> Atom | None:
    """What is said to be free: its price is nothing, or it is free from some amount on."""
    stems = dict.fromkeys([*(one.stem for one in clause.terms if one is not term), *clause.stems])
    fields = [fact for one in stems for fact in scene.called(one) if one != term.stem]
    if not fields and len(clause.terms) == 1:  # "it's free"
        price = scene.lexicon.stems("price")[0]
        fields = [fact for fact in scene.called(price) if fact.leaf == {price}]
    nothing = [fact for fact in fields if fact.leaf & scene.lexicon.money and fact.number == 0]
    gated = [fact for fact in fields if fact.number and term.stem in fact.keys]
    shared = [max((len(one.keys & stems.keys()) for one in each), default=0) for each in (nothing, gated)]
    if shared[0] and shared[0] >= shared[1]:
        costly = [fact for fact in fields if fact.leaf & scene.lexicon.money and fact.number]
        nearer = next((one for one in costly if len(one.keys & stems.keys()) > shared[0]), None)
        return word_atom("contradicted" if nearer else "supported", term, scene, nearer or nothing[0])
    for fact in fields:
        if fact.number and term.stem in fact.keys:
            gated_here = _is_gated(fact, clause, scene) or not fact.raw & scene.lexicon.thresholds
            return word_atom("supported" if gated_here else "contradicted", term, scene, fact)
    priced = [fact for fact in fields if fact.leaf & scene.lexicon.money]
    for fact in priced:
        if fact.number == 0 or fact.truth is False:
            return word_atom("supported", term, scene, fact)
    return next((word_atom("contradicted", term, scene, fact) for fact in priced if fact.number), None)


def _is_gated(fact: Fact, clause: Clause, scene: Scene) -> bool:
    """Whether the claim says from what amount on something is free, not only how long it takes."""
    measured = {one.dimension for one in fact.quantities} | {"money"}
    if any(one.dimension in measured or not is_measure(one.dimension) for one in clause.quantities):
        return True
    return fact.number is not None and f"{fact.number:f}" in scene.stems  # in another clause


def _by_count(term: Term, scene: Scene, clause: Clause) -> Atom | None:
    """How many there are: what is in stock is more than none, whatever the number."""
    if term.stem not in scene.lexicon.counts or clause.quantities or _is_offered(term, scene, clause):
        return None
    found: Atom | None = None
    for fact in scene.called(term.stem):
        if fact.number is None or fact.size or fact.truth or not _is_count(fact, scene):
            continue
        if _is_of_other(term, fact, scene, clause):
            continue
        denied = term.denied or any(one.denied for one in clause.terms if one.stem in fact.label)
        status: Status = "supported" if denied is (fact.number <= 0) else "contradicted"
        if found is None or status == "supported":
            found = word_atom(status, term, scene, fact)
    return found


def _is_count(fact: Fact, scene: Scene) -> bool:
    """Whether a field counts what is there, and nothing more special than what is spoken of."""
    others = fact.label - scene.lexicon.counts - scene.lexicon.counting
    measured = any(is_measure(one.dimension) for one in fact.quantities)
    return not measured and others < fact.label and others <= scene.stems


def _is_of_other(term: Term, fact: Fact, scene: Scene, clause: Clause) -> bool:
    """Whether something else with a field of its own is said to be there: support is available."""
    return any(
        one.start < term.start
        and one.stem not in fact.keys
        and one.stem not in scene.lexicon.counting
        and one.stem not in NAMING_KEYS
        and scene.called(one.stem)
        for one in clause.terms
    )


def _is_offered(term: Term, scene: Scene, clause: Clause) -> bool:
    """Whether it says in which kinds there is something, and not that it is there: available in red."""
    after = scene.text[term.end : term.end + MAX_LINK].split()[:1]
    goes_on = any(one.start > term.start and one.stem not in scene.lexicon.frame for one in clause.terms)
    return goes_on and after in _KINDS


MAX_LINK = 6
_KINDS = [["in"], ["as"], ["for"], ["to"], ["from"]]


def _by_opposite(term: Term, scene: Scene, clause: Clause) -> Atom | None:
    others = scene.lexicon.opposites.get(term.stem)
    if not others or any(fact.number is not None for fact in scene.called(term.stem)):
        return None
    for other in others:
        for fact in scene.called(other):
            if fact.truth is not None and fact.leaf == {other} and not fact.size:
                status: Status = "supported" if fact.truth is term.denied else "contradicted"
                return word_atom(status, term, scene, fact)
        for fact in scene.saying(other):
            if fact.prose or fact.size_in_words > MAX_ENUM or other not in fact.words or fact.listed:
                continue
            return word_atom("supported" if term.denied else "contradicted", term, scene, fact)
    return None


def _by_prefix(term: Term, scene: Scene, clause: Clause) -> Atom | None:
    """ "Unpadded": the rest of the word, denied."""
    if not term.stem.startswith(_UN):
        return None
    for prefix in _UN:
        rest = term.stem.removeprefix(prefix)
        if rest == term.stem or len(rest) < MIN_REST:
            continue
        flipped = msgspec.structs.replace(term, stem=rest, denied=not term.denied)
        wider = msgspec.structs.replace(scene, stems=scene.stems | {rest})
        found = _by_truth(flipped, wider, clause) or _by_value(flipped, wider, clause)
        if found is not None:
            return found
    return None


def _by_joining(term: Term, scene: Scene, clause: Clause) -> Atom | None:
    """One word here and two there, or the reverse: rain cover and raincover."""
    if term.denied:
        return None
    facts = scene.joined(term.stem)
    if not facts:
        place = bisect_left(clause.terms, term.start, key=attrgetter("start"))
        after = clause.terms[place + 1] if place + 1 < len(clause.terms) else None
        before = clause.terms[place - 1] if place else None
        pairs = [f"{term.stem}{after.stem}"] if after else []
        pairs += [f"{before.stem}{term.stem}"] if before else []
        pairs += _token_pairs(term, clause)
        facts = [fact for pair in pairs for fact in (scene.saying(pair) or _true(scene.called(pair)))]
    return word_atom("supported", term, scene, facts[0]) if facts else None


def _token_pairs(term: Term, clause: Clause) -> list[str]:
    """The word joined with the one behind it where that carries no meaning: shut-off, check-in."""
    place = bisect_left(clause.tokens, term.end, key=attrgetter("start"))
    return [f"{term.stem}{clause.stems[place]}"] if place < len(clause.tokens) else []


def _by_adverb(term: Term, scene: Scene, clause: Clause) -> Atom | None:
    """ "Internationally": as the adjective is."""
    stems = [one for end in _ADVERB_ENDS if (one := term.stem.removesuffix(end)) != term.stem]
    for one in stems:
        if len(one) < MIN_REST or not (scene.called(one) or scene.saying(one)):
            continue
        plain = msgspec.structs.replace(term, stem=one)
        wider = msgspec.structs.replace(scene, stems=scene.stems | {one})
        found = _by_truth(plain, wider, clause) or _by_value(plain, wider, clause)
        if found is not None:
            return found
    return None


_ADVERB_ENDS = ("ly", "li", "ally", "alli")
"""Ends of adverbs, and of their stems."""


def _true(facts: Sequence[Fact]) -> list[Fact]:
    return [fact for fact in facts if fact.truth]


WORD_RULES: tuple[Callable[[Term, Scene, Clause], Atom | None], ...] = (
    _by_truth,
    _by_count,
    _by_value,
    _by_nothing,
    _by_opposite,
    _by_prefix,
    _by_adverb,
    _by_joining,
)
"""What can settle a word, the surest first."""


def word_atom(status: Status, term: Term, scene: Scene, fact: Fact) -> Atom:
    """What a fact makes of a term."""
    return Atom(status, scene.text[term.start : term.end], term.start, term.end, fact)
