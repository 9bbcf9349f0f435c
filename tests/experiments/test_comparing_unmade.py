"""A pass without the hard check that the other side made does not decide unseen."""

from __future__ import annotations

import pytest
from made_experiments import attempt, between, repeated

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.records import Comparison, Grade

CALLED = CheckTally("toCallTool", "hard", "pass", 1)
NOT_CALLED = CheckTally("toCallTool", "hard", "fail", 1)
SAID = CheckTally("toContain", "hard", "pass", 1)
TOLD = "passed in the current without call_tool, made in the baseline: {} of 40 scenarios"


def failing(number: int, row: CheckTally = NOT_CALLED) -> list[Attempt]:
    """Forty scenarios, of which so many failed by this check."""
    return [attempt(f"s{n:02}", n >= number, checks=(SAID, row if n < number else CALLED)) for n in range(40)]


def without(number: int, of: int = 40, *more: CheckTally) -> list[Attempt]:
    """Forty that passed, so many of them without the check, or with these instead."""
    return [attempt(f"s{n:02}", checks=(SAID, *more) if n < number else (SAID, CALLED)) for n in range(of)]


def hard(found: Comparison) -> tuple[Grade, str]:
    (one,) = [one for one in found.comparability.aspects if one.name == "Hard checks"]
    return one.grade, one.reason


@pytest.mark.parametrize("number", [6, 8])
def test_a_check_that_was_not_made_where_it_decides_weakens(number: int) -> None:
    before, after = failing(number), without(number)
    assert between(before, after).conclusion == "improved"
    assert hard(between(before, after)) == ("weakens", TOLD.format(number))
    assert between(after, before).conclusion == "regressed"
    assert hard(between(after, before)) == (
        "flagged",
        f"passed in the baseline without call_tool, made in the current: {number} of 40 scenarios",
    )


def test_what_is_told_of_hard_checks_besides_is_kept() -> None:
    found = between(failing(6), without(6, 40, CheckTally("toMatch", "hard", "pass", 1)))
    assert hard(found) == ("weakens", f"{TOLD.format(6)}; only in the current: match")


@pytest.mark.parametrize("mode", ["soft", "skipped"])
def test_a_check_that_is_soft_or_skipped_was_not_made(mode: str) -> None:
    row = CheckTally("toCallTool", "soft", "fail", 1)
    if mode == "skipped":
        row = CheckTally("toCallTool", "hard", "skipped", 1)
    assert hard(between(failing(6), without(6, 40, row)))[0] == "weakens"


def test_a_check_that_was_made_is_no_doubt() -> None:
    assert hard(between(failing(6), without(0))) == ("same", "the same")


def test_one_that_does_not_decide_is_no_doubt() -> None:
    assert hard(between(failing(20), without(5))) == ("same", "the same")
    found = between(failing(4), without(4))
    assert (found.conclusion, found.comparability.level) == ("no difference shown", "HIGH")


def test_one_that_was_not_made_where_another_failed_is_no_doubt() -> None:
    other = CheckTally("toMatch", "hard", "fail", 1)
    rest = without(8, 40, CheckTally("toMatch", "hard", "pass", 1))
    assert "without call_tool" not in hard(between(failing(4, other), rest))[1]


def test_repeats_that_passed_without_it_are_counted_each() -> None:
    before = [one for n in range(20) for one in repeated(f"s{n:02}", "+-" if n < 8 else "++")]
    before = [_checked(one) for one in before]
    after = [
        attempt(one.key, repeat=one.repeat, checks=(SAID,) if int(one.key[1:]) < 8 else (SAID, CALLED))
        for one in before
    ]
    assert between(before, after).conclusion == "improved"
    assert hard(between(before, after))[0] == "weakens"


def _checked(one: Attempt) -> Attempt:
    row = CALLED if one.passed else NOT_CALLED
    return attempt(one.key, one.passed, repeat=one.repeat, checks=(SAID, row))
