"""What was said and done: messages, tool calls, turns, conversations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from grice.records.attachment import Attachment
from grice.records.capture import JsonValue
from grice.records.exchange import Exchange
from grice.records.topic import Classification, FollowedGraph, TopicVisit, visits_of

Role = Literal["system", "user", "assistant", "tool"]
FailureKind = Literal["raised", "timeout", "returned_nothing", "bad_return", "script"]
MODEL_ADDRESS = "model_address"
"""The metadata of a conversation whose model had a fixed address: that address."""

Termination = Literal[
    "completed",
    "agent_error",
    "timeout",
    "interrupted",
    "goal_reached",
    "gave_up",
    "stop_condition",
    "max_turns",
    "simulator_error",
    "budget",
]
"""Why a conversation, or the part of it that a user was played in, ended."""

_EMBEDDINGS = "openai_embeddings"
_REFUSED = 400
"""The HTTP status from which on nothing was answered, and nothing is counted."""


class ToolCall(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One call of a tool by the agent.

    `arguments` is always a dict. When the model's text was not a JSON object it is empty and `raw_arguments`
    keeps the text. `result` is UNSET until the call is answered (so a null result is an answer); `error` is
    the text of a failed call. Times are seconds. `source` says who told of it: the agent's reply, its signal,
    a log, or only the requests to its model (`wire`).
    """

    name: str
    arguments: dict[str, JsonValue] = {}
    id: str = ""
    raw_arguments: str | None = None
    result: JsonValue | UnsetType = UNSET
    error: str | None = None
    duration: float | None = None
    source: Literal["reply", "signal", "log", "wire"] = "reply"
    metadata: dict[str, JsonValue] = {}

    @property
    def answered(self) -> bool:
        """Whether the call has a result or an error."""
        return self.result is not UNSET or self.error is not None


class Message(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One message of a conversation.

    `content` is its text, `attachments` what a user sent beside it. A message of role `tool` answers the call
    named by `tool_call_id`; `is_error` says that the tool failed.
    """

    role: Role
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None
    is_error: bool = False
    metadata: dict[str, JsonValue] = {}
    attachments: tuple[Attachment, ...] = ()


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


class Turn(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One user message and everything up to the next one.

    `number` counts from 1. `messages` begins with the user message (a conversation may open with a turn
    that has none). `duration` is in seconds. `classified` says which topic it belongs to, and why.
    """

    number: int
    messages: tuple[Message, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    data: JsonValue = None
    failure: AgentFailure | None = None
    duration: float | None = None
    metadata: dict[str, JsonValue] = {}
    classified: Classification | None = None

    @property
    def topic(self) -> str:
        """The topic of this turn, "" where no topic graph was followed."""
        return self.classified.topic if self.classified is not None else ""

    @property
    def user(self) -> str:
        """What the user said."""
        for message in self.messages:
            if message.role == "user":
                return message.content
        return ""

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
        return "\n".join([m.content for m in self.messages if m.role == "assistant" and m.content])

    @property
    def input_tokens(self) -> int | None:
        """The tokens of all requests to the model of this turn, None where a reply does not say."""
        return _tokens(self.exchanges, lambda one: one.input_tokens)

    @property
    def output_tokens(self) -> int | None:
        """The tokens of all the model's replies of this turn, None where one does not say."""
        return _tokens(self.exchanges, _written)

    @property
    def model_duration(self) -> float | None:
        """The seconds of all requests to the model added up, None when none was timed."""
        known = [one.duration for one in self.exchanges if one.duration is not None]
        return sum(known[1:], known[0]) if known else None


def _tokens(exchanges: Iterable[Exchange], count: Callable[[Exchange], int | None]) -> int | None:
    """The sum over all requests but those that the server refused: a part of them is not the whole."""
    counts = [count(one) for one in exchanges if one.status is None or one.status < _REFUSED]
    known = [one for one in counts if one is not None]
    return sum(known) if known and len(known) == len(counts) else None


def _written(exchange: Exchange) -> int | None:
    """The tokens of the reply; embeddings have none."""
    return 0 if exchange.dialect == _EMBEDDINGS else exchange.output_tokens


def _is_silent(message: Message) -> bool:
    """Whether the message only stands for an item of a log that says nothing, such as reasoning."""
    if message.content or message.tool_calls or not message.metadata:
        return False
    source = message.metadata.get("source")
    raw = source.get("raw") if isinstance(source, dict) else None
    return isinstance(raw, dict) and raw.get("role") is None


class Simulation(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A part of a conversation in which a user was played: `turns` turns, of which `first` is the first.

    `user` is who played it (simulator, script, prober, function), `termination` why it ended and `reason`
    that in words. `faults` are what the player did wrong and did better when told, one a line; `asked` is
    how many moves it was asked for, tries included. `seed` is that of its random draws.
    """

    first: int
    turns: int
    termination: Termination
    reason: str = ""
    user: str = "simulator"
    goal: str = ""
    persona: str = ""
    max_turns: int | None = None
    faults: tuple[str, ...] = ()
    asked: int = 0
    seed: int | None = None


class Conversation(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The frozen record of a conversation. It holds no verdicts.

    `termination` says why it ended; None while it goes on, or for a log that does not say. `simulations` are
    the parts in which a user was played. `topic_graph` is the graph that it followed, None where it followed
    none.
    """

    id: str = ""
    turns: tuple[Turn, ...] = ()
    system: str | None = None
    name: str = ""
    termination: Termination | None = None
    metadata: dict[str, JsonValue] = {}
    simulations: tuple[Simulation, ...] = ()
    topic_graph: FollowedGraph | None = None

    def __str__(self) -> str:
        """The whole transcript, as failures show it."""
        layout = import_module("grice.matching.transcript")  # which stands above the records that it lays out
        return str(layout.transcript(self.turns, keep=len(self.turns)))

    @property
    def visits(self) -> tuple[TopicVisit, ...]:
        """The visits to topics in order: runs of turns of one topic. None where no graph was followed."""
        return visits_of((turn.number, turn.classified) for turn in self.turns)

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

    @property
    def input_tokens(self) -> int | None:
        """The tokens that the model was sent in all requests, None where a reply does not say."""
        return _tokens(self.exchanges, lambda one: one.input_tokens)

    @property
    def output_tokens(self) -> int | None:
        """The tokens of all the model's replies, None where one does not say."""
        return _tokens(self.exchanges, _written)

    def called_tool(self, name: str) -> bool:
        """Whether any turn called the tool of that name."""
        return any(call.name == name for call in self.tool_calls)

    def __iter__(self) -> Iterator[Turn]:
        return iter(self.turns)
