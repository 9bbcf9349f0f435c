"""A model that answers from a script and records every request, in process.

The seam is `ScriptedModel.respond`: a JSON request in, a JSON reply out. Clients and transports are doors to it.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from grice.records import Exchange, JsonValue, clean_json
from grice.wire.anthropic_messages import reply_body
from grice.wire.clients import AnthropicClient, AsyncAnthropicClient
from grice.wire.exchanges import SINK, ExchangeSink

__all__ = ["ScriptError", "ScriptedModel", "UnscriptedRequest", "UnusedReplies"]


class ScriptError(Exception):
    """The script of a model and what the agent did with it do not fit."""


class UnscriptedRequest(ScriptError):
    """The agent asked its model more often than replies are scripted."""


class UnusedReplies(ScriptError):
    """Scripted replies that the agent never asked for."""


class ScriptedModel:
    """A model that gives the scripted replies one after the other and records each request.

    A reply is a text, a `tool_use(...)`, a list of these and of content blocks, a whole reply body, or an
    exception to raise. `client` and `async_client` have the `messages.create(**request)` of the Anthropic
    SDK; `transport` takes the request as a dict and returns the reply as one. An unscripted request raises
    UnscriptedRequest in the agent and fails the conversation even when the agent hides it; so do replies
    that were never asked for.
    """

    def __init__(self, *replies: object) -> None:
        self.exchanges: list[Exchange] = []
        self.sink: ExchangeSink | None = None
        self._script: deque[object] = deque(replies)
        self._asked = 0
        self._scripted = len(replies)
        self._problems: list[str] = []
        self._lock = threading.Lock()

    def script(self, *replies: object) -> None:
        """Append replies to the script."""
        self._script.extend(replies)
        self._scripted += len(replies)

    @property
    def unused(self) -> int:
        """How many scripted replies have not been asked for."""
        return len(self._script)

    @property
    def problems(self) -> tuple[str, ...]:
        """Every request that had no scripted reply, in words."""
        return tuple(self._problems)

    def drop_unused(self) -> int:
        """Forget the replies that were not asked for, and say how many they were."""
        count = len(self._script)
        self._script.clear()
        return count

    def verify(self) -> None:
        """Raise UnscriptedRequest or UnusedReplies when script and requests did not fit."""
        if self._problems:
            raise UnscriptedRequest(self._problems[0])
        if self._script:
            raise UnusedReplies(
                f"{len(self._script)} of {self._scripted} scripted model replies were never asked for; "
                f"the next one was {_short(self._script[0])}"
            )

    def respond(self, request: Mapping[str, Any]) -> dict[str, JsonValue]:
        """The next scripted reply to a request in the Anthropic Messages shape. Raises UnscriptedRequest."""
        kept = clean_json(request)
        with self._lock:
            self._asked += 1
            number = self._asked
            if not self._script:
                problem = (
                    f"model request {number} has no scripted reply ({self._scripted} scripted); "
                    f"it ended with {_last_message(kept)}"
                )
                self._problems.append(problem)
                self._keep(Exchange(kept, None, error=problem))
                raise UnscriptedRequest(problem)
            scripted = self._script.popleft()
        if isinstance(scripted, BaseException):
            self._keep(Exchange(kept, None, error=f"{type(scripted).__name__}: {scripted}"))
            raise scripted
        body = reply_body(scripted, number=number, request=kept)
        self._keep(Exchange(kept, body))
        return clean_json(body)  # type: ignore[no-any-return]  # a copy: the agent may change what it is given

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


def _last_message(request: Mapping[str, JsonValue]) -> str:
    messages = request.get("messages")
    if not isinstance(messages, list) or not messages:
        return "no messages"
    return _short(messages[-1])


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "..."
