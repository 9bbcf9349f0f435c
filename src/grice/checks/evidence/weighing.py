"""A claim before the facts: each of its parts is supported, contradicted, unsupported, or an opinion."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import TypeVar

import msgspec

from grice.checks.evidence.amounts import for_all, is_measure, weigh_moment, weigh_quantity
from grice.checks.evidence.claims import Claim, Clause
from grice.checks.evidence.closeness import closeness
from grice.checks.evidence.findings import Atom, Finding, Status, worst
from grice.checks.evidence.ranking import weigh_ranking
from grice.checks.evidence.scene import Scene
from grice.checks.evidence.sheet import Fact, kin_of
from grice.checks.evidence.terms import Term
from grice.checks.evidence.word_rules import MAX_ENUM, WORD_RULES, word_atom
from grice.text.quantities import Quantity
from grice.text.times import Moment

__all__ = ["weigh_claim"]


_Spanned = TypeVar("_Spanned", Quantity, Moment)

KEY_WEIGHT = 0.5
HARD_WEIGHT = 1.5


class _Words(msgspec.Struct):
    """What the words of a clause came to. `named` are the fields it names, by the place of the term."""

    atoms: list[Atom]
    unknown: list[tuple[int, Term]]
    named: dict[int, Sequence[Fact]]
    opinions: int = 0

    def known(self, names: frozenset[int] = frozenset()) -> float:
        """How much of it facts say; the words at some places only name what is spoken of."""
        said = sum(atom.status == "supported" and atom.start not in names for atom in self.atoms)
        return said + KEY_WEIGHT * len(self.named)


def weigh_claim(claim: Claim, scene: Scene) -> Finding:
    """What becomes of a claim: the worst of its clauses decides."""
    atoms: list[Atom] = []
    statuses: list[Status] = []
    known = asked = 0.0
    for clause in claim.clauses:
        status, found, weights = _weigh_clause(clause, _narrowed(clause, scene))
        statuses.append(status)
        atoms += found
        known, asked = known + weights[0], asked + weights[1]
    status = worst(statuses)
    if scene.is_prose and status in ("supported", "opinion") and not all(one.soft for one in claim.clauses):
        status = _by_closeness(claim, scene, atoms)
    return Finding(status, claim.text, claim.start, claim.end, tuple(atoms), known / asked if asked else None)


def _narrowed(clause: Clause, scene: Scene) -> Scene:
    """The scene of one clause: of several records in a sentence, those that the clause names."""
    named = frozenset() if scene.fixed or len(scene.focus) < 2 else scene.sheet.focus_of(clause.stems)
    if not named or not named < scene.focus:
        return scene
    return msgspec.structs.replace(scene, focus=named, hidden=scene.sheet.out_of_sight(named))


CLOSE = 0.5
"""How close a claim is to prose that says it, at least."""


def _by_closeness(claim: Claim, scene: Scene, atoms: list[Atom]) -> Status:
    """Whether prose says a claim: in other words perhaps, so that no word of it decides alone."""
    terms = [term for clause in claim.clauses for term in clause.terms]
    plain = [
        term for term in terms if not (term.stem in scene.lexicon.opinion or term.stem in scene.lexicon.frame)
    ]
    if not plain and not any(atom.status == "supported" for atom in atoms):
        return "opinion"
    if closeness(terms, scene.text, scene.sheet) >= CLOSE:
        return "supported"
    missing = [(place, term) for place, term in enumerate(plain) if term.stem not in scene.sheet.by_word]
    atoms += _missing(missing, scene)
    return "unsupported"


def _weigh_clause(clause: Clause, scene: Scene) -> tuple[Status, list[Atom], tuple[float, float]]:
    """The status of a clause, its atoms, and how much of it is known, of how much."""
    if clause.soft and scene.strict and not clause.personal and not clause.wish:
        clause = msgspec.structs.replace(clause, soft=False)
    ranked, covered = weigh_ranking(clause, scene)
    near = {*clause.stems, *(term.stem for term in clause.terms)}
    hard = [
        _of_all(weigh_quantity(one, near, scene), one, clause, scene)
        for one in clause.quantities
        if not (one.ordinal or any(_is_within(one, atom) for atom in ranked))
        and (is_measure(one.dimension) or not (clause.soft or ranked or _is_label(one, clause, scene)))
    ]
    hard += [weigh_moment(one, scene) for one in clause.moments]
    hard = [atom for atom in hard if not _repeats(atom, clause, scene)] + ranked
    said = _weigh_words(clause, scene, covered)
    atoms = hard + said.atoms
    known = said.known() + HARD_WEIGHT * sum(atom.status == "supported" for atom in hard)
    unknown = len(said.unknown)
    asked = known + unknown + sum(atom.status in ("contradicted", "unsupported") for atom in atoms)
    if any(atom.status == "contradicted" for atom in (hard if clause.personal else atoms)):
        return "contradicted", atoms, (known, asked)
    if any(atom.status == "unsupported" for atom in hard):
        return "unsupported", atoms, (known, asked)
    if clause.soft:
        return ("supported" if hard else "opinion"), hard, (len(hard), len(hard))
    if said.unknown and (empty := _empty(clause, scene)) is not None:
        atoms.append(
            Atom("supported", scene.text[clause.start : clause.end], clause.start, clause.end, empty)
        )
        return "supported", atoms, (1, 1)
    conditional = scene.strict and scene.lexicon.conditions.within(clause.stems)
    telling = known - said.known() + said.known(_naming(said, clause, scene))
    if said.unknown and (conditional or unknown >= telling) and not scene.is_prose:
        return "unsupported", [*atoms, *_missing(said.unknown, scene)], (known, asked)
    return ("supported" if known else "opinion"), atoms, (known, asked)


def _is_within(one: Quantity, atom: Atom) -> bool:
    """Whether a comparison has settled a quantity: cheaper than $400."""
    return atom.start <= one.start and one.end <= atom.end


def _of_all(atom: Atom, one: Quantity, clause: Clause, scene: Scene) -> Atom:
    """The atom of a quantity, held against all records where the clause is about all of them."""
    alone = sum(other.dimension == one.dimension for other in clause.quantities) == 1
    about_all = alone and not scene.fixed and not scene.hidden and clause.stems[0] in _ALL
    return for_all(atom, one, scene) if about_all else atom


_ALL = frozenset(("all", "both", "each", "every"))


def _naming(said: _Words, clause: Clause, scene: Scene) -> frozenset[int]:
    """The places of the words that only name what the clause speaks of: all of a name stands in it."""
    stems = frozenset(clause.stems)
    return frozenset(
        atom.start
        for atom in said.atoms
        if atom.fact is not None and atom.fact.names and atom.fact.words <= stems
    )


def _is_label(one: Quantity, clause: Clause, scene: Scene) -> bool:
    """Whether a number only counts things up: option 2, flight 1."""
    before = next((place for place, word in enumerate(clause.tokens) if word.start >= one.start), 0)
    listed = before > 0 and clause.tokens[before - 1].text in _LISTED
    return listed and (
        not one.dimension or scene.text[one.start : one.start + 8].lstrip("0123456789")[:1] in (":", ")")
    )


_LISTED = frozenset(("option", "flight", "step", "passenger", "segment", "leg", "choice", "item", "part"))
"""What is counted up rather than counted, when the number is behind it."""


def _empty(clause: Clause, scene: Scene) -> Fact | None:
    """The search that found nothing, where the clause says that there is nothing of a kind."""
    if not any(term.denied for term in clause.terms):
        return None
    return next((fact for fact in scene.sheet.facts if fact.truth is False and not fact.keys), None)


def _repeats(atom: Atom, clause: Clause, scene: Scene) -> bool:
    """Whether an amount or date that is no fact is what the user said."""
    if atom.status == "supported" or scene.heard is None:
        return False
    given = atom.status == "unsupported" and _computes(scene)
    if not (clause.soft or _to_user(scene) or given):
        return False
    known = msgspec.structs.replace(scene, sheet=scene.heard, hidden=frozenset())
    amounts = _starting(clause.quantities, atom.start)
    own = scene.text[max(0, atom.start - len(_OWN)) : atom.start].casefold() == _OWN
    if any(one.dimension == "money" for one in amounts) and not (clause.soft or own):
        return False
    again = [weigh_quantity(one, (), known) for one in amounts]
    again += [weigh_moment(one, known) for one in _starting(clause.moments, atom.start)]
    return any(one.status == "supported" for one in again)


def _computes(scene: Scene) -> bool:
    """Whether a claim works something out, with what the user said: for three nights that's 426 in total."""
    return not (scene.strict or scene.stems.isdisjoint(scene.lexicon.derived))


