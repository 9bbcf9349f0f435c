"""Tables of an experiment as data frames of pandas and polars: rows, types and what is missing."""

from typing import Any, get_args

import pandas as pd
import polars as pl
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
        set_name="rooms",
        turns=3,
        visits=(TopicVisit(1, "asking", 1, 1), TopicVisit(2, "offering", 2, 3)),
        checks=(
            CheckTally("toSatisfy", "soft", "pass", 2, "friendly"),
            CheckTally("toContain", "hard", "pass", 1, layer=1),
        ),
        scores={"friendly": (4.0, 5.0)},
        latencies=(1.0, 2.0),
        tokens=(10, 20),
    ),
    Attempt("example:1", "red", Outcome.FAIL, failure="assertion", why="no", repeat=2, turns=5),
    Attempt("example:2", "blue", Outcome.ERROR, counts=False, failure="error", why="down"),
)
PANDAS = {"text": "string", "integer": "Int64", "number": "Float64", "boolean": "boolean"}
POLARS = {"text": pl.String, "integer": pl.Int64, "number": pl.Float64, "boolean": pl.Boolean}


def results(*attempts: Attempt, name: str = "v1") -> ExperimentResults:
    return ExperimentResults((Experiment("exp_1", "2026-01-02T00:00:00.000Z", name),), attempts)


def as_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    rows = frame.astype(object).to_dict("records")
    return [{str(key): None if pd.isna(value) else value for key, value in row.items()} for row in rows]


@pytest.mark.parametrize("attempts", [ATTEMPTS, ()], ids=["some", "none"])
@pytest.mark.parametrize("table", get_args(TableName))
def test_a_pandas_frame_has_the_rows_and_types_of_the_table(
    table: TableName, attempts: tuple[Attempt, ...]
) -> None:
    found = results(*attempts)
    frame = found.to_pandas(table)
    assert isinstance(frame, pd.DataFrame)
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == {
        column.name: PANDAS[column.type] for column in TABLES[table]
    }
    assert as_rows(frame) == found.table(table)


@pytest.mark.parametrize("attempts", [ATTEMPTS, ()], ids=["some", "none"])
@pytest.mark.parametrize("table", get_args(TableName))
def test_a_polars_frame_has_the_rows_and_types_of_the_table(
    table: TableName, attempts: tuple[Attempt, ...]
) -> None:
    found = results(*attempts)
    frame = found.to_polars(table)
    assert isinstance(frame, pl.DataFrame)
    assert dict(frame.schema) == {column.name: POLARS[column.type] for column in TABLES[table]}
    assert frame.to_dicts() == found.table(table)


def test_rates_of_frames_are_those_of_the_results() -> None:
    found = results(*ATTEMPTS)
    frame = found.to_pandas()
    assert frame[frame.counts].passed.mean() == found.completion_rate == 0.5
    polars = found.to_polars()
    assert polars.filter("counts")["passed"].mean() == found.completion_rate


def test_frames_of_two_experiments_stand_below_each_other() -> None:
    both = [results(*ATTEMPTS), results(*ATTEMPTS[:1], name="")]
    assert len(pd.concat([one.to_pandas("scenarios") for one in both])) == 3
    assert pl.concat([one.to_polars("scenarios") for one in both]).height == 3
