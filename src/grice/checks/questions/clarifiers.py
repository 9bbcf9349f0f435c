"""Clarifiers that were asked before: none repeats over the conversation.

Labelled examples are in `clarifiers.examples.jsonl` beside this file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Annotated, Any

import msgspec

from grice.checks.product_records import turns_up_to
from grice.checks.profiles import Profile
from grice.checks.questions.answer_history import (
    Step,
    is_asked_anew,
    is_confirmation,
    is_more_exact,
    is_other_choice,
    refuses,
    same_question,
    steps,
)
from grice.checks.questions.phrases import has_question_words, question_words
from grice.checks.questions.questions import Question
from grice.checks.questions.slots import RequestedSlot, read_slots
from grice.checks.structure.envelope_parts import (
    Clarifier,
    Envelope,
    EnvelopeShape,
    Shape,
    envelope_of,
    read_shape,
    spoken_text,
)
from grice.matching.argument_types import AtLeastOne, Language
from grice.matching.context import Context
from grice.matching.matcher import Unsuitable, matcher
from grice.matching.subjects import Speech, nothing_in
from grice.records import (
    Conversation,
    Evidence,
    Outcome,
    Reply,
    Turn,
    Verdict,
    failed,
    fold_all,
    inconclusive,
    passed,
    skipped,
)
from grice.text import value_text
from grice.text.languages import language_of, pack_for
from grice.text.packs.records import Slot

Slots = Annotated[Mapping[str, Slot | Mapping[str, Any] | list[str]], read_slots]
"""Slots of a user's own: more names for one, or an object with the fields of `Slot`."""

Judging = Iterator[Callable[[], Verdict]]
"""What judges each turn of a conversation, in order: it is to be called before the next is taken."""

LOOKED_BACK = 100
"""The turns that a reply is held against, itself included: a log does not take longer the longer it is."""

MAX_SHOWN = 10
MAX_TOLD = 2_000
"""The characters of a reply that tell its language."""
_NEEDED = frozenset(("code", "email", "phone", "name", "address"))
"""The kinds of slots without which nothing can be done: they are asked for until they are given."""


@matcher("toAskNewClarifiers", layer=1, describe="ask nothing that was asked before")
def ask_new_clarifiers(
    subject: Speech | Conversation,
    ctx: Context,
    *,
    shape: Shape | None = None,
    window: AtLeastOne | None = None,
    slots: Slots | None = None,
    language: Language | None = None,
    profile: Profile = "robust",
) -> Verdict:
    """No clarifier of the reply, and no question in its text, was asked in one of the turns before.

    `robust` also finds a question in other words, by a table of slots that `slots` extends: "what's your
    budget?" and "how much would you like to spend?". There is one for English and one for German. Asking
    again is right where the user answered nothing (asked back, did not know), took the answer back, or gave
    something that did not work; where it is about another thing; and where it only has the answer confirmed.
    Offers ("anything else?", "shall I book it?") and answers to choose that fit any question ("yes", "show
    me more") may repeat. A reply that asks nothing is `skipped`. `window` limits how many turns back are
    looked at, 100 at most. `seed` compares the labels of clarifiers, character by character. Of a
    conversation every reply is judged.
    Examples: clarifiers.examples.jsonl.
    """
    names = read_shape(shape)
    if profile == "seed":
        return over_turns(subject, ctx, lambda turns: given(_seed(turns, names, window)))
    return over_turns(subject, ctx, lambda turns: _robust(turns, names, slots, language, window))


def given(verdicts: Iterable[Verdict]) -> Judging:
    """Wrap finished verdicts as the callables that `over_turns` takes."""
    return (partial(_itself, one) for one in verdicts)


def _itself(verdict: Verdict) -> Verdict:
    return verdict


