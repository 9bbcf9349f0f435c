"""What reports and pages ask: the answers, and an index for each question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, Select, event
from sqlalchemy.sql.elements import ClauseElement

from grice.store import queries, result_list
from grice.store.database import open_database, read_only
from grice.store.labels import answers_on_scan, labels_of_scan, labels_query
from grice.store.migrating import upgrade
from grice.store.run_outcomes import grouped_attempts_query
from grice.store.syncing import sync_folder
from journals import write_run

CASE = "bot/example:000000000000"


@pytest.fixture
def connection(engine: Engine, tmp_path: Path) -> Iterator[Connection]:
    """A project with three runs."""
    write_run(tmp_path, "exp_1", "+++-s", day=1, tags=("nightly",))
    write_run(tmp_path, "exp_2", "+-+?s", day=2, git_branch="topic", name="other")
    write_run(tmp_path, "exp_3", "-+!-+", day=3, planned=9)
    assert all(not one.problem for one in sync_folder(engine, tmp_path, "bot"))
    with read_only(engine) as connection:
        yield connection


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        ({}, ["exp_3", "exp_2", "exp_1"]),
        ({"limit": 1}, ["exp_3"]),
        ({"branch": "main"}, ["exp_3", "exp_1"]),
        ({"name": "other"}, ["exp_2"]),
        ({"tag": "nightly"}, ["exp_1"]),
        ({"state": "CANCELLED"}, ["exp_3"]),
        ({"outcome": "fail"}, ["exp_2", "exp_1"]),
        ({"after": (datetime(2026, 11, 2, 10, tzinfo=UTC), "exp_2")}, ["exp_1"]),
        ({"since": datetime(2026, 11, 2, tzinfo=UTC)}, ["exp_3", "exp_2"]),
    ],
)
def test_runs_are_filtered(connection: Connection, given: dict[str, Any], ids: list[str]) -> None:
    assert [one.id for one in queries.runs(connection, "bot", **given)] == ids
    assert queries.runs(connection, "another") == []


def test_what_newly_fails_since_a_run(connection: Connection) -> None:
    assert [one.name for one in queries.newly_failing(connection, "exp_2", "exp_1")] == ["s1"]
    assert queries.newly_failing(connection, "exp_3", "exp_1") == [
        (CASE, "s0", 1, "exp_3/main/000000002"),
        ("bot/example:000000000002", "s2", 1, "exp_3/main/000000004"),
    ]


def test_what_runs_took(connection: Connection) -> None:
    found = queries.usage(connection, "bot", limit=1)
    assert [(one.run, one.tokens, one.seconds_p50, one.seconds_p95) for one in found] == [
        ("exp_3", None, 2.5, 4.5)
    ]


def test_results_come_in_pages(connection: Connection) -> None:
    whole = queries.results_of_run(connection, "exp_1")
    assert (len(whole.results), whole.after) == (4, None)
    first = queries.results_of_run(connection, "exp_1", limit=3)
    second = queries.results_of_run(connection, "exp_1", limit=3, after=first.after)
    assert ([*first.results, *second.results], second.after) == (whole.results, None)
    assert len(queries.results_of_run(connection, "exp_1", most=1).results) == 1
    (failed,) = queries.results_of_run(connection, "exp_1", outcome="fail").results
    assert failed["outcome"] == "fail"


def test_a_conversation_with_its_checks(connection: Connection) -> None:
    id_ = queries.results_of_run(connection, "exp_1", outcome="fail").results[0]["id"]
    found = queries.conversation_of(connection, "exp_1", id_)
    assert found is not None
    assert (found.key, found.outcome, found.record["turns"][0]["number"]) == ("s3", "fail", 1)
    assert [one["label"] for one in found.findings] == ["toContain"]
    assert queries.conversation_of(connection, "exp_2", id_) is None


def test_the_last_reply_of_a_case(connection: Connection) -> None:
    found = queries.last_reply(connection, "bot", CASE)
    assert found is not None
    assert (found.run, found.conversation.startswith("exp_3/"), found.text != "", found.data) == (
        "exp_3",
        True,
        True,
        None,
    )
    assert queries.last_reply(connection, "another", CASE) is None
    assert queries.last_reply(connection, "bot", "bot/none") is None


def test_how_often_matchers_judged(connection: Connection) -> None:
    found = {one.matcher: one for one in queries.matcher_usage(connection, "bot")}
    assert (found["toContain"].runs, found["toContain"].uses) == (3, 13)
    assert found["toContain"].outcomes == {"pass": 7, "fail": 4, "inconclusive": 1, "error": 1}
    assert queries.matcher_usage(connection, "another") == []


def test_states_and_summaries(connection: Connection) -> None:
    assert queries.count_states(connection) == {"CANCELLED": 1, "FINISHED": 2}
    assert queries.summary_of(connection, "exp_1")["summary"]["passed"] == 3
    assert queries.summary_of(connection, "exp_9") is None
    assert queries.experiment_of(connection, "exp_9") is None


PLANS: list[tuple[Select[Any], set[str]]] = [
    (queries.runs_query("bot"), {"runs_of_project"}),
    (queries.runs_query("bot", branch="main"), {"runs_of_branch"}),
    (queries.runs_query("bot", name="rooms"), {"runs_of_name"}),
    (queries.runs_query("bot", tag="nightly"), {"runs_of_tag"}),
    (queries.newly_failing_query("exp_2", "exp_1"), {"results_of_run"}),
    (queries.last_reply_query("bot", CASE), {"results_of_case"}),
    (queries.usage_query("bot"), {"runs_of_project"}),
    (queries.runs_query("bot", after=(datetime(2026, 11, 2, tzinfo=UTC), "exp_2")), {"runs_of_project"}),
    (queries.results_query("exp_1"), {"results_of_run"}),
    (queries.results_query("exp_1", outcome="fail", after=("a", "b")), {"results_of_run"}),
    (queries.matcher_usage_query("bot"), {"runs_of_project"}),
    (labels_query("bot", conversation="exp_1/main/000000002"), {"labels_of_conversation"}),
    (grouped_attempts_query("exp_1"), {"conversation_in_run"}),
]


@pytest.mark.parametrize(
    ("query", "indexes"), PLANS, ids=lambda one: "-".join(sorted(one)) if isinstance(one, set) else ""
)
def test_each_question_has_its_index(
    connection: Connection, engine: Engine, query: ClauseElement, indexes: set[str]
) -> None:
    asked = str(query.compile(engine, compile_kwargs={"literal_binds": True}))
    if engine.dialect.name == "postgresql":  # which would read all of so few rows
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
    how = "EXPLAIN QUERY PLAN" if engine.dialect.name == "sqlite" else "EXPLAIN"
    plan = [str(row[-1]) for row in connection.exec_driver_sql(f"{how} {asked}")]
    for index in indexes:
        assert any(index in line for line in plan), "\n".join(plan)
    tables = ("SCAN test_suite_runs", "SCAN test_results", "SCAN verdicts", "SCAN conversations", "Seq Scan")
    assert not [line for line in plan if line.strip().startswith(tables) and "INDEX" not in line], plan


@pytest.mark.slow
def test_the_labels_of_a_scan_have_their_index_however_a_database_sorts(server: str) -> None:
    plain = open_database(server)
    with plain.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("DROP DATABASE IF EXISTS dutch")
        connection.exec_driver_sql(
            "CREATE DATABASE dutch TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'nl'"
        )
    plain.dispose()
    engine = open_database(server.replace("/postgres?", "/dutch?"))
    upgrade(engine)
    asked: list[tuple[str, Any]] = []
    event.listen(
        engine, "before_cursor_execute", lambda _c, _u, text, given, _x, _m: asked.append((text, given))
    )
    with engine.connect() as connection:
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        answers_on_scan(connection, "scan_0123456789ab")
        text, given = asked[-1]
        plan = [str(row[-1]) for row in connection.exec_driver_sql(f"EXPLAIN {text}", given)]
    engine.dispose()
    assert any("Index Cond" in line and "scan_0123456789ab/" in line for line in plan), "\n".join(plan)


ASKED: dict[str, Callable[[Connection], object]] = {
    "names of runs": lambda one: queries.names_of_runs(one, "bot"),
    "tags": lambda one: queries.tags_of(one, ["exp_1", "exp_2"]),
    "outcomes": lambda one: result_list.count_outcomes(one, "exp_1"),
    "personas": lambda one: result_list.personas_in(one, "exp_1"),
    "a result": lambda one: result_list.place_of(one, "exp_1", "exp_1/main/000000002"),
    "neighbours": lambda one: result_list.neighbours(one, "exp_1", "pass", "exp_1/main/000000002"),
    "passes": lambda one: result_list.passes_in(one, "exp_1"),
    "a conversation": lambda one: queries.conversation_of(one, "exp_1", "exp_1/main/000000002"),
    "a run": lambda one: queries.experiment_of(one, "exp_1"),
    "answers on a scan": lambda one: answers_on_scan(one, "scan_0123456789ab"),
    "labels of a scan": lambda one: labels_of_scan(one, "scan_0123456789ab", limit=50),
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_what_pages_ask_reads_no_whole_table(
    connection: Connection, engine: Engine, ask: Callable[[Connection], object]
) -> None:
    if engine.dialect.name != "sqlite":
        pytest.skip("PostgreSQL reads all of so few rows")
    asked: list[tuple[str, Any]] = []
    event.listen(
        engine, "before_cursor_execute", lambda _c, _u, text, given, _x, _m: asked.append((text, given))
    )
    ask(connection)
    assert asked
    for text, given in tuple(asked):
        plan = [str(row[-1]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", given)]
        assert not [line for line in plan if line.startswith("SCAN") and "INDEX" not in line], (text, plan)
