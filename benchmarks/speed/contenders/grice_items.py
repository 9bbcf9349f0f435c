"""The suite as a Python test of Grice."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from grice import LiveConversation, expect

with open("conversations.jsonl", encoding="utf-8") as lines:
    RECORDED = [json.loads(line) for line in lines]


class Replay:
    def __init__(self, recorded: Any) -> None:
        self.left = iter(recorded["turns"])

    def chat(self, text: str, on_tool_call: Callable[[str, Any], None]) -> str:
        turn = next(self.left)
        for call in turn["tool_calls"]:
            on_tool_call(call["name"], call["arguments"])
        return str(turn["assistant"])


@pytest.fixture
def agent(recorded: Any) -> Replay:
    return Replay(recorded)


@pytest.mark.parametrize("recorded", RECORDED, ids=[one["id"] for one in RECORDED])
def test_recorded(conversation: LiveConversation, recorded: Any) -> None:
    for turn in recorded["turns"]:
        reply = conversation.say(turn["user"])
    expect(reply).to_contain("ships on Tuesday")
    expect(conversation.record, path="$.turns[*].messages[*].content").not_to_contain("as an AI")
    expect(reply).to_match(r"\bA-\d{4}\b")
    expect(conversation.record.turns[2].text, path="$.order.status").to_equal("shipped")
    expect(conversation).to_have_called_tool("lookup_order", order_id=recorded["order_id"])
    expect(reply).to_have_at_most_sentences(3)
