"""Run suites: start, follow, cancel and resume runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Annotated

import msgspec
from anyio.to_thread import run_sync
from fastapi import APIRouter, Header, Query
from fastapi.responses import StreamingResponse
from pydantic import Field

from grice.api.bodies import Body
from grice.api.errors import ERRORS, ApiError, ErrorBody
from grice.api.run_events import RunEvents, state_data
from grice.api.run_queue import CannotRun
from grice.api.run_requests import RunRequest, new_request, request_of, run_folder
from grice.api.service import READ, RUN, AskAgain, Asking, Served, Service
from grice.api.suite_files import suite_files, write_for_run
from grice.identity import redact_text
from grice.records import Outcome, Result
from grice.running.journal.experiment import new_experiment_id
from grice.running.journal.form import JournalError
from grice.running.journal.reading import index_run
from grice.running.journal.tailing import BadPlace
from grice.running.run_names import name_problem
from grice.store.database import read_only
from grice.store.errors import CannotWrite
from grice.store.result_rows import suite_in_run_folder
from grice.store.run_states import RunState
from grice.store.suites import cases_of_suite, find_suite
from grice.store.tokens import Caller
from grice.text import did_you_mean

router = APIRouter(prefix="/api", tags=["running"], responses=ERRORS)

MOST_TAGS = 20
MOST_REPEATS = 100
MOST_CHOSEN = 2_000
"""Scenarios that are named one by one to a process; where more failed the whole suite is run."""
POLL = 0.2
ASK_AGAIN = 0.5
"""Seconds after which a stream asks again whether its token holds."""
HEARTBEAT = 15.0
"""Seconds after which a stream without events says that it is there."""
_CONFLICT: dict[int | str, dict[str, object]] = {
    409: {"model": ErrorBody, "description": "The state of the run does not allow it."}
}

_EVENT = {
    "type": "object",
    "description": "An event of the stream; `data` is JSON.",
    "properties": {name: {"type": "string"} for name in ("event", "id", "data")},
}
_Name = Annotated[str, Field(max_length=200)]


class RunOptionsBody(Body):
    """How to run a suite: all of it, or some.

    `onlyFailedOf` is a run of it: only what did not pass there is run. `only` are names of its cases.
    """

    name: _Name = ""
    tags: list[_Name] = Field(default_factory=list, max_length=MOST_TAGS)
    repeat: Annotated[int, Field(ge=1, le=MOST_REPEATS)] = 1
    only_failed_of: str | None = None
    only: list[str] = Field(default_factory=list, max_length=MOST_CHOSEN)


class StartedBody(Body):
    """The id of a run that waits for its turn, or has begun."""

    run_id: str


class RunStateBody(Body):
    """The state of a run. `status` is the same in the four words of PromptKitchen; `done` and `planned` count
    conversations, `error` says why it is not finished, and `name`, `tags` and `suite` are those of the
    request.
    """

    run_id: str
    state: RunState
    status: str
    error: str
    done: int
    planned: int | None
    suite: str | None
    name: str
    tags: list[str]


# -- starting


@router.post("/test-suites/{suite_id:path}/run", dependencies=[RUN], status_code=201, responses=_CONFLICT)
def run_suite(
    suite_id: str, service: Served, caller: Asking, options: RunOptionsBody | None = None
) -> StartedBody:
    """Run a suite in a process of its own; the answer does not wait for it."""
    options = options or RunOptionsBody()
    _check_names(options)
    suite, file = _suite(suite_id, service)
    only = _cases_of(options, suite, service)
    if options.only_failed_of is not None:
        only = _failed_in(options.only_failed_of, suite, file, service)
    id_ = new_experiment_id()
    request = new_request(
        suite,
        (file or _suite_for_run(suite, id_, service),),
        id=id_,
        asked_by=caller.name,
        only=only,
        name=options.name,
        tags=tuple(dict.fromkeys(options.tags)),
        repeat=options.repeat,
    )
    return _started(request, service)


@router.post("/test-suite-runs/{run_id}/again", dependencies=[RUN], status_code=201, responses=_CONFLICT)
def run_again(run_id: str, service: Served, caller: Asking) -> StartedBody:
    """Run the same once more, with the same options, as a run of its own."""
    earlier = request_of(run_folder(service, run_id))
    if earlier is None:
        raise ApiError(409, f"{run_id} was not started here, so its options are not known: run its suite")
    suite, file = _suite(earlier.suite, service)
    id_ = new_experiment_id()
    fresh = new_request(suite, (file or _suite_for_run(suite, id_, service),), id=id_, asked_by=caller.name)
    return _started(
        msgspec.structs.replace(
            fresh, only=earlier.only, name=earlier.name, tags=earlier.tags, repeat=earlier.repeat
        ),
        service,
    )


@router.post("/test-suite-runs/{run_id}/cancel", dependencies=[RUN], responses=_CONFLICT)
def cancel_run(run_id: str, service: Served) -> RunStateBody:
    """Cancel a run: what is finished stays, and the run can be resumed."""
    run_folder(service, run_id)
    try:
        service.queue.cancel(run_id)
    except CannotRun as error:
        raise ApiError(409, str(error)) from None
    return _state(run_id, service)


@router.post("/test-suite-runs/{run_id}/resume", dependencies=[RUN], responses=_CONFLICT)
def resume_run(run_id: str, service: Served) -> RunStateBody:
    """Resume a run that died or was cancelled: what is finished is not run again."""
    run_folder(service, run_id)
    try:
        service.queue.resume(run_id)
    except CannotRun as error:
        raise ApiError(409, str(error)) from None
    return _state(run_id, service)


# -- following


@router.get("/run-queue", dependencies=[READ])
def list_queue(service: Served) -> list[RunStateBody]:
    """List the runs that are running or waiting, in the order of their requests."""
    return [_state(one, service) for one in service.queue.listed()]


@router.get("/test-suite-runs/{run_id}/state", dependencies=[READ])
def get_state(run_id: str, service: Served) -> RunStateBody:
    """Give the state of a run, also of one that waits or could not begin."""
    run_folder(service, run_id)
    return _state(run_id, service)


@router.get(
    "/test-suite-runs/{run_id}/events",
    dependencies=[READ],
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": _EVENT}}}},
)
async def follow_run(
    run_id: str,
    service: Served,
    ask_again: AskAgain,
    last_event_id: Annotated[str, Header(max_length=2_000)] = "",
    after: Annotated[str, Query(max_length=2_000, description="As the header Last-Event-ID.")] = "",
) -> StreamingResponse:
    """Follow a run as server-sent events: `started`, `begun`, `result` and, when it changes, `state`.

    Each has an id; with the last one as `Last-Event-ID` the stream goes on behind it, after whatever ended
    the connection or the server. Behind the `state` of a run that has ended nothing comes. A stream whose
    token was revoked ends within a second.
    """
    run_folder(service, run_id)
    try:
        events = await run_sync(RunEvents, service.queue, service.runs, run_id, last_event_id or after)
    except BadPlace as error:
        raise ApiError(400, "the request is wrong", [("Last-Event-ID", str(error))]) from None
    return StreamingResponse(_stream(events, ask_again), media_type="text/event-stream")


async def _stream(events: RunEvents, ask_again: Callable[[], Caller | None]) -> AsyncIterator[bytes]:
    quiet, asked = 0.0, time.monotonic()
    while not events.ended:
        if time.monotonic() - asked >= ASK_AGAIN:
            if await run_sync(ask_again) is None:
                yield _problem("the token was revoked, or the session has ended")
                return
            asked = time.monotonic()
        try:
            new = await run_sync(events.new)
        except JournalError as error:
            yield _problem(str(error))
            return
        for one in new:
            yield one.sent()
        quiet = 0.0 if new else quiet + POLL
        if quiet >= HEARTBEAT:
            yield b": still there\n\n"
            quiet = 0.0
        if not new:
            await asyncio.sleep(POLL)


def _problem(message: str) -> bytes:
    return b"event: error\ndata: " + msgspec.json.encode({"error": message}) + b"\n\n"


# -- what they share


def _suite(suite_id: str, service: Service) -> tuple[str, str]:
    """The id of the suite, and its file below the project's folder; "" where it stands in the tables."""
    suite = suite_files(service.root, service.project).get(suite_id)
    if suite is not None:
        return suite.id, suite.file
    found = service.suites.find_suite(suite_id)
    if found.source_file is not None:
        raise ApiError(404, f"there is no suite {suite_id[:100]!r}")
    return found.id, ""


