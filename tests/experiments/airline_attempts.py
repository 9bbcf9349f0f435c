"""Real runs of an agent as experiments: 39 tasks of an airline, 4 trials of each, 55 of 156 passed.

GPT-4o; from sierra-research/tau-bench, MIT: tests/data/LICENSE-tau-bench.txt
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Container
from pathlib import Path

from grice.experiments.attempts import Attempt
from grice.experiments.results import ExperimentResults
from grice.records import Outcome
from grice.running.journal.experiment import Experiment

__all__ = ["airline_attempts", "airline_experiment"]

_FILE = Path(__file__).parent.parent / "data" / "airline_trials.csv"


def airline_experiment(
    name: str, trials: Container[int], change: Callable[[list[Attempt]], list[Attempt]] | None = None
) -> ExperimentResults:
    """These trials (0 to 3) as the repeats of an experiment; `change` makes others of them."""
    attempts = airline_attempts(trials)
    attempts = attempts if change is None else change(attempts)
    head = Experiment(
        f"exp_{name}", "2026-11-20T10:00:00.000Z", name=name, planned=len(attempts), grice_version="1.0"
    )
    return ExperimentResults((head,), tuple(attempts))


def airline_attempts(trials: Container[int]) -> list[Attempt]:
    """An attempt for each of these trials of every task, numbered from 1 as they come."""
    attempts: list[Attempt] = []
    repeats: dict[str, int] = {}
    with _FILE.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            if int(row["trial"]) in trials:
                repeats[row["task"]] = repeats.get(row["task"], 0) + 1
                attempts.append(_attempt(row, repeats[row["task"]]))
    return attempts


def _attempt(row: dict[str, str], repeat: int) -> Attempt:
    passed = row["reward"] == "1"
    return Attempt(
        f"example:airline-{row['task']}",
        f"task {row['task']}",
        Outcome.PASS if passed else Outcome.FAIL,
        failure="none" if passed else "assertion",
        why="" if passed else "the database is not as it should be",
        repeat=repeat,
        turns=int(row["turns"]),
    )
