"""Server-sent events, as the HTML standard defines the stream."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

_LINE_END = re.compile(r"\r\n|\n|\r")


class Event(NamedTuple):
    """One event: its name (`message` when the stream gives none) and its data."""

    name: str
    data: str


class EventParser:
    """Takes the bytes of a stream as they arrive and gives the events that they complete.

    Lines end with CR, LF or both; a byte order mark at the beginning, comments, and fields other than `event`
    and `data` are passed over; bytes that are not UTF-8 become U+FFFD. An event counts once the blank line
    behind it is there.
    """

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._begun = False
        self._after_cr = False
        self._line: list[str] = []
        self._name = ""
        self._data: list[str] = []

    @property
    def unfinished(self) -> bool:
        """Whether the stream so far ends inside an event."""
        return bool(self._data or self._name or any(self._line))

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """The events that these bytes complete."""
        text = self._decode(chunk)
        if text and not self._begun:
            self._begun = True
            text = text.removeprefix("\ufeff")
        if text and self._after_cr:
            text = text.removeprefix("\n")  # of a CRLF that was cut in two
            self._after_cr = False
        if not text:
            return
        self._after_cr = text.endswith("\r")
        *ended, rest = _LINE_END.split(text)
        for part in ended:
            self._line.append(part)
            line, self._line = "".join(self._line), []
            event = self._take(line)
            if event is not None:
                yield event
        self._line.append(rest)

    def _take(self, line: str) -> Event | None:
        """Take one line; the event that it ends, if it does."""
        if not line:
            event = Event(self._name or "message", "\n".join(self._data)) if self._data else None
            self._name, self._data = "", []
            return event
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value
        return None
