"""The topic graph as the head of a journal has it, read with care: a file may hold anything."""

from __future__ import annotations

from collections.abc import Mapping

from grice.records import JsonValue

__all__ = ["known_edges", "known_topics"]


def known_topics(graph: Mapping[str, JsonValue]) -> list[str]:
    """The names of the topics in order, the initial one first; those that only edges name stand last."""
    listed = graph.get("topics")
    names = [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
    return list(dict.fromkeys((*names, *(name for edge in known_edges(graph) for name in edge))))


def known_edges(graph: Mapping[str, JsonValue]) -> list[tuple[str, str]]:
    """The edges in order, each once."""
    listed = graph.get("edges")
    edges: dict[tuple[str, str], None] = {}
    for edge in listed if isinstance(listed, list) else ():
        if (
            isinstance(edge, list)
            and len(edge) == 2
            and isinstance(edge[0], str)
            and isinstance(edge[1], str)
        ):
            edges[edge[0], edge[1]] = None
    return list(edges)
