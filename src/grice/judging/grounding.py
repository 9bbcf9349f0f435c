"""Matchers that split a reply into claims and compare them with what tools returned."""

from __future__ import annotations

import re
from collections.abc import Collection, Coroutine, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from grice.judging.answer_schemas import Claim, ClaimsAnswer
from grice.judging.deciding import judge_of, vote_verdict
from grice.judging.delimiting import Piece, json_data, newest
from grice.judging.judge import Judge
from grice.judging.material import MAX_ARGUMENTS, MAX_TOTAL, Material, material_of, result_pieces
from grice.judging.question import Question
from grice.matching.argument_types import SpokenText
from grice.matching.context import Context
from grice.matching.matcher import matcher
from grice.records import (
    Conversation,
    Evidence,
    JsonValue,
    Outcome,
    Reply,
    ToolCall,
    Turn,
    Verdict,
    inconclusive,
)
from grice.text import did_you_mean, shorten, value_text

MAX_CLAIM = 200
SHOWN = 5

_PLACE = re.compile(r"\s*(?:tool[ -])?(?:result|call|error)\W{0,3}(?P<number>[0-9]{1,6})\b", re.IGNORECASE)
"""How an answer names a source by its number."""

_ANY_TYPE = "any statement of fact (give each a type of your own, in one word)"


# -- arguments


FromTools = SpokenText | Annotated[Collection[SpokenText], Meta(min_length=1)]


def _names(from_tools: FromTools | None) -> tuple[str, ...] | None:
    if from_tools is None:
        return None
    return (from_tools,) if isinstance(from_tools, str) else tuple(from_tools)


# -- judging


@matcher(
    "toBeGroundedIn",
    describe="be grounded in [{claim_types!s}|what its tools returned][ (from {from_tools!s})]",
    layer=3,
    judged=True,
)
def be_grounded_in(
    subject: Reply | Turn | Conversation,
    ctx: Context,
    *claim_types: SpokenText,
    from_tools: FromTools | None = None,
) -> Verdict | Coroutine[Any, Any, Verdict]:
    """Every claim of these types rests on what tools returned; any statement of fact when none is named.

    The sources are the results of all tool calls up to the judged turn, or of the named tools only. It fails
    with every claim that is not grounded. No text, no claim of these types, and named tools of which none
    has returned anything are `inconclusive`.
    """
    return _claims(subject, ctx, "grounding", claim_types, _names(from_tools))


@matcher(
    "toClaim",
    describe="make ungrounded claims about [{claim_types!s}|what its tools returned][ (from {from_tools!s})]",
    layer=3,
    judged=True,
)
def claim(
    subject: Reply | Turn | Conversation,
    ctx: Context,
    *claim_types: SpokenText,
    from_tools: FromTools | None = None,
) -> Verdict | Coroutine[Any, Any, Verdict]:
    """The reply makes a claim of these types that no tool result supports; meant for `not_to_claim`.

    Without such a claim it fails, so that its negation passes: a reply in which a judge found none was
    examined. No text and named tools of which none has returned anything are `inconclusive`.
    """
    return _claims(subject, ctx, "forbidden_claims", claim_types, _names(from_tools))


def _claims(
    subject: object,
    ctx: Context,
    purpose: Literal["grounding", "forbidden_claims"],
    claim_types: Sequence[str],
    from_tools: Sequence[str] | None,
) -> Verdict | Coroutine[Any, Any, Verdict]:
    material = material_of(subject, ctx)
    if material.silent:
        return inconclusive("the reply has no text: there is nothing to look at")
    calls = [call for call in material.calls if from_tools is None or call.name in from_tools]
    if from_tools is not None and not any(call.answered for call in calls):
        return inconclusive(_without_sources(calls, from_tools, {call.name for call in material.calls}))
    judge = judge_of(ctx)
    if isinstance(judge, Verdict):
        return judge
    question = claims_question(purpose, material, claim_types, from_tools)
    return _ask_for_claims(judge, question, material, fails_on_none=purpose == "forbidden_claims")


