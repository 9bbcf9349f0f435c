"""Saying in words how two JSON values differ: which paths, what was there and what is there now."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import cast

from grice.records import JsonValue
from grice.text import shorten, value_text, visible

MAX_PATHS = 8
MAX_TEXT = 400
"""The characters of one text's difference."""
MAX_WORDS = 600
"""More words or lines are not aligned: that is quadratic."""
AROUND = 30

_MISSING = object()
_WORD = re.compile(r"\s+|\w+|[^\w\s]")


def value_differences(old: JsonValue, new: JsonValue, limit: int = MAX_PATHS) -> list[str]:
    """At most `limit` lines, one a path that differs, and a last one that counts the rest. Safe to show."""
    found = differences(old, new, "")
    lines = [difference_line(path, before, after) for path, before, after in islice(found, limit)]
    rest = sum(1 for _ in found)
    return [*lines, f"and {rest} more"] if rest else lines


def distance(old: JsonValue, new: JsonValue) -> float:
    """How far two values are apart: for each path that differs 1, for two texts the share of other words."""
    return sum(_apart(before, after) for _, before, after in differences(old, new, ""))


def differences(old: object, new: object, path: str = "") -> Iterator[tuple[str, object, object]]:
    """Each path that differs, with what was there and what is there now."""
    if type(old) is not type(new) or not isinstance(old, dict | list):
        if type(old) is not type(new) or old != new:
            yield path, old, new
    elif isinstance(old, dict):
        before, after = cast("dict[str, JsonValue]", old), cast("dict[str, JsonValue]", new)
        for name in before | after:
            below = f"{path}.{name}" if path else name
            yield from differences(before.get(name, _MISSING), after.get(name, _MISSING), below)
    else:
        later = cast("list[JsonValue]", new)
        for place in range(max(len(old), len(later))):
            yield from differences(_at(old, place), _at(later, place), f"{path}[{place}]")


def _at(items: list[JsonValue], place: int) -> object:
    return items[place] if place < len(items) else _MISSING


def _apart(before: object, after: object) -> float:
    if not isinstance(before, str) or not isinstance(after, str):
        return 1.0
    one, other = Counter(before.split()), Counter(after.split())
    return 1 - 2 * (one & other).total() / max(one.total() + other.total(), 1)


def difference_line(path: str, before: object, after: object) -> str:
    """One difference in words. Safe to show."""
    name = visible(shorten(path, 100), newlines=False) or "the value"
    if before is _MISSING:
        return f"{name}: added {value_text(after)}"
    if after is _MISSING:
        return f"{name}: removed {value_text(before)}"
    if isinstance(before, str) and isinstance(after, str) and len(before) + len(after) > 2 * AROUND:
        return f"{name}: {_text_difference(before, after)}"
    return f"{name}: {value_text(before)} -> {value_text(after)}"


def _text_difference(before: str, after: str) -> str:
    """The changed words as [-old-]{+new+}, with a little of what stands around them."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    start = next(
        (n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    room = min(len(old), len(new)) - start
    pairs = zip(reversed(old), reversed(new), strict=False)
    same = next((n for n, (a, b) in enumerate(islice(pairs, room)) if a != b), room)
    ahead, behind = "".join(old[:start]), "".join(old[len(old) - same :])
    changed = _changed(old[start : len(old) - same], new[start : len(new) - same])
    lead = ahead if len(ahead) <= AROUND else "..." + ahead[-AROUND:]
    trail = behind if len(behind) <= AROUND else behind[:AROUND] + "..."
    return visible(lead + shorten(changed, MAX_TEXT) + trail, newlines=False)


def _changed(old: list[str], new: list[str]) -> str:
    """What changed: by words where there are few, else by lines and the words of those that differ."""
    lines = "".join(old).splitlines(keepends=True), "".join(new).splitlines(keepends=True)
    if len(old) + len(new) > MAX_WORDS and 2 < len(lines[0]) + len(lines[1]) <= MAX_WORDS:
        return _aligned(*lines, lambda a, b: _by_words(_WORD.findall("".join(a)), _WORD.findall("".join(b))))
    return _by_words(old, new)


def _by_words(old: list[str], new: list[str]) -> str:
    if len(old) + len(new) <= MAX_WORDS:
        return _aligned(old, new, lambda a, b: _marked("".join(a), "".join(b)))
    return _marked(shorten("".join(old), MAX_TEXT // 3), shorten("".join(new), MAX_TEXT // 3))


def _aligned(old: list[str], new: list[str], show: Callable[[list[str], list[str]], str]) -> str:
    """The parts that are the same, cut when long, and the others as `show` has them."""
    from difflib import SequenceMatcher

    parts: list[str] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            kept = "".join(old[a:b])
            parts.append(kept if len(kept) <= 2 * AROUND else f"{kept[:AROUND]}...{kept[-AROUND:]}")
        else:
            parts.append(show(old[a:b], new[c:d]))
    return "".join(parts)


def _marked(old: str, new: str) -> str:
    return (f"[-{old}-]" if old else "") + (f"{{+{new}+}}" if new else "")
