"""A mapping for a home-made log, proposed from what its first lines hold."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from grice.formats.content import identifier
from grice.formats.detection import detect_clean
from grice.formats.errors import FormatError
from grice.formats.gathering import sort_keys
from grice.formats.log_files import values_in
from grice.formats.logs import Entry, entries_in, entry_of, parts_in
from grice.formats.mapping import (
    STAMPED,
    WORDS,
    LogMapping,
    MappedRole,
    items_at,
    role_in,
    told,
    value_at,
    words_of,
)
from grice.formats.shapes import READERS
from grice.formats.tables import holds_json
from grice.records import JsonValue

SAMPLED = 2_000
"""The lines that a proposal is made from."""
COUNTED = 100_000
"""The lines that are read to say what a mapping leaves out."""
_KNOWN = 200
_DEEPEST = 4
_MOST_ROLES = 12
_SHOWN_PROBLEMS = 20


class Proposal(NamedTuple):
    """A mapping, and what it gives of the log that it was made for.

    `shown` are the first messages, `left_out` the fields that nothing reads, `problems` the lines that cannot
    be read by the reason, of the `lines` that were counted; `skipped` is their number. `whole` says whether
    these are all lines.
    """

    mapping: LogMapping
    shown: tuple[dict[str, Any], ...]
    left_out: tuple[str, ...]
    lines: int
    conversations: int
    skipped: int
    problems: tuple[tuple[str, tuple[int, ...]], ...]
    whole: bool


def propose(path: Path | str) -> Proposal | None:
    """The mapping for a log, None where its shape is known or nothing in it looks like messages.

    Raises Unreadable.
    """
    values = values_in(path)
    counted = list(islice(values, _KNOWN))
    if _is_known(counted):
        return None
    counted += islice(values, SAMPLED - _KNOWN)
    mapping = propose_mapping(counted)
    if mapping is None:
        return None
    counted += islice(values, COUNTED - SAMPLED)
    return try_mapping(mapping, counted, Path(path).name.partition(".")[0], whole=next(values, None) is None)


def propose_for(values: Sequence[tuple[int, Any]], *, whole: bool) -> Proposal | None:
    """The mapping for the values at the beginning of a log, or for those of the `whole`."""
    mapping = propose_mapping(values[:SAMPLED])
    return None if mapping is None else try_mapping(mapping, values, "", whole=whole)


def propose_mapping(sample: Sequence[tuple[int, Any]]) -> LogMapping | None:
    """The mapping for these values with their lines."""
    if not sample or _is_known(sample):
        return None
    people = _people(sample[0][1]) if len(sample) == 1 else {}
    found = [
        _Found(one.score - 1, replace(one.mapping, each="")) if each == _ALONE else one
        for each, units in _units(sample)
        if (one := _proposed(units, each, people)) is not None
    ]
    best = max(found, key=lambda one: one.score, default=None)
    return None if best is None or _is_plain(best.mapping) else best.mapping


def _is_plain(mapping: LogMapping) -> bool:
    """Whether a mapping only says what is read without one: such lines are malformed, not home-made."""
    named = (mapping.messages, mapping.role, mapping.text) == ("messages", "role", "content")
    return named and all(name == role for name, role in mapping.roles.items()) and not mapping.said


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
    )


def described(mapping: LogMapping) -> str:
    """A mapping in a sentence: `messages at transcript[], role at who (bot -> assistant), text at txt`."""
    roles = ", ".join(f"{name or 'none'} -> {role}" for name, role in mapping.roles.items())
    parts = [
        f"each of {'the document' if mapping.each == '.' else mapping.each}" if mapping.each else "",
        f"messages at {mapping.messages}[]" if mapping.messages else "a line is a message",
        f"conversation at {mapping.conversation}" if mapping.conversation else "",
        f"in order of {mapping.order}" if mapping.order else "",
        f"role at {mapping.role}{f' ({roles})' if roles else ''}" if mapping.role else "",
        f"speakers before the speeches ({roles})" if mapping.speakers else "",
        f"{mapping.first} and then the other in turn" if mapping.first else "",
        f"text at {mapping.text}" if mapping.text else "",
        *(
            f"left out where {path} is {' or '.join(map(identifier, values))}"
            for path, values in mapping.skip.items()
        ),
        ", ".join(f"{role} at {path}" for path, role in mapping.said.items())
        + (" behind them" if mapping.is_said_beside else ""),
        f"system prompt at {mapping.system}" if mapping.system else "",
        f"calls at {mapping.tool_calls}" if mapping.tool_calls else "",
        f"answered call at {mapping.tool_call_id}" if mapping.tool_call_id else "",
        f"tool at {mapping.tool}" if mapping.tool else "",
    ]
    return ", ".join(filter(None, parts)).replace(".[]", "the line itself")


def guess(mapping: LogMapping) -> str:
    """What of a mapping is a guess, as nothing in the names of the log tells who speaks; "" where it does."""
    if mapping.first:
        return f"no field tells who speaks: the {mapping.first} is taken to begin, and both to speak in turn"
    sure = {role for name, role in mapping.roles.items() if role_in(name) == role and len(name) > 1}
    flag = {one.lower() for one in mapping.roles} <= {"true", "false", ""}
    if not mapping.role or sure & {"user", "assistant"} or "*" in mapping.roles or (flag and role_in(mapping.role)):
        return ""
    who = {role: name for name, role in mapping.roles.items()}
    return (
        f"no name tells who speaks at {mapping.role}; by what is said, "
        f"{who.get('user')} is the user and {who.get('assistant')} the assistant"
    )


def left_out(mapping: LogMapping, values: Sequence[JsonValue]) -> list[str]:
    """The fields of lines that a mapping does not read, those of messages behind `messages[].`"""
    outer = {mapping.conversation, mapping.system, mapping.messages} - {""}
    inner = {mapping.role, mapping.text, mapping.order, *mapping.said}
    if mapping.is_said_beside:
        outer |= set(mapping.said)
    inner |= {mapping.tool_calls, mapping.tool_call_id, mapping.tool, *mapping.skip}
    found: dict[str, None] = {}
    for value in values:
        if mapping.is_flat:
            found |= dict.fromkeys(name for name in _fields(value) if not _is_read(name, outer | inner))
            continue
        found |= dict.fromkeys(name for name in _fields(value) if not _is_read(name, outer))
        items = told(value_at(value, mapping.messages))
        listed = list(items.values()) if isinstance(items, dict) else items if isinstance(items, list) else []
        for item in listed:
            names = [name for name in _fields(item) if not _is_read(name, inner)]
            found |= dict.fromkeys(f"{mapping.messages}[].{name}" for name in names)
    return list(found)


def _is_read(name: str, read: set[str]) -> bool:
    return any(name == one or name.startswith(f"{one}.") or one == "." for one in read if one)


def mean(numbers: Iterable[float]) -> float:
    """The mean of some numbers."""
    total, count = 0.0, 0
    for one in numbers:
        total, count = total + one, count + 1
    return total / count


# -- is the shape known


def _is_known(sample: Sequence[tuple[int, Any]]) -> bool:
    """Whether at least half of the lines are of a shape that is read as it is, with something said in it."""
    parts = islice(parts_in(iter(sample)), _KNOWN)
    entries = [entry_of(value, line) for line, value in parts if not isinstance(value, FormatError)]
    if not entries:
        return True  # nothing can be proposed: a reader says what is wrong
    return 2 * sum(map(_says_something, entries)) >= len(entries)


def _says_something(entry: Entry) -> bool:
    if entry.kind in ("record", "results") or entry.group or entry.value in ({}, []):
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


# -- where the conversations and the messages stand


_ALONE = "[]"
"""In place of a path: the document is the only conversation."""


class _Found(NamedTuple):
    score: float
    mapping: LogMapping


def _units(sample: Sequence[tuple[int, Any]]) -> Iterator[tuple[str, list[JsonValue]]]:
    """The lines, or what a single document may hold instead, each with its path."""
    values = [value for _, value in sample if not isinstance(value, FormatError)]
    if len(values) != 1 or len(sample) > 1:
        yield "", values
        return
    document = values[0]
    if isinstance(document, list):
        yield "", document[:SAMPLED]
    yield from ((path, units[:SAMPLED]) for path, units in _held_lists(document, "", 0) if path)
    if isinstance(document, dict):
        yield _ALONE, [document]
        if len(document) > 1 and all(isinstance(one, dict | list) for one in document.values()):
            yield ".", items_at(document, ".") or []


def _held_lists(value: JsonValue, path: str, depth: int) -> Iterator[tuple[str, list[JsonValue]]]:
    """The lists of objects or lists in a value, and the objects of such, with their paths."""
    if isinstance(value, list):
        if value and all(isinstance(one, dict | list) for one in value):
            yield path, value
        return
    if not isinstance(value, dict) or depth > _DEEPEST:
        return
    if path and len(value) > 1 and all(isinstance(one, dict | list) for one in value.values()):
        yield path, items_at({"held": value}, "held") or []
    for key, inner in value.items():
        yield from _held_lists(inner, f"{path}.{key}" if path else key, depth + 1)


def _people(document: JsonValue) -> dict[str, str]:
    """What a document says of the people in it, by their ids: `agent` or `requester`."""
    found: dict[str, str] = {}
    for _, items in _held_lists(document, "", 0):
        rows = [one for one in items if isinstance(one, dict) and "id" in one]
        for name in dict.fromkeys(name for row in rows for name in row):
            kinds = [identifier(row.get(name)) for row in rows]
            if {"user", "assistant"} <= set(map(role_in, set(kinds))) and all(map(role_in, set(kinds))):
                found |= zip((identifier(row["id"]) for row in rows), kinds, strict=True)
    return found


def _proposed(units: list[JsonValue], each: str, people: Mapping[str, str]) -> _Found | None:
    """The best mapping for these lines."""
    usable = [one for one in units if isinstance(one, dict | list | str)]
    if not usable:
        return None
    found: list[_Found] = []
    for path, lists in _lists_in(usable).items():
        share = len(lists) / len(usable)
        one = _of_items(lists, people)
        if one is not None and share >= 0.3:
            found.append(
                _with_conversation(_Found(one.score + 2 * share, replace(one.mapping, messages=path)), usable)
            )
    texts = _transcript(usable)
    if texts is not None:
        found.append(_with_conversation(texts, usable))
    if (flat := _of_items([usable], people, flat=True)) is not None:
        found.append(_with_flat_conversation(flat, usable))
    found = [one._replace(score=one.score - 4 * _unread_share(one.mapping, usable[:_KNOWN])) for one in found]
    best = max(found, key=lambda one: one.score, default=None)
    return None if best is None else _Found(best.score, replace(best.mapping, each=each))


def _unread_share(mapping: LogMapping, units: Sequence[JsonValue]) -> float:
    """How much of the lines a mapping cannot read a message of."""
    return mean(not (_can_be_read(mapping, unit) and mapping.read(unit).messages) for unit in units)


def _lists_in(units: Sequence[JsonValue]) -> dict[str, list[list[JsonValue]]]:
    """The lists that may hold messages, by path."""
    found: defaultdict[str, list[list[JsonValue]]] = defaultdict(list)
    for unit in units:
        for path, items in _lists_of(unit, "", 0):
            found[path or "."].append(items)
    return found


def _lists_of(value: JsonValue, path: str, depth: int) -> Iterator[tuple[str, list[JsonValue]]]:
    value = told(value)
    if isinstance(value, list):
        if value and (all(isinstance(one, dict | str) for one in value) or all(map(_is_pair, value))):
            yield path, value
        if value and isinstance(value[0], dict) and path:
            inside: defaultdict[str, list[JsonValue]] = defaultdict(list)
            for one in value:
                for below, items in _lists_of(one, path, depth + 1) if depth < _DEEPEST else ():
                    inside[below].extend(items)
            yield from inside.items()
    elif isinstance(value, dict) and depth <= _DEEPEST:
        if len(value) > 1 and all(key.isdecimal() for key in value):
            yield path, list(value.values())
            return
        for key, inner in value.items():
            yield from _lists_of(inner, f"{path}.{key}" if path else key, depth + 1)


def _is_pair(value: JsonValue) -> bool:
    return (
        isinstance(value, list)
        and 1 < len(value) <= 6
        and all(isinstance(one, str | int | float | None) for one in value)
    )


def _fields(item: JsonValue, above: str = "", depth: int = 0) -> dict[str, JsonValue]:
    """The values in an item that are no objects, by their paths."""
    item = told(item) if depth else item
    if isinstance(item, dict) and depth < _DEEPEST:
        pairs: Any = item.items()
    elif isinstance(item, list) and _is_pair(item) and depth == 0:
        pairs = ((str(place), one) for place, one in enumerate(item))
    else:
        return {above: item} if above else {}
    return {
        path: value
        for key, inner in pairs
        for path, value in _fields(inner, f"{above}.{key}" if above else key, depth + 1).items()
    }


# -- who says what


class _Column:
    """What a field holds in all items."""

    def __init__(self, name: str, rows: Sequence[Mapping[str, JsonValue]]) -> None:
        self.name = name
        self.words = words_of(name)
        self.values = [row.get(name) for row in rows]
        self.present = [one for one in self.values if one is not None and one != ""]
        texts = [one for one in self.present if isinstance(one, str)]
        self.is_text = 2 * len(texts) >= len(self.present) > 0
        self.length = mean(len(one.split()) for one in texts) if texts else 0.0
        self.is_scalar = all(isinstance(one, str | int | float | bool) for one in self.present)

    @property
    def share(self) -> float:
        return len(self.present) / len(self.values) if self.values else 0.0

    def any_word(self, *names: str) -> bool:
        return any(one in names for one in self.words)


def _columns(rows: Sequence[Mapping[str, JsonValue]]) -> dict[str, _Column]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: _Column(name, rows) for name in names}


_TEXT_NAMES = WORDS["text_field"]
_ROLE_NAMES = WORDS["role_field"]
_CODE_NAMES = WORDS["code_field"]
_ID_NAMES = WORDS["conversation_field"]
_TIME_NAMES = WORDS["time_field"]
_STEP_NAMES = WORDS["step_field"]


def _of_items(
    lists: Sequence[Sequence[JsonValue]], people: Mapping[str, str], *, flat: bool = False
) -> _Found | None:
    """The mapping of items that may be messages, without where they stand."""
    items = [one for listed in lists for one in listed]
    if all(isinstance(one, str) for one in items):
        return None if flat else _of_texts(lists)
    rows = [_fields(one) for one in items]
    columns = _columns(rows)
    starts = _starts(lists)
    roles = [
        (score, column, mapped)
        for column in columns.values()
        if (judged := _of_people(column, people) or _roles_of(column, columns, starts)) is not None
        for score, mapped in [judged]
    ]
    said = _said_columns(columns, flat=flat)
    score, column, mapped = max(roles, key=lambda one: one[0], default=(0.0, None, {}))
    if column is not None and (said is None or score >= 3):
        text = _text_column(columns, column.name)
        if text is not None:
            mapping = LogMapping(
                role=column.name,
                roles=mapped,
                text=text.name,
                skip=_skipped(columns, column.name),
                **_of_tools(columns, column, mapped),
            )
            return _ordered(_Found(score + 2, mapping), columns, flat=flat)
    if said is not None:
        return _ordered(_Found(3, LogMapping(said=said)), columns, flat=flat)
    text = _text_column(columns, "")
    if text is None:
        return None
    spoken = _speakers([identifier(one) for one in text.present], several=False)
    if spoken is not None:
        return _ordered(
            _Found(3, LogMapping(speakers=True, roles=spoken, text=text.name)), columns, flat=flat
        )
    if flat or text.length < 2 or mean(map(len, lists)) < 2 or len(columns) > 4:
        return None
    return _Found(0.5, LogMapping(first="user", text=text.name))


def _skipped(columns: Mapping[str, _Column], role: str) -> dict[str, list[str | int | float | bool]]:
    """The fields that mark internal notes, and the values by which they do."""
    found: dict[str, list[str | int | float | bool]] = {}
    for column in columns.values():
        values: Any = set(column.present) if column.is_scalar and column.name != role else ()
        marks: list[str | int | float | bool] = []
        if values and all(isinstance(one, bool) for one in values):
            marks = [
                one
                for one, names in ((True, WORDS["skip"]), (False, WORDS["public"]))
                if one in values and column.any_word(*names)
            ]
        elif len(values) <= _MOST_ROLES and column.any_word(*_ROLE_NAMES, *_CODE_NAMES, "visibility"):
            marks = [one for one in values if isinstance(one, str) and role_in(one) == "skip"]
        if marks and 2 * sum(one in marks for one in column.present) < len(column.values):
            found[column.name] = sorted(marks, key=identifier)
    return found


def _starts(lists: Sequence[Sequence[JsonValue]]) -> set[int]:
    """The places of those items that begin a list."""
    starts, place = set[int](), 0
    for listed in lists:
        starts.add(place)
        place += len(listed)
    return starts


def _of_people(
    column: _Column, people: Mapping[str, str]
) -> tuple[float, dict[str, MappedRole]] | None:
    """A field with the ids of people; where a machine is among them, their own staff is left out."""
    ids = Counter(map(identifier, column.present if column.is_scalar and people else ()))
    if not ids or column.share < 0.9 or sum(ids[one] for one in ids if one in people) < 0.8 * ids.total():
        return None
    staff = {one: people[one] for one in ids if one in people and role_in(people[one]) != "user"}
    machines = {one for one, kind in staff.items() if WORDS["machine"].intersection(words_of(kind))}
    roles: dict[str, MappedRole] = {
        one: "assistant" if one in machines or not machines else "skip" for one in staff
    }
    return (5.0, {**roles, "*": "user"}) if staff and len(staff) < len(ids) else None


def _roles_of(
    column: _Column, columns: Mapping[str, _Column], starts: set[int]
) -> tuple[float, dict[str, MappedRole]] | None:
    """How well a field tells who speaks, and what its values mean; None where it does not."""
    if not column.is_scalar or not column.present or column.length > 3:
        return None
    values = [identifier(one).strip() for one in column.present]
    counts = Counter(values)
    coded = all(len(one) <= 2 for one in counts)
    hinted = (
        column.any_word(*_ROLE_NAMES)
        or role_in(column.name) is not None
        or (coded and column.any_word(*_CODE_NAMES))
    )
    if column.share < 0.5 and not (hinted and len(counts) == 1):
        return None
    if mean(map(len, values)) > 30 or (len(counts) > _MOST_ROLES and not _tell_all(counts)):
        return _by_name(column, counts) if hinted else None
    if any(isinstance(one, bool) for one in column.present) or counts.keys() <= {
        "true",
        "false",
        "True",
        "False",
    }:
        return _of_flag(column, columns, starts)
    if len(counts) < 2:
        return _of_one(column, counts) if column.share < 0.9 and hinted else None
    known: dict[str, MappedRole] = {name: role for name in counts if (role := role_in(name)) is not None}
    if {"user", "assistant"} <= set(known.values()):
        share = sum(counts[name] for name in known) / len(values)
        rest: dict[str, MappedRole] = {
            name: _other_role(name, column, columns) for name in counts if name not in known
        }
        return 3 + share + 2 * hinted - len(rest), {**known, **rest}
    known = {name: role for name, role in known.items() if len(name) > 1}  # one letter tells nothing alone
    rest = {
        name: _other_role(name, column, columns)
        for name, count in counts.most_common()[2:]
        if coded or count < 0.2 * len(values)
    }
    silent = {name: role for name, role in rest.items() if role in ("skip", "tool") and name not in known}
    speaking = [
        name for name in counts if known.get(name) not in ("system", "tool", "skip") and name not in silent
    ]
    if coded and hinted and len(speaking) > 2:
        silent, speaking = rest, [name for name, _ in counts.most_common(2)]
    if len(speaking) != 2:
        return _by_name(column, counts) if hinted and len(counts) > 2 else None
    sure, voted = _voted(column, columns, starts, (speaking[0], speaking[1]), known)
    turns = _in_turn(column, starts)
    if len(starts) > 1 and not turns:
        return None  # one value in each conversation is no speaker
    if not hinted and sure < _SURE and not (turns > 0.6 and 1 < len(starts) <= len(values) / 2):
        return None
    return (2.5 if hinted else 1.0) + min(sure, 1.0) / 2, {**known, **silent, **voted}


def _in_turn(column: _Column, starts: set[int]) -> float:
    """How often a value differs from the one before it in its list."""
    inside = [
        one != other for place, (one, other) in enumerate(pairwise(column.values), start=1) if place not in starts
    ]
    return mean(inside) if inside else 0.0


def _tell_all(names: Mapping[str, int]) -> bool:
    return all(role_in(name) is not None for name in names)


def _other_role(name: str, column: _Column, columns: Mapping[str, _Column]) -> MappedRole:
    """What a value beside a user and an assistant means: a tool where it gives JSON, else the system."""
    text = _text_column(columns, column.name)
    pairs = zip(column.values, text.values if text else (), strict=False)
    texts = [one for who, one in pairs if identifier(who).strip() == name]
    if not any(texts):
        return "skip"  # an event, in which nobody speaks
    data = sum(not isinstance(one, str) or holds_json(one) for one in texts)
    return "tool" if texts and 2 * data > len(texts) else "system"


def _by_name(column: _Column, counts: Counter[str]) -> tuple[float, dict[str, MappedRole]] | None:
    """Names of people and of the one that speaks with them all."""
    (most, count), *_ = counts.most_common(1)
    named = [name for name in counts if role_in(name) == "assistant"]
    if len(named) == 1:
        return 2.0, {named[0]: "assistant", "*": "user"}
    if count < 0.3 * len(column.present) or column.length > 4 or column.any_word(*_TEXT_NAMES, "id"):
        return None
    return 1.5, {most: "assistant", "*": "user"}


def _of_one(column: _Column, counts: Counter[str]) -> tuple[float, dict[str, MappedRole]] | None:
    """A field that only messages of one side have."""
    (value,) = counts
    role = role_in(value) or role_in(column.name)
    if role not in ("user", "assistant"):
        return None
    return 1.0, {value: role, "": "assistant" if role == "user" else "user"}


def _of_flag(
    column: _Column, columns: Mapping[str, _Column], starts: set[int]
) -> tuple[float, dict[str, MappedRole]] | None:
    """A field that is true for one side."""
    values = {identifier(one) for one in column.present}
    yes = next((one for one in values if one.lower() == "true"), "true")
    no = next((one for one in values if one.lower() == "false"), "false")
    words = [one for one in column.words if one not in ("is", "from", "by", "message", "msg", "sent", "me")]
    role = role_in(" ".join(words)) if words else None
    other: MappedRole
    if role in ("user", "assistant"):
        other = "assistant" if role == "user" else "user"
        found: dict[str, MappedRole] = {yes: role, no: other}
    elif column.any_word("from", "me", "sent") and len(values) == 2:
        found = dict(_voted(column, columns, starts, (yes, no), {})[1])
    else:
        return None
    if column.share < 1:
        found[""] = found[no]
    return 4.0, found


_SURE = 1.5
"""How far ahead one of two has to be for a field whose name tells nothing of speakers."""


def _any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:{'|'.join(map(re.escape, sorted(phrases)))})")


_ASSISTS = _any_of(WORDS["assists"])
_ASKS = _any_of(f"{one} " for one in WORDS["asks"])


def _voted(
    column: _Column,
    columns: Mapping[str, _Column],
    starts: set[int],
    names: tuple[str, str],
    known: Mapping[str, MappedRole],
) -> tuple[float, dict[str, MappedRole]]:
    """Which of two is the user, and how sure: who one name tells, else who begins, asks, says less."""
    one, other = names
    for name, rest in ((one, other), (other, one)):
        role = known.get(name)
        if role == "user":
            return 1.0, {name: "user", rest: "assistant"}
        if role == "assistant":
            return 1.0, {name: "assistant", rest: "user"}
    text = _text_column(columns, column.name)
    spoken: dict[str, list[str]] = {one: [], other: []}
    begun: Counter[str] = Counter()
    for place, (value, said) in enumerate(zip(column.values, text.values if text else (), strict=False)):
        name = identifier(value).strip()
        if name in spoken and isinstance(said, str):
            spoken[name].append(said)
            begun[name] += place in starts

    def user_like(name: str) -> float:
        texts = spoken[name] or [""]
        assists = mean(1.0 if _ASSISTS.search(each) else 0.0 for each in texts)
        asks = mean(1.0 if _ASKS.search(each) else 0.0 for each in texts)
        first = begun[name] / max(1, sum(begun.values()))
        length = mean(map(len, texts)) / max(
            1.0, mean(map(len, spoken[one] or [""])) + mean(map(len, spoken[other] or [""]))
        )
        return 3 * (asks - assists) + first - length

    ahead = user_like(one) - user_like(other)
    user, assistant = (one, other) if ahead >= 0 else (other, one)
    return abs(ahead), {user: "user", assistant: "assistant"}


def _text_column(columns: Mapping[str, _Column], role: str) -> _Column | None:
    """The field that holds what is said."""
    usable = [one for one in columns.values() if one.name != role and one.is_text and one.present]
    usable = [one for one in usable if not one.any_word("id", "url", "uuid", "email", "timestamp", "lang")]

    def score(one: _Column) -> float:
        hint = (
            4 if one.words[-1:] and one.words[-1] in _TEXT_NAMES else 2 if one.any_word(*_TEXT_NAMES) else 0
        )
        other = (
            4
            if one.any_word("name", "label", "intent", "title", "topic", "translated", "translation", "html")
            else 0
        )
        return min(one.length, 8) + hint + 3 * one.share - other - (6 if _is_time(one) else 0)

    best = max(usable, key=score, default=None)
    return best if best is not None and score(best) >= 4 and best.share >= 0.3 else None


def _said_columns(columns: Mapping[str, _Column], *, flat: bool) -> dict[str, MappedRole] | None:
    """Two fields, each of which holds what one side says."""
    sides: dict[MappedRole, list[_Column]] = {"user": [], "assistant": []}
    for column in columns.values():
        if not column.is_text or column.any_word(
            "id", "name", "ts", "time", "timestamp", "url", "lang", "intent"
        ):
            continue
        votes: list[MappedRole] = [role for word in column.words if (role := role_in(word)) is not None]
        votes = [role for role in votes if role in sides]
        if votes and (column.length >= 1.5 or (not flat and column.share < 1)):
            sides[votes[0 if column.words[-1] in _TEXT_NAMES else -1]].append(column)
    if not sides["user"] or not sides["assistant"]:
        return None
    user, assistant = (max(found, key=lambda one: (one.share, one.length)) for found in sides.values())
    if user.share + assistant.share < 0.9:
        return None
    return {user.name: "user", assistant.name: "assistant"}


def _of_tools(
    columns: Mapping[str, _Column], role: _Column, roles: Mapping[str, MappedRole]
) -> dict[str, Any]:
    """The fields that hold calls, the call that a result answers, and the tool's name."""
    found: dict[str, Any] = {}
    made: set[str] = set()
    for column in columns.values():
        listed = [
            each for one in column.present for each in (told(one) if isinstance(told(one), list) else ())
        ]
        if listed and all(
            isinstance(one, dict) and ("function" in one or {"name", "arguments"} <= one.keys())
            for one in listed
        ):
            found["tool_calls"] = column.name
            made = {identifier(one.get("id")) for one in listed} - {""}
    places = [
        place
        for place, value in enumerate(role.values)
        if roles.get(identifier(value).strip(), role_in(identifier(value))) == "tool"
    ]
    for column in columns.values():
        values = {identifier(column.values[place]) for place in places} - {""}
        if column.name == role.name or not values:
            continue
        if len(made & values) >= 0.2 * len(values) and made:  # of a part of the log, not every call is known
            found.setdefault("tool_call_id", column.name)
        elif len(column.present) == len(places) > len(values) and all(" " not in one for one in values):
            found.setdefault("tool", column.name)
    return found


