"""A topic graph with what happened on it, as data to draw and as Mermaid text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from grice.experiments.aggregation.topic_counts import Move, TopicTally, known_topics
from grice.records import JsonValue
from grice.text import plural, shorten, visible

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
    """What is drawn. Edges name topics that are listed.

    `begins` is the initial topic, which stands first; None where the graph is not known.
    """

    topics: tuple[DrawnTopic, ...]
    edges: tuple[Move, ...]
    title: str = "Topics"
    begins: str | None = None


def drawn_graph(declared: Mapping[str, JsonValue], tally: TopicTally, *, title: str = "Topics") -> DrawnGraph:
    """The graph that was followed, else the declared one, with all visits and moves, those it lacks too."""
    names = tally.names(declared)
    begins = names[0] if known_topics(tally.graph(declared)) else None
    left = 0 if begins is None else tally.followed - tally.first[begins]
    return DrawnGraph(
        tuple(DrawnTopic(name, tally.visits[name], left if name == begins else 0) for name in names),
        tuple(tally.moves(declared)),
        title,
        begins,
    )


def mermaid(graph: DrawnGraph) -> str:
    """The graph as a Mermaid flowchart. Names are data: no character of them is Mermaid or HTML."""
    ids = {topic.name: f"t{number}" for number, topic in enumerate(graph.topics)}
    lines = [
        MERMAID_MARK,
        "flowchart TD",
        f"  accTitle: {_letters(graph.title)}",
        f"  accDescr: {plural(len(graph.topics), 'topic')}, {plural(len(graph.edges), 'transition')}",
    ]
    for topic in graph.topics:
        text = f"{_words(topic.name)}<br/>{topic.words}"
        drawn = _initial(text) if topic.name == graph.begins else _box(text)
        lines.append(f"  {ids[topic.name]}{drawn}")
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
