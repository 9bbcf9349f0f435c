"""Which rows of a home-made log are one message: those with one id of a message, or pieces in a row.

A field is taken for the id of messages where the rows that it brings together are clearly one: pieces of a
stream, which follow each other; a text and its edited form; a text that came twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from grice.formats.log_columns import Column
from grice.formats.log_speakers import MOST_ROLES
from grice.formats.mapping import LogMapping, MappedRole, is_piece_path, marks_of, role_in
from grice.records import JsonValue

Items = Sequence[JsonValue]
Talks = Sequence[Sequence[int]]
Sides = list[MappedRole | None]


class OneMessage(NamedTuple):
    """The messages that rows are: a row and the first place of each, and which are one conversation."""

    mapping: LogMapping
    items: list[JsonValue]
    places: list[int]
    talks: list[list[int]]


def rows_joined(
    mapping: LogMapping, columns: Mapping[str, Column], items: Items, talks: Talks
) -> OneMessage | None:
    """The messages that several rows are, None where nothing tells that there are such."""
    best = (0, 0, mapping)
    sides = list(_sides(columns))
    paths = [*_ids(columns, mapping.conversation, talks), "."]
    for text in _texts(columns):
        for path in paths:
            edited = _edited_texts(text, columns) if " | " in path else []
            tried = replace(mapping, message_id=path, text=" | ".join([*edited, text]))
            if (gained := _gain(tried, sides, items, talks)) > best[:2]:
                best = (*gained, tried)
    if not best[0]:
        return None
    found = OneMessage(best[2], [], [], [])
    for talk in talks:
        found.talks.append([])
        for one in found.mapping.joined([items[place] for place in talk]):
            if not one.problem:
                found.talks[-1].append(len(found.items))
                found.items.append(one.row)
                found.places.append(talk[one.places[0]])
    return found


def _texts(columns: Mapping[str, Column]) -> list[str]:
    """Where the texts may stand: in one field, or pieces in one and whole texts in another."""
    pieces = [
        one
        for one in columns.values()
        if one.is_text and is_piece_path(one.name) and any(" " in str(each) for each in one.present)
    ]
    piece = max(pieces, key=lambda one: len(one.counts), default=None)
    others = columns  # in a long stream few rows are no pieces
    if piece is not None:
        places = [place for place, name in enumerate(piece.names) if not name]
        others = {
            name: Column(name, [one.values[place] for place in places]) for name, one in columns.items()
        }
    wholes = [
        columns[name] for name, one in others.items() if one.text_score >= 4 and not is_piece_path(name)
    ]
    whole = max(wholes, key=lambda one: others[one.name].text_score, default=None)
    if piece is None or whole is None:
        return [one.name for one in (piece, whole) if one is not None]
    both = sum(bool(one and other) for one, other in zip(piece.names, whole.names, strict=True))
    return [whole.name if 2 * both > len(piece.present) else f"{whole.name} | {piece.name}"]


def _edited_texts(text: str, columns: Mapping[str, Column]) -> list[str]:
    """Where rows that change a message hold the new text: a field of the same name, in few rows."""
    name = text.rpartition(".")[2]
    return [
        one.name
        for one in columns.values()
        if one.name != text and one.name.rpartition(".")[2] == name and one.is_text and one.share < 0.5
        if not _BEFORE.intersection(one.words)
    ]


_BEFORE = frozenset({"previous", "old", "original", "before", "prev"})


def _ids(columns: Mapping[str, Column], conversation: str, talks: Talks) -> Iterator[str]:
    """The paths where the id of a message may stand: its own, or before it that of the one it changes.

    A conversation has more than one of them.
    """
    for column in columns.values():
        if column.name == conversation or not column.is_scalar or not _is_id(column):
            continue
        if sum(len({column.names[place] for place in talk}) for talk in talks) <= 1.2 * len(talks):
            continue
        if len(column.counts) < len(column.present) and not column.is_time:
            yield column.name
        others = _changes(column, columns)
        if others:
            yield " | ".join([*others, column.name])


def _is_id(column: Column) -> bool:
    last = column.words[-1:] or [""]
    return last[0].endswith(("id", "ts", "key", "uuid", "guid", "pk")) or bool(
        {"id", "uuid", "guid", "message", "msg", "utterance"}.intersection(column.words)
    )


def _changes(column: Column, columns: Mapping[str, Column]) -> list[str]:
    """The fields that hold the id of another row, which theirs changes or deletes."""
    known = set(column.names)
    found: list[str] = []
    for one in columns.values():
        if one is column or one.share > 0.5 or not one.present or not one.is_scalar:
            continue
        tells = marks_of(one.name.rpartition(".")[2])
        if not is_same_field(one.name, column.name) and "deleted" not in tells:
            continue
        held = [place for place, value in enumerate(one.names) if value]
        if all(one.names[place] in known for place in held) and all(
            one.names[place] != column.names[place] for place in held
        ):
            found.append(one.name)
    return found


def is_same_field(name: str, other: str) -> bool:
    """Whether a field is the same as another, in an object that stands in the row or in place of its own."""
    inner = name.partition(".")[2]
    return name != other and (name.endswith(f".{other}") or inner == other.partition(".")[2] != "")


def _gain(mapping: LogMapping, sides: Sequence[Sides], items: Items, talks: Talks) -> tuple[int, int]:
    """How many rows a mapping brings into messages of several, and how many such; 0 where it is not right."""
    ways: Counter[str] = Counter()
    rows = told = 0
    owners: dict[str, int] = {}
    for number, talk in enumerate(talks):
        spare = 50 if number + 1 < len(talks) else 0  # before all were looked at, a few may be odd
        held = [items[place] for place in talk]
        for one in mapping.joined(held):
            name = mapping.message_name(held[one.places[0]])
            ways["shared"] += bool(name) and owners.setdefault(name, number) != number
            if len(one.places) == 1:
                continue
            rows += len(one.places)
            together = one.places[-1] - one.places[0] < len(one.places)
            ways[one.how if one.how != "joined" or together else ""] += 1
            spoken = [{each[talk[place]] for place in one.places} for each in sides]
            ways["sides"] += any({"user", "assistant"} <= one for one in spoken)
        told = ways["joined"] + ways["replaced"] + ways["deleted"] + ways["repeated"] * (not ways["shared"])
        if 10 * ways[""] > told + spare or 20 * ways["sides"] > told + spare:
            return 0, 0
    return rows * bool(told), told


def _sides(columns: Mapping[str, Column]) -> Iterator[Sides]:
    """Who speaks each row, as fields with few values tell."""
    for column in columns.values():
        if 1 < len(column.counts) <= MOST_ROLES and column.is_scalar:
            roles: dict[str, MappedRole | None] = {one: role_in(one) for one in column.counts}
            if {"user", "assistant"} <= set(roles.values()):
                yield [roles.get(one) for one in column.names]
