"""The records of products that a conversation has seen, by their ids."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET

from grice.formats.turns import parse_result
from grice.matching.context import Context
from grice.records import Conversation, JsonValue, Reply, Turn

Records = Mapping[str, Any] | Sequence[Mapping[str, Any]]
"""Records of products: a list of objects with an id, or a mapping from ids to them."""

MAX_OBJECTS = 200_000
ID_FIELDS = ("id", "product_id", "productId", "sku")


def product_records(given: Records | None, subject: object, ctx: Context) -> dict[str, Mapping[str, Any]]:
    """The records by id: those given, else every object with an id that tools returned up to the judged turn.

    Of two objects with one id the fields are joined; the later one wins.
    """
    found: dict[str, Mapping[str, Any]] = {}
    if isinstance(given, Mapping):
        for key, value in given.items():
            if isinstance(value, Mapping):
                found[str(key)] = value
        if found:
            return found
    source: Any = given if given is not None else _returned(subject, ctx)
    for record in _objects(source):
        known = (str(record[name]) for name in ID_FIELDS if _is_id(record.get(name)))
        own = next(known, None)
        if own is not None:
            found[own] = {**found.get(own, {}), **record}
    return found


def _returned(subject: object, ctx: Context) -> list[JsonValue]:
    """What tools returned up to the judged turn."""
    calls = (call for turn in turns_up_to(subject, ctx) for call in turn.tool_calls)
    return [call.result for call in calls if call.result is not UNSET]


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def turns_up_to(subject: object, ctx: Context) -> tuple[Turn, ...]:
    """The turns up to the judged one, which is the last; all of a conversation; none for a bare text."""
    if isinstance(subject, Conversation):
        return subject.turns
    turn = subject.turn if isinstance(subject, Reply) else subject if isinstance(subject, Turn) else ctx.turn
    if turn is None:
        return ()
    if ctx.conversation is None:
        return (turn,)
    return ctx.conversation.turns[: turn.number]


def _objects(value: JsonValue) -> Iterator[Mapping[str, Any]]:
    """The objects in a value, outer ones first; a text that is JSON counts by what is in it."""
    waiting: deque[Any] = deque([value])
    for _ in range(MAX_OBJECTS):
        if not waiting:
            return
        one = waiting.popleft()
        if isinstance(one, str):
            parsed = parse_result(one)
            if not isinstance(parsed, str):
                waiting.append(parsed)
        elif isinstance(one, Mapping):
            yield one
            waiting += [part for part in one.values() if isinstance(part, Mapping | list | tuple)]
        elif isinstance(one, list | tuple):
            waiting += one
