"""The queries of reports and pages. Each has an index, see `tables.INDEXES`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, and_, case, func, or_, select

from grice.experiments.results import ExperimentResults
from grice.store.columns import json_value
from grice.store.run_outcomes import attempts_of, heads_of
from grice.store.run_states import RunState
from grice.store.tables import (
    conversations,
    findings,
    journal_files,
    run_tags,
    test_cases,
    test_results,
    test_suite_runs,
    verdicts,
)
from grice.user_files import open_file

_runs, _results, _held, _verdicts = test_suite_runs.c, test_results.c, conversations.c, verdicts.c


class RunRow(NamedTuple):
    """A run in a list. `pass_percentage` is over all results that were not skipped."""

    id: str
    run_at: datetime
    name: str
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
    pruned_at: datetime | None


class ResultPage(NamedTuple):
    """Some results of a run in the form of PromptKitchen's server, and where the next ones begin.

    `after` is None where these are the last.
    """

    results: list[dict[str, Any]]
    after: tuple[str, str] | None


class ConversationRow(NamedTuple):
    """A conversation of a run: its outcome, the record and the checks as JSON, its findings."""

    id: str
    key: str
    name: str
    repeat: int
    outcome: str
    failure: str
    termination: str | None
    turns: int
    tokens: int | None
    why: str
    record: Any
    details: Any
    findings: list[dict[str, Any]]


class LastReply(NamedTuple):
    """The last reply of a case: of which run and conversation, its text, its payload where it has one."""

    run: str
    conversation: str
    text: str
    data: Any


class MatcherUse(NamedTuple):
    """How often a matcher judged in some runs, in how many of them, and what it said."""

    matcher: str
    uses: int
    runs: int
    outcomes: dict[str, int]


class NewlyFailing(NamedTuple):
    """A test that newly fails: its case, its name, how many repeats it has, the first one's result."""

    case: str
    name: str
    total: int
    result: str


class Usage(NamedTuple):
    """What a run took: tokens in all, seconds a turn."""

    run: str
    run_at: datetime
    tokens: int | None
    seconds_p50: float | None
    seconds_p95: float | None


class UnreadJournals(NamedTuple):
    """The runs whose journals have more than the database, and the files that end in a torn line."""

    runs: list[str]
    torn: list[Path]


def runs(
    connection: Connection,
    project: str,
    *,
    name: str = "",
    branch: str = "",
    tag: str = "",
    state: str = "",
    outcome: str = "",
    since: datetime | None = None,
    after: tuple[datetime, str] | None = None,
    limit: int = 50,
) -> list[RunRow]:
    """The runs of a project that meet every given condition, the latest first.

    `after` is the moment and the id of a run, behind which the list goes on.
    """
    query = runs_query(project, name, branch, tag, state, outcome, since, after, limit)
    return [RunRow(*row) for row in connection.execute(query)]