_OWN = "your "
"""What stands before an amount of the user's: your $150 budget."""


def _starting(found: Sequence[_Spanned], start: int) -> Sequence[_Spanned]:
    """Those that start at a place. They are in order."""
    by_start = attrgetter("start")
    return found[bisect_left(found, start, key=by_start) : bisect_right(found, start, key=by_start)]


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
    terms = _with_predicate(
        [term for term in clause.terms if not term.counted and term.start not in covered], clause, scene
    )
    for place, term in enumerate(terms):
        if _names_focus(term, scene):
            continue
        atom = next((atom for rule in WORD_RULES if (atom := rule(term, scene, clause)) is not None), None)
        if atom is not None:
            found.atoms.append(atom)
        elif fields := _fields(term, scene):
            found.named[place] = fields
        elif term.stem in scene.lexicon.opinion or _is_vague(term, scene):
            found.opinions += 1
        elif not (_says_nothing(term, clause, scene) or _is_audience(place, terms, scene)):
            found.unknown.append((place, term))
    if found.unknown:
        # what is said of the word is not known: "insurance cannot be added later" denies no insurance
        found.atoms = [atom for atom in found.atoms if atom.status != "contradicted" or not _is_verbal(atom)]
    _against_fields(terms, found, scene)
    return found


def _fields(term: Term, scene: Scene) -> list[Fact]:
    """The fields that a term names; that something is free names only those of what is spoken of."""
    fields = [one for one in scene.called(term.stem) if term.denied or not one.is_null]
    if term.stem not in scene.lexicon.gratis:
        return fields
    return [one for one in fields if (one.keys - {term.stem}) & scene.topic or not one.keys - {term.stem}]


