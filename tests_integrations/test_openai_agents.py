"""OpenAI's Agents SDK: a tool, streaming, and a handoff from one agent to another."""

import pytest
from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    RunConfig,
    RunContextWrapper,
    Runner,
    function_tool,
)
from openai import AsyncOpenAI

from grice import expect, tool_use

MODELS = {"openai_chat": OpenAIChatCompletionsModel, "openai_responses": OpenAIResponsesModel}
QUIET = RunConfig(tracing_disabled=True)


@function_tool
def weather(context: RunContextWrapper, city: str) -> str:
    """The weather of a city."""
    context.context("weather", {"city": city}, result="21 degrees")
    return "21 degrees"


class Desk:
    """A greeter that hands questions about the weather over to a forecaster."""

    streams = False

    def __init__(self, model):
        forecaster = Agent("forecaster", instructions="You know the weather.", model=model, tools=[weather])
        self.greeter = Agent("greeter", instructions="You greet.", model=model, handoffs=[forecaster])

    async def chat(self, messages, on_tool_call):
        result = await Runner.run(self.greeter, messages, context=on_tool_call, run_config=QUIET)
        return result.final_output


class StreamingDesk(Desk):
    streams = True

    async def chat(self, messages, on_tool_call):
        result = Runner.run_streamed(self.greeter, messages, context=on_tool_call, run_config=QUIET)
        async for _ in result.stream_events():
            pass
        return result.final_output


@pytest.fixture(params=[Desk, StreamingDesk])
def agent(request, agent_context, dialect):
    client = AsyncOpenAI(base_url=f"{agent_context.model_url}/v1", api_key=agent_context.model_key)
    return request.param(MODELS[dialect]("gpt-x", client))


@pytest.mark.parametrize("dialect", MODELS)
def test_an_agent_hands_over_to_one_that_runs_its_tool(conversation, scripted_model, agent, dialect):
    scripted_model.script(
        "Hello! Which city?",
        tool_use("transfer_to_forecaster"),
        tool_use("weather", city="Oslo"),
        "It is 21 degrees in Oslo.",
    )

    expect(conversation.say("Hi")).to_equal("Hello! Which city?")
    reply = conversation.say("Oslo")

    expect(reply).to_equal("It is 21 degrees in Oslo.")
    expect(reply).to_call_tool("weather", city="Oslo")
    handing, asking, telling = reply.exchanges
    assert (handing.system, handing.offered_tools) == ("You greet.", ("transfer_to_forecaster",))
    assert (asking.system, asking.offered_tools) == ("You know the weather.", ("weather",))
    expect(telling).to_contain_message(content="21 degrees")
    assert {exchange.dialect for exchange in reply.exchanges} == {dialect}
    assert bool(telling.parameters.get("stream")) == agent.streams
