"""The verdict on a conversation of a file that broke: whether the agent did, or the script."""

from __future__ import annotations

import msgspec

from grice.agents import AgentFailed
from grice.records import Verdict
from grice.running.live import LiveConversation
from grice.running.verdict_log import broken_verdict

__all__ = ["how_it_broke"]


def how_it_broke(live: LiveConversation, error: Exception) -> Verdict:
    """The verdict for an agent that failed, or a script that did not fit."""
    verdict = broken_verdict(live, error)
    failure = live.turns[-1].failure if live.turns else None
    if isinstance(error, AgentFailed) and (failure is None or failure.kind != "script"):
        return msgspec.structs.replace(verdict, claim="the agent to answer")
    return verdict
