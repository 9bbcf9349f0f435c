"""The difference between two recordings."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from os import PathLike
from typing import Any, cast

import msgspec

from grice.matching.differences import value_differences
from grice.records import JsonValue
from grice.wire.cassettes.missing import call_name, excerpt, nearest
from grice.wire.cassettes.reading import read_tape
from grice.wire.cassettes.tape import Entry, Tape

_VARYING = ("latency_ms", "duration", "retries")


class Recorded(msgspec.Struct, frozen=True):
    """The changes by a recording: how many calls were added, removed and changed, and `lines` on them."""

    path: str
    added: int = 0
    removed: int = 0
    changed: int = 0
    lines: tuple[str, ...] = ()

    def __str__(self) -> str:
        counts = f"{self.added} added, {self.removed} removed, {self.changed} changed"
        return "\n".join([f"{self.path}: {counts}", *(f"  {line}" for line in self.lines)])


def describe_difference(old: Tape | str | PathLike[str] | None, new: Tape | str | PathLike[str]) -> Recorded:
    """Describe what changed in the new cassette; None stands for one without calls. Times of calls do not
    count.

    Raises CassetteError for a file that cannot be read.
    """
    before = _tape(old).entries if old is not None else ()
    tape = _tape(new)
    pairs, gone, come = _paired(before, tape.entries)
    lines: list[str] = []
    changed = 0
    for earlier, later in pairs:
        differences = [f"request.{line}" for line in value_differences(earlier.request, later.request)]
        answers = _steady(earlier.response), _steady(later.response)
        differences += [f"response.{line}" for line in value_differences(*answers)]
        if differences:
            changed += 1
            lines += [f"changed {call_name(later)}: {excerpt(later)}", *(f"  {line}" for line in differences)]
    lines += [f"removed {call_name(entry)}: {excerpt(entry)}" for entry in gone]
    lines += [f"added {call_name(entry)}: {excerpt(entry)}" for entry in come]
    return Recorded(tape.path, len(come), len(gone), changed, tuple(lines))


def _tape(given: Tape | str | PathLike[str]) -> Tape:
    return given if isinstance(given, Tape) else read_tape(given)


def _paired(
    old: Sequence[Entry], new: Sequence[Entry]
) -> tuple[list[tuple[Entry, Entry]], list[Entry], list[Entry]]:
    """The calls that are the same or nearly, in the new order, and those that only one side has."""
    waiting: dict[tuple[str, str], deque[int]] = defaultdict(deque)
    for place, entry in enumerate(old):
        waiting[entry.kind, entry.key].append(place)
    partners: dict[int, int] = {}
    for place, entry in enumerate(new):
        if places := waiting[entry.kind, entry.key]:
            partners[place] = places.popleft()
    left = {place: old[place] for place in range(len(old)) if place not in set(partners.values())}
    for place, entry in enumerate(new):
        if place not in partners:
            about = entry.kind, entry.purpose, entry.subject
            alike = {n: one for n, one in left.items() if (one.kind, one.purpose, one.subject) == about}
            near = nearest(entry, list(alike.values()))
            if near is not None:
                partners[place] = next(n for n, one in alike.items() if one is near)
                del left[partners[place]]
    pairs = [(old[partners[place]], entry) for place, entry in enumerate(new) if place in partners]
    return pairs, list(left.values()), [entry for place, entry in enumerate(new) if place not in partners]


def _steady(response: JsonValue) -> JsonValue:
    """The response without how long it took."""
    if not isinstance(response, dict):
        return response
    fields = cast("dict[str, Any]", response)
    known = fields.get("metadata")
    if not isinstance(known, dict):
        return fields
    return {**fields, "metadata": {name: item for name, item in known.items() if name not in _VARYING}}
