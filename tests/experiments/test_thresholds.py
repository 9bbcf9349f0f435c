"""From how much on something lowers what a comparison is worth: each limit, from both sides."""

from __future__ import annotations

import pytest
from made_experiments import attempt, attempts, between, experiment

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.comparing import compare
from grice.experiments.comparison.records import Comparison, Grade

KEYS = [f"s{number:03}" for number in range(100)]


def aspect(found: Comparison, name: str) -> tuple[Grade, str]:
    """The grade and the reason, "same" where nothing is said of it."""
    said = [one for one in found.comparability.aspects if one.name == name]
    return (said[0].grade, said[0].reason) if said else ("same", "")


# -- what is missing


@pytest.mark.parametrize(("missing", "grade"), [(0, "same"), (5, "flagged"), (6, "weakens")])
def test_attempts_that_were_planned_and_never_made(missing: int, grade: Grade) -> None:
    made = attempts("+" * (100 - missing))
    found = compare(experiment("a", made), experiment("b", made, planned=100))
    assert aspect(found, "Finished")[0] == grade


# -- hard checks


def asked_otherwise(scenarios: int) -> list[Attempt]:
    """Forty that passed a hard check; in so many of them it asks for something else."""
    checks = (CheckTally("toMatch", "hard", "pass", 1),)
    return [
        attempt(key, checks=checks, demands="less" if number < scenarios else "asked")
        for number, key in enumerate(KEYS[:40])
    ]


@pytest.mark.parametrize(("scenarios", "grade"), [(0, "same"), (4, "expected"), (5, "flagged")])
def test_hard_checks_that_ask_for_something_else(scenarios: int, grade: Grade) -> None:
    """A tenth of the scenarios is told, and more is flagged."""
    reason = f"they ask for something else in {scenarios} of 40 scenarios that passed in both"
    for found in (
        between(asked_otherwise(0), asked_otherwise(scenarios)),
        between(asked_otherwise(scenarios), asked_otherwise(0)),
    ):
        assert aspect(found, "Hard checks") == (grade, reason if scenarios else "the same")
