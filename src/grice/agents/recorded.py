"""An agent whose answers are recorded and replayed."""

from __future__ import annotations

import hashlib
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Generator,
    Iterable,
    Iterator,
)
from contextlib import nullcontext
from copy import copy
from functools import partial
from threading import Lock
from typing import Any, Literal

import msgspec

from grice.agents.adapter import BoundAgent
from grice.agents.frameworks import plain_reply
from grice.agents.response import read_response, read_tool_call
from grice.agents.streamed_responses import read_item
from grice.matching.protocols import OnToolCall
from grice.records import AgentResponse, ToolCall
from grice.wire.cassettes import Call, Cassette, NotRecorded, unreadable

_SIGNAL = ("name", "arguments", "result", "error", "id")
_FILES = (("image_url", "url"), ("input_audio", "data"), ("file", "file_data"))
"""Where content parts have the content of an attachment."""


def recorded_agent(agent: BoundAgent | None, cassette: Cassette) -> BoundAgent:
    """Record the agent's calls, or replay them without it where the cassette has them.

    A call is its messages, and what it signalled and answered in that order; one that fails is not recorded.
    Of the content of attachments only a hash is recorded.
    A strict cassette plays alone: `around()` is not entered then, as what it sets up may not be there, and
    the agent may be None. Without agents' calls in the cassette the agent comes back as it is. Raises
    ValueError for None where an agent may be needed.
    """
    through = "agent" in cassette.kinds
    if agent is None:
        if not through or not cassette.strict:
            raise ValueError(f"{cassette.path} may have to ask the agent: expected one, found None")
        agent = BoundAgent("the recorded agent", _nobody)
    elif not through:
        return agent
    wrapped = copy(agent)
    wrapped.call = _Recording(agent, cassette)
    if cassette.strict:
        wrapped.around = nullcontext
        wrapped.needs_asyncio = False
    return wrapped


class _Recording:
    """Plays the calls of an agent, or asks it and records them."""

    def __init__(self, agent: BoundAgent, cassette: Cassette) -> None:
        self._agent = agent
        self._cassette = cassette
        self._take: _Take | None = None
        self._late: list[Callable[[], None]] = []

    def __call__(self, messages: list[dict[str, Any]], on_tool_call: OnToolCall) -> Any:
        request = {"messages": list(map(_without_files, messages))}
        call = self._cassette.begin("agent", request, subject=self._agent.name)
        for signal in self._late:
            signal()
        if self._take is not None:
            self._take.asked_again = True
        if call.replayed:
            taken = _read_taken(call)
            late = [event.signal for event in taken.events if event.late]
            self._late = [partial(_signal, one, on_tool_call) for one in late]
            return _play(taken, on_tool_call)
        self._late = []
        self._take = _Take(call, on_tool_call)
        return self._take.returned(self._agent.call(messages, self._take.signal))


class _Event(msgspec.Struct, omit_defaults=True):
    """A signal, or a message of the answer. A late signal came when the agent had been asked again."""

    signal: ToolCall | None = None
    response: AgentResponse | None = None
    late: bool = False


class _RecordedCall(msgspec.Struct, omit_defaults=True):
    """One recorded call: what happened in it, and how the agent handed its answer over."""

    events: list[_Event]
    returned: Literal["one", "list", "stream", "async_stream"] = "one"
    awaited: bool = False


