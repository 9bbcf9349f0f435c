"""Conversations kept for checks: whole where they stand on one line, else as far as memory allows."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from grice.formats import FormatError
from grice.formats.pairing import Orphans
from grice.formats.turns import starts_turn, turns_of
from grice.records import Conversation, JsonValue, Message, Turn, clean_json
from grice.scanning.turns import MAX_OPEN, MAX_TURN, read_raw

MAX_KEPT = 1_000_000
"""The characters of one conversation after which only its last turns are kept."""

MAX_HELD = 50_000_000
"""The characters of all open conversations after which the one quiet for longest is considered over."""

WINDOW = 6
"""How many turns are kept of a conversation that is too long."""

MAX_TURNS = 5_000
"""The turns after which a conversation is cut: a check may look at all turns before the one it judges."""

_EMPTY = tuple(Turn(number) for number in range(1, MAX_TURNS + 1))
_BESIDE = 200
"""What a message takes beside its text, in characters."""


def read_whole(raws: Sequence[JsonValue], id: str) -> tuple[list[Conversation], list[tuple[int, str]]]:  # noqa: A002
    """The conversation of a line, and what is wrong with messages that were left out, by index.

    One of more than MAX_TURNS turns comes in parts.
    """
    bad: list[tuple[int, str]] = []
    messages: list[Message] = []
    data: dict[int, JsonValue] = {}
    for index, raw in enumerate(raws):
        try:
            read = _read(raw)
        except FormatError as error:
            bad.append((index, error.detail))
            continue
        messages += read
        _note_data(raw, read, data)
    turns = [_with_data(turn, data) for turn in turns_of(messages)]
    parts = [turns[start : start + MAX_TURNS] for start in range(0, len(turns), MAX_TURNS)] or [[]]
    return [Conversation(id=id, turns=_numbered(part)) for part in parts], bad


def _numbered(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    if not turns or turns[0].number == 1:
        return tuple(turns)
    return tuple(msgspec.structs.replace(turn, number=number) for number, turn in enumerate(turns, 1))


def _read(raw: JsonValue) -> list[Message]:
    """The messages of a raw one. Raises FormatError."""
    if type(raw) is not dict:
        raise FormatError("is not an object; expected a message with role and content")
    return read_raw(raw)


def _note_data(raw: Any, read: Sequence[Message], data: dict[int, JsonValue]) -> int:
    """Remember the structured payload that stands beside the text of a reply; its size in characters."""
    payload = raw.get("data")
    if payload is None or not read or read[-1].role != "assistant":
        return 0
    held = data[id(read[-1])] = clean_json(payload)
    return len(msgspec.json.encode(held))


def _with_data(turn: Turn, data: dict[int, JsonValue]) -> Turn:
    if not data:
        return turn
    held = next((data[id(one)] for one in reversed(turn.messages) if id(one) in data), None)
    return turn if held is None else msgspec.structs.replace(turn, data=held)


class KeptConversation:
    """A conversation whose messages come one by one. Turns that are over wait in `ended` with their lines."""

    __slots__ = (
        "_data",
        "_kept",
        "_lines",
        "_open",
        "_size",
        "ended",
        "forgot",
        "found",
        "id",
        "last_line",
        "number",
        "orphans",
        "size",
    )

    def __init__(self, id: str) -> None:  # noqa: A002
        self.id = id
        self.number = 0
        self.size = 0
        self.forgot = 0
        self.found = 0
        self.last_line = 0
        self.orphans = Orphans()
        self.ended: list[tuple[Turn, int]] = []
        self._kept: list[tuple[Turn, int]] = []
        self._open: list[Message] = []
        self._lines: list[int] = []
        self._data: dict[int, JsonValue] = {}
        self._size = 0

    def add(self, raw: JsonValue, line: int) -> None:
        """Take the next raw message. Raises FormatError, with nothing taken, when it cannot be read."""
        read = _read(raw)
        for message in read:
            started = starts_turn(message) and any(one.role != "system" for one in self._open)
            if started or self._size > MAX_TURN:
                self.end()
            self.orphans.take(message)
            self._open.append(message)
            self._lines.append(line)
            taken = (
                len(message.content) + _BESIDE + sum(len(str(one.arguments)) for one in message.tool_calls)
            )
            self._size += taken
            self.size += taken
        noted = _note_data(raw, read, self._data)
        self._size += noted
        self.size += noted

    def end(self) -> None:
        """End the open turn, as at the end of the log."""
        if not self._open:
            return
        turns = turns_of(self._open)
        line = next(
            (
                line
                for one, line in zip(reversed(self._open), reversed(self._lines), strict=True)
                if one.role == "assistant"
            ),
            self._lines[0],
        )
        for turn in turns:
            self.number += 1
            numbered = msgspec.structs.replace(_with_data(turn, self._data), number=self.number)
            self._kept.append((numbered, self._size // len(turns)))
            self.ended.append((numbered, line))
        self._open, self._lines, self._size = [], [], 0
        self._data = {}
        if self.size > MAX_KEPT and len(self._kept) > WINDOW:
            gone = self._kept[:-WINDOW]
            self._kept = self._kept[-WINDOW:]
            self.forgot += len(gone)
            self.size -= sum(size for _, size in gone)

    def record(self) -> Conversation:
        """The conversation up to its last turn that is over; turns that were let go are empty."""
        turns = (*_EMPTY[: self.forgot], *(turn for turn, _ in self._kept))
        return Conversation(id=self.id, turns=turns)

    @property
    def is_full(self) -> bool:
        """Whether it has so many turns that it is cut here."""
        return self.number >= MAX_TURNS


class KeptConversations:
    """Finds the conversation of an id, and lets go of those that were quiet for longest."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, KeptConversation] = OrderedDict()
        self._held = 0

    def add(self, id: str, raw: JsonValue, line: int) -> KeptConversation:  # noqa: A002
        """Give the conversation of this id its next message. Raises FormatError."""
        found = self._open.get(id)
        if found is None:
            found = self._open[id] = KeptConversation(id)
        else:
            self._open.move_to_end(id)
        before = found.size
        found.add(raw, line)
        self._held += found.size - before
        return found

    def over(self) -> Iterator[KeptConversation]:
        """Take out the conversations above the limits, the one quiet for longest first."""
        while len(self._open) > MAX_OPEN or (self._held > MAX_HELD and len(self._open) > 1):
            yield self._taken()

    def rest(self) -> Iterator[KeptConversation]:
        """Take out all that are still open, in the order of their last message."""
        while self._open:
            yield self._taken()

    def take(self, id: str) -> KeptConversation:  # noqa: A002
        """Take out the conversation of this id."""
        self._open.move_to_end(id, last=False)
        return self._taken()

    def __len__(self) -> int:
        return len(self._open)

    def _taken(self) -> KeptConversation:
        conversation = self._open.popitem(last=False)[1]
        self._held -= conversation.size
        return conversation
