"""A topic graph as a standalone SVG picture, for light and dark pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from grice.experiments.aggregation.topic_counts import Move
from grice.reporting.graph_drawing import DrawnGraph, DrawnTopic
from grice.reporting.graph_layout import Place, Placed, lay_out
from grice.reporting.layout import cells
from grice.text import plural, visible

SVG_MARK = "<!-- drawn by grice report -->"

_LETTER = 8.3  # the width of a letter of a name, generously
_SMALL_LETTER = 7.0  # the same of the line below it
_HEIGHT, _LAYER_GAP, _GAP, _PORT, _MARGIN = 52.0, 74.0, 44.0, 30.0, 28.0
_TITLE, _LEGEND = 34.0, 24.0
_LONGEST_NAME = 30
_TRIES = (0.5, 0.36, 0.64, 0.24, 0.76)

_STYLE = """
  text { font: 13px ui-sans-serif, system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
  .paper { fill: #ffffff; }
  .heading { font-size: 15px; font-weight: 600; }
  .name { font-weight: 600; text-anchor: middle; }
  .small { font-size: 12px; fill: #57606a; }
  .middle { text-anchor: middle; }
  .box { fill: #eaf2ff; stroke: #4878b8; stroke-width: 1.4; }
  .initial .box { stroke-width: 2.6; }
  .never .box { fill: #f2f3f5; stroke: #a6adb5; }
  .never text { fill: #636c76; }
  .edge { fill: none; stroke: #57606a; }
  .unused .edge { stroke: #a6adb5; }
  .illegal .edge { stroke: #c5221f; stroke-dasharray: 6 4; }
  .label { font-size: 12px; text-anchor: middle; stroke: #ffffff; stroke-width: 8px; stroke-linejoin: round;
    paint-order: stroke; }
  .illegal .label { fill: #c5221f; font-weight: 600; }
  .head { fill: #57606a; } .head-unused { fill: #a6adb5; } .head-illegal { fill: #c5221f; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .small { fill: #9aa4af; } .paper { fill: #0d1117; }
    .box { fill: #16263d; stroke: #6ea2e8; } .never .box { fill: #1b2027; stroke: #4a525c; }
    .never text { fill: #8b949e; } .edge { stroke: #9aa4af; } .unused .edge { stroke: #4a525c; }
    .illegal .edge { stroke: #ff8178; } .label { stroke: #0d1117; } .illegal .label { fill: #ff8178; }
    .head { fill: #9aa4af; } .head-unused { fill: #4a525c; } .head-illegal { fill: #ff8178; }
  }
"""


class _Point(NamedTuple):
    x: float
    y: float


class _Piece(NamedTuple):
    """A part of an edge between two layers; it leaves and arrives upright."""

    start: _Point
    end: _Point

    def at(self, part: float) -> _Point:
        """The point at that part of the way."""
        middle = (self.start.y + self.end.y) / 2
        rest = 1 - part
        a, b, c, d = rest**3, 3 * rest**2 * part, 3 * rest * part**2, part**3
        x = (a + b) * self.start.x + (c + d) * self.end.x
        return _Point(x, a * self.start.y + (b + c) * middle + d * self.end.y)


def svg(graph: DrawnGraph, within: str = "") -> str:
    """The picture. Visits stand in the topics, transitions at the edges.

    Topics never visited are grey, transitions that the graph does not have red and dashed. Names are text:
    nothing in them is markup. A picture `within` a page, which has styles for `.graph`, brings none of its
    own and no heading; the word begins its ids.
    """
    boxes = {topic.name: _width(topic, graph.edges) for topic in graph.topics}
    placed = lay_out(boxes, [(edge.start, edge.end) for edge in graph.edges], gap=_GAP)
    legend = _legend(graph)
    extent = max((p.x + p.width / 2 for layer in placed.layers for p in layer), default=0.0)
    words = max([cells(graph.title) * 8.6, *(cells(line) * 6.6 for line in legend)], default=0.0)
    width = max(extent, words) + 2 * _MARGIN
    shift = (width - extent) / 2
    for layer in placed.layers:
        for place in layer:
            place.x += shift
    rows = len(placed.layers)
    bottom = _MARGIN + _TITLE + rows * _HEIGHT + max(0, rows - 1) * _LAYER_GAP
    height = bottom + _MARGIN + (_LEGEND * len(legend))
    top = _TITLE if within else 0.0
    box = f"0 {top:.0f} {width:.0f} {height - top:.0f}"
    size = f'width="{width:.0f}" height="{height - top:.0f}" viewBox="{box}"'
    heads = "".join(_arrow_head(within, kind) for kind in ("", "-unused", "-illegal"))
    labelled = f'aria-labelledby="{within}title {within}desc"'
    alone = [
        f"<style>{_STYLE}</style>",
        '<rect class="paper" width="100%" height="100%"/>',
        f'<text class="heading" x="{_MARGIN}" y="{_MARGIN + 8}">{_text(graph.title)}</text>',
    ]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="graph" {size} role="img" {labelled}>',
        SVG_MARK,
        f'<title id="{within}title">{_text(graph.title)}</title>',
        f'<desc id="{within}desc">{_text(_description(graph))}</desc>',
        f"<defs>{heads}</defs>",
        *([] if within else alone),
        *_edges(graph, placed, within),
        *(
            _topic(topic, placed.nodes[topic.name], initial=topic.name == graph.begins)
            for topic in graph.topics
        ),
    ]
    for number, line in enumerate(legend):
        y = bottom + _MARGIN + number * _LEGEND
        lines.append(f'<text class="small" x="{_MARGIN}" y="{y:.0f}">{line}</text>')
    return "\n".join((*lines, "</svg>")) + "\n"


def _width(topic: DrawnTopic, edges: Sequence[Move]) -> float:
    """Room for the name, the words below it, and the edges that may meet on one side."""
    touching = sum(topic.name in (edge.start, edge.end) for edge in edges)
    words = max(cells(_name(topic.name)) * _LETTER, len(topic.words) * _SMALL_LETTER)
    return max(104.0, words + 28, (touching + 1) * _PORT * 0.6)


def _topic(topic: DrawnTopic, place: Place, *, initial: bool) -> str:
    kinds = " ".join(kind for kind, holds in (("initial", initial), ("never", not topic.visits)) if holds)
    left, top = place.x - place.width / 2, _top(place.layer)
    visits = topic.words
    return (
        f'<g class="topic {kinds}"><title>{_text(topic.name)}: {visits}</title>'
        f'<rect class="box" x="{left:.1f}" y="{top:.1f}" width="{place.width:.1f}" height="{_HEIGHT}" '
        f'rx="{_HEIGHT / 2 if initial else 9}"/>'
        f'<text class="name" x="{place.x:.1f}" y="{top + 22:.1f}">{_text(_name(topic.name) or "?")}</text>'
        f'<text class="small middle" x="{place.x:.1f}" y="{top + 40:.1f}">{visits}</text></g>'
    )


def _edges(graph: DrawnGraph, placed: Placed, within: str) -> Iterator[str]:
    routes = _routes(placed)
    most = max((edge.times for edge in graph.edges), default=0)
    taken: list[tuple[float, float, float]] = []
    for edge in graph.edges:
        pieces = routes[edge.start, edge.end]
        kind = "illegal" if not edge.legal else "" if edge.times else "unused"
        stroke = 1.3 + (2.2 * edge.times / most if most else 0)
        label = ""
        if edge.times:
            spot = _free_spot(pieces, str(edge.times), taken)
            label = f'<text class="label" x="{spot.x:.1f}" y="{spot.y + 4:.1f}">{edge.times}</text>'
        head = f"{within}head{f'-{kind}' if kind else ''}"
        said = f"{edge.start} to {edge.end}: {plural(edge.times, 'time')}"
        said += "" if edge.legal else ", not in the graph"
        yield (
            f'<g class="{kind}"><title>{_text(said)}</title><path class="edge" d="{_path(pieces)}" '
            f'stroke-width="{stroke:.1f}" marker-end="url(#{head})"/>{label}</g>'
        )


def _routes(placed: Placed) -> dict[tuple[str, str], list[_Piece]]:
    """The pieces of every edge, in its own direction: ports side by side where edges meet at a topic."""
    ends: dict[tuple[int, str], list[tuple[float, tuple[str, str]]]] = {}
    for edge, chain in placed.chains.items():
        ends.setdefault((id(chain[0]), "below"), []).append((chain[1].x, edge))
        ends.setdefault((id(chain[-1]), "above"), []).append((chain[-2].x, edge))
    ports: dict[tuple[int, tuple[str, str]], float] = {}
    for (place, _), meeting in ends.items():
        for number, (_, edge) in enumerate(sorted(meeting)):
            ports[place, edge] = (number - (len(meeting) - 1) / 2) * _PORT
    routes: dict[tuple[str, str], list[_Piece]] = {}
    for edge, chain in placed.chains.items():
        first, last = chain[0], chain[-1]
        points = [_Point(first.x + _within(ports[id(first), edge], first), _top(first.layer) + _HEIGHT)]
        for bend in chain[1:-1]:
            points += [_Point(bend.x, _top(bend.layer)), _Point(bend.x, _top(bend.layer) + _HEIGHT)]
        points.append(_Point(last.x + _within(ports[id(last), edge], last), _top(last.layer)))
        if edge in placed.turned:
            points.reverse()
        routes[edge] = [_Piece(start, end) for start, end in pairwise(points)]
    return routes


def _within(offset: float, place: Place) -> float:
    most = place.width / 2 - 14
    return min(max(offset, -most), most)


def _free_spot(pieces: Sequence[_Piece], text: str, taken: list[tuple[float, float, float]]) -> _Point:
    """Where the label of an edge hides no other, else the middle of its first piece; it is taken then."""
    half = len(text) * 3.6 + 3
    curved = pieces[::2]  # every other one passes straight through a layer
    spots = [piece.at(part) for part in _TRIES for piece in curved]
    free = [
        spot
        for spot in spots
        if all(abs(spot.x - x) > half + other or abs(spot.y - y) > 15 for x, y, other in taken)
    ]
    spot = (free or spots)[0]
    taken.append((spot.x, spot.y, half))
    return spot


def _path(pieces: Sequence[_Piece]) -> str:
    parts = [f"M{pieces[0].start.x:.1f} {pieces[0].start.y:.1f}"]
    for start, end in pieces:
        middle = (start.y + end.y) / 2
        parts.append(f"C{start.x:.1f} {middle:.1f} {end.x:.1f} {middle:.1f} {end.x:.1f} {end.y:.1f}")
    return "".join(parts)


def _arrow_head(within: str, kind: str) -> str:
    return (
        f'<marker id="{within}head{kind}" viewBox="0 0 10 10" refX="9.5" refY="5" markerWidth="11" '
        'markerHeight="11" markerUnits="userSpaceOnUse" orient="auto">'
        f'<path class="head{kind}" d="M0 1 10 5 0 9z"/></marker>'
    )


def _legend(graph: DrawnGraph) -> list[str]:
    lines: list[str] = []
    if any(not topic.visits for topic in graph.topics) or any(
        edge.legal and not edge.times for edge in graph.edges
    ):
        lines.append("grey: never visited, never taken")
    if any(not edge.legal for edge in graph.edges):
        lines.append("red and dashed: transitions that the graph does not have")
    return lines


def _description(graph: DrawnGraph) -> str:
    """What the picture shows, for those who do not see it."""
    topics = ", ".join(f"{one.name} ({plural(one.visits, 'visit')})" for one in graph.topics)
    moves = ", ".join(
        f"{one.start} to {one.end} ({plural(one.times, 'time')}{'' if one.legal else ', not in the graph'})"
        for one in graph.edges
    )
    return f"Topics: {topics or 'none'}. Transitions: {moves or 'none'}."


def _top(layer: int) -> float:
    return _MARGIN + _TITLE + layer * (_HEIGHT + _LAYER_GAP)


def _name(name: str) -> str:
    """The name as it stands in a box; the whole one is told when the pointer is over it."""
    whole = visible(name, newlines=False)
    return whole if len(whole) <= _LONGEST_NAME else f"{whole[: _LONGEST_NAME - 1].rstrip()}\u2026"


def _text(text: str) -> str:
    """The text for XML, without the characters that XML cannot hold."""
    return escape(visible(text, newlines=False).replace("\ufffe", "?").replace("\uffff", "?"))
