"""Tool calls that can be seen on the wire: asked for by the model, and answered to it in a later request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from grice.formats import FormatError, read_message
from grice.formats.detection import Format, known_format
from grice.formats.turns import parse_result
from grice.records import Exchange, Message, ToolCall

__all__ = ["seen_calls", "unreported"]

_CALLS = ("function_call", "custom_tool_call")


def seen_calls(exchanges: Sequence[Exchange]) -> list[ToolCall]:
    """The calls of a turn that its agent ran, with their results, in the order in which the model asked.

    A call that no later request answers was not run by anybody who told the model, and is left out.
    """
    calls = [call for exchange in exchanges for call in _asked(exchange)]
    if not calls:
        return []
    answers = {message.tool_call_id: message for one in exchanges[1:] for message in _answers(one)}
    return [_answered(call, answers[call.id]) for call in calls if call.id and call.id in answers]


def unreported(seen: Iterable[ToolCall], reported: Iterable[ToolCall]) -> list[ToolCall]:
    """The seen calls that the agent did not report itself.

    A report is of the call with its id, else of one with its name and arguments, else of one with its name:
    agents report what they made of the model's arguments.
    """
    left, known = list(seen), list(reported)
    for same in (_same_id, _same_call, _same_name):
        for call in list(left):
            report = next((one for one in known if same(one, call)), None)
            if report is not None:
                known.remove(report)
                left.remove(call)
    return left


def _same_id(one: ToolCall, other: ToolCall) -> bool:
    return one.id == other.id


def _same_call(one: ToolCall, other: ToolCall) -> bool:
    return one.name == other.name and one.arguments == other.arguments


def _same_name(one: ToolCall, other: ToolCall) -> bool:
    return one.name == other.name


def _asked(exchange: Exchange) -> Iterator[ToolCall]:
    if not exchange.asked_tools:
        return
    reply: dict[str, Any] = exchange.reply or {}
    match exchange.dialect:
        case "openai_chat":
            said = [choice.get("message") for choice in reply["choices"]]
        case "openai_responses":
            said = [item for item in reply["output"] if item.get("type") in _CALLS]
        case _:
            said = [{"role": "assistant", "content": reply.get("content")}]
    for message in _read(said, exchange.dialect):
        yield from message.tool_calls


def _answers(exchange: Exchange) -> Iterator[Message]:
    """The messages of a request that carry a tool's result."""
    likely = [one for one in exchange.messages if isinstance(one, dict) and _may_answer(one)]
    return (message for message in _read(likely, exchange.dialect) if message.role == "tool")


def _may_answer(raw: dict[str, Any]) -> bool:
    return (
        isinstance(raw.get("content"), list)
        or raw.get("role") == "tool"
        or str(raw.get("type")).endswith("_output")
    )


def _read(raws: Iterable[Any], dialect: str) -> Iterator[Message]:
    try:
        form: Format | None = known_format(dialect)
    except FormatError:
        form = None
    for raw in raws:
        try:
            yield from read_message(raw, format=form)
        except FormatError:
            continue  # the lint says what is wrong with it


def _answered(call: ToolCall, answer: Message) -> ToolCall:
    error = answer.content if answer.is_error else None
    result = parse_result(answer.content)
    return msgspec.structs.replace(call, result=result, error=error, source="wire")
