"""What a finished conversation and its verdicts come to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from grice.records import (
    Conversation,
    FailureType,
    Outcome,
    Result,
    Spoiled,
    Termination,
    Verdict,
    outcome_of,
)
from grice.running.steps import Steps, Wait
from grice.running.tool_answers import ToolsError

if TYPE_CHECKING:
    from grice.running.conversation import OpenConversation


UNCHECKED = "it speaks to the agent and makes no check that can be seen"
"""Why the word of a body says nothing."""

NO_AGENT = "an agent to hold the conversation with"

"""What is missing where an agent cannot be had: nothing is said of it then."""

NOTHING = "nothing was said and nothing was checked"

"""Why a conversation without turns and without verdicts is inconclusive."""

_USERS_FAULT: tuple[Termination, ...] = ("simulator_error", "budget")


class Ending(NamedTuple):
    """The outcome of a result, its type of failure, and whether it counts in completion."""

    outcome: Outcome
    failure: FailureType
    counts: bool


def judged_outcome(verdicts: Sequence[Verdict]) -> Outcome:
    """The hard verdicts decide. What was judged by soft ones only passes.

    A test without `expect` does the same: nothing in it can fail, and reports say so. Without any verdict
    nothing was judged, and that is `inconclusive`.
    """
    hard = any(verdict.mode == "hard" for verdict in verdicts)
    judged = any(verdict.outcome is not Outcome.SKIPPED for verdict in verdicts)
    return Outcome.PASS if judged and not hard else outcome_of(tuple(verdicts))


def ending_of(record: Conversation, verdicts: Sequence[Verdict], spoiled: Spoiled = "") -> Ending:
    """What the conversation comes to.

    A result does not count in completion when it says nothing about the agent: the user's player or a judge
    failed, a script or a cassette had no answer, the budget was spent, or a user that broke its rules brought
    the outcome about.
    """
    outcome = judged_outcome(verdicts)
    failure = _failure(record, verdicts, outcome)
    if _users_fault(record):
        return Ending(outcome, failure, counts=False)
    if outcome is Outcome.ERROR and failure == "error" and not _agents_fault(record):
        return Ending(outcome, failure, counts=False)
    good = outcome is Outcome.PASS
    misled = (spoiled == "hindered" and not good) or (spoiled == "helped" and good)
    return Ending(outcome, failure, counts=outcome is not Outcome.SKIPPED and not misled)


def _failure(record: Conversation, verdicts: Sequence[Verdict], outcome: Outcome) -> FailureType:
    if outcome in (Outcome.PASS, Outcome.SKIPPED):
        return "none"  # also where the test wants an agent that fails
    if record.termination == "timeout":
        return "timeout"
    if record.termination == "agent_error" or _users_fault(record):
        return "error"
    if any(_is_limit(verdict) for verdict in verdicts):
        return "max_turns"
    if outcome is Outcome.ERROR:
        return "error"
    last = record.simulations[-1].termination if record.simulations else record.termination
    if last == "max_turns":
        return "max_turns"
    return "assertion" if any(one.outcome is not Outcome.SKIPPED for one in verdicts) else "none"


def _users_fault(record: Conversation) -> bool:
    return record.termination in _USERS_FAULT or any(
        one.termination in _USERS_FAULT for one in record.simulations
    )


def _agents_fault(record: Conversation) -> bool:
    """Whether the agent failed, and not the script or the cassette that was to answer it."""
    failure = next((turn.failure for turn in reversed(record.turns) if turn.failure is not None), None)
    unfit = failure is not None and failure.kind == "script" and failure.error != ToolsError.__name__
    return record.termination == "agent_error" and not unfit


def _is_limit(verdict: Verdict) -> bool:
    """Whether it is the failure of a topic that took too many turns."""
    bad = verdict.mode == "hard" and verdict.outcome is Outcome.FAIL
    return bad and verdict.detail.get("type") == "max_turns"


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


def conduct_steps(
    live: OpenConversation, mode: str, find_judge: Callable[[], Any] | None
) -> Steps[tuple[Verdict, ...]]:
    """The verdicts on every played user of the conversation.

    `mode` is the setting `conduct`: by rules in code, by the judge too, or off.
    """
    verdicts: list[Verdict] = []
    if live.played and mode != "off":
        from grice.users.conduct import judge_conduct, judge_rules

        for plan, simulation in live.played:
            verdicts += judge_rules(plan, live.record, simulation)
            if mode == "judge" and find_judge is not None:
                verdicts += yield Wait.on(judge_conduct(find_judge(), plan, live.record, simulation))
    return tuple(verdicts)


def spoiled_by(record: Conversation, verdicts: tuple[Verdict, ...], outcome: Outcome) -> Spoiled:
    """What the played users' faults did to the agent's chances."""
    if not record.simulations:
        return ""
    from grice.users.conduct import spoiled

    return spoiled(verdicts, record.simulations[-1].termination, outcome=outcome)
