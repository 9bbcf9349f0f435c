"""Conversations of every family that a shop sees, from a greeting to a dead end."""

from __future__ import annotations

from typing import Any

from concierge_checks import checks_of

from grice import LiveConversation, Reply, Scenario, expect, scenarios
from grice.matchers import clarify_efficiently


@scenarios("scenarios/families.json")
def test_conversation(conversation: LiveConversation, scenario: Scenario) -> None:
    turns: list[dict[str, Any]] = scenario["turns"]
    for turn in turns:
        reply = conversation.say(turn["say"])
        for _, check in checks_of(reply, turn["kind"], budget=turn.get("budget")):
            expect(reply).to(check)
        says_what_it_should(reply, turn)
    if scenario.get("efficient"):
        expect(conversation).to(clarify_efficiently())


def says_what_it_should(reply: Reply, turn: dict[str, Any]) -> None:
    """What the scenario itself asks of this turn."""
    if "matches" in turn:
        expect(reply).to_match(turn["matches"], flags="is")
    if "never" in turn:
        expect(reply).not_to_match(turn["never"], flags="is")
    if "products" in turn:
        expect(reply.data["products"]).to_have_length(turn["products"])
