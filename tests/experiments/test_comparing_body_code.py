"""Tests that assert something beside checks of Grice: whether their code is the same on both sides."""

from __future__ import annotations

import pytest
from made_experiments import attempt, between

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.records import Comparison, Grade

CHECKS = (CheckTally("toContain", "hard", "pass", 1),)


def side(*codes: str, passed: bool = True, repeats: int = 1) -> list[Attempt]:
    """An attempt at each scenario, by the code of its test."""
    return [
        attempt(f"s{number:02}", passed, checks=CHECKS, asserts=code, repeat=repeat)
        for number, code in enumerate(codes)
        for repeat in range(1, repeats + 1)
    ]


def grade(found: Comparison) -> tuple[Grade, str]:
    one = next(one for one in found.comparability.aspects if one.name == "Test code")
    return one.grade, one.reason


@pytest.mark.parametrize(("before", "after"), [("asserts", ""), ("", "asserts"), ("asserts", "another")])
def test_an_assertion_that_changed_is_flagged_whatever_stands_beside_it(before: str, after: str) -> None:
    found = between(side(*[before] * 30, passed=False), side(*[after] * 30))
    assert grade(found) == ("flagged", "another in 30 of 30 scenarios")
    assert found.comparability.level == "MEDIUM"


def test_other_code_in_few_scenarios_is_told_only() -> None:
    before = ["asserts"] * 30
    found = between(side(*before), side(*["another"] * 3, *before[3:]))
    assert grade(found) == ("expected", "another in 3 of 30 scenarios")
    assert found.comparability.level == "HIGH"
    assert grade(between(side(*before), side(*["another"] * 4, *before[4:])))[0] == "flagged"


def test_the_same_code_is_the_same() -> None:
    before, after = side(*["asserts"] * 30, passed=False), side(*["asserts"] * 30, repeats=2)
    assert grade(between(before, after)) == ("same", "the same")
    assert between(after, after).comparability.level == "HIGH"


def test_nothing_is_told_of_tests_that_assert_nothing_themselves() -> None:
    found = between(side(*[""] * 30), side(*[""] * 30))
    assert "Test code" not in {one.name for one in found.comparability.aspects}
