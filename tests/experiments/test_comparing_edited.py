"""Edited scenarios do not carry a result unseen."""

from __future__ import annotations

import pytest
from made_experiments import attempts, between
from msgspec.structs import replace

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.records import Comparison, Grade

HALF = attempts("-" * 20 + "+" * 20)
ALL = attempts("+" * 40)


def edited(held: list[Attempt], numbers: range) -> list[Attempt]:
    """The attempts, with other content in the scenarios of these numbers."""
    return [replace(one, fingerprint=f"new {one.key}") if n in numbers else one for n, one in enumerate(held)]


def unknown(held: list[Attempt], numbers: range | None = None) -> list[Attempt]:
    """The attempts, without content in the scenarios of these numbers."""
    return [
        replace(one, fingerprint="") if numbers is None or n in numbers else one for n, one in enumerate(held)
    ]


def data(found: Comparison) -> tuple[Grade, str]:
    (one,) = [one for one in found.comparability.aspects if one.name == "Scenario data"]
    return one.grade, one.reason


def test_an_improvement_of_the_edited_scenarios_only_weakens() -> None:
    found = between(HALF, edited(ALL, range(20)))
    assert (found.conclusion, found.comparability.level) == ("improved", "LOW")
    assert data(found) == (
        "weakens",
        (
            "20 scenarios edited: compared by key all the same; "
            "completion rate: not shown over those that were not edited"
        ),
    )


def test_so_does_a_regression() -> None:
    found = between(edited(ALL, range(20)), HALF)
    assert (found.conclusion, found.comparability.level) == ("regressed", "LOW")


def test_a_regression_that_edited_scenarios_hide_weakens() -> None:
    """What was made easier passes now, and as many of the others fail."""
    before, after = attempts("-" * 10 + "+" * 30), edited(attempts("+" * 10 + "-" * 10 + "+" * 20), range(10))
    found = between(before, after)
    assert (found.conclusion, found.comparability.level) == ("no difference shown", "LOW")
    told = "completion rate: regressed over those that were not edited"
    assert data(found) == ("weakens", f"10 scenarios edited: compared by key all the same; {told}")
    better = between(attempts("-" * 30 + "+" * 10), edited(attempts("+" * 30 + "-" * 10), range(30)))
    assert better.conclusion == "improved"
    assert data(better)[1].endswith(f"may be other questions; {told}")


def test_an_improvement_that_edited_scenarios_hide_is_none_that_they_carry() -> None:
    before, after = attempts("+" * 10 + "-" * 10 + "+" * 20), edited(attempts("-" * 10 + "+" * 30), range(10))
    assert between(before, after).comparability.level == "HIGH"


def test_an_improvement_without_the_edited_ones_stays() -> None:
    found = between(HALF, edited(ALL, range(5)))
    assert (found.conclusion, found.comparability.level) == ("improved", "HIGH")
    assert data(found) == ("expected", "5 scenarios edited: compared by key all the same")


def test_where_all_were_edited_nothing_is_left_to_show_it() -> None:
    found = between(HALF, edited(ALL, range(40)))
    assert data(found)[0] == "weakens"
    assert data(between(ALL, edited(ALL, range(40)))) == (
        "flagged",
        "40 of the 40 shared scenarios edited: may be other questions",
    )


@pytest.mark.parametrize(("lacks", "grade"), [(2, "expected"), (3, "flagged"), (40, "flagged")])
def test_content_that_one_side_does_not_know_is_no_same_content(lacks: int, grade: Grade) -> None:
    reason = (
        f"not known of {lacks} of the 40 shared scenarios whether they were edited: recorded on one side only"
    )
    assert data(between(unknown(ALL, range(lacks)), ALL)) == (grade, reason)
    assert data(between(ALL, unknown(ALL, range(lacks)))) == (grade, reason)


def test_tests_without_scenarios_have_nothing_to_edit() -> None:
    found = between(unknown(ALL), unknown(ALL))
    assert data(found) == ("same", "none on either side")
    assert found.comparability.level == "HIGH"
    assert data(between(unknown(ALL, range(20)), unknown(ALL, range(20)))) == (
        "same",
        "no shared scenario was edited",
    )
