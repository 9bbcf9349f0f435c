"""Saying something with a file beside it."""

import asyncio

import pytest

from grice.agents import AgentContext, chat_messages
from grice.agents.chat_turn import ChatTurn
from grice.matching.transcript import transcript
from grice.records import Attachment, Message
from grice.running.async_live import AsyncConversation
from grice.running.live import LiveConversation

PHOTO = Attachment.of(bytes(12_345), name="photo.png")
FAR = Attachment.of("http://127.0.0.1:9/list.csv")


def test_the_agent_gets_content_parts_and_the_record_keeps_the_file(tmp_path):
    (tmp_path / "a.png").write_bytes(b"abc")
    sent = []

    def agent(messages):
        sent.append(messages)
        return "A cat."

    live = LiveConversation(agent)
    live.say("What is this?", attachments=[tmp_path / "a.png", FAR])
    assert sent[0][0]["content"] == [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,YWJj"}},
        {"type": "file", "file": {"filename": "list.csv", "file_url": FAR.url}},
    ]
    assert live.messages[0].attachments == (Attachment.of(b"abc", name="a.png"), FAR)
    assert live.turns[0].user == "What is this?"
    live.say("Sure?")
    assert sent[1][0] == sent[0][0]
    assert sent[1][-1]["content"] == "Sure?"


def test_an_agent_that_takes_the_users_text_gets_the_text():
    live = LiveConversation(lambda text: text.upper())
    assert live.say("hi", attachments=[PHOTO]).text == "HI"
    assert live.say("", attachments=[PHOTO]).text == ""


def test_a_request_template_gets_the_text_as_user_and_the_parts_in_messages():
    messages = chat_messages([Message("user", "hi", attachments=(PHOTO,))])
    turn = ChatTurn(messages, "c", AgentContext())
    assert (turn.user, turn.items("messages")[0]["content"]) == ("hi", "hi")
    assert turn.messages[0]["content"][1]["type"] == "image_url"


def test_an_asynchronous_conversation_sends_them_too():
    async def agent(messages):
        return messages[-1]["content"][1]["type"]

    assert asyncio.run(AsyncConversation(agent).say("hi", attachments=[PHOTO])).text == "image_url"


def test_transcripts_name_them():
    live = LiveConversation(lambda text: "ok")
    live.say("What is this?", attachments=[PHOTO])
    live.say("", attachments=[FAR])
    assert transcript(live.turns).splitlines() == [
        "  1  user       What is this?",
        "                [attachment: photo.png, image/png, 12 kB]",
        "     assistant  ok",
        "  2  user       [attachment: list.csv, text/csv, http://127.0.0.1:9/list.csv]",
        "     assistant  ok",
    ]


def test_a_wrong_one_is_refused_before_the_turn_begins():
    live = LiveConversation(lambda text: "ok")
    with pytest.raises(FileNotFoundError, match=r"nowhere.png: there is no such file"):
        live.say("hi", attachments=["nowhere.png"])
    with pytest.raises(TypeError, match="attachments is a list, found str"):
        live.say("hi", attachments="photo.png")
    assert live.turns == ()
    assert live.say("hi").turn.number == 1


def test_a_history_may_have_them():
    sent = []
    live = LiveConversation(
        lambda messages: sent.append(messages) or "ok",
        history=[Message("user", "hi", attachments=(PHOTO,)), Message("assistant", "a")],
    )
    live.say("on")
    assert sent[0][0] == chat_messages([Message("user", "hi", attachments=(PHOTO,))])[0]
