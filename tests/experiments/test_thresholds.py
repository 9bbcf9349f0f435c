"""From how much on something lowers what a comparison is worth: each limit, from both sides."""

from __future__ import annotations

import pytest
from made_experiments import attempt, attempts, between, experiment, judged, measure, soft
from msgspec.structs import replace

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.comparing import compare
from grice.experiments.comparison.records import Comparison, Grade
from grice.records import Outcome

KEYS = [f"s{number:03}" for number in range(100)]


def aspect(found: Comparison, name: str) -> tuple[Grade, str]:
    """The grade and the reason, "same" where nothing is said of it."""
    said = [one for one in found.comparability.aspects if one.name == name]
    return (said[0].grade, said[0].reason) if said else ("same", "")


# -- what is missing


MISSING = [
    (0, 0, "same"),
    (5, 5, "expected"),
    (6, 6, "flagged"),  # over 5 %
    (20, 20, "flagged"),
    (21, 21, "weakens"),  # over 20 %
    (0, 10, "flagged"),
    (0, 11, "weakens"),  # over 10 points more on one side
    (11, 0, "weakens"),
]
"""How many of a hundred are missing on both sides, as docs/comparing.md has it."""


@pytest.mark.parametrize(("before", "after", "grade"), MISSING)
def test_attempts_that_do_not_count(before: int, after: int, grade: Grade) -> None:
    def side(missing: int) -> list[Attempt]:
        return [attempt(key, counts=number >= missing) for number, key in enumerate(KEYS)]

    assert aspect(between(side(before), side(after)), "Attempts that do not count")[0] == grade


@pytest.mark.parametrize(("before", "after", "grade"), MISSING)
def test_attempts_without_a_verdict(before: int, after: int, grade: Grade) -> None:
    def side(untold: int) -> list[Attempt]:
        told = attempts("+" * 100)
        return [*(replace(one, outcome=Outcome.INCONCLUSIVE) for one in told[:untold]), *told[untold:]]

    assert aspect(between(side(before), side(after)), "Attempts without a verdict")[0] == grade


@pytest.mark.parametrize(("before", "after", "grade"), MISSING)
def test_checks_without_an_answer(before: int, after: int, grade: Grade) -> None:
    def side(broken: int) -> list[Attempt]:
        row = CheckTally("toSatisfy", "soft", "error", broken, "kind")
        checks = (*soft("kind", 100 - broken), *((row,) if broken else ()))
        return [attempt("s", checks=checks, judged=judged())]

    assert aspect(between(side(before), side(after)), "Checks without an answer")[0] == grade


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


def made_twice(scenarios: int) -> list[Attempt]:
    """Forty that passed, of which so many made their hard check twice."""
    return [
        attempt(key, checks=(CheckTally("toMatch", "hard", "pass", 2 if number < scenarios else 1),))
        for number, key in enumerate(KEYS[:40])
    ]


@pytest.mark.parametrize(("scenarios", "grade"), [(0, "same"), (8, "same"), (9, "flagged")])
def test_hard_checks_that_are_made_more_often(scenarios: int, grade: Grade) -> None:
    """What they ask for is the same, as far as anybody can tell. Nine lead by three standard errors."""
    reason = "not as many in each scenario: match" if grade == "flagged" else "the same"
    for found in (
        between(made_twice(0), made_twice(scenarios)),
        between(made_twice(scenarios), made_twice(0)),
    ):
        assert aspect(found, "Hard checks") == (grade, reason)


# -- values on one side only


def polite(asked: int, failed: int = 0) -> list[Attempt]:
    """Forty scenarios; the first ones were asked, and of these some failed."""
    return [
        attempt(
            key,
            checks=soft("polite", int(number >= failed), int(number < failed)) if number < asked else (),
            judged=judged({"polite": "sha256:a"}),
        )
        for number, key in enumerate(KEYS[:40])
    ]


@pytest.mark.parametrize(
    ("asked", "grade"), [(40, "same"), (33, "same"), (32, "flagged"), (21, "flagged"), (20, "weakens")]
)
def test_what_is_shown_of_a_part_of_the_scenarios(asked: int, grade: Grade) -> None:
    """From a fifth on it is flagged that they have values on one side only, and half of them weaken."""
    found = between(polite(40, failed=12), polite(asked))
    assert measure(found, "polite").decision == "improved"
    assert measure(found, "polite").left_out == 40 - asked
    assert aspect(found, "Values on both sides")[0] == grade
    back = between(polite(asked), polite(40, failed=12))
    assert measure(back, "polite").decision == "regressed"
    assert aspect(back, "Values on both sides")[0] == grade
