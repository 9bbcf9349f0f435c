"""Where each value of a JSON text stands; that of a YAML text says `yaml_nodes`.

Both syntaxes give the same tree of nodes. Both readers are iterative up to the depth limit, so no text can
exhaust the stack, and both refuse what files of Grice must not have: a name twice in one object, nesting
too deep, numbers without a value, and those that are larger than a double can be.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isinf
from typing import Any

from grice.text.display import value_text
from grice.text.json_mistakes import no_number

JsonValue = Any
JsonPath = tuple[str | int, ...]

MAX_DEPTH = 200
MAX_REPEATED = 100
"""Names that stand twice in one object: so many are told."""


class Refused(ValueError):
    """A text that is not taken: why, at which character offset, and what else is wrong with it."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message
        self.more: list[Refused] = []


@dataclass(slots=True)
class Node:
    """One value in the text, from character `start` to before `end`.

    `children` are the values of an object by name or of a list by index; `keys` are the offsets where the
    names of an object stand. `kind` is "object", "list" or "scalar"; `block` marks a YAML collection without
    brackets. `scalar` is filled for YAML only. `size` counts the values in it, `height` its levels.
    """

    start: int
    end: int
    kind: str
    children: dict[str | int, Node] = field(default_factory=dict[str | int, "Node"])
    keys: dict[str, int] = field(default_factory=dict[str, int])
    scalar: JsonValue = None
    block: bool = False
    size: int = 1
    height: int = 0

    def value(self) -> JsonValue:
        """The JSON value, with containers of its own."""
        if self.kind == "object":
            return {name: child.value() for name, child in self.children.items()}
        if self.kind == "list":
            return [child.value() for child in self.children.values()]
        return self.scalar


def keep_name(text: str, name: str, offset: int, node: Node, repeated: list[Refused]) -> None:
    """Keep where a name of the object stands; one that is there already is among the `repeated`."""
    first = node.keys.setdefault(name, offset)
    if first != offset and len(repeated) < MAX_REPEATED:
        line = text.count("\n", 0, first) + 1
        message = f"the field {value_text(name)} is there twice in one object, first on line {line}"
        repeated.append(Refused(offset, message))


def refuse_repeated(repeated: list[Refused]) -> None:
    """Refuse the text for the first name that stands twice, and tell the others with it."""
    if repeated:
        repeated[0].more = repeated[1:]
        raise repeated[0]


_PIECE = re.compile(r'(?s)[ \t\n\r]*+(?:"(?:[^"\\]|\\.)*+"?|[{}\[\]:,]|[^\s{}\[\]:,"]++)')


def json_nodes(text: str) -> Node:
    """The nodes of a JSON text. Raises Refused for a repeated name, NaN, too large a number or deep nesting.

    The syntax itself is not checked: the text has been read by a JSON parser, or is about to be.
    """
    root: Node | None = None
    stack: list[Node] = []
    name: str | None = None
    repeated: list[Refused] = []
    for piece, start, end in _pieces(text):
        if piece in ",:":
            continue
        if piece in "}]":
            if stack:
                stack.pop().end = end
            continue
        parent = stack[-1] if stack else None
        if parent is not None and parent.kind == "object" and name is None:
            name = _name(piece, start)
            keep_name(text, name, start, parent, repeated)
            continue
        node = _node(piece, start, end)
        if parent is not None:
            parent.children[len(parent.children) if name is None else name] = node
        root = root or node
        name = None
        if node.kind != "scalar":
            stack.append(node)
            if len(stack) > MAX_DEPTH:
                raise Refused(start, f"nested deeper than {MAX_DEPTH} levels")
    if root is None:
        raise Refused(0, "the file is empty")
    refuse_repeated(repeated)
    return root


def _pieces(text: str) -> Iterator[tuple[str, int, int]]:
    for found in _PIECE.finditer(text):
        piece = found[0].lstrip(" \t\n\r")
        yield piece, found.end() - len(piece), found.end()


def _name(piece: str, start: int) -> str:
    try:
        return str(json.loads(piece))
    except ValueError as error:
        raise Refused(start, "expected the name of a field in double quotes") from error


def _node(piece: str, start: int, end: int) -> Node:
    if piece in "{[":
        return Node(start, end, "object" if piece == "{" else "list")
    if piece[0] in "-0123456789NI":
        check_number(piece, start)
    return Node(start, end, "scalar")


def check_number(token: str, start: int) -> None:
    """Refuse what is no number of JSON, and one that is too large."""
    if token in ("NaN", "Infinity", "-Infinity"):
        raise Refused(start, no_number(token))
    try:
        number = float(token)
    except ValueError:
        return  # not a number at all: the parser says what is wrong
    if isinf(number):
        digits = token.lstrip("-")
        whole = f"a number of {len(digits)} digits" if digits.isdigit() else f"the number {token[:40]}"
        raise Refused(start, f"{whole} is too large")
