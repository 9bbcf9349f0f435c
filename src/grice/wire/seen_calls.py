"""Tool calls seen on the wire: asked for by the model, and answered to it in a later request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from grice.formats.asked_calls import asked_calls, read_all_that_can
from grice.formats.turns import parse_result
from grice.records import Exchange, Message, ToolCall


def seen_calls(exchanges: Sequence[Exchange]) -> list[ToolCall]:
    """The calls of a turn that its agent ran, with their results, in the order in which the model asked.

    A call was run when a later request has one more result of its id than the request that it answered: ids
    may repeat, in the turn and in what came before it. A call that no later request answers is left out.
    """
    asked = [(place, call) for place, one in enumerate(exchanges) for call in asked_calls(one) if call.id]
    if not asked:
        return []
    results = [_results(exchange) for exchange in exchanges]
    found: dict[tuple[str, int], ToolCall] = {}
    for place, call in asked:
        known = len(results[place].get(call.id, ()))
        later = (one[call.id] for one in results[place + 1 :] if len(one.get(call.id, ())) > known)
        answers = next(later, None)
        if answers is not None:
            found[call.id, known] = _with_result(call, answers[known])
    return list(found.values())


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


def _results(exchange: Exchange) -> dict[str, list[Message]]:
    """The tool results in a request, by the id of their call, in order."""
    found: dict[str, list[Message]] = {}
    likely = [one for one in exchange.messages if isinstance(one, dict) and _may_answer(one)]
    for message in read_all_that_can(likely, exchange.dialect):
        if message.role == "tool" and message.tool_call_id:
            found.setdefault(message.tool_call_id, []).append(message)
    return found


def _may_answer(raw: dict[str, Any]) -> bool:
    return (
        isinstance(raw.get("content"), list)
        or raw.get("role") == "tool"
        or str(raw.get("type")).endswith("_output")
    )


def _with_result(call: ToolCall, answer: Message) -> ToolCall:
    error = answer.content if answer.is_error else None
    result = parse_result(answer.content)
    return msgspec.structs.replace(call, result=result, error=error, source="wire")
