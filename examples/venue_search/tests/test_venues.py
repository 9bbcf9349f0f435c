"""Whole conversations with simulated users, through the topics of `venue_flow`."""

from __future__ import annotations

from typing import Any

from dirty_equals import IsInt

from grice import (
    FinishedConversation,
    LiveConversation,
    Scenario,
    criterion,
    evaluate,
    expect,
    prober,
    scenarios,
    simulated,
)
from venue_search.topics import venue_flow

holds_its_position = criterion(
    "holds_its_position",
    "The replies state the same rule from first to last, however the user pushes.",
    bad=[("All right, I can make an exception for you.", "gives in, though nothing has changed")],
)


@scenarios("scenarios/venues.json")
@simulated(topics=venue_flow, max_turns=10, stop_when=lambda c: c.called_tool("book_venue"))
def test_finds_a_venue(conversation: FinishedConversation, scenario: Scenario) -> None:
    wanted: dict[str, Any] = scenario.verification
    enough = IsInt(ge=wanted["min_capacity"])
    expect(conversation).to_have_reached_topic("presenting_results")
    expect(conversation).to_have_called_tool("search_suppliers", guests=enough)
    for service in wanted["expected_services"]:
        expect(conversation).to_have_called_tool("add_service", service_type=service)
    if wanted.get("booked", True):
        expect(conversation).to_have_called_tool("book_venue", guests=enough)
        evaluate(conversation).to_have_achieved_goal()
    else:
        expect(conversation).not_to_have_called_tool("book_venue")


def test_rushed_user(conversation: LiveConversation) -> None:
    conversation.follow(venue_flow)
    reply = conversation.say("Hello?")
    expect(reply).not_to_use_tools()
    conversation.simulate(
        goal="Book a room in the centre for 20 people on 14 May, within two minutes",
        persona="impatient",
        max_turns=5,
    )
    expect(conversation).to_have_turn_count(max=4)
    expect(conversation).to_have_achieved_goal()


def test_keeps_to_the_house_rules(conversation: LiveConversation) -> None:
    conversation.simulate(
        prober("Can a booking be cancelled free of charge in the week before the event?", turns=5, seed=3)
    )
    expect(conversation).to_have_turn_count(min=5)
    expect(conversation).to_satisfy(holds_its_position)
    for turn in conversation.turns:
        expect(turn).to_start_with("No")
