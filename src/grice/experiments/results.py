"""An experiment that is over, or was cut short: what it was, and what its attempts come to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from grice.experiments.attempts import Attempt
from grice.experiments.summary import Summary
from grice.running.journal.experiment import Experiment

__all__ = ["ExperimentResults"]


@dataclass(frozen=True, eq=False)
class ExperimentResults:
    """What is known of one experiment; rates are from 0 to 1, None of nothing.

    `heads` are those of all workers and resumed runs, the earliest first. Of attempts with the same id and
    repeat only the last is in `attempts`. `notes` say what was left out and where, `damaged` counts lines
    that cannot be read. `done` counts the attempts that are of what was planned, `unfinished` names what was
    begun and not finished. `source` is the folder or file that it was read from.
    """

    heads: tuple[Experiment, ...]
    attempts: tuple[Attempt, ...]
    notes: tuple[str, ...] = ()
    damaged: int = 0
    done: int | None = None
    unfinished: tuple[str, ...] = ()
    source: str = ""

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
        summed = Summary()
        for attempt in self.attempts:
            summed.add_attempt(attempt)
        summed.sort()
        return summed

    @property
    def completion_rate(self) -> float | None:
        """The share of counted attempts that passed, by hard checks only."""
        return self.summary.completion.rate

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
        """`avg_turns`, `avg_topics` and `backtracking_rate`."""
        found = self.summary.efficiency
        return {
            "avg_turns": found.average_turns,
            "avg_topics": found.average_topics,
            "backtracking_rate": found.backtracking_rate,
        }

    @property
    def scenario_results(self) -> list[dict[str, Any]]:
        """A dict for each attempt: its id, key, outcome, turns, topics, failure."""
        return list(_rows(self.attempts))

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
