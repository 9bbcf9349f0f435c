"""A LangGraph agent with a tool, on the chat models of langchain-openai and langchain-anthropic."""

import pytest
from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

from grice import expect, tool_use


def openai(context, **options):
    return ChatOpenAI(model="gpt-x", base_url=f"{context.model_url}/v1", api_key=context.model_key, **options)


def anthropic(context):
    return ChatAnthropic(model="claude-x", base_url=context.model_url, api_key=context.model_key)


MODELS = {
    "openai_chat": openai,
    "openai_responses": lambda context: openai(context, use_responses_api=True),
    "anthropic": anthropic,
}


class WeatherAgent:
    streams = False

    def __init__(self, model):
        self.model = model

    def graph(self, on_tool_call):
        @tool
        def weather(city: str) -> str:
            """The weather of a city."""
            on_tool_call("weather", {"city": city}, result="21 degrees")
            return "21 degrees"

        return create_agent(self.model, [weather], system_prompt="You know the weather.")

    def chat(self, messages, on_tool_call):
        return self.graph(on_tool_call).invoke({"messages": messages})["messages"][-1].text


class StreamingAgent(WeatherAgent):
    streams = True

    async def chat(self, messages, on_tool_call):
        text = ""
        graph = self.graph(on_tool_call)
        async for piece, about in graph.astream({"messages": messages}, stream_mode="messages"):
            if about["langgraph_node"] == "model":
                text += piece.text
        return text


@pytest.fixture(params=[WeatherAgent, StreamingAgent])
def agent(request, agent_context, dialect):
    return request.param(MODELS[dialect](agent_context))


@pytest.mark.parametrize("dialect", MODELS)
def test_a_graph_runs_its_tools(conversation, scripted_model, agent, dialect):
    scripted_model.script(
        "Hello! Which city?",
        [tool_use("weather", city="Oslo"), tool_use("weather", city="Rome")],
        "It is 21 degrees in both.",
    )

    expect(conversation.say("Hi")).to_equal("Hello! Which city?")
    reply = conversation.say("Oslo and Rome")

    expect(reply).to_equal("It is 21 degrees in both.")
    expect(reply).to_call_tool("weather", city="Oslo")
    expect(reply).to_call_tool("weather", city="Rome")
    first, second = reply.exchanges
    expect(second).to_contain_message(content="21 degrees")
    assert (first.dialect, first.system) == (dialect, "You know the weather.")
    assert (first.offered_tools, bool(first.parameters.get("stream"))) == (("weather",), agent.streams)
