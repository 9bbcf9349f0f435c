"""Whether several tools were called as expected, in one of five orders."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from grice.matching.calls.assignment import Pairs, align, assign, bits, in_order, reaches
from grice.matching.calls.candidates import Sieve
from grice.matching.calls.doubts import Doubt, doubt_about, doubts_of
from grice.matching.calls.fit import Fit, fit_of, misses
from grice.matching.calls.names import meant, name_text, names_text
from grice.matching.calls.spec import ArgumentMode, ExpectedCall
from grice.matching.calls.wording import evidence_of, explain, unsure
from grice.matching.transcript import call_text
from grice.records import ToolCall, Turn, Verdict, errored, failed, fold_all, inconclusive, passed
from grice.text import shorten

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


_OTHER_ORDERS = {"strict": "exact", "any_order": "superset", "ordered": "in_order"}

Order = Annotated[
    Literal["exact", "in_order", "unordered", "superset", "subset"], Meta(extra={"instead": _OTHER_ORDERS})
]

"""How the calls have to stand to the expected ones.

`exact`: these calls in this order and nothing else. `in_order`: these in this order, others may be between.
`unordered`: these and nothing else, in any order. `superset`: at least these, in any order. `subset`: nothing
but these, each at most once. Messages are compared with the same words.
"""

ORDER_WORDS: dict[Order, str] = {
    "exact": "exactly these {} in this order",
    "in_order": "these {} in this order",
    "unordered": "exactly these {} in any order",
    "superset": "at least these {}",
    "subset": "at most these {}",
}

"""What each order asks for, of calls or messages."""

MAX_CALLS = 1_000

_ORDERED = ("exact", "in_order")

_CLOSED = ("exact", "unordered", "subset")


class ExpectedCalls(NamedTuple):
    """What is expected of all the calls: the five orders, and names that must not or alone may be called.

    `only` is None when any other tool may be called.
    """

    expected: Sequence[ExpectedCall]
    order: Order
    mode: ArgumentMode
    forbid: Sequence[str] = ()
    only: Sequence[str] | None = None

    @property
    def asks_for_calls(self) -> bool:
        """Whether the expected calls say anything; none do not where others may be called too."""
        return bool(self.expected) or self.order in _CLOSED


class _Grid(NamedTuple):
    """Which call may be which expected one, in rows of bits: surely, perhaps, and if what broke fits too."""

    sure: list[int]
    perhaps: list[int]
    broken: list[int]


def verdict_on_calls(calls: Sequence[ToolCall], turns: Sequence[Turn], asked: ExpectedCalls) -> Verdict:
    """Whether these are the calls that were asked for. `calls` are those of `turns`, in order."""
    doubts = doubts_of(turns)
    verdicts = [_on_expected(calls, turns, asked, doubts)] if asked.asks_for_calls else []
    if asked.forbid:
        verdicts.append(_on_forbidden(calls, turns, asked.forbid, doubts))
    if asked.only is not None:
        verdicts.append(_on_others(calls, turns, asked.only, doubts))
    outcome = fold_all(verdict.outcome for verdict in verdicts)
    telling = [verdict for verdict in verdicts if verdict.outcome is outcome]
    reason = "\n".join(verdict.reason for verdict in telling)
    return Verdict(outcome, reason, tuple(one for verdict in telling for one in verdict.evidence))


def _on_forbidden(
    calls: Sequence[ToolCall], turns: Sequence[Turn], forbid: Sequence[str], doubts: Sequence[Doubt]
) -> Verdict:
    wrong = [place for place, call in enumerate(calls) if call.name in forbid]
    if wrong:
        return failed(f"forbidden: {_listed(calls, wrong)}", evidence=evidence_of(turns, wrong))
    names = names_text(forbid)
    doubt = doubt_about(doubts, forbid)
    if doubt is not None:
        return inconclusive(f"{doubt}; no call of {names} is on record")
    return passed(f"no call of {names}")


def _on_others(
    calls: Sequence[ToolCall], turns: Sequence[Turn], only: Sequence[str], doubts: Sequence[Doubt]
) -> Verdict:
    wrong = [place for place, call in enumerate(calls) if call.name not in only]
    names = names_text(only)
    if wrong:
        hint = meant(calls[wrong[0]].name, only)
        allowed = f"only {names}" if only else "no tool"
        text = f"{allowed} may be called, found {_listed(calls, wrong)}{hint}"
        return failed(text, evidence=evidence_of(turns, wrong))
    other = f"call but of {names}" if only else "call"
    doubt = doubt_about(doubts, only, others=True)
    if doubt is not None:
        return inconclusive(f"{doubt}; no {other} is on record")
    return passed(f"no {other}")


def _listed(calls: Sequence[ToolCall], places: Sequence[int]) -> str:
    shown = [f"call {place + 1}  {shorten(call_text(calls[place]), 120)}" for place in places[:5]]
    more = f" and {len(places) - 5} more" if len(places) > 5 else ""
    return ", ".join(shown) + more


def _grid(calls: Sequence[ToolCall], asked: ExpectedCalls) -> _Grid:
    grid = _Grid([], [], [])
    sieve = Sieve(calls)
    known: dict[int, list[int]] = {}  # by id: a list may name one expected call many times
    for expected in asked.expected:
        fits = known.get(id(expected))
        if fits is None:
            sure, left = sieve.look(expected, asked.mode)
            fits = known[id(expected)] = [sure, 0, 0, 0]
            for place in bits(left):
                fits[fit_of(expected, calls[place], asked.mode)] |= 1 << place
        grid.sure.append(fits[Fit.FITS])
        grid.perhaps.append(grid.sure[-1] | fits[Fit.UNKNOWN])
        grid.broken.append(grid.perhaps[-1] | fits[Fit.BROKEN])
    return grid


def solve(rows: Sequence[int], count: int, order: Order) -> Pairs | None:
    """The pairs that make the order of `count` calls hold, None when there are none."""
    if order == "in_order":
        return in_order(rows)
    if order == "exact":
        same = len(rows) == count and all(row >> place & 1 for place, row in enumerate(rows))
        return list(range(count)) if same else None
    pairs = assign(rows)
    paired = sum(place is not None for place in pairs)
    holds = paired == (count if order == "subset" else len(rows))
    return pairs if holds and (order != "unordered" or paired == count) else None


def _straight(
    calls: Sequence[ToolCall], asked: ExpectedCalls, left_out: Collection[int] = ()
) -> Pairs | None:
    """The pairs of an ordered check that surely holds, found with few comparisons; else None."""
    if asked.order == "exact" and len(calls) != len(asked.expected):
        return None
    pairs: Pairs = []
    places = iter(range(len(calls)))
    for expected in asked.expected:
        for place in places:
            if place not in left_out and fit_of(expected, calls[place], asked.mode) is Fit.FITS:
                pairs.append(place)
                break
            if asked.order == "exact":
                return None
        else:
            return None
    return pairs


def _on_expected(
    calls: Sequence[ToolCall], turns: Sequence[Turn], asked: ExpectedCalls, doubts: Sequence[Doubt]
) -> Verdict:
    if len(calls) > MAX_CALLS:
        return errored(f"there are {len(calls):,} calls, and at most {MAX_CALLS:,} can be matched")
    pairs = _straight(calls, asked) if asked.order in _ORDERED else None
    if pairs is not None:
        return _on_success(calls, turns, asked, pairs, doubts)
    grid = _grid(calls, asked)
    pairs = solve(grid.sure, len(calls), asked.order)
    if pairs is not None:
        return _on_success(calls, turns, asked, pairs, doubts)
    for rows, before in ((grid.perhaps, grid.sure), (grid.broken, grid.perhaps)):
        pairs = solve(rows, len(calls), asked.order)
        if pairs is not None:
            return _open_question(calls, turns, asked, pairs, before)
    verdict = _failure(calls, turns, asked, grid)
    reason = _help(grid, calls, turns, asked, doubts)
    return (
        verdict if reason is None else inconclusive(f"{reason}; {verdict.reason}", evidence=verdict.evidence)
    )


def _on_success(
    calls: Sequence[ToolCall],
    turns: Sequence[Turn],
    asked: ExpectedCalls,
    pairs: Pairs,
    doubts: Sequence[Doubt],
) -> Verdict:
    mixed = _unplaced(turns, calls) if asked.order in _ORDERED else set()
    apart = _straight(calls, asked, mixed) if mixed and asked.order == "in_order" else None
    pairs = apart or pairs
    said = _written(calls, asked, pairs)
    if asked.order in _CLOSED and doubts:
        return inconclusive(f"{doubts[0].reason}; {said}")
    used = [place for place in pairs if place is not None]
    if mixed and _unplaced(turns, calls, used):
        return inconclusive(f"{_UNPLACED}; {said}")
    return passed(said, evidence=evidence_of(turns, sorted(used)))


def _written(calls: Sequence[ToolCall], asked: ExpectedCalls, pairs: Pairs) -> str:
    if not calls:
        return "no tool was called"
    if asked.order == "subset":
        summary = f"{_of(len(calls), len(calls), 'call')} {_be(len(calls))} expected"
    else:
        summary = f"{_of(len(pairs), len(pairs), 'expected call')} {_be(len(pairs), 'was', 'were')} made"
    layout = lay_out([0] * len(pairs), len(calls), pairs, ordered=False, closed=False)
    shown, _ = table(asked.expected, calls, asked.mode, Rows([], []), layout, needed=asked.order != "subset")
    return f"{summary}\n{shown}"


_UNPLACED = (
    "some calls are known only from the requests to the model, and nobody knows where they stand among those "
    "that the agent reported"
)


def _unplaced(
    turns: Sequence[Turn], calls: Sequence[ToolCall], used: Collection[int] | None = None
) -> set[int]:
    """The calls only seen, of turns that have reported ones too; with `used`, among these."""
    start = 0
    found: set[int] = set()
    for turn in turns:
        places = range(start, start + len(turn.tool_calls))
        start = places.stop
        of_turn = places if used is None else [place for place in used if place in places]
        seen = [place for place in of_turn if calls[place].source == "wire"]
        if len(seen) < len(of_turn):
            found.update(seen)
    return found


def _help(
    grid: _Grid,
    calls: Sequence[ToolCall],
    turns: Sequence[Turn],
    asked: ExpectedCalls,
    doubts: Sequence[Doubt],
) -> str | None:
    """Why calls that are not on record, or stand elsewhere, may make the order hold; None if they cannot."""
    more = doubt_about(doubts, {expected.name for expected in asked.expected})
    doubted = {doubt.name for doubt in doubts}
    optional = {row for row, one in enumerate(asked.expected) if None in doubted or one.name in doubted}
    if more is not None and _holds_without(grid.broken, len(calls), asked.order, optional):
        return more
    if asked.order not in _ORDERED or not _unplaced(turns, calls):
        return None
    loose: Order = "unordered" if asked.order == "exact" else "superset"
    if _holds_without(grid.broken, len(calls), loose, ()):
        return _UNPLACED
    if more is not None and _holds_without(grid.broken, len(calls), loose, optional):
        return f"{_UNPLACED}; {more}"
    return None


def _holds_without(rows: Sequence[int], count: int, order: Order, optional: Collection[int]) -> bool:
    """Whether the order holds when some of the optional expected calls are left out."""
    if order == "exact":
        return reaches(rows, count, optional)
    if order == "in_order":
        return in_order([row for place, row in enumerate(rows) if place not in optional]) is not None
    pairs = assign(rows)
    paired = sum(place is not None for place in pairs)
    needed = all(row in optional for row, place in enumerate(pairs) if place is None)
    return (needed or order == "subset") and (order == "superset" or paired == count)


def _open_question(
    calls: Sequence[ToolCall],
    turns: Sequence[Turn],
    asked: ExpectedCalls,
    pairs: Pairs,
    before: Sequence[int],
) -> Verdict:
    """The first pair that made the order hold and was not there before, when less was let through."""
    row, place = next(
        (row, place) for row, place in enumerate(pairs) if place is not None and not before[row] >> place & 1
    )
    label = f"call {place + 1}, {name_text(calls[place].name)}"
    expected, call = asked.expected[row], calls[place]
    make = errored if fit_of(expected, call, asked.mode) is Fit.BROKEN else inconclusive
    return make(unsure(expected, call, asked.mode, label), evidence=evidence_of(turns, [place]))


def _failure(calls: Sequence[ToolCall], turns: Sequence[Turn], asked: ExpectedCalls, grid: _Grid) -> Verdict:
    if not calls:
        return failed("no tool was called")
    ordered, closed = asked.order in _ORDERED, asked.order in _CLOSED
    pairs = align(grid.sure, len(calls)) if ordered else assign(grid.sure)
    layout = lay_out(grid.sure, len(calls), pairs, ordered=ordered, closed=closed)
    needed = asked.order != "subset"
    parts = []
    moved = sum(place is not None for place in layout.moved)
    for number, words in ((len(layout.missing) if needed else 0, "missing"), (moved, "out of order")):
        if number:
            parts.append(f"{_of(number, len(asked.expected), 'expected call')} {_be(number)} {words}")
    if layout.extra:
        number = len(layout.extra)
        parts.append(f"{_of(number, len(calls), 'call')} {_be(number)} not expected")
    rows = Rows(grid.sure, grid.broken)
    shown, nearest = table(asked.expected, calls, asked.mode, rows, layout, needed=needed)
    wrong = sorted({*layout.extra, *(place for place in layout.moved if place is not None)})
    places = list(dict.fromkeys([*wrong, *nearest]))
    return failed("; ".join(parts) + (f"\n{shown}" if shown else ""), evidence=evidence_of(turns, places))


def _of(number: int, total: int, what: str) -> str:
    """`1 of 3 expected calls`; of all of them `all 3 expected calls`."""
    if total == 1:
        return f"the {what}"
    return f"all {total} {what}s" if number == total else f"{number} of {total} {what}s"


def _be(number: int, one: str = "is", more: str = "are") -> str:
    return one if number == 1 else more
