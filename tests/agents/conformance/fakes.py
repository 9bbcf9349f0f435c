# ruff: noqa: E501 - shapes, one a line
"""Light stand-ins for the frameworks: their shapes and calls, around one loop that asks the scripted model."""

import asyncio
import json
from collections.abc import Iterator
from itertools import count
from types import ModuleType, SimpleNamespace
from typing import Any

from conformance_checks import SYSTEM

from grice.wire import ScriptedModel

NUMBERS = count(1)
FORECAST = {"city": "Oslo", "degrees": 21}


class Loop:
    """An agent in OpenAI's messages: asks its model, runs tools, and stops at a call that waits for approval."""

    def __init__(self, model: ScriptedModel, *wanted: str, transfer: str = "transfer_to_forecaster") -> None:
        self.model = model
        self.wanted = wanted
        self.transfer = transfer

    def run(
        self, history: list[dict[str, Any]], approved: dict[str, bool] | None = None
    ) -> list[dict[str, Any]]:
        """The messages that are new. One that waits for approval ends with its call."""
        new: list[dict[str, Any]] = []
        while True:
            messages = [*history, *new]
            answered = {one["tool_call_id"] for one in messages if one["role"] == "tool"}
            calls = [
                call for one in messages for call in one.get("tool_calls") or () if call["id"] not in answered
            ]
            for call in calls:
                if call["function"]["name"] == "refund" and call["id"] not in (approved or {}):
                    return new
                new.append(self.answer(call, approved or {}))
            if not calls:
                new.append(self.ask(messages))
                if not new[-1].get("tool_calls") or self.is_output(new[-1]):
                    return new

    def is_output(self, message: dict[str, Any]) -> bool:
        return any(call["function"]["name"] == "final_result" for call in message.get("tool_calls") or ())

    def ask(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        handed = any("handed over" in str(one.get("content")) for one in messages)
        names = ["weather", "broken", *(["refund"] if "approval" in self.wanted else [])]
        if "handoff" in self.wanted and not handed:
            names = [self.transfer]
        names += ["final_result"] if "structured" in self.wanted else []
        offered = [{"type": "function", "function": {"name": name}} for name in names]
        system = {"role": "system", "content": SYSTEM}
        request = {"model": "x", "messages": [system, *messages], "tools": offered}
        return self.model.respond(request, "openai_chat")["choices"][0]["message"]

    def answer(self, call: dict[str, Any], approved: dict[str, bool]) -> dict[str, Any]:
        name, arguments = call["function"]["name"], json.loads(call["function"]["arguments"])
        text = f"21 degrees in {arguments.get('city')}"
        if name == "refund":
            text = f"refunded {arguments['order']}" if approved[call["id"]] else "not approved"
        elif name == "broken":
            text = f"no route to {arguments['city']}"
        elif name == self.transfer:
            text = "handed over"
        failed = {"is_error": True} if name == "broken" else {}
        return {"role": "tool", "tool_call_id": call["id"], "name": name, "content": text, **failed}


def module(name: str, **members: Any) -> ModuleType:
    made = ModuleType(name)
    vars(made).update(members)
    return made


def of(package: str, kind: type) -> type:
    """The class as one of the package."""
    kind.__module__ = package
    return kind


def in_order(calls: Any) -> list[dict[str, Any]]:
    return [
        {"id": id_, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for id_, name, arguments in calls
    ]


# -- LangGraph


class LangMessage(SimpleNamespace):
    """A message of LangChain."""


class Interrupt(SimpleNamespace):
    """What a graph stops for."""


class Command(SimpleNamespace):
    """What a graph goes on with."""


class Forecast(SimpleNamespace):
    """Structured output."""

    def model_dump(self) -> dict[str, Any]:
        return dict(vars(self))


def to_lang(message: Any) -> Any:
    if not isinstance(message, dict):
        return message
    kind = {"user": "human", "assistant": "ai", "tool": "tool", "system": "system"}[message["role"]]
    calls = [
        {"name": one["function"]["name"], "args": json.loads(one["function"]["arguments"]), "id": one["id"]}
        for one in message.get("tool_calls") or ()
    ]
    failed = message.get("is_error") or message.get("status") == "error"
    rest = {"tool_calls": calls} if kind == "ai" else {}
    if kind == "tool":
        rest = {"tool_call_id": message["tool_call_id"], "status": "error" if failed else "success"}
    return LangMessage(
        type=kind, content=message["content"] or "", id=f"m{next(NUMBERS)}", name=message.get("name"), **rest
    )


def from_lang(message: Any) -> dict[str, Any]:
    role = {"human": "user", "ai": "assistant", "tool": "tool", "system": "system"}[message.type]
    raw: dict[str, Any] = {"role": role, "content": message.content}
    if getattr(message, "tool_calls", None):
        raw["tool_calls"] = in_order((one["id"], one["name"], one["args"]) for one in message.tool_calls)
    return raw | ({"tool_call_id": message.tool_call_id} if role == "tool" else {})


class Graph:
    """A compiled graph."""

    channels = ("messages", "structured_response")

    def __init__(self, loop: Loop, *, keeps: bool) -> None:
        self.loop = loop
        self.checkpointer = SimpleNamespace() if keeps else None
        self.threads: dict[str, list[Any]] = {}

    def invoke(self, given: Any, config: Any = None) -> dict[str, Any]:
        thread = config["configurable"]["thread_id"] if config else ""
        kept = self.threads.get(thread, []) if self.checkpointer else []
        approved = {}
        if isinstance(given, Command):
            approved = {call["id"]: given.resume for call in kept[-1].tool_calls}
        else:
            kept = [*kept, *map(to_lang, given["messages"])]
        self.threads[thread] = kept
        new = self.loop.run(list(map(from_lang, kept)), approved)
        kept = self.threads[thread] = [*kept, *map(to_lang, new)]
        state: dict[str, Any] = {"messages": kept}
        calls = getattr(kept[-1], "tool_calls", None) or []
        if calls and calls[0]["name"] == "refund":
            state["__interrupt__"] = [Interrupt(value=calls[0]["args"], id="i1")]
        if calls and calls[0]["name"] == "final_result":
            kept[-1].tool_calls[0]["name"] = "Forecast"
            state["structured_response"] = Forecast(**FORECAST)
        return state

    async def ainvoke(self, given: Any, config: Any = None) -> dict[str, Any]:
        return self.invoke(given, config)

    def stream(self, given: Any) -> Iterator[Any]:
        known = len(given["messages"])
        for message in self.invoke(given)["messages"][known:]:
            yield message, {"langgraph_node": "model"}


of("langchain_core.messages", LangMessage)
of("langgraph.graph", Graph)


class FakeLangGraph:
    keeps = False

    def agent(self, model: ScriptedModel, *wanted: str) -> Any:
        return Graph(Loop(model, *wanted), keeps=self.keeps or "approval" in wanted)

    def returning(self, agent: Any) -> Any:
        given = slice(-1, None) if self.keeps else slice(None)
        return lambda messages: agent.invoke(
            {"messages": messages[given]}, {"configurable": {"thread_id": "t"}}
        )

    def streaming(self, agent: Any) -> Any:
        return lambda messages: agent.stream({"messages": messages})

    def alone(self, agent: Any, *texts: str) -> list[str]:
        said, config = [], {"configurable": {"thread_id": "alone"}}
        history: list[Any] = []
        for text in texts:
            before = [] if self.keeps else history
            history = agent.invoke({"messages": [*before, {"role": "user", "content": text}]}, config)[
                "messages"
            ]
            said.append(history[-1].content)
        return said


class FakeLangGraphWithMemory(FakeLangGraph):
    keeps = True


# -- Pydantic AI


class Part(SimpleNamespace):
    """A part of a message."""

    def model_response(self) -> str:
        return str(self.content)


class PydanticMessage(SimpleNamespace):
    """A request or a response."""


class RunOutcome:
    """The result of a run."""

    _output_tool_name = "final_result"

    def __init__(self, output: Any, messages: list[Any], begin: int) -> None:
        self.output = output
        self._messages, self._begin = messages, begin

    def all_messages(self) -> list[Any]:
        return self._messages

    def new_messages(self) -> list[Any]:
        return self._messages[self._begin :]


def to_pydantic(message: dict[str, Any]) -> Any:
    if message["role"] == "assistant":
        texts = [Part(part_kind="text", content=message["content"])] if message["content"] else []
        calls = [
            Part(
                part_kind="tool-call",
                tool_name=one["function"]["name"],
                args=one["function"]["arguments"],
                tool_call_id=one["id"],
            )
            for one in message.get("tool_calls") or ()
        ]
        return PydanticMessage(kind="response", parts=[*texts, *calls])
    if message["role"] == "user":
        return PydanticMessage(
            kind="request", parts=[Part(part_kind="user-prompt", content=message["content"])]
        )
    kind = "retry-prompt" if message.get("is_error") else "tool-return"
    part = Part(
        part_kind=kind,
        content=message["content"],
        tool_name=message.get("name") or "",
        tool_call_id=message["tool_call_id"],
    )
    return PydanticMessage(kind="request", parts=[part])


def from_pydantic(message: Any) -> dict[str, Any]:
    calls = [(p.tool_call_id, p.tool_name, p.args) for p in message.parts if p.part_kind == "tool-call"]
    texts = "".join(p.content for p in message.parts if p.part_kind in ("text", "user-prompt"))
    if message.kind == "response":
        made = in_order((i, n, json.loads(a) if isinstance(a, str) else a) for i, n, a in calls)
        return {"role": "assistant", "content": texts, **({"tool_calls": made} if made else {})}
    (part,) = message.parts
    if part.part_kind == "user-prompt":
        return {"role": "user", "content": texts}
    return {"role": "tool", "tool_call_id": part.tool_call_id, "content": part.content}


class PydanticAgent:
    """An `Agent`."""

    deps_type = object

    def __init__(self, loop: Loop) -> None:
        self.loop = loop

    async def run(
        self, prompt: Any = None, *, message_history: Any = (), deferred_tool_results: Any = None
    ) -> Any:
        begin = len(message_history)
        messages = list(message_history)
        if prompt is not None:
            messages.append(to_pydantic({"role": "user", "content": prompt}))
        approved = deferred_tool_results.approvals if deferred_tool_results else {}
        new = self.loop.run(list(map(from_pydantic, messages)), approved)
        messages += map(to_pydantic, new)
        calls = [one for one in messages[-1].parts if one.part_kind == "tool-call"]
        output: Any = new[-1]["content"]
        if calls and calls[0].tool_name == "final_result":
            output = Forecast(**FORECAST)
        elif calls:
            output = SimpleNamespace(calls=[], approvals=calls)
        return RunOutcome(output, messages, begin)

    def run_sync(self, prompt: str, **options: Any) -> Any:
        return asyncio.run(self.run(prompt, **options))


for kind in (PydanticMessage, RunOutcome, PydanticAgent):
    of("pydantic_ai.parts", kind)


class FakePydanticAI:
    def agent(self, model: ScriptedModel, *wanted: str) -> Any:
        return PydanticAgent(Loop(model, *wanted))

    def returning(self, agent: Any) -> Any:
        history: list[Any] = []

        async def chat(text: str) -> Any:
            result = await agent.run(text, message_history=history)
            history[:] = result.all_messages()
            return result

        return chat

    def streaming(self, agent: Any) -> Any:
        async def chat(text: str) -> Any:
            result = await agent.run(text)
            yield of("pydantic_ai.events", type("Delta", (), {"event_kind": "part_delta"}))()
            yield of(
                "pydantic_ai.events", type("End", (), {"event_kind": "agent_run_result", "result": result})
            )()

        return chat

    def alone(self, agent: Any, *texts: str) -> list[str]:
        history, said = [], []
        for text in texts:
            result = agent.run_sync(text, message_history=history)
            history = result.all_messages()
            said.append(result.output)
        return said


# -- OpenAI's Agents SDK


class SdkResult:
    """The result of a run."""

    def __init__(self, agent: Any, items: list[Any], raws: list[Any], output: Any, waiting: Any = ()) -> None:
        self.last_agent = agent
        self._items, self.final_output, self.interruptions = items, output, list(waiting)
        self.new_items = [SimpleNamespace(raw_item=raw, type="item") for raw in raws]
        self.approved: dict[str, bool] = {}

    def to_input_list(self) -> list[Any]:
        return [*self._items, *(one.raw_item for one in self.new_items)]

    def to_state(self) -> Any:
        return self

    def approve(self, item: Any) -> None:
        self.approved[item.raw_item["call_id"]] = True

    def reject(self, item: Any) -> None:
        self.approved[item.raw_item["call_id"]] = False

    async def stream_events(self) -> Any:
        yield SimpleNamespace(type="raw_response_event")


class SdkAgent:
    """An `Agent`."""

    instructions, handoffs, tools = SYSTEM, (), ()

    def __init__(self, loop: Loop) -> None:
        self.loop = loop


def to_items(message: dict[str, Any]) -> list[dict[str, Any]]:
    if message["role"] == "tool":
        return [
            {"type": "function_call_output", "call_id": message["tool_call_id"], "output": message["content"]}
        ]
    said = {"role": message["role"], "content": message["content"]}
    calls = [
        {
            "type": "function_call",
            "call_id": one["id"],
            "name": one["function"]["name"],
            "arguments": one["function"]["arguments"],
        }
        for one in message.get("tool_calls") or ()
    ]
    return [*([{**said, "type": "message", "id": f"i{next(NUMBERS)}"}] if message["content"] else []), *calls]


def from_items(items: list[Any]) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    for item in items:
        if item.get("type") == "function_call_output":
            messages.append({"role": "tool", "tool_call_id": item["call_id"], "content": item["output"]})
        elif item.get("type") == "function_call":
            made = in_order([(item["call_id"], item["name"], json.loads(item["arguments"]))])
            if messages and messages[-1].get("role") == "assistant":
                messages[-1].setdefault("tool_calls", []).extend(made)
            else:
                messages.append({"role": "assistant", "content": "", "tool_calls": made})
        else:
            messages.append({"role": item["role"], "content": item["content"]})
    return messages


class Runner:
    """Runs an `Agent`."""

    @staticmethod
    async def run(agent: Any, given: Any) -> Any:
        paused = given if isinstance(given, SdkResult) else None
        items = paused.to_input_list() if paused else list(given)
        new = agent.loop.run(from_items(items), paused.approved if paused else None)
        raws = [item for message in new for item in to_items(message)]
        waiting = [SimpleNamespace(raw_item=one) for one in raws if one.get("name") == "refund"][:1]
        output: Any = new[-1]["content"]
        if raws and raws[-1].get("name") == "final_result":
            text = json.dumps(FORECAST)
            raws[-1], output = {"role": "assistant", "type": "message", "content": text}, Forecast(**FORECAST)
        waiting = [] if paused else waiting
        if paused:  # as the SDK: a run that goes on has the items from before its pause too
            raws = [*(one.raw_item for one in paused.new_items), *raws]
            items = paused._items
        return SdkResult(agent, items, raws, None if waiting else output, waiting)


for kind in (SdkResult, SdkAgent):
    of("agents.result", kind)


class FakeOpenAIAgents:
    def agent(self, model: ScriptedModel, *wanted: str) -> Any:
        return SdkAgent(Loop(model, *wanted))

    def returning(self, agent: Any) -> Any:
        items: list[Any] = []

        async def chat(text: str) -> Any:
            result = await Runner.run(agent, [*items, {"role": "user", "content": text}])
            items[:] = result.to_input_list()
            return result

        return chat

    def streaming(self, agent: Any) -> Any:
        return self.returning(agent)

    def alone(self, agent: Any, *texts: str) -> list[str]:
        chat = self.returning(agent)
        return [asyncio.run(chat(text)).final_output for text in texts]


# -- Google ADK


class AdkEvent:
    """An event of a session."""

    def __init__(self, author: str, content: Any, long_running_tool_ids: Any = None) -> None:
        self.author, self.content, self.partial = author, content, False
        self.long_running_tool_ids = long_running_tool_ids


class Content:
    """What is said in an event."""

    def __init__(self, role: str, parts: Any) -> None:
        self.role = role
        self.parts = [
            SimpleNamespace(**{"text": None, "function_call": None, "function_response": None, **one})
            for one in parts
        ]
        for part in self.parts:
            for name in ("function_call", "function_response"):
                if isinstance(getattr(part, name), dict):
                    setattr(part, name, SimpleNamespace(**getattr(part, name)))

    def model_dump(self) -> dict[str, Any]:
        parts = [
            {
                name: vars(held) if isinstance(held, SimpleNamespace) else held
                for name, held in vars(one).items()
            }
            for one in self.parts
        ]
        return {"role": self.role, "parts": parts}


CONFIRM = "adk_request_confirmation"


class Sessions:
    async def create_session(self, app_name: str, user_id: str, session_id: str) -> Any:
        return SimpleNamespace(id=session_id, events=ADK_SESSIONS.setdefault(session_id, []))

    async def append_event(self, session: Any, event: Any) -> None:
        session.events.append(event)


ADK_SESSIONS: dict[str, list[Any]] = {}


class InMemoryRunner:
    """Runs an agent in a session."""

    def __init__(self, agent: Any, app_name: str) -> None:
        self.agent, self.app_name, self.session_service = agent, app_name, Sessions()

    async def run_async(self, user_id: str, session_id: str, new_message: Any) -> Any:
        events = ADK_SESSIONS.setdefault(session_id, [])
        answers = [one.function_response for one in new_message.parts if one.function_response]
        approved = {one.id.removeprefix("confirm_"): one.response["confirmed"] for one in answers}
        if not answers:
            events.append(AdkEvent("user", new_message))
        new = self.agent.loop.run(from_events(events), approved)
        made = [AdkEvent("weather_agent", to_content(message)) for message in new]
        waiting = [call for call in new[-1].get("tool_calls") or () if call["function"]["name"] == "refund"]
        events += made
        for event in made:
            yield event
        if waiting:
            asked = {"name": CONFIRM, "id": f"confirm_{waiting[0]['id']}"}
            asked["args"] = {"originalFunctionCall": {"id": waiting[0]["id"]}}
            yield AdkEvent("weather_agent", Content("user", [{"function_call": asked}]), {asked["id"]})


class AdkAgent:
    """An `LlmAgent`."""

    sub_agents = ()
    name = "weather_agent"

    def __init__(self, loop: Loop) -> None:
        self.loop = loop

    async def run_async(self, context: Any) -> Any:
        raise NotImplementedError


def to_content(message: dict[str, Any]) -> Any:
    if message["role"] == "tool":
        key = "error" if message.get("is_error") else "result"
        response = {
            "id": message["tool_call_id"],
            "name": message["name"],
            "response": {key: message["content"]},
        }
        return Content("user", [{"function_response": response}])
    parts: list[Any] = [{"text": message["content"]}] if message["content"] else []
    for call in message.get("tool_calls") or ():
        made = {
            "id": call["id"],
            "name": call["function"]["name"],
            "args": json.loads(call["function"]["arguments"]),
        }
        parts.append({"function_call": made})
    return Content("model", parts)


def from_events(events: list[Any]) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    for event in events:
        parts = event.content.parts
        answers = [one.function_response for one in parts if one.function_response]
        calls = [(c.id, c.name, c.args) for c in (one.function_call for one in parts) if c]
        text = "".join(one.text or "" for one in parts)
        for one in answers:
            told = str(next(iter(one.response.values())))
            messages.append({"role": "tool", "tool_call_id": one.id, "content": told})
        if text or calls:
            role = "user" if event.author == "user" else "assistant"
            made = {"tool_calls": in_order(calls)} if calls else {}
            messages.append({"role": role, "content": text, **made})
    return messages


for kind in (AdkEvent, AdkAgent):
    of("google.adk.agents", kind)


class FakeGoogleADK:
    def agent(self, model: ScriptedModel, *wanted: str) -> Any:
        return AdkAgent(
            Loop(model, *(one for one in wanted if one != "structured"), transfer="transfer_to_agent")
        )

    def returning(self, agent: Any) -> Any:
        stream = self.streaming(agent)

        async def chat(text: str) -> Any:
            return [event async for event in stream(text)]

        return chat

    def streaming(self, agent: Any) -> Any:
        runner, session = InMemoryRunner(agent, "app"), f"s{next(NUMBERS)}"

        def chat(text: str) -> Any:
            return runner.run_async(
                user_id="u", session_id=session, new_message=Content("user", [{"text": text}])
            )

        return chat

    def alone(self, agent: Any, *texts: str) -> list[str]:
        chat = self.returning(agent)
        return [asyncio.run(chat(text))[-1].content.parts[-1].text for text in texts]


class DeferredToolResults(SimpleNamespace):
    """What was decided of calls."""


def validate(raws: list[Any]) -> list[Any]:
    """Messages of Pydantic AI from their dumps."""
    return [PydanticMessage(kind=one["kind"], parts=[Part(**part) for part in one["parts"]]) for one in raws]


MODULES = {
    **{name: module(name) for name in ("langgraph", "google", "google.adk", "google.genai")},
    "langgraph.types": module("langgraph.types", Command=Command),
    "pydantic_ai": module("pydantic_ai", DeferredToolResults=DeferredToolResults),
    "pydantic_ai.messages": module(
        "pydantic_ai.messages", ModelMessagesTypeAdapter=SimpleNamespace(validate_python=validate)
    ),
    "agents": module("agents", Runner=Runner),
    "google.adk.runners": module("google.adk.runners", InMemoryRunner=InMemoryRunner),
    "google.adk.events": module("google.adk.events", Event=AdkEvent),
    "google.genai.types": module("google.genai.types", Content=Content),
}
"""What the adapters import beside an object of a framework."""

KITS: dict[str, Any] = {
    "LangGraph": FakeLangGraph,
    "LangGraph with a checkpointer": FakeLangGraphWithMemory,
    "Pydantic AI": FakePydanticAI,
    "OpenAI Agents SDK": FakeOpenAIAgents,
    "Google ADK": FakeGoogleADK,
}