def over_turns(subject: object, ctx: Context, judged: Callable[[tuple[Turn, ...]], Judging]) -> Verdict:
    """Judge turns one after another. `judged` takes the turns and gives for each a function that makes its
    verdict.

    Of a conversation all of them count, of a reply the last, with as many before it as are looked back at. A
    text is a turn of its own.
    """
    if isinstance(subject, str):
        if ctx.turn is None:
            nothing = nothing_in(subject)
            return nothing or inconclusive("the turns before are not known: a text knows no conversation")
        subject = ctx.turn
    if not isinstance(subject, Reply | Turn | Conversation):
        raise Unsuitable(f"a text, a Reply, a Turn or a Conversation, found {type(subject).__name__}")
    turns = turns_up_to(subject, ctx)
    if not turns:
        return inconclusive("the conversation has no turns")
    if not isinstance(subject, Conversation):
        alone = next(judged(turns[-1:]))()
        if alone.outcome is Outcome.SKIPPED and alone.reason == ASKS_NOTHING:
            return alone  # whatever was said before
        near = turns[-LOOKED_BACK:]
        last = next(islice(judged(near), len(near) - 1, None))
        return _if_known(last(), turns[-1], len(turns))
    verdicts = [judge() for turn, judge in zip(turns, judged(turns), strict=True) if turn.number >= ctx.since]
    if not verdicts:
        return inconclusive("no turn is to be judged")
    return _of_conversation(verdicts)


def _if_known(verdict: Verdict, turn: Turn, known: int) -> Verdict:
    """The verdict on a reply; nothing found is no pass where the turns before are not known."""
    if (
        turn.number > known
        and verdict.outcome in (Outcome.PASS, Outcome.SKIPPED)
        and verdict.reason != ASKS_NOTHING
    ):
        return inconclusive("the turns before are not known")
    return verdict


ASKS_NOTHING = "the reply asks nothing"


def _of_conversation(verdicts: list[Verdict]) -> Verdict:
    told = [one for one in verdicts if one.outcome is not Outcome.INCONCLUSIVE] or verdicts
    outcome = fold_all(one.outcome for one in told)
    telling = [one for one in told if one.outcome is outcome]
    if outcome is Outcome.FAIL:
        evidence = [one for verdict in telling for one in verdict.evidence]
        reason = "\n".join(one.reason for one in telling[:MAX_SHOWN])
        return msgspec.structs.replace(
            failed(reason, evidence=tuple(evidence[:20])), turn=evidence[0].turn if evidence else None
        )
    reasons = list(dict.fromkeys(one.reason for one in telling))
    trivial = all(one.trivially_true for one in telling)
    return Verdict(outcome, "; ".join(reasons[:MAX_SHOWN]), trivially_true=trivial)


def table_for(turns: Sequence[Turn], shape: EnvelopeShape, slots: Slots | None, language: str | None) -> Any:
    """Choose the table of slots by the language of the last reply, or say why there is none.

    A reply too short to tell ("Farbe?") is in the language of those before it.
    """
    text = spoken_text(turns[-1], shape)
    if language is None and language_of(text).code == "":
        text = "\n".join(spoken_text(one, shape)[:MAX_TOLD] for one in turns[-MAX_SHOWN:])
    pack = pack_for(text, language)
    if isinstance(pack, str):
        return read_slots(slots, "") or pack
    table = read_slots(slots, pack.code) if has_question_words(pack.code) else None
    return table if table is not None else f"there are no words for questions in {pack.name}"


def _robust(
    turns: tuple[Turn, ...],
    shape: EnvelopeShape,
    slots: Slots | None,
    language: str | None,
    window: int | None,
) -> Judging:
    table = table_for(turns, shape, slots, language)
    for step in steps(turns, None if isinstance(table, str) else table, shape):
        yield partial(_on_step, step, table if isinstance(table, str) else "", shape, window)


def _on_step(step: Step, unknown: str, shape: EnvelopeShape, window: int | None) -> Verdict:
    """The verdict on one reply; `unknown` says why there is no table of slots."""
    if not step.questions:
        nothing = None if step.turn.data is not None else nothing_in(step.turn.text, "the reply")
        return skipped(ASKS_NOTHING) if nothing is None else nothing
    asking = [one for one in step.questions if not one.offer and not _is_common(one)]
    if not asking:
        return passed("the reply asks nothing but what to do next, which may repeat")
    since = 0 if window is None else step.turn.number - window
    earlier = [(turn, one) for turn, one in step.earlier if turn >= since and not one.offer][-400:]
    found = list(_repeats(step, asking, earlier, shape))
    if found:
        return _failed(step, found)
    if unknown and earlier:
        return inconclusive(f"no question repeats word for word, but for others {unknown}")
    return passed(f"{len(asking)} question{'' if len(asking) == 1 else 's'}, none asked before")


