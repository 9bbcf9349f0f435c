"""The protocols that users implement."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from grice.records import LLMRequest, LLMResponse

OnToolCall = Callable[..., None]
"""`on_tool_call(name, arguments=None, result=..., error=None, id="")`: an agent signals a tool call."""


class Agent(Protocol):
    """The thing under test.

    `messages` are dicts in the OpenAI Chat shape (`role`, `content`, `tool_calls`, `tool_call_id`), oldest
    first. The answer is an AgentResponse, a text, or a dict with `text`, `tool_calls` and `data`; it may be
    awaitable. `on_tool_call` may be left out of the signature.
    """

    def chat(  # noqa: D102
        self, messages: list[dict[str, Any]], on_tool_call: OnToolCall
    ) -> Any | Awaitable[Any]: ...


class LLM(Protocol):
    """A model that Grice itself uses, as judge or simulated user.

    `messages` are dicts with `role` and `content`, `schema` the JSON Schema of the answer that is wanted. The
    answer is an LLMResponse, a text, or the JSON value that the schema asks for; it may be awaitable. Of the
    options (`schema`, `schema_name`, `purpose`, `subject`, `max_tokens`, `temperature`, `seed`, `sample`, and
    `response_format`, "json" or "text") those are passed that the signature has. An exception is no answer.
    """

    def complete(self, messages: list[dict[str, Any]], **options: Any) -> Any | Awaitable[Any]: ...  # noqa: D102


class Embedder(Protocol):
    """What makes vectors of texts, so that texts of like meaning lie close together.

    `name` is for messages and records. `threshold` is the cosine similarity from which a reply counts as on
    the topic of its question: it belongs to the embedder, not to the check. `embed` gives a vector for each
    text, in order; it may be awaitable, and an exception is no answer.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def threshold(self) -> float: ...  # noqa: D102

    def embed(  # noqa: D102
        self, texts: Sequence[str]
    ) -> Sequence[Sequence[float]] | Awaitable[Sequence[Sequence[float]]]: ...


class BoundLLM(Protocol):
    """Any LLM behind one face, as clients, adapters and cassettes have it. `name` is for messages.

    `provider` and `model` are what requests are sent to, "" when nobody says.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def provider(self) -> str: ...  # noqa: D102
    @property
    def model(self) -> str: ...  # noqa: D102

    async def ask(self, request: LLMRequest) -> LLMResponse:
        """The answer to the request. Raises LLMError when there is none."""
        ...


def missing_reason(llm: BoundLLM | None) -> str:
    """Why asking this is asking nobody: it stands where no LLM can be had; "" for an LLM."""
    return "no LLM is configured" if llm is None else str(getattr(llm, "missing", ""))


class LLMError(Exception):
    """An LLM gave no answer: it is not configured, failed, timed out, or no cassette has what it said."""

    __module__ = "grice"


class BudgetSpent(LLMError):
    """An LLM was not asked, because what the operator allowed is spent."""

    __module__ = "grice"
