"""The responses of an agent in a turn: one, or several, at once or as they come."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Mapping
from types import AsyncGeneratorType, GeneratorType
from typing import Any

from grice.agents.errors import BadReturn, ReturnedNothing
from grice.agents.response import read_response, read_tool_call
from grice.records import AgentResponse, ToolCall

Take = Callable[[AgentResponse], None]

_RESPONSE_FIELDS = ("text", "tool_calls", "data", "role", "content")


def take_all(value: object, take: Take) -> None:
    """Pass each returned response to `take`: of a list one after the other, of an iterator as it comes.

    What a generator returns at its end is one more, None is not. A generator is closed when this ends early.
    Raises ReturnedNothing for no response at all, and BadReturn for what is none; what stood before is taken.
    """
    if type(value) in (str, dict):  # nearly always
        take(read_response(value))
    elif isinstance(value, GeneratorType):
        _take_each(_with_returned(value), take, "the agent's generator yielded nothing")
    elif isinstance(value, Iterator):
        _take_each(value, take, "the agent's iterator had nothing")
    elif isinstance(value, list | tuple) and not hasattr(value, "_fields"):  # a named tuple is an object
        _take_each(iter(value), take, f"the agent returned an empty {type(value).__name__}")
    else:
        take(read_response(value))


def is_later(value: object) -> bool:
    """Whether a returned value must be awaited: an awaitable, or an asynchronous iterator."""
    return type(value) not in (str, dict) and isinstance(value, Awaitable | AsyncIterator)


async def take_later(value: AsyncIterator[Any], take: Take) -> None:
    """`take_all` for an asynchronous iterator."""
    count = 0
    async for item in value:
        count += 1
        try:
            take(read_item(item, count))
        except BaseException:
            if isinstance(value, AsyncGeneratorType):
                await value.aclose()
            raise
    if not count:
        raise ReturnedNothing("the agent's generator yielded nothing, expected at least one message")


def _with_returned(generator: Generator[Any, Any, Any]) -> Iterator[Any]:
    try:
        returned = yield from generator
        if returned is not None:
            yield returned
    finally:
        generator.close()


def _take_each(items: Iterator[Any], take: Take, nothing: str) -> None:
    count = 0
    try:
        for item in items:
            count += 1
            take(read_item(item, count))
    finally:
        if isinstance(items, GeneratorType):
            items.close()
    if not count:
        raise ReturnedNothing(f"{nothing}, expected at least one message")


def read_item(item: object, number: int) -> AgentResponse:
    """Read one of several messages, which may also be a bare tool call. Raises BadReturn with its number."""
    try:
        if _is_call(item):
            return AgentResponse(tool_calls=(read_tool_call(item),))
        return read_response(item)
    except ReturnedNothing:
        raise ReturnedNothing(
            f"message {number} of the agent is None, expected a text or a response"
        ) from None
    except BadReturn as error:
        raise BadReturn(f"message {number} of the agent: {error}") from error


def _is_call(item: object) -> bool:
    if isinstance(item, ToolCall):
        return True
    is_named = isinstance(item, Mapping) and isinstance(item.get("name"), str)
    return is_named and not any(name in item for name in _RESPONSE_FIELDS)  # type: ignore[operator]
