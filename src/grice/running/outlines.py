"""What stays in memory of a result that stands in the journal: enough for counts, names and notes."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from grice.records import MODEL_ADDRESS, Conversation, Outcome, Result, Verdict
from grice.records.verdict import Mode

__all__ = ["outline_of"]


def outline_of(result: Result) -> Result:
    """The result without what was said; passes that say nothing more than that are one record for all."""
    said = result.conversation
    address = said.metadata.get(MODEL_ADDRESS)
    bare = Conversation(
        id=said.id,
        name=said.name,
        termination=said.termination,
        metadata={} if address is None else {MODEL_ADDRESS: address},
        simulations=() if result.counts else said.simulations,  # they say why it does not count
    )
    return replace(result, conversation=bare, verdicts=tuple(map(_outlined, result.verdicts)), conduct=())


def _outlined(verdict: Verdict) -> Verdict:
    if verdict.outcome is not Outcome.PASS or verdict.trivially_true or verdict.unresolved:
        return replace(verdict, evidence=(), detail={}, selection=None)
    if verdict.judgement is not None or verdict.uncalibrated or verdict.parts or not verdict.matcher:
        return verdict
    return _pass(verdict.matcher, verdict.mode, verdict.criterion, verdict.layer, verdict.negated)


@lru_cache(maxsize=1_024)
def _pass(matcher: str, mode: Mode, criterion: str, layer: int | None, negated: bool) -> Verdict:
    return Verdict(
        Outcome.PASS, matcher=matcher, mode=mode, criterion=criterion, layer=layer, negated=negated
    )