# -- texts that name who speaks

_PREFIX = re.compile(
    r"(?:^|\n|[|;]\s*|\s[-/]{1,2}\s|[\])]\s*)[*_<\[]*([A-Za-z][A-Za-z0-9_ .'-]{0,24}?)"
    r"[*_>\]]*\s*(?:\([^)\n]{0,40}\))?\s*(?::|->|=>)[*_]*(?=\s|\S)"
)
_INLINE = re.compile(r"(?:^|\s)([A-Z][A-Za-z0-9_]{0,24})\s?:\s")


def _speakers(texts: Sequence[str], *, several: bool) -> dict[str, MappedRole] | None:
    """Who speaks in texts with names before the speeches, None where they are none of these."""
    for pattern in (_PREFIX, _INLINE):
        found = [[one.strip() for one in pattern.findall(text)] for text in texts]
        counts = Counter(name for names in found for name in names)
        known: dict[str, MappedRole] = {name: role for name in counts if (role := role_in(name)) is not None}
        usual = {
            name
            for name, count in counts.items()
            if count >= 0.2 * len(texts) or (name in known and count > 1)
        }
        roles = dict(known)
        for name in known.keys() - usual:
            del roles[name]
        rest = [name for name in usual if name not in roles]
        if len(rest) == 1 and len(set(roles.values())) == 1:
            (only,) = set(roles.values())
            roles[rest[0]] = "user" if only == "assistant" else "assistant"
        if not {"user", "assistant"} <= set(roles.values()):
            continue
        told_in = [sum(name in roles for name in names) for names in found]
        if sum(count >= (2 if several else 1) for count in told_in) >= 0.6 * len(texts):
            return roles
    return None


