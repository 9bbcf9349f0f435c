"""Elements as data, drawn once: written into the page as HTML, or kept in it as JSON that its script draws.

A node is a text, or a list of a tag, its attributes and its children. Texts are never markup: HTML escapes
them here, and the script makes text nodes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from html import escape
from typing import Any

from grice.text import visible

Node = str | list[Any]


def element(tag: str, kind: str = "", *children: Node | None, **attributes: str) -> Node:
    """An element of a class, without children that are empty; `data_of` is the attribute `data-of`.

    What would act on a reader or hide from one stands as an escape in texts and attributes.
    """
    named = _of_class(kind)
    if attributes:
        others = {name.replace("_", "-"): visible(text, newlines=False) for name, text in attributes.items()}
        named = named | others
    return [tag, named, *[visible(one) if type(one) is str else one for one in children if one]]


@cache
def _of_class(kind: str) -> dict[str, str]:
    return {"class": kind} if kind else {}


def html_of(nodes: Iterable[Node]) -> str:
    """The nodes as HTML."""
    parts: list[str] = []
    for one in nodes:
        _write(one, parts.append)
    return "".join(parts)


def _write(node: Node, put: Callable[[str], object]) -> None:
    if isinstance(node, str):
        put(escape(node))
        return
    tag, attributes = node[0], node[1]
    named = "".join([f' {name}="{escape(value)}"' for name, value in attributes.items()])
    put(f"<{tag}{named}>")
    for one in node[2:]:
        _write(one, put)
    put(f"</{tag}>")
