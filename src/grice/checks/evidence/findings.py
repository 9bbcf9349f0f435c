"""What became of claims: of each of their parts, and of all together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from grice.checks.evidence.sheet import Fact
from grice.text import shorten, value_text

__all__ = ["Atom", "Finding", "Status", "with_status", "worst"]

Status = Literal["supported", "contradicted", "unsupported", "opinion"]

_ORDER: tuple[Status, ...] = ("contradicted", "unsupported", "supported", "opinion")
MAX_SAID = 120
MAX_ATOMS = 5


class Atom(msgspec.Struct, frozen=True, gc=False):
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
        return f"{said} is in no fact"


class Finding(msgspec.Struct, frozen=True, gc=False):
    """What became of one claim. `share` is how much of what it says is supported, 0 to 1, None for an
    opinion.
    """

    status: Status
    said: str
    start: int
    end: int
    atoms: tuple[Atom, ...] = ()
    share: float | None = None

    @property
    def reason(self) -> str:
        """Why it has its status, in words."""
        telling = [atom.reason for atom in self.atoms if atom.status == self.status][:MAX_ATOMS]
        return "; ".join(dict.fromkeys(telling)) or "nothing in the facts says so"


def worst(statuses: Iterable[Status]) -> Status:
    """The status that decides: contradicted, else unsupported, else supported, else opinion."""
    found = set(statuses)
    for status in _ORDER:
        if status in found:
            return status
    return "opinion"


def with_status(findings: Sequence[Finding], status: Status) -> list[Finding]:
    """The findings with a status."""
    return [one for one in findings if one.status == status]
