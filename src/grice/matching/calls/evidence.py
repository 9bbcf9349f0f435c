"""Tool calls as evidence: what was called, in which turn, and where in the record."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grice.matching.transcript import call_text
from grice.records import Evidence, Turn, Verdict

__all__ = ["evidence_of", "with_turn"]

MAX_EVIDENCE = 20


def evidence_of(turns: Sequence[Turn], places: Sequence[int]) -> tuple[Evidence, ...]:
    """The calls at these places, counted from 0 over all turns; the first 20 of them."""
    calls = [(turn.number, call) for turn in turns for call in turn.tool_calls]
    found = [(place, *calls[place]) for place in places[:MAX_EVIDENCE]]
    return tuple(Evidence(call_text(call), turn, path=f"tool_calls[{place}]") for place, turn, call in found)


def with_turn(verdict: Verdict) -> Verdict:
    """The verdict with the turn of its first evidence, which the transcript then marks."""
    if not verdict.evidence:
        return verdict
    return msgspec.structs.replace(verdict, turn=verdict.evidence[0].turn)
