"""The runs of the project, and how they went over time."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, NamedTuple
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from sqlalchemy import Connection

from grice.api.pages import Cursor, cursor_of, position_in
from grice.api.routes.runs import run_row
from grice.api.service import READ, Served, Service
from grice.reporting.figures_text import span
from grice.running.bundled_example import EXAMPLE_AGENT, example_folder
from grice.store import queries
from grice.store.queries import NewlyFailing, RunRow
from grice.web.page_rendering import page, piece
from grice.web.routes.run import conversation_address
from grice.web.routes.running import queued_runs

router = APIRouter(include_in_schema=False)

_PAGE = 50
_AT_ONCE = 5_000
"""Results of all runs of a page for which it is told at once what newly fails; of more each run asks."""
_Text = Annotated[str, Query(max_length=500)]


class _Interval(msgspec.Struct):
    low: float
    high: float


class _Sums(msgspec.Struct):
    total_scenarios: int = 0
    passed: int = 0
    completion_rate: float | None = None
    completion_interval: _Interval | None = None


class _Summary(msgspec.Struct):
    summary: _Sums = msgspec.field(default_factory=_Sums)


class RunLine(NamedTuple):
    """A run in a list: its row, its title, its rate with the interval, the tests that newly fail.

    `newly` is None where that is asked for later.
    """

    row: RunRow
    tags: list[str]
    when: str
    passed: int
    total: int
    rate: float | None
    low: float | None
    high: float | None
    newly: list[NewlyFailing] | None

    @property
    def interval(self) -> str:
        """`65.1% to 88.0%`, "" where there is none."""
        return "" if self.low is None or self.high is None else span(self.low, self.high)


@router.get("/", dependencies=[READ])
def runs(
    request: Request,
    service: Served,
    name: _Text = "",
    tag: _Text = "",
    branch: _Text = "",
    since: Annotated[str, Query(max_length=10)] = "",
    outcome: _Text = "",
    state: _Text = "",
    cursor: Cursor = "",
) -> Response:
    """Show the runs that meet every given condition, the latest first."""
    wanted = {"name": name, "tag": tag, "branch": branch, "since": since, "outcome": outcome, "state": state}
    with service.reading() as connection:
        found = queries.runs(
            connection,
            service.project,
            name=name,
            tag=tag,
            branch=branch,
            since=_day(since),
            outcome=outcome,
            state=state,
            after=position_in(cursor, tuple[datetime, str]),
            limit=_PAGE + 1,
        )
        rows = found[:_PAGE]
        tags = queries.tags_of(connection, [one.id for one in rows])
        small = sum(one.done or 0 for one in rows) <= _AT_ONCE
        lines = [
            run_line(request, connection, service, one, tags.get(one.id, []), newly=small) for one in rows
        ]
        known = queries.names_of_runs(connection, service.project)
    following = cursor_of((rows[-1].run_at, rows[-1].id)) if len(found) > _PAGE else None
    queued = [] if cursor else queued_runs(service, {one.id for one in rows})
    given = {name: value for name, value in wanted.items() if value}
    return page(
        request,
        "runs.html",
        title="Runs",
        lines=lines,
        address=conversation_address,
        answer=_answer(lines, filtered=bool(given or cursor)),
        wanted=wanted,
        given=bool(given),
        known=known,
        following=following and f"/?{urlencode({**given, 'cursor': following})}",
        queued=queued,
        live=bool(queued) or any(one.row.state in ("RUNNING", "QUEUED") for one in lines),
        empty=not lines and not queued and not given and not cursor,
        example=example_folder() / "goldens",
        agent=EXAMPLE_AGENT,
    )


@router.get("/runs/{run_id}/newly", dependencies=[READ])
def newly(request: Request, run_id: str, service: Served) -> Response:
    """Give what newly fails in a run, for its row."""
    with service.reading() as connection:
        row = run_row(connection, service, run_id)
        _, found = request.app.state.reports.newly(connection, service.project, row)
    return piece("newly.html", newly=found, run=run_id, address=conversation_address)


def run_line(
    request: Request, connection: Connection, service: Service, row: RunRow, tags: list[str], *, newly: bool
) -> RunLine:
    """The run as a list has it."""
    text = queries.summary_text(connection, row.id)
    sums = msgspec.json.decode(text, type=_Summary).summary if text else _Sums()
    interval = sums.completion_interval
    found = None
    if newly and row.state not in ("QUEUED", "RUNNING"):
        found = request.app.state.reports.newly(connection, service.project, row)[1]
    return RunLine(
        row,
        tags,
        f"{row.run_at:%Y-%m-%d %H:%M} UTC",
        sums.passed,
        sums.total_scenarios,
        sums.completion_rate,
        interval.low if interval else None,
        interval.high if interval else None,
        found if newly else None,
    )


def _answer(lines: list[RunLine], *, filtered: bool) -> tuple[str, str]:
    """The result of the latest run in words, and their tone."""
    if not lines:
        return ("No run matches these filters", "") if filtered else ("Nothing was run here yet", "")
    ended = [one for one in lines if one.row.state == "FINISHED" and one.total]
    if filtered or not ended:
        return f"{len(lines)} run{'' if len(lines) == 1 else 's'}", ""
    latest = ended[0]
    name = latest.row.name or latest.row.id
    if latest.newly:
        number = len(latest.newly)
        fail = "test newly fails" if number == 1 else "tests newly fail"
        return f"{number} {fail} in the last run, {name}", "bad"
    if latest.passed == latest.total:
        return f"All {latest.total:,} conversations passed in the last run, {name}", "good"
    failed = latest.total - latest.passed
    return f"{failed:,} of {latest.total:,} conversations did not pass in the last run, {name}", "bad"


def _day(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC) if text else None
    except ValueError:
        return None
