"""Compare a text with facts: each of its claims is supported, contradicted, unsupported, or an opinion.

The rule is a short one on purpose. A value is supported where any fact has it, and contradicted where a fact
of the same measure that shares a word with its clause has another one. A word is supported where the facts
have it, and contradicted where they deny it, or have its opposite. What is left counts by its share. Longer
rules were no better on texts that nobody had seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from msgspec.structs import replace

from grice.claims.claim_findings import Finding, Point, Status, worst
from grice.claims.fact_store import FactStore, UserStatements, kin_of
from grice.claims.facts import Fact, Record
from grice.claims.lexicon import Lexicon
from grice.claims.passage import Atom, Clause, Passage, Sentence, is_measure
from grice.claims.terms import Term
from grice.claims.value_agreement import Agreement, agree, shown_number
from grice.text.quantities import Quantity
from grice.text.words import stem

VALUE_WEIGHT = 1.5
"""What a supported value counts beside words; a yes or no of a field is one."""

NAME_WEIGHT = 0.5
"""What a word counts that only names a field, or that the user said."""

UNKNOWN_SHARE = 0.5
"""The share of what is said that is in no fact, from which on it is unsupported."""

FEW = 3
"""Counts up to here are words of ordinary talk ("the two of them"): no fact need have them."""

BESIDE, WITHIN, AROUND = 9, 3, 1
"""What a word counts towards the field that it names: behind the value, in its clause, in its sentence."""

NEAR = 3
"""The words of a clause that a fact of several words has to share for its denial to be one of the clause."""


def settle(
    passage: Passage,
    store: FactStore,
    *,
    only: Sequence[Sentence] | None = None,
    focus: frozenset[Record] = frozenset(),
    user_statements: UserStatements | None = None,
) -> list[Finding]:
    """Decide every claim of a text, or `only` these. Places are those in the original text.

    A record that a sentence names is what the next ones mean by "it", and the records beside it are left out
    of sight. `focus` are the records that the text is about from its start, and no others. What
    `user_statements` has is no fact, and no invention either.
    """
    meant = focus
    findings: list[Finding] = []
    for claim in passage.claims if only is None else only:
        meant = focus or store.meant_by(claim.stems | claim.topic) or meant
        facts = _Facts(store, meant, user_statements, passage.prose.text)
        findings.append(_placed(_settle_claim(claim, facts), passage))
    return findings


def _placed(finding: Finding, passage: Passage) -> Finding:
    """The finding with places in the original text."""
    points = []
    for one in finding.points:
        start, end = passage.span(one.start, one.end)
        points.append(replace(one, start=start, end=end))
    start, end = passage.span(finding.start, finding.end)
    return replace(finding, start=start, end=end, points=tuple(points))


class _Facts:
    """The facts in sight of a claim: those of the records that are meant, and those of no record."""

    def __init__(
        self, store: FactStore, meant: frozenset[Record], user: UserStatements | None, text: str
    ) -> None:
        self.lexicon: Lexicon = store.lexicon
        self.user, self.text = user, text
        self.is_prose = store.is_prose
        self._store, self._hidden = store, store.beside_records(meant)

    def saying(self, stem: str) -> list[Fact]:
        """The facts that say or deny a word."""
        return self._seen(self._store.saying(stem))

    def called(self, stem: str) -> list[Fact]:
        """The facts with the word in the names of their fields, but for fields without a value."""
        return [one for one in self._seen(self._store.called(stem)) if not one.is_null]

    def valued(self) -> list[Fact]:
        """The facts with a value."""
        return self._seen(self._store.valued)

    def of_others(self, stem: str) -> Fact | None:
        """A fact of a record beside those that are meant, which says a word."""
        return next(
            (one for one in self._store.saying(stem) if not self._hidden.isdisjoint(one.records)), None
        )

    def names(self, stem: str) -> bool:
        """Whether a word is only spoken of: in the name of a field, in another form, or by the user."""
        named = (stem, *self.lexicon.measures.get(stem, ()))
        if any(map(self.called, named)) or self._store.has_kin(kin_of(stem)):
            return True
        return self.user is not None and self.user.has_word(stem)

    def _seen(self, facts: Sequence[Fact]) -> list[Fact]:
        return [one for one in facts if self._hidden.isdisjoint(one.records)]


def _settle_claim(claim: Sentence, facts: _Facts) -> Finding:
    """What becomes of a claim: the worst that is found decides. Fields are held against each clause,
    sentences against the whole: they say it in other words.
    """
    together = [claim.clauses] if facts.is_prose else [[clause] for clause in claim.clauses]
    points: list[Point] = []
    statuses: list[Status] = []
    known = asked = 0.0
    for clauses in together:
        parts = [_settle_clause(clause, claim, facts) for clause in clauses]
        found = [point for settled, _, _ in parts for point in settled]
        unknown = [term for _, terms, _ in parts for term in terms]
        weight = sum(part for _, _, part in parts)
        known, asked = known + weight, asked + weight + len(unknown)
        if unknown and len(unknown) >= UNKNOWN_SHARE * (weight + len(unknown)):
            found += _missing(unknown, facts)
        points += found
        statuses.extend([one.status for one in found])
        if weight and not all(clause.soft for clause in clauses):
            statuses.append("supported")
    share = known / asked if asked else None
    return Finding(worst(statuses), claim.text, claim.start, claim.end, tuple(points), share)


def _settle_clause(clause: Clause, claim: Sentence, facts: _Facts) -> tuple[list[Point], list[Term], float]:
    """The points of a clause, its words in no fact, and how much of it the facts have."""
    around = dict.fromkeys(_meant_by(claim.stems | claim.topic, facts.lexicon), AROUND)
    around |= dict.fromkeys(_meant_by((term.stem for term in clause.terms), facts.lexicon), WITHIN)
    points = list(_values(clause, around, facts))
    known = VALUE_WEIGHT * sum(one.status == "supported" for one in points)
    unknown: list[Term] = []
    lexicon = facts.lexicon
    for term in () if clause.soft else clause.terms:
        if term.counted:
            continue
        point = _settle_state(term, around, facts)
        if point is None and (term.stem in lexicon.opinion or term.stem in lexicon.frame):
            continue
        if point is None and not (term.denied and clause.tokens[0].text == "there"):  # there is no such thing
            point = _settle_word(term, around, facts)
        if point is not None:
            points.append(point)
            known += VALUE_WEIGHT if point.fact is not None and point.fact.truth else 1
        elif facts.names(term.stem):
            known += NAME_WEIGHT
        else:
            unknown.append(term)
    return points, unknown, known


def _missing(unknown: Sequence[Term], facts: _Facts) -> Iterator[Point]:
    """What is in no fact, words side by side in one."""
    last: Point | None = None
    for term in unknown:
        if last is not None and facts.text[last.end : term.start].isspace():
            last = Point("unsupported", facts.text[last.start : term.end], last.start, term.end)
            continue
        if last is not None:
            yield last
        last = _point("unsupported", term, facts)
    if last is not None:
        yield last


def _meant_by(stems: Iterable[str], lexicon: Lexicon) -> Iterator[str]:
    """Stems but for numbers, and the names of the measures that they stand for: tall, of a height."""
    for one in stems:
        if not one[0].isdigit():
            yield one
            yield from lexicon.measures.get(one, ())


def _values(clause: Clause, around: Mapping[str, int], facts: _Facts) -> Iterator[Point]:
    """What becomes of the values of a clause; those that the user gave are no claims."""
    for atom in clause.atoms:
        if atom.kind == "state" or atom.denied:
            continue
        point = _settle_value(atom, _around_value(atom, clause, around, facts.lexicon), facts.valued())
        if _is_negated(atom, clause, facts.lexicon):
            point = replace(point, status=_OPPOSITE.get(point.status, point.status))
        if point.status == "supported" or not (_is_few(atom.value) or _is_of_user(atom, facts.user)):
            yield point


def _around_value(
    atom: Atom, clause: Clause, around: Mapping[str, int], lexicon: Lexicon
) -> Mapping[str, int]:
    """What is spoken of around a value: most surely the measure behind it, of "60 cm wide" the width."""
    behind = next((word.text for word in clause.tokens if word.start >= atom.end), "")
    measures = lexicon.measures.get(stem(behind, lexicon.pack), ())
    return {**around, **dict.fromkeys(measures, BESIDE)} if measures else around


_OPPOSITE: Mapping[Status, Status] = {"supported": "contradicted", "contradicted": "supported"}


def _is_negated(atom: Atom, clause: Clause, lexicon: Lexicon) -> bool:
    """Whether a clause says of something that it is not a value: the price isn't $299."""
    before = next((word.text for word in reversed(clause.tokens) if word.end <= atom.start), "")
    return before in lexicon.pack.negations or before.endswith(lexicon.pack.negation_endings)


