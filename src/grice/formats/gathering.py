"""What several lines say of one conversation, put together."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grice.formats.content import as_mapping, json_text
from grice.formats.detection import detect_clean
from grice.formats.errors import FormatError
from grice.formats.shapes import READERS
from grice.records import JsonValue

if TYPE_CHECKING:
    from grice.formats.logs import Entry
    from grice.formats.mapping import LogMapping

MAX_OPEN = 10_000
"""How many conversations may be open at once; the one quiet for longest is then considered over."""


MAX_HELD = 50_000_000
"""The bytes of JSON that are held of all open conversations; above, the same."""

MAX_BESIDE = 100
"""How many conversations may go on beside each other under one id; above, the first of them is over."""


class Gathering:
    """Holds the entries of conversations that other lines may go on with."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, _Open] = OrderedDict()
        self._size = 0

    def take(self, entry: Entry) -> Iterator[Entry]:
        """Hold the entry; the conversations that are over."""
        held = self._open.get(entry.group)
        if held is None:
            held = self._open[entry.group] = _Open(entry)
        else:
            self._open.move_to_end(entry.group)
        self._size -= held.size
        over = held.add(entry)
        self._size += held.size
        while len(self._open) > MAX_OPEN or (self._size > MAX_HELD and len(self._open) > 1):
            over += self._taken()
        for one in over:
            yield replace(one, early=True)

    def rest(self) -> Iterator[Entry]:
        """The conversations that are still open, in the order of their last line."""
        while self._open:
            yield from self._taken()

    def _taken(self) -> list[Entry]:
        held = self._open.popitem(last=False)[1]
        self._size -= held.size
        return held.joined()


class _Open:
    """What is held under one id. Of calls without a time those go that a later one repeats."""

    def __init__(self, first: Entry) -> None:
        self.size = 0
        self._held: list[_Told] = []
        self._grows = first.at is None and first.row_of is None

    def add(self, entry: Entry) -> list[Entry]:
        """Hold the entry; what is over by that."""
        told = _Told(entry, len(json_text(entry.value)))
        self.size += told.size
        if not self._grows:
            self._held.append(told)
            return []
        self.size -= _grow(self._held, told)
        if len(self._held) <= MAX_BESIDE:
            return []
        first = self._held.pop(0)
        self.size -= first.size
        return [first.entry]

    def joined(self) -> list[Entry]:
        """The conversations, in the order in which they were said."""
        entries = [one.entry for one in self._held]
        if self._grows:
            return entries
        ordered = in_order(entries, [one.at for one in entries])
        if ordered[0].row_of is not None:
            return list(_of_rows(ordered, ordered[0].row_of))
        found: list[_Told] = []
        for entry in ordered:
            _grow(found, _Told(entry, 0))
        return [one.entry for one in found]


def in_order(entries: Sequence[Entry], times: Sequence[JsonValue]) -> list[Entry]:
    """The entries by time; as they came where one has a time that cannot be read."""
    keys = sort_keys(times)
    if keys is None:
        return list(entries)
    return [entries[place] for place in sorted(range(len(entries)), key=keys.__getitem__)]


def _of_rows(rows: Sequence[Entry], mapping: LogMapping) -> Iterator[Entry]:
    """The conversation that rows are, and those of them that are none of its messages."""
    if not mapping.message_id:
        yield _added(rows)
        return
    read: list[Entry] = []
    later: list[int] = []
    for one in mapping.joined([row.value for row in rows]):
        held = [rows[place] for place in one.places]
        try:
            if one.problem:
                raise FormatError(one.problem)
            messages = mapping.messages_of(one.row)
            read.append(replace(held[0], kind="conversation", messages=messages, units=len(held)))
            later += [row.line for row in held[1:]]
        except FormatError as error:
            yield from (replace(row, kind="malformed", group="", problem=error.detail) for row in held)
    if read:
        yield replace(_added(read), later_lines=tuple(later))


def _added(entries: Sequence[Entry]) -> Entry:
    """One entry with the messages of all."""
    units = sum(one.units for one in entries)
    problems = [one.problem for one in entries if one.problem]
    return replace(
        entries[0],
        line=min(one.line for one in entries),
        messages=[message for one in entries for message in (*one.messages, *one.reply)],
        reply=[],
        lines=tuple(one.line for one in entries for _ in (*one.messages, *one.reply)),
        units=units,
        problem="; ".join(dict.fromkeys(problems)),
        at=None,
    )


