"""Two runs side by side, and of a test that changed its two conversations."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, NamedTuple
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from grice.api.errors import ApiError
from grice.api.routes.runs import run_row
from grice.api.service import READ, Served
from grice.matching.redacted import redacted_record
from grice.records import Conversation, Result, Turn
from grice.reporting.comparison.side_by_side import side_by_side, side_by_side_answer
from grice.reporting.documents.comparison import CHANGE_KINDS, change_text
from grice.reporting.renderers.html.conversation import Room, margin_of, turn_nodes
from grice.reporting.renderers.html.nodes import Node, element, html_of
from grice.store import queries
from grice.store.repeats import RepeatRow, pair_of_repeats, repeats_of
from grice.web.page_rendering import page
from grice.web.routes.conversation import pair_address, result_of, told_drawer
from grice.web.routes.run import conversation_address

if TYPE_CHECKING:
    from grice.experiments.comparison.records import Comparison, ScenarioChange
    from grice.store.queries import RunRow
    from grice.web.comparisons import Compared, Comparisons


router = APIRouter(include_in_schema=False)

_RUNS = 100
"""Runs that are offered."""
_LISTED = 100
"""Scenarios of one kind of change that are listed."""
_AT_ONCE = 3
"""Pairs of conversations that are drawn without being asked for."""
_TURNS = 20
"""Turns of both that are drawn at once."""
_Id = Annotated[str, Query(max_length=500)]


class _Change(NamedTuple):
    """A scenario that changed: what changed, its address, whether its conversations are drawn at once."""

    key: str
    text: str
    address: str
    at_once: bool


class _Group(NamedTuple):
    """The scenarios that changed in the same way, the first ones."""

    kind: str
    heading: str
    number: int
    changes: list[_Change]

    @property
    def newly(self) -> bool:
        """Whether these tests fail or pass in every repeat now, and did in none before."""
        return self.kind.startswith("newly")

    @property
    def worse(self) -> bool:
        """Whether the change is for the worse."""
        return self.kind in ("newly failing", "passes less often", "quality regressed")


@router.get("/compare", dependencies=[READ])
def compare(
    request: Request,
    service: Served,
    a: _Id = "",
    b: _Id = "",
    wait: Annotated[bool, Query(description="Wait for the comparison of large runs.")] = False,
) -> Response:
    """Compare two runs: the answer, what changed with its conversations, then the figures.

    Of large runs the page comes first, and asks for the rest by itself.
    """
    comparisons: Comparisons = request.app.state.comparisons
    made: Compared | None = None
    pending: tuple[RunRow, ...] = ()
    with service.reading() as connection:
        offered = queries.runs(connection, service.project, limit=_RUNS)
        if a and b:
            before, now = run_row(connection, service, a), run_row(connection, service, b)
            if comparisons.takes_long(before, now) and not wait:
                pending = (before, now)
            else:
                made = comparisons.of(connection, before, now)
    groups = [] if made is None else list(_groups(made.comparison, a, b))
    return page(
        request,
        "compare.html",
        title="Compare",
        a=a,
        b=b,
        offered=offered,
        made=made,
        pending=pending,
        rest=f"/compare?{urlencode({'a': a, 'b': b, 'wait': 'true'})}",
        groups=groups,
    )


@router.get("/compare/pair", dependencies=[READ])
def pair(
    request: Request,
    service: Served,
    a: _Id,
    b: _Id,
    test: _Id,
    before: Annotated[int, Query(ge=0)] = 0,
    now: Annotated[int, Query(ge=0)] = 0,
    turn: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """Show two conversations of a test from a turn on; without one, from where they differ.

    They are the repeats with these numbers, by themselves those that show what changed.
    """
    with service.reading() as connection:
        rows = run_row(connection, service, a), run_row(connection, service, b)
        sides = [repeats_of(connection, one.id, test) for one in rows]
        for row, side in zip(rows, sides, strict=True):
            if not side:
                raise ApiError(404, f"the run {row.id} has no test {test!r}")
        chosen = _chosen(sides[0], sides[1], before, now)
        then, later = (
            result_of(request, connection, service, row.id, one.id)
            for row, one in zip(rows, chosen, strict=True)
        )
    found = side_by_side(then, later)
    addresses = [conversation_address(row.id, one.id) for row, one in zip(rows, chosen, strict=True)]
    first = min(turn or max(1, (found.first or 1) - 1), max(1, len(found.pairs)))
    anchor = f"turn-{sha256(test.encode('utf-8', 'replace')).hexdigest()[:8]}"
    columns = [
        _Column(then, addresses[0], f"{anchor}-before", found.before_marked, first),
        _Column(later, addresses[1], f"{anchor}-now", found.now_marked, first),
    ]
    here = urlencode({"a": a, "b": b, "test": test, "before": chosen[0].repeat, "now": chosen[1].repeat})
    return page(
        request,
        "pair.html",
        title=later.key,
        a=a,
        b=b,
        test=test,
        runs=rows,
        results=[then, later],
        chosen=chosen,
        sides=sides,
        answer=side_by_side_answer(then, later, found),
        found=found,
        columns=columns,
        shown=found.pairs[first - 1 : first - 1 + _TURNS],
        earlier=f"/compare/pair?{here}&turn={max(1, first - _TURNS)}" if first > 1 else "",
        later=f"/compare/pair?{here}&turn={first + _TURNS}" if first - 1 + _TURNS < len(found.pairs) else "",
        addresses=addresses,
        anchor=anchor,
        up=f"/compare?{urlencode({'a': a, 'b': b})}",
    )


def _groups(comparison: Comparison, a: str, b: str) -> Iterator[_Group]:
    left = _AT_ONCE
    for kind, heading in CHANGE_KINDS.items():
        found = [one for one in comparison.changes if one.kind == kind]
        changes = []
        for one in found[:_LISTED]:
            at_once = left > 0 and kind.startswith("newly")
            changes.append(_change(one, a, b, at_once=at_once))
            left -= at_once
        if found:
            yield _Group(kind, heading, len(found), changes)


def _change(one: ScenarioChange, a: str, b: str, *, at_once: bool) -> _Change:
    return _Change(one.key, change_text(one), pair_address(a, b, one.id), at_once)


def _chosen(old: list[RepeatRow], new: list[RepeatRow], before: int, now: int) -> tuple[RepeatRow, RepeatRow]:
    """The repeats with these numbers, else those that show what changed."""
    first, second = pair_of_repeats(old, new)
    assert first is not None
    assert second is not None
    return (
        next((one for one in old if one.repeat == before), first),
        next((one for one in new if one.repeat == now), second),
    )


class _Column:
    """Some turns of a conversation, from one number on, as its column has them."""

    def __init__(self, result: Result, at: str, anchor: str, marked: int | None, first: int) -> None:
        turns = result.conversation.turns
        shown = redacted_record(turns[first - 1 : first - 1 + _TURNS], tuple[Turn, ...])
        clean = redacted_record(msgspec.structs.replace(result, conversation=Conversation()), Result)
        margin = margin_of(clean)
        nodes = turn_nodes(
            shown,
            margin,
            anchor,
            Room(),
            marked,
            before=turns[: first - 1],
            told_at=lambda turn: told_drawer(turn, at),
        )
        cells: list[list[Node]] = [[]]
        for node in nodes:
            cells[-1].append(node)
            if node[0] == "div":  # a turn, and no name of a topic
                cells.append([])
        known = {one.number for one in turns}
        whole = margin.beside([place for place, one in enumerate(margin.verdicts) if one.turn not in known])
        self.whole = html_of([element("div", "whole", whole)]) if whole else ""
        self._cells = {number: html_of(cell) for number, cell in enumerate(cells[:-1], first)}

    def turn(self, number: int) -> str:
        """The turn that stands in that place, counted from 1; "" where there is none."""
        return self._cells.get(number, "")
