"""The bundle of each kind of turn, without judges: small talk, a recommendation, the policy of the shop."""

from __future__ import annotations

from concierge_checks import DRIVERS

from grice import LiveConversation, chat, expect, policy, recommend
from store_concierge.tools import STORE_CARD


def test_each_kind_of_turn_meets_its_bundle(conversation: LiveConversation) -> None:
    expect(conversation.say("Hi there!")).to_meet(chat(judges=False))

    reply = conversation.say("I want a 27-inch 1440p monitor for gaming, up to $300")
    wishes = ["27-inch", "QHD (1440p)", "gaming", "under $300"]
    bundle = recommend(budget=300, drivers=DRIVERS, constraints=wishes, judges=False)
    expect(reply).to_meet(bundle(hard=["products", "clarifiers", "memory"]))

    reply = conversation.say("Can I return it if I don't like it?")
    expect(reply).to_meet(policy(store_card=STORE_CARD, judges=False, hard=["policy"]))
