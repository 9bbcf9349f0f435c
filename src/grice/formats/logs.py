"""What a line of a log holds: a conversation, one message of one, a record of Grice, or nothing known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from grice.formats.detection import detect_clean
from grice.formats.errors import FormatError
from grice.formats.gathering import Gathering
from grice.formats.log_files import Values, values_in
from grice.formats.mapping import LogMapping, items_at
from grice.formats.stray import stray_texts
from grice.formats.vendors import SHAPES as VENDORS
from grice.formats.vendors import Shape, parts_of
from grice.records import JsonValue

CONVERSATION_IDS = (
    "conversation_id",
    "conversationId",
    "session_id",
    "sessionId",
    "thread_id",
    "threadId",
    "chat_id",
    "chatId",
    "dialogue_id",
    "dialog_id",
)
"""The fields that name the conversation of a message, in the order in which they are looked for."""

HOLDING = ("messages", "input", "events")
"""The fields that hold the messages of a conversation, or of a request to a model."""

OF_JOURNAL = "a journal of Grice"
"""How the problem of a line begins that a journal has beside its conversations."""

Kind = Literal["conversation", "message", "record", "results", "other", "malformed"]

_IDS = (
    "id",
    *CONVERSATION_IDS,
    "eval_id",
    "evalId",
    "custom_id",
    "run_id",
    "call_id",
    "ticket_id",
    "trace_id",
    "uuid",
)
_OF_REQUEST = frozenset({"messages", "input", "request"})
_WRAPPERS = ("request", "events", "body", "params", "conversation")
_DEEPEST = 6
_DEEPEST_SESSION = 2
_REPLIES = ("response", "choices", "output")
_SPOKEN = ("reply", "text")
_INSIDE = ("choices", "output", "message", "body")
_READ = (*_REPLIES, "messages", "input", "request", "data")
_READ_REPLIES = 'a reply is read from "response", "choices", "output", "reply" or "text"'
_OF_MESSAGE = ("message", "function_call", "function_call_output", "reasoning")


class Entry(msgspec.Struct, frozen=True, gc=False):
    """What one line holds, by its `kind`.

    - "conversation": `messages`, those of a conversation or of a request to a model, and the `reply` that
      follows them, where the line has one beside them; `field` is where it stood. `problem` tells of text
      beside them that nobody reads.
    - "message": the one of `messages` is part of the conversation `id`.
    - "record": a conversation as Grice writes it. "results": the results of a run of Grice.
    - "other": an object that is none of these, such as a label; `problem` says what was expected.
    - "malformed": nothing that can be read, and `problem` says why. It has `messages` where only the reply to
      them cannot be read.

    `value` is the whole JSON value. `holder` is what holds the messages: the value, or what stands in it at
    `within` ("request", "body"). `line` counts from 1; it is 0 for what is on no line of its own.

    `group` is the conversation with which other lines may go on, `at` when this one was said. Rows have the
    mapping that they are a `row_of`, and are added to each other; of others each holds those before it.
    `units` counts the lines that an entry was made of, and `lines` has the one of each message of several,
    `later_lines` those of the later pieces of messages.
    `early` tells that it was taken to be over while the log went on, to keep memory bounded.
    """

    line: int
    kind: Kind
    value: JsonValue = None
    id: str = ""
    messages: list[Any] = []
    reply: list[Any] = []
    field: str = ""
    problem: str = ""
    holder: JsonValue = None
    within: str = ""
    group: str = ""
    at: JsonValue = None
    row_of: LogMapping | None = None
    lines: tuple[int, ...] = ()
    later_lines: tuple[int, ...] = ()
    units: int = 1
    early: bool = False

    def line_of(self, index: int) -> int:
        """The line on which the message of this index stands."""
        return self.lines[index] if self.lines else self.line

    def place(self, index: int) -> str:
        """Where the message of this index stands in the line, those of the reply after the others."""
        asked = len(self.messages)
        return f"messages[{index}]" if index < asked else f"{self.field}[{index - asked}]"


class _Wrong(Exception):
    """What makes a line malformed."""


def read_log(path: Path | str, mapping: LogMapping | None = None) -> Iterator[Entry]:
    """What each line, row or sample of a log holds, in its order; garbage is "malformed".

    One document is read as the conversations or messages in it, which count as lines. `mapping` tells a
    home-made shape. What belongs to one conversation, as the calls of a trace, or the rows of a mapping that
    names their conversation, is one entry, which comes when the file ends or too much else is held.
    Every line is in one entry: the sum of their `units` is the number of lines. Raises Unreadable.
    """
    return entries_in(values_in(path), mapping, Path(path).name.partition(".")[0])


def entries_in(values: Values, mapping: LogMapping | None = None, name: str = "") -> Iterator[Entry]:
    """The entries of the values of a file; `name` is the id of its messages where nothing names another."""
    gathering = Gathering()
    alone, values = _with_alone(values)
    for line, value in values:
        if mapping is None and type(value) is dict and ("messages" in value or parts_of(value) is None):
            entry = entry_of(value, line or 1)  # by far the most
            if entry.group:
                yield from gathering.take(entry)
            else:
                yield entry
            continue
        for place, (at, part) in enumerate(_parts_at(line, value, mapping, alone=alone)):
            if isinstance(part, FormatError):
                entry = Entry(at, "malformed", problem=str(part))
            else:
                entry = entry_of(part, at) if mapping is None else _mapped(mapping, part, at, name)
            if place and not alone and mapping is None:  # a further part of one line
                entry = replace(entry, units=0)
            if entry.group:
                yield from gathering.take(entry)
            else:
                yield entry
    yield from gathering.rest()


def entries_of(
    line: int, value: JsonValue | FormatError, mapping: LogMapping | None = None, name: str = ""
) -> Iterator[Entry]:
    """The entries of one line of several; one with a `group` may go on in other lines."""
    for place, (at, part) in enumerate(_parts_at(line, value, mapping, alone=False)):
        if isinstance(part, FormatError):
            entry = Entry(at, "malformed", problem=str(part))
        else:
            entry = entry_of(part, at) if mapping is None else _mapped(mapping, part, at, name)
        yield replace(entry, units=0) if place else entry


def is_plain_line(value: JsonValue) -> bool:
    """Whether the value is one conversation or message that no other line goes on with."""
    if _parts(value) is not None:
        return False
    entry = entry_of(value, 1)
    return entry.kind in ("conversation", "message") and not entry.group


def parts_in(values: Values, mapping: LogMapping | None = None) -> Values:
    """The values, with those in a document in place of it. A file with one line is a document too."""
    alone, values = _with_alone(values)
    for line, value in values:
        yield from _parts_at(line, value, mapping, alone=alone)


def _with_alone(values: Values) -> tuple[bool, Values]:
    """Whether there is one value only, and the values."""
    first, second = next(values, None), next(values, None)
    return second is None, chain(filter(None, (first, second)), values)


def _parts_at(
    line: int, value: JsonValue | FormatError, mapping: LogMapping | None, *, alone: bool
) -> Iterator[tuple[int, JsonValue | FormatError]]:
    if isinstance(value, FormatError):
        inside = None
    elif mapping is None:
        inside = _parts(value)
    else:
        inside = items_at(value, mapping.each) if alone or mapping.each else None
        if inside == [] and mapping.each and not alone:
            value, inside = FormatError(f"no conversations at {mapping.each}"), None
    if inside is None:
        yield line or 1, value
    elif alone:
        yield from enumerate(inside, start=1)
    else:
        yield from ((line, one) for one in inside)


def _parts(value: JsonValue) -> list[JsonValue] | None:
    """The conversations, or messages of different ones, in a value; None where it is one."""
    if isinstance(value, dict):
        return None if "messages" in value else parts_of(value)
    if not isinstance(value, list) or not value:
        return None
    first = value[0]
    if not isinstance(first, dict):
        return value if isinstance(first, list) else None
    if any(name in first for name in CONVERSATION_IDS):
        return value
    told = "role" in first or "content" in first or first.get("type") in _OF_MESSAGE
    return None if told or detect_clean(value[:1]) != "openai_chat" else value


def entry_of(value: JsonValue, line: int = 0) -> Entry:
    """What a JSON value holds."""
    try:
        if isinstance(value, list):
            return _of_list(value, line)
        if not isinstance(value, dict):
            raise _Wrong(f"found {_kind(value)}; expected an object or a list of messages")
        messages = value.get("messages")
        if type(messages) is list and "epoch" not in value:  # by far the most
            entry = Entry(line, "conversation", value, _identifier(value, _IDS), messages, [], "", "", value)
            return _with_group(_with_reply(entry, value), value)
        for looks_like, read in _SHAPES:
            found = read(value, line) if looks_like(value) else None
            if found is not None:
                return found
        return _message(value, line)
    except _Wrong as wrong:
        return Entry(line, "malformed", value, problem=str(wrong))


def _mapped(mapping: LogMapping, value: JsonValue, line: int, file: str) -> Entry:
    """What a value of a home-made shape holds."""
    try:
        found = mapping.read(value)
    except FormatError as error:
        return Entry(line, "malformed", value, problem=error.detail)
    name = found.id or ("" if mapping.is_whole else file)
    return Entry(
        line,
        "conversation" if found.messages or not found.problem else "malformed",
        value,
        name,
        found.messages,
        problem=found.problem,
        holder=value,
        group=name if found.messages or mapping.is_flat else "",
        at=found.at,
        row_of=mapping if mapping.is_flat else None,
    )


def _of_list(value: list[Any], line: int) -> Entry:
    first = value[0] if value else None
    if isinstance(first, list) or (isinstance(first, dict) and "messages" in first):
        raise _Wrong("a list of conversations within another; expected one conversation, or a list of them")
    return Entry(line, "conversation", value, messages=value, holder=value)


# -- the messages


class _Held(NamedTuple):
    messages: list[Any]
    holder: JsonValue
    within: str = ""


def _held(value: dict[str, Any], depth: int = 0) -> _Held | None:
    """The messages of a conversation or of a request to a model. Raises _Wrong where these are no list."""
    for key in ("messages", "input"):
        held = value.get(key)
        if held is None:
            continue
        if isinstance(held, list):
            return _Held(held, value)
        if isinstance(held, str) and key == "input":
            return _Held([_said("user", held)], value)
        raise _Wrong(f'"{key}" is {_kind(held)}; expected a list of messages')
    for key in _WRAPPERS:
        inner = value.get(key)
        if inner is not None and (found := _held_in(key, inner, value, depth)):
            return found
    return None


def _held_in(key: str, inner: JsonValue, value: dict[str, Any], depth: int) -> _Held | None:
    match inner:
        case list() if key in ("events", "conversation"):
            return _Held(inner, value if key == "events" else inner, key)
        case str() if key == "request":
            return _Held([_said("user", inner)], value)
        case dict() if key != "events" and depth < _DEEPEST:
            found = _held(inner, depth + 1)
            if found is not None:
                within = f"{key}.{found.within}" if found.within else key
                return _Held(found.messages, found.holder, within)
    if key == "request":
        raise _Wrong(f'"request" is {_kind(inner)}; expected an object with "messages" or "input"')
    return None


def _conversation(value: dict[str, Any], line: int) -> Entry | None:
    held = _held(value)
    if held is None:
        return None
    name = _identifier(value, _IDS)
    if not name and isinstance(held.holder, dict) and held.holder is not value:
        name = _identifier(held.holder, _IDS)
    entry = Entry(line, "conversation", value, name, held.messages, [], "", "", held.holder, held.within)
    return _with_group(_with_reply(entry, value), value)


def _with_group(entry: Entry, value: dict[str, Any]) -> Entry:
    """A request to a model with the conversation that it is one of: each has what was said before it."""
    if not any(name in value for name in (*_REPLIES, "request", "error")) or not entry.messages:
        return entry
    group = _session(value)
    return replace(entry, group=group, id=group) if group else entry


def _session(value: dict[str, Any], depth: int = 0) -> str:
    """The id of the conversation of a request, which may stand in what is told beside it."""
    inner = (one for one in value.values() if isinstance(one, dict) and depth < _DEEPEST_SESSION)
    return _identifier(value, CONVERSATION_IDS) or next(
        filter(None, (_session(one, depth + 1) for one in inner)), ""
    )


def _is_record(value: dict[str, Any]) -> bool:
    inner = value.get("conversation")
    held = isinstance(inner, dict) and ("version" in value or "turns" in inner)
    return held or isinstance(value.get("turns"), list)


def _record(value: dict[str, Any], line: int) -> Entry:
    """A conversation as Grice writes it: alone, in a file of its own, or with the result of its test."""
    inner = value.get("conversation")
    held = inner if isinstance(inner, dict) else value
    name = _identifier(held, _IDS) or _identifier(value, ("key", *_IDS))
    messages = list(_recorded(held))
    return Entry(
        line, "record", value, name, messages, problem="" if messages else _unknown(value), holder=held
    )


def _recorded(held: dict[str, Any]) -> Iterator[JsonValue]:
    if held.get("system"):
        yield _said("system", held["system"])
    for turn in held.get("turns") or []:
        messages = turn.get("messages") if isinstance(turn, dict) else None
        for message in messages if isinstance(messages, list) else []:
            calls = message.get("tool_calls") if isinstance(message, dict) else None
            yield {**message, "tool_calls": [_as_written(call) for call in calls]} if calls else message


def _as_written(call: JsonValue) -> JsonValue:
    """A call with the arguments that its model wrote, where these are no JSON."""
    if not isinstance(call, dict) or call.get("raw_arguments") is None:
        return call
    return {**call, "arguments": call["raw_arguments"]}


def _is_journal(value: dict[str, Any]) -> bool:
    if len(value) == 1:
        held = value.get("begun", value.get("result"))
        return isinstance(held, dict) and "key" in held
    return isinstance(value.get("experiment"), dict) and "version" in value and "kind" in value


def _journal(value: dict[str, Any], line: int) -> Entry:
    """A line of a journal: a finished conversation, or what only counts for the run."""
    result = value.get("result")
    if result is None:
        what = "begun, but not finished" if "begun" in value else "the head of a run, not a conversation"
        return Entry(line, "other", value, problem=f"{OF_JOURNAL}: {what}")
    if _is_record(result):
        return _record(result, line)
    return Entry(line, "other", value, problem=f"{OF_JOURNAL}: a result without its conversation")


def _is_message(value: dict[str, Any]) -> bool:
    return "role" in value and _OF_REQUEST.isdisjoint(value)


def _is_results(value: dict[str, Any]) -> bool:
    return "version" in value and "results" in value


def _results(value: dict[str, Any], line: int) -> Entry:
    return Entry(line, "results", value, _identifier(value, _IDS), problem=_unknown(value))


def _message(value: dict[str, Any], line: int) -> Entry:
    nested = value.get("message")
    raw = nested if isinstance(nested, dict) and value.get("role") is None else value
    if raw.get("role") is None and raw.get("type") is None:
        return Entry(line, "other", value, problem=_unknown(value))
    name = _identifier(value, CONVERSATION_IDS)
    if not name:
        looked_for = ", ".join(CONVERSATION_IDS)
        problem = f"a message without the id of its conversation; looked for {looked_for}"
        return Entry(line, "other", value, problem=problem)
    return Entry(line, "message", value, name, [raw], holder=raw)


def _export(shape: Shape) -> tuple[_LooksLike, _Read]:
    """What a tool exports, as one of the shapes."""

    def read(value: dict[str, Any], line: int) -> Entry:
        try:
            found = shape.read(value)
        except FormatError as error:
            return Entry(line, "other", value, problem=f"{shape.name}: {error.detail}")
        entry = Entry(
            line, "conversation", value, found.id, found.messages, found.reply, "reply", holder=value
        )
        return replace(entry, group=found.session, at=found.at)

    return shape.looks_like, read


_LooksLike = Callable[[dict[str, Any]], bool]
_Read = Callable[[dict[str, Any], int], Entry | None]
_SHAPES: tuple[tuple[_LooksLike, _Read], ...] = (
    (_is_message, _message),  # what else it has is its own
    *map(_export, VENDORS),
    (_is_journal, _journal),
    (bool, _conversation),
    (_is_record, _record),
    (_is_results, _results),
)
"""What an object may be: what it looks like, and what it holds then. The first that reads it does."""


# -- the reply beside them


def _with_reply(entry: Entry, line: Mapping[str, JsonValue]) -> Entry:
    """The entry with the first reply of the line that says something, else with what may be one."""
    asked = entry.messages
    ended = bool(asked) and _is_of_assistant(asked[-1])
    quiet = entry
    for field in _REPLIES:
        if not line.get(field):
            continue
        try:
            reply = _replied(field, line[field])
        except _Wrong as wrong:
            return replace(entry, kind="conversation" if ended else "malformed", problem=str(wrong))
        if not all(map(_is_silent, reply)):
            return replace(entry, reply=[] if asked[-1:] == reply else reply, field=field)
        quiet = quiet if quiet.reply else replace(entry, reply=reply, field=field)
    if ended:
        return quiet
    for field in _SPOKEN:
        if reply := _spoken(line.get(field)):
            return replace(entry, reply=reply, field=field)
    unread = stray_texts(line, (*_READ, *entry.within.split(".")))
    if not unread:
        return quiet
    return replace(quiet, problem=f"no reply, but text in {', '.join(unread)[:120]}; {_READ_REPLIES}")


def _is_of_assistant(message: JsonValue) -> bool:
    return isinstance(message, dict) and message.get("role", message.get("type")) in ("assistant", "ai")


def _is_silent(message: JsonValue) -> bool:
    """Whether a message has empty fields only, but for those that say what it is."""
    return isinstance(message, dict) and not any(
        held for key, held in message.items() if key not in ("role", "type", "id", "status")
    )


def _spoken(value: JsonValue) -> list[Any]:
    """The reply in a field that may mean something else too, nothing when it does."""
    match value:
        case str() if value.strip():
            return [_said("assistant", value)]
        case {"role": _}:
            return [value]
        case {"content": str() | list()}:
            return [{"role": "assistant", **value}]
    return []


def _replied(field: str, value: JsonValue) -> list[Any]:
    """The messages of a model's reply: a text, a message, items, or the answer of a provider's API."""
    for _ in range(_DEEPEST):
        found = _replied_here(field, value)
        if found is not None:
            return found
        held = [key for key in _INSIDE if isinstance(value, dict) and value.get(key) is not None]
        if not isinstance(value, dict) or not held:
            break
        inner = next((key for key in held if value[key]), held[0])
        field, value = f"{field}.{inner}", value[inner]
    found_there = f"{_kind(value)}{_fields_of(value)}"
    raise _Wrong(f'"{field}" is {found_there}; expected a message, or an object with "choices" or "output"')


def _replied_here(field: str, value: JsonValue) -> list[Any] | None:
    """The messages, None where they are not in the value itself."""
    match value:
        case str():
            return [_said("assistant", value)]
        case [{"message": dict() as message}, *_]:  # the first of the choices, if there are several
            return [message]
        case [{"text": str() as text}, *_] if field.endswith("choices"):
            return [_said("assistant", text)]
        case list() if not field.endswith("choices") and all(isinstance(item, dict) for item in value):
            return value
        case {"role": _} | {"type": _, "content": _}:
            return [value]
        case {"content": _} if all(value.get(key) is None for key in _INSIDE):
            return [{"role": "assistant", **value}]
    return None


def _said(role: str, text: str) -> dict[str, JsonValue]:
    return {"role": role, "content": text}


# -- names


def _unknown(value: JsonValue) -> str:
    return f'found an object{_fields_of(value)}; expected "messages", "input", or a message'


def _fields_of(value: JsonValue) -> str:
    if not isinstance(value, dict):
        return ""
    return f" with {(', '.join(list(value)[:8]) or 'no fields')[:120]}"


def _identifier(holder: dict[str, Any], keys: tuple[str, ...]) -> str:
    for key in keys:
        found = holder.get(key)
        if isinstance(found, str) and found:
            return found
        if isinstance(found, int | float):
            return str(found)
    return ""


def _kind(value: JsonValue) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "an object"