def _stamped(texts: Sequence[str]) -> dict[str, MappedRole] | None:
    """Who speaks in exports of messengers, with a time and a name before each message."""
    found = [[name for name in STAMPED.findall(text) if name] for text in texts]
    if sum(len(set(names)) > 1 for names in found) < 0.6 * len(texts):
        return None
    counts = Counter(name for names in found for name in set(names))
    told_all = [name for name in counts if role_in(name) == "assistant"]
    most = told_all or [name for name, count in counts.items() if count > max(1, 0.6 * len(texts))]
    return {most[0]: "assistant", "*": "user"} if len(most) == 1 else None


def _of_texts(lists: Sequence[Sequence[JsonValue]]) -> _Found | None:
    """Lists of texts: each with its speaker, or in turn."""
    texts = [identifier(one) for listed in lists for one in listed]
    roles = _speakers(texts, several=False)
    if roles is not None:
        return _Found(4, LogMapping(speakers=True, roles=roles))
    if mean(len(one.split()) for one in texts) < 3 or mean(map(len, lists)) < 2:
        return None
    return _Found(1, LogMapping(first="user", text="."))


def _transcript(units: Sequence[JsonValue]) -> _Found | None:
    """A field that holds a whole conversation as one text."""
    rows = [_fields(one) if not isinstance(one, str) else {".": one} for one in units]
    for column in _columns(rows).values():
        texts = [one for one in column.present if isinstance(one, str)]
        if len(texts) * 2 < len(rows) or column.length < 4:
            continue
        roles = _stamped(texts) or _speakers(texts, several=True)
        if roles is not None:
            return _Found(5, LogMapping(messages=column.name, speakers=True, roles=roles))
    return None


