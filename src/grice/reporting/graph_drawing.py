"""A topic graph with what happened on it, as data to draw and as Mermaid text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from grice.experiments.aggregation.topic_counts import Move, TopicTally, known_topics
from grice.records import JsonValue
from grice.text import shorten, visible

__all__ = ["MERMAID_MARK", "DrawnGraph", "DrawnTopic", "drawn_graph", "mermaid", "plural"]

MERMAID_MARK = "%% drawn by grice report"
LONGEST_NAME = 60


class DrawnTopic(NamedTuple):
    """A topic and how often it was visited.

    Of the initial one `left` says how many conversations moved on with their first turn.
    """

    name: str
    visits: int = 0
    left: int = 0

    @property
    def words(self) -> str:
        """Both numbers in words."""
        visits = plural(self.visits, "visit") if self.visits else "never visited"
        return f"{visits}, {self.left} left at once" if self.left else visits


class DrawnGraph(NamedTuple):
    """What is drawn. The initial topic stands first; edges name topics that are listed."""

    topics: tuple[DrawnTopic, ...]
    edges: tuple[Move, ...]
    title: str = "Topics"


def drawn_graph(graph: Mapping[str, JsonValue], tally: TopicTally, *, title: str = "Topics") -> DrawnGraph:
    """The graph of a journal's head with all visits and moves that were counted, those it lacks too."""
    names = tally.names(graph)
    begins = names[0] if known_topics(graph) else ""
    left = tally.followed - tally.first[begins] if begins else 0
    return DrawnGraph(
        tuple(DrawnTopic(name, tally.visits[name], left if name == begins else 0) for name in names),
        tuple(tally.moves(graph)),
        title,
    )


def plural(count: int, word: str) -> str:
    """`1 visit`, `2 visits`."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def mermaid(graph: DrawnGraph) -> str:
    """The graph as a Mermaid flowchart. Names are data: no character of them is Mermaid or HTML."""
    ids = {topic.name: f"t{number}" for number, topic in enumerate(graph.topics)}
    lines = [
        MERMAID_MARK,
        "flowchart TD",
        f"  accTitle: {_letters(graph.title)}",
        f"  accDescr: {plural(len(graph.topics), 'topic')}, {plural(len(graph.edges), 'transition')}",
    ]
    for number, topic in enumerate(graph.topics):
        text = f"{_words(topic.name)}<br/>{topic.words}"
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


def _arrow(edge: Move) -> str:
    if not edge.legal:
        return f'-. "{edge.times}, not in the graph" .->'
    return f'-- "{edge.times}" -->' if edge.times else "-->"


def _words(name: str) -> str:
    """The name with every character that is no letter, digit or blank as its number, which Mermaid reads."""
    return "".join(
        one if one.isalnum() or one in " _" else f"#{ord(one)};"
        for one in shorten(visible(name, newlines=False), LONGEST_NAME).strip() or "?"
    )


def _letters(text: str) -> str:
    """The text with a blank for what is no letter or digit, for where Mermaid reads no numbers."""
    return " ".join("".join(one if one.isalnum() or one in "_-." else " " for one in text).split())
