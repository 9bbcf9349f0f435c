"""A mapping for a home-made log, proposed from what its first lines hold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from grice.formats.content import identifier
from grice.formats.detection import detect_clean
from grice.formats.errors import FormatError
from grice.formats.log_files import values_in
from grice.formats.logs import Entry, entries_in, entry_of, parts_in
from grice.formats.mapping import SAMPLED, LogMapping, role_in
from grice.formats.shapes import READERS
from grice.records import JsonValue

COUNTED = 100_000
"""The lines that are read to say what a mapping leaves out."""
_KNOWN = 200
_SHOWN_PROBLEMS = 20


class UnlikeMessages(Exception):
    """Nothing in a log of an unknown shape is clearly a conversation."""


class Proposal(NamedTuple):
    """A mapping, and what it gives of the log that it was made for.

    `shown` are the first messages, `left_out` the fields that nothing reads, `problems` the lines that cannot
    be read by the reason, of the `lines` that were counted; `skipped` is their number. `whole` says whether
    these are all lines; `in_document` whether they are no lines, but records in one document.
    """

    mapping: LogMapping
    shown: tuple[dict[str, Any], ...]
    left_out: tuple[str, ...]
    lines: int
    conversations: int
    skipped: int
    problems: tuple[tuple[str, tuple[int, ...]], ...]
    whole: bool
    in_document: bool


def propose(path: Path | str) -> Proposal | None:
    """The mapping for a log, None where its shape is known. Raises Unreadable and UnlikeMessages."""
    values = values_in(path)
    counted = list(islice(values, _KNOWN))
    if _needs_none(counted):
        return None
    counted += islice(values, SAMPLED - _KNOWN)
    mapping = _mapping_of(counted)
    if mapping is None:
        return None
    counted += islice(values, COUNTED - SAMPLED)
    return try_mapping(mapping, counted, Path(path).name.partition(".")[0], whole=next(values, None) is None)


def propose_for(values: Sequence[tuple[int, Any]], *, whole: bool) -> Proposal | None:
    """The mapping for the values at the beginning of a log, or for those of the `whole`."""
    mapping = None if _needs_none(values[:_KNOWN]) else _mapping_of(values[:SAMPLED])
    return None if mapping is None else try_mapping(mapping, values, "", whole=whole)


def _mapping_of(sample: Sequence[tuple[int, Any]]) -> LogMapping | None:
    from grice.formats.log_places import propose_mapping

    mapping = propose_mapping(sample)
    if _is_known(sample[:_KNOWN]):  # a question and an answer a line, which another line may go on with
        return mapping if mapping is not None and mapping.said and mapping.conversation else None
    if mapping is None:
        raise UnlikeMessages
    return mapping


def _needs_none(first: Sequence[tuple[int, Any]]) -> bool:
    """Whether the first values of a log say that it is read as it is."""
    asked = all(isinstance(value, dict) and isinstance(value.get("input"), str) for _, value in first)
    return not asked and _is_known(first)


def try_mapping(
    mapping: LogMapping, counted: Sequence[tuple[int, Any]], name: str, *, whole: bool
) -> Proposal:
    """What a mapping gives of the values of a log."""
    entries = list(entries_in(iter(counted), mapping, name))
    read = [one for one in entries if one.kind == "conversation"]
    bad = [one for one in entries if one.problem]
    reasons = list(dict.fromkeys(one.problem for one in bad))[:_SHOWN_PROBLEMS]
    longest = max(read[:20], key=lambda one: min(len(one.messages), 3), default=None)
    shown = tuple(longest.messages[:3]) if longest is not None else ()
    skipped = sum(one.units for one in entries if one.kind != "conversation")
    sample = [
        value for _, value in parts_in(iter(counted[:SAMPLED]), mapping) if isinstance(value, dict | list)
    ]
    return Proposal(
        mapping,
        shown,
        tuple(left_out(mapping, sample)),
        sum(one.units for one in entries),
        len(read),
        skipped,
        tuple((reason, tuple(one.line for one in bad if one.problem == reason)) for reason in reasons),
        whole,
        len(counted) == 1 and counted[0][0] == 0,
    )


def described(mapping: LogMapping) -> str:
    """A mapping in a sentence: `messages at transcript[], role at who (bot -> assistant), text at txt`."""
    roles = ", ".join(f"{name or 'none'} -> {role}" for name, role in mapping.roles.items())
    parts = [
        f"each of {'the document' if mapping.each == '.' else mapping.each}" if mapping.each else "",
        _messages_at(mapping) if mapping.messages else "a line is a message",
        f"conversation at {mapping.conversation}" if mapping.conversation else "",
        f"in order of {mapping.order}" if mapping.order else "",
        f"role at {mapping.role}{f' ({roles})' if roles else ''}" if mapping.role else "",
        f"speakers before the speeches ({roles})" if mapping.speakers else "",
        f"{mapping.first} and then the other in turn" if mapping.first else "",
        f"text at {mapping.text}" if mapping.text else "",
        _joined_by(mapping.message_id) if mapping.message_id else "",
        *(
            f"left out where {path} is {' or '.join(map(identifier, values))}"
            for path, values in mapping.skip.items()
        ),
        ", ".join(f"{role} at {path}" for path, role in mapping.said.items())
        + (" behind them" if mapping.is_said_beside else ""),
        f"before them what the user says at {mapping.opening}" if mapping.opening else "",
        f"system prompt at {mapping.system}" if mapping.system else "",
        f"calls at {mapping.tool_calls}" if mapping.tool_calls else "",
        f"answered call at {mapping.tool_call_id}" if mapping.tool_call_id else "",
        f"tool at {mapping.tool}" if mapping.tool else "",
    ]
    return ", ".join(filter(None, parts)).replace(".[]", "the line itself")


def _joined_by(message_id: str) -> str:
    rows = "pieces in a row" if message_id == "." else f"rows with one {message_id}"
    return f"{rows} are one message (pieces are joined, edits replace, deleted ones are left out)"


def _messages_at(mapping: LogMapping) -> str:
    if mapping.columns:
        where = "" if mapping.messages == "." else f" of {mapping.messages}"
        return f"a message from each place in {', '.join(mapping.columns)}{where}"
    return f"messages at {mapping.messages}[]"


def guess(mapping: LogMapping) -> str:
    """What of a mapping is a guess, as nothing in the names of the log tells who speaks; "" where it does."""
    if mapping.first:
        return f"no field tells who speaks: the {mapping.first} is taken to begin, and both to speak in turn"
    roles = {**mapping.roles, **mapping.said}
    words = {name: name.rpartition(".")[2] if name in mapping.said else name for name in roles}
    sure = {role for name, role in roles.items() if role_in(words[name]) == role and len(words[name]) > 1}
    flag = {one.lower() for one in mapping.roles} <= {"true", "false", ""}
    if sure & {"user", "assistant"} or (flag and role_in(mapping.role)):
        return ""
    who = {role: {"": "none", "*": "whoever else"}.get(name, name) for name, role in roles.items()}
    return (
        f"no name tells who speaks{f' at {mapping.role}' if mapping.role else ''}; by what is said, "
        f"{who.get('user')} is the user and {who.get('assistant')} the assistant"
    )


def left_out(mapping: LogMapping, values: Sequence[JsonValue]) -> list[str]:
    """The fields of lines that a mapping does not read, those of messages behind `messages[].`"""
    from grice.formats.log_columns import fields_of  # as below: most logs need no proposal

    outer = {mapping.conversation, mapping.system, mapping.opening, mapping.messages, *mapping.columns} - {""}
    if mapping.messages == ".":
        outer.discard(".")
    people = mapping.role.partition("[")[0] if "[" in mapping.role else ""
    by = mapping.role.partition("[")[2].partition("]")[0].rpartition("=")[2]
    outer |= {people} - {""}
    inner = {mapping.role, by, mapping.text, *mapping.order.split(", "), mapping.message_id, *mapping.said}
    if mapping.is_said_beside:
        outer |= set(mapping.said)
    inner |= {mapping.tool_calls, mapping.tool_call_id, mapping.tool, *mapping.skip}
    found: dict[str, None] = {}
    for value in values:
        if mapping.is_flat:
            found |= dict.fromkeys(
                _counted(name, held)
                for name, held in fields_of(value).items()
                if not _is_read(name, outer | inner)
            )
            continue
        found |= dict.fromkeys(
            _counted(name, held) for name, held in fields_of(value).items() if not _is_read(name, outer)
        )
        try:
            items = mapping.items(value)
        except FormatError:
            continue
        for item in items if not mapping.columns else ():
            names = [name for name in fields_of(item) if not _is_read(name, inner)]
            found |= dict.fromkeys(f"{mapping.messages}[].{name}" for name in names)
    return list(found)


def _counted(name: str, held: JsonValue) -> str:
    """A field, with how many objects it holds: there may be conversations among them."""
    many = isinstance(held, list) and bool(held) and all(isinstance(one, dict | list) for one in held)
    return f"{name} ({len(held)})" if isinstance(held, list) and many else name


def _is_read(name: str, read: set[str]) -> bool:
    paths = [one for path in read for one in path.split(" | ") if one]
    return any(name == one or name.startswith(f"{one}.") or one == "." for one in paths)


# -- is the shape known


def _is_known(sample: Sequence[tuple[int, Any]]) -> bool:
    """Whether at least half of the lines are of a shape that is read as it is, with something said in it."""
    parts = islice(parts_in(iter(sample)), _KNOWN)
    entries = [entry_of(value, line) for line, value in parts if not isinstance(value, FormatError)]
    if not entries:
        return True  # nothing can be proposed: a reader says what is wrong
    telling = 0
    for one in entries:
        telling += _says_something(one)
        if 2 * telling >= len(entries):
            return True
    return False


def _says_something(entry: Entry) -> bool:
    if (
        entry.kind == "results"
        or (entry.kind == "record" and entry.messages)
        or entry.group
        or entry.value in ({}, [])
    ):
        return True
    if entry.kind == "other":  # a part of an export, or of Grice, that holds no conversation
        return ": " in entry.problem and not entry.problem.startswith("found")
    if entry.kind not in ("conversation", "message"):
        return False
    told_here = [_is_spoken(raw) for raw in (*entry.messages, *entry.reply)]
    return not told_here or 2 * sum(told_here) >= len(told_here)


def _is_spoken(raw: JsonValue) -> bool:
    if not isinstance(raw, dict):
        return False
    try:
        read = READERS[detect_clean([raw])](raw)
    except FormatError:
        return False
    said = any(one.content or one.tool_calls or one.role == "tool" for one in read)
    return said or "content" in raw or "parts" in raw
