"""A topic graph with what happened on it, as data to draw and as Mermaid text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from grice.records import JsonValue
from grice.reporting.run_summary import RunSummary
from grice.reporting.topic_counts import known_edges, known_topics
from grice.text import shorten, visible

__all__ = ["MERMAID_MARK", "DrawnEdge", "DrawnGraph", "DrawnTopic", "drawn_graph", "mermaid", "plural"]

MERMAID_MARK = "%% drawn by grice report"
LONGEST_NAME = 60


class DrawnTopic(NamedTuple):
    """A topic and how often it was visited."""

    name: str
    visits: int = 0


class DrawnEdge(NamedTuple):
    """A transition and how often it was made; `legal` is false for one that the graph does not have."""

    start: str
    end: str
    times: int = 0
    legal: bool = True


class DrawnGraph(NamedTuple):
    """What is drawn. The initial topic stands first; edges name topics that are listed."""

    topics: tuple[DrawnTopic, ...]
    edges: tuple[DrawnEdge, ...]
    title: str = "Topics"


def drawn_graph(graph: Mapping[str, JsonValue], summary: RunSummary, *, title: str = "Topics") -> DrawnGraph:
    """The graph of a journal's head with the visits and moves of its results.

    Topics and moves that the graph does not have are there too. Without a graph every move is taken for legal
    that its conversation says was.
    """
    names = dict.fromkeys((*known_topics(graph), *summary.visits))
    edges = dict.fromkeys(known_edges(graph), True)
    for move in summary.moves:
        edges.setdefault(move, not summary.illegal[move])
    return DrawnGraph(
        tuple(DrawnTopic(name, summary.visits[name]) for name in names),
        tuple(DrawnEdge(*move, summary.moves[move], legal) for move, legal in edges.items()),
        title,
    )


def plural(count: int, word: str) -> str:
    """`1 visit`, `2 visits`."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def mermaid(graph: DrawnGraph) -> str:
    """The graph as a Mermaid flowchart. Names are data: no character of them is Mermaid or HTML."""
    ids = {topic.name: f"t{number}" for number, topic in enumerate(graph.topics)}
    lines = [
        MERMAID_MARK,
        "flowchart TD",
        f"  accTitle: {_words(graph.title)}",
        f"  accDescr: {plural(len(graph.topics), 'topic')}, {plural(len(graph.edges), 'transition')}",
    ]
    for number, topic in enumerate(graph.topics):
        text = f"{_words(topic.name)}<br/>{plural(topic.visits, 'visit')}"
        lines.append(f"  {ids[topic.name]}{_initial(text) if number == 0 else _box(text)}")
    styles: dict[str, list[int]] = {"never": [], "illegal": []}
    for number, edge in enumerate(graph.edges):
        lines.append(f"  {ids[edge.start]} {_arrow(edge)} {ids[edge.end]}")
        if not edge.legal:
            styles["illegal"].append(number)
        elif not edge.times:
            styles["never"].append(number)
    for kind, style in (
        ("never", "stroke:#9aa0a6,color:#6b7075"),
        ("illegal", "stroke:#d93025,color:#d93025,stroke-dasharray:6 4"),
    ):
        if styles[kind]:
            lines.append(f"  linkStyle {','.join(map(str, styles[kind]))} {style}")
    unvisited = [ids[topic.name] for topic in graph.topics if not topic.visits]
    if unvisited:
        lines.append("  classDef never fill:#eceff1,stroke:#9aa0a6,color:#6b7075")
        lines.append(f"  class {','.join(unvisited)} never")
    return "\n".join(lines) + "\n"


def _initial(text: str) -> str:
    return f'(["{text}"])'


def _box(text: str) -> str:
    return f'["{text}"]'


def _arrow(edge: DrawnEdge) -> str:
    if not edge.legal:
        return f'-. "{edge.times}, not in the graph" .->'
    return f'-- "{edge.times}" -->' if edge.times else "-->"


def _words(name: str) -> str:
    """The name with every character that is no letter, digit or blank as its number, which Mermaid reads."""
    return "".join(
        one if one.isalnum() or one in " _" else f"#{ord(one)};"
        for one in shorten(visible(name, newlines=False), LONGEST_NAME).strip() or "?"
    )
