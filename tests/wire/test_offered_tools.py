# ruff: noqa: E501 - tables, one case a line
"""A scripted call keeps to the tools that the request offers, and to what these take."""

import pytest

from grice import UnofferedCall, tool_use
from grice.running.live import LiveConversation
from grice.wire import ScriptedModel, ScriptError

SCHEMA = {
    "type": "object",
    "properties": {
        "order_id": {"type": "string"},
        "days": {"type": ["integer", "null"]},
        "state": {"enum": ["open", "sent"]},
        "place": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        },
        "lines": {"type": "array", "items": {"type": "number"}},
    },
    "required": ["order_id"],
}
GET_ORDER = {"name": "get_order"}
OFFERS = {
    "anthropic": [{**GET_ORDER, "input_schema": SCHEMA}],
    "openai_chat": [{"type": "function", "function": {**GET_ORDER, "parameters": SCHEMA}}],
    "openai_responses": [{"type": "function", **GET_ORDER, "parameters": SCHEMA}],
}
HI = [{"role": "user", "content": "Hi"}]


def asked(call, tools, dialect="openai_chat", **options):
    model = ScriptedModel(call, **options)
    held = {"input" if dialect == "openai_responses" else "messages": HI}
    return model.respond({"model": "x", "tools": tools, **held}, dialect)


@pytest.mark.parametrize("dialect", OFFERS)
@pytest.mark.parametrize(
    ("call", "told"),
    [
        (tool_use("get_ordr", order_id="A1"), "offers no tool 'get_ordr' (did you mean 'get_order'?); it offers get_order"),
        (tool_use("get_order", ordr_id="A1"), "found 'ordr_id' (did you mean 'order_id'?); known are order_id, days"),
        (tool_use("get_order"), "'order_id' is missing"),
        (tool_use("get_order", order_id=7), "order_id is 7, expected string"),
        (tool_use("get_order", order_id="A1", days=True), "days is True, expected integer or null"),
        (tool_use("get_order", order_id="A1", state="lost"), "state is 'lost', expected one of 'open', 'sent'"),
        (tool_use("get_order", order_id="A1", place={}), "'city' is missing in place"),
        (tool_use("get_order", order_id="A1", place={"city": "Bern", "zip": 1}), "found 'zip' in place; known are city"),
        (tool_use("get_order", order_id="A1", lines=[1, "2"]), "lines[1] is '2', expected number"),
    ],
)  # fmt: skip
def test_a_call_that_the_request_does_not_allow_is_an_error_with_the_nearest_name(dialect, call, told):
    with pytest.raises(UnofferedCall, match="cannot come from a model") as caught:
        asked(call, OFFERS[dialect], dialect)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("call", "tools"),
    [
        (tool_use("get_order", order_id="A1", days=None, lines=[1, 2.5]), OFFERS["openai_chat"]),
        (tool_use("get_order", order_id="A1", more="free"), OFFERS["openai_chat"]),
        (tool_use("anything"), []),
        (tool_use("anything"), [*OFFERS["openai_chat"], {"type": "mcp", "server_url": "http://mcp"}]),
        (tool_use("get_order", x=1), [{"type": "function", "function": GET_ORDER}]),
        ({"role": "assistant", "content": "Hi"}, OFFERS["openai_chat"]),
    ],
)
def test_a_call_that_the_request_allows_or_says_nothing_of_goes_through(call, tools):
    assert asked(call, tools)


def test_it_goes_through_where_that_is_the_point():
    call = tool_use("get_ordr", order_id="A1")
    assert asked(call, OFFERS["openai_chat"], unoffered="allow")


def test_an_agent_that_hides_it_fails_the_turn_all_the_same():
    model = ScriptedModel(tool_use("get_ordr", order_id="A1"))

    def agent(messages):
        try:
            model.respond({"messages": messages, "tools": OFFERS["anthropic"]})
        except ScriptError:
            return "Something went wrong."

    with LiveConversation(agent, model=model) as live, pytest.raises(UnofferedCall, match="did you mean"):
        live.say("Where is A1?")
