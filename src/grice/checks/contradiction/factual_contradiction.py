"""Whether an assistant states two things of which one must be wrong, across turns or against tool results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from grice.checks.contradiction.facts.comparing import Conflict, Difference
from grice.checks.contradiction.facts.history import History
from grice.checks.contradiction.facts.sayings import Saying
from grice.checks.contradiction.facts.vocabulary import Vocabulary, vocabulary_for
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
from grice.text.words import words as words_of

__all__ = [
    "FactKind",
    "FactualContradiction",
    "StatedFact",
    "avoid_factual_contradiction",
    "factual_contradictions",
]

FactKind = Literal["quantity", "money", "date", "time", "availability", "yes_no", "choice"]

MAX_SHOWN = 5
MAX_QUOTE = 160
AVAILABLE = frozenset(("stock", "open"))
"""What is denied of something that cannot be had."""


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
    """What the assistant states that cannot all hold.

    `conversation` is a record, a live conversation, or messages in one of the field's formats. Held against
    one another are amounts, money, dates, times, availability, yes and no, and named choices (gate B12) of
    the same thing, over all turns, and against what tools returned before unless `tool_results` is false. No
    contradiction is what the user's change of mind, a tool's result between the two, or the assistant's own
    correction explains. Nothing is also what comes of a talk in a language without rules (`language` is an
    ISO 639 code where the caller knows it): `to_avoid_factual_contradiction` tells the two apart.
    Raises ArgumentError for what is no conversation, and for a wrong argument; FormatError for messages that
    cannot be read.
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
    words = vocabulary_for(judged, language)
    if isinstance(words, str):
        return _Outcome(said=True, unknown=words)
    history = History(words, tool_results=tool_results)
    narrated = {turn.number: _narrated(turn, text) for turn, text in zip(turns, texts, strict=True)}
    found: list[FactualContradiction] = []
    stated = compared = corrected = 0
    for turn, text in zip(turns, texts, strict=True):
        if turn.number == only:
            stated, compared, corrected = history.stated, history.compared, history.corrected
        conflicts = history.take(turn.number, turn.user, text, turn.tool_calls)
        if only is None or turn.number == only:
            found += [_contradiction(one, narrated, words) for one in conflicts]
    return _Outcome(
        tuple(found),
        history.stated - stated,
        history.compared - compared,
        history.corrected - corrected,
        True,
    )


def _narrated(turn: Turn, text: str) -> int:
    """How many characters of what was said in a turn stand before its answer."""
    return len(text) - len(turn.text) if turn.text and text.endswith(turn.text) else 0


def _contradiction(
    conflict: Conflict, narrated: Mapping[int, int], words: Vocabulary
) -> FactualContradiction:
    earlier, later = (_fact(one, conflict, narrated, words) for one in (conflict.earlier, conflict.later))
    said = f"turn {later.turn} says {value_text(shorten(later.quote, MAX_QUOTE))}"
    about = ", ".join(filter(None, (later.subject, later.attribute)))
    if earlier.path:
        before = f"{earlier.path} of turn {earlier.turn} is {value_text(shorten(earlier.value, MAX_QUOTE))}"
    elif earlier.turn == later.turn:
        before = f"the same reply says {value_text(shorten(earlier.quote, MAX_QUOTE))}"
    else:
        before = f"turn {earlier.turn} said {value_text(shorten(earlier.quote, MAX_QUOTE))}"
    expected = f"expected {earlier.value}, or words that explain the change"
    return FactualContradiction(earlier, later, f"{said} ({about}: {later.value}), but {before}; {expected}")


def _fact(one: Saying, conflict: Conflict, narrated: Mapping[int, int], words: Vocabulary) -> StatedFact:
    """The fact for the reader; what was said before the answer of a turn has no place in it."""
    apart, before = conflict.difference, narrated.get(one.turn, 0)
    value = apart.earlier if one is conflict.earlier and apart.earlier is not None else apart.later
    if value is not None:
        shown = _shown(value.said)
    else:
        shown = one.quote if one.path else "no" if one.terms.get(apart.name) else "yes"
    told = {words.stem_of(word.text): one.quote[word.start : word.end] for word in words_of(one.quote)}
    shared = conflict.earlier.words & conflict.later.words - {apart.name}
    start, end = (one.start - before, one.end - before) if one.start >= before else (0, 0)
    return StatedFact(
        _kind(apart),
        " ".join(said for key, said in told.items() if key in shared),
        told.get(apart.name, words.written.get(apart.name, apart.name)).casefold(),
        shown,
        one.turn,
        start,
        end,
        one.quote,
        one.path,
    )


def _kind(apart: Difference) -> FactKind:
    value = apart.later
    if value is None:
        return "availability" if apart.name in AVAILABLE else "yes_no"
    if value.measure in ("money", "date"):
        return "money" if value.measure == "money" else "date"
    if isinstance(value.value, str):
        return "choice"
    return "time" if value.measure == "clock" else "quantity"


def _shown(value: str) -> str:
    """A value without the full stop of its sentence; that of "p.m." is its own."""
    ends_sentence = value.endswith(".") and any(one.isdigit() for one in value[-3:])
    return value[:-1] if ends_sentence else value


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

    Of a reply its own facts are held against one another and everything before. It is `inconclusive` where
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
        return inconclusive(
            "no facts are stated that could be compared: no amount, date, time, choice, yes or no"
        )
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
