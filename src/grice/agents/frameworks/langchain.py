"""LangChain and LangGraph: graphs, runnables, messages, states, and streams of these."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from grice.agents.errors import AgentLoadError
from grice.agents.frameworks.protocol import (
    Aspect,
    NativeAgent,
    answers_in,
    belongs_to,
    module_beside,
    responses_of,
    split,
)
from grice.agents.messages import text_in
from grice.formats import read_message
from grice.records import AgentResponse, JsonValue, Message, ToolCall, clean_json

INTERRUPT = "interrupt"
_KINDS = ("ai", "human", "system", "tool", "function")
_BLOCKING = ("SqliteSaver", "PostgresSaver", "ShallowPostgresSaver")
"""Checkpointers that an asynchronous graph cannot use."""


def adapt(agent: object) -> NativeAgent | None:
    """A compiled graph or a runnable."""
    if belongs_to(agent, "langgraph") and callable(getattr(agent, "compile", None)):
        raise AgentLoadError("the graph is not compiled, so it is not an agent yet: return graph.compile()")
    if not belongs_to(agent, "langgraph", "langchain_core") or not callable(getattr(agent, "ainvoke", None)):
        return None
    channels = getattr(agent, "channels", None)
    return _Runnable(agent) if channels is None else _Graph(agent, channels)


class _Graph(NativeAgent):
    """A compiled graph with `messages` in its state; one with a checkpointer has a thread of its own."""

    framework = "LangGraph"

    def __init__(self, graph: Any, channels: Mapping[str, object]) -> None:
        if "messages" not in channels:
            names = (
                ", ".join(name for name in channels if not name.startswith(("__", "branch:"))) or "nothing"
            )
            raise AgentLoadError(
                f"the state of the graph has no 'messages' (found {names or 'nothing'}): "
                "write a function that calls it\n"
                "    def agent(text):\n"
                "        state = graph.invoke({'question': text})\n"
                "        return state['answer']"
            )
        self._graph = graph
        self._kept = bool(getattr(graph, "checkpointer", None))
        self._config = {"configurable": {"thread_id": uuid.uuid4().hex}} if self._kept else None
        self._history: list[Any] | None = None
        self._told: set[str] = set()
        self._open: list[str] = []

    async def chat(self, messages: list[dict[str, Any]]) -> Any:
        before, new = split(messages)
        new = self.unsent(messages) if self._kept else new
        given: object
        answers = answers_in(new)
        if self._open and all(one in answers for one in self._open):
            values = [answers[one] for one in self._open]
            command = module_beside(self._graph, "langgraph", "types").Command
            given = command(
                resume=values[0] if len(values) == 1 else dict(zip(self._open, values, strict=True))
            )
        else:
            known = (
                _langchain_messages(before) if self._history is None else [] if self._kept else self._history
            )
            given = {"messages": [*known, *_langchain_messages(new)]}
            self._history = known
        state = await self._invoke(given)
        return state if not isinstance(state, Mapping) else self._new(dict(state))

    async def _invoke(self, given: object) -> Any:
        options = {} if self._config is None else {"config": self._config}
        if type(self._graph.checkpointer).__name__ in _BLOCKING:
            return await asyncio.to_thread(self._graph.invoke, given, **options)
        return await self._graph.ainvoke(given, **options)

    def _new(self, state: dict[str, Any]) -> dict[str, Any]:
        """The state without the messages that are known from before an interrupt."""
        self._history = list(state.get("messages") or ())
        self._open = [str(getattr(one, "id", "")) for one in state.get("__interrupt__") or ()]
        new = [one for one in self._history if getattr(one, "id", None) not in self._told]
        if self._open:  # a call that waits for its approval is not left to the client: the interrupt is
            new = [one for one in new if one is not new[-1] or not getattr(one, "tool_calls", None)]
        self._told = {one.id for one in new if getattr(one, "id", None)} if self._open else set()
        return {**state, "messages": new}


class _Runnable(NativeAgent):
    """A chain or a chat model; it gets what its input schema names."""

    framework = "LangChain"
    unseen: ClassVar[Mapping[Aspect, str]] = {
        "tool calls": "a LangChain runnable does not tell which tools ran inside of it",
    }

    def __init__(self, runnable: Any) -> None:
        self._runnable = runnable
        self._schema: Mapping[str, Any] = runnable.get_input_jsonschema()

    async def chat(self, messages: list[dict[str, Any]]) -> Any:
        return await self._runnable.ainvoke(self._input(messages))

    def _input(self, messages: list[dict[str, Any]]) -> object:
        fields: Mapping[str, Any] = self._schema.get("properties") or {}
        text = text_in(messages[-1])
        if not fields:
            return text if self._schema.get("type") == "string" else _langchain_messages(messages)
        lists = [name for name, field in fields.items() if field.get("type") == "array"]
        texts = [name for name in fields if name not in lists]
        if len(texts) > 1 or len(lists) > 1:
            raise AgentLoadError(
                f"the runnable takes {', '.join(fields)}, and which of them is the user's text is not known: "
                "write a function that calls it\n"
                "    def agent(text):\n"
                f"        return chain.invoke({{{texts[0] if texts else lists[0]!r}: text}})"
            )
        return {
            **{name: _langchain_messages(messages[:-1] if texts else messages) for name in lists},
            **dict.fromkeys(texts, text),
        }


def _langchain_messages(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages as LangChain takes them: a tool that failed has a status."""
    return [
        {**{name: held for name, held in one.items() if name != "is_error"}, "status": "error"}
        if one.get("is_error")
        else one
        for one in messages
    ]