def _is_common(question: Question) -> bool:
    return (
        question.option
        and " ".join(question.text.casefold().split()).rstrip(".!")
        in question_words(question.language).common_options
    )


def _repeats(
    step: Step, asking: list[Question], earlier: list[tuple[int, Question]], shape: EnvelopeShape
) -> Iterator[tuple[Question, int, Question]]:
    reply = spoken_text(step.turn, shape)
    for question in asking:
        for turn, other in reversed(earlier):
            if question.option is other.option and same_question(question, other):
                if not _may_repeat(step, question, turn, other, reply):
                    yield question, turn, other
                break


def _may_repeat(step: Step, question: Question, turn: int, other: Question, reply: str) -> bool:
    """Whether there is reason to ask again what was asked in that turn."""
    slots = [one for one in question.asked if any(one.is_same(two) for two in other.asked)]
    asked = slots[0] if slots else None
    answers = [one for one in step.answers if one.turn > turn and asked and one.asked.is_same(asked)]
    if is_asked_anew(question, reply, asked) and (
        refuses(reply, question.language) or not is_asked_anew(other, "", asked)
    ):
        return True
    if asked is not None and answers and is_other_choice(question, asked.slot, answers[-1].quote):
        return True
    if answers:
        given = answers[-1]
        return is_confirmation(question, given) or is_more_exact(question, given.asked.slot, given.quote)
    if step.reopened_after(asked.slot.name if asked else "", turn) or turn + 1 in step.idle:
        return True
    return asked is not None and _is_left_open(step, asked, turn, other)


def _is_left_open(step: Step, asked: RequestedSlot, turn: int, other: Question) -> bool:
    """Whether the user answered, but not this: an identifier is needed, or it is one of several things."""
    if turn + 1 not in step.answered:
        return False
    if asked.slot.kind in _NEEDED or other.parts > 1:
        return True
    asking = [one for number, one in step.earlier if number == turn and one.path is None]
    return any(
        answer.turn == turn + 1 and answer.asked.is_same(one)
        for question in ([other] if other.path else asking)
        for one in question.asked
        if not one.is_same(asked)
        for answer in step.answers
    )


def _failed(step: Step, found: list[tuple[Question, int, Question]]) -> Verdict:
    shown, evidence = [], []
    for question, turn, other in found[:MAX_SHOWN]:
        slots = [one.slot.name for one in question.asked if any(one.is_same(two) for two in other.asked)]
        what = f" (both ask for {slots[0]})" if slots and question.key != other.key else ""
        place = f"{question.path}: " if question.path else ""
        shown.append(
            f"{place}{value_text(question.text)} was asked in turn {turn}: {value_text(other.text)}{what}"
        )
        evidence.append(
            Evidence(question.text, step.turn.number, question.start, question.end, question.path)
        )
        evidence.append(Evidence(other.text, turn, other.start, other.end, other.path))
    return failed("\n".join(shown), evidence=tuple(evidence))


def _seed(turns: tuple[Turn, ...], shape: EnvelopeShape, window: int | None) -> Iterator[Verdict]:
    """The documented rule: a label that stood in an envelope before, character by character."""
    known: list[tuple[int, Clarifier]] = []
    for turn in turns:
        envelope = envelope_of(turn, shape)
        if not isinstance(envelope, Envelope):
            yield inconclusive(f"profile 'seed' reads the clarifiers of an envelope: {envelope}")
            continue
        since = 0 if window is None else turn.number - window
        labels = {one.label: place for place, one in reversed(known) if place >= since}
        found = [one for one in envelope.clarifiers if one.label in labels]
        known += [(turn.number, one) for one in envelope.clarifiers]
        if found:
            shown = [
                f"{one.path}: {value_text(one.label)} was asked in turn {labels[one.label]}" for one in found
            ]
            evidence = tuple(Evidence(one.label, turn.number, path=one.path) for one in found[:MAX_SHOWN])
            yield failed("\n".join(shown[:MAX_SHOWN]), evidence=evidence)
        else:
            count = len(envelope.clarifiers)
            yield passed(f"{count} clarifier{'' if count == 1 else 's'}, none asked before")
