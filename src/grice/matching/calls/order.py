"""Whether several tools were called as expected, in one of five orders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from grice.matching.calls.assignment import Pairs, align, assign, in_order, reaches
from grice.matching.calls.doubts import Doubt, doubt_about, doubts_of
from grice.matching.calls.evidence import evidence_of
from grice.matching.calls.fit import Fit, fit_of, unsure
from grice.matching.calls.spec import ArgumentMode, ExpectedCall
from grice.matching.calls.table import lay_out, table
from grice.matching.transcript import call_text
from grice.records import (
    ToolCall,
    Turn,
    Verdict,
    errored,
    failed,
    fold_all,
    inconclusive,
    passed,
)
from grice.text import did_you_mean, shorten

__all__ = ["MAX_CALLS", "ExpectedCalls", "Order", "verdict_on_calls"]

Order = Literal["exact", "in_order", "unordered", "superset", "subset"]
"""How the calls have to stand to the expected ones.

`exact`: these calls in this order and nothing else. `in_order`: these in this order, others may be between.
`unordered`: these and nothing else, in any order. `superset`: at least these, in any order. `subset`: nothing
but these, each at most once.
"""

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
    """Which call may be which expected one: surely, and perhaps. `open` says where nobody can tell."""

    sure: list[int]
    perhaps: list[int]
    open: dict[tuple[int, int], Fit]


def verdict_on_calls(calls: Sequence[ToolCall], turns: Sequence[Turn], asked: ExpectedCalls) -> Verdict:
    """Whether these are the calls that were asked for. `calls` are those of `turns`, in order."""
    if len(calls) > MAX_CALLS:
        return errored(f"there are {len(calls):,} calls, and at most {MAX_CALLS:,} can be matched")
    doubts = doubts_of(turns)
    verdicts = [_on_expected(calls, turns, asked, doubts)] if asked.asks_for_calls else []
    if asked.forbid:
        verdicts.append(_on_forbidden(calls, turns, asked.forbid, doubts))
    if asked.only is not None:
        verdicts.append(_on_others(calls, turns, asked.only, doubts))
    outcome = fold_all(verdict.outcome for verdict in verdicts)
    telling = [verdict for verdict in verdicts if verdict.outcome is outcome]
    reason = "\n".join(verdict.reason for verdict in telling)
    return Verdict(outcome, reason, tuple(one for verdict in telling for one in verdict.evidence)[:20])


def _on_forbidden(
    calls: Sequence[ToolCall], turns: Sequence[Turn], forbid: Sequence[str], doubts: Sequence[Doubt]
) -> Verdict:
    wrong = [place for place, call in enumerate(calls) if call.name in forbid]
    if wrong:
        return failed(f"forbidden: {_listed(calls, wrong)}", evidence=evidence_of(turns, wrong))
    names = shorten(", ".join(forbid), 200)
    doubt = doubt_about(doubts, forbid)
    if doubt is not None:
        return inconclusive(f"{doubt}; no call of {names} is on record")
    return passed(f"no call of {names}")


def _on_others(
    calls: Sequence[ToolCall], turns: Sequence[Turn], only: Sequence[str], doubts: Sequence[Doubt]
) -> Verdict:
    wrong = [place for place, call in enumerate(calls) if call.name not in only]
    names = shorten(", ".join(only), 200)
    if wrong:
        hint = did_you_mean(calls[wrong[0]].name, only)
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
    of_name: dict[str, list[int]] = {}
    for place, call in enumerate(calls):
        of_name.setdefault(call.name, []).append(place)
    grid = _Grid([], [], {})
    for row, expected in enumerate(asked.expected):
        sure = perhaps = 0
        for place in of_name.get(expected.name, ()):
            fit = fit_of(expected, calls[place], asked.mode)
            if fit is Fit.FITS:
                sure |= 1 << place
            elif fit is not Fit.MISSES:
                perhaps |= 1 << place
                grid.open[row, place] = fit
        grid.sure.append(sure)
        grid.perhaps.append(sure | perhaps)
    return grid


def _solve(rows: Sequence[int], count: int, order: Order) -> Pairs | None:
    """The pairs that make the order hold, None when there are none."""
    if order == "in_order":
        return in_order(rows)
    if order == "exact":
        same = len(rows) == count and all(row >> place & 1 for place, row in enumerate(rows))
        return list(range(count)) if same else None
    pairs = assign(rows)
    paired = sum(place is not None for place in pairs)
    holds = paired == (count if order == "subset" else len(rows))
    return pairs if holds and (order != "unordered" or paired == count) else None


def _on_expected(
    calls: Sequence[ToolCall], turns: Sequence[Turn], asked: ExpectedCalls, doubts: Sequence[Doubt]
) -> Verdict:
    grid = _grid(calls, asked)
    pairs = _solve(grid.sure, len(calls), asked.order)
    if pairs is not None:
        return _on_success(calls, turns, asked, grid, pairs, doubts)
    if _solve(grid.perhaps, len(calls), asked.order) is not None:
        return _open_question(calls, turns, asked, grid)
    verdict = _failure(calls, turns, asked, grid)
    reason = _more_calls_help(grid, len(calls), asked, doubts)
    if reason is None and asked.order in _ORDERED and _has_unplaced_calls(turns, calls):
        loose: Order = "unordered" if asked.order == "exact" else "superset"
        if _solve(grid.perhaps, len(calls), loose) is not None:
            reason = _UNPLACED
    return (
        verdict if reason is None else inconclusive(f"{reason}; {verdict.reason}", evidence=verdict.evidence)
    )


def _on_success(
    calls: Sequence[ToolCall],
    turns: Sequence[Turn],
    asked: ExpectedCalls,
    grid: _Grid,
    pairs: Pairs,
    doubts: Sequence[Doubt],
) -> Verdict:
    said = _written(calls, asked, grid, pairs)
    if asked.order in _CLOSED and doubts:
        return inconclusive(f"{doubts[0].reason}; {said}")
    used = [place for place in pairs if place is not None]
    if asked.order in _ORDERED and _has_unplaced_calls(turns, calls, used):
        return inconclusive(f"{_UNPLACED}; {said}")
    return passed(said, evidence=evidence_of(turns, sorted(used)))


def _written(calls: Sequence[ToolCall], asked: ExpectedCalls, grid: _Grid, pairs: Pairs) -> str:
    if not calls:
        return "no tool was called"
    if asked.order == "subset":
        summary = f"{_of(len(calls), len(calls), 'call')} {_be(len(calls))} expected"
    else:
        summary = f"{_of(len(pairs), len(pairs), 'expected call')} {_be(len(pairs), 'was', 'were')} made"
    layout = lay_out(grid.sure, len(calls), pairs, ordered=False, closed=False)
    shown = table(asked.expected, calls, asked.mode, grid.sure, layout, needed=asked.order != "subset")
    return f"{summary}\n{shown}"


_UNPLACED = (
    "some calls are known only from the requests to the model, and nobody knows where they stand among those "
    "that the agent reported"
)


def _has_unplaced_calls(
    turns: Sequence[Turn], calls: Sequence[ToolCall], used: Sequence[int] | None = None
) -> bool:
    """Whether a turn has calls of both kinds, reported and only seen; with `used`, among these."""
    start = 0
    for turn in turns:
        places = range(start, start + len(turn.tool_calls))
        start = places.stop
        of_turn = places if used is None else [place for place in used if place in places]
        if len({calls[place].source == "wire" for place in of_turn}) == 2:
            return True
    return False


def _more_calls_help(grid: _Grid, count: int, asked: ExpectedCalls, doubts: Sequence[Doubt]) -> str | None:
    """Why calls that are not on record may make the order hold; None when they cannot."""
    names = {expected.name for expected in asked.expected}
    reason = doubt_about(doubts, names)
    if reason is None or asked.order == "subset":
        return None
    doubted = {doubt.name for doubt in doubts}
    optional = {row for row, one in enumerate(asked.expected) if None in doubted or one.name in doubted}
    if asked.order == "exact":
        helps = reaches(grid.perhaps, count, optional)
    elif asked.order == "in_order":
        helps = in_order([row for place, row in enumerate(grid.perhaps) if place not in optional]) is not None
    else:
        pairs = assign(grid.perhaps)
        paired = [place for place in pairs if place is not None]
        helps = all(row in optional for row, place in enumerate(pairs) if place is None)
        helps = helps and (asked.order == "superset" or len(paired) == count)
    return reason if helps else None


def _open_question(
    calls: Sequence[ToolCall], turns: Sequence[Turn], asked: ExpectedCalls, grid: _Grid
) -> Verdict:
    """The first call of which nobody can tell; one whose comparison broke comes before that."""
    (row, place), fit = max(grid.open.items(), key=lambda one: one[1])
    name = calls[place].name
    reason = unsure(asked.expected[row], calls[place], asked.mode, f"call {place + 1}, {name}")
    make = errored if fit is Fit.BROKEN else inconclusive
    return make(reason, evidence=evidence_of(turns, [place]))


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
    shown = table(asked.expected, calls, asked.mode, grid.sure, layout, needed=needed)
    wrong = sorted({*layout.extra, *(place for place in layout.moved if place is not None)})
    return failed("; ".join(parts) + (f"\n{shown}" if shown else ""), evidence=evidence_of(turns, wrong))


def _of(number: int, total: int, what: str) -> str:
    """`1 of 3 expected calls`; of all of them `all 3 expected calls`."""
    if total == 1:
        return f"the {what}"
    return f"all {total} {what}s" if number == total else f"{number} of {total} {what}s"


def _be(number: int, one: str = "is", more: str = "are") -> str:
    return one if number == 1 else more
