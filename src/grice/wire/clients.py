"""Clients of a scripted model that look like those of SDKs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, Self

from grice.wire.dialects import DIALECTS
from grice.wire.model_protocols import AskedModel
from grice.wire.openai_chat import DONE

_NOT_SENT = ("extra_headers", "extra_query", "extra_body", "timeout")
"""Arguments of the SDK's `create` that are not fields of the request."""


class Body(dict[str, Any]):
    """A reply body whose fields are attributes too, nested ones included, as SDK objects have them.

    Fields that providers may leave out, and SDK objects then have as None, are None here too.
    """

    _left_out = frozenset(
        {
            "annotations",
            "audio",
            "cache_creation_input_tokens",
            "cache_read_input_tokens",
            "citations",
            "completion_tokens_details",
            "function_call",
            "prompt_tokens_details",
            "refusal",
            "service_tier",
            "system_fingerprint",
            "tool_calls",
            "usage",
        }
    )

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return _wrapped(self[name], Delta if name == "delta" else type(self))
        if name in self._left_out:
            return None
        raise AttributeError(f"the reply has no {name!r}, only {', '.join(self)}")

    def model_dump(self, **_: Any) -> dict[str, Any]:
        """The body as a plain dict; the options of the SDK's method are accepted and ignored."""
        return dict(self)

    def to_dict(self, **_: Any) -> dict[str, Any]:
        """The body as a plain dict."""
        return dict(self)

    def model_dump_json(self, *, indent: int | None = None, **_: Any) -> str:
        """The body as JSON; other options of the SDK's method are accepted and ignored."""
        return json.dumps(self, indent=indent, ensure_ascii=False)

    def to_json(self, *, indent: int | None = 2, **_: Any) -> str:
        """The body as JSON, on several lines as the SDKs write it."""
        return json.dumps(self, indent=indent, ensure_ascii=False)


class Delta(Body):
    """What an event of a stream adds; an OpenAI chunk leaves out what it does not add to."""

    _left_out = Body._left_out | {"arguments", "content", "function", "id", "name", "role", "type"}


class Response(Body):
    """A reply of the Responses API."""

    @property
    def output_text(self) -> str:
        """The texts of all messages of the reply, joined."""
        items = [item for item in self["output"] if item.get("type") == "message"]
        return "".join(part.get("text", "") for item in items for part in item["content"])


def _wrapped(value: object, kind: type[Body]) -> object:
    if isinstance(value, dict):
        if value.get("object") == "response":
            return Response(value)
        return (Delta if kind is Delta else Body)(value)
    if isinstance(value, list):
        return [_wrapped(item, kind) for item in value]
    return value


class _Door:
    """Something that has less than it has in the SDK: what is missing is refused in words."""

    _name = "client"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(
            f"the {self._name} in process has no {name!r}: use create(...), with stream=True for the events, "
            "or the SDK's own client with the scripted model's url and key"
        )


class _Resource(_Door):
    """One endpoint: `create(**request)`, which streams the raw events with `stream=True`."""

    _name = "client's endpoint"

    def __init__(self, model: AskedModel, dialect: str) -> None:
        self._model: Final = model
        self._dialect: Final = DIALECTS[dialect]

    def create(self, **request: Any) -> Any:
        """The next scripted reply, or with `stream=True` an iterator over its events.

        Raises UnscriptedRequest, and ModelFault for a scripted Fault.
        """
        sent = _clean_request(request)
        body = self._model.respond(sent, self._dialect.name)
        if sent.get("stream") is True:
            return self._streamed(body, sent)
        return Response(body) if self._dialect.name == "openai_responses" else Body(body)

    def _streamed(self, body: dict[str, Any], sent: dict[str, Any]) -> Stream:
        events = self._dialect.events(body, sent)
        return Stream(Body(event) for _, event in events if event != DONE)  # type: ignore[call-overload]


class _AsyncResource(_Resource):
    async def create(self, **request: Any) -> Any:
        """The next scripted reply, or with `stream=True` an asynchronous iterator over its events."""
        made = super().create(**request)
        return made if isinstance(made, Body) else AsyncStream(made)


class Stream:
    """The events of a streamed reply, once; a context manager too, as in the SDKs."""

    def __init__(self, events: Iterator[Body]) -> None:
        self._events = events

    def __iter__(self) -> Iterator[Body]:
        return self

    def __next__(self) -> Body:
        return next(self._events)

    def close(self) -> None:
        """Read no further."""
        self._events = iter(())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncStream:
    """A Stream for `async for` and `async with`."""

    def __init__(self, events: Stream) -> None:
        self._events = events

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Body:
        for event in self._events:
            return event
        raise StopAsyncIteration

    async def close(self) -> None:
        """Read no further."""
        self._events.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._events.close()


class _Embeddings(_Door):
    _name = "client's embeddings"

    def __init__(self, model: AskedModel) -> None:
        self._model: Final = model

    def create(self, **request: Any) -> Body:
        """The vectors of the texts."""
        return Body(self._model.embed(_clean_request(request)))


class _AsyncEmbeddings(_Embeddings):
    async def create(self, **request: Any) -> Body:  # type: ignore[override]
        """The vectors of the texts."""
        return super().create(**request)


def _clean_request(request: dict[str, Any]) -> dict[str, Any]:
    sent = {name: value for name, value in request.items() if _is_sent(name, value)}
    return sent | (request.get("extra_body") or {})


def _is_sent(name: str, value: object) -> bool:
    return name not in _NOT_SENT and type(value).__name__ not in ("NotGiven", "Omit")


class _Client(_Door):
    """What all clients have: they open nothing, and take the SDK's options without effect."""

    def with_options(self, **_: Any) -> Self:
        """The same client: retries, time-outs and headers are of HTTP."""
        return self

    copy = with_options

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class _AsyncClient(_Door):
    def with_options(self, **_: Any) -> Self:
        """The same client: retries, time-outs and headers are of HTTP."""
        return self

    copy = with_options

    async def close(self) -> None:
        """Nothing is open."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass


class AnthropicClient(_Client):
    """A scripted model behind `client.messages.create(...)`."""

    def __init__(self, model: AskedModel) -> None:
        self.messages = _Resource(model, "anthropic")


class AsyncAnthropicClient(_AsyncClient):
    """A scripted model behind `await client.messages.create(...)`."""

    def __init__(self, model: AskedModel) -> None:
        self.messages = _AsyncResource(model, "anthropic")


class _Chat(_Door):
    _name = "client's chat"

    def __init__(self, completions: _Resource) -> None:
        self.completions = completions


class OpenAIClient(_Client):
    """A scripted model behind `client.chat.completions`, `client.responses` and `client.embeddings`."""

    def __init__(self, model: AskedModel) -> None:
        self.chat = _Chat(_Resource(model, "openai_chat"))
        self.responses = _Resource(model, "openai_responses")
        self.embeddings = _Embeddings(model)


class AsyncOpenAIClient(_AsyncClient):
    """An OpenAIClient whose `create` is awaited."""

    def __init__(self, model: AskedModel) -> None:
        self.chat = _Chat(_AsyncResource(model, "openai_chat"))
        self.responses = _AsyncResource(model, "openai_responses")
        self.embeddings = _AsyncEmbeddings(model)
