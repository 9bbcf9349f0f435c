"""A claim before the facts: each of its parts is supported, contradicted, unsupported, or an opinion."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from grice.checks.evidence.amounts import weigh_moment, weigh_quantity
from grice.checks.evidence.claims import Claim, Clause
from grice.checks.evidence.findings import Atom, Finding, Status, worst
from grice.checks.evidence.ranking import weigh_ranking
from grice.checks.evidence.scene import Scene
from grice.checks.evidence.sheet import Fact
from grice.checks.evidence.terms import Term

__all__ = ["weigh_claim"]

MAX_ENUM = 3
"""Words up to which a value is one of a kind (soft, All-Mountain), and not a description."""

NAME_WEIGHT = 2
KEY_WEIGHT = 0.5
_UN = ("un", "non", "in", "im", "ir", "dis")


class _Words(msgspec.Struct):
    """What the words of a clause came to. `named` are the fields it names, by the place of the term."""

    atoms: list[Atom]
    unknown: list[tuple[int, Term]]
    named: dict[int, list[Fact]]
    opinions: int = 0

    def known(self) -> float:
        """How much of it facts say."""
        return sum(atom.status == "supported" for atom in self.atoms) + KEY_WEIGHT * len(self.named)


def weigh_claim(claim: Claim, scene: Scene) -> Finding:
    """What becomes of a claim: the worst of its clauses decides."""
    atoms: list[Atom] = []
    statuses: list[Status] = []
    known = asked = 0.0
    for clause in claim.clauses:
        status, found, weights = _weigh_clause(clause, scene)
        statuses.append(status)
        atoms += found
        known, asked = known + weights[0], asked + weights[1]
    status = worst(statuses)
    return Finding(
        status, claim.text, claim.start, claim.end, tuple(atoms), known / asked if asked else None
    )


def _weigh_clause(clause: Clause, scene: Scene) -> tuple[Status, list[Atom], tuple[float, float]]:
    """The status of a clause, its atoms, and how much of it is known, of how much."""
    ranked, covered = weigh_ranking(clause, scene)
    hard = [
        weigh_quantity(one, clause.stems, scene)
        for one in clause.quantities
        if not one.ordinal and not (clause.soft and _is_count(one.dimension))
    ]
    hard += [weigh_moment(one, scene) for one in clause.moments]
    hard += ranked
    said = _weigh_words(clause, scene, covered)
    atoms = hard + said.atoms
    known = said.known() + sum(atom.status == "supported" for atom in hard)
    unknown = sum(_weight(term, clause, scene) for _, term in said.unknown)
    asked = known + unknown + sum(atom.status in ("contradicted", "unsupported") for atom in atoms)
    if any(atom.status == "contradicted" for atom in atoms):
        return "contradicted", atoms, (known, asked)
    if any(atom.status == "unsupported" for atom in hard):
        return "unsupported", atoms, (known, asked)
    if clause.soft:
        return ("supported" if hard else "opinion"), hard, (len(hard), len(hard))
    if said.unknown and unknown >= known:
        return "unsupported", [*atoms, *_missing(said.unknown, scene)], (known, asked)
    return ("supported" if known else "opinion"), atoms, (known, asked)


def _is_count(dimension: str) -> bool:
    return dimension not in ("money", "time", "length", "mass", "volume", "temperature", "data", "percent", "power", "energy", "speed", "area")  # fmt: skip


def _weight(term: Term, clause: Clause, scene: Scene) -> float:
    """What an unknown term counts: a name weighs more than another word."""
    return NAME_WEIGHT if term.start > clause.start + 1 and scene.text[term.start].isupper() else 1


def _missing(unknown: Sequence[tuple[int, Term]], scene: Scene) -> list[Atom]:
    """What is in no fact, neighbours in one."""
    runs: list[list[Term]] = []
    for place, (number, term) in enumerate(unknown):
        if place and number == unknown[place - 1][0] + 1:
            runs[-1].append(term)
        else:
            runs.append([term])
    return [
        Atom("unsupported", scene.text[run[0].start : run[-1].end], run[0].start, run[-1].end) for run in runs
    ]


def _weigh_words(clause: Clause, scene: Scene, covered: frozenset[int]) -> _Words:
    found = _Words([], [], {})
    terms = [term for term in clause.terms if not term.counted and term.start not in covered]
    for place, term in enumerate(terms):
        if _names_focus(term, scene):
            continue
        atom = next((atom for rule in _RULES if (atom := rule(term, scene, clause)) is not None), None)
        if atom is not None:
            found.atoms.append(atom)
        elif fields := scene.called(term.stem):
            found.named[place] = fields
        elif term.stem in scene.lexicon.opinion or _is_vague(term, scene):
            found.opinions += 1
        elif term.stem not in scene.lexicon.frame and not _is_heard(term, clause, scene):
            found.unknown.append((place, term))
    _against_fields(terms, found, scene)
    return found


def _names_focus(term: Term, scene: Scene) -> bool:
    """Whether the term is part of the name of the record that the sentence is about."""
    names = scene.sheet.named.get(term.stem, ())
    return any(record in scene.focus for record, _ in names)


def _is_vague(term: Term, scene: Scene) -> bool:
    """Whether it measures, without a number, what a fact gives the number of: lightweight."""
    fields = scene.lexicon.gradable.get(term.stem, ())
    return any(fact.quantities or fact.number is not None for field in fields for fact in scene.called(field))


def _is_heard(term: Term, clause: Clause, scene: Scene) -> bool:
    """Whether it repeats the user in a sentence to the user: what you need for skiing."""
    return term.stem in scene.heard and (clause.soft or bool(scene.stems & _YOU))


_YOU = frozenset(("you", "your", "you're", "you'd", "you've"))


def _by_truth(term: Term, scene: Scene, clause: Clause) -> Atom | None:
    """A field that is true or false: waterproof."""
    found: Atom | None = None
    for fact in scene.called(term.stem):
        if fact.truth is None or fact.size:
            continue
        names = {one.lstrip("!") for one in fact.leaf}
        if term.stem not in names or not names <= scene.stems | {term.stem}:
            continue
        denied = term.denied ^ (f"!{term.stem}" in fact.leaf)
        status: Status = "supported" if denied is not fact.truth else "contradicted"
        if found is None or status == "supported":
            found = _atom(status, term, scene, fact)
    return found


def _by_value(term: Term, scene: Scene, clause: Clause) -> Atom | None:
    """A value that says the word, or denies it."""
    against: Fact | None = None
    for fact in scene.saying(term.stem):
        says = term.stem in fact.words
        if says is not term.denied:
            return _atom("supported", term, scene, fact)
        if term.stem in fact.words and term.stem in fact.denied:
            return _atom("supported", term, scene, fact)
        if against is None and (not fact.prose or len((fact.words | fact.denied) & scene.stems) > 2):
            against = fact
    return None if against is None else _atom("contradicted", term, scene, against)


def _by_nothing(term: Term, scene: Scene, clause: Clause) -> Atom | None:
    """"No fee", "free returns": a field that is zero or empty, or is not."""
    gratis = term.stem in scene.lexicon.gratis and not term.denied
    if not gratis and not term.denied:
        return None
    stems = frozenset(clause.stems)
    fields = [fact for one in stems for fact in scene.called(one)] if gratis else scene.called(term.stem)
    against: Fact | None = None
    for fact in fields:
        priced = bool(fact.leaf & scene.lexicon.money)
        if gratis and not priced:
            continue
        if fact.number == 0 or fact.truth is False:
            return _atom("supported", term, scene, fact)
        if priced and fact.number and against is None and not fact.raw & scene.lexicon.thresholds:
            against = fact
    return None if against is None else _atom("contradicted", term, scene, against)


def _by_opposite(term: Term, scene: Scene, clause: Clause) -> Atom | None:
    for other in scene.lexicon.opposites.get(term.stem, ()):
        for fact in scene.saying(other):
            if fact.prose or fact.size_in_words > MAX_ENUM or other not in fact.words or fact.listed:
                continue
            return _atom("supported" if term.denied else "contradicted", term, scene, fact)
    return None


def _by_prefix(term: Term, scene: Scene, clause: Clause) -> Atom | None:
    """"Unpadded": the rest of the word, denied."""
    for prefix in _UN:
        rest = term.stem.removeprefix(prefix)
        if rest == term.stem or len(rest) < 4:
            continue
        flipped = msgspec.structs.replace(term, stem=rest, denied=not term.denied)
        wider = msgspec.structs.replace(scene, stems=scene.stems | {rest})
        found = _by_truth(flipped, wider, clause) or _by_value(flipped, wider, clause)
        if found is not None:
            return found
    return None


def _by_joining(term: Term, scene: Scene, clause: Clause) -> Atom | None:
    """One word here and two there, or the reverse: rain cover and raincover."""
    facts = scene.joined(term.stem)
    if not facts:
        after = next((one for one in clause.terms if one.start >= term.end), None)
        before = next((one for one in reversed(clause.terms) if one.end <= term.start), None)
        pairs = [f"{term.stem}{after.stem}"] if after else []
        pairs += [f"{before.stem}{term.stem}"] if before else []
        facts = [fact for pair in pairs for fact in (scene.saying(pair) or _true(scene.called(pair)))]
    return _atom("supported", term, scene, facts[0]) if facts and not term.denied else None


def _true(facts: Sequence[Fact]) -> list[Fact]:
    return [fact for fact in facts if fact.truth]


_RULES: tuple[Callable[[Term, Scene, Clause], Atom | None], ...] = (
    _by_truth,
    _by_value,
    _by_nothing,
    _by_opposite,
    _by_prefix,
    _by_joining,
)
"""What can settle a word, the surest first."""


def _against_fields(terms: Sequence[Term], found: _Words, scene: Scene) -> None:
    """Move out of the unknown what a fact speaks against: another value of the field that is named, or of another record."""
    left: list[tuple[int, Term]] = []
    for place, term in found.unknown:
        fact = None if term.denied else _other_value(place, term, found, scene)
        if fact is None:
            left.append((place, term))
        else:
            found.atoms.append(_atom("contradicted", term, scene, fact))
    found.unknown = left


def _other_value(place: int, term: Term, found: _Words, scene: Scene) -> Fact | None:
    beside = [fact for near in (place - 1, place + 1) for fact in found.named.get(near, ())]
    for fact in beside:
        if fact.words and not fact.prose and fact.truth is None and fact.size_in_words <= MAX_ENUM:
            return fact
    for other in scene.of_others(term.stem):
        if other.prose or other.size_in_words > MAX_ENUM or other.listed or not other.leaf:
            continue
        mine = [fact for key in other.leaf for fact in scene.called(key)]
        for fact in mine:
            if fact.leaf == other.leaf and fact.words and not fact.listed:
                return fact
    return None


def _atom(status: Status, term: Term, scene: Scene, fact: Fact) -> Atom:
    return Atom(status, scene.text[term.start : term.end], term.start, term.end, fact)