async def _ask_for_claims(
    judge: Judge, question: Question[ClaimsAnswer], material: Material, *, fails_on_none: bool
) -> Verdict:
    asked = await judge.ask(question)

    def ballot(answer: ClaimsAnswer) -> Outcome:
        if any(not one.grounded for one in answer.claims):
            return Outcome.PASS if fails_on_none else Outcome.FAIL
        if fails_on_none:
            return Outcome.FAIL
        return Outcome.PASS if answer.claims else Outcome.INCONCLUSIVE

    def evidence(answer: ClaimsAnswer) -> list[Evidence]:
        loose = [one for one in answer.claims if not one.grounded]
        return [_evidence(one, material) for one in loose or answer.claims]

    def reason(answer: ClaimsAnswer) -> str:
        if answer.claims:
            return _reason(answer)
        return f"no claim of these types was found{'' if fails_on_none else ': nothing was examined'}"

    return vote_verdict(asked, ballot, reason, evidence, _counted)


def _counted(answer: ClaimsAnswer) -> dict[str, JsonValue]:
    """`claims`: how many there are of each type, and how many of them are grounded."""
    counts: dict[str, dict[str, int]] = {}
    for one in answer.claims:
        of_type = counts.setdefault(one.type, {"grounded": 0, "total": 0})
        of_type["grounded"] += one.grounded
        of_type["total"] += 1
    return {"claims": counts} if counts else {}


def _reason(answer: ClaimsAnswer) -> str:
    loose = [one for one in answer.claims if not one.grounded]
    if not loose:
        count = len(answer.claims)
        return f"{count} claim{'' if count == 1 else 's'}, all grounded"
    named = [f"{one.type} {value_text(shorten(one.text, MAX_CLAIM))}" for one in loose[:SHOWN]]
    more = f", and {len(loose) - SHOWN} more" if len(loose) > SHOWN else ""
    return f"{len(loose)} of {len(answer.claims)} claims not grounded: {', '.join(named)}{more}"


def _evidence(one: Claim, material: Material) -> Evidence:
    note = f"{one.type}, grounded in {one.source}" if one.grounded else f"{one.type}, not grounded"
    return material.evidence(one.text, note) or Evidence(one.text, note=f"{note}; not said in these words")


def _without_sources(calls: Sequence[ToolCall], from_tools: Sequence[str], called: Collection[str]) -> str:
    if calls:
        return f"{', '.join(from_tools)} returned nothing yet: there is nothing that claims could rest on"
    listed = ", ".join(f"{name}{did_you_mean(name, called)}" for name in from_tools)
    tense = "was" if len(from_tools) == 1 else "were"
    return f"{listed} {tense} never called: there is nothing that claims could rest on"


def _wrong_source(one: Claim, answered: Collection[int]) -> str:
    """Why a claim cannot be grounded, as it is said to be, in what the calls of these numbers returned."""
    if not one.grounded:
        return ""
    if not one.source.strip():
        return "names no source"
    if not answered:
        return "there is no source: no tool returned anything"
    named = _PLACE.match(one.source)
    if named is None or int(named["number"]) in answered:
        return ""
    return f"names the source {value_text(named[0].strip())}, which is not there"


def claims_question(
    purpose: Literal["grounding", "forbidden_claims"],
    material: Material,
    claim_types: Sequence[str],
    from_tools: Sequence[str] | None = None,
) -> Question[ClaimsAnswer]:
    """The question for the claims of these types, each with its source among the results of tools."""
    sources: list[list[Piece]] = []
    answered: set[int] = set()
    for number, call in enumerate(material.calls, 1):
        if from_tools is None or call.name in from_tools:
            asked = {"name": call.name, "arguments": call.arguments}
            returned: list[Piece] = list(result_pieces(call, number)) or ["(nothing came back)"]
            answered |= {number} if call.answered else set()
            sources.append([*json_data(asked, f'tool-call="{number}"', MAX_ARGUMENTS), *returned])

    def problem(answer: ClaimsAnswer) -> str:
        for place, one in enumerate(answer.claims):
            if claim_types and one.type not in claim_types:
                return f"claims[{place}].type: {value_text(one.type)} is not one of {', '.join(claim_types)}"
            wrong = _wrong_source(one, answered)
            if wrong:
                return f"claims[{place}] is grounded and {wrong}"
            if not one.text.strip():
                return f"claims[{place}].text is empty"
        return ""

    return Question(
        purpose,
        purpose,
        ClaimsAnswer,
        {
            "material": material.pieces(speech_only=True),
            "sources": newest(sources, MAX_TOTAL, "tool call") or ["(no tool was called)"],
            "types": [f"- {one}" for one in claim_types] or [f"- {_ANY_TYPE}"],
        },
        ", ".join(claim_types),
        {"type": claim_types} if claim_types else {},
        problem,
    )
