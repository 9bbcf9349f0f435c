"""A topic graph: which topics a conversation has, and which may follow which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

import msgspec

from grice.identity import fingerprint
from grice.records import FollowedGraph
from grice.text import did_you_mean, shorten, value_text
from grice.topics.topic import Topic

MAX_LISTED = 500
MAX_KEPT_EDGES = 300
"""Of a graph with more edges a conversation keeps only the names and the fingerprint."""

_DIGITS = 8
"""Hex digits of the digest of a characteristic, which is only held against that of the same topic."""

_SHAPE = "a graph is a dict {topic: topics that may follow}"

_Edges = Mapping[str, Sequence[str]]


class TopicGraphError(ValueError):
    """Everything wrong with a topic graph; `problems` has one text each."""

    __module__ = "grice"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(tuple(problems))
        self.problems = tuple(problems)

    def __str__(self) -> str:
        if len(self.problems) == 1:
            return f"topic graph: {self.problems[0]}"
        return "\n".join(
            [f"topic graph: {len(self.problems)} problems", *(f"  {one}" for one in self.problems)]
        )


class GraphProblem(NamedTuple):
    """A mistake in a graph: the topic, and which of its successors ("" for the topic itself)."""

    text: str
    topic: str = ""
    successor: str = ""


class TopicGraph(msgspec.Struct, frozen=True):
    """Topics and their allowed order. `TopicGraph.of` makes and checks one.

    The first of `topics` is where a conversation begins. Staying in a topic is always allowed.
    """

    topics: tuple[Topic, ...]
    following: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, given: Any, declared: Iterable[Topic] = ()) -> TopicGraph:
        """Make the graph of `{topic: successors}`; a graph is returned as it is.

        Keys and successors are topics or their names; successors are one of them, a tuple or list of them, or
        None or () for a topic that ends. A topic that is no key ends too. Names are those of topics in the
        dict, else of the `declared` ones, of which the last of a name counts. Raises TopicGraphError with all
        that is wrong.
        """
        if isinstance(given, cls):
            return given
        graph, problems = read_graph(given, declared)
        if problems:
            raise TopicGraphError([one.text for one in problems])
        return graph

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all topics, in order."""
        return tuple(self.following)

    @property
    def initial(self) -> Topic:
        """The topic in which a conversation begins."""
        return self.topics[0]

    @property
    def terminal(self) -> tuple[str, ...]:
        """The names of the topics that nothing follows."""
        return tuple(name for name, next_ones in self.following.items() if not next_ones)

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """All pairs (topic, successor), in order."""
        return tuple((name, one) for name, next_ones in self.following.items() for one in next_ones)

    def topic(self, name: str) -> Topic:
        """The topic of that name. Raises LookupError with the nearest right name."""
        for one in self.topics:
            if one.name == name:
                return one
        raise LookupError(
            f"the graph has no topic {value_text(name)}{did_you_mean(name, self.names)}: "
            f"it has {shorten(', '.join(self.names), MAX_LISTED)}"
        )

    def successors(self, name: str) -> tuple[str, ...]:
        """The names of the topics that may follow that one, in order. Raises LookupError."""
        return self.following[self.topic(name).name]

    def __contains__(self, name: object) -> bool:
        return name in self.following

    def __iter__(self) -> Iterator[Topic]:
        return iter(self.topics)

    def __len__(self) -> int:
        return len(self.topics)


def as_data(graph: TopicGraph) -> list[list[Any]]:
    """[name, characteristic, sorted successors] of every topic, in an order that does not depend on the
    declaration.

    The order is topological, topics that lead to each other taken as one, and alphabetical where that leaves
    a choice.
    """
    texts = {one.name: one.characteristic for one in graph.topics}
    return [[name, texts[name], sorted(graph.following[name])] for name in topological(graph.following)]


def topic_graph_hash(graph: TopicGraph) -> str:
    """`sha256:` and 64 hex digits, which change exactly when `as_data` does."""
    return fingerprint(as_data(graph))


