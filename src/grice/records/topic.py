"""Which topic a turn belongs to, and the visits to topics that follow from that."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from grice.records.llm import Judgement


class Classification(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The topic of a turn and how it was found.

    `by` is `start` for the first topic of a graph, `trigger` or `judge` for who decided, `stay` where none
    did, and `error` where the judge gave no answer, or a trigger broke and nothing else told, so that the
    conversation stayed. `reason` says it in words: which trigger, or what the judge said. `legal` is false
    for a move that the graph does not have.
    """

    topic: str
    by: Literal["start", "trigger", "judge", "stay", "error"]
    reason: str = ""
    legal: bool = True
    judgement: Judgement | None = None

    @property
    def known(self) -> bool:
        """Whether somebody could tell the topic."""
        return self.by != "error"


class FollowedGraph(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The topic graph that a conversation followed, as comparisons and drawings know it.

    `hash` is its `topic_graph_hash`. `topics` has the names of all topics, the initial one first, `edges` the
    pairs (topic, successor), None where there are too many to keep them with each conversation.
    `characteristics` has a digest of that of each topic, in the same order, "" where it has none; it is
    empty where edges are None, and in journals of before.
    """

    hash: str
    topics: tuple[str, ...]
    edges: tuple[tuple[str, str], ...] | None = None
    characteristics: tuple[str, ...] = ()


class TopicVisit(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Turns of one topic in a row, from number `first` to `last`; `number` counts visits from 1.

    `legal` is false when the graph has no edge from the visit before.
    """

    number: int
    topic: str
    first: int
    last: int
    legal: bool = True


def visits_of(turns: Iterable[tuple[int, Classification | None]]) -> tuple[TopicVisit, ...]:
    """The visits that the classified turns make; a turn without a topic ends one."""
    visits: list[TopicVisit] = []
    current = ""
    for number, classified in turns:
        topic = classified.topic if classified is not None else ""
        if classified is not None and topic == current:
            visits[-1] = msgspec.structs.replace(visits[-1], last=number)
        elif classified is not None:
            visits.append(TopicVisit(len(visits) + 1, topic, number, number, classified.legal))
        current = topic
    return tuple(visits)
