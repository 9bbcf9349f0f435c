"""Which call was which expected one, as a table for messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from grice.matching.calls.assignment import Pairs, assign
from grice.matching.calls.fit import misses
from grice.matching.calls.names import meant
from grice.matching.calls.spec import ArgumentMode, ExpectedCall
from grice.matching.calls.wording import explain
from grice.matching.transcript import call_text
from grice.records import ToolCall
from grice.text import shorten

__all__ = ["Layout", "Rows", "lay_out", "table"]

MAX_ROWS = 20
MAX_EXTRAS = 10
MAX_WORDS = 60
MAX_LINE = 300


class Layout(NamedTuple):
    """Pairs of expected calls and calls, by number from 0.

    `moved` are those that fit but stand where the order does not allow it, `extra` the calls that are nothing
    expected, `missing` the expected calls that are in no pair.
    """

    pairs: Pairs
    moved: Pairs
    extra: list[int]
    missing: list[int]


def lay_out(rows: Sequence[int], columns: int, pairs: Pairs, *, ordered: bool, closed: bool) -> Layout:
    """What these pairs leave over.

    With `ordered`, what they leave may be paired all the same, in the wrong place. With `closed`, calls that
    are nothing expected count.
    """
    free = (1 << columns) - 1
    for column in pairs:
        free &= ~(0 if column is None else 1 << column)
    moved: Pairs = [None] * len(rows)
    if ordered:
        left = [row & free if pair is None else 0 for row, pair in zip(rows, pairs, strict=True)]
        moved = assign(left)
    used = {column for column in (*pairs, *moved) if column is not None}
    missing = [place for place, both in enumerate(zip(pairs, moved, strict=True)) if both == (None, None)]
    return Layout(pairs, moved, [j for j in range(columns) if closed and j not in used], missing)


class Rows(NamedTuple):
    """Which call fits each expected one, as bits: surely, and those of which nobody can tell too."""

    sure: Sequence[int]
    perhaps: Sequence[int]


class _Table(NamedTuple):
    expected: Sequence[ExpectedCall]
    calls: Sequence[ToolCall]
    mode: ArgumentMode
    rows: Rows
    layout: Layout
    needed: bool
    nearest: Mapping[int, int | None]


def table(
    expected: Sequence[ExpectedCall],
    calls: Sequence[ToolCall],
    mode: ArgumentMode,
    rows: Rows,
    layout: Layout,
    *,
    needed: bool,
) -> tuple[str, list[int]]:
    """A line for each expected call, then one for each call too many; and the nearest calls that it names.

    `needed` says that an expected call has to be made. Long lists are cut, what does not fit first.
    """
    shown = _shown(layout)
    missing = set(layout.missing).intersection(shown) if needed else ()
    nearest = {place: _nearest(expected[place], calls, mode, layout) for place in missing}
    whole = _Table(expected, calls, mode, rows, layout, needed, nearest)
    texts = {place: shorten(expected[place].words, MAX_WORDS) for place in shown}
    width = max(map(len, texts.values()), default=0)
    digits = len(str(len(expected)))
    lines = [f"{place + 1:>{digits}}  {texts[place]:<{width}}  {_fate(whole, place)}" for place in shown]
    if len(shown) < len(expected):
        lines.append(f"... and {len(expected) - len(shown)} more expected calls")
    lines += [_extra_line(whole, column) for column in layout.extra[:MAX_EXTRAS]]
    if len(layout.extra) > MAX_EXTRAS:
        lines.append(f"... and {len(layout.extra) - MAX_EXTRAS} more that are not expected")
    return "\n".join(shorten(line, MAX_LINE) for line in lines), sorted(
        {one for one in nearest.values() if one is not None}
    )


def _shown(layout: Layout) -> list[int]:
    """The expected calls that have a line: all, or those that tell most."""
    wrong = [place for place, column in enumerate(layout.pairs) if column is None]
    right = [place for place, column in enumerate(layout.pairs) if column is not None]
    return sorted([*wrong, *right][:MAX_ROWS])


def _fate(whole: _Table, place: int) -> str:
    column = whole.layout.pairs[place]
    if column is not None:
        return f"= {_named(whole, column)}"
    moved = whole.layout.moved[place]
    if moved is not None:
        return f"out of order: {_order_broken(whole, place, moved)}"
    if not whole.needed:
        return "not called"
    nearest = whole.nearest[place]
    if nearest is None:
        return f"missing{_other_name(whole, place)}"
    label = f"missing; nearest: call {nearest + 1}"
    return explain(whole.expected[place], whole.calls[nearest], whole.mode, label)


def _order_broken(whole: _Table, place: int, moved: int) -> str:
    """Which call stands on the wrong side: of the pair before it, else of the one behind it."""
    pairs = whole.layout.pairs
    before = next((one for one in reversed(pairs[:place]) if one is not None), None)
    behind = next((one for one in pairs[place + 1 :] if one is not None), None)
    if before is not None and moved < before:
        return f"call {moved + 1} came before call {before + 1}"
    if behind is not None and moved > behind:
        return f"call {moved + 1} came after call {behind + 1}"
    return f"call {moved + 1}"


def _nearest(
    expected: ExpectedCall, calls: Sequence[ToolCall], mode: ArgumentMode, layout: Layout
) -> int | None:
    """The call of the name with the fewest differences among those that are nothing expected."""
    used = {*layout.pairs, *layout.moved}
    left = [column for column, call in enumerate(calls) if call.name == expected.name and column not in used]
    return min(left, key=lambda column: misses(expected, calls[column], mode), default=None)


def _other_name(whole: _Table, place: int) -> str:
    """A hint at the call of a similar name that is nothing expected, when this name was not called at all."""
    name = whole.expected[place].name
    if any(call.name == name for call in whole.calls):
        return ""
    known = {expected.name for expected in whole.expected}
    return meant(name, dict.fromkeys(call.name for call in whole.calls if call.name not in known))


def _extra_line(whole: _Table, column: int) -> str:
    line = f"not expected: {_named(whole, column)}"
    for rows, said in (
        (whole.rows.sure, "once more than expected, see"),
        (whole.rows.perhaps, "perhaps it is"),
    ):
        fitting = next((place for place, row in enumerate(rows) if row >> column & 1), None)
        if fitting is not None:
            return f"{line}   {said} {fitting + 1}"
    name = whole.calls[column].name
    left = [place for place, one in enumerate(whole.expected) if one.name == name]
    if not left or whole.needed:
        return line  # where calls are needed, the missing one says what differs
    place = min(left, key=lambda one: misses(whole.expected[one], whole.calls[column], whole.mode))
    return explain(whole.expected[place], whole.calls[column], whole.mode, f"{line}   nearest: {place + 1}")


def _named(whole: _Table, column: int) -> str:
    return f"call {column + 1}  {shorten(call_text(whole.calls[column]), 120)}"
