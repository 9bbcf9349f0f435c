"""Every framework itself against the conformance checks of `tests/agents/conformance`."""

import asyncio
import json
import sys
from pathlib import Path

import pydantic
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "agents" / "conformance"))

from conformance_checks import CHECKS, SYSTEM, failing, title_of
from lacks import LACKS


class Forecast(pydantic.BaseModel):
    city: str
    degrees: int


def weather(city: str) -> str:
    """The weather of a city."""
    return f"21 degrees in {city}"


def broken(city: str) -> str:
    """The weather of a city."""
    raise ConnectionError(f"no route to {city}")


def refund(order: str) -> str:
    """Refund an order."""
    return f"refunded {order}"


class LangGraph:
    def agent(self, model, *wanted):
        from langchain.agents import create_agent
        from langchain_core.tools import tool
        from langchain_openai import ChatOpenAI
        from langgraph.checkpoint.memory import InMemorySaver
        from langgraph.types import interrupt

        @tool
        def refund(order: str) -> str:
            """Refund an order."""
            return f"refunded {order}" if interrupt({"refund": order}) else "not approved"

        def fragile(city: str) -> str:
            """The weather of a city."""
            from langchain_core.tools import ToolException

            raise ToolException(f"no route to {city}")

        from langchain_core.tools import StructuredTool

        broken = StructuredTool.from_function(fragile, name="broken", handle_tool_error=True)
        chat = ChatOpenAI(model="x", base_url=f"{model.url}/v1", api_key=model.key, max_retries=0)
        tools = [tool(weather), broken, *([refund] if "approval" in wanted else [])]
        options = {"checkpointer": InMemorySaver()} if "approval" in wanted else {}
        if "structured" in wanted:
            from langchain.agents.structured_output import ToolStrategy

            options["response_format"] = ToolStrategy(Forecast)
        if "handoff" in wanted:
            return self.handing_over(chat, tools)
        return create_agent(chat, tools, system_prompt=SYSTEM, **options)

    def handing_over(self, chat, tools):
        from typing import Annotated

        from langchain.agents import create_agent
        from langchain.tools import InjectedState
        from langchain_core.messages import ToolMessage
        from langchain_core.tools import InjectedToolCallId, tool
        from langgraph.graph import END, START, MessagesState, StateGraph
        from langgraph.types import Command

        @tool
        def transfer_to_forecaster(
            state: Annotated[dict, InjectedState], tool_call_id: Annotated[str, InjectedToolCallId]
        ) -> Command:
            """Hand over to the forecaster."""
            told = ToolMessage("handed over", tool_call_id=tool_call_id, name="transfer_to_forecaster")
            update = {"messages": [*state["messages"], told]}
            return Command(goto="forecaster", graph=Command.PARENT, update=update)

        graph = StateGraph(MessagesState)
        graph.add_node("greeter", create_agent(chat, [transfer_to_forecaster], name="greeter"))
        graph.add_node("forecaster", create_agent(chat, tools, name="forecaster"))
        graph.add_edge(START, "greeter")
        graph.add_edge("greeter", END)
        return graph.compile()

    def returning(self, agent):
        return lambda messages: agent.invoke({"messages": messages})

    def streaming(self, agent):
        return lambda messages: agent.stream({"messages": messages}, stream_mode="messages")

    def alone(self, agent, *texts):
        history, answers = [], []
        for text in texts:
            history = agent.invoke({"messages": [*history, {"role": "user", "content": text}]})["messages"]
            answers.append(history[-1].text)
        return answers


class LangGraphWithMemory(LangGraph):
    """A graph with a checkpointer."""

    def agent(self, model, *wanted):
        from langgraph.checkpoint.memory import InMemorySaver

        graph = super().agent(model, *wanted)
        graph.checkpointer = graph.checkpointer or InMemorySaver()
        return graph

    def returning(self, agent):
        config = {"configurable": {"thread_id": "t"}}
        return lambda messages: agent.invoke({"messages": messages[-1:]}, config)

    def streaming(self, agent):
        config = {"configurable": {"thread_id": "t"}}
        return lambda messages: agent.stream({"messages": messages}, config, stream_mode="updates")

    def alone(self, agent, *texts):
        config = {"configurable": {"thread_id": "t"}}
        return [
            agent.invoke({"messages": [{"role": "user", "content": text}]}, config)["messages"][-1].text
            for text in texts
        ]


class PydanticAI:
    def agent(self, model, *wanted):
        from pydantic_ai import Agent, DeferredToolRequests, ModelRetry
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        provider = OpenAIProvider(base_url=f"{model.url}/v1", api_key=model.key)
        output = {"output_type": Forecast} if "structured" in wanted else {}
        if "approval" in wanted:
            output = {"output_type": [str, DeferredToolRequests]}
        agent = Agent(OpenAIChatModel("x", provider=provider), instructions=SYSTEM, **output)
        agent.tool_plain(weather)
        if "approval" in wanted:
            agent.tool_plain(requires_approval=True)(refund)

        @agent.tool_plain(retries=2)
        def broken(city: str) -> str:
            """The weather of a city."""
            raise ModelRetry(f"no route to {city}")

        return agent

    def returning(self, agent):
        async def chat(messages):
            history = self.history if len(messages) > 1 else []
            result = await agent.run(messages[-1]["content"], message_history=history)
            self.history = result.all_messages()
            return result

        return chat

    def streaming(self, agent):
        return lambda text: agent.run_stream(text)

    def alone(self, agent, *texts):
        history, answers = [], []
        for text in texts:
            result = agent.run_sync(text, message_history=history)
            history = result.all_messages()
            answers.append(result.output)
        return answers


