"""What a finished conversation and its verdicts come to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grice.records import Conversation, FailureType, Outcome, Spoiled, Termination, Verdict, outcome_of
from grice.running.tool_answers import ToolsError

__all__ = ["NOTHING", "NO_AGENT", "Ending", "ending_of", "judged_outcome"]

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
