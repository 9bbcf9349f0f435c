"""Conversations whose agent and tools go through a cassette."""

import asyncio

import pytest

from grice.running.async_live import AsyncConversation
from grice.running.live import LiveConversation
from grice.wire.cassettes import Cassette, NotRecorded

ASKED = []


async def price(room):
    ASKED.append(room)
    return {"price": room * 10}


def book(room):
    ASKED.append(room)
    return "booked"


TOOLS = {"price": price, "book": book}


async def agent(messages):
    if messages[-1]["role"] == "tool":
        return ["Here is the price.", messages[-1]["content"]]
    name = "price" if messages[-1]["content"] == "price" else "book"
    return {"tool_calls": [{"name": name, "arguments": {"room": 3}}]}


def talk(cassette):
    with LiveConversation(agent, tools=TOOLS, cassette=cassette, clock=lambda: 0.0) as live:
        return live.say("price").turn.full_text, live.say("book").text, live.record


def talk_later(cassette):
    async def main():
        async with AsyncConversation(agent, tools=TOOLS, cassette=cassette, clock=lambda: 0.0) as live:
            first = await live.say("price")
            return first.turn.full_text, (await live.say("book")).text, live.record

    return asyncio.run(main())


@pytest.mark.parametrize("kinds", [("agent", "tools"), ("tools",), ("agent",)])
@pytest.mark.parametrize("talk", [talk, talk_later])
def test_what_was_recorded_is_played_without_asking_again(tmp_path, talk, kinds):
    ASKED.clear()
    path = tmp_path / "one.jsonl"
    with Cassette.open(path, "all", kinds=kinds, environ={}) as cassette:
        recorded = talk(cassette)
    assert recorded[:2] == ('Here is the price.\n{"price":30}', "booked")
    assert ASKED == [3, 3]
    with Cassette.open(path, "none", kinds=kinds, environ={}) as cassette:
        assert talk(cassette) == recorded
    assert len(ASKED) == (2 if "tools" in kinds else 4)


def test_both_kinds_of_conversation_play_the_same_cassette(tmp_path):
    path = tmp_path / "one.jsonl"
    with Cassette.open(path, "all", kinds=("agent", "tools"), environ={}) as cassette:
        recorded = talk(cassette)
    with Cassette.open(path, "none", kinds=("agent", "tools"), environ={}) as cassette:
        assert talk_later(cassette) == recorded


def test_what_was_not_recorded_is_told_in_the_turn(tmp_path):
    path = tmp_path / "one.jsonl"
    with Cassette.open(path, "all", kinds=("agent",), environ={}) as cassette:
        talk(cassette)
    with Cassette.open(path, "none", kinds=("agent",), environ={}) as cassette:
        live = LiveConversation(agent, cassette=cassette)
        with pytest.raises(NotRecorded, match=r"turn 1: .*is not recorded: 'something else'"):
            live.say("something else")
        assert live.turns[0].failure.kind == "script"