class OpenAIAgents:
    def agent(self, model, *wanted):
        from agents import Agent, OpenAIChatCompletionsModel, function_tool
        from openai import AsyncOpenAI

        client = AsyncOpenAI(base_url=f"{model.url}/v1", api_key=model.key, max_retries=0)
        chat = OpenAIChatCompletionsModel("x", client)
        tools = [function_tool(weather), function_tool(broken)]
        if "approval" in wanted:
            tools.append(function_tool(refund, needs_approval=True))
        if "handoff" in wanted:
            forecaster = Agent("forecaster", instructions=SYSTEM, model=chat, tools=tools)
            return Agent("greeter", instructions="You greet.", model=chat, handoffs=[forecaster])
        output = {"output_type": Forecast} if "structured" in wanted else {}
        return Agent("weather", instructions=SYSTEM, model=chat, tools=tools, **output)

    def returning(self, agent):
        from agents import Runner

        async def chat(messages):
            given = messages[-1:] if len(messages) == 1 else [*self.items, messages[-1]]
            result = await Runner.run(agent, given)
            self.items = result.to_input_list()
            return result

        return chat

    def streaming(self, agent):
        from agents import Runner

        async def chat(messages):
            return Runner.run_streamed(agent, messages)

        return chat

    def alone(self, agent, *texts):
        from agents import Runner

        async def hold():
            items, answers = [], []
            for text in texts:
                result = await Runner.run(agent, [*items, {"role": "user", "content": text}])
                items = result.to_input_list()
                answers.append(result.final_output)
            return answers

        return asyncio.run(hold())


class GoogleADK:
    """Its model speaks OpenAI's dialect, as ADK has no client for it without a further package."""

    def agent(self, model, *wanted):
        from google.adk.agents import LlmAgent
        from google.adk.tools import FunctionTool

        def broken(city: str) -> dict:
            """The weather of a city."""
            return {"error": f"no route to {city}"}

        tools = [weather, broken]
        if "approval" in wanted:
            tools.append(FunctionTool(refund, require_confirmation=True))
        chat = adk_model(model)
        if "handoff" in wanted:
            forecaster = LlmAgent(
                name="forecaster", description="Weather", model=chat, instruction=SYSTEM, tools=tools
            )
            return LlmAgent(name="greeter", model=chat, instruction="You greet.", sub_agents=[forecaster])
        output = {"output_schema": Forecast} if "structured" in wanted else {}
        return LlmAgent(
            name="weather_agent", model=chat, instruction=SYSTEM, tools=[] if output else tools, **output
        )

    def runner(self, agent):
        from google.adk.runners import InMemoryRunner

        runner = InMemoryRunner(agent, app_name="app")
        asyncio.run(runner.session_service.create_session(app_name="app", user_id="u", session_id="s"))
        return runner

    def returning(self, agent):
        runner = self.runner(agent)

        async def chat(text):
            return [event async for event in self.events(runner, text)]

        return chat

    def streaming(self, agent):
        runner = self.runner(agent)
        return lambda text: self.events(runner, text)

    def events(self, runner, text):
        from google.genai import types

        content = types.Content(role="user", parts=[types.Part(text=text)])
        return runner.run_async(user_id="u", session_id="s", new_message=content)

    def alone(self, agent, *texts):
        runner = self.runner(agent)

        async def hold():
            return [[event async for event in self.events(runner, text)][-1] for text in texts]

        return ["".join(part.text for part in event.content.parts) for event in asyncio.run(hold())]


def adk_model(model):
    from google.adk.models import BaseLlm, LlmResponse
    from google.genai import types
    from openai import AsyncOpenAI

    class Chat(BaseLlm):
        async def generate_content_async(self, llm_request, stream=False):
            messages = [{"role": "system", "content": llm_request.config.system_instruction or ""}]
            for content in llm_request.contents:
                messages += map(self.message, [content.role] * len(content.parts), content.parts)
            offered = [
                {"type": "function", "function": {"name": one.name, "description": one.description}}
                for tool in llm_request.config.tools or ()
                for one in tool.function_declarations or ()
            ]
            client = AsyncOpenAI(base_url=f"{model.url}/v1", api_key=model.key, max_retries=0)
            more = {"tools": offered} if offered else {}
            done = await client.chat.completions.create(model="x", messages=messages, **more)
            said = done.choices[0].message
            parts = [types.Part(text=said.content)] if said.content else []
            for call in said.tool_calls or ():
                arguments = json.loads(call.function.arguments)
                made = types.FunctionCall(id=call.id, name=call.function.name, args=arguments)
                parts.append(types.Part(function_call=made))
            yield LlmResponse(content=types.Content(role="model", parts=parts))

        @staticmethod
        def message(role, part):
            if (call := part.function_call) is not None:
                function = {"name": call.name, "arguments": json.dumps(call.args)}
                made = {"id": call.id or "a", "type": "function", "function": function}
                return {"role": "assistant", "content": None, "tool_calls": [made]}
            if (answer := part.function_response) is not None:
                text = json.dumps(answer.response, ensure_ascii=False)
                return {"role": "tool", "tool_call_id": answer.id or "a", "content": text}
            return {"role": "user" if role == "user" else "assistant", "content": part.text}

    return Chat(model="x")


KITS = {
    "LangGraph": LangGraph,
    "LangGraph with a checkpointer": LangGraphWithMemory,
    "Pydantic AI": PydanticAI,
    "OpenAI Agents SDK": OpenAIAgents,
    "Google ADK": GoogleADK,
}


@pytest.mark.parametrize("check", CHECKS, ids=title_of)
@pytest.mark.parametrize("framework", KITS)
def test_conformance(framework, check):
    assert failing(check, KITS[framework](), LACKS[framework])
