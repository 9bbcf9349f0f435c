"""Google's Agent Development Kit: agents, runners and events."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Sequence
from importlib import import_module
from typing import Any

import msgspec

from grice.agents.frameworks.protocol import (
    NativeAgent,
    answers_in,
    as_records,
    belongs_to,
    only_text,
    responses_of,
    split,
)
from grice.formats import adk
from grice.records import AgentResponse, Message, clean_json

__all__ = ["adapt", "is_reply", "responses", "stream_of"]

_APP = "grice"


def adapt(agent: object) -> NativeAgent | None:
    """An agent with `sub_agents`, or the `Runner` of one."""
    if not belongs_to(agent, "google") or not callable(getattr(agent, "run_async", None)):
        return None
    return _Agent(agent) if hasattr(agent, "sub_agents") or hasattr(agent, "session_service") else None


class _Agent(NativeAgent):
    framework = "Google ADK"

    def __init__(self, agent: Any) -> None:
        runs = hasattr(agent, "session_service")
        self._runner = agent if runs else import_module("google.adk.runners").InMemoryRunner(agent, app_name=_APP)
        self._session: Any = None

    async def chat(self, messages: list[dict[str, Any]]) -> Any:
        before, new = split(messages)
        if self._session is None:
            self._session = await self._runner.session_service.create_session(
                app_name=self._runner.app_name, user_id=_APP, session_id=uuid.uuid4().hex
            )
            await self._tell(before)
        names = {call["id"]: call["function"]["name"] for one in before for call in one.get("tool_calls") or ()}
        parts = [
            {"function_response": {"id": one, "name": names.get(one, ""), "response": _wrapped(held)}}
            for one, held in answers_in(new).items()
        ]
        if text := only_text(new, self.framework):
            parts.append({"text": text})
        events = self._runner.run_async(
            user_id=_APP, session_id=self._session.id, new_message=_content("user", parts)
        )
        return [event async for event in events]

    async def _tell(self, before: Sequence[dict[str, Any]]) -> None:
        """Put what was said before into the session."""
        event = import_module("google.adk.events").Event
        for turn in adk.write(list(as_records(before))):
            said = [("user", turn["user_content"])]
            between = turn.get("intermediate_data", {}).get("invocation_events", [])
            said += [(one["author"], one["content"]) for one in between]
            said += [("agent", turn["final_response"])] if "final_response" in turn else []
            for author, content in said:
                told = event(author=author, content=_content(content["role"], content["parts"]))
                await self._runner.session_service.append_event(self._session, told)


def _content(role: str, parts: list[dict[str, Any]]) -> Any:
    return import_module("google.genai.types").Content(role=role, parts=parts)


def _wrapped(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {"result": value}


def is_reply(value: object) -> bool:
    """An event."""
    return belongs_to(value, "google") and hasattr(value, "author") and hasattr(value, "content")


def stream_of(value: object) -> AsyncIterator[object] | None:
    """None: its streams are iterators."""
    del value
    return None


def responses(pieces: Sequence[Any]) -> list[AgentResponse]:
    """What the events say. A tool that takes long waits for the client, whatever it answered at first."""
    waiting = {one for piece in pieces for one in getattr(piece, "long_running_tool_ids", None) or ()}
    messages: list[Message] = []
    for piece in pieces:
        raw = {"author": piece.author, "partial": piece.partial, "content": clean_json(piece.content)}
        messages += [one for one in adk.read(raw) if one.tool_call_id not in waiting]
    return responses_of([msgspec.structs.replace(one, name=None) for one in messages])
