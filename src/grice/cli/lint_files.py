"""What `grice lint` finds in a file: requests, message arrays, recorded conversations, results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from grice.checks.message_lint.dialects import dialect_of_url
from grice.checks.message_lint.entry import holds_texts
from grice.formats.detection import detect_format
from grice.formats.errors import FormatError, kind_of
from grice.formats.log_files import values_in
from grice.formats.logs import OF_JOURNAL, entry_of
from grice.records import Conversation, Exchange, JsonValue, RecordFormatError, Turn, decode_conversation
from grice.records.codec import FORMAT_VERSION

_MAX_DEPTH = 4
_EXPECTED = "a request with messages or input, a list of messages, a conversation or results of Grice"
_NAMES = ("key", "conversation")
_LOG_FORMATS = ("adk", "langchain", "otel", "tau2")


class Subject(NamedTuple):
    """One message array with what belongs to it; None instead of it where a conversation recorded none.

    `line` is 0 when the file is one JSON document; `name` says where in it.
    """

    line: int
    name: str
    array: Exchange | dict[str, Any] | list[Any] | None
    user: str | None = None
    calls: frozenset[str] | None = None
    earlier: tuple[Turn, ...] = ()


class Problem(NamedTuple):
    """Something in a file that cannot be examined, and why."""

    line: int
    reason: str


class _Held(msgspec.Struct):
    conversation: Conversation
    key: str = ""


def read_subjects(path: Path) -> Iterator[Subject | Problem]:
    """Everything in a file that can be examined, and what cannot. Raises Unreadable."""
    for line, value in values_in(path):
        if isinstance(value, FormatError):
            yield Problem(line, str(value))
            continue
        try:
            for subject in _subjects(value, "", 0):
                yield subject._replace(line=line)
        except (FormatError, RecordFormatError, msgspec.ValidationError) as error:
            yield Problem(line, str(error))


def _subjects(value: JsonValue, name: str, depth: int) -> Iterator[Subject]:
    if isinstance(value, list):
        if depth > _MAX_DEPTH:
            raise FormatError(f"{name}: lists nested too deep; expected {_EXPECTED}")
        if not value or any(_is_message(item) for item in value) or detect_format(value) in _LOG_FORMATS:
            yield Subject(0, name, value)
            return
        for place, item in enumerate(value):
            yield from _subjects(item, f"{name}[{place}]", depth + 1)
    elif isinstance(value, dict):
        yield from _in_object(value, name)
    else:
        raise FormatError(f"{name + ': ' if name else ''}found {kind_of(value)}; expected {_EXPECTED}")


def _is_message(item: JsonValue) -> bool:
    return isinstance(item, dict) and "messages" not in item and ("role" in item or "type" in item)


def _in_object(value: dict[str, Any], name: str) -> Iterator[Subject]:
    entry = entry_of(value)
    label = " ".join(part for part in (name, entry.id or _other_name(value)) if part)
    holder = entry.holder
    if entry.kind == "record":
        yield from _of_record(_in_journal(value), name)
    elif entry.kind == "results":
        yield from _of_results(value)
    elif "messages" in value or "input" in value:
        yield Subject(0, label, None if holds_texts(value) else value)
    elif entry.kind == "conversation" and isinstance(holder, list):
        yield Subject(0, label, holder)
    elif isinstance(holder, dict) and ("messages" in holder or "input" in holder):
        yield _of_request(holder, label, _dialect(value, entry.within))
    elif entry.kind == "other" and entry.problem.startswith(OF_JOURNAL):
        return
    elif entry.kind == "message":
        raise FormatError(f"{name + ': ' if name else ''}found a message alone; expected {_EXPECTED}")
    else:
        fields = ", ".join(list(value)[:8])[:120] or "no fields"
        raise FormatError(f"{name + ': ' if name else ''}found an object with {fields}; expected {_EXPECTED}")


def _other_name(value: dict[str, Any]) -> str:
    return next((f"{value[key]}" for key in _NAMES if isinstance(value.get(key), str | int)), "")


def _dialect(value: dict[str, Any], within: str) -> str:
    """The dialect of the request that stands there in a line, as far as the line says."""
    if within == "params":  # a line of Anthropic's batches
        return "anthropic"
    told = value.get("url" if within == "body" else "dialect")  # a line of OpenAI's has a URL
    if not isinstance(told, str):
        return ""
    return _spoken_at(told) if within == "body" else told


def _of_request(request: dict[str, Any], label: str, dialect: str) -> Subject:
    texts = dialect == "openai_embeddings" or (not dialect and holds_texts(request))
    return Subject(0, label, None if texts else Exchange(request, dialect=dialect))


def _spoken_at(url: str) -> str:
    return "openai_embeddings" if url.endswith("/embeddings") else dialect_of_url(url) or ""


def _in_journal(value: dict[str, Any]) -> dict[str, Any]:
    """The record, out of the line of a journal that holds it."""
    result = value.get("result")
    return result if isinstance(result, dict) and "conversation" not in value else value


def _of_record(value: dict[str, Any], name: str) -> Iterator[Subject]:
    if isinstance(value.get("turns"), list):
        yield from _of_conversation(msgspec.convert(value, Conversation), name)
    elif "version" in value:
        yield from _of_conversation(decode_conversation(msgspec.json.encode(value)), name)
    else:
        yield from _of_conversation(msgspec.convert(value["conversation"], Conversation), name)


def _of_results(value: dict[str, Any]) -> Iterator[Subject]:
    version = value["version"]
    if isinstance(version, int) and version > FORMAT_VERSION:
        raise FormatError(
            f"format version {version} is newer than this Grice reads ({FORMAT_VERSION}); update Grice"
        )
    for held in msgspec.convert(value["results"], tuple[_Held, ...]):
        yield from _of_conversation(held.conversation, held.key)


def _of_conversation(conversation: Conversation, name: str) -> Iterator[Subject]:
    label = name or conversation.id
    found = False
    for place, turn in enumerate(conversation.turns):
        calls = frozenset(call.id for call in turn.tool_calls if call.id)
        for number, exchange in enumerate(turn.exchanges, start=1):
            if exchange.dialect != "openai_embeddings":
                found = True
                where = f"{label} turn {turn.number}, request {number}".strip()
                earlier = conversation.turns[:place]
                yield Subject(0, where, exchange, turn.user or None, calls or None, earlier)
    if not found:
        yield Subject(0, label, None)
