"""Which values of a subject are judged."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Parse", "PathMatch", "Where"]

PathMatch = Literal["ANY", "ALL"]
"""How the verdicts on several values become one: at least one of them holds, or every one."""

Parse = Literal["auto", "text", "json", "fenced"]
"""How a text is read below `$`: never, as a whole, from a code fence, or as either."""


class Where(msgspec.Struct, frozen=True):
    """The values that `path` finds, ANY or ALL of them; a text is read as JSON as `parse` says."""

    path: str
    match: PathMatch = "ANY"
    parse: Parse = "auto"
