"""What reports and pages ask of the database. Each question has an index, see `tables.INDEXES`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, case, func, select

from grice.experiments.results import ExperimentResults
from grice.store.columns import json_value
from grice.store.settling import attempts_of, heads_of
from grice.store.tables import (
    conversations,
    journal_files,
    run_tags,
    test_cases,
    test_results,
    test_suite_runs,
    verdicts,
)

__all__ = [
    "CriterionPoint",
    "NewlyFailing",
    "RepeatCount",
    "RunRow",
    "SlowConversation",
    "Usage",
    "count_states",
    "criterion_trend",
    "experiment_of",
    "flakiness",
    "newly_failing",
    "results_of_run",
    "runs",
    "slowest",
    "summary_of",
    "usage",
    "waiting",
]

_runs, _results, _held, _verdicts = test_suite_runs.c, test_results.c, conversations.c, verdicts.c


class RunRow(NamedTuple):
    """A run in a list. `pass_percentage` is over all results that were not skipped."""

    id: str
    run_at: datetime
    name: str
    state: str
    outcome: str | None
    pass_percentage: float
    planned: int | None
    done: int | None
    git_branch: str | None
    git_commit: str | None
    agent: str
    error: str | None


class NewlyFailing(NamedTuple):
    """A test that newly fails: its case, its name, how many of its repeats passed now."""

    case: str
    name: str
    passed: int
    total: int


class RepeatCount(NamedTuple):
    """How many of the repeats of a test passed in a run."""

    run: str
    run_at: datetime
    passed: int
    total: int


class CriterionPoint(NamedTuple):
    """The answers on a criterion in a run, and the mean of the points that were given."""

    run: str
    run_at: datetime
    passed: int
    evaluated: int
    points: float | None


class Usage(NamedTuple):
    """What a run took: tokens in all, seconds a turn."""

    run: str
    run_at: datetime
    tokens: int | None
    seconds_p50: float | None
    seconds_p95: float | None


class SlowConversation(NamedTuple):
    """A conversation with the seconds of its slowest turn."""

    id: str
    key: str
    seconds: float


def runs(
    connection: Connection,
    project: str,
    *,
    name: str = "",
    branch: str = "",
    tag: str = "",
    state: str = "",
    since: datetime | None = None,
    limit: int = 50,
) -> list[RunRow]:
    """The runs of a project that all of this holds of, the latest first."""
    return [
        RunRow(*row)
        for row in connection.execute(runs_query(project, name, branch, tag, state, since, limit))
    ]


def runs_query(
    project: str,
    name: str = "",
    branch: str = "",
    tag: str = "",
    state: str = "",
    since: datetime | None = None,
    limit: int = 50,
) -> Select[*tuple[Any, ...]]:
    """The statement of `runs`."""
    query = select(*(_runs[field] for field in RunRow._fields)).where(_runs.project_id == project)
    if name:
        query = query.where(_runs.name == name)
    if branch:
        query = query.where(_runs.git_branch == branch)
    if state:
        query = query.where(_runs.state == state)
    if since is not None:
        query = query.where(_runs.run_at >= since)
    if tag:
        query = query.where(_runs.id.in_(select(run_tags.c.run_id).where(run_tags.c.tag == tag)))
    return query.order_by(_runs.run_at.desc(), _runs.id).limit(limit)


def results_of_run(connection: Connection, run: str) -> list[dict[str, Any]]:
    """The results of a run as PromptKitchen's server gives them, with `outcome` beside the status.

    What was skipped is not among them.
    """
    query = (
        select(_results.id, _results.test_case_id, _results.status, _results.actual_output, _results.details)
        .add_columns(_results.outcome)
        .where(_results.test_suite_run_id == run)
        .order_by(_results.test_case_id, _results.id)
    )
    return [
        {
            "id": id_,
            "testCaseId": case_id,
            "status": status,
            "output": output,
            **({} if details is None else {"details": json_value(details)}),
            "outcome": outcome or ("pass" if status == "PASS" else "fail"),
        }
        for id_, case_id, status, output, details, outcome in connection.execute(query)
    ]


def newly_failing(connection: Connection, run: str, since: str) -> list[NewlyFailing]:
    """The tests that passed in each repeat of the run `since`, and do not in this one.

    What says nothing about the agent counts in neither.
    """
    return [NewlyFailing(*row) for row in connection.execute(newly_failing_query(run, since))]


def newly_failing_query(run: str, since: str) -> Select[*tuple[Any, ...]]:
    """The statement of `newly_failing`."""
    now, before = _passes(run).subquery("now"), _passes(since).subquery("before")
    return (
        select(now.c.case, func.coalesce(test_cases.c.name, now.c.case), now.c.passed, now.c.total)
        .join(before, before.c.case == now.c.case)
        .join(test_cases, test_cases.c.id == now.c.case)
        .where(now.c.passed < now.c.total, before.c.passed == before.c.total)
        .order_by(now.c.case)
    )


def _passes(run: str) -> Select[*tuple[Any, ...]]:
    return (
        select(
            _results.test_case_id.label("case"),
            func.sum(_is("pass", _results.outcome)).label("passed"),
            func.count().label("total"),
        )
        .where(_results.test_suite_run_id == run, _results.counts)
        .group_by(_results.test_case_id)
    )


def flakiness(connection: Connection, case_id: str, *, limit: int = 50) -> list[RepeatCount]:
    """How often a test passed in each of its last runs, the latest first."""
    return [RepeatCount(*row) for row in connection.execute(flakiness_query(case_id, limit))]


def flakiness_query(case_id: str, limit: int = 50) -> Select[*tuple[Any, ...]]:
    """The statement of `flakiness`."""
    return (
        select(_runs.id, _runs.run_at, func.sum(_is("pass", _results.outcome)), func.count())
        .join(test_results, _results.test_suite_run_id == _runs.id)
        .where(_results.test_case_id == case_id, _results.counts)
        .group_by(_runs.id, _runs.run_at)
        .order_by(_runs.run_at.desc(), _runs.id)
        .limit(limit)
    )


def criterion_trend(
    connection: Connection, project: str, criterion: str, *, limit: int = 50
) -> list[CriterionPoint]:
    """How a criterion did in the last runs of a project, the latest first; runs that do not judge it too."""
    return [CriterionPoint(*row) for row in connection.execute(criterion_query(project, criterion, limit))]


def criterion_query(project: str, criterion: str, limit: int = 50) -> Select[*tuple[Any, ...]]:
    """The statement of `criterion_trend`."""
    latest = (
        select(_runs.id, _runs.run_at)
        .where(_runs.project_id == project)
        .order_by(_runs.run_at.desc(), _runs.id)
        .limit(limit)
        .subquery("latest")
    )
    passed, failed = _is("pass", _verdicts.outcome), _is("fail", _verdicts.outcome)
    return (
        select(
            latest.c.id,
            latest.c.run_at,
            func.sum(passed),
            func.sum(passed + failed),
            func.avg(_verdicts.score),
        )
        .join(verdicts, _verdicts.run_id == latest.c.id)
        .where(_verdicts.criterion == criterion, _verdicts.counted)
        .group_by(latest.c.id, latest.c.run_at)
        .order_by(latest.c.run_at.desc(), latest.c.id)
    )


def usage(connection: Connection, project: str, *, limit: int = 50) -> list[Usage]:
    """The tokens and the latency of the last runs of a project, the latest first."""
    return [Usage(*row) for row in connection.execute(usage_query(project, limit))]


def usage_query(project: str, limit: int = 50) -> Select[*tuple[Any, ...]]:
    """The statement of `usage`."""
    return (
        select(_runs.id, _runs.run_at, _runs.tokens, _runs.seconds_p50, _runs.seconds_p95)
        .where(_runs.project_id == project)
        .order_by(_runs.run_at.desc(), _runs.id)
        .limit(limit)
    )


def slowest(connection: Connection, run: str, *, limit: int = 20) -> list[SlowConversation]:
    """The conversations of a run with the slowest turns."""
    return [SlowConversation(*row) for row in connection.execute(slowest_query(run, limit))]


def slowest_query(run: str, limit: int = 20) -> Select[*tuple[Any, ...]]:
    """The statement of `slowest`."""
    return (
        select(_held.id, _held.key, _held.slowest_seconds)
        .where(_held.run_id == run, _held.slowest_seconds.is_not(None))
        .order_by(_held.slowest_seconds.desc())
        .limit(limit)
    )


def count_states(connection: Connection) -> dict[str, int]:
    """How many runs are in which state."""
    query = select(_runs.state, func.count()).group_by(_runs.state).order_by(_runs.state)
    return {str(state or "of another server"): int(number) for state, number in connection.execute(query)}


def waiting(connection: Connection, kept: Iterable[tuple[Path, str]]) -> list[tuple[Path, str]]:
    """Those of the runs, as folder and id, whose journal has what the database has not."""
    files = journal_files.c
    query = select(files.journal, files.bytes)
    found: list[tuple[Path, str]] = []
    for folder, run in kept:
        row = connection.execute(select(_runs.state, _runs.pruned_at).where(_runs.id == run)).first()
        sizes = {one.name: one.stat().st_size for one in folder.glob("*.jsonl")}
        read = {str(name): size for name, size in connection.execute(query.where(files.run_id == run))}
        if row is None or (row.pruned_at is None and (row.state == "RUNNING" or sizes != read)):
            found.append((folder, run))
    return found


def summary_of(connection: Connection, run: str) -> Any:
    """What a run came to, as the JSON of its report has it; None of one that goes on or is not there."""
    text = connection.execute(select(_runs.summary).where(_runs.id == run)).scalar()
    return None if text is None else json_value(text)


def experiment_of(connection: Connection, run: str) -> ExperimentResults | None:
    """The run as comparisons and gates take it, None where it is not there or its details were pruned."""
    heads: Sequence[Any] = heads_of(connection, run)
    if not heads:
        return None
    files = journal_files.c
    damaged = connection.execute(select(func.sum(files.damaged)).where(files.run_id == run)).scalar()
    done = connection.execute(select(_runs.done).where(_runs.id == run)).scalar()
    attempts = tuple(attempts_of(connection, run))
    return ExperimentResults(tuple(heads), attempts, damaged=int(damaged or 0), done=done, source=run)


def _is(outcome: str, column: Any) -> Any:
    """1 where the column says that, else 0."""
    return case((column == outcome, 1), else_=0)
