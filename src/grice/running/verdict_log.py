"""The verdicts of one test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grice.agents import AgentFailed
from grice.records import Outcome, Verdict

if TYPE_CHECKING:
    from grice.running.live import LiveConversation

__all__ = ["VerdictLog", "broken_verdict"]


class VerdictLog:
    """The verdicts of one test, in order. `name` is the test's, `conversation` the one that it holds."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.conversation: LiveConversation | None = None
        self.verdicts: list[Verdict] = []

    def add(self, verdict: Verdict) -> None:
        """Keep a verdict."""
        self.verdicts.append(verdict)


def broken_verdict(live: LiveConversation, error: Exception) -> Verdict:
    """The verdict for an agent that failed, or a script that did not fit."""
    turns = live.record.turns
    failure = turns[-1].failure if turns else None
    reason = failure.message if failure is not None else str(error)
    agent_failed = isinstance(error, AgentFailed) and (failure is None or failure.kind != "script")
    claim = "the agent to answer" if agent_failed else "the conversation to play as scripted"
    return Verdict(Outcome.ERROR, reason, claim=claim, turn=len(turns) or None)