# -- which conversation, and in which order


def _is_time(column: _Column) -> bool:
    if not column.is_scalar or not column.present:
        return False
    keys = sort_keys(column.present[:50])
    return keys is not None and (
        column.any_word(*_TIME_NAMES) or all(isinstance(one, str) and len(one) > 7 for one in column.present)
    )


def _ordered(found: _Found, columns: Mapping[str, _Column], *, flat: bool) -> _Found:
    """The mapping with the field by which messages are ordered, where there is one that sorts them all."""
    used = {found.mapping.role, found.mapping.text, *found.mapping.said}
    steps: list[_Column] = []
    times: list[_Column] = []
    for column in columns.values():
        if column.name in used or column.share < 1 or not column.is_scalar:
            continue
        if (
            column.words[-1:]
            and column.words[-1] in _STEP_NAMES
            and all(_is_number(one) for one in column.present)
        ):
            steps.append(column)
        elif _is_time(column) and not all(map(_is_clock, column.present)) and sort_keys(column.present):
            times.append(column)
    best = max(times, key=lambda one: len(set(map(identifier, one.present))), default=None) or next(
        iter(steps), None
    )
    if not flat and steps:
        best = steps[0]
    return found if best is None else _Found(found.score, replace(found.mapping, order=best.name))


def _is_clock(value: JsonValue) -> bool:
    """Whether it is a time of day alone, which does not sort over midnight."""
    return isinstance(value, str) and len(value.strip()) <= 8 and ":" in value


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and value.strip().isdecimal())


