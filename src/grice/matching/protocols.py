"""The protocols that users implement."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

__all__ = ["Agent", "OnToolCall"]

OnToolCall = Callable[..., None]
"""`on_tool_call(name, arguments=None, result=..., error=None, id="")`: an agent signals a tool call."""


class Agent(Protocol):
    """The thing under test.

    `messages` are dicts in the OpenAI Chat shape (`role`, `content`, `tool_calls`, `tool_call_id`), oldest
    first. The answer is an AgentResponse, a text, or a dict with `text`, `tool_calls` and `data`; it may be
    awaitable. `on_tool_call` may be left out of the signature.
    """

    def chat(  # noqa: D102
        self, messages: list[dict[str, Any]], on_tool_call: OnToolCall
    ) -> Any | Awaitable[Any]: ...