def followed_graph(graph: TopicGraph) -> FollowedGraph:
    """The graph as a conversation's record keeps it."""
    edges = graph.edges if len(graph.edges) <= MAX_KEPT_EDGES else None
    texts = {one.name: one.characteristic for one in graph.topics}
    names = graph.names if edges is not None else ()
    digests = tuple(fingerprint(texts[name])[-_DIGITS:] if texts[name] else "" for name in names)
    return FollowedGraph(topic_graph_hash(graph), graph.names, edges, digests)


def read_graph(given: object, declared: Iterable[Topic] = ()) -> tuple[TopicGraph, list[GraphProblem]]:
    """Read what `TopicGraph.of` takes: the graph as far as it can be read, and every mistake in it."""
    read = _Reading(given, declared)
    graph = read.graph()
    return graph, [*read.problems, *(() if read.broken else _order_problems(graph, read.meant))]


class _Reading:
    """A dict read as a graph, with all that is wrong with it."""

    def __init__(self, given: object, declared: Iterable[Topic]) -> None:
        self.problems: list[GraphProblem] = []
        self.broken = False
        self.meant: dict[str, set[str]] = {}
        self._topics: dict[str, Topic] = {}
        self._following: dict[str, tuple[str, ...]] = {}
        self._twice: set[str] = set()
        self._declared = {one.name: one for one in declared}
        if not isinstance(given, Mapping):
            self._refuse(f"{_SHAPE}, found {value_text(given)}")
        elif not given:
            self._refuse("it has no topics")
        else:
            self._read(given)

    def graph(self) -> TopicGraph:
        names = [*self._following, *(name for name in self._topics if name not in self._following)]
        defined = [name for name in names if name in self._topics]
        return TopicGraph(
            tuple(self._topics[name] for name in defined),
            {name: self._following.get(name, ()) for name in defined},
        )

    def _refuse(self, text: str, name: str = "", successor: str = "", *, fatal: bool = True) -> None:
        self.problems.append(GraphProblem(text, name, successor))
        self.broken = self.broken or fatal

    def _read(self, given: Mapping[Any, Any]) -> None:
        rows = [(key, _successor_list(value)) for key, value in given.items()]
        for key, listed in rows:
            for one in (key, *(listed if isinstance(listed, list) else ())):
                self._keep(one)
        for key, listed in rows:
            name = self._name(key, "a key of the graph")
            if not name:
                continue
            if name in self._following:
                self._refuse(f"{name!r} is a key twice: put all that may follow it into one list", name)
            self._following[name] = self._successors(name, listed)
        for name in self._following:
            if name not in self._topics:
                self._undefined(name, "")

    def _keep(self, one: object) -> None:
        """Remember a topic that the dict has as an object."""
        if not isinstance(one, Topic):
            return
        known = self._topics.setdefault(one.name, one)
        if known is not one and one.name not in self._twice:
            self._twice.add(one.name)
            self._refuse(
                f"two different topics are named {one.name!r}: rename one, or name it by its name", one.name
            )

    def _name(self, one: object, where: str) -> str:
        if isinstance(one, Topic):
            return one.name
        if isinstance(one, str) and one.strip():
            name = one.strip()
            if name not in self._topics and name in self._declared:
                self._topics[name] = self._declared[name]
            return name
        hint = ": call it, topic(...)" if getattr(one, "__name__", "") == "topic" else ""
        self._refuse(f"{where} is a topic or its name, found {value_text(one)}{hint}")
        return ""

    def _successors(self, name: str, listed: list[object] | str) -> tuple[str, ...]:
        if isinstance(listed, str):
            self._refuse(f"the successors of {name!r}: {listed}", name)
            return ()
        found: list[str] = []
        for one in listed:
            successor = self._name(one, f"a successor of {name!r}")
            if not successor:
                continue
            if successor in found:
                self._refuse(f"{name!r} has the successor {successor!r} twice", name, successor, fatal=False)
            elif successor == name:
                said = "leave it out, a conversation may always stay in its topic"
                self._refuse(f"{name!r} follows itself: {said}", name, successor, fatal=False)
            elif successor not in self._topics:
                self._undefined(successor, name)
            else:
                found.append(successor)
        return tuple(found)

    def _undefined(self, name: str, source: str) -> None:
        known = {**self._declared, **self._topics}
        hint = did_you_mean(name, known)
        self.meant.setdefault(source, set()).update(one for one in known if hint.endswith(f"'{one}'?)"))
        if source:
            text = f"{source!r} is followed by {value_text(name)}, which is not defined{hint}"
        else:
            text = f"{value_text(name)} is not defined{hint}: give a topic(...), or declare it by a marker"
            self.broken = True
        self.problems.append(GraphProblem(text, source or name, name if source else ""))


