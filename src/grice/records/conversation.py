"""What was said and done: messages, tool calls, turns, exchanges, conversations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from grice.records.capture import JsonValue

__all__ = [
    "AgentFailure",
    "AgentResponse",
    "Conversation",
    "Exchange",
    "FailureKind",
    "Message",
    "Role",
    "Termination",
    "ToolCall",
    "Turn",
]

Role = Literal["system", "user", "assistant", "tool"]
FailureKind = Literal["raised", "timeout", "returned_nothing", "bad_return", "script"]
Termination = Literal["completed", "agent_error", "timeout", "interrupted"]


class ToolCall(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One call of a tool by the agent.

    `arguments` is always a dict. When the model's text was not a JSON object it is empty and `raw_arguments`
    keeps the text. `result` is UNSET until the call is answered (so a null result is an answer); `error` is
    the text of a failed call. Times are seconds.
    """

    name: str
    arguments: dict[str, JsonValue] = {}
    id: str = ""
    raw_arguments: str | None = None
    result: JsonValue | UnsetType = UNSET
    error: str | None = None
    duration: float | None = None
    source: Literal["reply", "signal", "log"] = "reply"
    metadata: dict[str, JsonValue] = {}

    @property
    def answered(self) -> bool:
        """Whether the call has a result or an error."""
        return self.result is not UNSET or self.error is not None


class Message(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One message of a conversation.

    `content` is its text. A message of role `tool` answers the call named by `tool_call_id`; `is_error` says
    that the tool failed.
    """

    role: Role
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None
    is_error: bool = False
    metadata: dict[str, JsonValue] = {}


class AgentResponse(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an agent returns for a turn.

    A tool call in it that has neither result nor error is pending: the client (a golden or a test) answers
    it, and the agent is called again.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    data: JsonValue = None
    metadata: dict[str, JsonValue] = {}


class AgentFailure(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """How an agent failed to answer, kept beside the transcript.

    `kind` is the type of failure, `error` the exception's type, `traceback` its text.
    """

    kind: FailureKind
    message: str
    error: str = ""
    traceback: str = ""


_SYSTEM_ROLES = ("system", "developer")


class Exchange(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One request the agent sent to its model, and the reply.

    `request` and `reply` are the JSON bodies in the shape that `dialect` names. `turn` counts from 1 and is
    None outside a conversation. `error` says why there is no reply.
    """

    request: dict[str, JsonValue]
    reply: dict[str, JsonValue] | None = None
    dialect: str = "anthropic"
    turn: int | None = None
    duration: float | None = None
    error: str | None = None

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The message array of the request, as it was sent; an `input` that is a text is a user message."""
        messages = self.request.get("messages", self.request.get("input"))
        if isinstance(messages, str):
            return [{"role": "user", "content": messages}]
        return messages if isinstance(messages, list) else []

    @property
    def asked_tools(self) -> tuple[str, ...]:
        """The names of the tools that the model's reply calls, in the three shapes."""
        reply = self.reply or {}
        items = [*_list(reply.get("content")), *_list(reply.get("output"))]
        calls = [item for item in items if item.get("type") in ("tool_use", "function_call")]
        for choice in _list(reply.get("choices")):
            message = choice.get("message")
            asked = _list(message.get("tool_calls") if isinstance(message, dict) else None)
            calls += [call["function"] for call in asked if isinstance(call.get("function"), dict)]
        return tuple(call["name"] for call in calls if isinstance(call.get("name"), str))

    @property
    def system(self) -> str:
        """The system prompt, "" without one: `system`, `instructions`, or the first of the array."""
        own = self.request.get("system", self.request.get("instructions"))
        if own is None:
            messages = (one for one in self.messages if isinstance(one, dict))
            own = next((one.get("content") for one in messages if one.get("role") in _SYSTEM_ROLES), "")
        blocks = own if isinstance(own, list) else [own]
        texts = (block.get("text") if isinstance(block, dict) else block for block in blocks)
        return "\n".join(text for text in texts if isinstance(text, str))


def _list(value: JsonValue) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


class Turn(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One user message and everything up to the next one.

    `number` counts from 1. `messages` begins with the user message (a conversation may open with a turn
    that has none). `duration` is in seconds.
    """

    number: int
    messages: tuple[Message, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    data: JsonValue = None
    failure: AgentFailure | None = None
    duration: float | None = None
    metadata: dict[str, JsonValue] = {}

    @property
    def user(self) -> str:
        """What the user said."""
        return next((m.content for m in self.messages if m.role == "user"), "")

    @property
    def text(self) -> str:
        """The agent's last answer in this turn, "" when that has no text.

        What it said beside tool calls that were answered is not an answer but narration, see `full_text`.
        """
        answered = asking = False
        for message in reversed(self.messages):
            if message.role == "tool":
                if asking:
                    return ""
                answered = True
            elif message.role == "assistant" and not _is_silent(message):
                if not message.tool_calls:
                    return message.content
                if answered or message.content:
                    return "" if answered else message.content
                asking = True  # a call on its own: what was said just before it belongs to it
        return ""

    @property
    def full_text(self) -> str:
        """Everything the agent said in this turn, one message a line."""
        return "\n".join(m.content for m in self.messages if m.role == "assistant" and m.content)


def _is_silent(message: Message) -> bool:
    """Whether the message only stands for an item of a log that says nothing, such as reasoning."""
    if message.content or message.tool_calls or not message.metadata:
        return False
    source = message.metadata.get("source")
    raw = source.get("raw") if isinstance(source, dict) else None
    return isinstance(raw, dict) and raw.get("role") is None


class Conversation(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The frozen record of a conversation. It holds no verdicts.

    `termination` says why it ended; None while it goes on, or for a log that does not say.
    """

    id: str = ""
    turns: tuple[Turn, ...] = ()
    system: str | None = None
    name: str = ""
    termination: Termination | None = None
    metadata: dict[str, JsonValue] = {}

    @property
    def record(self) -> Conversation:
        """This record: a live conversation has the same property."""
        return self

    @property
    def messages(self) -> tuple[Message, ...]:
        """All messages of all turns in order, without the system prompt."""
        return tuple(message for turn in self.turns for message in turn.messages)

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """All tool calls of all turns in order."""
        return tuple(call for turn in self.turns for call in turn.tool_calls)

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """All requests to the model in order, with their replies."""
        return tuple(exchange for turn in self.turns for exchange in turn.exchanges)

    def called_tool(self, name: str) -> bool:
        """Whether any turn called the tool of that name."""
        return any(call.name == name for call in self.tool_calls)

    def __iter__(self) -> Iterator[Turn]:
        return iter(self.turns)
