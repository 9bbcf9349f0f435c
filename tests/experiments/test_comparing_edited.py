"""Edited scenarios are told, and compared by their key."""

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


@pytest.mark.parametrize("edits", [1, 20, 40])
def test_edited_scenarios_are_told_and_compared_and_lower_nothing(edits: int) -> None:
    found = between(HALF, edited(ALL, range(edits)))
    assert (found.conclusion, found.comparability.level) == ("improved", "HIGH")
    assert len(found.edited) == edits
    told = f"{edits} of the 40 shared scenarios edited: compared by key all the same"
    assert data(found) == ("expected", told)


@pytest.mark.parametrize("lacks", [2, 40])
def test_content_that_one_side_does_not_know_is_no_same_content(lacks: int) -> None:
    reason = f"not known of {lacks} of the 40 shared scenarios: recorded on one side only"
    assert data(between(unknown(ALL, range(lacks)), ALL)) == ("expected", reason)
    assert data(between(ALL, unknown(ALL, range(lacks)))) == ("expected", reason)


def test_tests_without_scenarios_have_nothing_to_edit() -> None:
    found = between(unknown(ALL), unknown(ALL))
    assert data(found) == ("same", "no shared scenario was edited")
    assert found.comparability.level == "HIGH"
    assert data(between(unknown(ALL, range(20)), unknown(ALL, range(20)))) == (
        "same",
        "no shared scenario was edited",
    )