def _is_few(value: object) -> bool:
    """Whether a value is a small count, or the place in an order."""
    if not isinstance(value, Quantity) or is_measure(value.dimension):
        return False
    return value.ordinal or (value.low is not None and value.low <= FEW)


def _is_of_user(atom: Atom, user: UserStatements | None) -> bool:
    return user is not None and any(_agreement(atom, one) == "same" for one in user.store.valued)


def _settle_value(atom: Atom, around: Mapping[str, int], facts: Sequence[Fact]) -> Point:
    """What those facts say of a value that the clause speaks of most surely, of all with one of its kind.
    Where several are as near, one that has the value supports it.
    """
    compared = [
        (fact, found, _nearness(fact, around))
        for fact in facts
        if (found := _agreement(atom, fact)) != "not comparable"
    ]
    elsewhere = [fact for fact, found, _ in compared if found == "same"]
    agreed = [
        (fact, found, near)
        for fact, found, near in compared
        if not _is_bare(atom, fact) or (near if found == "same" else near >= BESIDE and elsewhere)
    ]
    most = max((near for _, _, near in agreed), default=0)
    same = {near: fact for fact, found, near in agreed if found == "same"}
    if most in same:
        return Point("supported", atom.said, atom.start, atom.end, same[most])
    if not most:
        return Point("unsupported", atom.said, atom.start, atom.end)
    meant = next(fact for fact, _, near in agreed if near == most)
    note = f"that is {elsewhere[0].where}, and {meant.line}" if elsewhere else ""
    return Point("contradicted", atom.said, atom.start, atom.end, meant, note)


