"""A booking that is changed on the way, turn by turn."""

from __future__ import annotations

from typing import Any

import pytest
from dirty_equals import IsInt

from grice import (
    Conversation,
    LiveConversation,
    Message,
    ScriptedModel,
    criterion,
    evaluate,
    expect,
    tool_use,
)
from room_booking.assistant import HOUSE_RULES
from room_booking.rooms import Calendar


def looks_before_it_books(conversation: Conversation) -> bool:
    """Before every booking its room was checked."""
    names = [call.name for turn in conversation.turns for call in turn.tool_calls]
    return all(
        "check_availability" in names[:place] for place, name in enumerate(names) if name == "book_room"
    )


def shows_no_placeholder(messages: tuple[Message, ...]) -> bool:
    """The user never reads a price that was not filled in."""
    return not any("{price}" in message.content for message in messages if message.role == "assistant")


pytestmark = pytest.mark.grice(
    criteria=[
        criterion(
            "acknowledges_change",
            "The reply takes up that the user has changed their mind, without making them feel bad about it.",
            good=[("No problem, three to five works too.", "takes it up, at ease")],
            bad=[("You said two before.", "blames the user")],
        ),
        criterion("looks_before_it_books", check=looks_before_it_books),
        criterion("shows_no_placeholder", check_messages=shows_no_placeholder),
    ]
)

DAY = "2026-03-12"
AT_TWO: dict[str, Any] = {"room": "Blue Room", "day": DAY, "start": "14:00", "end": "16:00", "people": 10}
AT_THREE = {**AT_TWO, "start": "15:00", "end": "17:00"}


def test_books_a_room_with_a_modification(
    conversation: LiveConversation, scripted_model: ScriptedModel, calendar: Calendar
) -> None:
    scripted_model.script("Happy to help! Which day and time suit you, and how many people will come?")
    reply = conversation.say("Hi, I need a meeting room")
    evaluate(reply).to_satisfy("friendly")
    evaluate(reply).to_have_intent(
        "gather_requirements", described_as="find out what room is needed, and when"
    )
    expect(reply).not_to_call_tool("book_room")

    scripted_model.script(
        ["One moment, I check the Blue Room.", tool_use("check_availability", **AT_TWO)],
        "The Blue Room is free on Thursday from 14:00 to 16:00. It seats 12 and costs {price}. Shall I book?",
    )
    reply = conversation.say("The Blue Room, this Thursday from 2 to 4 pm, for ten people")
    expect(reply).to_call_tool("check_availability", room="Blue Room", people=IsInt(ge=10))
    expect(reply.turn.full_text).to_start_with("One moment")  # the first of two messages
    expect(reply).to_be_grounded_in("rooms", from_tools=["check_availability"])
    expect(reply).not_to_claim("prices")

    scripted_model.script(
        tool_use("check_availability", **AT_THREE),
        "No problem, the Blue Room is free from 15:00 to 17:00 too, for the same {price}. Shall I book that?",
    )
    reply = conversation.say("Sorry, make that 3 to 5 pm")
    expect(reply).to_call_tool("check_availability", start="15:00", end="17:00")
    evaluate(reply).to_satisfy("acknowledges_change")
    evaluate(reply).to_match(r"3(:00)?\s*pm|15:00", flags="i")

    scripted_model.script(
        tool_use("book_room", **AT_THREE),
        "Done! The Blue Room is yours on Thursday from 15:00 to 17:00, for {price}. Your number is B-1.",
    )
    reply = conversation.say("Yes, please")
    expect(reply).to_call_tool("book_room", **AT_THREE)
    evaluate(reply).to_be_grounded_in("confirmation", from_tools=["book_room"])
    evaluate(reply).to_satisfy("friendly")

    expect(conversation).to_satisfy("looks_before_it_books", "shows_no_placeholder")
    expect(conversation).to_have_achieved_goal("Book a room for ten people on Thursday from 3 to 5 pm")
    assert calendar.bookings["B-1"].start == "15:00"


def test_says_what_it_did_and_stays_cheap(
    conversation: LiveConversation, scripted_model: ScriptedModel
) -> None:
    scripted_model.script(
        tool_use("list_rooms"), "There are three rooms: Blue (12 seats), Green (20 seats) and Red (6 seats)."
    )
    reply = conversation.say("Which rooms do you have?")
    expect(reply).to_use_tools("list_rooms", only=True, at_most=1)
    expect(reply).to_report_what_it_did(store_card_text=HOUSE_RULES)
    expect(reply).to_take_less_than(5)
    expect(reply).to_use_fewer_tokens_than(4_000)

    scripted_model.script("You're welcome!")
    reply = conversation.say("Thanks!")
    expect(reply).not_to_use_tools()
    expect(reply).to_report_what_it_did(store_card_text=HOUSE_RULES)
    assert reply.data["meta"]["tools_used"] == []


def test_cancels_a_booking(
    conversation: LiveConversation, scripted_model: ScriptedModel, calendar: Calendar
) -> None:
    scripted_model.script(
        tool_use("cancel_booking", booking="A-7"),
        "The Red Room on 12 March from 09:00 to 12:00 is cancelled, free of charge.",
    )
    reply = conversation.say("Please cancel booking A-7")
    expect(reply).to_call_tool("cancel_booking", booking="A-7")
    expect(reply).to_satisfy("The reply says which booking was cancelled, and what cancelling it costs.")
    assert "A-7" not in calendar.bookings