class _Take:
    """Records one call while it goes on."""

    def __init__(self, call: Call, on_tool_call: OnToolCall) -> None:
        self._call = call
        self._on_tool_call = on_tool_call
        self.asked_again = False
        self._taken = _RecordedCall([])
        self._ended = False
        self._failed = False
        self._lock = Lock()  # agents signal from threads too

    def signal(self, *args: Any, **kwargs: Any) -> None:
        """`on_tool_call` for the agent, also after its answer."""
        try:
            self._on_tool_call(*args, **kwargs)
        except BaseException:
            self._failed = True
            raise
        fields = {**dict(zip(_SIGNAL, args, strict=False)), **kwargs}
        self._add(_Event(signal=read_tool_call(fields), late=self.asked_again))

    def returned(self, value: object) -> Any:
        """The agent's return value, in a form that is recorded when it is read."""
        if isinstance(value, Awaitable):
            self._taken.awaited = True
            return _Awaited(value, self._await(value))
        value = plain_reply(value)
        if isinstance(value, AsyncIterator):
            return self._pass_on_async(value)
        if isinstance(value, Iterator):
            return self._pass_on(value)
        if isinstance(value, list | tuple) and not hasattr(value, "_fields"):  # a named tuple is an object
            messages = [self._read(one, _item) for one in value]
            self._end("list")
            return messages
        message = self._read(value, read_response)
        self._end("one")
        return message

    async def _await(self, value: Awaitable[Any]) -> Any:
        said = await value
        if isinstance(said, Awaitable):
            self._failed = True
            return said  # the conversation says what is wrong with it
        return self.returned(said)

    def _pass_on(self, messages: Iterator[Any]) -> Iterator[Any]:
        items = _all_of(messages)
        try:
            for one in items:
                yield self._read(one, _item)
            self._end("stream")
        finally:
            items.close()

    async def _pass_on_async(self, messages: AsyncIterator[Any]) -> AsyncIterator[Any]:
        try:
            async for one in messages:
                yield self._read(one, _item)
            self._end("async_stream")
        finally:
            if isinstance(messages, AsyncGenerator):
                await messages.aclose()

    def _read(self, value: object, read: Callable[[object], AgentResponse]) -> object:
        """The message, read once as it may be possible only once; the value when it is none."""
        try:
            response = read(value)
        except Exception:  # the conversation says what is wrong with it
            self._failed = True
            return value
        self._add(_Event(response=response))
        return response

    def _end(self, returned: Literal["one", "list", "stream", "async_stream"]) -> None:
        with self._lock:
            self._taken.returned = returned
            self._ended = True
            self._failed |= all(event.response is None for event in self._taken.events)  # it said nothing
            self._keep()

    def _add(self, event: _Event) -> None:
        with self._lock:
            self._taken.events.append(event)
            self._keep()

    def _keep(self) -> None:
        if self._ended and not self._failed:
            self._call.record(msgspec.to_builtins(self._taken))


class _Awaited(Coroutine[Any, Any, Any]):
    """What an asynchronous agent returned, and its recording: closed together when nobody awaits them."""

    def __init__(self, value: Awaitable[Any], recording: Coroutine[Any, Any, Any]) -> None:
        self._value = value
        self._recording = recording

    def __await__(self) -> Any:
        return self._recording.__await__()

    def send(self, value: Any) -> Any:
        return self._recording.send(value)

    def throw(self, *args: Any) -> Any:
        return self._recording.throw(*args)

    def close(self) -> None:
        self._recording.close()
        if isinstance(self._value, Coroutine):
            self._value.close()


def _item(value: object) -> AgentResponse:
    return read_item(value, 0)  # its number matters to nobody here


def _all_of(messages: Any) -> Generator[Any, None, None]:
    """The messages; what a generator returns at its end is one more."""
    returned = yield from messages
    if returned is not None:
        yield returned


def _without_files(message: dict[str, Any]) -> dict[str, Any]:
    """The message with a hash in place of the content of each attachment."""
    content = message.get("content")
    return {**message, "content": list(map(_hashed, content))} if isinstance(content, list) else message


def _hashed(part: dict[str, Any]) -> dict[str, Any]:
    for name, field in _FILES:
        about, comma, content = part.get(name, {}).get(field, "").rpartition(",")
        if content and (name == "input_audio" or about.startswith("data:")):
            short = f"{about}{comma}sha256:{hashlib.sha256(content.encode()).hexdigest()}"
            return {**part, name: {**part[name], field: short}}
    return part


def _read_taken(call: Call) -> _RecordedCall:
    try:
        return msgspec.convert(call.response, _RecordedCall)
    except msgspec.ValidationError as error:
        raise unreadable(call, "an agent", error) from error


def _play(taken: _RecordedCall, on_tool_call: OnToolCall) -> Any:
    events = [event for event in taken.events if not event.late]
    played = _played(events, on_tool_call)
    value: Any = played
    if taken.returned == "async_stream":
        value = _played_async(played)
    elif taken.returned != "stream" and events[-1].response is not None:  # else signals come after it
        responses = list(played)
        value = responses if taken.returned == "list" else responses[0]
    return _ready(value) if taken.awaited else value


def _played(events: Iterable[_Event], on_tool_call: OnToolCall) -> Iterator[AgentResponse]:
    """The messages, with the signals before, between and after them."""
    for event in events:
        _signal(event.signal, on_tool_call)
        if event.response is not None:
            yield event.response


def _signal(call: ToolCall | None, on_tool_call: OnToolCall) -> None:
    if call is not None:
        arguments = call.arguments if call.raw_arguments is None else call.raw_arguments
        on_tool_call(call.name, arguments, call.result, call.error, call.id)


async def _played_async(messages: Iterator[AgentResponse]) -> AsyncIterator[AgentResponse]:
    for one in messages:
        yield one


async def _ready(value: Any) -> Any:
    return value


def _nobody(*_: object) -> Any:
    raise NotRecorded("there is no agent to ask, only its recorded answers")
