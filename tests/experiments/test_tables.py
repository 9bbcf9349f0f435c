"""Tables of an experiment: every row has every column, and the sums are those of the summary."""

import re
import sys
from pathlib import Path
from typing import get_args

import pytest

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.results import ExperimentResults
from grice.experiments.tables import TABLES, TableName
from grice.records import Outcome, TopicVisit
from grice.running.journal.experiment import Experiment

ATTEMPTS = (
    Attempt(
        "example:1",
        "red",
        Outcome.PASS,
        name="The Red Room",
        set_name="rooms",
        turns=3,
        visits=(
            TopicVisit(1, "asking", 1, 1),
            TopicVisit(2, "offering", 2, 2),
            TopicVisit(3, "asking", 3, 3),
        ),
        checks=(
            CheckTally("toSatisfy", "soft", "pass", 2, "friendly"),
            CheckTally("toSatisfy", "soft", "fail", 1, "friendly"),
            CheckTally("toContain", "hard", "pass", 2, layer=1),
        ),
        scores={"friendly": (4.0, 5.0)},
        latencies=(1.0, 2.0),
        tokens=(10, 20),
    ),
    Attempt(
        "example:1", "red", Outcome.FAIL, failure="assertion", why="no", repeat=2, set_name="rooms", turns=5
    ),
    Attempt(
        "example:2",
        "blue",
        Outcome.ERROR,
        counts=False,
        failure="error",
        why="judge down",
        checks=(CheckTally("toSatisfy", "soft", "error", 1, "friendly"),),
    ),
)


@pytest.fixture
def results() -> ExperimentResults:
    return ExperimentResults((Experiment("exp_1", "2026-01-02T00:00:00.000Z", "v1"),), ATTEMPTS)


@pytest.mark.parametrize("name", get_args(TableName))
def test_every_row_has_every_column_in_order(results: ExperimentResults, name: TableName) -> None:
    rows = results.table(name)
    assert rows
    for row in rows:
        assert list(row) == [column.name for column in TABLES[name]]
        assert (row["experiment"], row["experiment_name"]) == ("exp_1", "v1")


TYPES = {"text": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)}


@pytest.mark.parametrize("name", get_args(TableName))
def test_values_have_the_type_of_their_column(results: ExperimentResults, name: TableName) -> None:
    for row in results.table(name):
        for column in TABLES[name]:
            value = row[column.name]
            assert value is None or type(value) in TYPES[column.type], (column, value)


def test_attempts(results: ExperimentResults) -> None:
    first, second, third = results.table("attempts")
    assert (first["topics"], first["topics_visited"]) == (2, "asking > offering > asking")
    assert (first["soft_passed"], first["soft_evaluated"]) == (2, 3)
    assert (first["hard_passed"], first["hard_evaluated"], first["unanswered"]) == (2, 2, 0)
    assert (first["seconds_per_turn"], first["tokens"]) == (1.5, 30)
    assert first["failure_type"] is None
    assert (second["repeat"], second["failure_type"], second["failure_message"]) == (2, "assertion", "no")
    assert (second["topics"], second["seconds_per_turn"], second["tokens"]) == (None, None, None)
    assert (third["counts"], third["unanswered"]) == (False, 1)


def test_scenarios(results: ExperimentResults) -> None:
    blue, red = results.table("scenarios")
    assert (red["attempts"], red["passed"], red["completion_rate"], red["avg_turns"]) == (2, 1, 0.5, 4.0)
    assert red["evaluation_rate"] == pytest.approx(2 / 3)
    assert (blue["attempts"], blue["completion_rate"], blue["not_counted"]) == (0, None, 1)


def test_criteria(results: ExperimentResults) -> None:
    (friendly,) = results.table("criteria")
    assert friendly["rate"] == results.criteria_results["friendly"] == pytest.approx(2 / 3)
    assert (friendly["passed"], friendly["evaluated"], friendly["avg_score"]) == (2, 3, 4.5)


