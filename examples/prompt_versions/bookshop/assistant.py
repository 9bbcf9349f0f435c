"""The assistant: it asks its model, and runs the tools that the model calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from .orders import Orders


class Model(Protocol):
    """What answers: a text, or a call of a tool as (name, number of the order)."""

    def complete(self, messages: Sequence[Mapping[str, Any]]) -> str | tuple[str, int]:
        """The next thing to say or do."""
        ...


class BookshopAssistant:
    """Answers one customer."""

    def __init__(self, prompt: str, model: Model, orders: Orders) -> None:
        self.prompt = prompt
        self.model = model
        self.orders = orders

    def chat(self, messages: Sequence[Mapping[str, Any]], on_tool_call: Callable[..., object]) -> str:
        """Answer the last message."""
        asked: list[Mapping[str, Any]] = [{"role": "system", "content": self.prompt}, *messages]
        while True:
            answer = self.model.complete(asked)
            if isinstance(answer, str):
                return answer
            name, number = answer
            result = self.orders.tool(name)(number)
            on_tool_call(name, {"number": number}, result=result)
            asked.append({"role": "tool", "name": name, "content": result})
