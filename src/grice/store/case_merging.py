"""Merge what two people made of one case: by field, and the checks by row.

A row is the same by what it says, by its `id`, and then by the row that it stands behind. What only one of
them changed is as they changed it. Of what both changed mine stays, and a conflict says what theirs is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

Fields = Mapping[str, Any]
RowId = Callable[[Any], str]


class Conflict(NamedTuple):
    """What both people changed: a field, for a check its id too, and the two values; None: removed."""

    field: str
    row: str | None
    base: Any
    mine: Any
    theirs: Any


class MergedCase(NamedTuple):
    """The fields of a case with the changes of both people, and the conflicts between them."""

    fields: dict[str, Any]
    conflicts: list[Conflict]


class _Gone:
    """What stands for a field or row that is not there."""


_GONE: Any = _Gone()


def merge_cases(
    base: Fields, mine: Fields, theirs: Fields, *, lists: Sequence[str], row_id: RowId
) -> MergedCase:
    """Merge two versions of a case that began as `base`. `lists` are its fields that are lists of checks.

    Nothing is lost: against an unchanged version the other one is taken as it is, a row that one takes away
    and the other changes stays, and rows that both add are all there.
    """
    merged: dict[str, Any] = {}
    conflicts: list[Conflict] = []
    for name in dict.fromkeys([*theirs, *mine, *base]):
        versions = [one.get(name, _GONE) for one in (base, mine, theirs)]
        if name in lists and all(isinstance(one, list) for one in versions):
            merged[name], found = _merged_rows(name, *versions, row_id=row_id)
            conflicts += found
            continue
        value, is_conflict = _merged(*versions)
        if is_conflict:
            conflicts.append(Conflict(name, None, *map(_or_none, versions)))
        if value is not _GONE:
            merged[name] = value
    return MergedCase(merged, conflicts)


def _merged(base: Any, mine: Any, theirs: Any) -> tuple[Any, bool]:
    """What stays of one value, and whether both changed it to something else."""
    if _same(mine, base):
        return theirs, False
    if _same(theirs, base) or _same(mine, theirs):
        return mine, False
    return (theirs if mine is _GONE else mine), True


def _merged_rows(
    field: str, base: list[Any], mine: list[Any], theirs: list[Any], *, row_id: RowId
) -> tuple[list[Any], list[Conflict]]:
    """The rows of both, in the order of the one who moved some, mine where both did."""
    my_keys = _keys(base, mine)
    their_keys = _with_shared(my_keys, mine, _keys(base, theirs), theirs)
    mine_by_key, theirs_by_key = (
        dict(zip(my_keys, mine, strict=True)),
        dict(zip(their_keys, theirs, strict=True)),
    )
    order = _order(my_keys, their_keys) if _is_moved(my_keys) else _order(their_keys, my_keys)
    rows: list[Any] = []
    conflicts: list[Conflict] = []
    for key in order:
        before = base[key.place] if key.side == "" else _GONE
        versions = (before, mine_by_key.get(key, _GONE), theirs_by_key.get(key, _GONE))
        if key.side == "":
            row, is_conflict = _merged(*versions)
        else:  # one of them added it, or both did under one id
            row = versions[2] if versions[1] is _GONE else versions[1]
            is_conflict = _GONE not in versions[1:] and not _same(*versions[1:])
        if is_conflict:
            named = next(one for one in versions[1:] if one is not _GONE)
            conflicts.append(Conflict(field, row_id(named), *map(_or_none, versions)))
        if row is not _GONE:
            rows.append(row)
    return rows, conflicts


class _Key(NamedTuple):
    """Which row it is: the place of one of the base, or of one that a side added."""

    side: str
    place: int


def _keys(base: list[Any], rows: list[Any]) -> list[_Key]:
    """Which row of the base each one is, or a key of its own for one that was added."""
    found: list[int | None] = [None] * len(rows)
    left = dict.fromkeys(range(len(base)))
    for same in (_canonical, _id_of):
        known = list(map(same, base))
        for place, row in enumerate(rows):
            wanted = None if found[place] is not None else same(row)
            index = None if wanted is None else next((one for one in left if known[one] == wanted), None)
            if index is not None:
                found[place] = index
                del left[index]
    before = -1
    for place, row in enumerate(rows):
        if found[place] is None and before + 1 in left and _is_alike(base[before + 1], row):
            found[place] = before + 1
            del left[before + 1]
        index = found[place]
        before = before if index is None else index
    return [_Key("added", place) if one is None else _Key("", one) for place, one in enumerate(found)]


def _is_alike(one: Any, other: Any) -> bool:
    """Whether two rows without ids ask at the same path, or by the same matcher."""
    if not isinstance(one, dict) or not isinstance(other, dict) or _id_of(one) or _id_of(other):
        return False
    return any(_same(one.get(name, default), other.get(name, default)) for name, default in _ASKED)


_ASKED = (("matcher", None), ("path", "$"))


def _with_shared(
    my_keys: Sequence[_Key], mine: list[Any], their_keys: Sequence[_Key], theirs: list[Any]
) -> list[_Key]:
    """Their keys, where a row that both added, or both called by one id, has the key that it has in mine."""
    added = {key: mine[place] for place, key in enumerate(my_keys) if key.side}
    keys: list[_Key] = []
    for key, row in zip(their_keys, theirs, strict=True):
        if key.side:
            id_ = _id_of(row)
            same = (
                one
                for one, own in added.items()
                if _same(own, row) or (id_ is not None and _id_of(own) == id_)
            )
            shared = next(same, None)
            if shared is not None:
                del added[shared]
            key = shared or _Key("theirs", key.place)
        keys.append(key)
    return keys


def _is_moved(keys: Sequence[_Key]) -> bool:
    places = [one.place for one in keys if not one.side]
    return places != sorted(places)


def _order(first: Sequence[_Key], other: Sequence[_Key]) -> list[_Key]:
    """All keys: the first in their order, and what only the other has behind what it stands behind there."""
    order = list(first)
    known = set(first)
    for place, key in enumerate(other):
        if key not in known:
            order.insert(order.index(other[place - 1]) + 1 if place else 0, key)
    return order


def _same(one: Any, other: Any) -> bool:
    if one is _GONE or other is _GONE:
        return one is other
    return _canonical(one) == _canonical(other)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _id_of(row: Any) -> Any:
    return (row.get("id") or None) if isinstance(row, dict) else None


def _or_none(value: Any) -> Any:
    return None if value is _GONE else value