def _suite_for_run(suite: str, run: str, service: Service) -> str:
    """The file of a suite of the tables, in the folder of the run that is asked for."""
    with read_only(service.engine) as connection:
        return str(write_for_run(connection, find_suite(connection, suite), service.runs / run, service.root))


def _check_names(options: RunOptionsBody) -> None:
    """Raise ApiError for a name or tags that no run can have."""
    named = [("name", options.name)] if options.name else []
    named += [(f"tags[{index}]", tag) for index, tag in enumerate(options.tags)]
    problems = [(field, problem) for field, text in named if (problem := _text_problem(text))]
    if problems:
        raise ApiError(400, "the request is wrong", problems)


def _text_problem(text: str) -> str:
    """Why a text cannot be a name, or an argument of a process; "" where it can."""
    if not text.isprintable():
        return "has characters that cannot be printed"
    return name_problem(text)


def _cases_of(options: RunOptionsBody, suite: str, service: Service) -> tuple[str, ...]:
    """The names of the cases to run, () for all. Raises ApiError for one that the suite does not have."""
    if not options.only:
        return ()
    if options.only_failed_of is not None:
        told = "expected either only or onlyFailedOf, found both"
        raise ApiError(400, "the request is wrong", [("only", told), ("onlyFailedOf", told)])
    service.suites.follow_files()
    with read_only(service.engine) as connection:
        known = [one.key for one in cases_of_suite(connection, suite)]
    problems = [
        (f"only[{index}]", f"the suite has no case {name!r}{did_you_mean(name, known)}")
        for index, name in enumerate(options.only)
        if name not in known
    ]
    if problems:
        raise ApiError(400, "the request is wrong", problems)
    return tuple(dict.fromkeys(options.only))


