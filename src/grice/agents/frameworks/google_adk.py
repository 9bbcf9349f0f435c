"""Google's Agent Development Kit: agents, runners and events."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from importlib import import_module
from typing import Any

import msgspec

from grice.agents.frameworks.protocol import (
    NativeAgent,
    answers_in,
    approved,
    as_records,
    belongs_to,
    only_text,
    responses_of,
    split,
)
from grice.formats import adk
from grice.records import AgentResponse, Message, clean_json

_APP = "grice"
_CONFIRM = "adk_request_confirmation"


def adapt(agent: object) -> NativeAgent | None:
    """An agent with `sub_agents`, or the `Runner` of one."""
    if not belongs_to(agent, "google") or not callable(getattr(agent, "run_async", None)):
        return None
    return _Agent(agent) if hasattr(agent, "sub_agents") or hasattr(agent, "session_service") else None


class _Agent(NativeAgent):
    framework = "Google ADK"

    def __init__(self, agent: Any) -> None:
        runs = hasattr(agent, "session_service")
        self._runner = (
            agent if runs else import_module("google.adk.runners").InMemoryRunner(agent, app_name=_APP)
        )
        self._session: Any = None
        self._asked: dict[str, str] = {}

    async def chat(self, messages: list[dict[str, Any]]) -> Any:
        before, _ = split(messages)
        new = self.unsent(messages)
        if self._session is None:
            self._session = await self._runner.session_service.create_session(
                app_name=self._runner.app_name, user_id=_APP, session_id=uuid.uuid4().hex
            )
            await self._tell(before)
        names = {
            call["id"]: call["function"]["name"] for one in before for call in one.get("tool_calls") or ()
        }
        parts: list[dict[str, object]] = [
            {"function_response": self._answer(one, names.get(one, ""), held)}
            for one, held in answers_in(new).items()
        ]
        if text := only_text(new, self.framework):
            parts.append({"text": text})
        events = self._runner.run_async(
            user_id=_APP, session_id=self._session.id, new_message=_content("user", parts)
        )
        said = [event async for event in events]
        self._asked = _confirmations(said)
        return said

    def _answer(self, id: str, name: str, value: object) -> dict[str, object]:  # noqa: A002
        """The answer to a call, or to the question whether it may run."""
        if id in self._asked:
            return {"id": self._asked[id], "name": _CONFIRM, "response": {"confirmed": approved(value)}}
        return {"id": id, "name": name, "response": value if isinstance(value, dict) else {"result": value}}

    async def _tell(self, before: Sequence[dict[str, Any]]) -> None:
        """Put what was said before into the session."""
        event = import_module("google.adk.events").Event
        for turn in adk.write(list(as_records(before))):
            said: list[tuple[str, Any]] = [("user", turn["user_content"])]
            between = turn.get("intermediate_data", {}).get("invocation_events", [])
            said += [(self._runner.agent.name, one["content"]) for one in between]
            said += [(self._runner.agent.name, turn["final_response"])] if "final_response" in turn else []
            for author, content in said:
                told = event(author=author, content=_content(content["role"], content["parts"]))
                await self._runner.session_service.append_event(self._session, told)


def _content(role: str, parts: Sequence[Mapping[str, object]]) -> Any:
    return import_module("google.genai.types").Content(role=role, parts=parts)


def _confirmations(events: Sequence[Any]) -> dict[str, str]:
    """The questions whether a call may run: the id of the question by that of the call."""
    parts = [part for event in events for part in (event.content.parts if event.content else None) or ()]
    asked = [part.function_call for part in parts if part.function_call is not None]
    return {one.args["originalFunctionCall"]["id"]: one.id for one in asked if one.name == _CONFIRM}


def is_reply(value: object) -> bool:
    """An event."""
    return belongs_to(value, "google") and hasattr(value, "author") and hasattr(value, "content")


def stream_of(value: object) -> AsyncIterator[object] | None:
    """None: its streams are iterators."""
    del value
    return None


def responses(pieces: Sequence[Any]) -> list[AgentResponse]:
    """The responses in the events. A slow tool waits for the client, whatever it answered at first."""
    waiting = {one for piece in pieces for one in getattr(piece, "long_running_tool_ids", None) or ()}
    waiting.update(_confirmations(pieces))
    messages: list[Message] = []
    for piece in pieces:
        raw = {"author": piece.author, "partial": piece.partial, "content": clean_json(piece.content)}
        for message in adk.read(raw):
            calls = tuple(one for one in message.tool_calls if one.name != _CONFIRM)
            if message.tool_call_id not in waiting and (calls or not message.tool_calls):
                messages.append(msgspec.structs.replace(message, name=None, tool_calls=calls))
    return responses_of(messages)
