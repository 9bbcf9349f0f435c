"""Memory: what the user has answered is not asked again.

Labelled examples are in `memory.examples.jsonl` beside this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from grice.checks.profiles import Profile
from grice.checks.questions.answer_history import Answer, Step, is_asked_anew, is_confirmation, steps
from grice.checks.questions.clarifiers import (
    ASKS_NOTHING,
    Judging,
    Slots,
    given,
    over_turns,
    table_for,
)
from grice.checks.questions.questions import Question, same_wording
from grice.checks.questions.slots import RequestedSlot
from grice.checks.structure.envelope_parts import (
    Envelope,
    EnvelopeShape,
    Shape,
    envelope_of,
    read_shape,
    spoken_text,
)
from grice.matching.argument_types import Language
from grice.matching.context import Context
from grice.matching.matcher import matcher
from grice.matching.subjects import Speech, nothing_in
from grice.records import (
    Conversation,
    Evidence,
    Turn,
    Verdict,
    failed,
    inconclusive,
    passed,
    skipped,
)
from grice.text import shorten, value_text

MAX_SHOWN = 10

_SEED_TRACKER = (
    ("boot_size", re.compile(r"\d+(?:\.\d+)?")),
    ("budget", re.compile(r"\$?\d+\s*(?:-|to)\s*\$?\d+|under \$?\d+")),
    ("terrain", re.compile(r"\b(?:groomer|powder|park|backcountry|all[- ]mountain)\b")),
    ("experience", re.compile(r"\b(?:beginner|intermediate|advanced|expert)\b")),
)
_SEED_KEYWORDS = {
    "boot_size": ("boot size", "boot", "size"),
    "budget": ("budget", "price", "spend"),
    "terrain": ("terrain", "groomer", "powder", "park"),
    "experience": ("experience", "level", "beginner", "intermediate", "advanced"),
    "style": ("style", "freestyle", "freeride"),
}


@matcher("toRememberAnswers", layer=2, describe="ask nothing that the user has answered")
def remember_answers(
    subject: Speech | Conversation,
    ctx: Context,
    *,
    slots: Slots | None = None,
    shape: Shape | None = None,
    language: Language | None = None,
    profile: Profile = "robust",
) -> Verdict:
    """The reply does not ask for what the user has said before, in answer to a question or in passing.

    `robust` knows what some fifty slots are asked with and what their values look like (an amount of money
    for a budget, a day for a date), in English and German; `slots` adds names to one, or new ones. What the
    user takes back or wants for somebody else is open again. Having an answer confirmed is not asking again,
    nor is asking for another one, a more exact one, or one that works. A reply that asks nothing is
    `skipped`; what was said over 100 turns ago is not known. `seed` knows five slots by keywords in the
    clarifiers, and takes any number for a boot size. Of a conversation every reply is judged.
    Examples: memory.examples.jsonl.
    """
    names = read_shape(shape)
    if profile == "seed":
        return over_turns(subject, ctx, lambda turns: given(_seed(turns, names)))
    return over_turns(subject, ctx, lambda turns: _robust(turns, names, slots, language))


def _robust(
    turns: tuple[Turn, ...], shape: EnvelopeShape, slots: Slots | None, language: str | None
) -> Judging:
    table = table_for(turns, shape, slots, language)
    for step in steps(turns, None if isinstance(table, str) else table, shape):
        yield partial(_on_step, step, table if isinstance(table, str) else "", shape)


def _on_step(step: Step, unknown: str, shape: EnvelopeShape) -> Verdict:
    """The verdict on one reply; `unknown` says why there is no table of slots."""
    reply = spoken_text(step.turn, shape)
    nothing = nothing_in(reply, "the reply") if not step.questions else None
    if nothing is not None:
        return nothing
    found = list(_asked_again(step, reply))
    if found:
        return _failed(step, found)
    return inconclusive(unknown) if unknown else _none_found(step)


def _none_found(step: Step) -> Verdict:
    """The verdict on a reply that asks for nothing that is answered."""
    if not step.questions:
        return skipped(ASKS_NOTHING)
    asking = sum(1 for one in step.questions if not one.offer and not one.option)
    if not step.answers:
        asked = f"{asking} question{'' if asking == 1 else 's'}"
        return passed(f"{asked}, and the user has answered nothing so far", trivially_true=True)
    known = sorted({one.asked.slot.name or "a question" for one in step.answers})
    return passed(f"nothing that is answered is asked again; answered: {shorten(', '.join(known), 200)}")


def _asked_again(step: Step, reply: str) -> Iterator[tuple[Question, Answer]]:
    for question in step.questions:
        if question.offer or question.option:
            continue
        for answer in reversed(step.answers):
            asked = _same(question, answer, step.answers)
            if asked is None:
                continue
            if not is_confirmation(question, answer) and not is_asked_anew(
                question, reply, asked if asked.slot.name else None, answer.quote
            ):
                yield question, answer
                break


def _same(question: Question, answer: Answer, answers: list[Answer]) -> RequestedSlot | None:
    """What the question asks for that this answer gives."""
    if answer.question is not None:
        same = not question.asked and same_wording(question, answer.question)
        return answer.asked if same else None
    return next((one for one in question.asked if one.is_same(answer.asked)), None)


def _failed(step: Step, found: list[tuple[Question, Answer]]) -> Verdict:
    shown, evidence = [], []
    for question, answer in found[:MAX_SHOWN]:
        place = f"{question.path}: " if question.path else ""
        slot = f" ({answer.asked.slot.name})" if answer.asked.slot.name else ""
        said = f"the user answered it in turn {answer.turn}: {value_text(answer.quote)}{slot}"
        shown.append(f"{place}{value_text(question.text)} is asked, and {said}")
        evidence.append(
            Evidence(question.text, step.turn.number, question.start, question.end, question.path)
        )
        evidence.append(
            Evidence(shorten(answer.quote, 200), answer.turn, answer.start, answer.end, note="the user")
        )
    return failed("\n".join(shown), evidence=tuple(evidence))


def _seed(turns: tuple[Turn, ...], shape: EnvelopeShape) -> Iterator[Verdict]:
    """The documented rule: the first pattern that a message matches answers its slot, whatever was asked."""
    answered: dict[str, tuple[int, str]] = {}
    for turn in turns:
        said = turn.user.lower()
        for slot, pattern in _SEED_TRACKER:
            hit = pattern.search(said)
            if hit is not None:
                answered.setdefault(slot, (turn.number, hit[0]))
                break
        envelope = envelope_of(turn, shape)
        if not isinstance(envelope, Envelope):
            yield inconclusive(f"profile 'seed' reads the clarifiers of an envelope: {envelope}")
            continue
        found = [
            (one, slot)
            for one in envelope.clarifiers
            for slot in answered
            if any(keyword in one.label.lower() for keyword in _SEED_KEYWORDS[slot])
        ]
        if found:
            shown = [
                f"{one.path}: {value_text(one.label)} asks for {slot}, answered in turn {answered[slot][0]} "
                f"by {value_text(answered[slot][1])}"
                for one, slot in found[:MAX_SHOWN]
            ]
            evidence = tuple(Evidence(one.label, turn.number, path=one.path) for one, _ in found[:MAX_SHOWN])
            yield failed("\n".join(shown), evidence=evidence)
        else:
            yield passed(f"answered: {', '.join(answered) or 'nothing'}")
