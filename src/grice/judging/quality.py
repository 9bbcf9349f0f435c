"""Matchers of layer 3: naturalness, guidance, context use, and the IQ made of them."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any, Literal, get_args

import msgspec

from grice.judging.answer_schemas import ScoreAnswer
from grice.judging.deciding import against_gate, judge_of, score_verdict
from grice.judging.delimiting import Piece, json_data
from grice.judging.judge import Judge, JudgedQuestion
from grice.judging.material import MAX_RECORDS, Material, material_of
from grice.judging.question import Question
from grice.judging.voting import bounds, median, score_text
from grice.matching.argument_types import Score
from grice.matching.context import Context
from grice.matching.judge_standing import is_advisory
from grice.matching.matcher import matcher
from grice.matching.subjects import Speech
from grice.records import JsonValue, Outcome, Verdict, clean_json, inconclusive
from grice.text import shorten

TurnKind = Literal["chat", "pivot", "recommendation"]
"""What a turn is: ordinary talk, leading the user back to the matter, or recommending something."""

KINDS: tuple[TurnKind, ...] = get_args(TurnKind)
GATE = 3.7
GUIDANCE_GATES: dict[TurnKind, float] = {"chat": 3.7, "pivot": 4.0, "recommendation": 4.0}
IQ_GATES: dict[TurnKind, float] = {"chat": 3.7, "pivot": 3.7, "recommendation": 3.9}

_SITUATIONS: dict[TurnKind, str] = {
    "chat": "This is an ordinary turn of the conversation.",
    "pivot": (
        "In this turn the user is off the matter that the chatbot is there for. A good reply takes up "
        "briefly what was said and leads back to the matter gently, without lecturing."
    ),
    "recommendation": (
        "In this turn the chatbot is to recommend something. A good reply recommends what fits the user's "
        "needs, says why it fits this user, and makes choosing easy."
    ),
}


# -- arguments


def _describe_guide(*, intent: str = "", kind: TurnKind = "chat", at_least: float | None = None) -> str:
    gate = GUIDANCE_GATES[kind] if at_least is None else at_least
    to = f" to {shorten(intent, 200)}" if intent else ""
    return f"guide the user{to} in a {kind} turn (at least {gate:g} of 5)"


def _describe_iq(
    *,
    kind: TurnKind = "chat",
    store_card: JsonValue = None,
    records: JsonValue = None,
    intent: str = "",
    at_least: float | None = None,
) -> str:
    gate = IQ_GATES[kind] if at_least is None else at_least
    return f"show intelligence in a {kind} turn (IQ at least {gate:g} of 5)"


# -- questions


def _naturalness(material: Material) -> Question[ScoreAnswer]:
    return Question("naturalness", "naturalness", ScoreAnswer, {"material": material.pieces()})


def _guidance(material: Material, intent: str, kind: TurnKind) -> Question[ScoreAnswer]:
    values: dict[str, Sequence[Piece]] = {
        "material": material.pieces(),
        "situation": [_SITUATIONS[kind]],
        "intent": [f"What the reply is meant to do here: {intent.strip()}"] if intent.strip() else [],
    }
    return Question("guidance", "guidance", ScoreAnswer, values, intent.strip())


def _context_use(material: Material, store_card: JsonValue, records: JsonValue) -> Question[ScoreAnswer]:
    values: dict[str, Sequence[Piece]] = {
        "material": material.pieces(),
        "store_card": _data_pieces(
            "What the chatbot was given to know about its shop:", "store-card", store_card
        ),
        "records": _data_pieces("Records that the chatbot looked up:", "records", records),
    }
    return Question("context_use", "context_use", ScoreAnswer, values)


def _data_pieces(words: str, label: str, value: JsonValue) -> list[Piece]:
    return [words, *json_data(clean_json(value), f'from="{label}"', MAX_RECORDS)] if value else []


# -- matchers


@matcher("toSoundNatural", describe="sound natural (at least {at_least:g} of 5)", layer=3, judged=True)
def sound_natural(
    subject: Speech, ctx: Context, *, at_least: Score = 3.7
) -> Verdict | Coroutine[Any, Any, Verdict]:
    """The reply sounds like an attentive person: its score, 1 to 5, is at least the gate.

    A reply without text is `inconclusive`.
    """
    material = material_of(subject, ctx)
    judge = _ready(material, ctx)
    return judge if isinstance(judge, Verdict) else _rated(judge, _naturalness(material), at_least)


@matcher("toGuideUser", describe=_describe_guide, layer=3, judged=True)
def guide_user(
    subject: Speech, ctx: Context, *, intent: str = "", kind: TurnKind = "chat", at_least: Score | None = None
) -> Verdict | Coroutine[Any, Any, Verdict]:
    """The reply answers what the user wants and moves the matter on: its score is at least the gate.

    `intent` says what it is meant to do. The gate is 4.0 in turns that pivot or recommend and 3.7 in others,
    unless `at_least` says otherwise. A reply without text is `inconclusive`.
    """
    material = material_of(subject, ctx)
    judge = _ready(material, ctx)
    gate = GUIDANCE_GATES[kind] if at_least is None else at_least
    return judge if isinstance(judge, Verdict) else _rated(judge, _guidance(material, intent, kind), gate)


@matcher("toUseContext", describe="use its context (at least {at_least:g} of 5)", layer=3, judged=True)
def use_context(
    subject: Speech,
    ctx: Context,
    *,
    store_card: JsonValue = None,
    records: JsonValue = None,
    at_least: Score = 3.7,
) -> Verdict | Coroutine[Any, Any, Verdict]:
    """The reply makes right and helpful use of the context: its score is at least the gate.

    Known are the conversation, tool results in it, and the `store_card` and `records` (any JSON) that are
    given here. A reply without text, and a bare text with none of these, are `inconclusive`.
    """
    material = material_of(subject, ctx)
    judge = _ready(material, ctx)
    if isinstance(judge, Verdict):
        return judge
    if material.record is None and not store_card and not records:
        return inconclusive("a bare text has no context: give store_card or records, or judge a reply")
    return _rated(judge, _context_use(material, store_card, records), at_least)


@matcher("toShowIntelligence", describe=_describe_iq, layer=3, judged=True)
def show_intelligence(
    subject: Speech,
    ctx: Context,
    *,
    kind: TurnKind = "chat",
    store_card: JsonValue = None,
    records: JsonValue = None,
    intent: str = "",
    at_least: Score | None = None,
) -> Verdict | Coroutine[Any, Any, Verdict]:
    """The IQ of the reply, the true median of naturalness, guidance and context use, is at least the gate.

    The gate is 3.9 in turns that recommend and 3.7 in others, unless `at_least` says otherwise. The verdict
    has the three as parts, each against its own gate, which the IQ does not depend on. When one of them
    breaks the IQ is an `error`, unless it is decided whatever that one would have said. A reply without text
    is `inconclusive`.
    """
    material = material_of(subject, ctx)
    judge = _ready(material, ctx)
    if isinstance(judge, Verdict):
        return judge
    questions = (
        _naturalness(material),
        _guidance(material, intent, kind),
        _context_use(material, store_card, records),
    )
    gates = (GATE, GUIDANCE_GATES[kind], GATE)
    return _intelligence(judge, questions, gates, IQ_GATES[kind] if at_least is None else at_least)


# -- judging


def _ready(material: Material, ctx: Context) -> Judge | Verdict:
    if material.silent:
        return inconclusive("the reply has no text: there is nothing to look at")
    return judge_of(ctx)


async def _rated(judge: Judge, question: Question[ScoreAnswer], at_least: float) -> Verdict:
    return _score(await judge.ask(question), at_least)


def _score(asked: JudgedQuestion[ScoreAnswer], at_least: float) -> Verdict:
    return score_verdict(asked, at_least, lambda one: one.score, lambda one: "; ".join(one.reasons))


async def _intelligence(
    judge: Judge, questions: Sequence[Question[ScoreAnswer]], gates: Sequence[float], at_least: float
) -> Verdict:
    from asyncio import gather

    all_asked = await gather(*(judge.ask(question) for question in questions))
    parts: list[Verdict] = []
    reaches: list[tuple[float, float]] = []
    for question, asked, gate in zip(questions, all_asked, gates, strict=True):
        parts.append(msgspec.structs.replace(_score(asked, gate), criterion=question.purpose))
        reaches.append(bounds([None if one is None else one.score for one in asked.answers]))
    low, high = (median([reach[end] for reach in reaches]) for end in (0, 1))
    verdict = _iq_verdict(parts, low, high, at_least)
    return msgspec.structs.replace(verdict, mode="soft") if any(map(is_advisory, parts)) else verdict


def _iq_verdict(parts: Sequence[Verdict], low: float, high: float, at_least: float) -> Verdict:
    """The verdict on an IQ between these bounds, which are one when no answer is missing."""
    listed = ", ".join(
        f"{part.criterion} {'unknown' if part.score is None else score_text(part.score)}" for part in parts
    )
    unheard = all(part.outcome is Outcome.ERROR for part in parts)
    outcome = Outcome.ERROR if unheard else against_gate((low, high), at_least)
    wanted = f"wanted at least {score_text(at_least)}"
    if low == high:
        return Verdict(
            outcome, f"IQ {score_text(low)} of 5, {wanted}: {listed}", score=low, parts=tuple(parts)
        )
    reach = f"between {score_text(low)} and {score_text(high)} of 5"
    broken = "; ".join(f"{part.criterion}: {part.reason}" for part in parts if part.outcome is Outcome.ERROR)
    return Verdict(
        outcome, f"IQ {reach}, {wanted}: {listed}{f'; {broken}' if broken else ''}", parts=tuple(parts)
    )
