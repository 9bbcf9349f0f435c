"""The tool calls that a model's reply asks for, whatever shape it has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from grice.formats.conversation import read_message
from grice.formats.detection import Format, known_format
from grice.formats.errors import FormatError
from grice.records import Exchange, Message, ToolCall

_CALLS = ("function_call", "custom_tool_call")


def asked_calls(exchange: Exchange) -> Iterator[ToolCall]:
    """The calls in the model's reply, whatever shape that has."""
    if not exchange.asked_tools:
        return
    reply: dict[str, Any] = exchange.reply or {}
    choices = [one.get("message") for one in _dicts(reply.get("choices"))]
    items = [one for one in _dicts(reply.get("output")) if one.get("type") in _CALLS]
    content = _dicts(reply.get("content"))
    said: list[tuple[Format, list[Any]]] = [
        ("openai_chat", _dicts(choices)),
        ("openai_responses", items),
        ("anthropic", [{"role": "assistant", "content": content}] if content else []),
    ]
    for form, raws in said:
        for message in read_all_that_can(raws, form):
            yield from message.tool_calls


def _dicts(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def read_all_that_can(raws: Iterable[Any], dialect: str) -> Iterator[Message]:
    """The messages of a request or reply; those that cannot be read are left out."""
    try:
        form: Format | None = known_format(dialect)
    except FormatError:
        form = None
    for raw in raws:
        try:
            yield from read_message(raw, format=form)
        except FormatError:
            continue  # the lint says what is wrong with it