class _Told:
    """An entry, its size, its messages, and what each of them says, which is read once."""

    def __init__(self, entry: Entry, size: int) -> None:
        self.entry = entry
        self.size = size
        self.messages = [*entry.messages, *entry.reply]
        self._keys: dict[int, tuple[object, ...]] = {}

    def key(self, index: int) -> tuple[object, ...]:
        """What the message of this index says."""
        if index not in self._keys:
            self._keys[index] = _key(self.messages[index])
        return self._keys[index]

    def begins_as(self, other: _Told) -> bool:
        """Whether it has all that another says first."""
        return len(other.messages) <= len(self.messages) and all(
            mine == theirs or self.key(index) == other.key(index)
            for index, (mine, theirs) in enumerate(zip(self.messages, other.messages, strict=False))
        )

    def system(self, count: int) -> list[tuple[object, ...]]:
        """What the system says in the first messages."""
        return [key for key in map(self.key, range(count)) if key[0] == "system"]

    def goes_on(self, other: _Told) -> bool:
        """Whether a call holds only what is new: one message, under the same system prompt or none."""
        asked = len(self.entry.messages)
        system = self.system(asked)
        return asked == len(system) + 1 and (not system or system == other.system(len(other.messages)))


def _grow(found: list[_Told], call: _Told) -> int:
    """Add a call to the last conversation that it goes on with, by all that was said there or what is new.

    A call that begins as none before it is a conversation of its own: a router beside the assistant. Gives
    the size of what is held no more.
    """
    for place in reversed(range(max(0, len(found) - MAX_BESIDE), len(found))):
        before = found[place]
        if call.begins_as(before):
            call.entry = _with(call.entry, before.entry)
            found[place] = call
            return before.size
        if before.begins_as(call):
            before.entry = _with(before.entry, call.entry)
            return call.size
        if call.goes_on(before):
            new = [one for n, one in enumerate(call.entry.messages) if call.key(n)[0] != "system"]
            both = _added([before.entry, replace(call.entry, messages=new)])
            found[place] = _Told(both, before.size + call.size)
            return 0
    found.append(call)
    return 0


def _with(entry: Entry, other: Entry) -> Entry:
    """The entry that also holds what another says, and what is wrong with that."""
    problems = dict.fromkeys(one.problem for one in (other, entry) if one.problem)
    return replace(
        entry,
        kind="conversation" if "conversation" in (entry.kind, other.kind) else entry.kind,
        line=min(entry.line, other.line),
        units=entry.units + other.units,
        problem="; ".join(problems),
    )


def _key(raw: JsonValue) -> tuple[object, ...]:
    """What a message says, whichever way it is written."""
    if as_mapping(raw) is not None:
        try:
            read = READERS[detect_clean([raw])](raw)
        except FormatError:
            return "", json_text(raw)
        calls = tuple((call.name, json_text(call.arguments)) for one in read for call in one.tool_calls)
        return read[0].role, "\n".join(one.content for one in read), calls
    return "", json_text(raw)


# -- time

_CLOCK = re.compile(r"(?i)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6}))?)?\s*(am|pm)?")
_DATE = re.compile(r"(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})")


def sort_keys(times: Sequence[JsonValue]) -> list[tuple[float, ...]] | None:
    """What sorts these times, None where one of them is no time. Numbers and ISO 8601 sort as they are."""
    if any(time is None for time in times):
        return None
    numbers = [_number(time) for time in times]
    if None not in numbers:
        return [(number,) for number in numbers if number is not None]
    moments = [_moment(time) for time in times]
    if None not in moments:
        return [(moment,) for moment in moments if moment is not None]
    return _by_fields([time if isinstance(time, str) else "" for time in times])


def _number(time: JsonValue) -> float | None:
    try:
        return float(time) if isinstance(time, str | int | float) and not isinstance(time, bool) else None
    except (ValueError, OverflowError):
        return None


def _moment(time: JsonValue) -> float | None:
    try:
        found = datetime.fromisoformat(time) if isinstance(time, str) else None
    except ValueError:
        return None
    if found is None:
        return None
    return (
        found.replace(tzinfo=None) - (found.utcoffset() or found - found) - datetime(1970, 1, 1)
    ).total_seconds()


def _by_fields(times: Sequence[str]) -> list[tuple[float, ...]] | None:
    """The keys of times such as `03/04/2025 2:15 pm`, where the day may stand first or second."""
    dates = [_DATE.search(time) for time in times]
    clocks = [_CLOCK.search(time) for time in times]
    if not all(clocks) and not all(dates):
        return None
    fields = [tuple(map(int, one.groups())) if one else (0, 0, 0) for one in dates]
    month_first = any(one[1] > 12 for one in fields) and all(one[0] <= 12 for one in fields)
    keys: list[tuple[float, ...]] = []
    for date, clock in zip(fields, clocks, strict=True):
        year_first = date[0] > 31
        year, month, day = date if year_first else (date[2], date[1], date[0])
        if month_first and not year_first:
            month, day = day, month
        keys.append((year, month, day, *_seconds(clock)))
    return keys


def _seconds(clock: re.Match[str] | None) -> tuple[float, ...]:
    if clock is None:
        return (0.0,)
    hour, minute, second, part, half = clock.groups()
    hours = int(hour) % 12 + (12 if half.lower() == "pm" else 0) if half else int(hour)
    return (hours * 3600 + int(minute) * 60 + int(second or 0) + float(f"0.{part or 0}"),)
