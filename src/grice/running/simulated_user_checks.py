"""How the played users of a conversation behaved, which is told apart from how the agent did."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from grice.records import Conversation, Outcome, Spoiled, Verdict
from grice.running.steps import Steps, Wait

if TYPE_CHECKING:
    from grice.running.conversation import OpenConversation

__all__ = ["conduct_steps", "spoiled_by"]


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
