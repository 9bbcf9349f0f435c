"""Pydantic AI agents with a tool and with structured output, on OpenAI's and Anthropic's models."""

import pydantic
import pytest
from pydantic_ai import Agent, RunContext
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

from grice import expect, tool_use


def openai(context):
    return OpenAIProvider(base_url=f"{context.model_url}/v1", api_key=context.model_key)


def anthropic(context):
    return AnthropicProvider(base_url=context.model_url, api_key=context.model_key)


MODELS = {
    "openai_chat": lambda context: OpenAIChatModel("gpt-x", provider=openai(context)),
    "openai_responses": lambda context: OpenAIResponsesModel("gpt-x", provider=openai(context)),
    "anthropic": lambda context: AnthropicModel("claude-x", provider=anthropic(context)),
}


class Forecast(pydantic.BaseModel):
    city: str
    degrees: int


class WeatherAgent:
    """Keeps the history in Pydantic AI's own messages, and so needs the user's last text only."""

    streams = False

    def __init__(self, model, **options):
        self.agent = Agent(model, instructions="You know the weather.", deps_type=object, **options)
        self.agent.tool(self.weather)
        self.history = []

    @staticmethod
    def weather(context: RunContext[object], city: str) -> str:
        """The weather of a city."""
        context.deps("weather", {"city": city}, result="21 degrees")
        return "21 degrees"

    async def chat(self, messages, on_tool_call):
        asked = messages[-1]["content"]
        result = await self.agent.run(asked, deps=on_tool_call, message_history=self.history)
        self.history = result.all_messages()
        if isinstance(result.output, Forecast):
            return {"text": "", "data": result.output.model_dump()}
        return result.output


class StreamingAgent(WeatherAgent):
    streams = True

    async def chat(self, messages, on_tool_call):
        asked = messages[-1]["content"]
        async with self.agent.run_stream(asked, deps=on_tool_call, message_history=self.history) as result:
            text = "".join([piece async for piece in result.stream_text(delta=True)])
        self.history = result.all_messages()
        return text


@pytest.fixture
def agent(request, agent_context, dialect):
    kind, options = getattr(request, "param", (WeatherAgent, {}))
    return kind(MODELS[dialect](agent_context), **options)


@pytest.mark.parametrize("dialect", MODELS)
@pytest.mark.parametrize("agent", [(WeatherAgent, {}), (StreamingAgent, {})], indirect=True)
def test_an_agent_runs_its_tools(conversation, scripted_model, agent, dialect):
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


@pytest.mark.parametrize("dialect", MODELS)
@pytest.mark.parametrize("agent", [(WeatherAgent, {"output_type": Forecast})], indirect=True)
def test_structured_output_comes_as_the_call_of_a_tool(conversation, scripted_model, dialect):
    scripted_model.script(tool_use("final_result", city="Oslo", degrees=21))

    reply = conversation.say("How warm is Oslo?")

    assert reply.data == {"city": "Oslo", "degrees": 21}
    assert reply.exchanges[0].offered_tools == ("weather", "final_result")
