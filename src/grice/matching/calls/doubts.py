"""Why a call that is not on record may have been made all the same."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from grice.records import Turn

__all__ = ["Doubt", "doubt_about", "doubts_of"]


class Doubt(NamedTuple):
    """A reason to think that more was called than is on record: that tool, or any when `name` is None."""

    name: str | None
    reason: str


def doubts_of(turns: Sequence[Turn]) -> list[Doubt]:
    """The doubts about these turns: an agent that failed, a call the model asked for and nobody reported."""
    doubts: list[Doubt] = []
    for turn in turns:
        if turn.failure is not None:
            reason = f"the agent failed in turn {turn.number}, and what it did there may not be known"
            doubts.append(Doubt(None, reason))
        reported = {call.name for call in turn.tool_calls}
        asked = dict.fromkeys(name for exchange in turn.exchanges for name in exchange.asked_tools)
        for name in asked:
            if name not in reported:
                reason = (
                    f"in turn {turn.number} the model asked for {name}, and the agent reported no call of it"
                )
                doubts.append(Doubt(name, reason))
    return doubts


def doubt_about(doubts: Sequence[Doubt], names: Collection[str], *, others: bool = False) -> str | None:
    """The first reason to think that one of these tools was called; with `others`, any but these."""
    for doubt in doubts:
        if doubt.name is None or (doubt.name in names) is not others:
            return doubt.reason
    return None
