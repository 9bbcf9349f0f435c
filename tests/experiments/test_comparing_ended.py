"""A conversation that ends before a check is reached is no better for it."""

from __future__ import annotations

import pytest
from made_experiments import attempt, between, measure

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.records import Comparison, Grade


def one(key: str, mark: str, repeat: int = 1) -> Attempt:
    """`p` is polite and `i` is not; `x` broke off, and `h` ended at a hard check, before anybody asked.

    `o` passed without being asked, and `n` was asked what does not apply.
    """
    outcomes = {"p": "pass", "i": "fail", "n": "skipped"}
    checks = (CheckTally("toSatisfy", "soft", outcomes[mark], 1, "polite"),) if mark in outcomes else ()
    failure = {"x": "error", "h": "assertion"}.get(mark, "none")
    return attempt(key, mark not in "xh", repeat=repeat, failure=failure, checks=checks)


def side(marks: str, repeats: int = 1) -> list[Attempt]:
    """So many repeats of each scenario, one after the other."""
    return [one(f"s{number // repeats:03}", mark, number % repeats + 1) for number, mark in enumerate(marks)]


def compared(before: list[Attempt], after: list[Attempt]) -> Comparison:
    return between(before, after, criteria={"polite": "sha256:p"})


def aspect(found: Comparison, name: str) -> tuple[Grade, str] | None:
    every = [one for one in found.comparability.aspects if one.name == name]
    return (every[0].grade, every[0].reason) if every else None


@pytest.mark.parametrize("ended", ["x", "h"])
def test_ending_before_the_check_makes_no_sure_improvement(ended: str) -> None:
    """One in five was impolite; now nobody is, and another one in five ends before that is asked."""
    found = compared(side("ipppp" * 20), side(("p" + ended + "ppp") * 20))
    assert measure(found, "polite").decision == "improved"
    assert found.comparability.level == "LOW"
    assert aspect(found, "What is missing") == (
        "weakens",
        (
            "evaluation rate, polite: not shown if 20 attempts of the current, which ended without a check "
            "of it, had failed it"
        ),
    )


def test_nor_does_ending_where_it_would_have_failed() -> None:
    found = compared(side("ppppi" * 20), side("ppppx" * 20))
    assert (measure(found, "polite").decision, measure(found, "polite").left_out) == ("not shown", 20)
    assert aspect(found, "Values on both sides") == (
        "expected",
        (
            "evaluation rate: 20 of 100 scenarios have values on one side only; "
            "polite: 20 of 100 scenarios have values on one side only"
        ),
    )


def test_repeats_that_broke_off_are_told_and_make_no_sure_improvement() -> None:
    found = compared(side("ipp" * 40, 3), side("xpp" * 40, 3))
    assert measure(found, "polite").decision == "improved"
    assert found.comparability.level == "LOW"
    assert aspect(found, "What is missing") == (
        "weakens",
        (
            "evaluation rate, polite: not shown if 40 attempts of the current, which ended without a check "
            "of it, had failed it"
        ),
    )
    assert aspect(found, "Values on both sides") == (
        "flagged",
        (
            "evaluation rate: 0 of 120 attempts ended without it, now 40 of 120; "
            "polite: 0 of 120 attempts ended without it, now 40 of 120"
        ),
    )


def test_what_ends_before_the_check_makes_no_sure_regression_either() -> None:
    found = compared(side("xpp" * 40, 3), side("ipp" * 40, 3))
    assert measure(found, "polite").decision == "regressed"
    assert found.comparability.level == "LOW"


def test_an_improvement_that_would_be_shown_all_the_same_stays() -> None:
    before, after = side("i" * 40 + "p" * 54 + "xxxhhh"), side("p" * 92 + "xxhxxhhh")
    found = compared(before, after)
    assert measure(found, "polite").decision == "improved"
    assert aspect(found, "What is missing") is None
    assert found.comparability.level == "HIGH"


def test_a_check_that_both_sides_get_to_as_often_costs_nothing() -> None:
    before, after = side("ppihhhpxpp" * 10), side("hpipphxppp" * 10)
    found = compared(before, after)
    assert (found.conclusion, found.comparability.level) == ("no difference shown", "HIGH")
    assert aspect(found, "What is missing") is None


def test_a_check_that_was_skipped_was_got_to() -> None:
    found = compared(side("ppppi" * 20), side("ppppn" * 20))
    assert aspect(found, "What is missing") is None
    before, after = side("pipii" * 20), side("nppin" * 20)
    assert measure(compared(before, after), "polite").decision == "improved"
    assert aspect(compared(before, after), "What is missing") is None


def test_a_check_that_passed_conversations_do_without_is_in_doubt() -> None:
    before, after = side("ipppp" * 20), side("popop" * 20)
    found = compared(before, after)
    assert measure(found, "polite").decision == "improved"
    assert aspect(found, "What is missing") is not None


def test_one_kind_of_check_that_is_not_reached_is_among_all_soft_checks() -> None:
    """The first check is made before the agent breaks off, the second one is not."""
    first = CheckTally("toContain", "soft", "pass", 1)

    def told(marks: str) -> list[Attempt]:
        made = [one(f"s{number // 3:03}", mark, number % 3 + 1) for number, mark in enumerate(marks)]
        plain = [
            (row, [CheckTally("toMatch", "soft", tally.outcome, 1) for tally in row.checks]) for row in made
        ]
        return [
            attempt(row.key, row.passed, repeat=row.repeat, failure=row.failure, checks=(first, *rows))
            for row, rows in plain
        ]

    found = compared(told("ipp" * 40), told("xpp" * 40))
    assert measure(found, "evaluation rate").decision == "improved"
    assert aspect(found, "What is missing") == (
        "weakens",
        (
            "evaluation rate: not shown if 40 attempts of the current, which ended without a check of it, "
            "had failed it"
        ),
    )
