"""A model that answers from a script and records every request, in process.

The seam is `ScriptedModel.respond`: a JSON request in, a JSON reply out. Clients and transports are doors to
it.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from grice.records import Exchange, JsonValue, clean_json
from grice.text import value_text
from grice.wire.anthropic_messages import reply_body
from grice.wire.clients import AnthropicClient, AsyncAnthropicClient
from grice.wire.exchanges import SINK, ExchangeSink

__all__ = ["ScriptError", "ScriptedModel", "UnscriptedRequest", "UnusedReplies"]


class ScriptError(Exception):
    """The script of a model and what the agent did with it do not fit."""


class UnscriptedRequest(ScriptError):
    """The agent asked its model more often than replies are scripted."""

    __module__ = "grice"


class UnusedReplies(ScriptError):
    """Scripted replies that the agent never asked for."""

    __module__ = "grice"


class ScriptedModel:
    """A model that gives the scripted replies one after the other and records each request.

    A reply is a text, a `tool_use(...)`, a list of these and of content blocks, a whole reply body, or an
    exception to raise. `client` and `async_client` have the `messages.create(**request)` of the Anthropic
    SDK; `transport` takes the request as a dict and returns the reply as one. An unscripted request raises
    UnscriptedRequest in the agent and fails the conversation even when the agent hides it; so do replies
    that were never asked for. It may be asked from several threads.
    """

    def __init__(self, *replies: object) -> None:
        self.exchanges: list[Exchange] = []
        self.sink: ExchangeSink | None = None
        self.problems: list[str] = []
        self._script: deque[dict[str, JsonValue] | BaseException] = deque()
        self._asked = 0
        self._scripted = 0
        self._lock = threading.Lock()
        self.script(*replies)

    def leave(self, sink: ExchangeSink) -> None:
        """Record for this conversation no more: it has ended."""
        if self.sink is sink:
            self.sink = None

    def script(self, *replies: object) -> None:
        """Append replies to the script. Raises TypeError for what is no reply."""
        self._script.extend([_read(reply, self._scripted + i) for i, reply in enumerate(replies, 1)])
        self._scripted += len(replies)

    @property
    def asked(self) -> int:
        """How many requests there were."""
        return self._asked

    @property
    def unused(self) -> int:
        """How many scripted replies have not been asked for."""
        return len(self._script)

    def drop_unused(self) -> int:
        """Forget the replies that were not asked for, and say how many they were."""
        count = len(self._script)
        self._script.clear()
        return count

    def verify(self) -> None:
        """Raise UnscriptedRequest or UnusedReplies when script and requests did not fit."""
        if self.problems:
            raise UnscriptedRequest(self.problems[0])
        self.verify_used()

    def verify_used(self) -> None:
        """Raise UnusedReplies when a scripted reply was not asked for."""
        if self._script:
            raise UnusedReplies(
                f"{len(self._script)} of {self._scripted} scripted model replies were never asked for; "
                f"the next one was {_described(self._script[0])}"
            )

    def respond(self, request: Mapping[str, Any]) -> dict[str, JsonValue]:
        """The next scripted reply to a request in the Anthropic Messages shape. Raises UnscriptedRequest."""
        kept = clean_json(request)
        if not isinstance(kept, dict):
            raise TypeError(f"a request to a model is a mapping, found {value_text(request)}")
        with self._lock:
            self._asked += 1
            scripted = self._script.popleft() if self._script else self._unscripted(kept)
            if isinstance(scripted, BaseException):
                unscripted = isinstance(scripted, UnscriptedRequest)
                said = str(scripted) if unscripted else f"{type(scripted).__name__}: {scripted}"
                self._keep(Exchange(kept, None, error=said))
                raise scripted
            if scripted["model"] is None:
                scripted["model"] = kept.get("model", "scripted")
            body = clean_json(scripted)
            self._keep(Exchange(kept, body))
        return copy_json(body)  # the agent may change what it is given

    def _unscripted(self, request: Mapping[str, JsonValue]) -> UnscriptedRequest:
        problem = (
            f"model request {self._asked} has no scripted reply ({self._scripted} scripted); "
            f"it ended with {_last_message(request)}"
        )
        self.problems.append(problem)
        sink = self.sink or SINK.get()
        if sink is not None:
            sink.add_problem(problem)
        return UnscriptedRequest(problem)

    def _keep(self, exchange: Exchange) -> None:
        self.exchanges.append(exchange)
        sink = self.sink or SINK.get()
        if sink is not None:
            sink.add_exchange(exchange, self)

    @property
    def transport(self) -> Callable[[Mapping[str, Any]], dict[str, JsonValue]]:
        """For agents that take a function from request to reply."""
        return self.respond

    @property
    def client(self) -> AnthropicClient:
        """For agents that take an Anthropic client."""
        return AnthropicClient(self.respond)

    @property
    def async_client(self) -> AsyncAnthropicClient:
        """For agents that take an asynchronous Anthropic client."""
        return AsyncAnthropicClient(self.respond)


def _read(reply: object, number: int) -> dict[str, JsonValue] | BaseException:
    if isinstance(reply, type) and issubclass(reply, BaseException):
        return reply()
    return reply if isinstance(reply, BaseException) else reply_body(reply, number)


def copy_json(body: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """A copy of a clean JSON object."""
    return msgspec.json.decode(msgspec.json.encode(body))  # type: ignore[no-any-return]


def _last_message(request: Mapping[str, JsonValue]) -> str:
    messages = request.get("messages")
    if not isinstance(messages, list) or not messages:
        return "no messages"
    return value_text(messages[-1])


def _described(scripted: dict[str, JsonValue] | BaseException) -> str:
    return value_text(scripted if isinstance(scripted, BaseException) else scripted["content"])
