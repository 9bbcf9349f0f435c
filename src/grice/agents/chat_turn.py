"""The request of a turn, for an agent behind HTTP or in another program: message, history, files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from grice.agents.context import AgentContext
from grice.agents.messages import text_in
from grice.records import JsonValue, parse_arguments


class ChatTurn:
    """One request to an agent.

    A request is about the user's message, or about calls that the agent left to its client and that are
    answered now; then `tool_calls` and `tool_results` are not empty. `messages` is the whole conversation in
    the OpenAI Chat shape, `history` the part of it before what the request is about. `turn` counts from 1.
    """

    def __init__(
        self, messages: Sequence[Mapping[str, Any]], conversation_id: str, context: AgentContext
    ) -> None:
        self.messages = [dict(message) for message in messages]
        self.conversation_id = conversation_id
        self._context = context
        roles = [message.get("role") for message in self.messages]
        self.turn = roles.count("user")
        begin = max((i for i, role in enumerate(roles) if role != "tool"), default=-1)
        self._answered = self.messages[begin] if begin < len(roles) - 1 and begin >= 0 else None
        self._results = self.messages[begin + 1 :]
        if self._answered is None:
            begin = max((i for i, role in enumerate(roles) if role == "user"), default=len(roles))
        self._begin = begin

    @cached_property
    def user(self) -> str:
        """The last message of the user."""
        return next((text_in(m) for m in reversed(self.messages) if m.get("role") == "user"), "")

    @cached_property
    def history(self) -> list[dict[str, Any]]:
        """The messages before the user's, or before the one that made the calls that are answered now."""
        return self.messages[: self._begin]

    @cached_property
    def tool_calls(self) -> list[dict[str, JsonValue]]:
        """The calls that are answered now: `id`, `name`, `arguments`."""
        return _calls(self._answered) if self._answered is not None else []

    @cached_property
    def tool_results(self) -> list[dict[str, JsonValue]]:
        """Their answers: `id` and `name` of the call, `result`, the same as text (`content`), `is_error`."""
        names = {call["id"]: call["name"] for call in self.tool_calls}
        return [
            {
                "id": message.get("tool_call_id"),
                "name": names.get(message.get("tool_call_id"), ""),
                "result": _as_json(text_in(message)),
                "content": text_in(message),
                "is_error": bool(message.get("is_error")),
            }
            for message in self._results
        ]

    @cached_property
    def assistant_text(self) -> str:
        """What the agent said beside the calls that are answered now."""
        return text_in(self._answered) if self._answered is not None else ""

    @property
    def model_url(self) -> str:
        """The address of the scripted model, "" without one."""
        return self._context.model_url

    @property
    def model_key(self) -> str:
        """The key of the scripted model, "" without one."""
        return self._context.model_key

    @property
    def server_url(self) -> str:
        """The address of the project's server, "" without one."""
        return self._context.server_url

    def items(self, name: str) -> list[dict[str, JsonValue]]:
        """The entries of one of the lists, as a template sees them.

        A message has all of `role`, `content`, `tool_calls` (as above), `tool_call_id`, `is_error`, and
        `blocks`: what it says and calls as Anthropic's content blocks.
        """
        held: list[dict[str, Any]] = getattr(self, name)
        return [_message_item(one) for one in held] if name in ("messages", "history") else held


def _message_item(message: Mapping[str, Any]) -> dict[str, JsonValue]:
    text, calls = text_in(message), _calls(message)
    said: list[JsonValue] = [{"type": "text", "text": text}] if text else []
    used = [
        {"type": "tool_use", "id": call["id"], "name": call["name"], "input": call["arguments"]}
        for call in calls
    ]
    return {
        "role": message.get("role"),
        "content": text,
        "tool_calls": calls,
        "tool_call_id": message.get("tool_call_id", ""),
        "is_error": bool(message.get("is_error")),
        "blocks": said + used,
    }


def _calls(message: Mapping[str, Any]) -> list[dict[str, JsonValue]]:
    return [
        {
            "id": call.get("id", ""),
            "name": call["function"]["name"],
            "arguments": parse_arguments(call["function"].get("arguments"))[0],
        }
        for call in message.get("tool_calls") or ()
    ]


def _as_json(text: str) -> JsonValue:
    """What a tool answered. A text that only looks like a number, such as "1.10", stays a text."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return text
    same = isinstance(value, dict | list) or msgspec.json.encode(value).decode() == text
    return value if same else text
