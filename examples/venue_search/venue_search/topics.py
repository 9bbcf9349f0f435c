"""The phases of a conversation with the assistant, and the order that they may have."""

from __future__ import annotations

from grice import on_reply_match, on_tool_call, topic
from grice.matchers import be_grounded_in, call_tool, satisfy

greeting = topic("greeting", "Initial contact: the user has not said yet what they are planning")

gathering = topic(
    "gathering_details",
    "The agent collects number of guests, day, place, budget and services",
    triggers=[
        on_reply_match(r"tell me about.*event", flags="i"),
        on_reply_match(r"how many guests|which day", flags="i"),
    ],
    evaluate=[satisfy("friendly"), satisfy("asks_nothing_twice")],
    expect=[~call_tool("book_venue")],
    max_turns=4,
)

results = topic(
    "presenting_results",
    "The agent presents venues, or says that there is none, and answers questions about them",
    triggers=[on_tool_call("search_suppliers"), on_tool_call("get_venue")],
    evaluate=[satisfy("friendly"), be_grounded_in("venues", "prices")],
    forbid_tools="book_venue",
    required=True,
)

booking = topic(
    "booking",
    "The agent orders services, books, and confirms with a booking number",
    triggers=[on_tool_call("book_venue")],
    expect=[call_tool("book_venue")],
)

venue_flow = {
    greeting: (gathering, results),
    gathering: results,
    results: (booking, gathering),
    booking: (),
}
