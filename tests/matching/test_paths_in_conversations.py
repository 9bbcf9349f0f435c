"""What a plain path finds in a conversation is what it finds in the conversation's JSON."""

from __future__ import annotations

import msgspec
import pytest

from grice.matching.paths import compile_path
from grice.matching.plain import plain_json, scalars_in
from grice.matching.values import Source
from grice.records import Conversation, Exchange, Message, ToolCall, Turn

CONVERSATION = Conversation(
    "talk",
    (
        Turn(1, (Message("user", "Hi"), Message("assistant", ""))),
        Turn(
            2,
            (Message("user", "Book it"), Message("assistant", "Done", name="Ann")),
            (ToolCall("book", {"room": "Blue"}, result=None), ToolCall("pay", error="declined")),
            (Exchange({"messages": [{"role": "user", "content": "Book it"}]}, {"text": "Done"}),),
            data={"status": ["ok"]},
            duration=float("nan"),
        ),
    ),
    metadata={"agent": {"name": "shop"}},
)
TEXTS = (
    "$.turns[*].messages[*].content",
    "$.turns[*].messages[*].role",
    "$.turns[*].messages[*].name",
    "$.turns[*].tool_calls[*].name",
    "$.turns[*].tool_calls[*].error",
    "$.turns[*].tool_calls[*].result",
    "$.id",
)
OTHERS = (
    "$",
    "$.turns",
    "$.turns[*]",
    "$.turns[*].number",
    "$.turns[*].duration",
    "$.turns[*].data.status[*]",
    "$.turns[*].exchanges[*].request.messages[*].content",
    "$.turns[0].messages[1].content",
    "$.turns[*].messages[0].content",
    "$..content",
    "$.metadata.agent.name",
    "$.metadata[*].name",
    "$.turns.messages",
    "$.turns[*].message[*].content",
    "$[*].messages",
)


@pytest.mark.parametrize("path", [*TEXTS, *OTHERS])
def test_a_path_finds_what_stands_in_the_json(path: str) -> None:
    places = compile_path(path).find_places(plain_json(CONVERSATION))
    found = Source(CONVERSATION).find(path)
    if path == "$":
        assert list(found.values) == [CONVERSATION]
    elif not places:
        assert found.unresolved
    else:
        assert msgspec.json.encode(found.values) == msgspec.json.encode([one.value for one in places])
        assert [found.place(index) for index in range(len(places))] == [one.location for one in places]


@pytest.mark.parametrize("path", TEXTS)
def test_texts_are_found_without_reading_the_json(path: str) -> None:
    nodes = scalars_in(CONVERSATION, compile_path(path).steps)
    assert [node[0] for node in nodes] == compile_path(path).find(plain_json(CONVERSATION))
    assert nodes


@pytest.mark.parametrize("path", OTHERS)
def test_what_may_be_another_value_in_json_is_left_to_it(path: str) -> None:
    assert scalars_in(CONVERSATION, compile_path(path).steps) == []