def _with_conversation(found: _Found, units: Sequence[JsonValue]) -> _Found:
    """The mapping with the id of the conversations, which are one a line, and their system prompt."""
    columns = _columns([_fields(one) for one in units])
    mapping = found.mapping
    ids = [
        (_id_score(one) + (1 if len(set(map(identifier, one.present))) == len(units) else 0), one)
        for one in columns.values()
        if one.share == 1
        and one.is_scalar
        and one.length <= 3
        and not one.name.startswith(f"{mapping.messages}.")
    ]
    best = max(ids, key=lambda one: one[0], default=None)
    if best is not None and best[0] >= 2:
        mapping = replace(mapping, conversation=best[1].name)
    for column in columns.values():
        if column.is_text and column.words[:1] == ["system"] and column.length > 1:
            mapping = replace(mapping, system=column.name)
    if not mapping.said and not mapping.speakers and mapping.messages != ".":
        mapping = replace(mapping, said=_said_beside(mapping, columns, units))
    return _Found(found.score, mapping)


def _said_beside(
    mapping: LogMapping, columns: Mapping[str, _Column], units: Sequence[JsonValue]
) -> dict[str, MappedRole]:
    """The fields beside the messages of a line that go on with them: the question, and the answer to it."""
    found: dict[str, MappedRole] = {}
    read = (mapping.conversation, mapping.system, mapping.messages)
    for column in columns.values():
        named = (column.words[-1:] and role_in(column.words[-1])) or role_in(column.name)
        if column.name in read or column.share < 0.9 or not column.is_text or column.length < 1.5:
            continue
        if (
            named in ("user", "assistant")
            and named not in found.values()
            and not column.any_word("id", "name", "intent")
        ):
            found[column.name] = named
    ends = [mapping.read(unit).messages[-1:] for unit in units[:50] if _can_be_read(mapping, unit)]
    last = [one[0]["role"] for one in ends if one]
    if (
        not last
        or "assistant" not in found.values()
        or (2 * last.count("assistant") > len(last) and len(found) < 2)
    ):
        return {}
    return dict(sorted(found.items(), key=lambda one: one[1] == "assistant"))


