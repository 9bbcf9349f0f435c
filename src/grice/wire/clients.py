"""Doors to a scripted model that look like an SDK's client."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from grice.records import JsonValue

__all__ = ["AnthropicClient", "AsyncAnthropicClient", "Body"]

Respond = Callable[[Mapping[str, Any]], dict[str, JsonValue]]

_NOT_SENT = ("extra_headers", "extra_query", "extra_body", "timeout")
"""Arguments of the SDK's `create` that are not fields of the request."""


class Body(dict[str, Any]):
    """A reply body whose fields are attributes too, nested ones included, as SDK objects have them."""

    def __getattr__(self, name: str) -> Any:
        try:
            return _wrapped(self[name])
        except KeyError:
            raise AttributeError(f"the reply has no {name!r}, only {', '.join(self)}") from None

    def model_dump(self, **_: Any) -> dict[str, Any]:
        """The body as a plain dict; the options of the SDK's method are taken and change nothing."""
        return dict(self)

    def to_dict(self, **_: Any) -> dict[str, Any]:
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

    def stream(self, **_: Any) -> NoReturn:
        """Refused: the scripted model in process does not stream."""
        _refuse_streaming()


class _AsyncMessages:
    def __init__(self, respond: Respond) -> None:
        self._respond = respond

    async def create(self, **request: Any) -> Body:
        """The next scripted reply. Raises UnscriptedRequest, and ValueError for a streaming request."""
        return _create(self._respond, request)

    def stream(self, **_: Any) -> NoReturn:
        """Refused: the scripted model in process does not stream."""
        _refuse_streaming()


def _create(respond: Respond, request: dict[str, Any]) -> Body:
    if request.get("stream") is True:
        _refuse_streaming()
    sent = {name: value for name, value in request.items() if _is_sent(name, value)}
    return Body(respond(sent | (request.get("extra_body") or {})))


def _is_sent(name: str, value: object) -> bool:
    return name not in _NOT_SENT and type(value).__name__ not in ("NotGiven", "Omit")


def _refuse_streaming() -> NoReturn:
    raise ValueError(
        "the scripted model in process does not stream: call messages.create without stream=True"
    )


class AnthropicClient:
    """A scripted model behind `client.messages.create(...)`."""

    def __init__(self, respond: Respond) -> None:
        self.messages = _Messages(respond)


class AsyncAnthropicClient:
    """A scripted model behind `await client.messages.create(...)`."""

    def __init__(self, respond: Respond) -> None:
        self.messages = _AsyncMessages(respond)
