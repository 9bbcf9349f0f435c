"""What the fields of lines or messages hold, one under the other, and what each is good for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from statistics import fmean as mean

from grice.formats.content import identifier
from grice.formats.gathering import sort_keys
from grice.formats.mapping import WORDS, text_parts, told, words_of
from grice.formats.tables import holds_json
from grice.records import JsonValue

DEEPEST = 4
"""How deep fields are looked for."""
MOST_FIELDS = 40
"""An object with more names holds things by their ids."""


def fields_of(item: JsonValue, above: str = "", depth: int = 0) -> dict[str, JsonValue]:
    """The values in an item that are no objects, by their paths."""
    item = told(item) if depth else item
    if isinstance(item, dict) and depth <= DEEPEST and len(item) <= MOST_FIELDS:
        pairs = item.items()
    elif isinstance(item, list) and depth == 0 and 1 < len(item) <= 6:
        pairs = {str(place): one for place, one in enumerate(item)}.items()
    else:
        inner = item[0] if isinstance(item, list) and len(item) == 1 and depth else None
        if not isinstance(inner, dict) or text_parts(item) is not None:
            return {above or ".": item}
        return {above: item} | fields_of(inner, f"{above}.0", depth)  # as the only choice of a reply
    return {
        path: value
        for key, inner in pairs
        for path, value in fields_of(inner, f"{above}.{key}" if above else key, depth + 1).items()
    }


class Column:
    """What a field holds in all rows."""

    def __init__(self, name: str, values: Sequence[JsonValue]) -> None:
        self.name = name
        values = [one if (parts := text_parts(one)) is None else "\n".join(parts) for one in values]
        self.values = values
        self.words = words_of(name)
        self.present = [one for one in values if one is not None and one != ""]
        self.share = len(self.present) / len(values) if values else 0.0
        texts = [one for one in self.present if isinstance(one, str)]
        self.is_text = 2 * len(texts) >= len(self.present) > 0
        self.length = mean(len(one.split()) + one.count("\u3002") for one in texts) if texts else 0.0
        self.is_scalar = all(isinstance(one, str | int | float | bool) for one in self.present)

    def any_word(self, *kinds: str) -> bool:
        """Whether one of the words of its name is of one of these kinds."""
        return any(one in WORDS[kind] for one in self.words for kind in kinds)

    @cached_property
    def names(self) -> list[str]:
        """Its values as names, "" where there is none."""
        return [identifier(one).strip() for one in self.values]

    @cached_property
    def counts(self) -> Counter[str]:
        """How often it has each value."""
        return Counter(one for one in self.names if one)

    @cached_property
    def is_time(self) -> bool:
        """Whether it holds times that sort."""
        if not self.is_scalar or not self.present or sort_keys(self.present[:50]) is None:
            return False
        if all(_is_epoch(one) for one in self.present[:50]):
            return len(set(self.names)) > 1 and self.words[-1:] != ["id"]  # ids may be as long
        dated = all(
            isinstance(one, str) and len(one) > 7 and not one.isdecimal() for one in self.present[:50]
        )
        return self.any_word("time_field") or dated

    @cached_property
    def is_clock(self) -> bool:
        """Whether it holds times of day alone, which do not sort over midnight."""
        return all(isinstance(one, str) and len(one.strip()) <= 12 and ":" in one for one in self.present)

    @cached_property
    def text_score(self) -> float:
        """How much it looks like what people say."""
        if not self.is_text or self.share < 0.05 or self.any_word("no_text_field"):
            return 0.0
        texts = [one for one in self.present if isinstance(one, str)]
        if mean(map(holds_json, texts)) > 0.5:
            return 0.0
        hint = (
            4
            if self.words and self.words[-1] in WORDS["text_field"]
            else 2
            if self.any_word("text_field")
            else 0
        )
        unlike = 4 * self.any_word("beside_text_field") + 6 * self.is_time
        spaced = any(not one.isascii() or " " in one for one in texts)
        distinct = len(set(texts)) / len(texts)
        return (
            min(self.length, 8) + hint + min(self.share, 0.7) * 4 + 2 * distinct - unlike if spaced else 0.0
        )


def _is_epoch(value: JsonValue) -> bool:
    """Whether it is a number of seconds, or their thousandths, from 1970 to a time between 2001 and 2096."""
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else 0.0
    except (ValueError, OverflowError):
        return False
    return any(1e9 * unit <= number < 4e9 * unit for unit in (1, 1_000, 1_000_000))


def columns_of(rows: Sequence[Mapping[str, JsonValue]]) -> dict[str, Column]:
    """The fields of the rows, by their names."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: Column(name, [row.get(name) for row in rows]) for name in names}
