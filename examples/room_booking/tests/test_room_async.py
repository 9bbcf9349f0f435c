"""The same from coroutines: the fixture `async_conversation`, and checks that are awaited."""

from __future__ import annotations

import asyncio

import pytest

from grice import AsyncConversation, ScriptedModel, tool_use
from grice.aio import evaluate, expect


@pytest.mark.asyncio
async def test_says_why_a_room_is_not_free(
    async_conversation: AsyncConversation, scripted_model: ScriptedModel
) -> None:
    scripted_model.script(
        tool_use(
            "check_availability", room="Red Room", day="2026-03-12", start="11:00", end="13:00", people=4
        ),
        "Sorry, the Red Room is taken until 12:00 that day. From 12:00 on I could check again for you.",
    )
    reply = await async_conversation.say("Is the Red Room free on Thursday from 11 to 1?")
    await asyncio.gather(
        expect(reply).to_call_tool("check_availability", room="Red Room"),
        expect(reply).not_to_call_tool("book_room"),
        expect(reply).to_be_grounded_in("availability"),
        evaluate(reply).to_satisfy("friendly"),
        evaluate(reply).to_guide_user(intent="offer another time"),
    )
