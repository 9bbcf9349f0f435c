"""Which tool message answers which call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import msgspec

from grice.records import Message, ToolCall

__all__ = ["CallPlace", "pair_results", "with_ids"]


class CallPlace(NamedTuple):
    """Where a call stands: the index of its message, and its own index there."""

    message: int
    call: int


class _Open(NamedTuple):
    place: CallPlace
    step: int
    call: ToolCall


def _place(item: _Open) -> CallPlace:
    return item.place


def pair_results(messages: Sequence[Message]) -> dict[int, CallPlace]:
    """The call that each tool message answers, by the index of the tool message.

    A result belongs to an earlier unanswered call with its id; ids repeat in real logs, so the nearest step
    of the agent counts, and in it the first such call. A result without id, or one whose call has none, goes
    by the tool's name, then by order.
    """
    pairs: dict[int, CallPlace] = {}
    unanswered: dict[str, list[_Open]] = {}  # by id
    step = 0
    for index, message in enumerate(messages):
        if message.role != "assistant":
            step += 1
        for number, call in enumerate(message.tool_calls):
            if not call.answered:
                unanswered.setdefault(call.id, []).append(_Open(CallPlace(index, number), step, call))
        if message.role == "tool" and (found := _answered_by(message, unanswered)):
            pairs[index] = found.place
            unanswered[found.call.id].remove(found)
    return pairs


def _answered_by(message: Message, unanswered: dict[str, list[_Open]]) -> _Open | None:
    if message.tool_call_id:
        if by_id := unanswered.get(message.tool_call_id):
            return _first_of_last_step(by_id)
        candidates = unanswered.get("", [])
    else:
        candidates = sorted(chain.from_iterable(unanswered.values()), key=_place)
    if message.name:
        candidates = [item for item in candidates if item.call.name == message.name]
    return _first_of_last_step(candidates)


def _first_of_last_step(candidates: list[_Open]) -> _Open | None:
    return next((item for item in candidates if item.step == candidates[-1].step), None)


def with_ids(messages: Sequence[Message]) -> list[Message]:
    """The messages with an id for every call and result that has none, the same for both sides of a pair."""
    if all(_identified(message) for message in messages):
        return list(messages)
    taken = {call.id for message in messages for call in message.tool_calls}
    fresh = _fresh_ids(taken | {message.tool_call_id or "" for message in messages})
    pairs = pair_results(messages)
    ids: dict[CallPlace, str] = {}
    named: list[Message] = []
    for index, message in enumerate(messages):
        calls: list[ToolCall] = []
        for number, call in enumerate(message.tool_calls):
            ids[CallPlace(index, number)] = name = call.id or next(fresh)
            calls.append(call if call.id else msgspec.structs.replace(call, id=name))
        answers = message.tool_call_id
        if message.role == "tool" and index in pairs:
            answers = ids[pairs[index]]
        elif message.role == "tool" and not answers:
            answers = next(fresh)
        named.append(msgspec.structs.replace(message, tool_calls=tuple(calls), tool_call_id=answers))
    return named


def _identified(message: Message) -> bool:
    return all(call.id for call in message.tool_calls) and (
        message.role != "tool" or bool(message.tool_call_id)
    )


def _fresh_ids(taken: set[str]) -> Iterator[str]:
    number = 0
    while True:
        number += 1
        if (name := f"call_{number}") not in taken:
            yield name