def runs_query(
    project: str,
    name: str = "",
    branch: str = "",
    tag: str = "",
    state: str = "",
    outcome: str = "",
    since: datetime | None = None,
    after: tuple[datetime, str] | None = None,
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
    if outcome:
        query = query.where(_runs.outcome == outcome)
    if since is not None:
        query = query.where(_runs.run_at >= since)
    if after is not None:
        moment, id_ = after
        query = query.where(or_(_runs.run_at < moment, and_(_runs.run_at == moment, _runs.id > id_)))
    if tag:
        query = query.where(_runs.id.in_(select(run_tags.c.run_id).where(run_tags.c.tag == tag)))
    return query.order_by(_runs.run_at.desc(), _runs.id).limit(limit)


def run_of(connection: Connection, project: str, run: str) -> RunRow | None:
    """The run of a project; None where it has none of that id."""
    columns = (_runs[field] for field in RunRow._fields)
    query = select(*columns).where(_runs.id == run, _runs.project_id == project)
    row = connection.execute(query).first()
    return None if row is None else RunRow(*row)


class RunNames(NamedTuple):
    """The names, branches and tags of the last runs."""

    names: list[str]
    branches: list[str]
    tags: list[str]


def names_of_runs(connection: Connection, project: str, *, limit: int = 500) -> RunNames:
    """The names, branches and tags of the last runs, for filters."""
    query = select(_runs.id, _runs.name, _runs.git_branch).where(_runs.project_id == project)
    rows = connection.execute(query.order_by(_runs.run_at.desc(), _runs.id).limit(limit)).all()
    tags = tags_of(connection, [row.id for row in rows])
    return RunNames(
        sorted({row.name for row in rows if row.name}),
        sorted({row.git_branch for row in rows if row.git_branch}),
        sorted({tag for some in tags.values() for tag in some}),
    )


def tags_of(connection: Connection, of_runs: Sequence[str]) -> dict[str, list[str]]:
    """The tags of runs, by run."""
    query = select(run_tags.c.run_id, run_tags.c.tag).where(run_tags.c.run_id.in_(of_runs))
    found: dict[str, list[str]] = {}
    for run, tag in connection.execute(query.order_by(run_tags.c.tag)):
        found.setdefault(run, []).append(tag)
    return found


def results_of_run(
    connection: Connection,
    run: str,
    *,
    outcome: str = "",
    after: tuple[str, str] | None = None,
    limit: int = 1_000,
    most: int = 8_000_000,
) -> ResultPage:
    """The results of a run in the order of their cases, with `outcome` beside the status.

    What was skipped is not among them. There are at most `limit`, and of about `most` characters; `after` is
    what the page before gave.
    """
    query = results_query(run, outcome, after, limit + 1)
    found: list[dict[str, Any]] = []
    size = 0
    with connection.execute(query, execution_options={"yield_per": 100}) as rows:
        for id_, case_id, status, output, details, outcome_ in rows:
            size += len(output or "") + len(details or "")
            if len(found) == limit or (found and size > most):
                return ResultPage(found, (found[-1]["testCaseId"], found[-1]["id"]))
            told = outcome_ or ("pass" if status == "PASS" else "fail")
            result = {"id": id_, "testCaseId": case_id, "status": status, "output": output, "outcome": told}
            found.append(result if details is None else {**result, "details": json_value(details)})
    return ResultPage(found, None)


def results_query(
    run: str, outcome: str = "", after: tuple[str, str] | None = None, limit: int = 1_000
) -> Select[*tuple[Any, ...]]:
    """The statement of `results_of_run`."""
    query = (
        select(_results.id, _results.test_case_id, _results.status, _results.actual_output, _results.details)
        .add_columns(_results.outcome)
        .where(_results.test_suite_run_id == run)
    )
    if outcome:
        query = query.where(_results.outcome == outcome)
    if after is not None:
        case_id, id_ = after
        query = query.where(
            or_(_results.test_case_id > case_id, and_(_results.test_case_id == case_id, _results.id > id_))
        )
    return query.order_by(_results.test_case_id, _results.id).limit(limit)


def case_of(connection: Connection, result: str) -> str:
    """The id of the case of a result; "" where there is no such result."""
    found = connection.execute(select(_results.test_case_id).where(_results.id == result)).scalar()
    return found or ""


def conversation_of(connection: Connection, run: str, id_: str) -> ConversationRow | None:
    """A conversation of a run, None where it is not there."""
    columns = (_held.id, _held.key, _held.name, _held.repeat, _held.outcome, _held.failure, _held.termination)
    query = (
        select(*columns, _held.turns, _held.tokens, _results.why, _held.record, _results.details)
        .outerjoin(test_results, _results.id == _held.id)
        .where(_held.id == id_, _held.run_id == run)
    )
    row = connection.execute(query).first()
    if row is None:
        return None
    made = findings.c
    found = connection.execute(
        select(made.label, made.turn, made.reason, made.quote)
        .where(made.conversation_id == id_)
        .order_by(made.number)
    )
    told = {
        **row._mapping,
        "why": row.why or "",
        "record": json_value(row.record),
        "details": [] if row.details is None else json_value(row.details),
        "findings": [dict(one) for one in found.mappings()],
    }
    return ConversationRow(**told)


def last_reply(connection: Connection, project: str, case_id: str) -> LastReply | None:
    """The last reply in the latest result of a case; None where there is none."""
    row = connection.execute(last_reply_query(project, case_id)).first()
    if row is None:
        return None
    record: Any = {} if row.record is None else json_value(row.record)
    turns = record.get("turns") or [{}]
    return LastReply(row.run, row.conversation, row.actual_output, turns[-1].get("data"))


def last_reply_query(project: str, case_id: str) -> Select[*tuple[Any, ...]]:
    """The statement of `last_reply`."""
    return (
        select(_runs.id.label("run"), _held.id.label("conversation"), _results.actual_output, _held.record)
        .join(test_results, _results.test_suite_run_id == _runs.id)
        .join(conversations, _held.id == _results.id)
        .where(
            _runs.project_id == project, _results.test_case_id == case_id, _results.counts, _held.turns > 0
        )
        .order_by(_runs.run_at.desc(), _runs.id, _held.repeat.desc())
        .limit(1)
    )


def matcher_usage(connection: Connection, project: str, *, limit: int = 50) -> list[MatcherUse]:
    """How often each matcher judged in the last runs of a project, the most used first."""
    found: dict[str, dict[str, int]] = {}
    in_runs: dict[str, set[str]] = {}
    for matcher, run, outcome, number in connection.execute(matcher_usage_query(project, limit)):
        outcomes = found.setdefault(matcher, {})
        outcomes[outcome] = outcomes.get(outcome, 0) + number
        in_runs.setdefault(matcher, set()).add(run)
    uses = [
        MatcherUse(name, sum(outcomes.values()), len(in_runs[name]), outcomes)
        for name, outcomes in found.items()
    ]
    return sorted(uses, key=lambda one: (-one.uses, one.matcher))


def matcher_usage_query(project: str, limit: int = 50) -> Select[*tuple[Any, ...]]:
    """The statement of `matcher_usage`."""
    latest = (
        select(_runs.id)
        .where(_runs.project_id == project)
        .order_by(_runs.run_at.desc(), _runs.id)
        .limit(limit)
        .subquery("latest")
    )
    return (
        select(_verdicts.matcher, latest.c.id, _verdicts.outcome, func.count())
        .select_from(latest)
        .join(conversations, _held.run_id == latest.c.id)
        .join(verdicts, _verdicts.conversation_id == _held.id)
        .where(_verdicts.matcher != "")
        .group_by(_verdicts.matcher, latest.c.id, _verdicts.outcome)
    )


def newly_failing(connection: Connection, run: str, since: str) -> list[NewlyFailing]:
    """The tests that passed in each repeat of the run `since`, and in none of this one.

    What says nothing about the agent counts in neither.
    """
    return [NewlyFailing(*row) for row in connection.execute(newly_failing_query(run, since))]


def newly_failing_query(run: str, since: str) -> Select[*tuple[Any, ...]]:
    """The statement of `newly_failing`."""
    now, before = _passes(run).subquery("now"), _passes(since).subquery("before")
    return (
        select(now.c.case, func.coalesce(test_cases.c.name, now.c.case), now.c.total, now.c.first)
        .join(before, before.c.case == now.c.case)
        .join(test_cases, test_cases.c.id == now.c.case)
        .where(now.c.passed == 0, before.c.passed == before.c.total)
        .order_by(now.c.case)
    )


def _passes(run: str) -> Select[*tuple[Any, ...]]:
    return (
        select(
            _results.test_case_id.label("case"),
            func.sum(_is("pass", _results.outcome)).label("passed"),
            func.count().label("total"),
            func.min(_results.id).label("first"),
        )
        .where(_results.test_suite_run_id == run, _results.counts, _results.outcome != "skipped")
        .group_by(_results.test_case_id)
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


def count_states(connection: Connection) -> dict[str, int]:
    """How many runs are in which state."""
    query = select(_runs.state, func.count()).group_by(_runs.state).order_by(_runs.state)
    return {str(state or "of another server"): int(number) for state, number in connection.execute(query)}


def unread_journals(connection: Connection, kept: Iterable[tuple[Path, str]]) -> UnreadJournals:
    """Find what the journals of these runs, given as folder and id, have beyond the database."""
    files = journal_files.c
    query = select(files.journal, files.bytes)
    to_read: list[str] = []
    torn: list[Path] = []
    for folder, run in kept:
        row = connection.execute(select(_runs.state, _runs.pruned_at).where(_runs.id == run)).first()
        if row is not None and row.pruned_at is not None:
            continue
        read = {
            folder / str(name): size for name, size in connection.execute(query.where(files.run_id == run))
        }
        sizes = {one: one.stat().st_size for one in sorted(folder.glob("*.jsonl"))}
        longer = [one for one, size in sizes.items() if size > read.get(one, 0)]
        cut = [one for one in longer if not _has_line(one, read.get(one, 0))]
        torn += cut
        goes_on = row is None or row.state == RunState.RUNNING.value
        if goes_on or len(longer) > len(cut) or any(sizes.get(one, -1) < size for one, size in read.items()):
            to_read.append(run)
    return UnreadJournals(to_read, torn)


def _has_line(file: Path, start: int) -> bool:
    """Whether a whole line stands behind that many bytes; a torn one is left for when its rest is there."""
    with open_file(file) as stream:
        stream.seek(start)
        return stream.readline().endswith(b"\n")


def summary_of(connection: Connection, run: str) -> Any:
    """The summary of a finished run, as the JSON of its report has it; None of any other."""
    text = summary_text(connection, run)
    return None if text is None else json_value(text)


def summary_text(connection: Connection, run: str) -> str | None:
    """The same summary as JSON text."""
    text: str | None = connection.execute(select(_runs.summary).where(_runs.id == run)).scalar()
    return text


def experiment_of(connection: Connection, run: str) -> ExperimentResults | None:
    """The run in the form of comparisons and gates; None where it is not there or its details were pruned."""
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
