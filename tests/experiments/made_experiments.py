"""Experiments made by hand, for tests of comparing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.comparing import compare
from grice.experiments.comparison.records import Comparison, Measure
from grice.experiments.judge_requests import Judging
from grice.experiments.results import ExperimentResults
from grice.records import Outcome
from grice.running.journal.experiment import Experiment

__all__ = ["attempt", "attempts", "between", "experiment", "judged", "kinds", "measure", "repeated", "soft"]


def experiment(
    name: str, attempts: Iterable[Attempt], *, rest: Mapping[str, Any] | None = None, **head: Any
) -> ExperimentResults:
    """One that ran everything it planned; `head` are fields of its head, `rest` of the results."""
    made = tuple(attempts)
    fields = {"planned": len(made), "grice_version": "1.0", "git_commit": name, "git_dirty": False, **head}
    texts = {name: (one,) if isinstance(one, str) else one for name, one in head.get("criteria", {}).items()}
    fields = {**fields, "criteria": texts}
    one = Experiment(f"exp_{name}", "2026-11-20T10:00:00.000Z", name=name, **fields)
    return ExperimentResults((one,), made, **(rest or {}))


def attempt(key: str, passed: bool = True, **fields: Any) -> Attempt:
    """One attempt of the scenario with that key, with a played user; a failed one failed a hard check.

    Checks of one kind ask the same, unless `asks` and `demands` say otherwise.
    """
    outcome = Outcome.PASS if passed else Outcome.FAIL
    given = {"failure": "none" if passed else "assertion", "turns": 5, "fingerprint": f"of {key}", **fields}
    given.setdefault("simulated", True)
    checks: tuple[CheckTally, ...] = given.get("checks", ())
    soft_ones = {row.criterion or row.bundle or row.matcher for row in checks if row.mode == "soft"}
    given.setdefault("asks", dict.fromkeys(sorted(soft_ones), "asked"))
    hard_ones = any(row.mode == "hard" and (row.criterion or row.matcher) for row in checks)
    given.setdefault("demands", "asked" if hard_ones else "")
    return Attempt(f"example:{key}", key, **{"outcome": outcome, **given})


def attempts(passed: str, **fields: Any) -> list[Attempt]:
    """One attempt of each of the scenarios s00, s01 and so on: `+` passed and `-` failed."""
    return [attempt(f"s{number:02}", mark == "+", **fields) for number, mark in enumerate(passed)]


def soft(criterion: str, passed: int, failed: int = 0, *, mode: str = "soft") -> tuple[CheckTally, ...]:
    """So many checks of a criterion that passed, and that failed."""
    counts = (("pass", passed), ("fail", failed))
    return tuple(CheckTally("toSatisfy", mode, outcome, n, criterion) for outcome, n in counts if n)


def judged(
    criteria: Mapping[str, str] | None = None, *, model: str = "gpt", version: int = 2
) -> tuple[Judging, ...]:
    """What that model answered of these criteria, which have fingerprints; of `kind`, where none is given."""
    given = {"kind": "sha256:a"} if criteria is None else criteria
    return tuple(Judging(name, model, "criterion", version, mark) for name, mark in sorted(given.items()))


def between(before: list[Attempt], after: list[Attempt], **head: Any) -> Comparison:
    """The comparison of experiments with these attempts; `head` are fields of both heads."""
    return compare(experiment("a", before, **head), experiment("b", after, **head))


def measure(found: Comparison, name: str) -> Measure:
    """The measure of that name."""
    return next(one for one in found.measures if one.name == name)


def kinds(found: Comparison) -> list[tuple[str, str]]:
    """The kind and key of each change."""
    return [(one.kind, one.key) for one in found.changes]


def repeated(key: str, passed: str, **fields: Any) -> list[Attempt]:
    """Repeats of one scenario."""
    marks = enumerate(passed, 1)
    return [attempt(key, mark == "+", repeat=number, **fields) for number, mark in marks]
