"""Whether an assistant states two things of which one must be wrong, across turns or against tool results.

The rule is a short one: two clauses that share most of their words, and differ in the one value of a measure,
or in what they deny; or a clause that gives a field that a tool returned another value. What the user has
brought up, a tool's call between the two and the assistant's own correction explain a change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from grice.checks.contradiction.wordlists import Wordlists, wordlists_for
from grice.claims.facts import Fact, facts_in
from grice.claims.passage import Atom, Clause, Passage
from grice.claims.passage_parsing import parse_passage
from grice.claims.terms import ParsedText, parse_text
from grice.claims.value_agreement import agree
from grice.formats import read_conversation
from grice.matching.argument_types import Language
from grice.matching.context import Context, record_of
from grice.matching.matcher import ArgumentError, Unsuitable, matcher
from grice.records import (
    Conversation,
    Evidence,
    JsonValue,
    Reply,
    ToolCall,
    Turn,
    Verdict,
    failed,
    inconclusive,
    passed,
)
from grice.text import is_blank, shorten, value_text
from grice.text.quantities import Quantity
from grice.text.times import Moment

FactKind = Literal["quantity", "money", "date", "time", "yes_no", "word"]

MAX_SHOWN = 5
MAX_QUOTE = 160
SHARED = 0.5
"""The share of the words of the longer of two clauses that both have, where they give a value."""

SHARED_BY_DENIAL = 0.75
"""The same where one denies what the other says."""

MIN_SHARED = 2
"""Words that a denial shares with what it denies."""

MAX_BESIDE = 12
"""Clauses with one word that a later one is held against, the last ones."""

MAX_FACTS = 5_000
"""Facts of the results of a turn, the first ones."""


class StatedFact(msgspec.Struct, frozen=True):
    """Something that was stated: `attribute` of `subject` is `value`; `subject` is "" where none is named.

    `turn` counts from 1. `start` and `end` are character offsets into the text of the reply; for a tool
    result both are 0 and `path` is the place, such as `get_order#1.total`.
    """

    kind: FactKind
    subject: str
    attribute: str
    value: str
    turn: int
    start: int = 0
    end: int = 0
    quote: str = ""
    path: str = ""


class FactualContradiction(msgspec.Struct, frozen=True):
    """Two stated facts that cannot both hold; `earlier` may be a tool result. `reason` says it in words."""

    earlier: StatedFact
    later: StatedFact
    reason: str


class _Outcome(msgspec.Struct, frozen=True):
    """What became of a talk: contradictions, and what was looked at."""

    found: tuple[FactualContradiction, ...] = ()
    stated: int = 0
    compared: int = 0
    corrected: int = 0
    said: bool = False
    unknown: str = ""


def factual_contradictions(
    conversation: Conversation | Sequence[Mapping[str, Any]] | Any,
    *,
    tool_results: bool = True,
    language: str | None = None,
) -> tuple[FactualContradiction, ...]:
    """Find what the assistant states that cannot all hold.

    `conversation` is a record, a live conversation, or messages in one of the field's formats. Held against
    one another are clauses that share most of their words and differ in an amount, money, a date, a time, or
    in what they deny; and, unless `tool_results` is false, values against the field of the last results whose
    whole name a clause has. No contradiction is what the user has brought up, a tool's call between the two,
    or the assistant's own correction explains. Nothing is also what comes of a talk in a language without
    rules (`language` is an ISO 639 code where the caller knows it): `to_avoid_factual_contradiction` tells
    the two apart. Raises ArgumentError for what is no conversation, and for a wrong argument; FormatError for
    messages that cannot be read.
    """
    avoid_factual_contradiction(tool_results=tool_results, language=language)  # refuses wrong arguments
    record = record_of(conversation)
    if record is None:
        record = _read(conversation)
    return _outcome(record.turns, tool_results=tool_results, language=language).found


def _read(messages: Any) -> Conversation:
    if isinstance(messages, Mapping):
        return read_conversation(messages)
    if isinstance(messages, str | bytes) or not isinstance(messages, Sequence):
        raise ArgumentError(
            f"conversation is a Conversation or a list of messages, found {value_text(messages)}"
        )
    return read_conversation(list(messages))


def _outcome(
    turns: Sequence[Turn], *, tool_results: bool, language: str | None, only: int | None = None
) -> _Outcome:
    """What becomes of turns; with `only` that of the reply with this number."""
    texts = [turn.full_text if only is None or turn.number < only else turn.text for turn in turns]
    judged = texts[-1] if only is not None and texts else "\n".join(texts)
    if not texts or is_blank(judged):
        return _Outcome()
    words = wordlists_for(judged, language)
    if isinstance(words, str):
        return _Outcome(said=True, unknown=words)
    talk = _Talk(words, tool_results=tool_results)
    found: list[FactualContradiction] = []
    for turn, text in zip(turns, texts, strict=True):
        if turn.number == only:
            talk.stated = talk.compared = talk.corrected = 0
        conflicts = list(talk.take(turn, text))
        if only is None or turn.number == only:
            found += conflicts
    return _Outcome(tuple(found), talk.stated, talk.compared, talk.corrected, True)


class _Statement(msgspec.Struct, frozen=True):
    """A clause that states something: its words and those that it denies, its values, and where it stands.

    `said` are its words as written, by stem, in order. `values` are by what they measure, those of which
    there is only one. `subject` is of what it speaks, `predicate` the one word that it says of that, "" for
    none or several. `narrated` is how many characters stand before the answer of its turn.
    """

    turn: int
    said: Mapping[str, str]
    denied: frozenset[str]
    values: Mapping[str, Atom]
    subject: frozenset[str]
    predicate: str
    passage: Passage
    start: int
    end: int
    narrated: int

    @property
    def words(self) -> frozenset[str]:
        """The stems of its words but for those of its values."""
        return frozenset(self.said)

    def fact(self, kind: FactKind, about: str, subject: str, value: str) -> StatedFact:
        """What is stated, with its place in the reply."""
        first, last = self.passage.span(self.start, self.end)
        start, end = (first - self.narrated, last - self.narrated) if first >= self.narrated else (0, 0)
        return StatedFact(
            kind, subject, about, value, self.turn, start, end, self.passage.prose.original[first:last]
        )


class _Talk:
    """What was said and told so far. `take` gives what contradicts in the next turn."""

    def __init__(self, words: Wordlists, *, tool_results: bool) -> None:
        self.stated = self.compared = self.corrected = 0
        self._words, self._tool_results = words, tool_results
        self._said: dict[str, list[_Statement]] = {}
        self._told: list[Fact] = []
        self._told_in = 0
        self._calls: dict[str, int] = {}

    def take(self, turn: Turn, text: str) -> Iterator[FactualContradiction]:
        """What contradicts in a turn: what was said since the last call of a tool, and what that returned."""
        user = parse_text(turn.user, self._words.lexicon)
        if turn.tool_calls:
            self._said = {}
            told = [one for call in turn.tool_calls for one in self._told_by(call)]
            self._told, self._told_in = told[:MAX_FACTS], turn.number
        patterns = self._words.patterns
        narrated = len(text) - len(turn.text) if turn.text and text.endswith(turn.text) else 0
        statements = list(_statements(turn.number, text, narrated, self._words))
        for one in statements:
            self.stated += len(one.values) or bool(one.words)
            found = self._against_results(one) if self._tool_results else None
            found = found or self._against_earlier(one, user)
            if found is None:
                continue
            if patterns["acknowledges"].search(text.lower()) or patterns["explains"].search(
                found.later.quote.lower()
            ):
                self.corrected += 1
            else:
                yield found
        for one in statements:
            for word in one.words:
                self._said.setdefault(word, []).append(one)

    def _told_by(self, call: ToolCall) -> list[Fact]:
        """The facts of what a call returned; their paths begin with its tool and how many calls that had."""
        count = self._calls[call.name] = self._calls.get(call.name, 0) + 1
        if call.error is not None or call.result is msgspec.UNSET or call.result is None:
            return []
        return facts_in(call.result, self._words.lexicon, root=f"{call.name}#{count}")

    def _against_earlier(self, one: _Statement, user: ParsedText) -> FactualContradiction | None:
        beside = {id(each): each for word in one.words for each in self._said.get(word, ())[-MAX_BESIDE:]}
        brought_up = {term.stem for term in user.terms}
        doubts = self._words.patterns["doubts"].search(user.text.lower()) is not None
        gives = bool(user.quantities or user.moments) and not doubts and "?" not in user.text
        for other in beside.values():
            shared = one.words & other.words
            share = len(shared) / max(len(one.words), len(other.words))
            if share < SHARED or (one.words - other.words) & brought_up:
                continue
            self.compared += 1
            flipped = [stem for stem in one.said if stem in shared and _denies(one, other, stem)]
            apart = None if flipped or gives else _differing(one, other)
            if apart is not None:
                subject, kind = _subject(one, shared), _kind(apart[0])
                earlier, later = (
                    each.fact(kind, kind, subject, value.said)
                    for each, value in zip((other, one), reversed(apart), strict=True)
                )
                return _conflict(earlier, later)
            same_values = one.values.keys() == other.values.keys()
            short = one.words <= other.words
            if flipped and (short or share >= SHARED_BY_DENIAL) and len(shared) >= MIN_SHARED and same_values:
                about = one.said[flipped[-1]]
                subject = _subject(one, shared - {flipped[-1]})
                return _conflict(
                    *(each.fact("yes_no", about, subject, _yes_or_no(each, flipped)) for each in (other, one))
                )
        return None

    def _against_results(self, one: _Statement) -> FactualContradiction | None:
        """The one field whose whole name a statement has, and whose value it does not have.

        A word is held against that of the field of which the statement speaks, as in "the status is".
        """
        measures = self._words.lexicon.measures
        words = one.words.union(*(measures.get(word, ()) for word in one.words))
        named = [fact for fact in self._told if fact.keys and fact.keys <= words]
        for atom in one.values.values():
            agreed = [(fact, {agree(atom, value) for value in fact.values}) for fact in self._told]
            meant = [fact for fact, found in agreed if fact in named and found == {"different"}]
            if len({fact.shown for fact in meant}) == 1 and not any("same" in found for _, found in agreed):
                return self._untold(meant[0], one, _kind(atom), atom.said)
        words_told = [fact for fact in named if fact.keys <= one.subject and _is_word(fact)]
        if one.predicate and len({fact.shown for fact in words_told}) == 1:
            told = words_told[0]
            if one.predicate not in told.words:
                return self._untold(told, one, "word", one.said[one.predicate])
        return None

    def _untold(self, told: Fact, one: _Statement, kind: FactKind, said: str) -> FactualContradiction:
        about = told.path.rpartition(".")[2]
        return _conflict(
            StatedFact(kind, "", about, told.shown, self._told_in, quote=told.shown, path=told.path),
            one.fact(kind, about, "", said),
        )


def _statements(turn: int, text: str, narrated: int, words: Wordlists) -> Iterator[_Statement]:
    """The clauses of a reply that state something: those with a verb. A list of fields states of nobody."""
    passage, lexicon = parse_passage(text, words.lexicon), words.lexicon
    for sentence in passage.sentences:
        supposes = any(clause.modality == "conditional" for clause in sentence.clauses)
        for clause in () if supposes else sentence.clauses:
            if clause.soft or lexicon.verbs.isdisjoint(word.text for word in clause.tokens):
                continue
            text = passage.prose.text
            yield _Statement(
                turn,
                {one.stem: text[one.start : one.end] for one in clause.terms if not one.counted},
                frozenset(term.stem for term in clause.terms if term.denied),
                _by_measure(clause),
                clause.subject,
                _predicate(clause),
                passage,
                sentence.start,
                sentence.end,
                narrated,
            )


def _by_measure(clause: Clause) -> dict[str, Atom]:
    """The values of a clause by what they measure, where it has one of them; a name has none."""
    found: dict[str, list[Atom]] = {}
    for atom in clause.atoms:
        value = atom.value
        if isinstance(value, Moment):
            found.setdefault(value.kind, []).append(atom)
        elif isinstance(value, Quantity) and not value.ordinal and value.dimension != "name":
            found.setdefault(value.dimension or "number", []).append(atom)
    return {measure: atoms[0] for measure, atoms in found.items() if len(atoms) == 1}


def _predicate(clause: Clause) -> str:
    """The stem of the one word that a clause says of its subject, unless it denies it."""
    left = [term for term in clause.terms if term.stem not in clause.subject]
    return left[0].stem if len(left) == 1 and not (left[0].denied or left[0].counted) else ""


def _is_word(fact: Fact) -> bool:
    """Whether a field says one word, such as a status."""
    return len(fact.words) == 1 and not fact.values and fact.truth is None and fact.number is None


def _denies(one: _Statement, other: _Statement, stem: str) -> bool:
    """Whether one of two statements denies a word that the other says."""
    return (stem in one.denied) is not (stem in other.denied)


def _yes_or_no(one: _Statement, words: Sequence[str]) -> str:
    return "yes" if one.denied.isdisjoint(words) else "no"


def _subject(one: _Statement, shared: frozenset[str]) -> str:
    """What a statement shares with another, in its own words."""
    return " ".join(text for stem, text in one.said.items() if stem in shared)


def _differing(one: _Statement, other: _Statement) -> tuple[Atom, Atom] | None:
    """The values of one measure that cannot both hold."""
    for measure, mine in one.values.items():
        theirs = other.values.get(measure)
        if theirs is not None and agree(mine, theirs) == agree(theirs, mine) == "different":
            return mine, theirs
    return None


def _kind(atom: Atom) -> FactKind:
    if isinstance(atom.value, Moment):
        return "time" if atom.value.kind == "time" else "date"
    return "money" if atom.kind == "money" else "quantity"


def _conflict(earlier: StatedFact, later: StatedFact) -> FactualContradiction:
    said = f"turn {later.turn} says {value_text(shorten(later.quote, MAX_QUOTE))}"
    if earlier.path:
        before = f"{earlier.path} of turn {earlier.turn} is {value_text(shorten(earlier.value, MAX_QUOTE))}"
    else:
        before = f"turn {earlier.turn} said {value_text(shorten(earlier.quote, MAX_QUOTE))}"
    expected = f"expected {earlier.value}, or words that explain the change"
    about = ", ".join(filter(None, (later.subject, later.attribute)))
    return FactualContradiction(earlier, later, f"{said} ({about}: {later.value}), but {before}; {expected}")


@matcher(
    "toAvoidFactualContradiction",
    layer=2,
    describe="avoid factual contradiction[tool_results?, tool results left aside]",
)
def avoid_factual_contradiction(
    subject: Conversation | Reply,
    ctx: Context,
    *,
    tool_results: bool = True,
    language: Language | None = None,
) -> Verdict:
    """The assistant states nothing that contradicts what it stated before, or its tools' results.

    Of a reply its own facts are held against everything before. It is `inconclusive` where
    nothing is stated that could be compared, and without a pack for the language. See
    `factual_contradictions`. Examples: factual-contradiction.examples.jsonl.
    """
    turns, only = _turns(subject, ctx)
    outcome = _outcome(turns, tool_results=tool_results, language=language, only=only)
    if not outcome.said:
        return inconclusive("the assistant said nothing: there is nothing to look at")
    if outcome.unknown:
        return inconclusive(outcome.unknown)
    if outcome.found:
        return _failed(outcome)
    if not outcome.stated:
        return inconclusive("no facts are stated that could be compared: no amount, date or time, yes or no")
    corrected = f"; {outcome.corrected} corrected by the assistant itself" if outcome.corrected else ""
    facts = f"{outcome.stated} fact{'' if outcome.stated == 1 else 's'}"
    return passed(f"{facts} stated, {outcome.compared} compared, none contradicts{corrected}")


def _turns(subject: Any, ctx: Context) -> tuple[Sequence[Turn], int | None]:
    if isinstance(subject, Conversation):
        return subject.turns, None
    if isinstance(subject, str):
        from grice.records import Message

        return (Turn(1, (Message("assistant", subject),)),), 1
    turn = ctx.turn if ctx.turn is not None else subject if isinstance(subject, Turn) else None
    if turn is None:
        raise Unsuitable(f"a Conversation or a Reply, found {value_text(subject)}")
    earlier = ctx.conversation.turns[: turn.number - 1] if ctx.conversation is not None else ()
    return (*earlier, turn), turn.number


def _failed(outcome: _Outcome) -> Verdict:
    evidence: list[Evidence] = []
    for one in outcome.found[:MAX_SHOWN]:
        if one.earlier.path:
            evidence.append(Evidence(one.earlier.quote, one.earlier.turn, path=one.earlier.path))
        else:
            evidence.append(Evidence(one.earlier.quote, one.earlier.turn, one.earlier.start, one.earlier.end))
        evidence.append(
            Evidence(
                one.later.quote, one.later.turn, one.later.start, one.later.end, note=one.later.attribute
            )
        )
    more = f"\nand {len(outcome.found) - MAX_SHOWN} more" if len(outcome.found) > MAX_SHOWN else ""
    reason = "\n".join(one.reason for one in outcome.found[:MAX_SHOWN]) + more
    kinds: dict[str, JsonValue] = {"rules": list(dict.fromkeys(one.later.kind for one in outcome.found))}
    return msgspec.structs.replace(failed(reason, evidence=tuple(evidence)), detail=kinds)
