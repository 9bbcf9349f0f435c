"""A recommendation, validated on all four layers."""

from __future__ import annotations

from concierge_checks import DRIVERS

from grice import LiveConversation, Reply, constraint, expect, recommend
from store_concierge.tools import STORE_CARD

WANTED = "a gaming monitor that costs up to $300"
"""What the user wants, in one line: "Show me options" does not say it."""

WISHES = [
    constraint("screen size", at_least="26.5 inches", at_most="27.5 inches"),
    constraint("resolution", one_of=["QHD (1440p)"]),
    constraint("price", at_most=300),
]


def sixth_turn(conversation: LiveConversation) -> Reply:
    """The turn in which the user wants to see something, after five in which most was said."""
    conversation.say("Hi there!")
    conversation.say("I'm into gaming, at 27 inches and 1440p")
    conversation.say("What's the difference between IPS and VA?")
    conversation.say("Can I send it back if I don't like it?")
    conversation.say("Good, because I'm fed up with my old screen. I've got $300 for a better one.")
    return conversation.say("Show me options")


def test_t6_recommendation(conversation: LiveConversation) -> None:
    reply = sixth_turn(conversation)
    # layer 0: what was done
    expect(reply).to_call_tool("product.search", max_price=300, size=27, resolution="1440p")
    expect(reply).to_use_tools_for("recommendation")
    expect(reply).to_report_what_it_did(store_card_tool="policy.get")

    # layer 1: form, tone, budget
    expect(reply).to_have_envelope(mode="recommend")
    expect(reply).to_avoid_boilerplate()
    expect(reply).to_use_contractions()
    expect(reply).to_have_at_most_exclamations(1)
    expect(reply).to_avoid_repetition()
    expect(reply).to_differ_from_previous()
    expect(reply).to_open_differently()
    expect(reply).to_stay_within_budget(300, drivers=DRIVERS)

    # layer 2: evidence and context
    expect(reply).to_ground_products()
    expect(reply).to_be_supported_by()

    # layer 3: an LLM judges
    expect(reply).to_sound_natural()
    expect(reply).to_guide_user(kind="recommendation", intent="recommend products")
    expect(reply).to_use_context(store_card=STORE_CARD)
    expect(reply).to_show_intelligence(kind="recommendation", store_card=STORE_CARD)

    # layer 4: what it is about
    expect(reply).to_stay_on_topic(about=WANTED)
    expect(reply).to_cover_constraints(WISHES)


def test_t6_as_one_check(conversation: LiveConversation) -> None:
    reply = sixth_turn(conversation)
    bundle = recommend(budget=300, drivers=DRIVERS, constraints=WISHES, store_card=STORE_CARD)
    expect(reply).to_meet(bundle(hard=["products", "clarifiers", "memory"]))


def test_what_was_asked_before_it(conversation: LiveConversation) -> None:
    for say in ("Hi there!", "I'm into gaming, at 27 inches and 1440p"):
        reply = conversation.say(say)
        expect(reply).to_use_tools_for("small_talk")
        expect(reply).to_ask_new_clarifiers()
        expect(reply).to_remember_answers()
