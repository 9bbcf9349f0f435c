"""A test that is to pass in several of its runs: what they come to together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from grice.records import Outcome, Result, Verdict

__all__ = ["judged_together", "required"]


def judged_together(results: Iterable[Result]) -> list[Result]:
    """The results, those of a test that holds several runs together as one."""
    several: dict[tuple[str, int], list[Result]] = {}
    for one in results:
        several.setdefault((one.id, (one.repeat - 1) // one.runs), []).append(one)
    return [own[0] if own[0].runs == 1 else required(own, own[0].needed) for own in several.values()]


def required(results: Sequence[Result], needed: int) -> Result:
    """One result for all runs: that of a run which decides, with the hard verdict on their number.

    It passes when `needed` of them do. Runs that say nothing about the agent, and skipped ones, decide
    nothing: where they could have, it does not count, and is an `error` unless enough of them passed all the
    same. Skipped is what all runs skip.
    """
    if all(one.outcome is Outcome.SKIPPED for one in results):
        return results[0]
    passed = [one for one in results if one.outcome is Outcome.PASS]
    lost = [one for one in results if not one.counts]
    bad = [one for one in results if one.counts and one.outcome is not Outcome.PASS]
    sure = [one for one in passed if one.counts]
    said = f"{len(passed)} of {len(results)} runs passed"
    claim = f"at least {needed} of {len(results)} runs to pass"
    if len(sure) >= needed:
        return _with(sure[0], Verdict(Outcome.PASS, said, claim=claim), results)
    if len(sure) + len(lost) < needed:
        return _with(bad[0], Verdict(Outcome.FAIL, said, claim=claim), results)
    if len(passed) >= needed:
        return _with(
            next(one for one in lost if one in passed), Verdict(Outcome.PASS, said, claim=claim), results
        )
    broken = [one for one in lost if one.outcome not in (Outcome.PASS, Outcome.SKIPPED)]
    open_ = f"{said}, and {len(lost)} say nothing about the agent"
    return _with((broken or lost)[0], Verdict(Outcome.ERROR, open_, claim=claim), results)


def _with(result: Result, verdict: Verdict, results: Sequence[Result]) -> Result:
    """The deciding result with the verdict on all, which is the outcome."""
    failure = result.failure
    if verdict.outcome is Outcome.PASS:
        failure = "none"
    elif failure == "none":
        failure = "assertion" if verdict.outcome is Outcome.FAIL else "error"
    return replace(
        result,
        outcome=verdict.outcome,
        failure=failure,
        verdicts=(*result.verdicts, verdict),
        counts=verdict.outcome is not Outcome.ERROR and result.counts,
        duration=sum(one.duration or 0.0 for one in results),
    )