def _failed_in(run_id: str, suite: str, file: str, service: Service) -> tuple[str, ...]:
    """The scenarios of the suite that did not pass in the run. Raises ApiError where there are none."""
    folder = run_folder(service, run_id)
    found = [one for one in index_run(folder).results() if _is_of(one, suite, file, run_id, service)]
    if not found:
        raise ApiError(409, f"{run_id} has no result of {file or suite}: run the whole suite")
    keys = {one.key for one in found if one.outcome not in (Outcome.PASS, Outcome.SKIPPED)}
    if not keys:
        raise ApiError(409, f"nothing of {file or suite} failed in {run_id}: there is nothing to run")
    return tuple(sorted(keys)) if len(keys) <= MOST_CHOSEN else ()


def _is_of(result: Result, suite: str, file: str, run: str, service: Service) -> bool:
    if not file:
        return suite_in_run_folder(result.file, run) == suite
    return (service.root / result.file).resolve() == (service.root / file).resolve()


def _started(request: RunRequest, service: Service) -> StartedBody:
    try:
        service.queue.add(request)
    except CannotRun as error:
        raise ApiError(409, str(error)) from None
    except OSError as error:
        raise CannotWrite(f"the run cannot be kept: {error.strerror or error}") from error
    return StartedBody(run_id=request.id)


def _state(run_id: str, service: Service) -> RunStateBody:
    progress = service.queue.progress(run_id)
    request = request_of(service.runs / run_id)
    told = state_data(progress)
    return RunStateBody(
        run_id=run_id,
        state=progress.standing.state,
        status=told["status"],
        error=redact_text(told["error"]),
        done=progress.done,
        planned=progress.planned,
        suite=None if request is None else request.suite,
        name="" if request is None else request.name,
        tags=[] if request is None else list(request.tags),
    )
