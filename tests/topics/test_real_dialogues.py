"""Triggers over dialogues between people, as `benchmarks/topic_graphs.py` has them over many."""

import json
from pathlib import Path

import pytest
from talks import followed, way

from grice.records import Message, ToolCall, Turn
from grice.topics.graph import TopicGraph
from grice.topics.moves import move_checks
from grice.topics.topic import topic
from grice.topics.triggers import on_reply_match, on_tool_call

DATA = Path(__file__).parent.parent / "data" / "task_dialogues.jsonl"
DIALOGUES = {row["id"]: row["messages"] for row in map(json.loads, DATA.read_text("utf-8").splitlines())}


def graph_of(tool):
    details = topic(
        "details", triggers=on_reply_match(r"(name|venue|how many|what day|when would|symptoms).*\?", "i")
    )
    offer = topic("offer", triggers=on_tool_call(tool, RequestType='"Check"'))
    booked = topic("booked", triggers=on_tool_call(tool, RequestType='"Book"'))
    closing = topic("closing", triggers=on_reply_match("goodbye|anything else", flags="i"))
    return TopicGraph.of(
        {topic("opening"): details, details: offer, offer: (booked, closing), booked: closing}
    )


def turns_of(messages):
    turns = []
    for message in messages:
        if message["role"] == "user":
            turns.append(Turn(len(turns) + 1))
        last = turns[-1]
        calls = tuple(ToolCall(one["name"], one["arguments"]) for one in message.get("tool_calls", ()))
        said = (Message(message["role"], message["content"]),) if message["role"] != "tool" else ()
        turns[-1] = Turn(last.number, (*last.messages, *said), (*last.tool_calls, *calls))
    return turns


@pytest.mark.parametrize(
    ("dialogue", "tool", "topics", "illegal"),
    [
        (
            "star-1058",
            "party_plan",
            ["opening", *["details"] * 5, "offer", "booked", "closing"],
            [],
        ),
        ("star-2897", "doctor_schedule", ["details", "offer", "closing"], []),
        (
            "star-1831",
            "party_plan",
            ["opening", "booked", *["closing"] * 2, "details", "booked", *["closing"] * 3],
            [("opening", "booked"), ("closing", "details"), ("details", "booked")],
        ),
    ],
)
def test_triggers_follow_real_dialogues_and_see_where_they_leave_the_graph(dialogue, tool, topics, illegal):
    graph = graph_of(tool)
    turns = turns_of(DIALOGUES[dialogue])
    assert way(followed(graph, *turns)) == topics
    moves = [
        (one.detail["from"], one.detail["to"])
        for number in range(1, len(turns) + 1)
        for one in move_checks(graph, followed(graph, *turns[:number]))
        if one.outcome == "fail"
    ]
    assert moves == illegal
