"""What a format has no place for: found by reading back what was written, and said."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from grice.formats.anthropic import BESIDE_RESULTS
from grice.formats.attachments import part_of
from grice.formats.calls import CUSTOM, REQUESTOR
from grice.formats.content import as_list, as_mapping, identifier
from grice.formats.detection import Format
from grice.formats.pairing import pair_results, with_ids
from grice.formats.shapes import READERS, WRITERS
from grice.formats.source import source_of
from grice.formats.unread import texts_behind_calls, unread_blocks, unread_fields
from grice.records import JsonValue, Message, ToolCall
from grice.text import shorten, value_text

_SHOWN = 4
_LONGEST = 120
_TOLD_ELSEWHERE = ("source", REQUESTOR)


class Loss(msgspec.Struct, frozen=True):
    """Something a conversation holds that the format it was written in has no place for.

    `path` says where it stands, as in `messages[2].name`: messages count from 0, as in
    `Conversation.messages`. `what` names it.
    """

    path: str
    what: str


class FormatLossWarning(UserWarning):
    """A conversation was written in a format that has no place for all of it."""

    __module__ = "grice"


def report(found: list[Loss], form: Format, losses: list[Loss] | None, stacklevel: int) -> None:
    """Add what was found to the caller's list; without one, warn."""
    if losses is not None:
        losses += found
        return
    if found:
        shown = [f"{loss.path} ({shorten(loss.what, _LONGEST)})" for loss in found[:_SHOWN]]
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        text = f"{form} has no place for {', '.join(shown)}{more}; with losses=[] they come as a list"
        warnings.warn(text, FormatLossWarning, stacklevel=stacklevel)


def losses_of(messages: Sequence[Message], anew: Iterable[int], form: Format) -> list[Loss]:
    """What is lost of the messages of these indexes, which were written anew."""
    unusual = [index for index in anew if not _is_plain(messages[index])]
    if not unusual:
        return []
    pairs = pair_results(messages)
    tools = {call.id: call.name for message in messages for call in message.tool_calls}
    losses: list[Loss] = []
    for index in unusual:
        message = messages[index]
        called = pairs.get(index)
        tool = tools.get(message.tool_call_id or "")
        if called is not None:
            tool = messages[called.message].tool_calls[called.call].name
        if message.name != tool or message.metadata or message.is_error or message.role != "tool":
            losses += [Loss(f"messages[{index}]{path}", what) for path, what in _lost(message, tool, form)]
    return losses + _untold(messages, unusual) + list(_of_raw(messages, unusual))


def _untold(messages: Sequence[Message], indexes: Iterable[int]) -> list[Loss]:
    """The results that only a call holds; writers write those of tool messages."""
    told = {message.tool_call_id for message in messages if message.role == "tool"}
    return [
        Loss(f"messages[{index}].tool_calls[{place}].result", "a result that no tool message holds")
        for index in indexes
        for place, call in enumerate(messages[index].tool_calls)
        if call.answered and call.id not in told
    ]


def _is_plain(message: Message) -> bool:
    """Whether every format has a place for all of the message."""
    if message.metadata or message.name or message.is_error or message.attachments:
        return False
    if message.role == "system":
        return False
    if message.role != "assistant" or not message.tool_calls:
        return not message.tool_calls
    return all(
        call.raw_arguments is None and not call.metadata and not call.answered for call in message.tool_calls
    )


def _lost(message: Message, tool: str | None, form: Format) -> Iterator[tuple[str, str]]:
    """What of one message does not come back, with its path in the message."""
    back = [read for raw in WRITERS[form](with_ids([message])) for read in READERS[form](raw)]
    text = "\n".join(read.content for read in back if read.content)
    moved = any(read.role != message.role for read in back if read.content)
    if text != message.content or moved or (message.role == "tool" and not back):
        yield ".content", _kind_of_text(message)
    elif message.is_error and not any(read.is_error for read in back):
        yield ".is_error", "that the tool failed"
    if message.name and message.name != tool and not any(read.name == message.name for read in back):
        yield ".name", f"the name {value_text(message.name)}"
    metadata = {key: value for read in back for key, value in read.metadata.items()}
    for key, value in message.metadata.items():
        if key not in _TOLD_ELSEWHERE and metadata.get(key) != value:
            beside = key == BESIDE_RESULTS
            yield f".metadata.{key}", "that it stands beside results" if beside else value_text(value)
    yield from _lost_attachments(message, form)
    calls = [call for read in back for call in read.tool_calls]
    if _moved(message.tool_calls, calls):
        yield ".tool_calls", "the order of the calls"
    for place, call in enumerate(message.tool_calls):
        for path, what in _lost_of_call(call, calls, message.role):
            yield f".tool_calls[{place}]{path}", what


