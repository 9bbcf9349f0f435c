"""Which call was which expected one, as a table for messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grice.matching.calls.assignment import Pairs, assign
from grice.matching.calls.fit import explain, misses
from grice.matching.calls.spec import ArgumentMode, ExpectedCall
from grice.matching.transcript import call_text
from grice.records import ToolCall
from grice.text import did_you_mean, shorten, visible

__all__ = ["Layout", "lay_out", "table"]

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


class _Table(NamedTuple):
    expected: Sequence[ExpectedCall]
    calls: Sequence[ToolCall]
    mode: ArgumentMode
    rows: Sequence[int]
    layout: Layout
    needed: bool


def table(
    expected: Sequence[ExpectedCall],
    calls: Sequence[ToolCall],
    mode: ArgumentMode,
    rows: Sequence[int],
    layout: Layout,
    *,
    needed: bool,
) -> str:
    """A line for each expected call, then one for each call too many.

    `needed` says that an expected call has to be made. Long lists are cut, what does not fit first.
    """
    whole = _Table(expected, calls, mode, rows, layout, needed)
    shown = _shown(whole)
    texts = {place: shorten(visible(expected[place].words, newlines=False), MAX_WORDS) for place in shown}
    width = max(map(len, texts.values()), default=0)
    digits = len(str(len(expected)))
    lines = [f"{place + 1:>{digits}}  {texts[place]:<{width}}  {_fate(whole, place)}" for place in shown]
    if len(shown) < len(expected):
        lines.append(f"... and {len(expected) - len(shown)} more expected calls")
    lines += [_extra_line(whole, column) for column in layout.extra[:MAX_EXTRAS]]
    if len(layout.extra) > MAX_EXTRAS:
        lines.append(f"... and {len(layout.extra) - MAX_EXTRAS} more that are not expected")
    return "\n".join(shorten(line, MAX_LINE) for line in lines)


def _shown(whole: _Table) -> list[int]:
    """The expected calls that have a line: all, or those that tell most."""
    pairs = whole.layout.pairs
    wrong = [place for place, column in enumerate(pairs) if column is None]
    right = [place for place, column in enumerate(pairs) if column is not None]
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
    nearest = _nearest(whole, place)
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


def _nearest(whole: _Table, place: int) -> int | None:
    """The call of the name with the fewest differences, one that is nothing else if there is any."""
    name = whole.expected[place].name
    used = {column for column in (*whole.layout.pairs, *whole.layout.moved) if column is not None}
    same_name = [column for column, call in enumerate(whole.calls) if call.name == name]
    left = [column for column in same_name if column not in used]
    if not left:
        return None
    return min(left, key=lambda column: misses(whole.expected[place], whole.calls[column], whole.mode))


def _other_name(whole: _Table, place: int) -> str:
    """A hint at the call of a similar name that is nothing expected, when this name was not called at all."""
    name = whole.expected[place].name
    if any(call.name == name for call in whole.calls):
        return ""
    known = {expected.name for expected in whole.expected}
    return did_you_mean(name, dict.fromkeys(call.name for call in whole.calls if call.name not in known))


def _extra_line(whole: _Table, column: int) -> str:
    line = f"not expected: {_named(whole, column)}"
    fitting = [place for place, row in enumerate(whole.rows) if row >> column & 1]
    if fitting:
        return f"{line}   once more than expected, see {fitting[0] + 1}"
    name = whole.calls[column].name
    left = [place for place, one in enumerate(whole.expected) if one.name == name]
    if not left or whole.needed:
        return line  # where calls are needed, the missing one says what differs
    place = min(left, key=lambda one: misses(whole.expected[one], whole.calls[column], whole.mode))
    return explain(whole.expected[place], whole.calls[column], whole.mode, f"{line}   nearest: {place + 1}")


def _named(whole: _Table, column: int) -> str:
    return f"call {column + 1}  {shorten(call_text(whole.calls[column]), 120)}"
