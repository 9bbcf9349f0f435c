"""The turns of a conversation, as its messages come by; only the turn that is open is kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import msgspec

from grice.formats import FormatError, openai_chat
from grice.formats.calls import REQUESTOR
from grice.formats.detection import Format, detect_clean
from grice.formats.pairing import Orphans
from grice.formats.shapes import READERS
from grice.formats.turns import starts_turn, turns_of
from grice.records import Conversation, JsonValue, Message, ToolCall

MAX_TURN = 10_000_000

"""The characters of assistant text after which a turn is ended, so that a log without users stays small."""


class OpenTurn:
    """What the assistant did in one turn: its texts with their lines, its calls, the last tool result."""

    __slots__ = ("_result", "broken", "calls", "lines", "number", "raws", "size", "texts")

    def __init__(self, number: int) -> None:
        self.number = number
        self.texts: list[str] = []
        self.lines: list[int] = []
        self.size = 0
        self.calls = 0
        self.broken: list[tuple[int, ToolCall]] = []
        self.raws: list[dict[str, Any]] = []
        self._result: Message | dict[str, Any] | None = None

    def answer(self, result: Message | dict[str, Any]) -> None:
        """Take a tool's result, a raw chat message as it is: only the last one of a turn is ever read."""
        self._result = result

    @property
    def result(self) -> Message | None:
        """The last tool result of the turn."""
        return openai_chat.read(self._result)[0] if isinstance(self._result, dict) else self._result

    def record(self, id: str) -> Conversation:  # noqa: A002
        """A conversation of this turn alone, of the raw messages that were kept."""
        messages = [one for raw in self.raws for one in read_raw(raw)]
        turns = [msgspec.structs.replace(one, number=self.number) for one in turns_of(messages)[:1]]
        return Conversation(id=id, turns=tuple(turns))


class OpenConversation:
    """Reads messages and cuts them into turns as `grice.formats.turns_of` does: each user message starts one.

    Turns that are over wait in `ended` until they are judged. They have their raw messages where `whole`.
    """

    __slots__ = ("_orphans", "ended", "found", "id", "number", "spoke", "turn", "whole")

    def __init__(self, id: str, *, whole: bool = False) -> None:  # noqa: A002
        self.id = id
        self.whole = whole
        self.number = 0
        self.turn: OpenTurn | None = None
        self.ended: list[OpenTurn] = []
        self.spoke = False
        self.found = False
        self._orphans: Orphans | None = None  # made for the first call or result: most have neither

    def add(self, raw: JsonValue, line: int) -> None:
        """Take the next raw message. Raises FormatError, with nothing taken, when it cannot be read."""
        if type(raw) is not dict:
            raise FormatError("is not an object; expected a message with role and content")
        self._add(raw, line)
        if self.whole and self.turn is not None:
            self.turn.raws.append(raw)

    def _add(self, raw: dict[str, Any], line: int) -> None:
        content = raw.get("content")
        if type(content) is str and content and "type" not in raw:  # by far the most: no records needed
            role = raw.get("role")
            if role == "user":
                self._start()
                return
            if role == "assistant" and raw.get("tool_calls") is None and raw.get("function_call") is None:
                self._say(content, line)
                return
            if role == "tool" and REQUESTOR not in raw:
                self._paired().result(*openai_chat.call_answered(raw))
                (self.turn or self._start()).answer(raw)
                return
        for message in read_raw(raw):
            self._take(message, raw, line)

    def end(self) -> None:
        """End the open turn, as at the end of the log."""
        if self.turn is not None:
            self.ended.append(self.turn)
            self.turn = None

    @property
    def orphan_results(self) -> int:
        """How many tool results matched no call."""
        return self._orphans.count if self._orphans is not None else 0

    def _paired(self) -> Orphans:
        if self._orphans is None:
            self._orphans = Orphans()
        return self._orphans

    def _start(self) -> OpenTurn:
        self.end()
        if self._orphans is not None:
            self._orphans.user()
        self.number += 1
        self.turn = OpenTurn(self.number)
        return self.turn

    def _say(self, text: str, line: int) -> None:
        turn = self.turn or self._start()
        turn.texts.append(text)
        turn.lines.append(line)
        turn.size += len(text)
        if turn.size > MAX_TURN:
            self.end()

    def _take(self, message: Message, raw: dict[str, Any], line: int) -> None:
        if starts_turn(message):
            self._start()
        elif message.role == "tool":
            if message.metadata.get(REQUESTOR) == "user":
                return  # the user's own tool answered, not the agent's
            self._paired().take(message)
            (self.turn or self._start()).answer(message)
        elif message.role == "assistant":
            turn = self.turn or self._start()
            if message.tool_calls:
                turn.calls += len(message.tool_calls)
                self._paired().take(message)
            turn.broken += [(line, call) for call in _malformed(message, raw)]
            if message.content:
                self._say(message.content, line)


def read_raw(raw: dict[str, Any]) -> list[Message]:
    """The messages of a raw one, whatever its format. Raises FormatError."""
    content = raw.get("content")
    form: Format = "openai_chat"
    if "type" in raw or type(content) is not str or REQUESTOR in raw:  # else nothing tells another format
        form = detect_clean([raw])
    return READERS[form](raw)


def _malformed(message: Message, raw: dict[str, Any]) -> list[ToolCall]:
    """The calls whose arguments are not a JSON object; a custom tool takes any text."""
    found = [call for call in message.tool_calls if call.raw_arguments is not None]
    if not found or raw.get("type") == "custom_tool_call":
        return []
    listed = raw.get("tool_calls")
    items = listed if isinstance(listed, list) else []
    custom = {place for place, item in enumerate(items) if isinstance(item, dict) and "custom" in item}
    return [call for place, call in enumerate(message.tool_calls) if call in found and place not in custom]


MAX_OPEN = 10_000

"""How many conversations may be open at once; the one quiet for longest is then considered over."""


class OpenConversations:
    """Finds the conversation of an id, and lets go of those that were quiet for longest."""

    def __init__(self, *, whole: bool = False) -> None:
        self._whole = whole
        self._open: OrderedDict[str, OpenConversation] = OrderedDict()

    def find(self, id: str) -> OpenConversation:  # noqa: A002
        """The conversation of this id: the open one, else a new one."""
        found = self._open.get(id)
        if found is None:
            found = self._open[id] = OpenConversation(id, whole=self._whole)
        else:
            self._open.move_to_end(id)
        return found

    def over(self) -> Iterator[OpenConversation]:
        """Take out the conversations above the limit, the one quiet for longest first."""
        while len(self._open) > MAX_OPEN:
            yield self._open.popitem(last=False)[1]

    def rest(self) -> Iterator[OpenConversation]:
        """Take out all that are still open, in the order of their last message."""
        while self._open:
            yield self._open.popitem(last=False)[1]
