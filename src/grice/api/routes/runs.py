"""Runs, their results and their conversations."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from sqlalchemy import Connection

from grice.api.bodies import Body
from grice.api.errors import ERRORS, ApiError
from grice.api.pages import Cursor, Limit, cursor_of, position_in, sendable
from grice.api.run_requests import is_folder_name, request_of
from grice.api.service import READ, Served, Service
from grice.identity import redact_text
from grice.store import queries
from grice.store.run_states import seed_status

router = APIRouter(prefix="/api", tags=["runs"], responses=ERRORS)

Outcome = Literal["pass", "fail", "inconclusive", "error", "skipped"]
State = Literal["QUEUED", "RUNNING", "FINISHED", "CANCELLED", "DIED"]
_Text = Annotated[str, Query(max_length=500)]


class RunBody(Body):
    """A run. `passPercentage` is over all results that were not skipped.

    `state` is how it stands; `status` is the same in the four words of PromptKitchen. Only a finished run has
    an `outcome`; `error` says why another one is not finished. `planned` is how many conversations were to be
    held, `done` how many are.
    """

    id: str
    run_at: datetime
    name: str
    tags: list[str]
    state: str
    status: str
    outcome: str | None
    pass_percentage: float
    planned: int | None
    done: int | None
    git_branch: str | None
    git_commit: str | None
    agent: str
    error: str | None
    test_suite_id: str
    prompt_history_id: str


class RunListBody(Body):
    """A page of runs, the latest first."""

    runs: list[RunBody]
    next_cursor: str | None


class ResultBody(Body):
    """A result: the last reply as `output`, and in `details` the result of each check.

    `status` is PASS or FAIL, and `outcome` which of the five it is.
    """

    id: str
    test_case_id: str
    status: str
    output: str
    outcome: Outcome
    details: list[Any] | None


class ResultListBody(Body):
    """A page of results, in the order of their cases."""

    results: list[ResultBody]
    next_cursor: str | None


class WholeRunBody(RunBody):
    """A run with its results; where there are too many `nextCursor` leads to the others in `/results`."""

    results: list[ResultBody]
    next_cursor: str | None
    pruned: bool


class FindingBody(Body):
    """A check that failed, at a turn (null: the whole conversation)."""

    label: str
    turn: int | None
    reason: str
    quote: str


class ConversationBody(Body):
    """A conversation: its outcome, its record, the result of each check, and which of them failed."""

    id: str
    run_id: str
    key: str
    name: str
    repeat: int
    outcome: Outcome
    failure: str
    termination: str | None
    turns: int
    tokens: int | None
    why: str
    record: dict[str, Any]
    details: list[Any]
    findings: list[FindingBody]


@router.get("/test-suite-runs", dependencies=[READ])
def list_runs(
    service: Served,
    name: _Text = "",
    tag: _Text = "",
    branch: _Text = "",
    since: Annotated[datetime | None, Query(description="Runs that began then or later.")] = None,
    outcome: Outcome | None = None,
    state: State | None = None,
    cursor: Cursor = "",
    limit: Limit = 50,
) -> RunListBody:
    """List the runs that meet every given condition, the latest first."""
    after = position_in(cursor, tuple[datetime, str])
    with service.reading() as connection:
        found = queries.runs(
            connection,
            service.project,
            name=name,
            tag=tag,
            branch=branch,
            since=_in_utc(since),
            outcome=outcome or "",
            state=state or "",
            after=after,
            limit=limit + 1,
        )
        rows = found[:limit]
        tags = queries.tags_of(connection, [one.id for one in rows])
    following = (rows[-1].run_at, rows[-1].id) if len(found) > limit else None
    bodies = [RunBody(**_run(one, tags.get(one.id, []))) for one in rows]
    return RunListBody(runs=bodies, next_cursor=cursor_of(following))


@router.get("/test-suite-runs/{run_id}", dependencies=[READ])
def get_run(run_id: str, service: Served) -> WholeRunBody:
    """Give a run with its results; one that waits, or could not begin, has none."""
    with service.reading() as connection:
        if queries.run_of(connection, service.project, run_id) is None:
            return _without_journal(service, run_id)
        row = run_row(connection, service, run_id)
        tags = queries.tags_of(connection, [run_id])
        page = queries.results_of_run(connection, run_id)
    return WholeRunBody(
        **_run(row, tags.get(run_id, [])),
        results=[_result(one) for one in page.results],
        next_cursor=cursor_of(page.after),
        pruned=row.pruned_at is not None,
    )


def _without_journal(service: Service, run_id: str) -> WholeRunBody:
    """A run that was asked for here and has no journal yet. Raises ApiError where there is none."""
    request = request_of(service.runs / run_id) if is_folder_name(run_id) else None
    if request is None:
        raise ApiError(404, f"there is no run {run_id!r}")
    progress = service.queue.progress(run_id)
    return WholeRunBody(
        id=run_id,
        run_at=datetime.fromisoformat(request.asked_at),
        name=request.name,
        tags=list(request.tags),
        state=progress.standing.state,
        status=seed_status(progress.standing.state),
        outcome=None,
        pass_percentage=0,
        planned=progress.planned,
        done=progress.done,
        git_branch=None,
        git_commit=None,
        agent="",
        error=redact_text(progress.standing.error) or None,
        test_suite_id=request.suite,
        prompt_history_id="",
        results=[],
        next_cursor=None,
        pruned=False,
    )


@router.get("/test-suite-runs/{run_id}/results", dependencies=[READ])
def list_results(
    run_id: str, service: Served, outcome: Outcome | None = None, cursor: Cursor = "", limit: Limit = 50
) -> ResultListBody:
    """List the results of a run."""
    after = position_in(cursor, tuple[str, str])
    with service.reading() as connection:
        run_row(connection, service, run_id)
        page = queries.results_of_run(connection, run_id, outcome=outcome or "", after=after, limit=limit)
    return ResultListBody(results=[_result(one) for one in page.results], next_cursor=cursor_of(page.after))


@router.get("/test-suite-runs/{run_id}/conversations/{conversation_id:path}", dependencies=[READ])
def get_conversation(run_id: str, conversation_id: str, service: Served) -> ConversationBody:
    """Give a conversation; its id is that of its result."""
    with service.reading() as connection:
        run_row(connection, service, run_id)
        found = queries.conversation_of(connection, run_id, conversation_id)
    if found is None:
        raise ApiError(404, f"the run {run_id} has no conversation {conversation_id!r}")
    told = sendable(found._asdict())
    return ConversationBody(
        **{**told, "findings": [FindingBody(**one) for one in told["findings"]]}, run_id=run_id
    )


def run_row(connection: Connection, service: Service, run_id: str) -> queries.RunRow:
    """The run of that id. Raises ApiError where the project has none."""
    row = queries.run_of(connection, service.project, run_id)
    if row is None:
        raise ApiError(404, f"there is no run {run_id!r}")
    return row


def _run(row: queries.RunRow, tags: list[str]) -> dict[str, Any]:
    """The fields of a body, but for when it was pruned."""
    fields: dict[str, Any] = sendable({**row._asdict(), "tags": tags})
    del fields["pruned_at"]
    return fields


def _result(row: dict[str, Any]) -> ResultBody:
    return ResultBody(**{"details": None, **sendable(row)})


def _in_utc(moment: datetime | None) -> datetime | None:
    """The moment with a zone, UTC where it has none. Raises ApiError for one that has no date in UTC."""
    if moment is None:
        return None
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:
        raise ApiError(400, "the request is wrong", [("since", "is out of range")]) from None
