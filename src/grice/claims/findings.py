"""What became of claims: of each of their parts, and of all together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from grice.claims.facts import Fact
from grice.text import shorten, value_text

__all__ = ["Finding", "Point", "Status", "denied", "worst"]

Status = Literal["supported", "contradicted", "unsupported", "ambiguous", "opinion"]
"""A fact of what it is about says so; that fact says otherwise; there is none; the text does not say which of
several is meant; it says what its speaker thinks."""

_ORDER: tuple[Status, ...] = ("contradicted", "unsupported", "ambiguous", "supported", "opinion")
MAX_SAID = 120
MAX_POINTS = 5


class Point(msgspec.Struct, frozen=True, gc=False):
    """One thing that a claim says, with the fact that decided. `start`, `end` are its place in the prose.

    `stands` is the fact that has the value, where another one is what the claim is about.
    """

    status: Status
    said: str
    start: int
    end: int
    fact: Fact | None = None
    note: str = ""
    stands: Fact | None = None

    @property
    def reason(self) -> str:
        """Why it is not supported, in words."""
        said = value_text(shorten(self.said, MAX_SAID))
        if self.note:
            return f"{said}: {self.note}"
        if self.status == "contradicted" and self.fact is not None and self.stands is not None:
            stands, fact = shorten(self.stands.where, MAX_SAID), shorten(self.fact.line, MAX_SAID)
            return f"{said} is {stands}; {fact}"
        if self.status == "contradicted" and self.fact is not None:
            return f"{said}, but {shorten(self.fact.line, MAX_SAID)}"
        if self.status == "ambiguous" and self.fact is not None and self.stands is not None:
            stands, fact = shorten(self.stands.line, MAX_SAID), shorten(self.fact.line, MAX_SAID)
            return f"{said} may be {stands}, or wrong for {fact}: the text does not say which is meant"
        near = "" if self.fact is None else f"; the nearest is {shorten(self.fact.line, MAX_SAID)}"
        return f"{said} is in no fact{near}"


def denied(point: Point) -> Point:
    """What becomes of the opposite of what was said; what nobody can tell stays so."""
    if point.status == "contradicted":
        return msgspec.structs.replace(point, status="supported", stands=None)
    if point.status == "supported":
        note = f"denied, but {shorten(point.fact.line, MAX_SAID)}" if point.fact is not None else "denied"
        return msgspec.structs.replace(point, status="contradicted", note=note, stands=None)
    return point


class Finding(msgspec.Struct, frozen=True, gc=False):
    """What became of one claim. `share` is how much of what it says is supported, 0 to 1, None for an
    opinion.
    """

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
    """The status that decides: contradicted, else unsupported, ambiguous, supported, opinion."""
    found = set(statuses)
    for one in _ORDER:
        if one in found:
            return one
    return "opinion"
