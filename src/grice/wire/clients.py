"""Doors to a scripted model that look like an SDK's client."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grice.records import JsonValue

__all__ = ["AnthropicClient", "AsyncAnthropicClient", "Body"]

Respond = Callable[[Mapping[str, Any]], dict[str, JsonValue]]


class Body(dict[str, Any]):
    """A reply body whose fields are attributes too, nested ones included, as SDK objects have them."""

    def __getattr__(self, name: str) -> Any:
        try:
            return _wrapped(self[name])
        except KeyError:
            raise AttributeError(f"the reply has no {name!r}, only {', '.join(self)}") from None

    def model_dump(self) -> dict[str, Any]:
        """The body as a plain dict."""
        return dict(self)


def _wrapped(value: object) -> object:
    if isinstance(value, dict):
        return Body(value)
    if isinstance(value, list):
        return [_wrapped(item) for item in value]
    return value


class _Messages:
    def __init__(self, respond: Respond) -> None:
        self._respond = respond

    def create(self, **request: Any) -> Body:
        """The next scripted reply. Raises UnscriptedRequest, and ValueError for a streaming request."""
        return _create(self._respond, request)


class _AsyncMessages:
    def __init__(self, respond: Respond) -> None:
        self._respond = respond

    async def create(self, **request: Any) -> Body:
        """The next scripted reply. Raises UnscriptedRequest, and ValueError for a streaming request."""
        return _create(self._respond, request)


def _create(respond: Respond, request: Mapping[str, Any]) -> Body:
    if request.get("stream"):
        raise ValueError("the scripted model in process does not stream: leave out stream=True")
    return Body(respond(request))


class AnthropicClient:
    """A scripted model behind `client.messages.create(...)`."""

    def __init__(self, respond: Respond) -> None:
        self.messages = _Messages(respond)


class AsyncAnthropicClient:
    """A scripted model behind `await client.messages.create(...)`."""

    def __init__(self, respond: Respond) -> None:
        self.messages = _AsyncMessages(respond)
