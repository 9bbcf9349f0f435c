"""The reader and the writer of every format, by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grice.formats import adk, anthropic, langchain, openai_chat, openai_responses, otel, tau2
from grice.formats.detection import Format
from grice.records import Message

READERS: dict[Format, Callable[[dict[str, Any]], list[Message]]] = {
    "adk": adk.read,
    "anthropic": anthropic.read,
    "langchain": langchain.read,
    "openai_chat": openai_chat.read,
    "openai_responses": openai_responses.read,
    "otel": otel.read,
    "tau2": tau2.read,
}

WRITERS: dict[Format, Callable[[list[Message]], list[dict[str, Any]]]] = {
    "adk": adk.write,
    "anthropic": anthropic.write,
    "langchain": langchain.write,
    "openai_chat": openai_chat.write,
    "openai_responses": openai_responses.write,
    "otel": otel.write,
    "tau2": tau2.write,
}

IN_BLOCKS: dict[Format, Callable[[dict[str, Any]], list[dict[str, Any]]]] = {
    "adk": adk.in_blocks,
    "langchain": langchain.in_blocks,
    "otel": otel.in_blocks,
    "tau2": tau2.in_blocks,
}
"""For the formats that are read as Anthropic's blocks: their messages in these."""
