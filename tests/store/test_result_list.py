"""The results of a run as pages list them: order, filters, pages, and an index for each filter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, Engine

from grice.records import Outcome
from grice.records.conversation import Simulation
from grice.running.journal.writing import Journal
from grice.store.database import read_only
from grice.store.result_list import (
    ResultFilter,
    count_outcomes,
    list_results,
    listed_query,
    neighbours,
    passes_in,
    personas_in,
    place_of,
    run_before,
)
from grice.store.syncing import sync_folder
from journals import head, result, write_run


@pytest.fixture
def connection(engine: Engine, tmp_path: Path) -> Iterator[Connection]:
    """Three runs; in the last one a persona is played, and one reply is another."""
    write_run(tmp_path, "exp_1", "+++-s", day=1)
    write_run(tmp_path, "exp_other", ["+"], day=2, said="x")
    with Journal.create(tmp_path / "exp_2", head("exp_2", day=3, planned=4), worker="main") as journal:
        for number, outcome in enumerate((Outcome.PASS, Outcome.FAIL, Outcome.ERROR, Outcome.FAIL)):
            one = result(number, outcome, said='It is "90", Straße.' if number == 3 else "It is 90.")
            played = Simulation(1, 1, "goal_reached", persona="hurried" if number else "")
            held = msgspec.structs.replace(one.conversation, simulations=(played,))
            journal.append(msgspec.structs.replace(one, conversation=held))
    assert all(not one.problem for one in sync_folder(engine, tmp_path, "bot"))
    with read_only(engine) as connection:
        yield connection


def keys(connection: Connection, run: str = "exp_2", **wanted: Any) -> list[str]:
    return [one.key for one in list_results(connection, run, ResultFilter(**wanted)).results]


def test_the_worst_come_first(connection: Connection) -> None:
    assert keys(connection) == ["s1", "s3", "s2", "s0"]
    assert keys(connection, "exp_1") == ["s3", "s0", "s1", "s2", "s4"]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"outcome": "fail"}, ["s1", "s3"]),
        ({"failure": "none"}, ["s1", "s3", "s2", "s0"]),
        ({"failure": "timeout"}, []),
        ({"criterion": "friendly"}, []),
        ({"matcher": "toContain"}, ["s1", "s3", "s2"]),
        ({"topic": "prices"}, ["s1", "s3", "s2", "s0"]),
        ({"topic": "rooms"}, []),
        ({"persona": "hurried", "outcome": "error"}, ["s2"]),
        ({"slower": 2.5}, ["s3", "s2"]),
        ({"words": "STRASSE it"}, ["s3"]),
        ({"words": '"90"'}, ["s3"]),
        ({"words": "messages"}, []),  # a name in the JSON, and not said
        ({"words": "s2 cost"}, ["s2"]),
    ],
)
def test_results_are_filtered(connection: Connection, wanted: dict[str, Any], found: list[str]) -> None:
    assert keys(connection, **wanted) == found


@pytest.mark.parametrize("words", ["", "cost"])
def test_pages_follow_each_other(connection: Connection, words: str) -> None:
    found, after = [], None
    for _ in range(10):
        page = list_results(connection, "exp_2", ResultFilter(words=words), after=after, limit=1)
        found += [one.key for one in page.results]
        after = page.after
        if after is None:
            break
    assert found == ["s1", "s3", "s2", "s0"]


def test_a_search_that_takes_long_goes_on_where_it_was(connection: Connection) -> None:
    wanted = ResultFilter(words="straße")
    first = list_results(connection, "exp_2", wanted, seconds=0)
    assert (first.results, first.searched) == ([], 1)
    second = list_results(connection, "exp_2", wanted, after=first.after, seconds=0)
    assert [one.key for one in second.results] == ["s3"]


def test_what_pages_ask_besides(connection: Connection) -> None:
    assert count_outcomes(connection, "exp_2") == {"fail": 2, "error": 1, "pass": 1}
    assert personas_in(connection, "exp_2") == ["hurried"]
    assert neighbours(connection, "exp_2", "fail", "exp_2/main/000000003") == ("", "exp_2/main/000000005")
    place = place_of(connection, "exp_2", "exp_2/main/000000003")
    assert place is not None
    assert (place.journal, place.line, place.outcome) == ("main.jsonl", 3, "fail")
    assert place_of(connection, "exp_1", "exp_2/main/000000003") is None
    assert passes_in(connection, "exp_1")["example:000000000003"] == [False]


def test_the_run_before_has_tests_in_common(connection: Connection) -> None:
    assert run_before(connection, "bot", "exp_2") == "exp_other"
    assert run_before(connection, "bot", "exp_1") == ""


PLANS = [
    (ResultFilter(), "conversations_of_outcome"),
    (ResultFilter(failure="assertion"), "conversations_of_failure"),
    (ResultFilter(persona="hurried"), "conversations_of_persona"),
    (ResultFilter(criterion="friendly"), "verdicts_of_criterion"),
    (ResultFilter(matcher="toContain"), "verdicts_of_matcher"),
    (ResultFilter(topic="prices"), "visits_of_topic"),
]


@pytest.mark.parametrize(("wanted", "index"), PLANS, ids=lambda one: one if isinstance(one, str) else "")
def test_each_filter_reads_an_index(
    connection: Connection, engine: Engine, wanted: ResultFilter, index: str
) -> None:
    if engine.dialect.name != "sqlite":
        pytest.skip("PostgreSQL chooses by how many rows there are")
    query = listed_query("exp_2", "fail", wanted).compile(engine, compile_kwargs={"literal_binds": True})
    plan = [str(row[-1]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}")]
    assert any(index in line for line in plan), plan
    assert not [line for line in plan if line.startswith("SCAN") and "INDEX" not in line], plan
