"""The suite as plain pytest items."""

import json
from typing import Any

import pytest
from bare_checks import CHECKS  # type: ignore[import-not-found]  # beside this script

with open("conversations.jsonl", encoding="utf-8") as lines:
    RECORDED = [json.loads(line) for line in lines]


class Replay:
    def __init__(self, recorded: Any) -> None:
        self.left = iter(recorded["turns"])

    def chat(self, text: str) -> Any:
        return next(self.left)


@pytest.mark.parametrize("recorded", RECORDED, ids=[one["id"] for one in RECORDED])
def test_recorded(recorded: Any) -> None:
    agent, replies, calls = Replay(recorded), [], []
    for turn in recorded["turns"]:
        reply = agent.chat(turn["user"])
        replies.append(reply["assistant"])
        calls += reply["tool_calls"]
    for check in CHECKS:
        assert check(replies, calls, recorded["order_id"])
