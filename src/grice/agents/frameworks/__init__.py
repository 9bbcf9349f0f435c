"""Agents and replies of frameworks. No framework is imported before one of its objects is there.

Each framework has a module that offers what `protocol.Framework` says.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from importlib import import_module
from types import AsyncGeneratorType, GeneratorType
from typing import Any, cast

from grice.agents.frameworks.protocol import Framework, NativeAgent, responses_of
from grice.formats import FormatError, read_message
from grice.records import AgentResponse, ToolCall

__all__ = ["adapted", "plain_reply"]

_PACKAGES = {
    "langchain_core": "langchain",
    "langgraph": "langchain",
    "pydantic_ai": "pydantic_ai",
    "agents": "openai_agents",
    "google": "google_adk",
    "openai": "openai_sdk",
}
_PLAIN = (str, bytes, bytearray, AgentResponse, ToolCall, int, float, type(None))
_OWN_FIELDS = frozenset({"text", "tool_calls", "data", "role", "content", "name"})
_TRANSCRIPT = ("user", "human", "tool", "system", "developer")


def adapted(agent: object) -> NativeAgent | None:
    """The agent of a framework, for one conversation; None for any other object. Raises AgentLoadError."""
    framework = _framework_of(agent)
    return None if framework is None else framework.adapt(agent)


def plain_reply(value: object) -> Any:
    """The responses in a reply of a framework, an iterator of them for a stream; any other value as it is."""
    if isinstance(value, _PLAIN) or (type(value) is dict and not _OWN_FIELDS.isdisjoint(value)):
        return value
    if isinstance(value, AsyncIterator):
        return _plain_later(value)
    if isinstance(value, Iterator):
        return _plain_items(value)
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return _plain_list(value)
    framework = _framework_of_reply(value)
    if framework is None:
        return value
    stream = framework.stream_of(value)
    return framework.responses([value]) if stream is None else _plain_later(stream)


def _framework_of(value: object) -> Framework | None:
    for one in type(value).__mro__:
        name = _PACKAGES.get(one.__module__.partition(".")[0])
        if name is not None:
            return cast("Framework", import_module(f"grice.agents.frameworks.{name}"))
    return None


def _framework_of_reply(value: object) -> Framework | None:
    if type(value) is tuple:
        return next(filter(None, map(_framework_of_reply, value)), None)
    if isinstance(value, Mapping):
        held: Framework | None = None
        if not _OWN_FIELDS.intersection(value):
            held = cast("Framework", import_module("grice.agents.frameworks.langchain"))
    else:
        held = _framework_of(value)
        if held is None and hasattr(value, "gen") and hasattr(value, "__aenter__"):
            held = cast("Framework", import_module("grice.agents.frameworks.pydantic_ai"))
    return held if held is not None and held.is_reply(value) else None


class _Pieces:
    """Puts the pieces of a framework's replies together; whatever else comes is handed on as it is."""

    def __init__(self) -> None:
        self._pieces: list[object] = []
        self._framework: Framework | None = None

    def add(self, item: object) -> Iterator[Any]:
        """Take an item: what is complete now."""
        framework = None if isinstance(item, _PLAIN) else _framework_of_reply(item)
        if framework is None and self._framework is not None and _may_be_state(item):
            framework = self._framework
        if framework is not self._framework:
            yield from self.end()
        self._framework = framework
        if framework is None:
            yield item
        else:
            self._pieces.append(item)

    def end(self) -> Iterator[AgentResponse]:
        """What the last pieces come to."""
        pieces, self._pieces = self._pieces, []
        if pieces and self._framework is not None:
            yield from self._framework.responses(pieces)


def _may_be_state(item: object) -> bool:
    """Whether this may be what a node of a graph changed beside the messages."""
    return isinstance(item, Mapping) and not _OWN_FIELDS.intersection(item)


def _plain_items(items: Iterator[Any]) -> Iterator[Any]:
    pieces = _Pieces()
    try:
        if isinstance(items, GeneratorType):
            returned = yield from _each(items, pieces)
            if returned is not None:
                yield from pieces.add(returned)
        else:
            for item in items:
                yield from pieces.add(item)
        yield from pieces.end()
    finally:
        if isinstance(items, GeneratorType):
            items.close()


def _each(generator: Any, pieces: _Pieces) -> Any:
    while True:
        try:
            item = next(generator)
        except StopIteration as end:
            return end.value
        yield from pieces.add(item)


async def _plain_later(items: AsyncIterator[Any]) -> AsyncIterator[Any]:
    pieces = _Pieces()
    try:
        async for item in items:
            for one in pieces.add(item):
                yield one
        for one in pieces.end():
            yield one
    finally:
        if isinstance(items, AsyncGeneratorType):
            await items.aclose()


def _plain_list(values: Sequence[Any]) -> Any:
    """The values, or what they come to when they are messages of a framework, or a transcript."""
    if any(isinstance(one, Mapping) and one.get("role") in _TRANSCRIPT for one in values):
        try:
            return responses_of([message for one in values for message in read_message(one)])
        except FormatError:
            return values
    if not any(map(_framework_of_reply, values)):
        framework = _framework_of_reply(values) if isinstance(values, tuple) else None
        return values if framework is None else framework.responses([values])
    pieces = _Pieces()
    return [*(one for item in values for one in pieces.add(item)), *pieces.end()]
