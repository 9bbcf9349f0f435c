"""Writing values as YAML: on one line, or as blocks that people read.

What is written is read as the same value by Grice, and no text of it is taken for anything else by readers of
YAML 1.1 either, to whom `no` is false, `1:30` a number and `2024-01-01` a date.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

_WIDTH = 100
"""Characters of a line; what would be longer is a block, as far as it is no single text."""
_LONGEST_NAME = 1_000
"""Characters of the name of a field that YAML takes without a question mark before it."""
_BLOCK_DEPTH = 2
"""Levels down to which every object is a block: the file, its list of scenarios, a scenario."""
_FLOW_HEIGHT = 2
"""Levels of objects and lists that stand on one line."""

JsonValue = Any
_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_PLAIN = re.compile(r"[^\W\d_](?:[\w.,;!?()/+=%€$&'\"’-]|[:*](?=\S)| (?=[^\s#]))*")
_PLAIN_IN_FLOW = re.compile(r"[^\W\d_](?:[\w.;!()/+=%€$&'’-]| (?=[^\s#]))*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"})
"""Words that are no text to one reader of YAML or another."""
_LITERAL = re.compile("(?!\\s)[^\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]*")


class NotYaml(ValueError):
    """YAML cannot write the value: half a character stands in it."""


def flow_text(value: JsonValue) -> str:
    """The value on one line, every text in quotes. Raises NotYaml."""
    return _flow(value, _quoted)


def block_text(value: dict[str, JsonValue]) -> str:
    """The object as blocks, what is short on one line, texts without quotes where that is safe.

    Raises NotYaml.
    """
    return "".join(f"{line}\n" for line in _object_lines(value, 0, 0))


def easy_flow_text(value: JsonValue) -> str:
    """The value on one line, texts without quotes where that is safe there. Raises NotYaml."""
    return _flow(value, _plain_in_flow)


def field_lines(name: str, value: JsonValue, indent: int, depth: int) -> list[str]:
    """The lines of a field of an object that is indented so, at that depth; they are not indented.

    Raises NotYaml.
    """
    return list(_object_lines({name: value}, indent, depth))


def item_lines(value: JsonValue, indent: int, depth: int) -> list[str]:
    """The same for an item of a list, with the dash before it."""
    return list(_item_lines(value, indent, depth))


def _flow(value: JsonValue, scalar: Callable[[str], str]) -> str:
    if isinstance(value, dict):
        fields = cast("dict[str, JsonValue]", value)
        return (
            "{"
            + ", ".join(f"{_flow_name(name, scalar)}: {_flow(one, scalar)}" for name, one in fields.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(_flow(one, scalar) for one in cast("Iterable[JsonValue]", value)) + "]"
    return scalar(value) if isinstance(value, str) else _constant(value)


def _flow_name(name: str, scalar: Callable[[str], str]) -> str:
    written = _plain_name(name) if scalar is _plain_in_flow else scalar(name)
    return written if len(written) < _LONGEST_NAME else f"? {written} "


def _constant(value: JsonValue) -> str:
    written = json.dumps(value, allow_nan=False)
    # YAML 1.1 takes a number with an exponent for one only where it has a point
    return written.replace("e", ".0e") if isinstance(value, float) and "." not in written else written


def _quoted(text: str) -> str:
    if half := _SURROGATE.search(text):
        raise NotYaml(f"half a character, U+{ord(half[0]):04X}, cannot stand in YAML")
    written = json.dumps(text, ensure_ascii=False)
    return _NOT_IN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


def _plain(text: str) -> str:
    """The text without quotes where it is read as that, whatever stands around it in a block."""
    is_safe = _PLAIN.fullmatch(text) and text.lower() not in _WORDS and len(text) < _LONGEST_NAME
    return text if is_safe and text.isprintable() else _easily_quoted(text)


def _plain_in_flow(text: str) -> str:
    return _plain(text) if _PLAIN_IN_FLOW.fullmatch(text) else _easily_quoted(text)


def _easily_quoted(text: str) -> str:
    """The text in the quotes that need no backslashes, where there are such."""
    if ('"' in text or "\\" in text) and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return _quoted(text)


def _plain_name(name: str) -> str:
    """The name of a field; `on` stands as in the docs, where nobody takes it for true."""
    return name if name == "on" else _plain_in_flow(name)


def _object_lines(value: dict[str, JsonValue], indent: int, depth: int) -> Iterator[str]:
    for name, one in value.items():
        written = _plain_name(name)
        if len(written) < _LONGEST_NAME:
            yield from _with_value(f"{written}:", one, indent, depth)
        else:
            yield f"? {written}"
            yield from _with_value(":", one, indent, depth)


def _with_value(head: str, value: JsonValue, indent: int, depth: int) -> Iterator[str]:
    """The lines of a value that stands behind a name, which follows on an indentation."""
    if isinstance(value, str) and _is_literal(value):
        yield f"{head} {_mark(value)}"
        yield from _literal_lines(value)
    elif (inline := _inline(value, depth + 1, _WIDTH - indent - len(head) - 1)) is not None:
        yield f"{head} {inline}"
    else:
        yield head
        yield from (f"  {line}" if line else "" for line in _lines(value, indent + 2, depth + 1))


def _lines(value: JsonValue, indent: int, depth: int) -> Iterator[str]:
    if isinstance(value, dict):
        yield from _object_lines(cast("dict[str, JsonValue]", value), indent, depth)
        return
    for one in cast("list[JsonValue]", value):
        yield from _item_lines(one, indent, depth)


def _item_lines(value: JsonValue, indent: int, depth: int) -> Iterator[str]:
    if isinstance(value, str) and _is_literal(value):
        yield f"- {_mark(value)}"
        yield from _literal_lines(value)
        return
    inline = _inline(value, depth + 1, _WIDTH - indent - 2)
    lines = iter([inline]) if inline is not None else _lines(value, indent + 2, depth + 1)
    yield f"- {next(lines)}"
    yield from (f"  {line}" if line else "" for line in lines)


def _inline(value: JsonValue, depth: int, room: int) -> str | None:
    """The value on the line, None where it has to be a block."""
    if isinstance(value, str):
        return _plain(value)
    if not isinstance(value, dict | list) or not value:
        return _flow(value, _plain_in_flow)
    is_block = (
        depth <= _BLOCK_DEPTH if isinstance(value, dict) else any(isinstance(one, dict) for one in value)
    )
    if is_block or _height(value) > _FLOW_HEIGHT or _has_literal(value):
        return None
    written = _flow(value, _plain_in_flow)
    return written if len(written) <= room else None


def _below(value: JsonValue) -> list[JsonValue]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []


def _height(value: JsonValue) -> int:
    below = _below(value)
    return 1 + max(map(_height, below), default=0) if isinstance(value, dict | list) else 0


def _has_literal(value: JsonValue) -> bool:
    return _is_literal(value) if isinstance(value, str) else any(map(_has_literal, _below(value)))


def _is_literal(text: str) -> bool:
    """Whether a text of several lines can stand as it is, indented, below a `|`."""
    return (
        "\n" in text.rstrip("\n")
        and not text.endswith("\n\n")
        and _LITERAL.fullmatch(text) is not None
        and _SURROGATE.search(text) is None
        and not any(line.endswith(" ") for line in text.split("\n"))
    )


def _mark(text: str) -> str:
    return "|" if text.endswith("\n") else "|-"


def _literal_lines(text: str) -> Iterator[str]:
    return (f"  {line}" if line else "" for line in text.removesuffix("\n").split("\n"))
