"""What a line of a log holds: a conversation, one message of one, a record of Grice, or nothing known."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from grice.formats.errors import FormatError
from grice.formats.lines import Unreadable, long_line, open_log, parse_line, read_lines
from grice.formats.stray import stray_texts
from grice.formats.tables import Table, holds_json
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

Kind = Literal["conversation", "message", "record", "results", "other", "malformed"]

_IDS = ("id", *CONVERSATION_IDS, "eval_id", "evalId", "custom_id")
_OF_REQUEST = ("messages", "input", "request")
_WRAPPERS = ("request", "events", "body", "params", "conversation")
_DEEPEST = 6
_REPLIES = ("response", "choices", "output")
_SPOKEN = ("reply", "text")
_INSIDE = ("choices", "output", "message", "body")
_READ = (*_REPLIES, "messages", "input", "request", "data")
_READ_REPLIES = 'a reply is read from "response", "choices", "output", "reply" or "text"'
_NESTED = {*_READ, *_WRAPPERS, "turns", "tool_calls"}
"""The fields of which a cell may be JSON."""

_MAX_DOCUMENT = 500_000_000


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

    def place(self, index: int) -> str:
        """Where the message of this index stands in the line, those of the reply after the others."""
        asked = len(self.messages)
        return f"messages[{index}]" if index < asked else f"{self.field}[{index - asked}]"


class _Wrong(Exception):
    """What makes a line malformed."""


def is_table(path: Path | str) -> bool:
    """Whether the name of a log says that it is a table of comma-separated values."""
    return str(path).lower().removesuffix(".gz").endswith(".csv")


def _read_table(stream: BinaryIO) -> Iterator[tuple[int, JsonValue | FormatError]]:
    """The rows of a table as objects, each with its line; a FormatError in place of one that cannot be read.

    The header has the names of the fields. A blank cell is no field; one of a field that holds messages, and
    a reply that is JSON, is read as JSON.
    """
    table = Table(stream)
    for row in [*table.problems, *table]:
        if row.problem:
            yield row.at, FormatError(row.problem)
            continue
        try:
            cells = zip(table.names, row.cells, strict=True)
            yield row.line, {name: _of_cell(name, cell) for name, cell in cells if cell.strip()}
        except FormatError as error:
            yield row.line, error


def _of_cell(name: str, cell: str) -> JsonValue:
    if name not in _NESTED or not holds_json(cell):
        return cell
    try:
        return parse_line(cell.encode())
    except FormatError as error:
        if name in (*_REPLIES, *_SPOKEN):
            return cell
        raise FormatError(f"{name}: begins with {cell.lstrip()[0]} as JSON does: {error}") from None


def values_in(path: Path) -> Iterator[tuple[int, JsonValue | FormatError]]:
    """The values of a file: rows of a table, lines of JSON, or one document, of which the line is 0.

    What cannot be parsed is a FormatError in its place. Raises Unreadable.
    """
    table = is_table(path)
    with open_log(path, "CSV" if table else "JSON") as stream:
        yield from _read_table(stream) if table else _read_values(stream)


def read_log(stream: BinaryIO, *, table: bool = False) -> Iterator[Entry]:
    """What each line that is not blank holds, or each row of a table; garbage is "malformed".

    Raises Unreadable for a broken file.
    """
    lines = _read_table(stream) if table else ((number, _parsed(line)) for number, line in read_lines(stream))
    for number, value in lines:
        if isinstance(value, FormatError):
            yield Entry(number, "malformed", problem=str(value))
        else:
            yield entry_of(value, number)


def _read_values(stream: BinaryIO) -> Iterator[tuple[int, JsonValue | FormatError]]:
    """The JSON values, each with its line: one a line, or the file as one document (line 0) when its first
    line is none. What cannot be parsed is a FormatError in its place. Raises Unreadable.
    """
    lines = read_lines(stream)
    first = next(lines, None)
    if first is None:
        return
    number, line = first
    value = _parsed(line)
    if line is None or not isinstance(value, FormatError):
        yield number, value
    else:
        whole = line + _rest(stream)
        document = _parsed(whole)
        if not isinstance(document, FormatError) or line.rstrip().endswith((b"{", b"[", b",")):
            yield 0, document  # one document over several lines, or one that was cut off
            return
        lines = ((number + n - 1, text) for n, text in read_lines(io.BytesIO(whole)))
    for later, text in lines:
        yield later, _parsed(text)


def _rest(stream: BinaryIO) -> bytes:
    try:
        rest = stream.read(_MAX_DOCUMENT + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable(f"cannot be read: {error}") from None
    if len(rest) > _MAX_DOCUMENT:
        raise Unreadable(f"is one document of over {_MAX_DOCUMENT:,} bytes; expected JSON Lines")
    return rest


def _parsed(line: bytes | None) -> JsonValue | FormatError:
    if line is None:
        return FormatError(long_line())
    try:
        return parse_line(line)
    except FormatError as error:
        return error


def entry_of(value: JsonValue, line: int = 0) -> Entry:
    """What a JSON value holds."""
    try:
        if isinstance(value, list):
            return _of_list(value, line)
        if not isinstance(value, dict):
            raise _Wrong(f"found {_kind(value)}; expected an object or a list of messages")
        messages = value.get("messages")
        if type(messages) is list:  # by far the most
            entry = Entry(line, "conversation", value, _identifier(value, _IDS), messages, [], "", "", value)
            return _with_reply(entry, value)
        if "role" in value and value.keys().isdisjoint(_OF_REQUEST):
            return _message(value, line)  # what else it has is its own
        held = _held(value)
        if held is not None:
            return _conversation(value, line, held)
        written = _by_grice(value)
        if written is not None:
            return Entry(line, written, value, _identifier(value, _IDS), problem=_unknown(value))
        return _message(value, line)
    except _Wrong as wrong:
        return Entry(line, "malformed", value, problem=str(wrong))


def _of_list(value: list[Any], line: int) -> Entry:
    first = value[0] if value else None
    if isinstance(first, list) or (isinstance(first, dict) and "messages" in first):
        raise _Wrong("a list of conversations; expected one conversation a line (jq -c '.[]' splits it)")
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


def _conversation(value: dict[str, Any], line: int, held: _Held) -> Entry:
    name = _identifier(value, _IDS)
    if not name and isinstance(held.holder, dict) and held.holder is not value:
        name = _identifier(held.holder, _IDS)
    entry = Entry(line, "conversation", value, name, held.messages, [], "", "", held.holder, held.within)
    return _with_reply(entry, value)


def _by_grice(value: dict[str, Any]) -> Literal["record", "results"] | None:
    if isinstance(value.get("turns"), list):
        return "record"
    inner = value.get("conversation")
    if "version" in value and "results" in value:
        return "results"
    return "record" if isinstance(inner, dict) and ("version" in value or "turns" in inner) else None


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