def _is_verbal(atom: Atom) -> bool:
    """Whether only a negation, or its absence, sets the claim against the fact."""
    fact = atom.fact
    if fact is None:
        return False
    return fact.truth is not None or fact.number is not None or atom.said.casefold() in fact.shown.casefold()


def _with_predicate(terms: Sequence[Term], clause: Clause, scene: Scene) -> Sequence[Term]:
    """The terms, those denied too whose verb is: "pets aren't allowed"."""
    verb = next((term.start for term in terms if term.denied and term.stem in scene.lexicon.frame), -1)
    if clause.tokens[-1].text in scene.lexicon.nothing and ":" in scene.text[clause.start : clause.end]:
        verb = clause.end  # "travel insurance: no"
    if verb < 0:
        return terms
    return [msgspec.structs.replace(term, denied=True) if term.start < verb else term for term in terms]


def _names_focus(term: Term, scene: Scene) -> bool:
    """Whether the term is part of the name of the record that the sentence is about."""
    names = scene.sheet.named.get(term.stem, ())
    return any(record in scene.focus for record, _ in names)


def _is_audience(place: int, terms: Sequence[Term], scene: Scene) -> bool:
    """Whether it says, alone or before such a word, for whom something is: heavy coffee drinkers."""
    people = scene.lexicon.people
    for step, one in enumerate(terms[place : place + MAX_AUDIENCE]):
        if step and scene.text[terms[place + step - 1].end : one.start] != " ":
            return False
        if one.stem in people:
            return True
    return False


MAX_AUDIENCE = 4
"""Words that say for whom something is."""


def _is_vague(term: Term, scene: Scene) -> bool:
    """Whether it measures, without a number, what a fact gives the number of: lightweight."""
    fields = scene.lexicon.gradable.get(term.stem, ())
    return any(fact.quantities or fact.number is not None for field in fields for fact in scene.called(field))


def _says_nothing(term: Term, clause: Clause, scene: Scene) -> bool:
    """Whether it carries the sentence, says what kind of thing a record is, or repeats the user."""
    if term.stem in scene.lexicon.frame or term.stem in scene.sheet.heads:
        return True
    if term.stem in scene.lexicon.money and any(one.dimension == "money" for one in clause.quantities):
        return True  # the amount decides: "you were charged $550"
    if term.denied and term.stem == "cover":
        return True  # what is not covered is excluded
    if scene.strict and kin_of(term.stem) in scene.sheet.key_kin:
        return True  # "we deliver" where the card has a field delivery
    return _is_heard(term, clause, scene)


def _is_heard(term: Term, clause: Clause, scene: Scene) -> bool:
    """Whether it repeats the user: a name, or anything in a sentence to the user (what you need for
    skiing).
    """
    if scene.heard is None or term.stem not in scene.heard.by_word:
        return False
    named = term.start > clause.start + 1 and scene.text[term.start].isupper() and not scene.text.isupper()
    return named or clause.soft or _to_user(scene)


def _to_user(scene: Scene) -> bool:
    return bool(scene.stems & _YOU)


_YOU = frozenset(("you", "your", "you're", "you'd", "you've"))


def _against_fields(terms: Sequence[Term], found: _Words, scene: Scene) -> None:
    """Move out of the unknown what a fact speaks against: another value of the field that is named, or
    of another record.
    """
    left: list[tuple[int, Term]] = []
    for place, term in found.unknown:
        fact = None if term.denied else _other_value(place, terms, found, scene)
        if fact is None:
            left.append((place, term))
        else:
            found.atoms.append(word_atom("contradicted", term, scene, fact))
    found.unknown = left


def _other_value(place: int, terms: Sequence[Term], found: _Words, scene: Scene) -> Fact | None:
    term = terms[place]
    for near, gaps in ((place + 1, _BEFORE), (place - 1, _BEHIND)):
        fields = [
            fact
            for fact in found.named.get(near, ())
            if fact.words
            and fact.number is None
            and not any(one.isdigit() for one in fact.shown)
            and not fact.prose
            and fact.truth is None
            and fact.label <= scene.stems
        ]
        first, second = sorted((place, near))
        beside = fields and scene.text[terms[first].end : terms[second].start].strip().casefold() in gaps
        alone = len({fact.path for fact in fields if not fact.listed}) <= 1
        if beside and alone and fields[0].size_in_words <= MAX_ENUM:
            return fields[0]
    for other in scene.of_others(term.stem):
        if other.prose or other.size_in_words > MAX_ENUM or other.listed or not other.leaf:
            continue
        mine = [fact for key in other.leaf for fact in scene.called(key)]
        for fact in mine:
            if fact.leaf == other.leaf and fact.words and not fact.listed:
                return fact
    return None


_BEFORE, _BEHIND = frozenset(("", "-")), frozenset((":", "is", "are", "is a", "="))
"""What may stand between a value and the name of its field behind it, and before it."""
