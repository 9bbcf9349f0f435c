"""Write the state and the summary of a run, once its rows are there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, func, select, update

from grice.experiments.aggregation.as_json import summary_json
from grice.experiments.aggregation.summary import Summary, summed
from grice.experiments.attempts import Attempt
from grice.running.journal.experiment import Experiment
from grice.running.journal.file_lock import Holder
from grice.running.journal.reading import heads_in_order
from grice.stats.percentiles import percentile
from grice.store.columns import json_text
from grice.store.journal_lines import session_name
from grice.store.prompts import version_used
from grice.store.result_rows import attempts_in
from grice.store.run_states import RunState, Standing, outcome_of_run, seed_status, standing_of
from grice.store.tables import (
    conversations,
    journal_files,
    run_heads,
    test_cases,
    test_results,
    test_suite_runs,
)

_AT_ONCE = 500


def settle(
    connection: Connection, run: str, writers: Sequence[Holder], *, done: int | None = None
) -> Standing:
    """Write the state of a run, and its summary when it has ended.

    `done` is how many results are of what was planned, where that cannot be counted from the rows.
    """
    heads = heads_of(connection, run)
    planned = heads[-1].planned if heads else None
    done = _done_count(connection, run, heads) if done is None else done
    standing = standing_of(writers, done, planned)
    values: dict[str, Any] = {
        "state": standing.state.value,
        "status": seed_status(standing.state),
        "error": standing.error or None,
        "planned": planned,
        "done": done,
        "outcome": None,
        "summary": None,
        "heard_at": datetime.now(UTC) if standing.state is RunState.RUNNING else None,
        **_counts(connection, run),
        **_prompt_used(connection, run, heads),
    }
    if standing.state is RunState.FINISHED:
        values["outcome"] = outcome_of_run(_outcomes(connection, run))
    if standing.state is not RunState.RUNNING:
        values |= _sums(summed(_attempts(connection, grouped_attempts_query(run)), grouped=True), heads)
    connection.execute(update(test_suite_runs).where(test_suite_runs.c.id == run).values(values))
    return standing


def heads_of(connection: Connection, run: str) -> tuple[Experiment, ...]:
    """The heads of the run as its journal gives them, the earliest first."""
    heads = run_heads.c
    rows = connection.execute(
        select(heads.journal, heads.head).where(heads.run_id == run).order_by(heads.journal, heads.line)
    )
    decoder = msgspec.json.Decoder(Experiment)
    return heads_in_order((str(journal), decoder.decode(head)) for journal, head in rows)


def attempts_of(connection: Connection, run: str) -> Iterator[Attempt]:
    """The results of the run that count, as numbers, in the order in which workers finished them."""
    held = conversations.c
    query = select(held.attempt).where(held.run_id == run).order_by(held.journal, held.line)
    return _attempts(connection, query)


def grouped_attempts_query(run: str) -> Select[tuple[Any]]:
    """The attempts of the run, those of a scenario one after another."""
    held = conversations.c
    return select(held.attempt).where(held.run_id == run).order_by(held.stable_id, held.repeat)


def _attempts(connection: Connection, query: Select[tuple[Any]]) -> Iterator[Attempt]:
    return attempts_in(connection.execute(query, execution_options={"yield_per": _AT_ONCE}).scalars())


def _done_count(connection: Connection, run: str, heads: Sequence[Experiment]) -> int:
    """How many results are of what the latest head plans; each line of the journal has one of its own."""
    if not heads:
        return 0
    files, held = journal_files.c, conversations.c
    since = select(func.coalesce(func.sum(files.results), 0)).where(
        files.run_id == run, files.session == session_name(heads[-1])
    )
    number = select(func.count()).select_from(conversations).where(held.run_id == run)
    return min(
        heads[-1].finished_before + int(connection.execute(since).scalar_one()),
        int(connection.execute(number).scalar_one()),
    )


def _counts(connection: Connection, run: str) -> dict[str, Any]:
    """The percentage of results that passed, and the suite where all of them are of one."""
    results, cases = test_results.c, test_cases.c
    of_run = results.test_suite_run_id == run
    counted = select(results.status, func.count()).where(of_run).group_by(results.status)
    ran = {str(status): int(number) for status, number in connection.execute(counted)}
    number = sum(ran.values())
    suites = connection.execute(
        select(cases.test_suite_id)
        .join(test_results, results.test_case_id == cases.id)
        .where(of_run)
        .distinct()
        .limit(2)
    ).scalars()
    found = list(suites)
    percentage = 100 * ran.get("PASS", 0) / number if number else 0.0
    return {"pass_percentage": percentage, **({"test_suite_id": found[0]} if len(found) == 1 else {})}


def _prompt_used(connection: Connection, run: str, heads: Sequence[Experiment]) -> dict[str, Any]:
    """The version of the prompt that the run tests; {} where it tests none."""
    if not any(head.prompt_files for head in heads):
        return {}
    runs = test_suite_runs.c
    row = connection.execute(select(runs.project_id, runs.run_at).where(runs.id == run)).one()
    return {"prompt_history_id": version_used(connection, row.project_id, run, heads, row.run_at)}


def _outcomes(connection: Connection, run: str) -> list[str]:
    held = conversations.c
    return list(connection.execute(select(held.outcome).where(held.run_id == run).distinct()).scalars())


def _sums(summary: Summary, heads: Sequence[Experiment]) -> dict[str, Any]:
    spent = summary.efficiency
    seconds = spent.latencies
    return {
        "summary": json_text(summary_json(summary, heads[-1])) if heads else None,
        "tokens": sum(spent.tokens) if spent.tokens else None,
        "seconds_p50": percentile(seconds, 50) if seconds else None,
        "seconds_p95": percentile(seconds, 95) if seconds else None,
    }
