"""Doors to a scripted model that look like an SDK's client."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any, Final, NoReturn

from grice.wire.dialects import DIALECTS
from grice.wire.openai_chat import DONE

if TYPE_CHECKING:
    from grice.wire.scripted import ScriptedModel

__all__ = ["AnthropicClient", "AsyncAnthropicClient", "AsyncOpenAIClient", "Body", "OpenAIClient"]

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
        """The body as a plain dict; the options of the SDK's method are taken and change nothing."""
        return dict(self)

    def to_dict(self, **_: Any) -> dict[str, Any]:
        """The body as a plain dict."""
        return dict(self)


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


class _Resource:
    """One endpoint: `create(**request)`, which streams the raw events with `stream=True`."""

    def __init__(self, model: ScriptedModel, dialect: str) -> None:
        self._model: Final = model
        self._dialect: Final = DIALECTS[dialect]

    def create(self, **request: Any) -> Any:
        """The next scripted reply, or with `stream=True` an iterator over its events.

        Raises UnscriptedRequest, and ModelFault for a scripted Fault.
        """
        sent = _sent(request)
        body = self._model.respond(sent, self._dialect.name)
        if sent.get("stream") is True:
            return self._streamed(body, sent)
        return Response(body) if self._dialect.name == "openai_responses" else Body(body)

    def stream(self, **_: Any) -> NoReturn:
        """Refused: `create(stream=True)` gives the events; the SDK's own client has the rest."""
        raise ValueError(
            "the client in process has no stream(): use create(stream=True), or the SDK's own client with "
            "the scripted model's url and key"
        )

    def _streamed(self, body: dict[str, Any], sent: dict[str, Any]) -> Iterator[Body]:
        for _, event in self._dialect.events(body, sent):
            if event != DONE:
                yield Body(event)  # type: ignore[call-overload]


class _AsyncResource(_Resource):
    async def create(self, **request: Any) -> Any:
        """The next scripted reply, or with `stream=True` an asynchronous iterator over its events."""
        made = super().create(**request)
        return made if isinstance(made, Body) else _each(made)


async def _each(events: Iterator[Body]) -> AsyncIterator[Body]:
    for event in events:
        yield event


class _Embeddings:
    def __init__(self, model: ScriptedModel) -> None:
        self._model: Final = model

    def create(self, **request: Any) -> Body:
        """The vectors of the texts."""
        return Body(self._model.embed(_sent(request)))


class _AsyncEmbeddings(_Embeddings):
    async def create(self, **request: Any) -> Body:  # type: ignore[override]
        """The vectors of the texts."""
        return super().create(**request)


def _sent(request: dict[str, Any]) -> dict[str, Any]:
    sent = {name: value for name, value in request.items() if _is_sent(name, value)}
    return sent | (request.get("extra_body") or {})


def _is_sent(name: str, value: object) -> bool:
    return name not in _NOT_SENT and type(value).__name__ not in ("NotGiven", "Omit")


class AnthropicClient:
    """A scripted model behind `client.messages.create(...)`."""

    def __init__(self, model: ScriptedModel) -> None:
        self.messages = _Resource(model, "anthropic")


class AsyncAnthropicClient:
    """A scripted model behind `await client.messages.create(...)`."""

    def __init__(self, model: ScriptedModel) -> None:
        self.messages = _AsyncResource(model, "anthropic")


class _Chat:
    def __init__(self, completions: _Resource) -> None:
        self.completions = completions


class OpenAIClient:
    """A scripted model behind `client.chat.completions`, `client.responses` and `client.embeddings`."""

    def __init__(self, model: ScriptedModel) -> None:
        self.chat = _Chat(_Resource(model, "openai_chat"))
        self.responses = _Resource(model, "openai_responses")
        self.embeddings = _Embeddings(model)


class AsyncOpenAIClient:
    """The same with `create` to be awaited."""

    def __init__(self, model: ScriptedModel) -> None:
        self.chat = _Chat(_AsyncResource(model, "openai_chat"))
        self.responses = _AsyncResource(model, "openai_responses")
        self.embeddings = _AsyncEmbeddings(model)