def _successor_list(value: object) -> list[object] | str:
    """The successors as a list, or what is wrong with them."""
    if value is None:
        return []
    if isinstance(value, str | Topic):
        return [value]
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, set | frozenset):
        return f"a set has no order, write a tuple, found {value_text(value)}"
    return f"expected a topic, its name, or a tuple of them, found {value_text(value)}"


def _order_problems(graph: TopicGraph, meant: Mapping[str, set[str]]) -> Iterator[GraphProblem]:
    """Topics that cannot be reached, and topics that triggers count but that are not there.

    `meant` are topics that undefined names may have stood for, by where those stand.
    """
    if not graph.topics:
        return
    first = graph.initial.name
    seen, waiting = {first}, [first]
    while waiting:
        name = waiting.pop()
        for one in (*graph.following[name], *meant.get(name, ()), *meant.get("", ())):
            if one not in seen and one in graph.following:
                seen.add(one)
                waiting.append(one)
    lost = [name for name in graph.names if name not in seen]
    if lost:
        listed = shorten(", ".join(map(repr, lost)), MAX_LISTED)
        yield GraphProblem(f"cannot be reached from {first!r}, where it begins: {listed}", lost[0])
    for one in graph.topics:
        for trigger in one.triggers:
            counted = getattr(trigger, "topic", one.name)
            if counted not in graph.following:
                hint = did_you_mean(counted, graph.names)
                yield GraphProblem(
                    f"a trigger of {one.name!r} counts turns in {value_text(counted)}, "
                    f"which the graph does not have{hint}",
                    one.name,
                )


def topological(edges: _Edges) -> list[str]:
    """Order the nodes so that each stands before those it leads to, alphabetically where there is a choice.

    Nodes that lead to each other are one place, and alphabetical in it.
    """
    groups = condensed(edges)
    group_of = {name: number for number, group in enumerate(groups) for name in group}
    after = [
        {group_of[one] for name in group for one in edges[name]} - {number}
        for number, group in enumerate(groups)
    ]
    waiting_for = [0] * len(groups)
    for followers in after:
        for one in followers:
            waiting_for[one] += 1
    ready = [(groups[number][0], number) for number, count in enumerate(waiting_for) if not count]
    heapify(ready)
    order: list[str] = []
    while ready:
        _, number = heappop(ready)
        order += groups[number]
        for one in after[number]:
            waiting_for[one] -= 1
            if not waiting_for[one]:
                heappush(ready, (groups[one][0], one))
    return order


def condensed(edges: _Edges) -> list[list[str]]:
    """The strongly connected components, each sorted: nodes that lead to each other. (Tarjan, 1972.)"""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    groups: list[list[str]] = []
    for root in edges:
        if root in number:
            continue
        stack: list[tuple[str, Iterator[str]]] = [_open(root, edges, number, low, path)]
        while stack:
            name, left = stack[-1]
            following = next(left, None)
            if following is None:
                stack.pop()
                if stack:
                    low[stack[-1][0]] = min(low[stack[-1][0]], low[name])
                if low[name] == number[name]:
                    place = path.index(name)
                    groups.append(sorted(path[place:]))
                    del path[place:]
            elif following not in number:
                stack.append(_open(following, edges, number, low, path))
            elif following in path:
                low[name] = min(low[name], number[following])
    return groups


def _open(
    name: str, edges: _Edges, number: dict[str, int], low: dict[str, int], path: list[str]
) -> tuple[str, Iterator[str]]:
    number[name] = low[name] = len(number)
    path.append(name)
    return name, iter(edges[name])