def _can_be_read(mapping: LogMapping, unit: JsonValue) -> bool:
    try:
        mapping.read(unit)
    except FormatError:
        return False
    return True


def _id_score(column: _Column) -> float:
    score = 2.0 * column.any_word(*_ID_NAMES) + 1.0 * column.any_word(
        "id", "key", "uuid", "ref", "guid", "no", "nr"
    )
    score += 1.0 * (column.words in (["id"], ["key"], ["uuid"]))
    return score - 2.0 * column.any_word("user", "customer", "agent", "message", "msg", "time", "turn", "seq")


def _with_flat_conversation(found: _Found, units: Sequence[JsonValue]) -> _Found:
    """The mapping of rows with the id of their conversation."""
    mapping, columns = found.mapping, _columns([_fields(one) for one in units])
    used = {mapping.role, mapping.text, mapping.order, *mapping.said}
    best: tuple[float, str] = (0.0, "")
    for column in columns.values():
        values = list(map(identifier, column.present))
        distinct = len(set(values))
        if column.name in used or column.share < 1 or not column.is_scalar or column.length > 4:
            continue
        score = _id_score(column)
        if distinct == len(values) and len(values) > 1:
            continue  # it is the id of a row
        repeated = len(values) / distinct
        score += 1.0 if 1.5 <= repeated <= 60 else -1.0
        score += 1.0 if _in_runs(values) else 0.0
        score += 1.0 if _alternates(values, columns.get(mapping.role)) else 0.0
        best = max(best, (score, column.name))
    score, name = best
    if score >= 2 or (score >= 1.5 and not mapping.said):
        mapping = replace(mapping, conversation=name)
    elif mapping.said or mapping.speakers:
        return _Found(found.score, replace(mapping, order=""))
    return _Found(found.score, mapping)


def _alternates(values: Sequence[str], role: _Column | None) -> bool:
    """Whether those who speak take turns among the rows with one value, more than in the whole."""
    if role is None:
        return False
    last: dict[str, str] = {}
    inside: list[bool] = []
    for value, who in zip(values, map(identifier, role.values), strict=False):
        if value in last:
            inside.append(last[value] != who)
        last[value] = who
    return len(inside) > 3 and sum(inside) > 0.8 * len(inside)


def _in_runs(values: Sequence[str]) -> bool:
    """Whether equal values mostly follow each other."""
    changes = sum(one != other for one, other in pairwise(values))
    return changes + 1 <= 1.5 * len(set(values))
