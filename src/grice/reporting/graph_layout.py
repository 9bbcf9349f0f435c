"""Where the topics of a graph stand and how its edges run, in layers from top to bottom.

The classic three steps: turn edges that lead back around and put every node below all that lead to it;
order each layer so that few edges cross; move nodes under their neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean

_SWEEPS = 12
_BEND = 12.0  # the width kept free for an edge that passes through a layer


@dataclass
class Place:
    """The middle of a node or of a bend of an edge, and its width; `layer` counts from 0."""

    layer: int
    width: float
    x: float = 0.0


@dataclass
class Placed:
    """The places of the nodes by name, and of every edge's nodes and bends from top to bottom.

    `turned` are the edges that run upwards.
    """

    nodes: dict[str, Place] = field(default_factory=dict)
    chains: dict[tuple[str, str], list[Place]] = field(default_factory=dict)
    turned: set[tuple[str, str]] = field(default_factory=set)
    layers: list[list[Place]] = field(default_factory=list)


def lay_out(widths: Mapping[str, float], edges: Sequence[tuple[str, str]], *, gap: float) -> Placed:
    """Places for the nodes with these widths, the first of which is the start, and for the edges.

    Every edge is given once, with ends among the nodes and not from a node to itself. `gap` is the least room
    between neighbours of a layer. The same input gives the same places.
    """
    placed = Placed(turned=_turned(list(widths), edges))
    down = [(end, start) if (start, end) in placed.turned else (start, end) for start, end in edges]
    layers = _layers(list(widths), down)
    placed.nodes = {name: Place(layers[name], width) for name, width in widths.items()}
    placed.layers = [[] for _ in range(max(layers.values(), default=-1) + 1)]
    for place in placed.nodes.values():
        placed.layers[place.layer].append(place)
    for edge, (top, bottom) in zip(edges, down, strict=True):
        bends = [Place(layer, _BEND) for layer in range(layers[top] + 1, layers[bottom])]
        for bend in bends:
            placed.layers[bend.layer].append(bend)
        placed.chains[edge] = [placed.nodes[top], *bends, placed.nodes[bottom]]
    links = _Links(placed.chains.values())
    placed.layers = _ordered(placed.layers, links)
    _spread(placed.layers, links, gap)
    return placed


def _turned(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> set[tuple[str, str]]:
    """The edges that lead back to where a walk from the start comes from: without them there is no cycle."""
    after: dict[str, list[str]] = {name: [] for name in nodes}
    for start, end in edges:
        after[start].append(end)
    turned: set[tuple[str, str]] = set()
    done: set[str] = set()
    for root in nodes:
        walk: list[tuple[str, int]] = [] if root in done else [(root, 0)]
        on_way = {root} if walk else set[str]()
        while walk:
            name, number = walk.pop()
            if number == len(after[name]):
                done.add(name)
                on_way.discard(name)
                continue
            walk.append((name, number + 1))
            following = after[name][number]
            if following in on_way:
                turned.add((name, following))
            elif following not in done:
                on_way.add(following)
                walk.append((following, 0))
    return turned


def _layers(nodes: Sequence[str], down: Sequence[tuple[str, str]]) -> dict[str, int]:
    """For every node the length of the longest way to it; the edges have no cycle."""
    layers = dict.fromkeys(nodes, 0)
    changed = True
    while changed:
        changed = False
        for top, bottom in down:
            if layers[bottom] <= layers[top]:
                layers[bottom] = layers[top] + 1
                changed = True
    return layers


class _Links:
    """What each place is joined to in the layers above and below."""

    def __init__(self, chains: Iterable[Sequence[Place]]) -> None:
        self.above: dict[int, list[Place]] = {}
        self.below: dict[int, list[Place]] = {}
        for chain in chains:
            for upper, lower in pairwise(chain):
                self.below.setdefault(id(upper), []).append(lower)
                self.above.setdefault(id(lower), []).append(upper)


def _ordered(layers: list[list[Place]], links: _Links) -> list[list[Place]]:
    """The layers in the order with the fewest crossings that some sweeps up and down find."""
    best, fewest = layers, _crossings(layers, links)
    current = layers
    for sweep in range(_SWEEPS):
        if not fewest:
            break
        downwards = sweep % 2 == 0
        neighbours = links.above if downwards else links.below
        current = [list(layer) for layer in current]
        for layer in current if downwards else reversed(current):
            ranks = {id(place): rank for each in current for rank, place in enumerate(each)}
            wishes = {id(place): _wish(place, neighbours, ranks) for place in layer}
            layer.sort(key=lambda place, wishes=wishes: wishes[id(place)])  # type: ignore[misc]
        crossed = _crossings(current, links)
        if crossed < fewest:
            best, fewest = current, crossed
    return best


def _wish(place: Place, neighbours: Mapping[int, list[Place]], ranks: Mapping[int, int]) -> float:
    joined = neighbours.get(id(place))
    return fmean(ranks[id(one)] for one in joined) if joined else float(ranks[id(place)])


def _crossings(layers: Sequence[Sequence[Place]], links: _Links) -> int:
    count = 0
    for upper, lower in pairwise(layers):
        ranks = {id(place): rank for rank, place in enumerate(lower)}
        ends: list[int] = []
        for place in upper:
            ends += sorted(ranks[id(one)] for one in links.below.get(id(place), ()))
        count += sum(first > second for at, first in enumerate(ends) for second in ends[at + 1 :])
    return count


def _spread(layers: Sequence[Sequence[Place]], links: _Links, gap: float) -> None:
    """Give every place its x: as near to its neighbours' mean as the layer's order and widths allow."""
    for layer in layers:
        _settle(layer, [0.0] * len(layer), gap)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        for layer in layers if downwards else reversed(layers):
            wishes: list[float] = []
            for place in layer:
                near = links.above if downwards else links.below
                joined = near.get(id(place)) or links.above.get(id(place)) or links.below.get(id(place))
                wishes.append(fmean(one.x for one in joined) if joined else place.x)
            _settle(layer, wishes, gap)
    left = min((place.x - place.width / 2 for layer in layers for place in layer), default=0.0)
    for layer in layers:
        for place in layer:
            place.x -= left


def _settle(layer: Sequence[Place], wishes: Sequence[float], gap: float) -> None:
    """Put each place at its wish; those that would overlap form a block around the mean of their wishes."""
    offsets = [0.0]
    for left, right in pairwise(layer):
        offsets.append(offsets[-1] + (left.width + right.width) / 2 + gap)
    blocks: list[tuple[float, int]] = []  # the mean of wish less offset, and how many places
    for wish, offset in zip(wishes, offsets, strict=False):
        mean, size = wish - offset, 1
        while blocks and blocks[-1][0] >= mean:
            before, count = blocks.pop()
            mean, size = (before * count + mean * size) / (count + size), size + count
        blocks.append((mean, size))
    starts = [mean for mean, size in blocks for _ in range(size)]
    for place, start, offset in zip(layer, starts, offsets, strict=False):
        place.x = start + offset