def is_reply(value: object) -> bool:
    """A message, a piece of one, a state, or what a graph streams."""
    if isinstance(value, Mapping):
        return "__interrupt__" in value or any(map(_has_messages, (value, *value.values())))
    if isinstance(value, tuple):
        return any(map(is_reply, value))
    return (
        belongs_to(value, "langchain_core")
        and getattr(value, "type", "").removesuffix("MessageChunk").lower() in _KINDS
    )


def stream_of(value: object) -> AsyncIterator[object] | None:
    """None: its streams are iterators."""
    del value
    return None


def responses(pieces: Sequence[object]) -> list[AgentResponse]:
    """The responses in the messages; of states that follow each other the last one counts."""
    messages: dict[object, Any] = {}
    data: JsonValue = None
    hidden = ""
    waiting: list[ToolCall] = []
    for piece in pieces:
        for part in _parts(piece):
            if not isinstance(part, Mapping):
                _add(messages, part)
                continue
            if "messages" in part:
                messages = {}
            for held in (part, *(one for one in part.values() if isinstance(one, Mapping))):
                for one in held.get("messages") or () if _has_messages(held) else ():
                    _add(messages, one)
                if held.get("structured_response") is not None:
                    data = clean_json(held["structured_response"])
                    hidden = type(held["structured_response"]).__name__
            waiting = [_interrupt(one) for one in part.get("__interrupt__") or ()] or waiting
    read = [one for raw in messages.values() for one in _read(raw)]
    if hidden:  # the tool by which a model gives its output
        read = [one for one in read if hidden not in (one.name, *(call.name for call in one.tool_calls))]
    said = responses_of(read, data)
    return [*said, AgentResponse(tool_calls=tuple(waiting))] if waiting else said


def _parts(piece: object) -> Iterator[Any]:
    """What a graph streams, without the mode, the place and the metadata that stand beside it."""
    if isinstance(piece, tuple):
        yield from (one for one in piece if is_reply(one))
    else:
        yield piece


def _add(messages: dict[object, Any], message: Any) -> None:
    """Add a message, or a piece to the one that it is of."""
    key = getattr(message, "id", None) or len(messages)
    pieces = getattr(message, "type", "").endswith("Chunk")
    messages[key] = messages[key] + message if pieces and key in messages else message


def _read(raw: Any) -> list[Message]:
    plain = isinstance(raw, Mapping) and "role" in raw
    return read_message(raw, format="openai_chat" if plain else "langchain")


def _has_messages(value: object) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("messages"), list)


def _interrupt(raised: Any) -> ToolCall:
    """An interrupt, as a call that the client answers."""
    value = clean_json(getattr(raised, "value", raised))
    arguments = value if isinstance(value, dict) else {"value": value}
    return ToolCall(INTERRUPT, arguments, id=str(getattr(raised, "id", "")))
