"""An experiment that is over, or was cut short: what it was, and what its attempts come to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Any, Self

from grice.experiments.aggregation.summary import Summary, summed
from grice.experiments.attempts import Attempt, attempt_of
from grice.experiments.tables import TableName, columns_of, pandas_frame, polars_frame, rows_of
from grice.running.journal.experiment import Experiment
from grice.running.journal.reading import Run


@dataclass(frozen=True, eq=False)
class ExperimentResults:
    """What is known of one experiment; rates are from 0 to 1, None of nothing.

    `heads` are those of all workers and resumed runs, the earliest first. Of attempts with the same id and
    repeat only the one that counts is in `attempts`. `notes` say what was left out and where, `damaged`
    counts lines that cannot be read. `done` counts the attempts that are of what was planned, `unfinished`
    names what was begun and not finished. `source` is the folder or file that it was read from.
    """

    heads: tuple[Experiment, ...]
    attempts: tuple[Attempt, ...]
    notes: tuple[str, ...] = ()
    damaged: int = 0
    done: int | None = None
    unfinished: tuple[str, ...] = ()
    source: str = ""

    @classmethod
    def of(cls, run: Run) -> Self:
        """The results of a Run, as `grice.run` and `grice.read_run` give it."""
        return cls(
            run.heads,
            tuple(attempt_of(one) for one in run.results),
            notes=run.notes,
            damaged=run.damaged,
            done=run.done,
            unfinished=run.unfinished,
            source=str(run.folder),
        )

    @property
    def experiment(self) -> Experiment:
        """The head of the experiment as it first began."""
        return self.heads[0]

    @property
    def id(self) -> str:
        """`exp_` and hex digits."""
        return self.experiment.id

    @property
    def name(self) -> str:
        """What it was called, "" where it has no name."""
        return self.experiment.name

    @property
    def planned(self) -> int | None:
        """How many attempts were to be made, as the latest head says it; None when it does not."""
        return self.heads[-1].planned

    @property
    def complete(self) -> bool:
        """Whether everything that was planned is finished."""
        done = len(self.attempts) if self.done is None else self.done
        return self.planned is not None and done >= self.planned > 0

    @property
    def counted(self) -> tuple[Attempt, ...]:
        """The attempts that are in the rates."""
        return tuple(one for one in self.attempts if one.counted)

    @cached_property
    def summary(self) -> Summary:
        """What everything comes to."""
        return summed(self.attempts)

    @property
    def completion_rate(self) -> float | None:
        """The share of counted attempts that passed, by hard checks only; None where none has one."""
        return self.summary.completion_rate

    @property
    def evaluation_rate(self) -> float | None:
        """The share of soft checks that passed, of those that gave an answer."""
        return self.summary.soft.rate

    @property
    def criteria_results(self) -> dict[str, float | None]:
        """The pass rate of each criterion, from hard and soft checks."""
        return {name: count.rate for name, count in self.summary.criteria.items()}

    @property
    def efficiency_metrics(self) -> dict[str, float | None]:
        """`avg_turns`, `median_turns`, `avg_topics`, `median_topics` and `backtracking_rate`.

        They are over the attempts that count; topics over those that followed a graph.
        """
        found = self.summary.efficiency
        return {
            "avg_turns": found.average_turns,
            "median_turns": median(found.turns.elements()) if found.turns else None,
            "avg_topics": found.average_topics,
            "median_topics": median(found.topics.elements()) if found.topics else None,
            "backtracking_rate": found.backtracking_rate,
        }

    @property
    def scenario_results(self) -> list[dict[str, Any]]:
        """A dict for each attempt, in the order in which they were finished.

        `id` is the scenario's key and `stable_id` what comparisons go by; then name, set, repeat, passed,
        outcome, counts (whether it is in the rates), turns, topics_visited, failure_type, failure_message.
        """
        return list(_rows(self.attempts))

    def table(self, name: TableName) -> list[dict[str, Any]]:
        """The rows of a table, as dicts with the same keys; None for what is not known.

        `attempts` has a row for each attempt, `scenarios` for each scenario, `criteria` for each criterion,
        `checks` for each kind of check in each attempt. Raises ValueError for another name, and
        TypeError for what is no text.
        """
        return rows_of(self, name)

    def to_pandas(self, table: TableName = "attempts") -> Any:
        """A table as a `pandas.DataFrame`, with types that allow for missing values.

        Raises ImportError when pandas is not installed, and ValueError for another name.
        """
        return pandas_frame(columns_of(table), rows_of(self, table))

    def to_polars(self, table: TableName = "attempts") -> Any:
        """A table as a `polars.DataFrame`. Raises as `to_pandas` does."""
        return polars_frame(columns_of(table), rows_of(self, table))

    def __repr__(self) -> str:
        return f"<ExperimentResults {self.id}: {len(self.attempts)} attempts>"


def _rows(attempts: Iterable[Attempt]) -> Iterable[dict[str, Any]]:
    for one in attempts:
        yield {
            "id": one.key,
            "stable_id": one.id,
            "name": one.name or one.key,
            "set": one.set_name or None,
            "repeat": one.repeat,
            "passed": one.passed,
            "outcome": one.outcome.value,
            "counts": one.counted,
            "turns": one.turns,
            "topics_visited": list(one.topics),
            "failure_type": None if one.failure == "none" else one.failure,
            "failure_message": one.why or None,
        }
