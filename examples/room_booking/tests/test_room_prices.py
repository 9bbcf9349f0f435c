"""A room costs what the calendar says. `broken/quotes.py` runs the same test on an agent with a bug."""

from __future__ import annotations

from grice import LiveConversation, ScriptedModel, evaluate, expect, tool_use

QUESTION = "What would the Green Room cost this Friday from 9 to 12, for 15 people?"


class TestPrices:
    def test_quotes_the_calendar(self, conversation: LiveConversation, scripted_model: ScriptedModel) -> None:
        scripted_model.script(
            tool_use(
                "check_availability",
                room="Green Room",
                day="2026-03-13",
                start="09:00",
                end="12:00",
                people=15,
            ),
            "The Green Room is free on Friday from 9:00 to 12:00 and costs {price}. Shall I book it for you?",
        )
        reply = conversation.say(QUESTION)
        expect(reply).to_call_tool("check_availability", room="Green Room", people=15)
        evaluate(reply).to_satisfy("friendly")
        evaluate(reply).to_be_grounded_in("rooms", "prices", from_tools=["check_availability"])
        expect(reply).not_to_claim("prices")