def _is_bare(atom: Atom, fact: Fact) -> bool:
    """Whether a measure is held against a number without a unit. One that is spoken of has it; one that is
    named behind the value has another, where that is the number of another field.
    """
    return isinstance(atom.value, Quantity) and is_measure(atom.value.dimension) and not fact.values


def _nearness(fact: Fact, around: Mapping[str, int]) -> int:
    """How surely a clause speaks of a fact: by the words of its field, of its record, and of its sentence."""
    words = fact.keys.union(*(one.words for one in fact.records))
    return sum(around.get(one, 0) for one in (words | fact.words if fact.prose else words))


def _agreement(atom: Atom, fact: Fact) -> Agreement:
    """Whether a fact has a value. What is no measure is the same as a bare number, or a count of other
    things.
    """
    value = atom.value
    if isinstance(value, str):
        said = value.casefold()
        return "same" if said in fact.words or said in fact.shown.casefold() else "not comparable"
    results = {agree(atom, one) for one in fact.values}
    if "same" in results:
        return "same"
    if isinstance(value, Quantity) and is_measure(value.dimension):
        bare = shown_number(atom.said) if fact.number is not None and not fact.values else None
        if bare is not None:
            return "same" if bare == fact.number else "different"
    elif _has_number(fact, value.low if isinstance(value, Quantity) else shown_number(atom.said)):
        return "same"
    return "different" if "different" in results else "not comparable"


def _has_number(fact: Fact, number: Decimal | None) -> bool:
    """Whether a fact has a number that measures nothing."""
    if number is None:
        return False
    counts = (one.low for one in fact.quantities if not is_measure(one.dimension))
    return number in (fact.number, *counts) or f"{number}" in fact.words


def _settle_state(term: Term, around: Mapping[str, int], facts: _Facts) -> Point | None:
    """What a yes or no, or a count, says of the word that names it."""
    known = around.keys() | facts.lexicon.frame
    told = [one for one in facts.called(term.stem) if one.holds is not None and one.keys <= known]
    if not told:
        return None
    fact = max(reversed(told), key=lambda one: _nearness(one, around))  # the last that was told, of several
    return _point("contradicted" if fact.holds is term.denied else "supported", term, facts, fact)


def _settle_word(term: Term, around: Mapping[str, int], facts: _Facts) -> Point | None:
    """What the facts say of a word: by having it or denying it, by its opposite, or of another record."""
    lexicon = facts.lexicon
    saying = facts.saying(term.stem)
    if saying:
        same = next((one for one in saying if term.stem in (one.denied if term.denied else one.words)), None)
        other = saying[0]
        words = other.words | other.denied
        near = len(words) < NEAR or len(words & around.keys()) >= NEAR
        if same is None and near:
            return _point("contradicted", term, facts, other)
        return _point("supported", term, facts, same or other)
    for opposite in () if term.denied else sorted(lexicon.opposites.get(term.stem, ())):
        told = next((one for one in facts.saying(opposite) if opposite in one.words), None)
        if told is not None:
            return _point("contradicted", term, facts, told)
    elsewhere = None if facts.called(term.stem) else facts.of_others(term.stem)
    return None if elsewhere is None else _point("contradicted", term, facts, elsewhere)


def _point(status: Status, term: Term, facts: _Facts, fact: Fact | None = None) -> Point:
    return Point(status, facts.text[term.start : term.end], term.start, term.end, fact)
