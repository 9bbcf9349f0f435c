"""A reply that arrives as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from grice.agents.errors import BadReturn
from grice.agents.http_reply import check_paths, read_call, text_at
from grice.agents.sse import Event, EventParser
from grice.matching.paths import find
from grice.records import AgentResponse, JsonValue, ToolCall, clean_json, clean_text
from grice.text import value_text
from grice.wire.http import HttpError, StreamedAnswer, excerpt

EVENTS = "text/event-stream"
PATHS = ("text", "tool_calls", "data", "error")
FIELDS = (*PATHS, "done", "event")


def check_stream(fields: Mapping[str, Any], field: str) -> None:
    """Raise ValueError for a description of a stream that cannot be used."""
    if not isinstance(fields, Mapping):
        raise ValueError(
            f"{field}: expected fields such as {{'text': '$.delta'}}, found {value_text(fields)}"
        )
    for name in ("done", "event"):
        if name in fields and not isinstance(fields[name], str):
            raise ValueError(f"{field}.{name}: expected a text, found {value_text(fields[name])}")
    paths = {name: path for name, path in fields.items() if name not in ("done", "event")}
    if is_path(fields.get("done")):
        paths["done"] = fields["done"]
    check_paths(paths, field, FIELDS)
    if "text" not in fields and "tool_calls" not in fields:
        raise ValueError(f"{field}: needs 'text' or 'tool_calls', the path to what an event brings of it")


def is_path(value: object) -> bool:
    """Whether `done` names a place in the data, not the data or the name of the last event."""
    return isinstance(value, str) and value.startswith("$")


class StreamedReply:
    """Assembles the reply from its events. `complete` says whether the stream may end now."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self._fields = fields
        self._done = fields.get("done")
        self._texts: list[str] = []
        self._calls: list[ToolCall] = []
        self._data: JsonValue = None
        self.ended = False

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._texts)

    @property
    def complete(self) -> bool:
        """Whether nothing is missing, as far as the stream says where it ends."""
        return self.ended or self._done is None

    def take(self, event: Event) -> None:
        """Take one event. Raises BadReturn for one that cannot be read, or that reports an error."""
        if self._done in (event.data, event.name):
            self.ended = True
            return
        wanted = self._fields.get("event")
        if wanted is not None and event.name != wanted:
            if event.name == "error":
                raise BadReturn(f"the stream reports an error: {value_text(event.data)}{partial(self.text)}")
            return
        if self._fields.get("text") == "$":
            self._texts.append(clean_text(event.data))
            return
        try:
            value = msgspec.json.decode(event.data)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise BadReturn(
                f"an event of the stream is not JSON: {value_text(event.data)}{partial(self.text)}"
            ) from None
        self._take_value(clean_json(value))

    def _take_value(self, value: JsonValue) -> None:
        found = {name: find(self._fields[name], value) for name in PATHS if name in self._fields}
        errors = [one for one in found.get("error", []) if one is not None]
        if errors:
            raise BadReturn(f"the stream reports an error: {value_text(errors[0])}{partial(self.text)}")
        text = text_at(found.get("text", []), self._fields.get("text", ""))
        if text:
            self._texts.append(text)
        for item in found.get("tool_calls", []):
            self._calls += [read_call(one) for one in (item if isinstance(item, list) else [item]) if one]
        self._data = next(iter(found.get("data", [])), self._data)
        if is_path(self._done) and any(find(str(self._done), value)):
            self.ended = True

    def response(self, metadata: dict[str, JsonValue]) -> AgentResponse:
        """The whole reply. Raises BadReturn when no event brought anything."""
        if not self._texts and not self._calls and self._data is None and not self.ended:
            raise BadReturn("the stream ended without a text or a tool call")
        return AgentResponse(self.text, tuple(self._calls), self._data, metadata)


async def read_events(
    answer: StreamedAnswer,
    take: Callable[[Event], bool],
    said: Callable[[], str],
    hide: Callable[[str], str],
) -> bool:
    """Pass the events of an answer to `take` until it says that the last one has come.

    The result is whether the answer stopped in the middle of an event. `said` tells, for failures, what had
    arrived. Raises BadReturn for an answer that is no stream of events, and HttpError.
    """
    if answer.content_type != EVENTS:
        raise BadReturn(
            f"POST {answer.request.shown} answered {answer.status} with {answer.content_type}, expected "
            f"{EVENTS}: {excerpt(await answer.whole(), hide)}"
        )
    parser = EventParser()
    try:
        async for chunk in answer.chunks():
            if any(take(event) for event in parser.feed(chunk)):
                return False
    except HttpError as error:
        raise HttpError(hide(f"{error}{said()}")) from None
    except asyncio.CancelledError as error:
        error.add_note(hide(f"its stream did not end{said()}"))
        raise
    return parser.unfinished


def partial(text: str) -> str:
    """What had arrived before a stream failed, for the end of a message."""
    return f"; until then it said {value_text(text)}" if text else "; it had said nothing until then"
