"""Which tool message answers which call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import msgspec

from grice.formats.calls import REQUESTOR
from grice.records import Message, ToolCall

_MOST_OPEN = 1_000
"""The calls without result that are waited for where conversations have no end."""


class CallPlace(NamedTuple):
    """Where a call stands: the index of its message, and its own index there."""

    message: int
    call: int


class _Open(NamedTuple):
    place: CallPlace
    step: int
    call: ToolCall


def pair_results(messages: Sequence[Message]) -> dict[int, CallPlace]:
    """The call that each tool message answers, by the index of the tool message.

    A result belongs to an earlier unanswered call with its id; ids repeat in real logs, so the nearest step
    of the agent counts, and in it the first such call. A result without id, or one whose call has none, goes
    by the tool's name, then by order.
    """
    pairs: dict[int, CallPlace] = {}
    calls = _OpenCalls()
    for index, message in enumerate(messages):
        if message.role != "assistant":
            calls.step += 1
        for number, call in enumerate(message.tool_calls):
            if not call.answered:  # one that holds its result waits for none
                calls.add(call, CallPlace(index, number))
        if message.role == "tool":
            place = calls.answer(message.tool_call_id, message.name)
            if place is not None:
                pairs[index] = place
    return pairs


class _OpenCalls:
    """The calls of a conversation that no result has answered yet, while its messages come one by one.

    `step` grows with every message that is not the agent's: the calls of one step are made at once. `waiting`
    counts the calls.
    """

    __slots__ = ("_by_id", "step", "waiting")

    def __init__(self) -> None:
        self.step = 0
        self.waiting = 0
        self._by_id: dict[str, list[_Open]] = {}

    def add(self, call: ToolCall, place: CallPlace) -> None:
        """Take a call that waits for its result."""
        self._by_id.setdefault(call.id, []).append(_Open(place, self.step, call))
        self.waiting += 1

    def forget_first(self) -> None:
        """Wait no longer for the call whose id was seen first."""
        self._take(next(iter(self._by_id.values()))[0])

    def answer(self, id: str | None, name: str | None) -> CallPlace | None:  # noqa: A002
        """The place of the call that a result of this call id and tool name answers; it waits no longer."""
        found = self._answered_by(id, name)
        if found is None:
            return None
        self._take(found)
        return found.place

    def _take(self, found: _Open) -> None:
        alike = self._by_id[found.call.id]
        alike.remove(found)
        self.waiting -= 1
        if not alike:
            del self._by_id[found.call.id]

    def _answered_by(self, id: str | None, name: str | None) -> _Open | None:  # noqa: A002
        if id:
            if by_id := self._by_id.get(id):
                return _first_of_last_step(by_id)
            candidates = self._by_id.get("", [])
        else:
            candidates = sorted(chain.from_iterable(self._by_id.values()))
        if name:
            candidates = [item for item in candidates if item.call.name == name]
        return _first_of_last_step(candidates)


def _first_of_last_step(candidates: list[_Open]) -> _Open | None:
    return next((item for item in candidates if item.step == candidates[-1].step), None)


class Orphans:
    """Counts the tool results that match no call, as the messages of a conversation come one by one.

    Those of the user's own tools do not count. A call that holds its result may have it in a message too.
    """

    __slots__ = ("_calls", "_number", "count")

    def __init__(self) -> None:
        self.count = 0
        self._calls = _OpenCalls()
        self._number = 0

    def user(self) -> None:
        """Take a message that neither calls nor answers."""
        self._calls.step += 1

    def take(self, message: Message) -> None:
        """Take the next message."""
        if message.role == "assistant":
            for call in message.tool_calls:
                self._number += 1
                self._calls.add(call, CallPlace(self._number, 0))
                if self._calls.waiting > _MOST_OPEN:
                    self._calls.forget_first()
        elif message.role == "tool" and message.metadata.get(REQUESTOR) != "user":
            self.result(message.tool_call_id, message.name)
        else:
            self.user()

    def result(self, id: str | None, name: str | None) -> None:  # noqa: A002
        """Take a result of this call id and tool name."""
        self._calls.step += 1
        self.count += self._calls.answer(id, name) is None


def orphan_results(messages: Sequence[Message]) -> int:
    """How many of the tool results match no call before them."""
    if not any(message.role == "tool" for message in messages):
        return 0
    orphans = Orphans()
    for message in messages:
        orphans.take(message)
    return orphans.count


def orphans_told(count: int) -> str:
    """What is said of a file with tool results that match no call."""
    found = "1 tool result matches" if count == 1 else f"{count:,} tool results match"
    return f"{found} no call: findings on tools are unreliable"


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
