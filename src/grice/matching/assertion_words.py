"""An assertion on one line, with which its messages begin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from grice.matching.json_text import json_text
from grice.matching.paths import PathError, compile_path
from grice.records import PathMatch
from grice.text import shorten, visible

MAX_EXPECTED = 200


def assertion_words(
    path: str,
    match: PathMatch,
    matcher: str,
    expected: object = UNSET,
    options: Mapping[str, Any] | None = None,
    *,
    negated: bool = False,
) -> str:
    """`$.items[*].status ALL not toBeOneOf ["READY"]`.

    ANY stands there, too, where the path may find several values.
    """
    parts = [_shown(path)]
    if match == "ALL" or finds_several(path):
        parts.append(match)
    if negated:
        parts.append("not")
    parts.append(_shown(matcher or "(no matcher)"))
    if expected is not UNSET:
        parts.append(_expected(matcher, expected))
    if options:
        parts.append(json_text(options, MAX_EXPECTED))
    return " ".join(parts)


def finds_several(path: str) -> bool:
    """Whether the path may find more than one value."""
    if path == "$":
        return False
    try:
        return not compile_path(path).is_singular
    except PathError:
        return False


def _expected(matcher: str, expected: object) -> str:
    source, flags = expected, ""
    if isinstance(expected, Mapping):
        source, flags = expected.get("source"), expected.get("flags") or ""
    if matcher == "toMatch" and isinstance(source, str) and isinstance(flags, str):
        return f"/{_shown(source)}/{_shown(flags)}"
    return json_text(expected, MAX_EXPECTED)


def _shown(text: str) -> str:
    return visible(shorten(text, MAX_EXPECTED), newlines=False)
