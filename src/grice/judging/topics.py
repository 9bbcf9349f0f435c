"""Ask a judge which topic a conversation is in."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grice.judging.answer_schemas import Confidence, TopicAnswer
from grice.judging.delimiting import Piece
from grice.judging.judge import Judge
from grice.judging.material import Material
from grice.judging.question import Question
from grice.judging.voting import winner
from grice.matching.protocols import LLMError
from grice.records import Conversation, Judgement
from grice.text import did_you_mean, value_text


class TopicCandidate(msgspec.Struct, frozen=True):
    """A topic that may be chosen: its characteristic, and the agent's aim in it."""

    name: str
    characteristic: str = ""
    intent: str = ""


class TopicChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """The topic that a conversation is in, and how that was found; no judgement when there was no choice."""

    topic: str
    confidence: Confidence
    reason: str
    judgement: Judgement | None = None


async def classify_topic(
    judge: Judge, conversation: Conversation, current: str, candidates: Sequence[TopicCandidate]
) -> TopicChoice:
    """The topic of the conversation after its last turn, one of the candidates; `current` is that before.

    A single candidate is the answer without a question. Raises ValueError without candidates or turns, and
    LLMError when the judge gave no answer that names one of them, or its votes are tied.
    """
    names = [one.name for one in candidates]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"expected topics with different names, found {names}")
    if not conversation.turns:
        raise ValueError("the conversation has no turn yet")
    if len(names) == 1:
        return TopicChoice(names[0], "high", "there is no other topic to choose")
    asked = await judge.ask(_question(conversation, current, candidates))
    topic = winner([None if answer is None else answer.topic for answer in asked.answers])
    for answer in asked.answers:
        if answer is not None and answer.topic == topic:
            return TopicChoice(answer.topic, answer.confidence, answer.reasoning, asked.judgement)
    votes = ", ".join(answer.topic for answer in asked.answers if answer is not None)
    raise LLMError(asked.error or f"the votes for a topic are tied: {votes}")


def _question(
    conversation: Conversation, current: str, candidates: Sequence[TopicCandidate]
) -> Question[TopicAnswer]:
    names = [one.name for one in candidates]

    def problem(answer: TopicAnswer) -> str:
        if answer.topic in names:
            return ""
        hint = did_you_mean(answer.topic, names)
        return f"topic: {value_text(answer.topic)} is not one of {', '.join(names)}{hint}"

    values: dict[str, Sequence[Piece]] = {
        "material": Material(conversation).pieces(),
        "candidates": [_described(one) for one in candidates],
        "current": [f"Before that turn the conversation was in the topic {current}."] if current else [],
    }
    return Question("topic", "topic", TopicAnswer, values, current, {"topic": names}, problem)


def _described(candidate: TopicCandidate) -> str:
    about = f": {candidate.characteristic}" if candidate.characteristic else ""
    intent = f" What the chatbot is after in it: {candidate.intent}" if candidate.intent else ""
    return f"- {candidate.name}{about}{intent}"
