"""An experiment as tables: plain rows, with columns whose types do not depend on what is in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from grice.experiments.attempts import Attempt
from grice.text import did_you_mean

if TYPE_CHECKING:
    from grice.experiments.results import ExperimentResults


TableName = Literal["attempts", "scenarios", "criteria", "checks"]

"""A row for each attempt, each scenario, each criterion, or each kind of check in each attempt."""


class Column(NamedTuple):
    """A column: its name, the type of its values, and what they are. None stands for what is not known."""

    name: str
    type: Literal["text", "integer", "number", "boolean"]
    meaning: str


_EXPERIMENT = (
    Column("experiment", "text", "id of the experiment"),
    Column("experiment_name", "text", "its name"),
)

_SCENARIO = (
    Column("id", "text", "key of the scenario, or the name of the test"),
    Column("stable_id", "text", "`example:` and hex digits: what comparisons go by"),
    Column("set", "text", "name of the scenario set"),
)

_SUMS = (
    Column("soft_passed", "integer", "soft checks that passed"),
    Column("soft_evaluated", "integer", "soft checks that gave an answer"),
)

TABLES: dict[TableName, tuple[Column, ...]] = {
    "attempts": (
        *_EXPERIMENT,
        *_SCENARIO,
        Column("name", "text", "description of the scenario, else its key"),
        Column("repeat", "integer", "which attempt at the scenario, from 1"),
        Column("outcome", "text", "pass, fail, inconclusive, error or skipped"),
        Column("passed", "boolean", "whether the outcome is pass"),
        Column("counts", "boolean", "whether it is in the rates"),
        Column("failure_type", "text", "assertion, error, timeout or max_turns"),
        Column("failure_message", "text", "why it did not pass or does not count"),
        Column("turns", "integer", "turns of the conversation"),
        Column("topics", "integer", "different topics; None where no graph was followed"),
        Column("topics_visited", "text", "the visits in order, with ` > ` between them"),
        *_SUMS,
        Column("hard_passed", "integer", "hard checks that passed"),
        Column("hard_evaluated", "integer", "hard checks that gave an answer"),
        Column("unanswered", "integer", "checks that could not tell, or broke"),
        Column("seconds_per_turn", "number", "mean of the turns that were timed, in seconds"),
        Column("tokens", "integer", "tokens of the agent's model, in and out, of all turns that tell"),
    ),
    "scenarios": (
        *_EXPERIMENT,
        *_SCENARIO,
        Column("attempts", "integer", "attempts that count"),
        Column("passed", "integer", "those of them that passed"),
        Column("completion_rate", "number", "their share, from 0 to 1; None without a hard check"),
        *_SUMS,
        Column("evaluation_rate", "number", "their share, from 0 to 1"),
        Column("avg_turns", "number", "turns of an attempt, mean"),
        Column("not_counted", "integer", "attempts that do not count"),
    ),
    "criteria": (
        *_EXPERIMENT,
        Column("criterion", "text", "name of the criterion"),
        Column("passed", "integer", "checks that passed, hard and soft"),
        Column("evaluated", "integer", "checks that gave an answer"),
        Column("rate", "number", "their share, from 0 to 1"),
        Column("inconclusive", "integer", "checks that could not tell"),
        Column("error", "integer", "checks that broke"),
        Column("skipped", "integer", "checks that did not apply"),
        Column("avg_score", "number", "points of judges that give some (1 to 5), mean"),
    ),
    "checks": (
        *_EXPERIMENT,
        *_SCENARIO,
        Column("repeat", "integer", "which attempt at the scenario, from 1"),
        Column("counts", "boolean", "whether the attempt is in the rates"),
        Column("criterion", "text", "name of the criterion"),
        Column("matcher", "text", "name of the matcher"),
        Column("layer", "integer", "layer of the check, 0 to 4"),
        Column("mode", "text", "hard or soft"),
        Column("outcome", "text", "pass, fail, inconclusive, error or skipped"),
        Column("times", "integer", "how many such checks the attempt had"),
    ),
}


def columns_of(table: str) -> tuple[Column, ...]:
    """The columns of a table.

    Raises ValueError, with the nearest name, when there is none, and TypeError for what is no text.
    """
    names = ", ".join(TABLES)
    if not isinstance(table, str):
        raise TypeError(f"a table is named by a text ({names}), found {type(table).__name__}")
    for name, columns in TABLES.items():
        if name == table:
            return columns
    raise ValueError(
        f"there is no table {table!r}{did_you_mean(table, list(TABLES))}: the tables are {names}"
    )


def rows_of(results: ExperimentResults, table: str) -> list[dict[str, Any]]:
    """The rows of a table, each with every column; None for what is not known. Raises as `columns_of`."""
    columns = columns_of(table)
    head = {"experiment": results.id, "experiment_name": results.name or None}
    rows: list[dict[str, Any]] = []
    for values in _ROWS[table](results):
        row = {**head, **values}
        rows.append({column.name: row[column.name] for column in columns})
    return rows


def _attempts(results: ExperimentResults) -> Iterator[dict[str, Any]]:
    for one in results.attempts:
        yield {
            **_scenario(one),
            "name": one.name or one.key,
            "repeat": one.repeat,
            "outcome": one.outcome.value,
            "passed": one.passed,
            "counts": one.counted,
            "failure_type": None if one.failure == "none" else one.failure,
            "failure_message": one.why or None,
            "turns": one.turns,
            "topics": len(set(one.topics)) if one.visits else None,
            "topics_visited": " > ".join(one.topics) or None,
            "soft_passed": _count([one], "soft", "pass"),
            "soft_evaluated": _count([one], "soft", "pass", "fail"),
            "hard_passed": _count([one], "hard", "pass"),
            "hard_evaluated": _count([one], "hard", "pass", "fail"),
            "unanswered": sum(_count([one], mode, "inconclusive", "error") for mode in ("hard", "soft")),
            "seconds_per_turn": _mean(one.latencies),
            "tokens": sum(one.tokens) if one.tokens else None,
        }


def _scenarios(results: ExperimentResults) -> Iterator[dict[str, Any]]:
    by_id: dict[str, list[Attempt]] = {}
    for one in results.attempts:
        by_id.setdefault(one.id, []).append(one)
    for attempts in sorted(by_id.values(), key=_place):
        counted = [one for one in attempts if one.counted]
        passed = sum(one.passed for one in counted)
        soft, evaluated = _count(counted, "soft", "pass"), _count(counted, "soft", "pass", "fail")
        yield {
            **_scenario(attempts[-1]),
            "attempts": len(counted),
            "passed": passed,
            "completion_rate": passed / len(counted) if any(not one.unchecked for one in counted) else None,
            "soft_passed": soft,
            "soft_evaluated": evaluated,
            "evaluation_rate": soft / evaluated if evaluated else None,
            "avg_turns": _mean([one.turns for one in counted]),
            "not_counted": len(attempts) - len(counted),
        }


def _place(attempts: list[Attempt]) -> tuple[str, str, str]:
    """Conversations that are held at once finish in any order; their rows do not change with it."""
    return attempts[-1].set_name, attempts[-1].key, attempts[-1].id


def _criteria(results: ExperimentResults) -> Iterator[dict[str, Any]]:
    scores: dict[str, list[float]] = {}
    for one in results.counted:
        for name, given in one.scores.items():
            scores.setdefault(name, []).extend(given)
    for name, count in results.summary.criteria.items():
        yield {
            "criterion": name,
            "passed": count.passed,
            "evaluated": count.evaluated,
            "rate": count.rate,
            **{outcome: count.outcomes[outcome] for outcome in ("inconclusive", "error", "skipped")},
            "avg_score": _mean(scores.get(name, [])),
        }


def _checks(results: ExperimentResults) -> Iterator[dict[str, Any]]:
    for one in results.attempts:
        for tally in one.checks:
            yield {
                **_scenario(one),
                "repeat": one.repeat,
                "counts": one.counted,
                "criterion": tally.criterion or None,
                "matcher": tally.matcher or None,
                "layer": tally.layer,
                "mode": tally.mode,
                "outcome": tally.outcome,
                "times": tally.times,
            }


_ROWS = {"attempts": _attempts, "scenarios": _scenarios, "criteria": _criteria, "checks": _checks}


def _scenario(one: Attempt) -> dict[str, Any]:
    return {"id": one.key, "stable_id": one.id, "set": one.set_name or None}


def _count(attempts: Iterable[Attempt], mode: str, *outcomes: str) -> int:
    return sum(
        tally.times
        for one in attempts
        for tally in one.checks
        if tally.mode == mode and tally.outcome in outcomes
    )


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return fmean(found) if found else None


_PANDAS = {"text": "string", "integer": "Int64", "number": "Float64", "boolean": "boolean"}

_POLARS = {"text": "String", "integer": "Int64", "number": "Float64", "boolean": "Boolean"}


def pandas_frame(columns: Sequence[Column], rows: Sequence[dict[str, Any]]) -> Any:
    """A `pandas.DataFrame` with nullable types. Raises ImportError, with what to do, without pandas."""
    pandas = _library("pandas")
    return pandas.DataFrame(
        {one.name: pandas.array([row[one.name] for row in rows], dtype=_PANDAS[one.type]) for one in columns}
    )


def polars_frame(columns: Sequence[Column], rows: Sequence[dict[str, Any]]) -> Any:
    """A `polars.DataFrame`. Raises ImportError, with what to do, without polars."""
    polars = _library("polars")
    schema = {one.name: getattr(polars, _POLARS[one.type]) for one in columns}
    return polars.DataFrame({one.name: [row[one.name] for row in rows] for one in columns}, schema=schema)


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ImportError(
            f"data frames of {name} need {name}, which is not installed: pip install {name}", name=name
        ) from None
