"""The interface of a framework's module, and what all of them share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import islice
from typing import Any, ClassVar, Literal, Protocol

from grice.agents.messages import text_in
from grice.formats import turns_of
from grice.formats.turns import parse_result
from grice.records import AgentResponse, JsonValue, Message

Aspect = Literal["tool calls", "tool errors"]


class NativeAgent(ABC):
    """An agent of a framework, for one conversation: `chat` asks it and gives what the framework returned.

    `unseen` says what Grice cannot see of it, and why. The history is the framework's own: a turn sends what
    was said since the last one; only what was said before the first turn is translated.
    """

    framework: ClassVar[str]
    unseen: ClassVar[Mapping[Aspect, str]] = {}
    needs_asyncio = True
    _sent = 0

    def unsent(self, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The messages that an agent which keeps its history has not received yet."""
        before, new = split(messages)
        sent, self._sent = self._sent, len(messages)
        return new[max(0, sent - len(before)) :]

    @abstractmethod
    async def chat(self, messages: list[dict[str, Any]]) -> Any:
        """Ask the agent."""

    def metadata(self) -> dict[str, JsonValue]:
        """The agent's entry in the record."""
        unseen = {"unseen": dict(self.unseen)} if self.unseen else {}
        return {"framework": self.framework, **unseen}


class Framework(Protocol):
    """The interface of a framework's module."""

    def adapt(self, agent: object) -> NativeAgent | None:
        """The agent of one conversation, None for an object that is no agent of the framework."""

    def is_reply(self, value: object) -> bool:
        """Whether this is a reply of the framework, or a piece of one that is streamed."""
        ...

    def stream_of(self, value: object) -> AsyncIterator[object] | None:
        """The result of a reply that must be awaited; None for one that is there."""

    def responses(self, pieces: Sequence[object]) -> list[AgentResponse]:
        """What the agent said and did after the user's last message."""
        ...


def belongs_to(value: object, *packages: str) -> bool:
    """Whether a class of the value comes from one of these packages."""
    return any(one.__module__.partition(".")[0] in packages for one in type(value).__mro__)


def module_beside(value: object, package: str, name: str) -> Any:
    """A module of the package that the value's class comes from: it is there, as the value is."""
    found = next(one for one in type(value).__mro__ if one.__module__.partition(".")[0] == package)
    return import_module(f"{found.__module__.partition('.')[0]}.{name}" if name else package)


def responses_of(messages: Sequence[Message], data: JsonValue = None) -> list[AgentResponse]:
    """The agent's side after the user's last message; calls have the results that follow."""
    turns = turns_of(messages)
    if not turns:
        return [AgentResponse(data=data)] if data is not None else []
    calls = iter(turns[-1].tool_calls)
    said: list[AgentResponse] = []
    for message in turns[-1].messages:
        if message.role != "assistant":
            continue
        made = tuple(islice(calls, len(message.tool_calls)))
        if message.content and made and all(call.answered for call in made):
            said.append(AgentResponse(message.content))  # before its tools ran
            said.append(AgentResponse(tool_calls=made))
        elif message.content or made:
            said.append(AgentResponse(message.content, made))
    return [*said, AgentResponse(data=data)] if data is not None or not said else said


def split(messages: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Split off what is new after the history: the user's words, or answers to the client's calls."""
    start = len(messages)
    while start and messages[start - 1]["role"] in ("user", "tool"):
        start -= 1
    return list(messages[:start]), list(messages[start:])


def answers_in(new: Sequence[dict[str, Any]]) -> dict[str, JsonValue]:
    """The answers to calls, by the ids of the calls."""
    return {one["tool_call_id"]: parse_result(text_in(one)) for one in new if one["role"] == "tool"}


def approved(answer: object) -> bool:
    """The answer to a call that waits for approval. Raises ValueError for any but True and False."""
    if not isinstance(answer, bool):
        raise ValueError(f"a call that waits for approval is answered with True or False, found {answer!r}")
    return answer


def only_text(new: Sequence[dict[str, Any]], framework: str) -> str:
    """The text of the user's message. Raises ValueError for attachments."""
    if any(isinstance(one["content"], list) for one in new):
        raise ValueError(
            f"attachments are not passed to an agent of {framework}: "
            "write a function of `messages` that calls it with them"
        )
    return "\n".join(text_in(one) for one in new if one["role"] == "user")


def as_records(messages: Sequence[dict[str, Any]]) -> Iterator[Message]:
    """The messages as records."""
    from grice.formats import read_message

    for message in messages:
        yield from read_message(message, format="openai_chat")
