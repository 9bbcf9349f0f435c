"""The findings on claims: on each of their parts, and on all together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from grice.claims.facts import Fact
from grice.text import shorten, value_text

Status = Literal["supported", "contradicted", "unsupported", "opinion"]
"""A fact says so; a fact says otherwise; there is none; it says what its speaker thinks."""

_ORDER: tuple[Status, ...] = ("contradicted", "unsupported", "supported", "opinion")
MAX_SAID = 120
MAX_POINTS = 5


class Point(msgspec.Struct, frozen=True, gc=False):
    """One thing that a claim says, with the fact that decided. `start`, `end` are its place in the prose."""

    status: Status
    said: str
    start: int
    end: int
    fact: Fact | None = None
    note: str = ""

    @property
    def reason(self) -> str:
        """Why it is not supported, in words."""
        said = value_text(shorten(self.said, MAX_SAID))
        if self.note:
            return f"{said}: {self.note}"
        if self.status == "contradicted" and self.fact is not None:
            return f"{said}, but {shorten(self.fact.line, MAX_SAID)}"
        near = "" if self.fact is None else f"; the nearest is {shorten(self.fact.line, MAX_SAID)}"
        return f"{said} is in no fact{near}"


class Finding(msgspec.Struct, frozen=True, gc=False):
    """The finding on one claim. `share` is the part that is supported, 0 to 1, None for an opinion."""

    status: Status
    said: str
    start: int
    end: int
    points: tuple[Point, ...] = ()
    share: float | None = None

    @property
    def reason(self) -> str:
        """Why it has its status, in words."""
        telling = [point.reason for point in self.points if point.status == self.status][:MAX_POINTS]
        return "; ".join(dict.fromkeys(telling)) or "nothing in the facts says so"


def worst(statuses: Iterable[Status]) -> Status:
    """The status that decides: contradicted, else unsupported, supported, opinion."""
    found = set(statuses)
    for one in _ORDER:
        if one in found:
            return one
    return "opinion"
