"""Embedders behind OpenAI's Embeddings API, and the endpoints that are compatible with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from grice.llm.budget import Budget
from grice.llm.client import ModelClient, Usage, encoded, token_count
from grice.llm.openai_llm import OWN_ADDRESS
from grice.matching.protocols import LLMError
from grice.records import JsonValue, LLMRequest, LLMResponse
from grice.text import value_text
from grice.wire.addresses import check_number

MAX_CHARACTERS = 24_000
"""Of a longer text the beginning is sent: models take some 8,000 tokens."""

BATCH = 256
"""Texts in one request."""


class OpenAIEmbedder:
    """Vectors from a model behind `/embeddings`, asked over HTTP.

    `base_url`, `api_key`, `headers`, `timeout`, `retries`, `max_concurrency`, `budget` and `parameters` are
    those of `OpenAILLM`. `dimensions` asks for shorter vectors. `threshold` is the cosine from which a reply
    is on its topic: it belongs to the model, so measure it on conversations of your own; below `off_topic` a
    reply is off it, and between the two it is undecided. Raises ValueError for what cannot work.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = OWN_ADDRESS,
        api_key: str | None = None,
        dimensions: int | None = None,
        threshold: float = 0.35,
        off_topic: float | None = None,
        headers: Mapping[str, str] | None = None,
        parameters: Mapping[str, Any] | None = None,
        timeout: float = 60.0,
        retries: int = 4,
        max_concurrency: int = 100,
        budget: Budget | None = None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        if dimensions is not None:
            check_number(dimensions, "dimensions", least=1)
        self.threshold = _cosine(threshold, "threshold")
        self.off_topic = self.threshold if off_topic is None else _cosine(off_topic, "off_topic")
        self.dimensions = dimensions
        self._client = _EmbeddingsClient(
            model,
            base_url=base_url,
            api_key=api_key,
            headers=headers if headers is not None else {},
            parameters=parameters if parameters is not None else {},
            timeout=timeout,
            retries=retries,
            max_concurrency=max_concurrency,
            budget=budget,
            pause=pause,
        )

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self.model!r}, threshold={self.threshold:g})"

    @property
    def model(self) -> str:
        """The model that is asked."""
        return self._client.model

    @property
    def name(self) -> str:
        """The provider and the model, for messages."""
        return self._client.name

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text, in order. Raises LLMError when there is none that can be read."""
        vectors: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            batch = [text[:MAX_CHARACTERS] or " " for text in texts[start : start + BATCH]]
            vectors += await self._client.vectors(batch, self.dimensions)
        return vectors


class _EmbeddingsClient(ModelClient):
    """The client of an endpoint that makes vectors, and gives no answers."""

    provider: ClassVar[str] = "openai"
    key_variable: ClassVar[str] = "OPENAI_API_KEY"
    ways: ClassVar[tuple[str, ...]] = ("json_schema",)

    async def vectors(self, texts: Sequence[str], dimensions: int | None) -> list[list[float]]:
        """A vector for each text. Raises LLMError."""
        fields: dict[str, JsonValue] = {"model": self.model, "input": list(texts)}
        if dimensions is not None:
            fields["dimensions"] = dimensions
        told = await self._told(encoded({**fields, **self.parameters}))
        found = told.get("data")
        rows = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else None
        if rows is None or len(rows) != len(texts):
            given = "no data" if rows is None else f"{len(rows)} vectors"
            self._refuse(f"{given} for {len(texts)} texts: {self._shown(told)}")
        places = [row.get("index", at) for at, row in enumerate(rows)]
        if sorted(map(str, places)) == sorted(map(str, range(len(rows)))):
            rows = [
                row for _, row in sorted(zip(places, rows, strict=True), key=lambda pair: int(str(pair[0])))
            ]
        return [self._vector(row) for row in rows]

    def _vector(self, row: Mapping[str, Any]) -> list[float]:
        try:
            return msgspec.convert(row.get("embedding"), list[float])
        except msgspec.ValidationError:
            self._refuse(f"an embedding that is no list of numbers: {self._shown(dict(row))}")

    async def _told(self, body: bytes) -> dict[str, JsonValue]:
        request = self._request(body)
        answered = await self._answered(request)
        told = self._parsed(request, answered.answer)
        if self.budget is not None:
            self._count(self.budget, self._usage(told), body, b"")
        return told

    def _path(self) -> str:
        return "/embeddings"

    def _credentials(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def _body(self, request: LLMRequest) -> dict[str, JsonValue]:  # noqa: ARG002 - as all clients have it
        raise LLMError(f"{self.name} makes vectors and gives no answers")

    def _response(self, body: Mapping[str, Any]) -> LLMResponse:  # noqa: ARG002 - as all clients have it
        raise LLMError(f"{self.name} makes vectors and gives no answers")

    def _usage(self, body: Mapping[str, Any]) -> Usage:
        usage = body.get("usage")
        told = usage if isinstance(usage, dict) else {}
        return Usage(token_count(told.get("prompt_tokens")), 0)


def _cosine(given: object, name: str) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not -1 <= given <= 1:
        raise ValueError(f"{name}: expected a cosine from -1 to 1, found {value_text(given)}")
    return float(given)
