"""The dialects that a scripted model speaks, by name and by route."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from typing import Any, NamedTuple, Protocol

from grice.records import Exchange, JsonValue
from grice.wire import anthropic_messages, openai_chat, openai_responses
from grice.wire.errors import ScriptError
from grice.wire.replies import ModelReply

EMBEDDINGS = "openai_embeddings"

"""The dialect of exchanges about embeddings: these are computed, never scripted."""


class Dialect(NamedTuple):
    """One provider's API: the bodies of replies and errors, and a body as the events of a stream."""

    name: str
    route: str
    reply_body: Callable[[ModelReply, Mapping[str, JsonValue], int], dict[str, JsonValue]]
    events: Callable[[Mapping[str, Any], Mapping[str, JsonValue]], Iterator[tuple[str, object]]]
    error_body: Callable[[int, str], dict[str, JsonValue]]


DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            "anthropic",
            "/messages",
            anthropic_messages.reply_body,
            anthropic_messages.events,
            anthropic_messages.error_body,
        ),
        Dialect(
            "openai_chat",
            "/chat/completions",
            openai_chat.reply_body,
            openai_chat.events,
            openai_chat.error_body,
        ),
        Dialect(
            "openai_responses",
            "/responses",
            openai_responses.reply_body,
            openai_responses.events,
            openai_chat.error_body,
        ),
    )
}


EMBEDDINGS_DIALECT = DIALECTS["openai_chat"]._replace(name=EMBEDDINGS, route="/embeddings")
"""Embeddings as a real model has them; nothing of it is streamed."""


def dialect_named(name: str) -> Dialect:
    """The dialect of that name. Raises ValueError that lists them all."""
    if name not in DIALECTS:
        raise ValueError(f"unknown dialect {name!r}; there are {', '.join(DIALECTS)}")
    return DIALECTS[name]


class ExchangeSink(Protocol):
    """Takes the exchanges of one conversation, each with the model that was asked, and their problems.

    Its methods may be called from any thread. `running` says that it is in the middle of a turn.
    """

    @property
    def running(self) -> bool: ...  # noqa: D102
    def add_exchange(self, exchange: Exchange, model: object) -> None: ...  # noqa: D102
    def replace_exchange(self, old: Exchange, new: Exchange) -> None: ...  # noqa: D102
    def add_problem(self, problem: ScriptError) -> None: ...  # noqa: D102


SINK: ContextVar[ExchangeSink | None] = ContextVar("grice_exchange_sink", default=None)

"""The conversation whose agent is running, for models that are bound to none."""
