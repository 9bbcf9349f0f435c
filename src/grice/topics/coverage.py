"""The topics and edges of a graph that conversations went through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby

import msgspec

from grice.records import Conversation
from grice.topics.graph import TopicGraph


class TopicCount(msgspec.Struct, frozen=True):
    """How often a topic was visited, in how many conversations, and how many turns belong to it."""

    name: str
    visits: int = 0
    conversations: int = 0
    turns: int = 0


class EdgeCount(msgspec.Struct, frozen=True):
    """How often conversations moved from one topic to another."""

    source: str
    target: str
    count: int = 0


class Coverage(msgspec.Struct, frozen=True):
    """The topics and edges that conversations took in a graph, counted.

    `topics` and `edges` are all of the graph's, in its order; `illegal` are the moves that it does not have.
    `conversations` followed topics: those without any are `unclassified` and count nowhere else. `unknown`
    are topics that turns have and the graph does not. `undecided` are turns of which nobody could say the
    topic. `returning` conversations went back to a topic that they had left.
    """

    conversations: int
    turns: int
    topics: tuple[TopicCount, ...]
    edges: tuple[EdgeCount, ...]
    illegal: tuple[EdgeCount, ...] = ()
    unknown: tuple[str, ...] = ()
    unclassified: int = 0
    undecided: int = 0
    returning: int = 0

    @property
    def missing_topics(self) -> tuple[str, ...]:
        """The topics that no conversation visited."""
        return tuple(one.name for one in self.topics if not one.visits)

    @property
    def missing_edges(self) -> tuple[tuple[str, str], ...]:
        """The edges that no conversation took."""
        return tuple((one.source, one.target) for one in self.edges if not one.count)

    @property
    def topic_rate(self) -> float | None:
        """The share of the graph's topics that were visited; None without conversations."""
        return 1 - len(self.missing_topics) / len(self.topics) if self.conversations else None

    @property
    def edge_rate(self) -> float | None:
        """The share of the graph's edges that were taken; None without conversations or edges."""
        return 1 - len(self.missing_edges) / len(self.edges) if self.conversations and self.edges else None

    @property
    def backtracking_rate(self) -> float | None:
        """The share of conversations that went back to a topic they had left; None without conversations."""
        return self.returning / self.conversations if self.conversations else None


def coverage(graph: TopicGraph, conversations: Iterable[Conversation]) -> Coverage:
    """Count how often the conversations visited each topic of the graph and took each of its edges.

    A conversation begins in the initial topic: one whose first turn belongs to another took that edge.
    """
    counted = _Counts(graph)
    for conversation in conversations:
        counted.add(conversation)
    return counted.result()


class _Counts:
    def __init__(self, graph: TopicGraph) -> None:
        self._graph = graph
        self._visits: Counter[str] = Counter()
        self._reached: Counter[str] = Counter()
        self._turns: Counter[str] = Counter()
        self._moves: Counter[tuple[str, str]] = Counter()
        self._followed = self._unclassified = self._undecided = self._returning = 0

    def add(self, conversation: Conversation) -> None:
        visits = conversation.visits
        if not visits:
            self._unclassified += 1
            return
        self._followed += 1
        names = [visit.topic for visit in visits]
        self._visits.update(names)
        self._reached.update(set(names))
        ways = [name for name, _ in groupby(names)]  # a turn without a topic is no other topic
        self._returning += len(set(ways)) < len(ways)
        for visit in visits:
            self._turns[visit.topic] += visit.last - visit.first + 1
        for turn in conversation.turns:
            self._undecided += turn.classified is not None and not turn.classified.known
        before = self._graph.initial.name
        for name in names:
            if name != before:
                self._moves[before, name] += 1
            before = name

    def result(self) -> Coverage:
        graph = self._graph
        return Coverage(
            self._followed,
            self._turns.total(),
            tuple(
                TopicCount(name, self._visits[name], self._reached[name], self._turns[name])
                for name in graph.names
            ),
            tuple(EdgeCount(*edge, self._moves[edge]) for edge in graph.edges),
            tuple(
                EdgeCount(*move, count)
                for move, count in sorted(self._moves.items(), key=lambda pair: (-pair[1], pair[0]))
                if move not in graph.edges
            ),
            tuple(sorted(name for name in self._visits if name not in graph)),
            self._unclassified,
            self._undecided,
            self._returning,
        )
