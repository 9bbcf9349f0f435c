"""Pieces of pages that start and control runs; their buttons call the API."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from grice.api.errors import ApiError
from grice.api.run_queue import CannotRun
from grice.api.run_requests import is_folder_name, new_request, request_of, run_folder
from grice.api.service import READ, RUN, Asking, Served, Service
from grice.api.suite_files import suite_files
from grice.records import Outcome
from grice.running.bundled_example import EXAMPLE_AGENT, example_folder
from grice.store import queries
from grice.store.queries import RunRow
from grice.store.result_list import RANKS, count_outcomes
from grice.store.run_states import RunState
from grice.web.page_rendering import page, piece

router = APIRouter(include_in_schema=False)

_GOES_ON = (RunState.QUEUED.value, RunState.RUNNING.value)
_STOPPED = (RunState.CANCELLED.value, RunState.DIED.value)

_EXAMPLE = "/example"


class _Action(NamedTuple):
    """A button: its words, the route of the API that it asks, with which body, and where it leads."""

    words: str
    post: str
    body: str = "{}"
    then: str = ""
    key: str = ""


class QueuedRun(NamedTuple):
    """A requested run that has no journal yet, or never began."""

    id: str
    name: str
    state: str
    error: str


@router.post(_EXAMPLE, dependencies=[RUN])
def run_example(service: Served, caller: Asking) -> Response:
    """Run the goldens of the bundled example in a process of its own, and give the id of the run."""
    files = (str(example_folder() / "goldens"),)
    request = new_request("", files, asked_by=caller.name, name="example", agent=EXAMPLE_AGENT)
    try:
        service.queue.add(request)
    except CannotRun as error:
        raise ApiError(409, str(error)) from None
    return JSONResponse({"runId": request.id}, 201)


@router.get("/runs/{run_id}/actions", dependencies=[READ])
def actions(run_id: str, service: Served) -> Response:
    """Give the buttons of a run: cancel, resume, run again, or run what did not pass."""
    with service.reading() as connection:
        row = queries.run_of(connection, service.project, run_id)
        outcomes = count_outcomes(connection, run_id)
    if row is None:
        run_folder(service, run_id)  # raises where there is none
    return piece("actions.html", actions=_actions(service, run_id, row, outcomes))


def _actions(service: Service, run_id: str, row: RunRow | None, outcomes: dict[str, int]) -> list[_Action]:
    at = f"/api/test-suite-runs/{quote(run_id, safe='')}"
    request = request_of(service.runs / run_id) if is_folder_name(run_id) else None
    going_on = service.queue.going_on(run_id) if request is not None else None
    state = going_on.value if going_on is not None else row.state if row is not None else _STOPPED[0]
    if state in _GOES_ON:
        return [_Action("Cancel", f"{at}/cancel", key="x")] if request is not None else []
    found = []
    if state in _STOPPED and request is not None:
        found.append(_Action("Go on with it", f"{at}/resume"))
    if request is not None:
        again = _EXAMPLE if request.agent else f"{at}/again"
        found.append(_Action("Run again", again, then="/runs/{runId}", key="r"))
    suite = request.suite if request is not None else row.test_suite_id if row is not None else ""
    bad = any(outcomes.get(one) for one in RANKS if one not in (Outcome.PASS.value, Outcome.SKIPPED.value))
    if bad and suite in suite_files(service.root, service.project):
        body = msgspec.json.encode({"onlyFailedOf": run_id}).decode()
        found.append(_Action("Run only what did not pass", _run_address(suite), body, "/runs/{runId}", "f"))
    return found


def _run_address(suite: str) -> str:
    return f"/api/test-suites/{quote(suite, safe='/')}/run"


def queued_runs(service: Service, known: set[str]) -> list[QueuedRun]:
    """The running or waiting runs that the database does not know yet."""
    return [_queued(service, one) for one in service.queue.listed() if one not in known]


def _queued(service: Service, run_id: str) -> QueuedRun:
    request = request_of(service.runs / run_id)
    standing = service.queue.progress(run_id).standing
    return QueuedRun(
        run_id, request.name if request is not None else "", standing.state.value, standing.error
    )


def waiting_page(request: Request, service: Service, run_id: str) -> Response:
    """The page of a run that has no result yet. Raises ApiError where there is no such run."""
    try:
        run_folder(service, run_id)
    except ApiError:
        raise ApiError(404, f"there is no run {run_id!r}") from None
    run = _queued(service, run_id)
    goes_on = run.state in _GOES_ON
    return page(request, "waiting.html", title=run.name or run.id, run=run, goes_on=goes_on)
