"""What tools told, as facts that a saying is held against."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

import msgspec
from msgspec import UNSET

from grice.checks.contradiction.facts.comparing import Conflict, Difference
from grice.checks.contradiction.facts.sayings import Saying
from grice.checks.contradiction.facts.values import Value
from grice.checks.contradiction.facts.vocabulary import Vocabulary
from grice.claims.agreeing import agree
from grice.claims.fact_store import kin_of
from grice.claims.facts import Fact, facts_in
from grice.claims.field_names import Names
from grice.claims.passage import Atom
from grice.claims.terms import parse_text
from grice.records import ToolCall
from grice.text.quantities import Quantity
from grice.text.times import Moment

__all__ = ["Results"]

MAX_CHOICE = 30
"""Characters of a value that is a code or a name."""

MAX_AROUND = 2
"""Words that may stand beside a yes or no of which a tool told, and its record."""

MAX_CALL = 500
"""Characters of what a call was given that count as its words."""

MAX_FACTS = 5_000
"""Facts of one call, and of all calls, that count: the first ones, and the last ones."""


class _Told(msgspec.Struct, frozen=True, gc=False):
    """A fact, the call that told it with its words, and its turn.

    `names` are the stems of its name, `record` those in the names of its record.
    """

    fact: Fact
    root: str
    call: frozenset[str]
    turn: int
    names: frozenset[str]
    record: frozenset[str]


class Results:
    """The facts of the results so far. A saying is held against those of the last turn that had some."""

    def __init__(self, words: Vocabulary) -> None:
        self._words = words
        self._calls: dict[str, int] = {}
        self._told: list[_Told] = []
        self._last: dict[str, list[_Told]] = {}
        self._turn = 0

    def take(self, call: ToolCall, turn: int) -> None:
        """Add what a call told."""
        self._calls[call.name] = self._calls.get(call.name, 0) + 1
        root = f"{call.name}#{self._calls[call.name]}"
        result = call.error if call.error is not None else call.result
        if result is UNSET or result is None:
            return
        said = " ".join((call.name.replace("_", " "), *map(str, call.arguments.values())))[:MAX_CALL]
        reading = parse_text(said, self._words.lexicon)
        around = frozenset((*reading.stems, *(term.stem for term in reading.terms)))
        if turn != self._turn:
            self._last, self._turn = {}, turn
        for fact in facts_in(result, self._words.lexicon, root=root)[:MAX_FACTS]:
            names = frozenset(stem.lstrip("!") for stem in fact.names.leaf | fact.names.label)
            record = " ".join(fact.records[-1].names) if fact.records else ""
            stems = frozenset(parse_text(record, self._words.lexicon).stems)
            told = _Told(fact, root, around, turn, names, stems)
            self._told.append(told)
            if not fact.size:  # a count can be meant by what its call says
                counts = around if names & self._words.stems["counts"] else frozenset[str]()
                for name in {kin_of(stem) for stem in names | counts}:
                    self._last.setdefault(name, []).append(told)
        del self._told[:-MAX_FACTS]

    def _called(self, stems: AbstractSet[str]) -> list[_Told]:
        """The facts of the last turn with one of these stems in their names."""
        found = {id(one): one for stem in stems for one in self._last.get(kin_of(stem), ())}
        return list(found.values())

    def words_of(self, turn: int) -> frozenset[str]:
        """The words of the calls of a turn."""
        return frozenset().union(*{one.call for one in self._told if one.turn == turn})

    def tell(self, apart: Difference, later: Saying, since: int) -> bool:
        """Whether a result has the new value, or speaks of what is denied now."""
        told = [one.fact for one in self._told if one.turn >= since]
        if apart.later is None:
            return any(fact.truth is not None or not fact.words.isdisjoint(later.terms) for fact in told)
        return any(_agrees(apart.later, fact) for fact in told)

    def against(self, one: Saying) -> Conflict | None:
        """The fact that a saying contradicts."""
        for value in one.values:
            told = self._against_value(one, value)
            if told is not None:
                shown = Value(value.measure, told.fact.shown, told.fact.shown, 0, 0)
                return _conflict(one, told, Difference(value.attribute or value.measure, shown, value))
        for told in self._spoken_of(one):
            if stem := self._denied_of(one, told.fact):
                return _conflict(one, told, Difference(stem))
        return None

    def _against_value(self, one: Saying, value: Value) -> _Told | None:
        """The fact of what a value is said to be, where none that fits as well has the value."""
        if isinstance(value.value, Quantity) and value.value.approximate:
            return None
        ranked: list[tuple[tuple[bool, int, int], bool, _Told]] = []
        about = one.words.union(one.terms, self._meant(one, value))
        for told in self._called(about):
            agrees = _agrees(value, told.fact)
            rank = self._rank(one, value, told) if agrees is not None else None
            if agrees is None or rank is None:
                continue
            if agrees or not any(_agrees(each, told.fact) for each in one.values):  # not 46 of 50 seats
                ranked.append((rank, agrees, told))
        best = max((rank for rank, _, _ in ranked), default=None)
        top = [(agrees, told) for rank, agrees, told in ranked if rank == best]
        if not top or any(agrees for agrees, _ in top) or len({told.fact.shown for _, told in top}) > 1:
            return None
        told = top[-1][1]
        if any(each.root != told.root and _agrees(value, each.fact) for each in self._told):
            return None
        return told

    def _rank(self, one: Saying, value: Value, told: _Told) -> tuple[bool, int, int] | None:
        """How well a fact is what a value is said of, by its name and record; None where not at all."""
        words, fact = self._words, told.fact
        about, meant = one.words.union(one.terms, (value.attribute,)), self._meant(one, value)
        leaf = told.names
        telling = {stem.lstrip("!") for stem in fact.names.leaf} - words.stems["empty"] - words.stems["units"]
        telling -= words.stems["over"]
        counts = words.stems["counts"]
        if value.counts and telling <= about | counts:  # list_drafts: {"count": 4}
            leaf, telling = leaf | told.call, telling - counts
        known = leaf.union(meant, told.call, *(record.words for record in fact.records))
        is_told = bool(leaf & meant)
        named = bool(telling) and one.names <= known and isinstance(value.value, Quantity | Moment)
        untold = {kin_of(stem) for stem in telling} - {kin_of(stem) for stem in about | meant}
        if untold or not (is_told or (named and value.measure != "number")):
            return None
        others = words.stems["apart"] - words.stems["over"]
        others |= words.attributes["money"] if value.measure == "money" else frozenset()
        if others.intersection(one.terms) - known:
            return None
        record = _record(one, told)
        return None if "[" in fact.path and not record else (is_told, len(leaf & about), record)

    def _meant(self, one: Saying, value: Value) -> frozenset[str]:
        """How a field may be called that has what a value is of."""
        fields = self._words.fields.get(value.attribute, frozenset())
        return fields.union(one.before.get(value.attribute, ()), (value.attribute,))

    def _spoken_of(self, one: Saying) -> Iterator[_Told]:
        """The facts that a saying may deny; of a field of several records that of the one it speaks of."""
        groups: dict[Names, list[_Told]] = {}
        for told in self._called(one.terms.keys() | {"status"}):
            groups.setdefault(told.fact.names, []).append(told)
        for same in groups.values():
            *others, last = sorted(((_record(one, told), n) for n, told in enumerate(same)))[-2:]
            if not others or others[0][0] < last[0]:
                yield same[last[1]]

    def _denied_of(self, one: Saying, fact: Fact) -> str:
        """The word of a yes or no, or of a status, that a saying denies; nothing where it does not."""
        if "status" in fact.path.rpartition(".")[2].casefold():
            return self._other_stage(one, fact)
        leaf = {stem.lstrip("!"): stem.startswith("!") for stem in fact.names.leaf}
        if (
            fact.truth is None
            or not leaf
            or not leaf.keys() <= one.terms.keys()
            or one.marks & {"i", "weighs"}
        ):
            return ""
        if len(one.words.difference(leaf, *(record.words for record in fact.records))) > MAX_AROUND:
            return ""
        stem = next(iter(leaf))
        having = self._words.stems["having"] | leaf.keys()
        says = not any(flag and word in having for word, flag in one.terms.items())
        return stem if (says != leaf[stem]) != fact.truth else ""

    def _other_stage(self, one: Saying, fact: Fact) -> str:
        """The state that is not that of which a tool told: delivered, where it is in transit."""
        told = frozenset(fact.shown.casefold().replace("_", " ").split())
        voids, holds = self._words.tokens["voids"], self._words.tokens["holds"]
        stage = _stage(told, self._words)
        for state, denied in one.states.items():
            claimed = _stage(frozenset((state,)), self._words)
            if claimed > 0 <= stage and (claimed <= stage if denied else claimed > stage):
                return self._words.stem_of(state)
            if not denied and ((state in holds and told & voids) or (state in voids and told & holds)):
                return self._words.stem_of(state)
        return ""


def _conflict(one: Saying, told: _Told, apart: Difference) -> Conflict:
    return Conflict(Saying(one.words, told.turn, told.fact.shown, path=told.fact.path), one, apart)


def _record(one: Saying, told: _Told) -> int:
    """How many words say that the record of a fact is spoken of; its names count twice."""
    if not told.fact.records:
        return 0
    words = told.fact.records[-1].words | told.record
    return len(words & one.words - told.fact.words) + len(told.record & one.words)


def _stage(states: frozenset[str], words: Vocabulary) -> int:
    """How far an order is, -1 where nothing says so."""
    return next((number for number, some in enumerate(words.stages) if some & states), -1)


def _agrees(value: Value, fact: Fact) -> bool | None:
    """Whether a fact has a value; None where it has none of the kind."""
    if isinstance(value.value, str):
        is_code = not fact.size and len(fact.shown) <= MAX_CHOICE
        return fact.shown.casefold() == value.said.casefold() if is_code else None
    atom = Atom("quantity", value.value, value.said, 0, 0, ends=value.ends)
    if not isinstance(value.value, Quantity):
        results = {agree(atom, one) for one in fact.moments}
    else:
        results = {agree(atom, one) for one in fact.quantities}
        bare = value.counts if fact.quantities else value.counts or value.measure in ("money", "percent")
        if fact.number is not None and bare and results <= {"not comparable"}:
            return fact.number == value.value.low if value.value.low == value.value.high else None
    return True if "same" in results else False if "different" in results else None
