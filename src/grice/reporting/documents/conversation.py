"""One conversation with its verdicts, as a document."""

from __future__ import annotations

from collections.abc import Sequence

from grice.matching.failure import headline
from grice.records import Conversation, Outcome, Result, Verdict
from grice.reporting.document import Answer, Document, Line, Section, Tone, Transcript, Verdicts, labelled
from grice.reporting.next_steps import how_to_extract
from grice.reporting.text import marked_turn
from grice.text import plural

_TONES: dict[Outcome, Tone] = {Outcome.PASS: "good", Outcome.SKIPPED: "faint", Outcome.INCONCLUSIVE: "warn"}


def result_document(result: Result, place: str = "") -> Document:
    """What came of it and why, the transcript with the turn marked, every verdict, what failed first.

    `place` is where it stands, as `latest@refund`.
    """
    ordered = sorted(result.verdicts, key=lambda one: (one.outcome is Outcome.PASS, one.mode == "soft"))
    first = next((one for one in ordered if one.outcome is result.outcome), None)
    why = f": {headline(first)}" if first is not None and result.outcome is not Outcome.PASS else ""
    again = f" (repeat {result.repeat})" if result.repeat > 1 else ""
    answer = Answer(f"{result.key}{again} {_WORDS[result.outcome]}{why}", _TONES.get(result.outcome, "bad"))
    about = [result.description, result.file, f"set {result.set_name}" if result.set_name else "", result.id]
    conversation = result.conversation
    shown = Transcript(conversation.turns, marked_turn(result.verdicts), tuple(ordered))
    verdicts = (Verdicts(tuple(ordered)),) if ordered else (Line("nothing was checked"),)
    step = Line(labelled("A test of it", how_to_extract(place)))
    return Document(
        "conversation",
        "",
        answer,
        tuple(Line(one, "faint") for one in about if one),
        (Section(_length(conversation), (shown,), folded=False), Section("Verdicts", verdicts, folded=False)),
        steps=(step,) if place and result.outcome is Outcome.FAIL else (),
    )


def conversation_document(
    conversation: Conversation,
    findings: tuple[Verdict, ...] = (),
    place: str = "",
    options: Sequence[str] = (),
) -> Document:
    """A conversation of a log, with what was found in it.

    `place` is where, as `chats.jsonl:12`, and `options` are those by which it is read.
    """
    name = conversation.id or "A conversation"
    labels = ", ".join(dict.fromkeys(one.claim for one in findings))
    told = f", {plural(len(findings), 'finding')}: {labels}" if findings else ""
    answer = Answer(f"{name}: {_length(conversation)}{told}", "warn" if findings else "")
    shown = Transcript(conversation.turns, marked_turn(findings), findings)
    if not findings:
        return Document("conversation", "", answer, parts=(shown,))
    found = Section("Findings", (Verdicts(findings),), folded=False)
    commands = [how_to_extract(place, one.turn or 0, one.claim, options=options) for one in findings]
    steps = tuple(Line(labelled("A test of it", one)) for one in dict.fromkeys(commands) if place)
    return Document("conversation", "", answer, parts=(shown, found), steps=steps)


def _length(conversation: Conversation) -> str:
    calls = sum(len(turn.tool_calls) for turn in conversation.turns)
    told = f", {plural(calls, 'tool call')}" if calls else ""
    return f"{plural(len(conversation.turns), 'turn')}{told}"


_WORDS = {
    Outcome.PASS: "passed",
    Outcome.FAIL: "failed",
    Outcome.INCONCLUSIVE: "is inconclusive",
    Outcome.ERROR: "ended in an error",
    Outcome.SKIPPED: "was skipped",
}
