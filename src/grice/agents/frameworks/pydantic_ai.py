"""Pydantic AI: agents, the results of their runs, and streams of these."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from grice.agents.errors import AgentLoadError
from grice.agents.frameworks.protocol import (
    NativeAgent,
    answers_in,
    approved,
    as_records,
    belongs_to,
    module_beside,
    only_text,
    responses_of,
    split,
)
from grice.formats.calls import make_call
from grice.formats.content import json_text
from grice.records import AgentResponse, Message, clean_json

_PACKAGE = "pydantic_ai"


def adapt(agent: object) -> NativeAgent | None:
    """An `Agent` that needs no dependencies."""
    if not belongs_to(agent, _PACKAGE) or not callable(getattr(agent, "run_sync", None)):
        return None
    needed = getattr(agent, "deps_type", object)
    if needed not in (object, type(None), None):
        name = getattr(needed, "__name__", needed)
        raise AgentLoadError(
            f"the agent needs dependencies of type {name}, which only you can make: "
            "write a class that runs it\n"
            "    class Assistant:\n"
            "        history = ()\n"
            "        async def chat(self, messages):\n"
            "            text = messages[-1]['content']\n"
            f"            result = await agent.run(text, deps={name}(), message_history=self.history)\n"
            "            self.history = result.all_messages()\n"
            "            return result"
        )
    return _Agent(agent)


class _Agent(NativeAgent):
    framework = "Pydantic AI"

    def __init__(self, agent: Any) -> None:
        self._agent = agent
        self._history: list[Any] | None = None
        self._open: Any = None

    async def chat(self, messages: list[dict[str, Any]]) -> Any:
        before, new = split(messages)
        if self._history is None:
            self._history = self._translated(before)
        self._history += self._translated([one for one in new[:-1] if one["role"] == "user"])
        given: dict[str, Any] = {"message_history": self._history}
        if self._open is not None and (answers := answers_in(new)):
            approvals = {one.tool_call_id for one in self._open.approvals}
            given["deferred_tool_results"] = module_beside(self._agent, _PACKAGE, "").DeferredToolResults(
                calls={one: held for one, held in answers.items() if one not in approvals},
                approvals={one: approved(answers[one]) for one in approvals if one in answers},
            )
        prompt = only_text(new[-1:], self.framework) or None
        result = await self._agent.run(prompt, **given)
        self._history = result.all_messages()
        self._open = result.output if hasattr(result.output, "approvals") else None
        return result

    def _translated(self, messages: Sequence[dict[str, Any]]) -> list[Any]:
        """What was said before, in the messages of the framework."""
        told = [_raw(message) for message in as_records(messages)]
        adapter = module_beside(self._agent, _PACKAGE, "messages").ModelMessagesTypeAdapter
        return list(adapter.validate_python(told))


def _raw(message: Message) -> dict[str, Any]:
    if message.role == "assistant":
        texts = [{"part_kind": "text", "content": message.content}] if message.content else []
        calls = [
            {"part_kind": "tool-call", "tool_name": one.name, "args": one.arguments, "tool_call_id": one.id}
            for one in message.tool_calls
        ]
        return {"kind": "response", "parts": [*texts, *calls]}
    kind = {"user": "user-prompt", "system": "system-prompt", "tool": "tool-return"}[message.role]
    part = {"part_kind": kind, "content": message.content}
    if message.role == "tool":
        part |= {"tool_name": message.name or "", "tool_call_id": message.tool_call_id or ""}
    return {"kind": "request", "parts": [part]}


def is_reply(value: object) -> bool:
    """The result of a run, the events of one, a run that is streamed, or a message."""
    if not belongs_to(value, _PACKAGE) and not _is_stream(value):
        return False
    names = ("all_messages", "event_kind", "parts")
    return _is_stream(value) or any(hasattr(value, name) for name in names)


def _is_stream(value: object) -> bool:
    """Whether this is what `run_stream(...)` returned, which is entered to get the result."""
    function = getattr(getattr(value, "gen", None), "ag_code", None)
    return function is not None and function.co_name == "run_stream" and hasattr(value, "__aenter__")


def stream_of(value: object) -> AsyncIterator[object] | None:
    """The result of a run that is streamed, once it is there."""
    return _streamed(value) if _is_stream(value) else None


async def _streamed(value: Any) -> AsyncIterator[object]:
    async with value as run:
        output = await run.get_output()
        yield _Streamed(run, output)


class _Streamed:
    """A streamed run that has ended, as the result of one."""

    __module__ = _PACKAGE

    def __init__(self, run: Any, output: object) -> None:
        self.output = output
        self.all_messages, self.new_messages = run.all_messages, run.new_messages


def responses(pieces: Sequence[Any]) -> list[AgentResponse]:
    """The responses in the messages of the runs; of events the result at their end."""
    said: list[AgentResponse] = []
    messages: list[Any] = []
    for piece in pieces:
        result = getattr(piece, "result", piece)
        if hasattr(result, "new_messages"):
            said += _of_run(result)
        elif hasattr(piece, "parts"):
            messages.append(piece)
    return said + responses_of([one for raw in messages for one in _messages(raw)]) if messages else said


def _of_run(result: Any) -> list[AgentResponse]:
    plain = isinstance(result.output, str) or hasattr(result.output, "approvals")
    hidden = getattr(result, "_output_tool_name", None)
    messages = [one for raw in result.new_messages() for one in _messages(raw, hidden)]
    return responses_of(messages, None if plain else clean_json(result.output))


def _messages(raw: Any, hidden: str | None = None) -> list[Message]:
    """A message of the framework as records. `hidden` is the tool by which a model gives its output."""
    texts: list[str] = []
    calls = []
    others: list[Message] = []
    for part in raw.parts:
        kind, name = part.part_kind, getattr(part, "tool_name", None)
        if hidden is not None and name == hidden:
            continue
        if kind == "text":
            texts.append(part.content)
        elif kind in ("tool-call", "builtin-tool-call", "native-tool-call"):
            calls.append(make_call(part.tool_name, clean_json(part.args), part.tool_call_id))
        elif kind == "user-prompt":
            others.append(Message("user", str(part.content)))
        elif name is not None and kind in ("tool-return", "retry-prompt"):
            told = part.content if kind == "tool-return" else part.model_response()
            failed = kind == "retry-prompt" or getattr(part, "outcome", "success") != "success"
            text = told if isinstance(told, str) else json_text(clean_json(told))
            others.append(Message("tool", text, tool_call_id=part.tool_call_id, name=name, is_error=failed))
    if raw.kind == "response":
        return [Message("assistant", "".join(texts), tuple(calls))] if texts or calls else []
    return others
