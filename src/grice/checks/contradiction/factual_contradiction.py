"""Whether an assistant states two things of which one must be wrong, across turns or against tool results.

What is said is compared by two steps of self-contradiction: statements turned round, and facts of the offer.
Besides, a clause is held against the field that it names in what a tool returned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from grice.checks.contradiction.cascade import case_of, unexcused
from grice.checks.contradiction.consistency import SelfContradiction, Stance
from grice.checks.contradiction.offer_facts import offer_facts
from grice.checks.contradiction.turned_round import turned_round
from grice.checks.contradiction.wordlists import Wordlists, wordlists_for
from grice.claims.facts import Fact, facts_in
from grice.claims.passage import Atom, Clause
from grice.claims.passage_parsing import parse_passage
from grice.claims.terms import parse_text
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
    Turn,
    Verdict,
    failed,
    inconclusive,
    passed,
)
from grice.text import is_blank, shorten, value_text
from grice.text.quantities import Quantity
from grice.text.times import Moment

FactKind = Literal["quantity", "money", "date", "time", "yes_no"]

STEPS = turned_round, offer_facts
"""The steps of self-contradiction that compare what is stated of the world."""

MAX_SHOWN = 5
MAX_QUOTE = 160
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
    one another are statements about the same thing that differ in an amount, money, a date, a time, or in
    what they deny; and, unless `tool_results` is false, values against the field of the last results whose
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
    judged = [turn for turn in turns if only in (None, turn.number)]
    text = "\n".join(turn.full_text if only is None else turn.text for turn in judged)
    if is_blank(text):
        return _Outcome()
    words = wordlists_for(text, language)
    if isinstance(words, str):
        return _Outcome(said=True, unknown=words)
    told = _Told(words)
    stated, found = 0, list[FactualContradiction]()
    for turn in turns:
        told.take(turn)
        if turn in judged:
            statements = list(_statements(turn, words))
            stated += sum(len(one.values) or bool(one.clause.terms) for one in statements)
            found += filter(None, map(told.against, statements if tool_results else ()))
    case = case_of(turns, pairs="all", agreement=False, language=language, since=only or 1)
    compared = [] if isinstance(case, SelfContradiction) else list(unexcused(case, STEPS))
    texts = {turn.number: turn.text for turn in turns}
    for one in compared:
        if one.opposed:
            found.append(_conflict(*(_stated(each, texts, words) for each in (one.earlier, one.later))))
    explains = words.patterns["explains"]
    first = {
        (one.later.turn, one.later.start, one.later.end): one
        for one in reversed(found)
        if not explains.search(one.later.quote.lower())
    }
    return _Outcome(tuple(first[place] for place in sorted(first)), stated, len(compared), said=True)


def _stated(stance: Stance, texts: Mapping[int, str], words: Wordlists) -> StatedFact:
    """What a reply states, from the position that it takes."""
    value, quote = stance.position, texts[stance.turn][stance.start : stance.end]
    parsed = parse_text(value, words.lexicon)
    if parsed.moments:
        kind = _kind(parsed.moments[0])
    else:
        kind = _kind(parsed.quantities[0]) if parsed.quantities else "yes_no"
    about = "" if kind == "yes_no" else kind
    return StatedFact(kind, stance.proposition, about, value, stance.turn, stance.start, stance.end, quote)


class _Statement(msgspec.Struct, frozen=True):
    """A clause that states something, and where its sentence stands in the reply. `values` are by what they
    measure, those of which there is only one.
    """

    turn: int
    clause: Clause
    values: Mapping[str, Atom]
    start: int
    end: int
    quote: str


def _statements(turn: Turn, words: Wordlists) -> Iterator[_Statement]:
    """The clauses of a reply that state something: those with a verb. A list of fields states of nobody."""
    passage, verbs = parse_passage(turn.full_text, words.lexicon), words.lexicon.verbs
    narrated = len(turn.full_text) - len(turn.text) if turn.full_text.endswith(turn.text) else 0
    for sentence in passage.sentences:
        supposes = any(clause.modality == "conditional" for clause in sentence.clauses)
        for clause in () if supposes else sentence.clauses:
            if clause.soft or verbs.isdisjoint(word.text for word in clause.tokens):
                continue
            first, last = passage.span(sentence.start, sentence.end)
            start, end = (first - narrated, last - narrated) if first >= narrated else (0, 0)
            quote = passage.prose.original[first:last]
            yield _Statement(turn.number, clause, _by_measure(clause), start, end, quote)


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


class _Told:
    """What the tools of the last turn with any have returned."""

    def __init__(self, words: Wordlists) -> None:
        self._words = words
        self._facts: list[Fact] = []
        self._turn = 0
        self._calls = Counter[str]()

    def take(self, turn: Turn) -> None:
        """Take the results of a turn; their paths begin with the tool and how many calls that had."""
        if turn.tool_calls:
            self._facts, self._turn = [], turn.number
        for call in turn.tool_calls:
            self._calls[call.name] += 1
            if call.error is None and call.answered and call.result is not None:
                root = f"{call.name}#{self._calls[call.name]}"
                self._facts += facts_in(call.result, self._words.lexicon, root=root)
        del self._facts[MAX_FACTS:]

    def against(self, one: _Statement) -> FactualContradiction | None:
        """The one field whose whole name a statement has, and whose value it does not have."""
        measures = self._words.lexicon.measures
        said = {term.stem for term in one.clause.terms if not term.counted}
        said |= {name for word in said for name in measures.get(word, ())}
        for atom in one.values.values():
            agreed = [(fact, {agree(atom, value) for value in fact.values}) for fact in self._facts]
            meant = [
                fact for fact, found in agreed if fact.keys and fact.keys <= said and found == {"different"}
            ]
            if len({fact.shown for fact in meant}) == 1 and not any("same" in found for _, found in agreed):
                told, kind = meant[0], _kind(atom.value)
                about = told.path.rpartition(".")[2]
                return _conflict(
                    StatedFact(kind, "", about, told.shown, self._turn, quote=told.shown, path=told.path),
                    StatedFact(kind, "", about, atom.said, one.turn, one.start, one.end, one.quote),
                )
        return None


def _kind(value: object) -> FactKind:
    if isinstance(value, Moment):
        return "time" if value.kind == "time" else "date"
    return "money" if isinstance(value, Quantity) and value.dimension == "money" else "quantity"


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
    facts = f"{outcome.stated} fact{'' if outcome.stated == 1 else 's'}"
    return passed(f"{facts} stated, {outcome.compared} compared, none contradicts")


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
