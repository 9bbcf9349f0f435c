"""What an agent and its model said to each other: one request and its reply, in three dialects."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

import msgspec

from grice.records.capture import JsonValue

_SYSTEM_ROLES = ("system", "developer")
_NO_PARAMETERS = frozenset({"messages", "input", "system", "instructions", "tools", "functions"})
_ASKED = ("tool_use", "function_call", "custom_tool_call")


class Exchange(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One request the agent sent to its model, and the reply.

    `request` and `reply` are the JSON bodies in the shape that `dialect` names: anthropic, openai_chat,
    openai_responses or openai_embeddings; "" when nobody knows, and only their content tells. `turn` counts
    from 1 and is None outside a conversation. `duration` is in seconds and `status` the HTTP status; both
    are None in process. `error` says why there is no reply, or why it broke off.
    """

    request: dict[str, JsonValue]
    reply: dict[str, JsonValue] | None = None
    dialect: str = ""
    turn: int | None = None
    duration: float | None = None
    error: str | None = None
    status: int | None = None

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The message array of the request, as it was sent; an `input` that is a text is a user message."""
        messages = self.request.get("messages", self.request.get("input"))
        if isinstance(messages, str):
            return [{"role": "user", "content": messages}]
        return messages if isinstance(messages, list) else []

    @property
    def system_field(self) -> str:
        """The system prompt beside the message array: Anthropic's `system`, OpenAI's `instructions`."""
        return _spoken(self.request.get("system", self.request.get("instructions")))

    @property
    def system(self) -> str:
        """The whole system prompt, "" without one: its own field, then the system messages at the beginning.

        A request that has neither is taken at the first system message of its array.
        """
        messages = [one for one in self.messages if isinstance(one, dict)]
        leading = takewhile(_is_system, messages)
        texts = [self.system_field, *(_spoken(one.get("content")) for one in leading)]
        whole = "\n".join(filter(None, texts))
        return whole or next((_spoken(one.get("content")) for one in messages if _is_system(one)), "")

    @property
    def model(self) -> str:
        """The model that was asked for, "" when the request names none."""
        model = self.request.get("model")
        return model if isinstance(model, str) else ""

    @property
    def offered_tools(self) -> tuple[str, ...]:
        """The names of the tools that the request offers, older `functions` too; see `offered_names`."""
        return offered_names(self.request.get("tools")) + offered_names(self.request.get("functions"))

    @property
    def parameters(self) -> dict[str, JsonValue]:
        """The fields of the request beside messages, system prompt and tools: model, temperature, ..."""
        return {name: value for name, value in self.request.items() if name not in _NO_PARAMETERS}

    @property
    def asked_tools(self) -> tuple[str, ...]:
        """The names of the tools that the model's reply asks the agent to call, custom ones too.

        What the provider runs itself (`server_tool_use`, `mcp_tool_use`, `mcp_call`) is asked of it, not of
        the agent, and is left out.
        """
        reply = self.reply or {}
        items = [*_list(reply.get("content")), *_list(reply.get("output"))]
        calls = [item for item in items if item.get("type") in _ASKED]
        for choice in _list(reply.get("choices")):
            message = choice.get("message")
            if isinstance(message, dict):
                calls += [_named(call) for call in _list(message.get("tool_calls"))]
                calls += _list([message.get("function_call")])
        return tuple(call["name"] for call in calls if isinstance(call.get("name"), str))

    @property
    def input_tokens(self) -> int | None:
        """The tokens of the request as the reply's `usage` counts them, None when it does not say.

        Those read from or written to a cache are in it: Anthropic counts them apart.
        """
        count = self._usage("input_tokens", "prompt_tokens")
        cached = (self._usage(name) for name in ("cache_read_input_tokens", "cache_creation_input_tokens"))
        return None if count is None else count + sum(number or 0 for number in cached)

    @property
    def output_tokens(self) -> int | None:
        """The tokens of the reply as its `usage` counts them, None when it does not say."""
        return self._usage("output_tokens", "completion_tokens")

    def _usage(self, *names: str) -> int | None:
        usage = (self.reply or {}).get("usage")
        counts = (usage.get(name) for name in names) if isinstance(usage, dict) else ()
        return next((n for n in counts if isinstance(n, int) and not isinstance(n, bool) and n >= 0), None)


def offered_names(tools: JsonValue) -> tuple[str, ...]:
    """The names of the tools in a request's `tools`, in the shapes of every dialect.

    A namespace gives the names of the tools in it, an MCP server those that it is allowed (`allowed_tools`);
    another tool without a name, such as a built-in one, its type.
    """
    names: list[JsonValue] = []
    waiting = _list(tools)[::-1]
    while waiting:
        tool = waiting.pop()
        inner = _list(tool.get("tools")) if tool.get("type") == "namespace" else []
        allowed = _allowed(tool) if tool.get("type") == "mcp" else []
        waiting += inner[::-1]
        if not inner:
            held = _named(tool)
            names += allowed or [held.get("name", held.get("type"))]
    return tuple(name for name in names if isinstance(name, str))


def _allowed(server: dict[str, Any]) -> list[JsonValue]:
    """The tools that a request allows of an MCP server: a list, or an object that holds one."""
    allowed = server.get("allowed_tools")
    held = allowed.get("tool_names") if isinstance(allowed, dict) else allowed
    return held if isinstance(held, list) else []


def _named(tool: dict[str, Any]) -> dict[str, Any]:
    """What holds the name of an offered or called tool: Chat has it inside `function` or `custom`."""
    held = tool.get("function", tool.get("custom"))
    return held if isinstance(held, dict) else tool


def _is_system(message: dict[str, Any]) -> bool:
    return message.get("role") in _SYSTEM_ROLES


def _spoken(content: JsonValue) -> str:
    """The text of a content: a string, or blocks, one a line."""
    blocks = content if isinstance(content, list) else [content]
    texts = (block.get("text") if isinstance(block, dict) else block for block in blocks)
    return "\n".join(text for text in texts if isinstance(text, str))


def _list(value: JsonValue) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
