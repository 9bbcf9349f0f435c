"""How well the assistant talks: scores from 1 to 5, criteria of a class, an attachment."""

from __future__ import annotations

from pathlib import Path

from grice import LiveConversation, ScriptedModel, criterion, evaluate, expect, tool_use
from room_booking.assistant import HOUSE_RULES
from room_booking.rooms import Calendar

INVITATION = Path(__file__).parent / "invitation.txt"

OFFER = (
    "For 15 people the Green Room fits best: it seats 20, has video conference, and is 60 EUR an hour. "
    "Which day would you like it?"
)


class TestRecommending:
    criteria = (
        criterion("one_offer", "The reply offers exactly one room, unless the user asks for alternatives."),
        criterion(
            "makes_the_choice_easy",  # stricter here than in the project
            "The reply names the room that fits best, says why, and what it costs.",
            at_least=4.5,
        ),
    )

    def test_recommends_one_room(
        self, conversation: LiveConversation, scripted_model: ScriptedModel, calendar: Calendar
    ) -> None:
        scripted_model.script(tool_use("list_rooms"), OFFER)
        reply = conversation.say("Which room would you take for 15 people who join a video call?")
        expect(reply).to_satisfy("one_offer", "makes_the_choice_easy")
        evaluate(reply).to_sound_natural()
        evaluate(reply).to_guide_user(kind="recommendation")
        evaluate(reply).to_use_context(store_card=HOUSE_RULES, records=calendar.list_rooms())
        evaluate(reply).to_show_intelligence(
            kind="recommendation", store_card=HOUSE_RULES, records=calendar.list_rooms()
        )


def test_reads_an_invitation(conversation: LiveConversation, scripted_model: ScriptedModel) -> None:
    scripted_model.script(
        ["I have your invitation, and look for a room.", tool_use("list_rooms")],
        "The Red Room seats 6, so it fits the four of you. Shall I see if it is free on Friday at 10:00?",
    )
    reply = conversation.say("Is there a room for this?", attachments=[INVITATION])
    expect(reply).to_satisfy(
        "The reply goes by the number of people and the time in the attached invitation."
    )
    evaluate(reply).to_satisfy("friendly")
