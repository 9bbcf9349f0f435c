"""Which values of a subject are judged."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from grice.records import PathMatch

Parse = Literal["auto", "text", "json", "fenced"]
"""How a text is read below `$`: never, as a whole, from a code fence, or as either."""


class ValueSelector(msgspec.Struct, frozen=True):
    """The values that `path` finds, ANY or ALL of them; a text is read as JSON as `parse` says.

    `id` is that of the assertion, `words` the assertion on one line and `on` what it looks at, each "" where
    nothing says so.
    """

    path: str = "$"
    match: PathMatch = "ANY"
    parse: Parse = "auto"
    id: str = ""
    words: str = ""
    on: str = ""


_MATCHES: tuple[object, ...] = get_args(PathMatch)
_PARSES: tuple[object, ...] = get_args(Parse)


def wrong_choice(match: object, parse: object) -> str:
    """What is wrong with how values are counted and texts are read, "" when nothing is."""
    if match not in _MATCHES:
        return f"match: expected ANY or ALL, found {match!r}"
    if parse not in _PARSES:
        return f"parse: expected auto, text, json or fenced, found {parse!r}"
    return ""
