"""The mapping for a home-made log: where conversations, messages and their order stand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import fmean as mean
from typing import Any, NamedTuple

from msgspec.structs import replace

from grice.formats.content import identifier
from grice.formats.errors import FormatError
from grice.formats.gathering import sort_keys
from grice.formats.log_columns import (
    DEEPEST,
    Column,
    columns_of,
    fields_of,
    is_clock,
    is_number,
    is_pair,
    is_time,
)
from grice.formats.log_speakers import (
    messenger_speakers,
    roles_of,
    roles_of_people,
    said_columns,
    skipped_values,
    speakers_in,
    text_column,
    tool_fields,
)
from grice.formats.mapping import WORDS, LogMapping, MappedRole, items_at, role_in, told
from grice.records import JsonValue

SAMPLED = 2_000
"""The lines that a proposal is made from."""
_TRIED = 200
_ID_NAMES = WORDS["conversation_field"]
_STEP_NAMES = WORDS["step_field"]


def propose_mapping(sample: Sequence[tuple[int, Any]]) -> LogMapping | None:
    """The mapping for these values with their lines."""
    if not sample:
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


_ALONE = "[]"
"""In place of a path: the document is the only conversation."""


class _Found(NamedTuple):
    score: float
    mapping: LogMapping


def _units(sample: Sequence[tuple[int, Any]]) -> Iterator[tuple[str, list[JsonValue]]]:
    """The lines, or what a single document may hold instead, each with its path."""
    values = [value for _, value in sample if not isinstance(value, FormatError)]
    if len(values) != 1 or len(sample) > 1 or isinstance(values[0], str):
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
    if not isinstance(value, dict) or depth > DEEPEST:
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
    found = [one._replace(score=one.score - 4 * _unread_share(one.mapping, usable[:_TRIED])) for one in found]
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
        if value and (all(isinstance(one, dict | str) for one in value) or all(map(is_pair, value))):
            yield path, value
        if value and isinstance(value[0], dict) and path:
            inside: defaultdict[str, list[JsonValue]] = defaultdict(list)
            for one in value:
                for below, items in _lists_of(one, path, depth + 1) if depth < DEEPEST else ():
                    inside[below].extend(items)
            yield from inside.items()
    elif isinstance(value, dict) and depth <= DEEPEST:
        if len(value) > 1 and all(key.isdecimal() for key in value):
            yield path, list(value.values())
            return
        for key, inner in value.items():
            yield from _lists_of(inner, f"{path}.{key}" if path else key, depth + 1)


# -- what the items are


def _of_items(
    lists: Sequence[Sequence[JsonValue]], people: Mapping[str, str], *, flat: bool = False
) -> _Found | None:
    """The mapping of items that may be messages, without where they stand."""
    items = [one for listed in lists for one in listed]
    if all(isinstance(one, str) for one in items):
        return None if flat else _of_texts(lists)
    rows = [fields_of(one) for one in items]
    columns = columns_of(rows)
    starts = _starts(lists)
    roles = [
        (score, column, mapped)
        for column in columns.values()
        if (judged := roles_of_people(column, people) or roles_of(column, columns, starts)) is not None
        for score, mapped in [judged]
    ]
    said = said_columns(columns, flat=flat)
    score, column, mapped = max(roles, key=lambda one: one[0], default=(0.0, None, {}))
    if column is not None and (said is None or score >= 3):
        text = text_column(columns, column.name)
        if text is not None:
            mapping = LogMapping(
                role=column.name,
                roles=mapped,
                text=text.name,
                skip=skipped_values(columns, column.name),
                **tool_fields(columns, column, mapped),
            )
            return _ordered(_Found(score + 2, mapping), columns, flat=flat)
    if said is not None:
        return _ordered(_Found(3, LogMapping(said=said)), columns, flat=flat)
    text = text_column(columns, "")
    if text is None:
        return None
    spoken = speakers_in([identifier(one) for one in text.present], several=False)
    if spoken is not None:
        return _ordered(
            _Found(3, LogMapping(speakers=True, roles=spoken, text=text.name)), columns, flat=flat
        )
    if flat or text.length < 2 or mean(map(len, lists)) < 2 or len(columns) > 4:
        return None
    return _Found(0.5, LogMapping(first="user", text=text.name))


def _starts(lists: Sequence[Sequence[JsonValue]]) -> set[int]:
    """The places of those items that begin a list."""
    starts, place = set[int](), 0
    for listed in lists:
        starts.add(place)
        place += len(listed)
    return starts


def _of_texts(lists: Sequence[Sequence[JsonValue]]) -> _Found | None:
    """Lists of texts: each with its speaker, or in turn."""
    texts = [identifier(one) for listed in lists for one in listed]
    roles = speakers_in(texts, several=False)
    if roles is not None:
        return _Found(4, LogMapping(speakers=True, roles=roles))
    if mean(len(one.split()) for one in texts) < 3 or mean(map(len, lists)) < 2:
        return None
    return _Found(1, LogMapping(first="user", text="."))


def _transcript(units: Sequence[JsonValue]) -> _Found | None:
    """A field that holds a whole conversation as one text."""
    rows = [fields_of(one) if not isinstance(one, str) else {".": one} for one in units]
    for column in columns_of(rows).values():
        texts = [one for one in column.present if isinstance(one, str)]
        if len(texts) * 2 < len(rows) or column.length < 4:
            continue
        roles = messenger_speakers(texts) or speakers_in(texts, several=True)
        if roles is not None:
            return _Found(5, LogMapping(messages=column.name, speakers=True, roles=roles))
    return None


# -- which conversation, and in which order


def _ordered(found: _Found, columns: Mapping[str, Column], *, flat: bool) -> _Found:
    """The mapping with the field by which messages are ordered, where there is one that sorts them all."""
    used = {found.mapping.role, found.mapping.text, *found.mapping.said}
    steps: list[Column] = []
    times: list[Column] = []
    for column in columns.values():
        if column.name in used or column.share < 1 or not column.is_scalar:
            continue
        if (
            column.words[-1:]
            and column.words[-1] in _STEP_NAMES
            and all(is_number(one) for one in column.present)
        ):
            steps.append(column)
        elif is_time(column) and not all(map(is_clock, column.present)) and sort_keys(column.present):
            times.append(column)
    best = max(times, key=lambda one: len(set(map(identifier, one.present))), default=None) or next(
        iter(steps), None
    )
    if not flat and steps:
        best = steps[0]
    return found if best is None else _Found(found.score, replace(found.mapping, order=best.name))


def _with_conversation(found: _Found, units: Sequence[JsonValue]) -> _Found:
    """The mapping with the id of the conversations, which are one a line, and their system prompt."""
    columns = columns_of([fields_of(one) for one in units])
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
    mapping: LogMapping, columns: Mapping[str, Column], units: Sequence[JsonValue]
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


def _id_score(column: Column) -> float:
    score = 2.0 * column.any_word(*_ID_NAMES) + 1.0 * column.any_word(
        "id", "key", "uuid", "ref", "guid", "no", "nr"
    )
    score += 1.0 * (column.words in (["id"], ["key"], ["uuid"]))
    return score - 2.0 * column.any_word("user", "customer", "agent", "message", "msg", "time", "turn", "seq")


def _with_flat_conversation(found: _Found, units: Sequence[JsonValue]) -> _Found:
    """The mapping of rows with the id of their conversation."""
    mapping, columns = found.mapping, columns_of([fields_of(one) for one in units])
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


def _alternates(values: Sequence[str], role: Column | None) -> bool:
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
