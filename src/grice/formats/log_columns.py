"""What the fields of lines or messages hold, one under the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean as mean
from typing import Any

from grice.formats.gathering import sort_keys
from grice.formats.mapping import WORDS, told, words_of
from grice.records import JsonValue

DEEPEST = 4
"""How deep fields are looked for."""


def is_pair(value: JsonValue) -> bool:
    """Whether it is a message written as a short list, `["user", "Hi"]`."""
    return (
        isinstance(value, list)
        and 1 < len(value) <= 6
        and all(isinstance(one, str | int | float | None) for one in value)
    )


def fields_of(item: JsonValue, above: str = "", depth: int = 0) -> dict[str, JsonValue]:
    """The values in an item that are no objects, by their paths."""
    item = told(item) if depth else item
    if isinstance(item, dict) and depth < DEEPEST:
        pairs: Any = item.items()
    elif isinstance(item, list) and is_pair(item) and depth == 0:
        pairs = ((str(place), one) for place, one in enumerate(item))
    else:
        return {above: item} if above else {}
    return {
        path: value
        for key, inner in pairs
        for path, value in fields_of(inner, f"{above}.{key}" if above else key, depth + 1).items()
    }


class Column:
    """What a field holds in all items."""

    def __init__(self, name: str, rows: Sequence[Mapping[str, JsonValue]]) -> None:
        self.name = name
        self.words = words_of(name)
        self.values = [row.get(name) for row in rows]
        self.present = [one for one in self.values if one is not None and one != ""]
        texts = [one for one in self.present if isinstance(one, str)]
        self.is_text = 2 * len(texts) >= len(self.present) > 0
        self.length = mean(len(one.split()) for one in texts) if texts else 0.0
        self.is_scalar = all(isinstance(one, str | int | float | bool) for one in self.present)

    @property
    def share(self) -> float:
        """The share of the items that have the field."""
        return len(self.present) / len(self.values) if self.values else 0.0

    def any_word(self, *names: str) -> bool:
        """Whether one of the words of its name is among these."""
        return any(one in names for one in self.words)


def columns_of(rows: Sequence[Mapping[str, JsonValue]]) -> dict[str, Column]:
    """The fields of the rows, by their names."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: Column(name, rows) for name in names}


def is_time(column: Column) -> bool:
    """Whether a field holds times that sort."""
    if not column.is_scalar or not column.present:
        return False
    keys = sort_keys(column.present[:50])
    return keys is not None and (
        column.any_word(*WORDS["time_field"])
        or all(isinstance(one, str) and len(one) > 7 for one in column.present)
    )


def is_clock(value: JsonValue) -> bool:
    """Whether it is a time of day alone, which does not sort over midnight."""
    return isinstance(value, str) and len(value.strip()) <= 8 and ":" in value


def is_number(value: JsonValue) -> bool:
    """Whether it is a whole number, or the text of one."""
    return isinstance(value, int) or (isinstance(value, str) and value.strip().isdecimal())
