"""Order a graph by its edges, whatever cycles it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush

Edges = Mapping[str, Sequence[str]]


def topological(edges: Edges) -> list[str]:
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


def condensed(edges: Edges) -> list[list[str]]:
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
    name: str, edges: Edges, number: dict[str, int], low: dict[str, int], path: list[str]
) -> tuple[str, Iterator[str]]:
    number[name] = low[name] = len(number)
    path.append(name)
    return name, iter(edges[name])
