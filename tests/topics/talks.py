"""Conversations that topics are followed in, turn by turn."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any

from msgspec.structs import replace

from grice.matching.verdicts import AsyncVerdict
from grice.records import Classification, Conversation, Message, ToolCall, TopicVisit, Turn, Verdict
from grice.topics.graph import TopicGraph
from grice.topics.topic import Topic
from grice.topics.tracker import Tracker
from grice.topics.visits import visit_checks


def turn(number: int, agent: str = "", *calls: ToolCall | str, user: str = "Hi", topic: str = "") -> Turn:
    """A turn in which the agent calls these tools and says that."""
    made = tuple(ToolCall(one) if isinstance(one, str) else one for one in calls)
    classified = Classification(topic, "trigger") if topic else None
    messages = (Message("user", user), Message("assistant", agent))
    return Turn(number, messages, made, classified=classified)


def talk(*turns: Turn, **fields: Any) -> Conversation:
    """A conversation of these turns."""
    return Conversation(turns=turns, **fields)


def through(*topics: str) -> Conversation:
    """A conversation with a turn in each of these topics."""
    return talk(*(turn(number, f"In {name}.", topic=name) for number, name in enumerate(topics, 1)))


def followed(
    graph: TopicGraph, *turns: Turn, ask: bool = False, tracker: Tracker | None = None
) -> Conversation:
    """The conversation with the topics that a tracker finds turn by turn."""
    tracker = tracker or Tracker(graph, ask=ask)
    conversation = Conversation()
    for one in turns:
        conversation = replace(conversation, turns=(*conversation.turns, one))
        found = tracker.classify(conversation)
        now = asyncio.run(found) if isinstance(found, Coroutine) else found
        conversation = replace(conversation, turns=(*conversation.turns[:-1], replace(one, classified=now)))
    return conversation


def way(conversation: Conversation) -> list[str]:
    """The topics of the turns, in order."""
    return [one.topic for one in conversation.turns]


def why(conversation: Conversation, number: int) -> Classification:
    """How the topic of that turn was found."""
    found = conversation.turns[number - 1].classified
    assert found is not None
    return found


def settled(made: Iterable[Verdict | AsyncVerdict]) -> list[Verdict]:
    """The verdicts, those that are waited for too."""
    return [one if isinstance(one, Verdict) else asyncio.run(one.run()) for one in made]


def checked(
    topic: Topic, conversation: Conversation, visit: TopicVisit | None = None, judge: Any = None
) -> list[Verdict]:
    """The verdicts on one visit to the topic, the first unless another is given."""
    visit = visit or next(one for one in conversation.visits if one.topic == topic.name)
    return settled(visit_checks(topic, conversation, visit, judge=judge))


def only(verdicts: Iterable[Verdict]) -> Verdict:
    """The one verdict that there is."""
    (verdict,) = verdicts
    return verdict
