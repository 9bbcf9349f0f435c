"""Where each value of a YAML text stands, and what it is. It is loaded for the first file of YAML."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import yaml

from grice.files.locate import MAX_DEPTH, JsonValue, Node, Refused, check_number, keep_name, refuse_repeated
from grice.files.yaml_mistakes import dash_problem, space_problem, typographic_problem, yaml_mistake
from grice.text.suggest import did_you_mean

MAX_ALIASED = 100_000

_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_CONSTANTS: dict[str, JsonValue] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_UNPRINTABLE_ASCII = re.compile("[^\t\n\r\x20-\x7e]")


def _unprintable(text: str) -> re.Match[str] | None:
    """The first character that YAML does not take; the pattern for all there are takes long to compile."""
    if text.isascii():
        return _UNPRINTABLE_ASCII.search(text)
    every = "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
    return re.search(every, text)


def yaml_nodes(text: str) -> Node:
    """The nodes of a YAML text with their values.

    Only true, false, null and decimal numbers are more than text: `yes`, `on`, `1:30`, `010`, `0x1f` and
    dates stay strings. Raises Refused for a syntax error, a repeated or non-string name, a tag, a merge key,
    a second document, an unknown or endless alias, and nesting too deep.
    """

    if strange := _unprintable(text):
        raise Refused(strange.start(), f"the character U+{ord(strange[0]):04X} cannot stand in YAML")
    builder = _YamlBuilder(text)
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        refused = Refused(*yaml_mistake(text, error, builder.place()))
        refused.more = builder.repeated
        raise refused from error
    except yaml.YAMLError as error:
        raise Refused(0, f"not valid YAML: {error}") from error
    refuse_repeated(builder.repeated)
    if builder.root is None:
        raise Refused(0, f"the file is empty{': it has comments only' if text.strip() else ''}")
    return builder.root


class YamlPlace(NamedTuple):
    """What had been read when YAML's parser gave up: the last value that was written out, and what is open.

    `quote` is the sign in which the last value stands, "" for none; `flow`: it is a collection in brackets.
    `bracket` is the offset of the innermost bracket that is open, None when there is none.
    """

    start: int = 0
    end: int = 0
    quote: str = ""
    flow: bool = False
    bracket: int | None = None


@dataclass(slots=True)
class _Open:
    """A collection whose end has not come: its anchor, and the name of the value that comes next."""

    node: Node
    anchor: str | None
    name: str | None = None


class _YamlBuilder:
    """Builds nodes from the parser's events, one at a time."""

    def __init__(self, text: str) -> None:
        self.root: Node | None = None
        self.repeated: list[Refused] = []
        self._last = YamlPlace()
        self._text = text
        self._stack: list[_Open] = []
        self._anchors: dict[str, Node | None] = {}  # None while the collection is still open
        self._aliased = 0

    def place(self) -> YamlPlace:
        """What was read last, and the innermost bracket that is open."""
        opened = [one.node.start for one in self._stack if not one.node.block]
        return self._last._replace(bracket=opened[-1] if opened else None)

    def take(self, event: Any) -> None:
        """Add what one event of the parser says."""
        kind = type(event).__name__
        start, end = int(event.start_mark.index), int(event.end_mark.index)
        if kind == "DocumentStartEvent" and self.root is not None:
            raise Refused(start, "a second document starts here (---): put it into a file of its own")
        if kind == "AliasEvent":
            self._alias(str(event.anchor), start, end)
        elif kind == "ScalarEvent":
            self._scalar(event, start, end)
        elif kind == "MappingStartEvent":
            self._open(event, Node(start, end, "object", block=not event.flow_style))
        elif kind == "SequenceStartEvent":
            self._open(event, Node(start, end, "list", block=not event.flow_style))
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self._close(end)
        if kind == "ScalarEvent" and end > start:
            quote = event.style if event.style in ("'", '"') else ""
            self._last = YamlPlace(start, end, quote)

    def _scalar(self, event: Any, start: int, end: int) -> None:
        _refuse_tag(event, start)
        value = _resolve(event.value, start) if event.implicit[0] else event.value
        if event.implicit[0]:
            self._refuse_what_was_not_meant(event.value, start)
        if event.style in ("|", ">"):  # the parser counts the empty lines after it too
            end = start + len(self._text[start:end].rstrip())
        if self._wants_name():
            self._take_name(value, event, start)
        else:
            self._add(Node(start, end, "scalar", scalar=value), event.anchor)

    def _refuse_what_was_not_meant(self, written: str, start: int) -> None:
        """Refuse a text in typographic quotes, and `{name:value}`, which is a name without a value."""
        if problem := typographic_problem(written):
            raise Refused(start, problem)
        opened = self._stack[-1] if self._stack else None
        if opened is None or opened.node.block or opened.name is None or written:
            return
        if missing := space_problem(opened.name):
            raise Refused(opened.node.keys[opened.name] + missing[0], missing[1])

    def _wants_name(self) -> bool:
        return bool(self._stack) and self._stack[-1].node.kind == "object" and self._stack[-1].name is None

    def _take_name(self, name: JsonValue, event: Any, start: int) -> None:
        if not isinstance(name, str):
            written = event.value or "an empty name"
            raise Refused(start, f"the name of a field must be text, found {written}: put it into quotes")
        if name == "<<" and event.implicit[0]:
            raise Refused(start, "merge keys (<<) are not taken: write the fields out")
        if event.implicit[0] and (problem := dash_problem(self._text, start)):
            raise Refused(start, problem)
        opened = self._stack[-1]
        keep_name(self._text, name, start, opened.node, self.repeated)
        opened.name = name
        if event.anchor:
            self._anchors[event.anchor] = Node(start, start, "scalar", scalar=name)

    def _open(self, event: Any, node: Node) -> None:
        _refuse_tag(event, node.start)
        if self._wants_name():
            braces = self._text[node.start - 1 : node.start + 1] == "{{"
            hint = ": put a text with {{ }} into quotes" if braces else ""
            raise Refused(node.start, f"the name of a field must be text, found a collection{hint}")
        self._stack.append(_Open(node, event.anchor))
        self._refuse_depth(node)
        if event.anchor:
            self._anchors[event.anchor] = None

    def _close(self, end: int) -> None:
        opened = self._stack.pop()
        node = opened.node
        below = node.children.values()
        node.end = max(child.end for child in below) if node.block and below else end
        if not node.block:
            self._last = YamlPlace(node.start, end, flow=True)
        node.size += sum(child.size for child in below)
        node.height = 1 + max((child.height for child in below), default=0)
        self._add(node, opened.anchor)

    def _alias(self, anchor: str, start: int, end: int) -> None:
        if self._wants_name():
            raise Refused(start, f"the name of a field must be text, found the alias *{anchor}")
        if anchor not in self._anchors:
            hint = did_you_mean(anchor, self._anchors)
            raise Refused(start, f"the alias *{anchor} has no anchor &{anchor} before it{hint}")
        target = self._anchors[anchor]
        if target is None:
            raise Refused(start, f"the alias *{anchor} stands inside what it names")
        self._aliased += target.size
        if self._aliased > MAX_ALIASED:
            raise Refused(start, f"aliases stand for more than {MAX_ALIASED:,} values")
        node = replace(target, start=start, end=end)
        self._refuse_depth(node)
        self._add(node, None)

    def _refuse_depth(self, node: Node) -> None:
        if len(self._stack) + node.height > MAX_DEPTH:
            raise Refused(node.start, f"nested deeper than {MAX_DEPTH} levels")

    def _add(self, node: Node, anchor: str | None) -> None:
        if anchor:
            self._anchors[anchor] = node
        if not self._stack:
            self.root = node
            return
        opened = self._stack[-1]
        if opened.name is None:
            opened.node.children[len(opened.node.children)] = node
        else:
            opened.node.children[opened.name] = node
            opened.name = None


def _refuse_tag(event: Any, start: int) -> None:
    if event.tag is not None:
        raise Refused(start, f"the tag {event.tag} is not taken: write plain values, text in quotes")


def _resolve(written: str, start: int) -> JsonValue:
    if written in _CONSTANTS:
        return _CONSTANTS[written]
    if not _NUMBER.fullmatch(written):
        return written
    check_number(written.lstrip("+"), start)
    return int(written) if _INTEGER.fullmatch(written) else float(written)
