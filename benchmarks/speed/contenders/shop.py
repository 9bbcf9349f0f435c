"""The agent of the suite: asks its model once a turn, hands tool calls to the client."""

from typing import Any


class Shop:
    def __init__(self, context: Any) -> None:
        self.ask = context.model.transport

    def chat(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        sent = [{"role": one["role"], "content": one["content"]} for one in messages]
        blocks = self.ask({"model": "m", "max_tokens": 500, "messages": sent})["content"]
        return {
            "text": "".join(one["text"] for one in blocks if one["type"] == "text"),
            "tool_calls": [one for one in blocks if one["type"] == "tool_use"],
        }
