"""A run: its summary and its results."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote, urlencode

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from grice.api.errors import ApiError
from grice.api.pages import Cursor, cursor_of, position_in
from grice.api.routes.runs import run_row
from grice.api.service import READ, Served
from grice.records import Outcome
from grice.reporting.figures_text import percent
from grice.store import queries
from grice.store.queries import RunRow
from grice.store.result_list import ResultFilter, list_results
from grice.text import plural
from grice.web.chips import chips_of
from grice.web.page_rendering import page, piece
from grice.web.routes.running import waiting_page
from grice.web.run_reports import AT_ONCE, RunReport

router = APIRouter(include_in_schema=False)

_PAGE = 50
_SEARCH_SECONDS = 0.04
"""For which words are looked for, before the page says how far it came."""
_Text = Annotated[str, Query(max_length=500)]
_OUTCOMES = ("", *(one.value for one in Outcome))
_SLOW = (1, 2, 5, 10, 30)


def conversation_address(run: str, id_: str) -> str:
    """The address of a conversation."""
    return f"/runs/{quote(run, safe='')}/conversations/{quote(id_, safe='/')}"


@router.get("/runs/{run_id}", dependencies=[READ])
def run(
    request: Request,
    run_id: str,
    service: Served,
    outcome: _Text = "",
    failure: _Text = "",
    criterion: _Text = "",
    matcher: _Text = "",
    topic: _Text = "",
    persona: _Text = "",
    slower: _Text = "",
    q: _Text = "",
    cursor: Cursor = "",
    searched: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """Show a run: the answer first, then the filtered results, then the summary.

    A search that takes long shows what it found, and goes on by itself as long as that is nothing; `searched`
    counts the conversations before the cursor in which it looked.
    """
    if outcome not in _OUTCOMES:
        raise ApiError(
            400, "the request is wrong", [("outcome", f"expected one of {', '.join(_OUTCOMES[1:])}")]
        )
    wanted = ResultFilter(outcome, failure, criterion, matcher, topic, persona, _seconds(slower), q)
    reports = request.app.state.reports
    with service.reading() as connection:
        known = queries.run_of(connection, service.project, run_id)
        if known is None:
            return waiting_page(request, service, run_id)
        row = known
        after = position_in(cursor, tuple[str, str])
        listed = list_results(connection, run_id, wanted, after=after, limit=_PAGE, seconds=_SEARCH_SECONDS)
        facets = reports.facets(connection, row)
        small = (row.done or 0) <= AT_ONCE or reports.is_made(row)
        report = reports.report(connection, service, row) if small else None
        before, newly = reports.newly(connection, service.project, row) if small else ("", [])
    live = row.state in ("QUEUED", "RUNNING") or service.queue.going_on(run_id) is not None
    given = {name: value for name, value in msgspec.to_builtins(wanted).items() if value and name != "words"}
    given |= {"q": q} if q else {}
    following, searched = cursor_of(listed.after), searched + listed.searched
    so_far = {"searched": searched} if listed.searched else {}
    here = f"/runs/{quote(run_id, safe='')}"
    return page(
        request,
        "run.html",
        title=row.name or row.id,
        run=row,
        at=here,
        answer=_answer(row, None if live else report, facets.outcomes, live=live),
        report=report,
        small=small,
        listed=listed,
        facets=facets,
        wanted=wanted,
        given=given,
        slow=_SLOW,
        newly={one.case for one in newly},
        before=before,
        address=conversation_address,
        query=urlencode(given),
        following=following and f"{here}?{urlencode({**given, 'cursor': following, **so_far})}",
        searched=searched,
        begun=bool(cursor),
        live=live,
        total=sum(facets.outcomes.values()),
        pruned=row.pruned_at is not None,
    )


@router.get("/runs/{run_id}/report", dependencies=[READ])
def run_report(request: Request, run_id: str, service: Served) -> Response:
    """Give the summary of a large run, for its page."""
    with service.reading() as connection:
        row = run_row(connection, service, run_id)
        report = request.app.state.reports.report(connection, service, row)
    return piece("report.html", report=report, run=row)


@router.get("/runs/{run_id}/chips/{conversation_id:path}", dependencies=[READ])
def chips(run_id: str, conversation_id: str, service: Served) -> Response:
    """Give the result of each check of a result, for its row."""
    with service.reading() as connection:
        run_row(connection, service, run_id)
        found = chips_of(connection, run_id, conversation_id)
    return piece("chips.html", chips=found, address=conversation_address(run_id, conversation_id))


def _seconds(text: str) -> float:
    try:
        return max(0.0, float(text or 0))
    except ValueError:
        return 0.0


def _answer(
    row: RunRow, report: RunReport | None, outcomes: dict[str, int], *, live: bool
) -> tuple[str, str, str]:
    """The first sentence with its tone and what follows it: that of the report, where that is there."""
    if live:
        planned = f" of {row.planned:,}" if row.planned else ""
        bad = sum(number for outcome, number in outcomes.items() if outcome not in ("pass", "skipped"))
        said = (
            f"{bad:,} did not pass so far"
            if bad
            else "All passed so far"
            if row.done
            else "It has just begun"
        )
        return f"Running: {row.done or 0:,}{planned} finished. {said}.", "bad" if bad else "", ""
    if report is not None:
        answer = report.document.answer
        return answer.words, answer.tone, answer.more
    number = sum(outcomes.values())
    if not number:
        return f"{row.name or row.id}: no result is kept", "warn", row.error or ""
    bad = number - outcomes.get("pass", 0) - outcomes.get("skipped", 0)
    rate = percent(outcomes.get("pass", 0) / number)
    if bad:
        return f"{bad:,} of {plural(number, 'conversation')} did not pass ({rate} passed)", "bad", ""
    return f"All {plural(number, 'conversation')} passed", "good", ""
