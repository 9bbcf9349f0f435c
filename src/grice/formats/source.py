"""Keeping a source message where writing the neutral one would not give it back, and giving it back.

A message made from raw form that the writer of its format would not reproduce has
`metadata["source"] = {"format": ..., "index": n, "raw": {...}}`; further messages made from the same raw form
have the same without `raw`. A message read on its own has no index.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from grice.formats.content import as_list, as_mapping
from grice.formats.detection import Format
from grice.formats.errors import FormatError, kind_of
from grice.formats.pairing import with_ids
from grice.formats.shapes import READERS, WRITERS
from grice.records import JsonValue, Message, clean_json

_SHARED_KEYS = {"role", "content"}
_SHARING: tuple[Format, ...] = ("anthropic", "openai_chat")
_PLAIN: tuple[Format, ...] = (*_SHARING, "openai_responses", "tau2")


def read_all(items: Sequence[JsonValue], form: Format) -> list[Message]:
    """The neutral messages of all raw ones, each with its source where that is needed.

    Raises FormatError with the index of the message that cannot be read.
    """
    messages: list[Message] = []
    before: tuple[list[Message], JsonValue] | None = None  # the last group, when it was kept without source
    for index, item in enumerate(items):
        try:
            group, raw = _read(item, form)
        except FormatError as error:
            raise FormatError(error.detail, index) from None
        if raw is None:
            before = (group, item) if group[-1].role == "assistant" else None
        elif _reproduced(group, [raw], form) and not _swallowed(before, group, raw, form):
            before = (group, raw)
        else:
            group = _with_source(group, {"format": form, "index": index}, raw)
            before = None
        messages.extend(group)
    return messages


def read_one(item: JsonValue, form: Format) -> list[Message]:
    """The neutral messages of one raw message that is not part of a list."""
    group, raw = _read(item, form)
    if raw is None or _reproduced(group, [raw], form):
        return group
    return _with_source(group, {"format": form}, raw)


def write_all(messages: Sequence[Message], form: Format) -> tuple[list[dict[str, Any]], list[int]]:
    """The messages in this format: the source where one is kept and still true, else written anew.

    The second value has the indexes of those that were not written from a source.
    """
    writer = WRITERS[form]
    named = with_ids(messages)
    written: list[dict[str, Any]] = []
    pending: list[Message] = []
    anew: list[int] = []
    place = 0
    while place < len(messages):
        raw, length = _kept(messages, place, form)
        if raw is not None:
            written += writer(pending)
            written.append(raw)
            pending = []
        else:
            anew.append(place)
            if not _silent_here(messages[place], form):
                pending.append(named[place])
        place += length
    return [clean_json(raw) for raw in written + writer(pending)], anew


def _same_json(one: JsonValue, other: JsonValue) -> bool:
    """Whether two values are the same JSON: key order does not count, 1 and 1.0 and true differ."""
    try:
        encoded = (msgspec.json.encode(value, order="deterministic") for value in (one, other))
        return next(encoded) == next(encoded)
    except (ValueError, OverflowError, RecursionError):
        return False


def _still_says(raw: dict[str, Any], messages: Sequence[Message], form: Format) -> bool:
    """Whether raw form read now gives these messages.

    An edited or redacted message must not bring back the old text.
    """
    try:
        return [_said(message) for message in READERS[form](raw)] == [_said(message) for message in messages]
    except FormatError:
        return False


def _read(item: JsonValue, form: Format) -> tuple[list[Message], dict[str, Any] | None]:
    """The messages, and the raw one unless it is of the plain form that every writer reproduces."""
    raw = as_mapping(item)
    if raw is None:
        raise FormatError(f"is {kind_of(item)}; expected a message (an object with role and content)")
    role, content = raw.get("role"), raw.get("content")
    plain = form in _PLAIN and len(raw) == 2
    if plain and isinstance(content, str) and (role == "user" or role == "assistant"):
        return [Message(role, content)], None
    return READERS[form](raw), raw


def _reproduced(group: list[Message], raws: list[JsonValue], form: Format) -> bool:
    return _same_json(WRITERS[form](with_ids(group)), raws)


def _swallowed(
    before: tuple[list[Message], JsonValue] | None, group: list[Message], raw: JsonValue, form: Format
) -> bool:
    """Whether the writer would merge these messages into the ones before them."""
    if before is None or (form != "adk" and before[0][-1].role != group[0].role):
        return False
    return not _reproduced(before[0] + group, [before[1], raw], form)


def _with_source(group: list[Message], source: dict[str, JsonValue], raw: JsonValue) -> list[Message]:
    kept = [{"source": {**source, "raw": raw}}] + [{"source": source}] * (len(group) - 1)
    return [
        msgspec.structs.replace(message, metadata={**message.metadata, **data})
        for message, data in zip(group, kept, strict=True)
    ]


def source_of(message: Message) -> dict[str, Any]:
    """Where a message came from, empty when it keeps no source."""
    return as_mapping(message.metadata.get("source")) or {}


def _kept(messages: Sequence[Message], place: int, form: Format) -> tuple[dict[str, Any] | None, int]:
    """The raw form to write at this place and how many messages it stands for; None and 1 to write anew."""
    source = source_of(messages[place])
    raw = as_mapping(source.get("raw"))
    if raw is None or not (source.get("format") == form or (form in _SHARING and _shared(source, raw))):
        return None, 1
    group = [messages[place]]
    for message in messages[place + 1 :]:
        follower = source_of(message)
        if "raw" in follower or not follower or follower.get("index") != source.get("index"):
            break
        group.append(message)
    return (raw, len(group)) if _still_says(raw, group, form) else (None, 1)


def _shared(source: dict[str, Any], raw: dict[str, Any]) -> bool:
    """Whether the chat formats of Anthropic and OpenAI have this form in common: text, or text blocks."""
    if (
        source.get("format") not in _SHARING
        or not raw.keys() <= _SHARED_KEYS
        or raw.get("role") not in ("user", "assistant")
    ):
        return False
    content: JsonValue = raw.get("content")
    if isinstance(content, str):
        return True
    blocks = [as_mapping(item) or {} for item in as_list(content) or []]
    return bool(blocks) and all(b.keys() == {"type", "text"} and b["type"] == "text" for b in blocks)


def _silent_here(message: Message, form: Format) -> bool:
    """Whether a message is only there to keep an item (reasoning, say) that this format has no words for."""
    source = source_of(message)
    foreign = "raw" in source and source.get("format") != form
    return foreign and message.role == "assistant" and not message.content and not message.tool_calls


def _said(message: Message) -> tuple[object, ...]:
    calls = tuple((call.id, call.name, call.arguments, call.raw_arguments) for call in message.tool_calls)
    return message.role, message.content, calls, message.tool_call_id, message.name, message.is_error
