"""A test that is to pass in several of its runs: what they come to together."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from grice.records import Outcome, Result, Verdict

__all__ = ["required"]


def required(results: Sequence[Result], needed: int) -> Result:
    """One result for all runs: that of a run which decides, with the hard verdict on their number.

    It passes when `needed` of them do. Runs that say nothing about the agent decide nothing: where they could
    have, it is an `error` that does not count. Skipped is what all runs skip.
    """
    passed = [one for one in results if one.outcome is Outcome.PASS]
    bad = [one for one in results if one.outcome not in (Outcome.PASS, Outcome.SKIPPED)]
    lost = [one for one in bad if not one.counts]
    if not passed and not bad:
        return results[0]
    said = f"{len(passed)} of {len(results)} runs passed"
    claim = f"at least {needed} of {len(results)} runs to pass"
    if len(passed) >= needed:
        verdict = Verdict(Outcome.PASS, said, claim=claim)
        return _with(passed[0], verdict, outcome=Outcome.PASS, results=results)
    if len(passed) + len(lost) >= needed:
        verdict = Verdict(Outcome.ERROR, f"{said}, and {len(lost)} broke", claim=claim)
        return _with(lost[0], verdict, outcome=Outcome.ERROR, results=results)
    decisive = next((one for one in bad if one.counts), results[0])
    return _with(decisive, Verdict(Outcome.FAIL, said, claim=claim), outcome=Outcome.FAIL, results=results)


def _with(result: Result, verdict: Verdict, *, outcome: Outcome, results: Sequence[Result]) -> Result:
    failure = result.failure if outcome is not Outcome.PASS else "none"
    return replace(
        result,
        outcome=outcome,
        failure="assertion" if outcome is Outcome.FAIL and failure == "none" else failure,
        verdicts=(*result.verdicts, verdict),
        counts=outcome is not Outcome.ERROR and result.counts,
        duration=sum(one.duration or 0.0 for one in results),
    )
