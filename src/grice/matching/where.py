"""Which values of a subject are judged."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

__all__ = ["Parse", "PathMatch", "Where", "wrong_choice"]

PathMatch = Literal["ANY", "ALL"]
"""How the verdicts on several values become one: at least one of them holds, or every one."""

Parse = Literal["auto", "text", "json", "fenced"]
"""How a text is read below `$`: never, as a whole, from a code fence, or as either."""


class Where(msgspec.Struct, frozen=True):
    """The values that `path` finds, ANY or ALL of them; a text is read as JSON as `parse` says."""

    path: str
    match: PathMatch = "ANY"
    parse: Parse = "auto"


def wrong_choice(match: object, parse: object) -> str:
    """What is wrong with how values are counted and texts are read, "" when nothing is."""
    if match not in get_args(PathMatch):
        return f"match: expected ANY or ALL, found {match!r}"
    if parse not in get_args(Parse):
        return f"parse: expected auto, text, json or fenced, found {parse!r}"
    return ""
