"""Stands in for the assistant's model: rules, in the shape of a chat model that calls tools.

It has weaknesses that real models have, so that the checks have something to find:

- it does not understand numbers in words, and asks again for what it was told;
- it says that breakfast is included, which no tool has told it;
- it is curt when nothing was found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from grice import tool_use

Messages = Sequence[Mapping[str, Any]]

MONTHS = ["January", "February", "March", "April", "May", "June", "July"]
MONTHS += ["August", "September", "October", "November", "December"]
GUESTS = re.compile(r"(\d+) (?:guests|people|of us|colleagues)")
ROOMS = re.compile(r"(\d+) (?:double rooms|bedrooms)")
DAY = re.compile(rf"(\d{{1,2}}) ({'|'.join(MONTHS)})")
BUDGET = re.compile(r"£(\d+)")
AREA = re.compile(r"\b(centre|north|east|south|west)\b")
CHOOSING = re.compile(r"\b(book|take|go for)\b", re.IGNORECASE)
ASKING = re.compile(r"\b(tell me more|what about|is there|does it)\b", re.IGNORECASE)
WORDS = {
    "catering": r"catering|lunch|dinner|food",
    "overnight_rooms": r"overnight|bedrooms|double rooms",
    "parking": r"parking|cars",
    "internet": r"internet|wifi",
}

CANCELLING = re.compile(r"cancel", re.IGNORECASE)
RULE = (
    "No. A booking can be cancelled free of charge up to 14 days before the event. After that the whole "
    "price is due."
)
RULE_AGAIN = (
    "No, I am afraid not. I see why you ask, but it stays at what I said: free of charge up to 14 days "
    "before the event, the whole price after that. I can make no exception."
)

EVENT = re.compile(
    r"workshop|married|meeting|conference|gala|club|birthday|reading|training|exhibition|party", re.IGNORECASE
)

WELCOME = "Hello! I find and book venues in Cambridge. What are you planning?"
QUESTIONS = (
    "I would be glad to help. Please tell me about your event: how many guests will come, on which day, and "
    "in which part of Cambridge?"
)


class Call(NamedTuple):
    """A call of a tool. It gets its id when it is known how many came before, so that recordings repeat."""

    name: str
    arguments: dict[str, Any]


def calling(name: str, **arguments: Any) -> Call:
    """A call of the tool."""
    return Call(name, arguments)


@dataclass(frozen=True)
class Heard:
    """What the user has said so far, as far as it was understood. Empty: not heard."""

    guests: int = 0
    day: str = ""
    area: str = ""
    budget: int = 0
    rooms: int = 0
    services: tuple[str, ...] = ()

    def search(self) -> dict[str, Any]:
        """The arguments of a search for it."""
        wanted = {"area": self.area, "max_hire": self.budget, "services": list(self.services)}
        return {"guests": self.guests, **{name: value for name, value in wanted.items() if value}}

    def is_answered_by(self, search: Mapping[str, Any]) -> bool:
        """Whether a search was for these guests and this place; services may have come since."""
        return {**search, "services": ()} == {**self.search(), "services": ()}

    def order(self, venue: int) -> list[Any]:
        """A call of add_service for each service."""
        quantity = {"catering": self.guests, "overnight_rooms": self.rooms or (self.guests + 1) // 2}
        return [
            calling("add_service", venue_id=venue, service_type=service, quantity=quantity.get(service, 1))
            for service in self.services
        ]


def heard(said: str) -> Heard:
    """What the rules understand of everything that the user has said; what was said last counts."""
    day = _last(DAY, said)
    return Heard(
        guests=int(_last(GUESTS, said) or 0),
        day=f"2026-{MONTHS.index(day[1]) + 1:02d}-{int(day[0]):02d}" if day else "",
        area=_last(AREA, said) or "",
        budget=int(_last(BUDGET, said) or 0),
        rooms=int(_last(ROOMS, said) or 0),
        services=tuple(name for name, words in WORDS.items() if re.search(words, said, re.IGNORECASE)),
    )


def _last(pattern: re.Pattern[str], text: str) -> Any:
    found = pattern.findall(text)
    return found[-1] if found else None


def next_message(messages: Messages) -> Any:
    """The model's answer to a request: a text, or calls, as a script of Grice's has them."""
    wishes = heard("\n".join(str(one["content"]) for one in messages if one["role"] == "user"))
    after = after_tools if messages[-1]["role"] == "tool" else after_user
    said = after(messages, wishes)
    parts = said if isinstance(said, list) else [said]
    number = len([call for one in messages for call in one.get("tool_calls") or ()])
    return [
        tool_use(part.name, call_id=f"call_{number + place}", **part.arguments)
        if isinstance(part, Call)
        else part
        for place, part in enumerate(parts)
    ]


def after_user(messages: Messages, wishes: Heard) -> Any:
    """What the model does when the user has spoken."""
    said = str(messages[-1]["content"])
    if any(one.get("content") == RULE for one in messages):
        return RULE_AGAIN
    if CANCELLING.search(said):
        return RULE
    if "more of us" in said:
        return "No problem at all. How many guests will come now?"
    searches = done("search_suppliers", messages)
    if searches and searches[-1][1] and wishes.is_answered_by(searches[-1][0]):
        return about_found(said, searches[-1][1], wishes)
    missing = [
        question
        for question, known in (
            ("How many guests will come?", wishes.guests),
            ("On which day is it?", wishes.day),
        )
        if not known
    ]
    if not missing:
        return calling("search_suppliers", **wishes.search())
    if len(missing) == 1 or any(one.get("content") == QUESTIONS for one in messages):
        return f"Thank you. {' '.join(missing)}"
    return QUESTIONS if EVENT.search(said) else WELCOME


def about_found(said: str, venues: list[dict[str, Any]], wishes: Heard) -> Any:
    """What the model does when the user speaks about venues that it has presented."""
    named = next((venue for venue in venues if venue["name"].lower() in said.lower()), venues[0])
    if CHOOSING.search(said):
        return wishes.order(named["venue_id"]) or book(named["venue_id"], wishes)
    if ASKING.search(said):
        return calling("get_venue", venue_id=named["venue_id"])
    return "Which of these venues shall I book for you?"


def after_tools(messages: Messages, wishes: Heard) -> Any:
    """What the model does with the results of its last calls."""
    latest = since_last_request(messages)
    errors = [result["error"] for _, _, result in latest if isinstance(result, dict) and "error" in result]
    name, arguments, result = latest[-1]
    if errors and name == "add_service":
        return [
            f"I am sorry, {errors[0]}. Let me look again.",
            calling("search_suppliers", **wishes.search()),
        ]
    if errors:
        return f"I am sorry, that did not work: {errors[0]}. Shall I look for something else?"
    if name == "search_suppliers":
        return presented(result, wishes)
    if name == "get_venue":
        return described(result)
    if name == "add_service":
        return book(arguments["venue_id"], wishes)
    services = " and ".join(service.replace("_", " ") for service in wishes.services)
    return (
        f"Done! {result['venue']} is booked on {result['day']} for {result['guests']} guests"
        f"{', with ' + services if services else ''}, for £{result['total']} in all. "
        f"Your booking number is {result['booking']}."
    )


def presented(venues: list[dict[str, Any]], wishes: Heard) -> str:
    """The venues that were found."""
    if not venues:
        return f"No venue for {wishes.guests} guests."
    lines = "; ".join(
        f"{one['name']} ({one['area']}), seats {one['seats']}, £{one['hire']} a day" for one in venues
    )
    breakfast = " Breakfast is included." if "overnight_rooms" in wishes.services else ""
    return f"I found {len(venues)} for you: {lines}.{breakfast} Which one shall I book?"


def described(venue: dict[str, Any]) -> str:
    """One venue in a sentence."""
    parking = "has free parking" if venue["free_parking"] else "has no parking"
    catering = venue["catering_per_guest"]
    food = f"catering is £{catering} a guest" if catering else "there is no catering"
    return (
        f"{venue['name']} is at {venue['address']}, with {venue['stars']} stars. It {parking}, and {food}. "
        "Shall I book it?"
    )


def book(venue: int, wishes: Heard) -> Any:
    """The call that books."""
    return calling("book_venue", venue_id=venue, day=wishes.day, guests=wishes.guests)


def done(name: str, messages: Messages) -> list[tuple[dict[str, Any], Any]]:
    """Arguments and result of each call of that name so far."""
    return [(given, result) for called, given, result in calls_and_results(messages) if called == name]


def since_last_request(messages: Messages) -> list[tuple[str, dict[str, Any], Any]]:
    """The calls that the model made together, last of all."""
    last = max(place for place, one in enumerate(messages) if one["role"] == "assistant")
    return calls_and_results(messages[last:])


def calls_and_results(messages: Messages) -> list[tuple[str, dict[str, Any], Any]]:
    """Name, arguments and result of every call so far."""
    results = {one["tool_call_id"]: one["content"] for one in messages if one["role"] == "tool"}
    calls = [call for one in messages for call in one.get("tool_calls") or ()]
    return [
        (
            call["function"]["name"],
            json.loads(call["function"]["arguments"]),
            _result(results[call["id"]]),
        )
        for call in calls
        if call["id"] in results
    ]


def _result(content: str) -> Any:
    """What a tool gave; an error of an earlier turn stands in the messages in plain words."""
    try:
        return json.loads(content)
    except ValueError:
        return {"error": content}