def test_checks(results: ExperimentResults) -> None:
    rows = results.table("checks")
    assert [(row["id"], row["mode"], row["outcome"], row["times"]) for row in rows] == [
        ("red", "soft", "pass", 2),
        ("red", "soft", "fail", 1),
        ("red", "hard", "pass", 2),
        ("blue", "soft", "error", 1),
    ]
    assert [row["layer"] for row in rows] == [None, None, 1, None]


def test_sums_of_attempts_are_those_of_the_results(results: ExperimentResults) -> None:
    counted = [row for row in results.table("attempts") if row["counts"]]
    assert sum(row["passed"] for row in counted) / len(counted) == results.completion_rate == 0.5
    soft = sum(row["soft_passed"] for row in counted) / sum(row["soft_evaluated"] for row in counted)
    assert soft == results.evaluation_rate


def test_efficiency(results: ExperimentResults) -> None:
    assert results.efficiency_metrics == {
        "avg_turns": 4.0,
        "median_turns": 4.0,
        "avg_topics": 2,
        "median_topics": 2,
        "backtracking_rate": 1.0,
    }


def test_the_docs_name_every_column() -> None:
    page = (Path(__file__).parents[2] / "docs" / "results-in-python.md").read_text(encoding="utf-8")
    for name, columns in TABLES.items():
        (row,) = re.findall(rf"^\| `{name}` \| [^|]+ \| (.+) \|$", page, re.MULTILINE)
        assert re.findall(r"`(\w+)`", row) == [column.name for column in columns[2:]]


def test_rates_of_nothing_are_none() -> None:
    empty = ExperimentResults((Experiment("exp_1", ""),), ())
    assert empty.completion_rate is empty.evaluation_rate is None
    assert set(empty.efficiency_metrics.values()) == {None}
    assert [empty.table(name) for name in TABLES] == [[]] * 4


def test_another_table_is_refused_with_the_nearest_name(results: ExperimentResults) -> None:
    message = re.escape("there is no table 'scenario' (did you mean 'scenarios'?): the tables are attempts, ")
    with pytest.raises(ValueError, match=message):
        results.table("scenario")  # type: ignore[arg-type]
    for ask in (results.table, results.to_pandas, results.to_polars):
        with pytest.raises(TypeError, match=r"^a table is named by a text \(attempts, .*\), found NoneType$"):
            ask(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_without_the_library_the_message_says_how_to_get_it(
    results: ExperimentResults, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    message = f"data frames of {library} need {library}, which is not installed: pip install {library}"
    with pytest.raises(ImportError, match=message) as raised:
        getattr(results, f"to_{library}")()
    assert raised.value.name == library


def test_a_library_that_is_broken_says_so_itself(
    results: ExperimentResults, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "polars.py").write_text("import no_such_part")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "polars", raising=False)
    with pytest.raises(ModuleNotFoundError, match="no_such_part"):
        results.to_polars()


def test_scenarios_stand_in_the_order_of_their_names(results: ExperimentResults) -> None:
    shuffled = ExperimentResults(results.heads, ATTEMPTS[::-1])
    assert [row["id"] for row in shuffled.table("scenarios")] == ["blue", "red"]
    assert [row["id"] for row in results.table("scenarios")] == ["blue", "red"]


def test_a_scenario_without_a_hard_check_has_no_completion_rate() -> None:
    soft = (CheckTally("toContain", "soft", "pass", 1),)
    given = (
        Attempt("example:1", "red", Outcome.PASS, checks=soft),
        Attempt("example:2", "blue", Outcome.PASS),
    )
    rows = ExperimentResults((Experiment("exp_1", "2025-01-16T14:30:00.000Z"),), given).table("scenarios")
    assert [(row["id"], row["completion_rate"]) for row in rows] == [("blue", 1.0), ("red", None)]
