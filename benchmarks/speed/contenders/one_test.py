"""One offline test with a scripted model."""

from collections.abc import Callable
from typing import Any

import pytest

from grice import LiveConversation, expect


@pytest.fixture
def agent(scripted_model: Any) -> Callable[[str], str]:
    scripted_model.script("Hello! Which day suits you?")

    def answer(text: str) -> str:
        reply = scripted_model.transport({"messages": [{"role": "user", "content": text}]})
        return str(reply["content"][0]["text"])

    return answer


def test_it(conversation: LiveConversation) -> None:
    expect(conversation.say("Hi, I need a room")).to_contain("Which day")
