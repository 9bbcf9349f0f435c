"""Agents in JavaScript, on the official SDKs `openai` and `@anthropic-ai/sdk`: see the folder javascript."""

import pytest

from grice import expect, structured, tool_use


@pytest.fixture
def agent(agent_context, node, request):
    def chat(messages):
        return node(request.param, agent_context, messages)

    return chat


@pytest.mark.parametrize(
    ("agent", "dialect"),
    [("chat.mjs", "openai_chat"), ("responses.mjs", "openai_responses"), ("messages.mjs", "anthropic")],
    indirect=["agent"],
)
def test_streams_and_runs_tools(conversation, scripted_model, dialect):
    scripted_model.script(
        "Hello! Which city?",
        ["Let me look.", tool_use("weather", city="Oslo"), tool_use("weather", city="Rome")],
        "It is 21 degrees in both.",
    )

    expect(conversation.say("Hi")).to_equal("Hello! Which city?")
    reply = conversation.say("Oslo and Rome")

    expect(reply).to_equal("It is 21 degrees in both.")
    expect(reply).to_call_tool("weather", city="Oslo")
    expect(reply).to_call_tool("weather", city="Rome")
    first, second = reply.exchanges
    expect(second).to_contain_message(content="21 degrees")
    assert {first.dialect, second.dialect} == {dialect}
    assert (first.parameters["stream"], first.offered_tools) == (True, ("weather",))
    said = [message["content"] for message in first.messages]
    assert said == ["Hi", "Hello! Which city?", "Oslo and Rome"]


@pytest.mark.parametrize("agent", ["structured.mjs"], indirect=True)
def test_parses_structured_output(conversation, scripted_model):
    forecast = structured({"city": "Oslo", "degrees": 21})
    scripted_model.script(forecast, forecast)

    reply = conversation.say("How warm is Oslo?")

    expect(reply).to_equal("Oslo: 21")
    assert reply.data == {"city": "Oslo", "degrees": 21}
    chat, response = reply.exchanges
    assert chat.request["response_format"]["json_schema"]["name"] == "forecast"
    assert response.request["text"]["format"]["name"] == "forecast"
