"""Which topics and transitions the conversations of a journal went through.

The graph is that of the conversations, where these tell none that of the journal's head. It is read with
care: a file may hold anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from grice.records import FollowedGraph, JsonValue, TopicVisit


class Move(NamedTuple):
    """A transition and how often it was made; `legal` is false for one that the graph does not have."""

    start: str
    end: str
    times: int
    legal: bool


@dataclass
class TopicTally:
    """Sums over conversations; those that followed no graph count nowhere."""

    followed: int = 0
    returning: int = 0
    """Conversations that went back to a topic that they had left."""
    visits: Counter[str] = field(default_factory=Counter)
    first: Counter[str] = field(default_factory=Counter)
    """The topics of first turns."""
    between: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Moves from visit to visit."""
    illegal: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Those of them that were recorded as such."""
    graphs: dict[tuple[str, tuple[str, ...]], FollowedGraph] = field(default_factory=dict)
    """The graphs that conversations tell, by fingerprint and initial topic."""

    def add_graph(self, graph: FollowedGraph | None) -> None:
        """Take note of the graph that a conversation followed."""
        if graph is not None:
            self.graphs.setdefault((graph.hash, graph.topics[:1]), graph)

    def add(self, visits: Sequence[TopicVisit]) -> None:
        """Count one more conversation."""
        if not visits:
            return
        names = [visit.topic for visit in visits]
        self.followed += 1
        self.returning += len(set(names)) < len(names)
        self.visits.update(names)
        self.first[names[0]] += 1
        for before, now in pairwise(visits):
            if before.topic != now.topic:
                self.between[before.topic, now.topic] += 1
                self.illegal[before.topic, now.topic] += not now.legal

    def graph(self, declared: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
        """The graph that all conversations followed, in the form of a head; {} where that is not one.

        The `declared` one stands in where none tells its own, or one that is too large to be kept with it.
        """
        if not self.graphs:
            return declared
        one, *others = self.graphs.values()
        if others:
            return {}
        if one.edges is None:
            return declared if known_topics(declared) == list(one.topics) else {}
        return {"topics": list(one.topics), "edges": [list(edge) for edge in one.edges]}

    def names(self, declared: Mapping[str, JsonValue]) -> list[str]:
        """The topics of the graph in order, then others that were visited."""
        return list(dict.fromkeys((*known_topics(self.graph(declared)), *sorted(self.visits))))

    def moves(self, declared: Mapping[str, JsonValue]) -> list[Move]:
        """The edges of the graph in order, then other moves, the most frequent first.

        A conversation begins in the initial topic: one whose first turn belongs to another took that edge.
        Without a graph a move is legal when its conversation says so.
        """
        graph = self.graph(declared)
        edges, topics = known_edges(graph), known_topics(graph)
        made = Counter(self.between)
        if topics:
            made.update({(topics[0], name): count for name, count in self.first.items() if name != topics[0]})
        others = sorted((-count, move) for move, count in made.items() if move not in edges)
        return [
            *(Move(*edge, made[edge], legal=True) for edge in edges),
            *(Move(*move, -count, not topics and not self.illegal[move]) for count, move in others),
        ]


def known_topics(graph: Mapping[str, JsonValue]) -> list[str]:
    """The names of the topics in order, the initial one first; those that only edges name stand last."""
    listed = graph.get("topics")
    names = [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
    return list(dict.fromkeys((*names, *(name for edge in known_edges(graph) for name in edge))))


def known_edges(graph: Mapping[str, JsonValue]) -> list[tuple[str, str]]:
    """The edges in order, each once, without those from a topic to itself."""
    listed = graph.get("edges")
    edges: dict[tuple[str, str], None] = {}
    for edge in listed if isinstance(listed, list) else ():
        match edge:
            case [str(start), str(end)] if start != end:
                edges[start, end] = None
    return list(edges)