def _lost_attachments(message: Message, form: Format) -> Iterator[tuple[str, str]]:
    for place, attachment in enumerate(message.attachments):
        if message.role != "user" or part_of(attachment, form) is None:
            yield f".attachments[{place}]", f"the attachment {value_text(attachment.name)}"


def _kind_of_text(message: Message) -> str:
    if message.role == "tool" and message.metadata.get(REQUESTOR) == "user":
        return "the result of a call by the user"
    return {"system": "a system message", "tool": "a result"}.get(message.role, "the text")


def _moved(calls: Sequence[ToolCall], back: Sequence[ToolCall]) -> bool:
    """Whether the same calls come back in another order."""
    before, after = ([(call.name, call.id) for call in listed] for listed in (calls, back))
    return before != after and len(before) == len(after) and set(before) == set(after)


def _lost_of_call(call: ToolCall, calls: list[ToolCall], role: str) -> Iterator[tuple[str, str]]:
    same = [back for back in calls if back.name == call.name and (back.id == call.id or not call.id)]
    if not same:
        yield "", f"a call of {call.name} by the {role}"
        return
    if call.raw_arguments is not None:
        if not any(back.raw_arguments == call.raw_arguments for back in same):
            yield ".raw_arguments", f"arguments that are no object, {value_text(call.raw_arguments)}"
    elif not any(back.arguments == call.arguments for back in same):
        yield ".arguments", "the arguments"
    for key, value in call.metadata.items():
        if key not in _TOLD_ELSEWHERE and not any(back.metadata.get(key) == value for back in same):
            custom = key == CUSTOM and value is True
            yield f".metadata.{key}", "that its tool takes a text" if custom else value_text(value)


def _of_raw(messages: Sequence[Message], indexes: Iterable[int]) -> Iterator[Loss]:
    """What only the raw form of these messages holds, which is not what was written."""
    wanted = {index for index in indexes if source_of(messages[index])}
    if not wanted:
        return
    blocks: list[list[JsonValue]] = []  # of further messages made of the same raw one
    mixed: list[bool] = []
    fields: list[str] = []
    for index, message in enumerate(messages):
        source = source_of(message)
        raw = as_mapping(source.get("raw"))
        if raw is not None:
            blocks = unread_blocks(raw, source.get("format"))
            mixed = texts_behind_calls(raw, source.get("format"))
            fields = unread_fields(raw, source.get("format"))
        elif not source:
            blocks, mixed, fields = [], [], []
        own = blocks.pop(0) if blocks else []
        behind = mixed.pop(0) if mixed else False
        if index in wanted:
            if behind:
                yield Loss(f"messages[{index}].content", "that text stands behind a call")
            yield from _left(f"messages[{index}]", own, fields)
            fields = []


def _left(path: str, blocks: list[JsonValue], fields: list[str]) -> Iterator[Loss]:
    if blocks:
        kinds = (identifier((as_mapping(block) or {}).get("type")) or "no type" for block in blocks)
        yield Loss(f"{path}.content", f"content of type {', '.join(dict.fromkeys(kinds))}")
    if fields:
        yield Loss(path, f"{'fields' if len(fields) > 1 else 'the field'} {', '.join(fields)}")


def losses_of_system(source: dict[str, JsonValue]) -> list[Loss]:
    """What the raw form of a system prompt holds beside its text."""
    raws, form = raw_systems(source), source.get("format")
    losses: list[Loss] = []
    for place, raw in enumerate(raws):
        path = f"system[{place}]" if len(raws) > 1 else "system"
        blocks = [block for blocks in unread_blocks(raw, form) for block in blocks]
        name = identifier(raw.get("name"))
        losses += [Loss(f"{path}.name", f"the name {value_text(name)}")] if name else []
        losses += _left(path, blocks, unread_fields(raw, form))
    return losses


def raw_systems(source: dict[str, JsonValue]) -> list[dict[str, Any]]:
    """The raw messages that a system prompt was read from, none when it stood beside the list."""
    held = as_list(source.get("raws")) or [source.get("raw")]
    return [raw for raw in map(as_mapping, held) if raw is not None]
